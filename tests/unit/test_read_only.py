"""Read-only check in every dialect."""

import contextlib
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from linker.errors import WarehouseError
from linker.warehouses.base.read_only import only_reading

DIALECTS = ("duckdb", "postgres", "snowflake", "bigquery")

CASES = yaml.safe_load(Path(__file__).with_suffix(".yml").with_stem("read_only").read_text("utf-8"))


Statement = tuple[str, str]


def statements(by_dialect: dict[str, list[str]]) -> list[Statement]:
    """Each with its dialect."""
    return [(dialect, sql) for dialect, listed in by_dialect.items() for sql in listed]


def not_refused(tried: Iterable[Statement]) -> dict[Statement, str]:
    """The statements that pass, or are refused in other words, with what came of them."""
    found = {}
    for dialect, sql in tried:
        try:
            found[dialect, sql] = f"passed as {only_reading(sql, dialect)}"
        except WarehouseError as error:
            if "refused before it ran" not in str(error):
                found[dialect, sql] = str(error)
    return found


def test_what_analysts_write_passes_and_is_run_as_it_was_written() -> None:
    other = {}
    for dialect, sql in statements(CASES["queries"]):
        passed = only_reading(sql, dialect)
        without_comments = re.sub(r"(//|#) .*", "", sql)
        is_as_written = "".join(passed.split()) == "".join(without_comments.split())
        if not is_as_written or only_reading(passed, dialect) != passed:
            other[dialect, sql] = passed
    assert other == {}


def test_what_is_no_query_is_refused() -> None:
    anywhere = dict.fromkeys(DIALECTS, CASES["no_query_anywhere"])
    assert not_refused(statements(CASES["writes"]) + statements(anywhere)) == {}


def test_a_function_that_reaches_out_is_refused_wherever_it_stands() -> None:
    places = (
        "select {}",
        "select * from {}",
        "select * from orders where id in (select {})",
        "with a as (select {}) select * from a",
        "select case when true then {} end",
        "select 1 union all select {}",
        "select count(*) from orders group by {} having {} is not null order by {}",
    )
    calls = statements(CASES["reaching"]) + statements(CASES["qualified"])
    tried = [(dialect, place.replace("{}", call)) for dialect, call in calls for place in places]
    assert len(tried) > 400
    assert not_refused(tried) == {}


def spellings(name: str, quote: str) -> Iterator[str]:
    """Other ways to write the name of a function."""
    last = name.rpartition(".")[2]
    yield from (name.upper(), f"{name} ", f"{name}\n", f"{name}/* a comment */", f"{name} -- one\n")
    yield name.replace(last, f"{quote}{last}{quote}")


def test_no_way_to_write_a_name_hides_it() -> None:
    tried = []
    for dialect, call in statements(CASES["reaching"]):
        name, _, rest = call.partition("(")
        for spelling in spellings(name, "`" if dialect == "bigquery" else '"'):
            tried.append((dialect, f"select {spelling}({rest}"))
    assert len(tried) > 300
    assert not_refused(tried) == {}


@pytest.mark.parametrize(
    "sql",
    [
        "select orders_id.nextval",
        "select s.orders_id.nextval as id from orders",
        "select S.NEXTVAL",
    ],
)
def test_a_sequence_of_snowflake_is_not_drawn_from(sql: str) -> None:
    with pytest.raises(WarehouseError, match="sequence"):
        only_reading(sql, "snowflake")


@pytest.mark.parametrize(
    "source",
    ["@stage/f.csv", "@~", "@db.s.stage (file_format => 'f')", "'s3://bucket/f'", "directory(@s)"],
)
def test_a_stage_of_snowflake_is_not_read(source: str) -> None:
    with pytest.raises(WarehouseError, match="refused before it ran"):
        only_reading(f"select $1 from {source}", "snowflake")


@pytest.mark.parametrize(
    "sql",
    [
        "select U&\"pg_re\\0061d_file\"('/etc/passwd')",
        "select U&\"pg_re!0061d_file\" UESCAPE '!' ('/etc/passwd')",
        'select u&"x"',
    ],
)
def test_a_name_that_is_written_with_escapes_is_refused(sql: str) -> None:
    with pytest.raises(WarehouseError, match="refused before it ran"):
        only_reading(sql, "postgres")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_comments_do_not_reach_the_warehouse(dialect: str) -> None:
    assert (
        only_reading("select /* drop table t */ 1 -- ; drop table t\n + /*+ hint */ 2", dialect)
        == "select 1\n+ 2"
    )


@pytest.mark.parametrize("dialect", DIALECTS)
def test_text_that_looks_like_sql_is_only_text(dialect: str) -> None:
    sql = "select 'a; drop table orders -- nextval(1)' as said from orders where note = 'it''s; pg_read_file(x)'"
    if dialect == "bigquery":
        sql = sql.replace("''", "\\'")
    assert only_reading(sql, dialect) == sql


def test_the_parameters_of_postgres_are_numbered() -> None:
    sql = "select ?, '?', \"?\" from t where a = ? and b in (?, ?) and c between ? and ?::date -- ?\n limit ?"
    assert only_reading(sql, "postgres", 7) == (
        "select $1, '?', \"?\" from t where a = $2 and b in ($3, $4) and c between $5 and $6 ::date\nlimit $7"
    )


def test_the_operators_of_postgres_that_hold_a_question_mark_are_no_parameters() -> None:
    sql = "select a ? 'k', (b) ? 'k', c[1] ? 'k', d ?| ?, e ?& ?, f->'x' ? 'k', h::jsonb ? 'k' from t where g = ?"
    assert only_reading(sql, "postgres", 3) == (
        "select a ? 'k', (b) ? 'k', c[1] ? 'k', d ?| $1, e ?& $2, f->'x' ? 'k', h::jsonb ? 'k' from t where g = $3"
    )


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("given", [0, 1, 3])
def test_a_wrong_number_of_parameters_is_refused(dialect: str, given: int) -> None:
    with pytest.raises(WarehouseError, match=f"it takes 2 parameters, and {given} were given"):
        only_reading("select ?, '?' from t where a = ?", dialect, given)


WRAPPED = (
    "select 1; {}",
    "{}; select 1",
    "with a as ({}) select * from a",
    "({})",
    "select * from ({})",
    "explain {}",
    "select 1 union all {}",
    "/* a */ {}",
    "-- a\n{}",
    "select 1 /* a */; -- b\n {}",
    "with a as (select 1) {}",
    "select ''; {}",
    "select '''', 1; {} --'",
    "select 1 where exists ({})",
    "select ({})",
    "select 1 as x {}",
)


def test_a_statement_that_writes_is_refused_wherever_it_stands() -> None:
    writing = statements(dict.fromkeys(DIALECTS, CASES["no_query_anywhere"][:9]))
    tried = [(dialect, place.replace("{}", sql)) for dialect, sql in writing for place in WRAPPED]
    assert len(tried) == 4 * 9 * 16
    assert not_refused(tried) == {}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("(", ")"),
        ("[", "]"),
        ("not ", ""),
        ("- ", ""),
        ("not - ", ""),
        ("case when ", " then 1 end"),
    ],
)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_statement_too_deep_to_parse_is_refused_and_not_a_crash(
    dialect: str, before: str, after: str
) -> None:
    """A compiled parser ends with the process where it is not refused before."""
    with pytest.raises(WarehouseError, match="refused before it ran"):
        only_reading("select " + before * 5000 + "1" + after * 5000, dialect)


# What tricks are made of: words that write, what may hide them, and what may end a text too early.
FRAGMENTS = st.sampled_from(
    [
        "select 1",
        "select ",
        "from t ",
        "values (1)",
        " union all ",
        "with a as (",
        ")",
        "(",
        ",",
        "1",
        "x",
        ";",
        "drop table orders",
        "delete from orders",
        "insert into orders values (1)",
        "into x ",
        "for update",
        "nextval('s')",
        "pg_sleep(1)",
        "read_csv('x')",
        "--",
        "\n",
        "/*",
        "*/",
        "#",
        "//",
        "{{",
        "{#",
        "#}",
        "{%",
        "%}",
        "'",
        "''",
        "\\'",
        '"',
        "`",
        "$$",
        "$a$",
        "E'",
        "r'",
        "b'",
        '"""',
        "'''",
        "\\",
        "u&'",
        "\u00a0",
        "\u200b",
        "\u2028",
        "\ufeff",
        "’",
        "＇",
        "ﬁ",
        "é",
    ]
)
scripts = st.lists(FRAGMENTS, max_size=14).map("".join)
WRITING = re.compile(
    r"\b(drop|delete|insert|into|update|nextval|pg_sleep|read_csv)\b", re.IGNORECASE
)


def code_of(sql: str) -> str:
    """The text without quoted parts, which are blanked."""
    return re.sub(r"'(?:[^'\\]|'')*'|\"[^\"\\]*\"", " ", sql)


@given(st.sampled_from(DIALECTS), scripts)
@example("postgres", "select 1 /* /* */ drop table orders */")
@example("snowflake", "select 1 /* /* */ ; drop table orders -- */")
@example("bigquery", "select '''a' ; drop table orders -- '''")
@example("postgres", "select $$ $a$ ; drop table orders -- $$")
def test_whatever_passes_is_one_query_that_names_nothing_that_writes_outside_of_texts(
    dialect: str, script: str
) -> None:
    try:
        passed = only_reading(script, dialect)
    except WarehouseError:
        return
    assert passed == only_reading(passed, dialect)
    if not any(mark in passed for mark in ("\\", "$", "`", "'''", '"""', '"', "#")):
        code = code_of(passed)
        assert not WRITING.search(code)
        assert ";" not in code
        assert "--" not in code
        assert "/*" not in code


@given(st.sampled_from(DIALECTS), st.text(max_size=60))
def test_whatever_is_given_is_passed_or_refused(dialect: str, text: str) -> None:
    for sql in (text, f"select {text}", f"select '{text}'"):
        with contextlib.suppress(WarehouseError):
            assert only_reading(sql, dialect)

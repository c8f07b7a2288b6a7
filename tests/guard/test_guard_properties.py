"""
Fuzzing: verdicts are independent of formatting, and nothing forbidden hides in accepted statements.
"""

import re
from collections.abc import Callable

import pytest
import sqlglot
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlglot import exp

from linker.errors import GuardError
from tests.guard.test_guard import ADVERSARIAL, GUARDS, LEGITIMATE
from tests.guard.warehouse import DIALECTS

QUICK = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
PLAIN = [(dialect, sql) for dialect, sql, _ in LEGITIMATE if not re.search(r"['\"`$]|--|--", sql)]
SELECTS = [(dialect, sql) for dialect, sql, _ in LEGITIMATE if sql.startswith("select")]


def verdict(dialect: str, sql: str) -> str:
    try:
        GUARDS[dialect].check(sql)
    except GuardError as error:
        return error.code
    return "passed"


def in_comments(sql: str) -> str:
    return re.sub(r"(?<=\w) (?=\w)", " /* drop table x; */ ", sql)


def over_lines(sql: str) -> str:
    return re.sub(r"(?<=\w) (?=\w)", " -- from secrets\n\t ", sql)


def ended(sql: str) -> str:
    return f"\n {sql} ;\n"


REWRITES: list[Callable[[str], str]] = [in_comments, over_lines, ended, str.upper, str.title]


@QUICK
@given(st.sampled_from(PLAIN), st.sampled_from(REWRITES))
def test_comments_lines_and_case_change_no_verdict(
    case: tuple[str, str], rewrite: Callable[[str], str]
) -> None:
    dialect, sql = case
    assert verdict(dialect, rewrite(sql)) == "passed"


@QUICK
@given(
    # Letters beyond ASCII may become others in capitals, and a name another name.
    st.sampled_from(
        [
            (d, s)
            for d, s, _ in ADVERSARIAL
            if s.isascii() and not re.search(r"['\"`$@\\]|--|/\*", s)
        ]
    ),
    st.sampled_from(REWRITES),
)
def test_no_rewriting_lets_an_adversarial_statement_pass(
    case: tuple[str, str], rewrite: Callable[[str], str]
) -> None:
    dialect, sql = case
    assert verdict(dialect, rewrite(sql)) != "passed"


@QUICK
@given(st.sampled_from(SELECTS))
def test_nesting_a_probe_changes_no_verdict(case: tuple[str, str]) -> None:
    dialect, sql = case
    for nested in (
        f"with nested as ({sql}) select count(*) from nested",
        f"select count(*) from ({sql}) as nested",
    ):
        # Marks that the statement no longer shows are not grouped or sorted, nor looked for in a
        # row as one text.
        assert verdict(dialect, nested) == "passed" or re.search(
            r"(group|order) by email|to_json|count\(distinct email", sql
        ), nested


@QUICK
@given(
    st.sampled_from([(d, s) for d, s, _ in ADVERSARIAL if s.startswith("select") and ";" not in s]),
    st.sampled_from(
        [
            "with a as ({}) select 1 as x from a",
            "select 1 from ({}) as s",
            "select 1 as x where exists ({})",
        ]
    ),
)
def test_nesting_an_adversarial_query_does_not_let_it_pass(
    case: tuple[str, str], around: str
) -> None:
    dialect, sql = case
    assert (
        verdict(dialect, around.format(sql) if "{" not in sql else around.replace("{}", sql))
        != "passed"
    )


FORBIDDEN: dict[str, Callable[[], exp.Expr]] = {
    "a function of somebody's own": lambda: exp.Anonymous(
        this="steal", expressions=[exp.Literal.number(1)]
    ),
    "a quoted function": lambda: exp.Anonymous(this=exp.to_identifier("steal", quoted=True)),
    "a hidden column": lambda: exp.column("password_hash", "customers"),
    "a sequence": lambda: exp.Anonymous(this="nextval", expressions=[exp.Literal.string("s")]),
    "a query of a table that nobody knows": lambda: exp.select("x").from_("secrets").subquery(),
    "a query of a file": lambda: exp.select("*").from_(exp.to_table('"x.csv"')).subquery(),
    "a hidden column in a query": lambda: (
        exp.select("max(password_hash)").from_("customers").subquery()
    ),
    "a variable": lambda: exp.Parameter(this=exp.Var(this="x")),
    "a parameter": exp.Placeholder,
}


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(SELECTS), st.sampled_from(sorted(FORBIDDEN)), st.data())
def test_something_forbidden_in_any_place_of_any_probe_is_refused(
    case: tuple[str, str], kind: str, data: st.DataObject
) -> None:
    dialect, sql = case
    tree = sqlglot.parse_one(sql, dialect=dialect)
    places = [
        node
        for node in tree.find_all(exp.Column, exp.Literal)
        if not node.find_ancestor(exp.JSONPath, exp.Interval)
    ]
    places = [
        node
        for node in places
        if isinstance(node.parent, exp.Select | exp.EQ | exp.Alias | exp.Sum | exp.Add)
    ]
    # A pivot sees what the query below it shows, where nothing hidden is: harmless.yml runs such
    # names.
    places = [
        node for node in places if kind != "a hidden column" or not node.find_ancestor(exp.Pivot)
    ]
    if not places:
        return
    data.draw(st.sampled_from(places)).replace(FORBIDDEN[kind]())
    assert verdict(dialect, tree.sql(dialect)) != "passed"


FRAGMENTS = st.sampled_from(
    [
        "select ",
        "*",
        "status",
        " from orders ",
        " from customers ",
        "customers",
        "password_hash",
        "(",
        ")",
        ",",
        " where ",
        " = ",
        "'x'",
        "1",
        " union all ",
        "with a as (",
        " a ",
        " as ",
        "o.",
        "c.*",
        " join ",
        " on ",
        "true",
        "count(",
        "steal(",
        "max(",
        "row(",
        " group by ",
        " order by ",
        " limit 3",
        ";",
        "--",
        "/*",
        "*/",
        "'",
        '"',
        "`",
        "$$",
        "E'",
        "U&'",
        "\\",
        "@",
        "#",
        "{{",
        "[",
        "]",
        "::",
        "->",
        " over ",
        " lateral ",
        " unnest(",
        "\n",
        "é",
        "\u00a0",
    ]
)


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(DIALECTS), st.lists(FRAGMENTS, max_size=16).map("".join))
def test_whatever_is_written_passes_or_is_refused_and_never_names_what_is_hidden(
    dialect: str, script: str
) -> None:
    try:
        probe = GUARDS[dialect].check("select " + script)
    except GuardError:
        return
    # There a backslash in a text keeps what follows from ending it.
    letter = r"[^'\\]|\\." if dialect in ("snowflake", "bigquery") else "[^']"
    without_texts = re.sub(rf"'(?:{letter}|'')*'|\"[^\"]*\"|`[^`]*`", "", probe.sql).lower()
    assert "steal" not in without_texts or " as steal" in without_texts
    assert ";" not in without_texts


@pytest.mark.parametrize("dialect", DIALECTS)
def test_nesting_without_end_is_refused_and_no_crash(dialect: str) -> None:
    for depth in (1000, 9900):
        assert verdict(dialect, "select " + "(" * depth + "1" + ")" * depth) != "passed"
    for terms in (4900, 9000):
        outcomes = ("too_large", "passed", "not_parsed")
        assert verdict(dialect, "select 1" + " + 1" * terms) in outcomes

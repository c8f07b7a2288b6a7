"""Every allowed function is parsed, generated under an allowed name, and runs unchanged."""

from collections.abc import Iterator

import duckdb
import pytest

from linker.errors import GuardError
from linker.warehouses import dialect_of
from tests.guard.test_guard import GUARDS
from tests.guard.warehouse import DIALECTS

# The arguments of most functions; the others follow below.
_ARGUMENTS = (
    "status",
    "amount",
    "",
    "status, 'a'",
    "status, 1",
    "1, 2, 3",
    "status, 'a', 'b'",
    "'day', day, day",
    "day, day, day",
    "1, 2, 3, 4",
    "1, 2, 3, 4, 5, 6",
    "1, 2, 3, 4, 5, 6, 7",
    "day, interval 1 day",
    "tags, x -> x",
    "tags, x -> x > 1",
    "tags, 'a'",
    "status as string",
    "status as varchar(3)",
)
_OTHERWISE = {
    "case": "case when status = 'a' then 1 end",
    "table": "(select count(*) from table(flatten(input => payload)))",
    "apply": "list_apply(tags, x -> x)",
    "current_setting": "current_setting('timezone')",
    "percentile_cont": "percentile_cont(0.5) within group (order by amount)",
    "percentile_disc": "percentile_disc(0.5) within group (order by amount)",
}
_WINDOWS = ("", " over (order by day)")


def calls(name: str) -> Iterator[str]:
    if name in _OTHERWISE:
        yield _OTHERWISE[name]
    else:
        yield from (f"{name}({arguments}){over}" for over in _WINDOWS for arguments in _ARGUMENTS)


def passes(sql: str, dialect: str) -> bool:
    try:
        GUARDS[dialect].check(sql)
    except GuardError:
        return False
    return True


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_listed_function_passes_once(dialect: str) -> None:
    functions = dialect_of(dialect).probe_functions
    refused = []
    for name in sorted(functions.names):
        statements = [f"select {call} from orders" for call in calls(name)]
        if not any(passes(statement, dialect) for statement in statements):
            refused.append(name)
    assert refused == []
    for name in functions.of_tables:
        assert any(
            passes(
                f"select * from {'table({})' if dialect == 'snowflake' else '{}'}".format(call),
                dialect,
            )
            for call in (
                f"{name}(1)",
                f"{name}(1, 2)",
                f"{name}('a', 'b')",
                f"{name}(rowcount => 1)",
                f"{name}(input => parse_json('[]'))",
                f"{name}(array[1])",
                f"{name}([1])",
            )
        ), name


@pytest.mark.parametrize(
    ("dialect", "call"),
    [
        ("postgres", "jsonb_object_agg(status, amount)"),
        ("postgres", "sha256(status::bytea)"),
        ("postgres", "sha384(status::bytea)"),
        ("postgres", "sha512(status::bytea)"),
        ("postgres", "to_hex(order_id)"),
        ("snowflake", "decode(status, 'paid', 1, 0)"),
        ("snowflake", "bitand_agg(order_id)"),
        ("bigquery", "datetime(timestamp(ordered_at))"),
        ("bigquery", "datetime(ordered_at, 'UTC')"),
        ("duckdb", "approx_top_k(status, 3)"),
    ],
)
def test_a_function_that_the_parser_calls_otherwise_passes(dialect: str, call: str) -> None:
    assert passes(f"select {call} from orders", dialect)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    "call",
    ["list_concat()", "decode()", "regexp_replace()", "cast()", "date_trunc()", "pow(1,2,3)"],
)
def test_wrong_arguments_are_refused_and_no_crash(dialect: str, call: str) -> None:
    # DuckDB puts any number of lists together, even none.
    assert passes(f"select {call}", dialect) == ((dialect, call) == ("duckdb", "list_concat()"))


def test_duckdb_runs_what_is_written_of_each_of_its_functions_as_what_was_asked() -> None:
    connection = duckdb.connect(":memory:", config={"enable_external_access": "false"})
    listed = dialect_of("duckdb").probe_functions.names
    found = connection.execute(
        "select distinct function_name, parameter_types from duckdb_functions() "
        "where function_type in ('scalar', 'aggregate', 'macro') and not has_side_effects"
    ).fetchall()
    compared, differing = 0, []
    for name, types in sorted(found, key=str):
        of_type = {"VARCHAR": "'ab'", "DATE": "date '2025-03-01'", "DOUBLE": "1.5"}
        asked = f"select {name}({', '.join(of_type.get(kind, '1') for kind in types)})"
        # A clock goes on.
        if (
            name not in listed
            or name in ("now", "today", "age")
            or "current" in name
            or name.endswith("_timestamp")
        ):
            continue
        try:
            expected = repr(connection.execute(asked).fetchall())
        except duckdb.Error:
            continue
        compared += 1
        try:
            if repr(connection.execute(GUARDS["duckdb"].check(asked).sql).fetchall()) != expected:
                differing.append(asked)
        except (GuardError, duckdb.Error) as error:
            differing.append(f"{asked}: {error}")
    assert "\n".join(differing) == ""
    assert compared > 300

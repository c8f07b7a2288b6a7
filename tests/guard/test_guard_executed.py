"""Accepted statements run on real warehouses without leaks or side effects."""

import contextlib
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from linker.errors import GuardError, WarehouseError
from linker.warehouses import Warehouse, dialect_of
from linker.warehouses.base import Bounds
from tests.guard.queries import queries
from tests.guard.shops import duckdb_shop, postgres_shop
from tests.guard.test_guard import GUARDS, HARMLESS, LEGITIMATE

SLOW = "select count(*) from range(1000000) as a, range(1000000) as b"


@pytest.fixture(scope="module", params=["duckdb", "postgres"])
def warehouse(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Warehouse]:
    with (
        duckdb_shop(tmp_path_factory.mktemp("guard"))
        if request.param == "duckdb"
        else postgres_shop() as opened
    ):
        yield opened
        opened.close()


def state(warehouse: Warehouse) -> list[tuple[object, ...]]:
    return warehouse.query(
        """
        select
            (select count(*) from shop.orders), (select sum(customer_id) from shop.customers),
            (select count(*) from information_schema.tables where table_schema = 'shop'),
            (select max(password_hash) from shop.customers), (select count(*) from information_schema.schemata)
        """
    )


def test_every_legitimate_probe_runs_and_tells_nothing_hidden(warehouse: Warehouse) -> None:
    before = state(warehouse)
    for dialect, sql, _ in LEGITIMATE:
        if dialect == warehouse.dialect:
            probe = GUARDS[dialect].check(sql)
            told = str(warehouse.query(probe.sql, (), Bounds(seconds=30)))
            assert "SECRET" not in told, sql
            assert "bob@example.com" not in told, sql
    assert state(warehouse) == before


def test_what_looks_hostile_and_passes_tells_nothing(warehouse: Warehouse) -> None:
    before = state(warehouse)
    for dialect, sql, _ in HARMLESS:
        if dialect == warehouse.dialect:
            with contextlib.suppress(GuardError, WarehouseError):
                told = str(warehouse.query(GUARDS[dialect].check(sql).sql, (), Bounds(seconds=5)))
                assert "SECRET" not in told, sql
                assert "bob@example.com" not in told, sql
    assert state(warehouse) == before


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(queries())
def test_no_mixture_of_names_leads_to_what_is_hidden_or_unknown(
    warehouse: Warehouse, sql: str
) -> None:
    try:
        probe = GUARDS[warehouse.dialect].check(sql)
    except GuardError:
        return
    with contextlib.suppress(WarehouseError):
        told = str(warehouse.query(probe.sql, (), Bounds(seconds=5)))
        assert "SECRET" not in told
        assert "@example" not in told


def test_masked_columns_are_counted_and_compared_with_what_is_given(warehouse: Warehouse) -> None:
    check = GUARDS[warehouse.dialect].check
    for sql, expected in (
        ("select count(*) from customers where email = 'ada@example.com'", [(1,)]),
        ("select count(*) from customers where email = 'nobody@example.com'", [(0,)]),
        ("select count(*) from customers where phone = 4915112345", [(1,)]),
        (
            "select count(*) from customers where email in ('ada@example.com', 'bob@example.com')",
            [(2,)],
        ),
        ("select count(email), count(*) from customers", [(2, 3)]),
        ("select name from customers where email is null", [("Cyd",)]),
        (
            "select email from customers order by customer_id",
            [("(masked)",), ("(masked)",), (None,)],
        ),
        (
            "select email, count(*) from customers where email is not null group by email",
            [("(masked)", 2)],
        ),
    ):
        assert warehouse.query(check(sql).sql) == expected, sql


def test_a_probe_that_takes_too_long_is_stopped_and_the_session_answers_on(
    warehouse: Warehouse,
) -> None:
    slow = SLOW if warehouse.dialect == "duckdb" else SLOW.replace("range(", "generate_series(1, ")
    with pytest.raises(WarehouseError, match="longer than 1 seconds"):
        warehouse.query(GUARDS[warehouse.dialect].check(slow).sql, (), Bounds(seconds=1))
    assert warehouse.query("select 1") == [(1,)]


PARTS = st.sampled_from(
    [
        "status",
        "*",
        "count(*)",
        "o.amount",
        "max(amount)",
        "email",
        "name",
        "c.*",
        "1",
        "'x'",
        "upper(status)",
        "o",
        "row(o)",
        "to_json(c)",
        "c",
        "password_hash",
        "nextval('s')",
        "pg_sleep(1)",
        "amount + 1",
    ]
)
SOURCES = st.sampled_from(
    [
        "orders as o",
        "customers as c",
        "orders as o, customers as c",
        "orders as o natural join customers as c",
        "(select * from customers) as c",
        "orders as o join customers as c using (customer_id)",
        "products",
        '"events_*"',
        "events_20250101 as o",
        "(delete from orders returning *) as o",
        "information_schema.tables",
    ]
)
TAILS = st.sampled_from(
    [
        "",
        " limit 5",
        " order by 1",
        " group by 1",
        " where true",
        " for update",
        "; drop table shop.orders",
        " into x",
    ]
)


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(PARTS, min_size=1, max_size=3), SOURCES, TAILS)
def test_whatever_passes_and_runs_leaves_the_warehouse_unchanged_and_tells_nothing_hidden(
    warehouse: Warehouse, parts: list[str], source: str, tail: str
) -> None:
    try:
        probe = GUARDS[warehouse.dialect].check(f"select {', '.join(parts)} from {source}{tail}")
    except GuardError:
        return
    before = state(warehouse)
    with contextlib.suppress(WarehouseError):
        rows = warehouse.query(probe.sql)
        assert "SECRET" not in str(rows)
        assert "@example" not in str(rows)
        assert len(rows) <= 100
    assert state(warehouse) == before


def test_the_list_of_postgres_holds_no_function_that_changes_anything(warehouse: Warehouse) -> None:
    if warehouse.dialect == "duckdb":
        found = warehouse.query(
            "select distinct function_name from duckdb_functions() where has_side_effects"
        )
    else:
        found = warehouse.query(
            "select distinct proname from pg_proc where provolatile = 'v' and pronamespace = 'pg_catalog'::regnamespace"
        )
    chance = {"random", "uuid", "uuidv4", "uuidv7", "gen_random_uuid", "clock_timestamp"}
    chance |= {"array_sample", "array_shuffle"}
    assert {name for (name,) in found} & dialect_of(
        warehouse.dialect
    ).probe_functions.names <= chance

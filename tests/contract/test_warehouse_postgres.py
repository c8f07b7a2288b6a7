"""Postgres beyond the common contract: the session refuses writes whatever the guard accepts."""

import contextlib
import datetime
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from linker.config.target import Target
from linker.errors import WarehouseError
from linker.warehouses import Warehouse, dialect_of, open_warehouse
from linker.warehouses.base import Bounds
from linker.warehouses.base.read_only import only_reading
from tests.contract.warehouses import Running, running

# A function of somebody's own has a name that no list can know.
SETUP = """
create function count_up() returns bigint language sql as
'insert into shop.orders (id) values (99) returning id';
create function loosen() returns text language sql as
'select set_config(''transaction_read_only'', ''off'', false)';
create table shop."Weird ""name"" ?" (id int);
create view shop.two as select 2 as two;
create schema "SHOP";
create table "SHOP".other (id int);
create role reader;
grant usage on schema shop to reader;
grant select on shop.orders to reader;
"""
# Volatile by their nature and harmless: chance, clocks, sizes, and what no query can call.
HARMLESS = {
    "random",
    "random_normal",
    "gen_random_uuid",
    "uuidv4",
    "uuidv7",
    "array_sample",
    "array_shuffle",
    "clock_timestamp",
    "timeofday",
    "current_query",
    "txid_status",
    "bernoulli",
    "system",
    "pg_database_size",
    "pg_indexes_size",
    "pg_relation_size",
    "pg_table_size",
    "pg_total_relation_size",
    "pg_is_in_recovery",
    "amvalidate",
    "dsnowball_init",
    "dsnowball_lexize",
}


@pytest.fixture(scope="module")
def place(
    tmp_path_factory: pytest.TempPathFactory,
    artifact_statements: Callable[[str, str], Iterator[str]],
) -> Iterator[Running]:
    with running("postgres", tmp_path_factory.mktemp("postgres"), artifact_statements) as started:
        started.server.execute(SETUP)
        yield started


@pytest.fixture(scope="module")
def warehouse(place: Running) -> Iterator[Warehouse]:
    opened = open_warehouse(place.target)
    yield opened
    opened.close()


def with_options(target: Target, **options: object) -> Target:
    return replace(target, options={**target.options, **options})


@pytest.mark.parametrize(
    "call", ["count_up()", "loosen(), count_up()", "count_up() from shop.orders"]
)
def test_a_function_that_writes_is_refused_by_the_session(warehouse: Warehouse, call: str) -> None:
    with pytest.raises(WarehouseError, match=r"read-(only|write)"):
        warehouse.query(f"select {call}")
    with contextlib.suppress(WarehouseError):
        warehouse.query("select loosen()")
    with pytest.raises(WarehouseError, match="read-only"):
        warehouse.query("select count_up()")
    assert warehouse.query("select count(*) from shop.orders") == [(3,)]


def test_a_statement_that_takes_longer_than_its_bounds_is_stopped_and_the_next_has_the_usual_limit(
    warehouse: Warehouse,
) -> None:
    slow = "select count(*) from generate_series(1, 100000) as a(x), generate_series(1, 100000) as b(y)"
    with pytest.raises(WarehouseError, match="longer than 1 seconds"):
        warehouse.query(slow, (), Bounds(seconds=1))
    assert warehouse.query("select setting from pg_settings where name = 'statement_timeout'") == [
        ("120000",)
    ]


def test_a_result_that_is_not_fetched_to_its_end_leaves_the_session_free(
    warehouse: Warehouse,
) -> None:
    many = "select x from generate_series(1, 1000000) as s(x)"
    assert warehouse.query(many, (), Bounds(rows=2)) == [(1,), (2,)]
    assert warehouse.query("select 1") == [(1,)]


def test_the_session_has_a_time_limit_and_reads_texts_as_the_guard_does(
    warehouse: Warehouse,
) -> None:
    names = [
        "default_transaction_read_only",
        "statement_timeout",
        "standard_conforming_strings",
        "application_name",
    ]
    found = warehouse.query("select name, setting from pg_settings where name = any(?)", [names])
    assert dict(found) == {
        "default_transaction_read_only": "on",
        "statement_timeout": "120000",
        "standard_conforming_strings": "on",
        "application_name": "dbt-linker",
    }


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("true", True),
        ("1.10::numeric(5, 2)", Decimal("1.10")),
        ("0.5::double precision", 0.5),
        ("date '2024-02-29'", datetime.date(2024, 2, 29)),
        ("timestamp '2024-02-29 12:30:00.5'", datetime.datetime(2024, 2, 29, 12, 30, 0, 500_000)),
        ("interval '90 minutes'", datetime.timedelta(minutes=90)),
        ("'a''b'", "a'b"),
        (r"'\'", "\\"),
        ("array[1, 2, null]", [1, 2, None]),
        ("'{\"a\": [1, null]}'::jsonb", {"a": [1, None]}),
        ("'\\x00ff'::bytea", b"\x00\xff"),
        ("null", None),
    ],
)
def test_values_come_back_as_their_python_types(
    warehouse: Warehouse, expression: str, expected: object
) -> None:
    [[value]] = warehouse.query(f"select {expression}")
    assert value == expected
    assert type(value) is type(expected)


def test_parameters_stand_beside_the_operators_that_look_like_them(warehouse: Warehouse) -> None:
    statement = (
        "select '{\"a\": 1}'::jsonb ? 'a', ?::text, ?::date, '%s ?' "
        "where ?::int = any(?) and '{}'::jsonb ? 'b' = ?"
    )
    day = datetime.date(2024, 1, 31)
    assert warehouse.query(statement, ["größe", "2024-01-31", 2, [1, 2], False]) == [
        (True, "größe", day, "%s ?")
    ]
    assert warehouse.query(
        "select '{\"a\": 1}'::jsonb ? 'a', '{\"a\": 1}'::jsonb ?| array['b']"
    ) == [(True, False)]


@pytest.mark.parametrize(
    "statement",
    ["values (2)", "select 2 union all select 2 where false", "(select 2)", "table shop.two"],
)
def test_every_way_of_postgres_to_write_a_query_is_answered(
    warehouse: Warehouse, statement: str
) -> None:
    assert warehouse.query(statement) == [(2,)]


def test_a_value_that_python_cannot_hold_is_a_warehouse_error_and_the_session_answers_on(
    warehouse: Warehouse,
) -> None:
    with pytest.raises(WarehouseError):
        warehouse.query("select date '12000-01-01'")
    assert warehouse.query("select 1") == [(1,)]


def test_names_that_need_quotes_are_written_so_and_the_schema_in_just_that_case_comes_first(
    warehouse: Warehouse,
) -> None:
    found = warehouse.relations("shop")
    weird = 'weird "name" ?'
    assert set(found) == {"orders", "two", "other", weird}
    assert warehouse.query(f"select * from {found[weird]}") == []
    assert found["other"] == '"SHOP"."other"'
    assert warehouse.relations("SHOP")["orders"] == '"shop"."orders"'


def test_role_and_search_path_are_those_of_the_profile(place: Running) -> None:
    opened = open_warehouse(with_options(place.target, role="reader", search_path="shop, public"))
    assert opened.query("select current_user, count(*) from orders") == [("reader", 3)]
    with pytest.raises(WarehouseError, match="permission denied"):
        opened.query("select * from shop_linker.linker_tables")
    opened.close()


def test_a_role_is_a_name_and_never_a_statement(place: Running) -> None:
    with pytest.raises(WarehouseError, match="cannot be opened"):
        open_warehouse(with_options(place.target, role='reader"; drop table shop.orders; --'))


def test_dbts_older_names_of_options_are_known(place: Running) -> None:
    options = {
        key: value
        for key, value in place.target.options.items()
        if key not in ("dbname", "password")
    }
    opened = open_warehouse(
        replace(place.target, options={**options, "database": "warehouse", "pass": "any"})
    )
    assert opened.query("select current_database()") == [("warehouse",)]
    opened.close()


@pytest.mark.parametrize(
    "options",
    [
        {"host": "127.0.0.1", "port": 1},
        {"dbname": "no_such_database"},
        {"host": "no-such-host.invalid"},
        {"sslmode": "odd"},
    ],
)
def test_what_cannot_be_reached_is_one_line_that_names_the_target_and_no_password(
    place: Running, options: dict[str, object]
) -> None:
    with pytest.raises(WarehouseError, match="target `postgres` cannot be opened") as caught:
        open_warehouse(with_options(place.target, password="s3cret", **options))
    assert "\n" not in caught.value.what
    assert "s3cret" not in f"{caught.value.what} {caught.value.hint}"
    assert "profiles.yml" in caught.value.hint


def test_every_function_of_the_server_that_does_more_than_compute_is_refused(
    warehouse: Warehouse,
) -> None:
    callable_ones = """
        select distinct proname
        from pg_proc
        where
            provolatile = 'v' and prokind in ('f', 'p') and pronamespace = 'pg_catalog'::regnamespace
            and prorettype not in ('trigger'::regtype, 'event_trigger'::regtype, 'internal'::regtype, 'void'::regtype,
                'index_am_handler'::regtype, 'table_am_handler'::regtype, 'language_handler'::regtype)
    """
    volatile = {name for (name,) in warehouse.query(callable_ones)}
    assert len(volatile) > 100
    assert {
        name for name in volatile if not dialect_of("postgres").refusals.reason(name, ())
    } - HARMLESS == set()


def test_every_function_that_only_some_users_may_call_is_refused(warehouse: Warehouse) -> None:
    guarded = {
        name
        for (name,) in warehouse.query(
            "select distinct proname from pg_proc where proacl is not null"
        )
    }
    own = {"count_up", "loosen"}
    assert {
        name for name in guarded - own if not dialect_of("postgres").refusals.reason(name, ())
    } == set()


STATE = """
select count(*), sum(id), (select count(*) from pg_class), (select sum(n_tup_ins + n_tup_del) from pg_stat_user_tables)
from shop.orders
"""
FRAGMENTS = st.sampled_from(
    [
        "select 1",
        "select ",
        "from shop.orders ",
        "values (1)",
        " union all ",
        "with a as (",
        ")",
        "(",
        ",",
        "1",
        ";",
        "delete from shop.orders",
        "insert into shop.orders (id) values (1)",
        "into shop.more ",
        " for update",
        "--",
        "drop table shop.orders",
        "\n",
        "/*",
        "*/",
        "'",
        "''",
        "\\",
        '"',
        "$$",
        "$a$",
        "E'",
        "U&'",
        "select * from a",
    ]
)


@settings(
    max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(st.lists(FRAGMENTS, max_size=10).map("".join))
def test_what_the_guard_lets_in_writes_nothing_even_where_the_session_would_allow_it(
    place: Running, script: str
) -> None:
    try:
        passed = only_reading(script, "postgres")
    except WarehouseError:
        return
    with psycopg.connect(
        host=str(place.target.options["host"]), user="postgres", dbname="warehouse", autocommit=True
    ) as connection:
        before = connection.execute(STATE).fetchall()
        with contextlib.suppress(psycopg.Error):
            connection.execute(passed.encode())
        assert connection.execute(STATE).fetchall() == before


def test_the_file_of_the_server_is_no_business_of_a_session(
    warehouse: Warehouse, tmp_path: Path
) -> None:
    (tmp_path / "secret.txt").write_text("42\n", "utf-8")
    with pytest.raises(WarehouseError):
        warehouse.query(f"select pg_read_file('{tmp_path}/secret.txt')")

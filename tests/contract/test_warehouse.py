"""Contract of warehouse sessions: same values for the same query, and no writes."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from msgspec.structs import replace

from linker.catalog.profile import ColumnProfile, read_profile
from linker.catalog.read_catalog import Artifacts, read_catalog
from linker.errors import ArtifactError, ConfigError, GuardError, MissingError, WarehouseError
from linker.sql_policy.guard import Guard, ProbeLimits
from linker.sql_policy.visible_tables import KnownTable, KnownTables
from linker.types import Catalog, TableRef
from linker.warehouses import Warehouse, open_warehouse
from linker.warehouses.base import Bounds
from tests.contract.warehouses import KINDS, Running, running


@pytest.fixture(scope="module", params=KINDS)
def place(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    artifact_statements: Callable[[str, str], Iterator[str]],
) -> Iterator[Running]:
    with running(
        request.param, tmp_path_factory.mktemp(request.param), artifact_statements
    ) as started:
        yield started


@pytest.fixture(scope="module")
def warehouse(place: Running) -> Iterator[Warehouse]:
    opened = open_warehouse(place.target)
    yield opened
    opened.close()


def test_it_names_the_dialect_of_its_sql(warehouse: Warehouse, place: Running) -> None:
    assert warehouse.dialect == place.kind


def test_rows_come_back_in_order_with_their_values(warehouse: Warehouse) -> None:
    assert warehouse.query("select id, amount, note from shop.orders order by id desc") == [
        (3, None, None),
        (2, Decimal("20.50"), "größe"),
        (1, Decimal("10.25"), "first"),
    ]
    assert warehouse.query("select id from shop.orders where id > 100") == []


def test_parameters_are_values_and_never_statements(warehouse: Warehouse) -> None:
    statement = "select id from shop.orders where note = ? and amount < ?"
    assert warehouse.query(statement, ["first", 11]) == [(1,)]
    assert warehouse.query(statement, ["first' or '1' = '1", 99]) == []
    assert warehouse.query(
        "select id from shop.orders where note like ? and id in (?, ?)", ["gr%e", 2, 3]
    ) == [(2,)]
    assert warehouse.query("select count(*) from shop.orders where note = ?", [None]) == [(0,)]


def test_a_percent_sign_and_a_question_mark_in_a_text_are_no_parameters(
    warehouse: Warehouse,
) -> None:
    assert warehouse.query("select '?', '%s %% %(a)s' from shop.orders where id = ?", [1]) == [
        ("?", "%s %% %(a)s")
    ]
    assert warehouse.query("select '?', '%s %% %(a)s' from shop.orders where id = 1") == [
        ("?", "%s %% %(a)s")
    ]


@pytest.mark.parametrize("parameters", [[], [1, 2]])
def test_a_wrong_number_of_parameters_is_a_warehouse_error(
    warehouse: Warehouse, parameters: list[object]
) -> None:
    with pytest.raises(WarehouseError):
        warehouse.query("select id from shop.orders where id = ?", parameters)


@pytest.mark.parametrize(
    "statement",
    [
        "with early as (select id from shop.orders where id < 3) select count(*) from early",
        "-- a comment first\nselect 2; -- and one behind",
    ],
)
def test_every_way_to_write_a_query_is_answered(warehouse: Warehouse, statement: str) -> None:
    assert warehouse.query(statement) == [(2,)]


@pytest.mark.parametrize(
    "statement",
    [
        "create table shop.more (id int)",
        "create temporary table more (id int)",
        "create view shop.more as select 1 as id",
        "insert into shop.orders (id) values (9)",
        "update shop.orders set id = 0 where true",
        "delete from shop.orders where true",
        "truncate table shop.orders",
        "merge into shop.orders as o using (select 1 as id) as more on o.id = more.id when matched then delete",
        "drop table shop.orders",
        "alter table shop.orders add column more int",
        "begin",
        "select 1; delete from shop.orders where true",
        "select 1; select 2",
        "",
        "-- only a comment",
        "selec 1",
    ],
)
def test_a_statement_that_does_more_than_read_is_refused(
    warehouse: Warehouse, statement: str
) -> None:
    with pytest.raises(WarehouseError):
        warehouse.query(statement)
    assert warehouse.query("select sum(id), count(*) from shop.orders") == [(6, 3)]
    assert set(warehouse.relations("shop")) == {"orders"}


def test_after_an_error_the_session_answers_on(warehouse: Warehouse) -> None:
    with pytest.raises(WarehouseError, match=r"(?i)does_not_exist") as caught:
        warehouse.query("select does_not_exist from shop.orders")
    assert "\n" not in caught.value.what
    assert warehouse.query("select count(*) from shop.orders") == [(3,)]


@pytest.mark.parametrize(
    "statement", ["select 1 from shop.nowhere", "select no_such_column from shop.orders"]
)
def test_a_table_or_column_that_is_not_there_has_an_error_of_its_own(
    warehouse: Warehouse, place: Running, statement: str
) -> None:
    # The other two are emulated, and say it in words of their own.
    is_told = place.kind in ("duckdb", "postgres")
    with pytest.raises(MissingError if is_told else WarehouseError):
        warehouse.query(statement)


def test_another_mistake_is_not_taken_for_something_that_is_not_there(warehouse: Warehouse) -> None:
    with pytest.raises(WarehouseError) as caught:
        warehouse.query("select id + note from shop.orders where amount = 'x'")
    assert not isinstance(caught.value, MissingError)


def test_no_more_rows_come_back_than_the_bounds_say(warehouse: Warehouse) -> None:
    statement = "select id from shop.orders order by id"
    assert warehouse.query(statement, (), Bounds(rows=2)) == [(1,), (2,)]
    assert warehouse.query(statement, (), Bounds(rows=100)) == [(1,), (2,), (3,)]
    assert warehouse.query(statement) == [(1,), (2,), (3,)]


def test_a_statement_within_its_bounds_is_answered_and_the_session_answers_on(
    warehouse: Warehouse,
) -> None:
    within = Bounds(seconds=30, bytes_billed=1_000_000_000, rows=10)
    assert warehouse.query("select count(*) from shop.orders where id < ?", [3], within) == [(2,)]
    assert warehouse.query("select count(*) from shop.orders") == [(3,)]


def test_a_probe_is_checked_and_run_by_one_call(warehouse: Warehouse, place: Running) -> None:
    case = str.upper if place.kind == "snowflake" else str.lower
    orders = KnownTable(
        TableRef(case("shop"), case("orders")),
        (case("orders"),),
        {case("id"): "show", case("note"): "hide"},
    )
    guard = Guard(
        KnownTables(place.kind, (orders,), schema=case("shop")), ProbeLimits(rows=2, seconds=30)
    )
    assert guard.run("select * from orders order by id", warehouse)[1] == [(1,), (2,)]
    assert guard.run("select count(*) from shop.orders limit 1", warehouse)[1] == [(3,)]
    with pytest.raises(GuardError) as caught:
        guard.run("select note from orders", warehouse)
    assert caught.value.code == "hidden_column"


def test_two_sessions_read_at_the_same_time(place: Running, warehouse: Warehouse) -> None:
    other = open_warehouse(place.target)
    assert other.query("select count(*) from shop.orders") == [(3,)]
    other.close()
    assert warehouse.query("select count(*) from shop.orders") == [(3,)]


def test_relations_are_found_by_schema_and_written_so_that_they_can_be_read(
    warehouse: Warehouse,
) -> None:
    found = warehouse.relations("shop")
    assert set(found) == {"orders"}
    assert warehouse.query(f"select count(*) from {found['orders']}") == [(3,)]
    assert warehouse.relations("no_such_schema") == {}


def test_the_schema_of_a_warehouse_that_folds_names_is_found_in_any_case(
    warehouse: Warehouse, place: Running
) -> None:
    assert set(warehouse.relations("SHOP")) == (set() if place.kind == "bigquery" else {"orders"})


def test_the_same_artifacts_are_the_same_catalog_and_profiles_everywhere(
    warehouse: Warehouse, artifacts: Artifacts, catalog: Catalog
) -> None:
    here = Artifacts(warehouse, "shop_linker")
    assert read_catalog(here) == catalog
    for table in catalog.tables:
        expected, found = read_profile(artifacts, table), read_profile(here, table)
        assert replace(found, columns=tuple(map(without_epoch, found.columns))) == expected


def without_epoch(column: ColumnProfile) -> ColumnProfile:
    """fakesnow hands out 1970 where a timestamp is null."""
    epoch = column.l2.scanned_at == datetime(1970, 1, 1, tzinfo=UTC)
    return replace(column, l2=replace(column.l2, scanned_at=None)) if epoch else column


def test_a_schema_without_artifacts_is_named(warehouse: Warehouse) -> None:
    with pytest.raises(
        ArtifactError, match="`shop` has no linker_columns, linker_families, linker_tables"
    ):
        read_catalog(Artifacts(warehouse, "shop"))


def test_artifacts_of_another_version_are_told_as_such(warehouse: Warehouse) -> None:
    with pytest.raises(ArtifactError, match="of another version") as caught:
        Artifacts(warehouse, "shop_linker").query(
            "select 1 as number from shop_linker.no_such_table"
        )
    assert caught.value.hint == "profile the warehouse again: linker refresh"


def test_a_kind_of_warehouse_that_cannot_be_read_is_a_config_error_that_lists_the_others(
    place: Running,
) -> None:
    with pytest.raises(ConfigError, match="oracle") as caught:
        open_warehouse(replace(place.target, kind="oracle"))
    assert all(kind in caught.value.hint for kind in KINDS)

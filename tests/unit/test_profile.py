"""Profiles from profile tables; unmeasured stays null."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml
from msgspec.structs import fields

from linker.catalog.profile import (
    HistogramBin,
    JoinEdge,
    Semantics,
    Statistics,
    Structure,
    TableProfile,
    ValueCount,
    read_profile,
)
from linker.catalog.read_catalog import Artifacts, read_catalog
from linker.config.target import Target
from linker.errors import ArtifactError
from linker.types import Catalog, TableRef
from linker.warehouses import open_warehouse

SCANNED = datetime(2025, 11, 20, 14, 3, 27, tzinfo=UTC)


@contextmanager
def opened(file: Path) -> Iterator[Artifacts]:
    warehouse = open_warehouse(
        Target("shop", "dev", "duckdb", "shop", file.parent, {"path": str(file)})
    )
    yield Artifacts(warehouse, "shop_linker")
    warehouse.close()


@pytest.fixture(scope="module")
def profiles(artifacts: Artifacts, catalog: Catalog) -> dict[str, TableProfile]:
    return {str(table.ref): read_profile(artifacts, table) for table in catalog.tables}


@pytest.mark.parametrize(
    ("record", "model", "left_out"),
    [
        (Structure, "profiles/linker_profile_l1", {"column_path", "position"}),
        (Semantics, "profiles/linker_profile_l2", {"column_path"}),
        (Statistics, "profiles/linker_profile_l3", {"column_path"}),
        (JoinEdge, "joins/linker_joins", {"from_database", "to_database"}),
    ],
)
def test_a_record_holds_every_column_of_its_artifact(
    record: type[Any], model: str, left_out: set[str], checkout: Path
) -> None:
    [described] = yaml.safe_load((checkout / "models" / f"{model}.yml").read_text("utf-8"))[
        "models"
    ]
    columns = {column["name"] for column in described["columns"]}
    identity = {"database_name", "schema_name", "table_name"} & columns
    assert {field.name for field in fields(record)} == columns - identity - left_out


def test_a_column_has_its_three_levels(profiles: dict[str, TableProfile]) -> None:
    orders = profiles["sales.orders"]
    assert [column.position for column in orders.columns] == list(range(1, 11))
    status = orders.columns[2]
    assert status.l1 == Structure("VARCHAR", "text", "category", True, False, None, None)
    assert status.l2.description_origin == "dbt"
    assert status.l2.representative_values == (
        ValueCount("delivered", 6200),
        ValueCount("shipped", 2550),
        ValueCount("open", 1248),
        ValueCount("returned", 2),
    )
    assert status.l2.scanned_at == SCANNED
    assert status.l3
    assert (status.l3.row_count, status.l3.sample_row_count, status.l3.is_sampled) == (
        2_000_000,
        10_000,
        True,
    )
    assert status.l3.quantiles is None
    amount = orders.columns[3].l3
    assert amount
    assert amount.quantiles
    assert amount.quantiles[:3] == (0, 4.9, 9.9)
    assert amount.histogram
    assert amount.histogram[0] == HistogramBin(0, 4.9, 0.05)


def test_what_was_not_measured_is_none_and_never_zero(profiles: dict[str, TableProfile]) -> None:
    [never_scanned] = profiles["crm.customers_archive"].columns
    assert never_scanned.l3 is None
    assert (never_scanned.l2.null_ratio, never_scanned.l2.distinct_count) == (None, None)
    assert never_scanned.l2.scanned_at is None
    assert profiles["crm.customers_archive"].statistics is None
    hidden = profiles["crm.customers"].columns[2]
    assert (hidden.l2.privacy, hidden.l2.distinct_count, hidden.l2.representative_values) == (
        "hide",
        None,
        None,
    )
    empty = profiles["sales.returns"].columns[0]
    assert (empty.l2.null_ratio, empty.l2.distinct_count) == (None, 0)


def test_a_table_knows_its_joins_in_both_directions(profiles: dict[str, TableProfile]) -> None:
    orders = profiles["sales.orders"]
    assert [(edge.source.name, edge.key.name) for edge in orders.joins] == [
        ("returns", "orders"),
        ("sessions_*", "orders"),
        ("orders", "customers"),
    ]
    [outward] = [edge for edge in orders.joins if edge.source == TableRef("sales", "orders")]
    assert (outward.from_columns, outward.to_columns, outward.confidence) == (
        ("customer_id",),
        ("customer_id",),
        0.97,
    )
    assert [edge.origin for edge in orders.joins_of("customer_id")] == ["tested", "inferred"]
    assert [edge.origin for edge in orders.joins_of("order_id")] == ["declared"]
    assert orders.joins_of("status") == ()


def test_the_plan_tells_which_members_were_read(profiles: dict[str, TableProfile]) -> None:
    plan = profiles["web.sessions_*"].plan
    assert plan
    assert plan.members == ("sessions_20250103", "sessions_20250102")


def test_the_rows_of_a_table_are_not_those_of_a_list_inside_it(
    profiles: dict[str, TableProfile],
) -> None:
    sessions = profiles["web.sessions_*"]
    assert sessions.statistics
    assert sessions.statistics.row_count == 80
    assert sessions.columns[3].l3
    assert sessions.columns[3].l3.row_count == 250


@pytest.fixture
def changed_file(profiled_file: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(profiled_file, tmp_path / "changed.duckdb"))


def test_a_time_is_utc_where_the_driver_says_so_too(changed_file: Path, catalog: Catalog) -> None:
    with duckdb.connect(str(changed_file)) as connection:
        connection.execute("set timezone = 'Asia/Tokyo'")
        connection.execute(
            "alter table shop_linker.linker_profile_l2 alter scanned_at type timestamptz"
        )
    with opened(changed_file) as changed:
        [first, *_] = read_profile(
            changed, catalog.table_by_ref[TableRef("web", "sessions_*")]
        ).columns
    assert first.l2.scanned_at == datetime(2025, 11, 20, 5, 3, 27, tzinfo=UTC)
    assert str(first.l2.scanned_at).endswith("+00:00")


def test_a_value_that_is_a_number_in_the_json_is_shown_as_it_stands_there(
    changed_file: Path, catalog: Catalog
) -> None:
    with duckdb.connect(str(changed_file)) as connection:
        numbers = '[{"value": 7, "count": 2}, {"value": null, "count": 1}]'
        connection.execute(
            "update shop_linker.linker_profile_l2 set representative_values = ?", [numbers]
        )
    with opened(changed_file) as changed:
        [first, *_] = read_profile(
            changed, catalog.table_by_ref[TableRef("web", "sessions_*")]
        ).columns
    assert first.l2.representative_values == (ValueCount("7", 2), ValueCount("null", 1))


def test_without_profiles_the_inventory_is_read_and_the_error_says_what_to_run(
    changed_file: Path,
) -> None:
    with duckdb.connect(str(changed_file)) as connection:
        for relation in ("profile_l1", "profile_l2", "profile_l3", "joins"):
            connection.execute(f"drop table shop_linker.linker_{relation}")
    with opened(changed_file) as changed:
        table = read_catalog(changed).table_by_ref[TableRef("sales", "orders")]
        assert table.column_by_path["amount"].description is None
        with pytest.raises(
            ArtifactError, match="linker_joins, linker_profile_l1, linker_profile_l2"
        ) as caught:
            read_profile(changed, table)
    assert "linker profile" in caught.value.hint


def test_the_catalog_takes_the_words_of_dbt_where_there_are_profiles(catalog: Catalog) -> None:
    orders = catalog.table_by_ref[TableRef("sales", "orders")].column_by_path
    assert orders["customer_id"].description == "Who ordered."
    assert orders["amount"].description == "Total with tax."
    assert orders["note"].description is None

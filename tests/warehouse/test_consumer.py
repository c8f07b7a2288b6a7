"""A consumer project installs the package, runs it, and gets the profile tables."""

import re
from pathlib import Path

import duckdb
import pytest

from linker.catalog.read_catalog import Artifacts, read_catalog
from linker.types import TableRef
from linker.warehouses.duckdb import DuckDBWarehouse
from tests.warehouse.project import Consumer, stand_ins

only_on_duckdb = pytest.mark.parametrize("consumer", ["duckdb"], indirect=True)


@pytest.mark.parametrize(
    "artifact", ["linker_tables", "linker_declared_columns", "linker_families"]
)
def test_the_artifact_is_as_worked_out_by_hand(consumer: Consumer, artifact: str) -> None:
    columns, expected = consumer.expected(artifact)
    assert consumer.rows(artifact, columns) == expected


def test_tables_with_the_same_columns_have_the_same_signature_and_others_not(
    consumer: Consumer,
) -> None:
    signatures = dict(consumer.rows("linker_tables", ["table_name", "column_signature"]))
    assert signatures["lkp_channel"] == signatures["lkp_status"]
    assert signatures["speed_2024_12"] != signatures["speed_2025_01"]


@only_on_duckdb
def test_the_catalog_holds_one_table_for_every_family(consumer: Consumer) -> None:
    warehouse = DuckDBWarehouse(
        duckdb.connect(consumer.server.environment["CONSUMER_DUCKDB_PATH"], read_only=True)
    )
    catalog = read_catalog(Artifacts(warehouse, "analytics_linker"))
    warehouse.close()
    assert (catalog.physical_table_count, len(catalog.tables)) == (19, 15)
    visits = catalog.table_by_ref[TableRef("web", "visits_*")]
    assert visits.family is not None
    assert str(visits.family) == "2 tables by day, 20250101 to 20250102"
    assert [column.path for column in visits.columns] == [
        "id",
        "device",
        "device.kind",
        'device."screen.width"',
        "hits",
        "hits.page",
        "hits.page.title",
        'hits.page."sub.path"',
        "hits.at",
    ]
    events = catalog.table_by_ref[TableRef("web", "events_*")]
    assert events.family is not None
    holders = {column.path: events.family.holders(column) for column in events.columns}
    assert holders == {
        "payload": "",
        "payload.type": "",
        "payload.x": "",
        "payload.old": "only in events_9",
    }
    assert catalog.table_by_ref[TableRef("shop", "lkp_status")].siblings == ("lkp_channel",)
    assert catalog.table_by_ref[TableRef("shop", "orders")].siblings == ()


def test_what_stands_in_for_an_emulator_replaces_a_macro_that_the_product_has(
    checkout: Path,
) -> None:
    macros = "".join(file.read_text("utf-8") for file in (checkout / "macros").rglob("*.sql"))
    product = {name.rpartition("__")[2] for name in re.findall(r"macro ([a-z]\w+)\(", macros)}
    replaced = {macro for names in stand_ins().values() for macro in names}
    assert {macro.partition("__")[2] for macro in replaced} <= product

"""Suites merged by the product's rules: dbt really renders them, DuckDB really runs them."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from benchmarks.suites.databases import SuiteColumn, SuiteDatabase, SuiteTable
from benchmarks.suites.environments import FiledDatabase
from benchmarks.suites.merging import merge
from linker.catalog.column_metadata import KeyPair
from linker.evaluation import Suite
from linker.evaluation.preparing import from_catalog
from linker.types import Catalog, Column, ColumnRef, Columns, Family, Table, TableRef


def ref(name: str, schema: str = "web") -> TableRef:
    return TableRef(schema, name)


def visits(
    day: str, *, samples: tuple[str, ...] = (), inside: Sequence[SuiteColumn] = ()
) -> SuiteTable:
    columns = (
        SuiteColumn("id", "INT64", f"id of {day}", samples),
        SuiteColumn("doc", "JSON"),
        *inside,
        SuiteColumn('"a.b"', "STRING"),
    )
    return SuiteTable(ref(f"visits_{day}"), columns, f"visits of {day}", 10)


SHOP = SuiteDatabase(
    "shop",
    "bigquery",
    (
        visits("20250103"),
        visits("20250101", samples=("1", "2"), inside=[SuiteColumn("doc.k", "TEXT", None, ("v",))]),
        visits(
            "20250102",
            samples=("2", "3"),
            inside=[SuiteColumn("doc.k.l", "TEXT"), SuiteColumn("doc.k", "TEXT")],
        ),
        SuiteTable(ref("people"), (SuiteColumn("id", "INT64"),)),
        SuiteTable(ref("places"), (SuiteColumn("id", "INT64"),)),
        # The same name and columns elsewhere is another table.
        replace(visits("20250104"), ref=ref("visits_20250104", "other")),
    ),
    (
        KeyPair(ref("visits_20250101"), ("id",), ref("people"), ("id",)),
        KeyPair(ref("visits_20250102"), ("id",), ref("people"), ("id",)),
        KeyPair(ref("people"), ("id",), ref("gone"), ("id",)),
    ),
)
SUITE = Suite(
    "catalogue", (SHOP, replace(SHOP, name="SHOP", keys=()), SuiteDatabase("warehouse", "", ())), ()
)


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("state")


@pytest.fixture(scope="module")
def merged(state: Path) -> tuple[FiledDatabase, ...]:
    return merge(SUITE, state)


def test_members_lead_to_their_family_and_databases_are_never_mixed(
    merged: tuple[FiledDatabase, ...],
) -> None:
    family = ref("visits_*")
    assert [(one.name, one.dialect) for one in merged] == [
        ("shop", "bigquery"),
        ("SHOP", "bigquery"),
    ]
    for one in merged:
        assert one.catalog.physical_table_count == 6
        assert one.logical == {
            **{ref(f"visits_{day}"): family for day in ("20250101", "20250102", "20250103")},
            ref("people"): ref("people"),
            ref("places"): ref("places"),
            ref("visits_20250104", "other"): ref("visits_20250104", "other"),
        }
        assert [table.ref for table in one.catalog.tables] == sorted(set(one.logical.values()))


def test_the_newest_member_brings_the_columns_and_those_with_rows_what_rows_tell(
    merged: tuple[FiledDatabase, ...],
) -> None:
    table = merged[0].catalog.table_by_ref[ref("visits_*")]
    assert table.family == Family(
        "day",
        "20250101",
        "20250103",
        ("visits_20250101", "visits_20250102", "visits_20250103"),
        "visits_20250103",
    )
    assert (table.description, table.row_count_estimate) == ("visits of 20250103", 30)
    assert table.columns == (
        Column("id", "id", 0, 1, "INT64", True, "id of 20250103"),
        Column("doc", "doc", 0, 2, "JSON", True, None),
        Column("doc.k", "doc", 1, 3, "TEXT", True, None),
        Column("doc.k.l", "doc", 2, 4, "TEXT", True, None),
        Column('"a.b"', "a.b", 0, 5, "STRING", True, None),
    )
    # Newest first, each once.
    facts = merged[0].facts
    assert {found: known.values for found, known in facts.columns.items() if known.values} == {
        ColumnRef(ref("visits_*"), "id"): ("2", "3", "1"),
        ColumnRef(ref("visits_*"), "doc.k"): ("v",),
    }


def test_siblings_know_one_another(merged: tuple[FiledDatabase, ...]) -> None:
    tables = merged[0].catalog.table_by_ref
    assert (tables[ref("people")].siblings, tables[ref("places")].siblings) == (
        ("places",),
        ("people",),
    )
    assert tables[ref("people")].row_count_estimate is None


def test_keys_lead_between_logical_tables_and_each_stands_once(
    merged: tuple[FiledDatabase, ...],
) -> None:
    facts = merged[0].facts
    assert facts.joins == (KeyPair(ref("visits_*"), ("id",), ref("people"), ("id",)),)


@pytest.mark.parametrize("damage", ["", "[[1]]", '{"a": 1}', "[[", None])
def test_what_was_found_is_remembered_and_a_damaged_memory_is_mended(
    state: Path, merged: tuple[FiledDatabase, ...], damage: str | None
) -> None:
    [path] = (state / "evals" / "merged").iterdir()
    whole = path.read_text("utf-8")
    if damage is not None:
        path.write_text(damage, "utf-8")
    assert merge(SUITE, state) == merged
    assert path.read_text("utf-8") == whole
    assert list((state / "evals" / "merged").iterdir()) == [path]


def test_the_rules_are_rendered_once_for_all_suites(
    state: Path, merged: tuple[FiledDatabase, ...]
) -> None:
    [rules] = (state / "evals" / "rules").iterdir()
    before = rules.stat().st_mtime_ns
    [other] = merge(Suite("other", (replace(SHOP, tables=SHOP.tables[:2]),), ()), state)
    assert rules.stat().st_mtime_ns == before
    assert [table.ref for table in other.catalog.tables] == [ref("visits_*")]


def test_a_suite_without_tables_needs_no_merging(tmp_path: Path) -> None:
    assert merge(Suite("golden", (SuiteDatabase("warehouse", "", ()),), ()), tmp_path) == ()
    assert list(tmp_path.iterdir()) == []


def test_a_catalog_of_the_product_leads_from_members_to_families() -> None:
    family = Family("day", "01", "02", ("d_01", "d_02"), "d_02")
    catalog = Catalog(
        (
            Table(ref("d_*"), "table", None, 1, Columns(()), family),
            Table(ref("e"), "view", None, None, Columns(())),
        ),
        3,
    )
    assert from_catalog("warehouse", "duckdb", catalog).logical == {
        ref("d_*"): ref("d_*"),
        ref("d_01"): ref("d_*"),
        ref("d_02"): ref("d_*"),
        ref("e"): ref("e"),
    }

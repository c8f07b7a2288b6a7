"""The stored manifest contains all that linking needs and nothing private."""

import json
from contextlib import closing
from pathlib import Path
from shutil import copy

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from linker.catalog.column_metadata import ColumnFacts, Facts, KeyPair, pointing, read_facts
from linker.catalog.documents import write_documents
from linker.catalog.index_session import StoredIndex
from linker.catalog.read_catalog import Artifacts
from linker.catalog.snapshot import (
    FORMAT,
    ProfiledCatalog,
    pack,
    siblings_of,
    unpack,
    without_tables,
)
from linker.catalog.warehouse import DbtMetadata, ProfiledWarehouse
from linker.config.settings import Settings
from linker.config.target import Target
from linker.config.values import Term, table_patterns
from linker.index import Snapshot
from linker.types import Catalog, Column, ColumnRef, Columns, DbtNode, Family, Table, TableRef
from linker.warehouses import open_warehouse

# Of masked and hidden columns in tests/artifacts.yml: an e-mail address in its mask.
MASKED = "aaaa@aaaaaa.aaa"

texts = st.text(max_size=5)
columns = st.builds(
    Column,
    path=texts,
    column_name=texts,
    depth=st.integers(0, 3),
    position=st.integers(1, 9),
    data_type=texts,
    is_nullable=st.booleans(),
    description=st.none() | texts,
)
refs = st.builds(TableRef, texts, texts)
tables = st.builds(
    Table,
    ref=refs,
    kind=texts,
    description=st.none() | texts,
    row_count_estimate=st.none() | st.integers(0, 10**12),
    columns=st.lists(columns, max_size=3, unique_by=lambda column: column.path).map(Columns),
    family=st.none()
    | st.builds(Family, texts, texts, texts, st.lists(texts, max_size=2).map(tuple), texts),
    siblings=st.lists(texts, max_size=2).map(tuple),
    schemas=texts,
    dbt=st.builds(
        DbtNode,
        st.lists(refs, max_size=2).map(tuple),
        texts,
        st.lists(texts, max_size=2).map(tuple),
        st.lists(texts, max_size=2).map(tuple),
        st.booleans(),
    ),
)
some = st.lists(texts, max_size=2).map(tuple)
terms = st.lists(st.builds(Term, texts, some, some, some, texts, texts), max_size=2).map(tuple)
measured = st.builds(
    ColumnFacts,
    category=st.none() | texts,
    distinct_count=st.none() | st.integers(0, 10**9),
    is_primary_key=st.booleans(),
    is_foreign_key=st.booleans(),
    values=st.lists(texts, max_size=3).map(tuple),
    null_count=st.none() | st.integers(0, 10**9),
    seen_in=st.lists(st.tuples(texts, st.lists(texts, max_size=2).map(tuple)), max_size=2).map(
        tuple
    ),
    days=st.none() | st.tuples(texts, texts),
    is_masked=st.booleans(),
)


@st.composite
def warehouses(draw: st.DrawFn) -> ProfiledCatalog:
    """Any warehouse, with facts of some columns and joins between some."""
    catalog = Catalog(
        tuple(draw(st.lists(tables, max_size=4, unique_by=lambda table: table.ref))),
        draw(st.integers(0, 99)),
    )
    there = [
        ColumnRef(table.ref, column.path) for table in catalog.tables for column in table.columns
    ]
    facts = draw(st.dictionaries(st.sampled_from(there), measured)) if there else {}
    one = st.sampled_from(there)
    pairs = draw(st.lists(st.tuples(one, one, st.floats(0, 1)), max_size=3)) if there else []
    joins = tuple(
        KeyPair(
            left.table, (left.path,), right.table, (right.path,), sure, sure / 2, 1 + sure, "n:1"
        )
        for left, right, sure in pairs
    )
    return ProfiledCatalog(
        catalog, pointing(facts.items(), joins), terms=draw(terms), excluded=draw(some)
    )


@given(warehouse=warehouses())
def test_every_warehouse_comes_back_as_it_was(warehouse: ProfiledCatalog) -> None:
    read = unpack(pack(warehouse))
    assert read is not None
    assert read.catalog == warehouse.catalog
    assert read.facts.joins == warehouse.facts.joins
    assert (read.terms, read.excluded) == (warehouse.terms, warehouse.excluded)
    for table in warehouse.catalog.tables:
        for column in table.columns:
            ref = ColumnRef(table.ref, column.path)
            assert read.facts.get(ref) == warehouse.facts.get(ref)


def test_what_comes_back_makes_the_same_documents_and_the_same_bytes(
    artifacts: Artifacts, catalog: Catalog
) -> None:
    warehouse = ProfiledCatalog(catalog, read_facts(artifacts, catalog))
    read = unpack(pack(warehouse))
    assert read is not None
    assert write_documents(read.catalog, read.facts) == write_documents(catalog, warehouse.facts)
    assert pack(read) == pack(warehouse)


def test_the_columns_of_a_table_are_read_when_they_are_asked_for() -> None:
    paths = ("visit_id", "page", "seconds", "country")
    rows = tuple(
        Column(path, path, 0, place, "text", is_nullable=True, description=None)
        for place, path in enumerate(paths)
    )
    north, south = (
        Table(TableRef("web", name), "table", None, None, Columns(rows))
        for name in ("visits_1", "visits_2")
    )
    head, _, second = pack(ProfiledCatalog(Catalog((north, south), 2), Facts())).split(b"\n")
    read = unpack(b"\n".join((head, b"no columns", second)))
    assert read is not None
    assert read.catalog.column_count == 8
    assert siblings_of(read) == {north.ref: (south.ref,), south.ref: (north.ref,)}
    assert read.catalog.find(ColumnRef(south.ref, "page")) == rows[1]
    assert read.facts.get(ColumnRef(south.ref, "page")) == ColumnFacts()
    with pytest.raises(json.JSONDecodeError):
        read.catalog.find(ColumnRef(north.ref, "page"))


def test_a_table_that_the_settings_exclude_is_in_no_join_and_no_key_points_to_it(
    artifacts: Artifacts, catalog: Catalog
) -> None:
    whole = ProfiledCatalog(catalog, read_facts(artifacts, catalog))
    customer = ColumnRef(TableRef("sales", "orders"), "customer_id")
    assert whole.facts.get(customer).points_to
    kept = without_tables(whole, table_patterns("crm.customers"))
    assert {table.ref for table in whole.catalog.tables} - {
        table.ref for table in kept.catalog.tables
    } == {TableRef("crm", "customers")}
    assert not any(
        TableRef("crm", "customers") in (pair.left, pair.right) for pair in kept.facts.joins
    )
    assert TableRef("crm", "customers") not in {
        ref.table for ref in kept.facts.get(customer).points_to
    }


def test_a_term_of_a_table_that_the_settings_exclude_goes_with_it(
    profiled_file: Path, tmp_path: Path
) -> None:
    target = Target("shop", "dev", "duckdb", "shop", tmp_path, {"path": str(profiled_file)})
    metadata = DbtMetadata(
        terms=(Term("clients", tables=("crm.customers",)), Term("sales", tables=("sales.orders",)))
    )

    def terms(exclude: str) -> list[str]:
        settings = Settings(artifacts_schema="shop_linker", exclude=table_patterns(exclude))
        warehouse = ProfiledWarehouse(lambda: target, settings, dict, lambda: metadata)
        try:
            return [term.term for term in warehouse.profiled.terms]
        finally:
            warehouse.close()

    assert terms("web") == ["clients", "sales"]
    assert terms("crm.customers") == ["sales"]


def test_values_of_masked_and_hidden_columns_are_not_in_it(
    artifacts: Artifacts, catalog: Catalog
) -> None:
    hidden = artifacts.query(
        "select representative_values from {linker_profile_l2} where privacy <> 'show'"
    )
    assert any(MASKED in (values or "") for [values] in hidden)
    packed = pack(ProfiledCatalog(catalog, read_facts(artifacts, catalog)))
    assert b"@" not in packed
    assert MASKED.encode() not in packed


def test_days_are_those_that_were_measured_and_none_of_a_column_that_may_not_be_shown(
    profiled_file: Path, catalog: Catalog, tmp_path: Path
) -> None:
    ordered_at = ColumnRef(TableRef("sales", "orders"), "ordered_at")

    def days() -> tuple[str, str] | None:
        target = Target("shop", "dev", "duckdb", "shop", tmp_path, {"path": str(file)})
        with closing(open_warehouse(target)) as warehouse:
            found = read_facts(Artifacts(warehouse, "shop_linker"), catalog)
        again = unpack(pack(ProfiledCatalog(catalog, found)))
        assert again
        return again.facts.get(ordered_at).days

    file = Path(copy(profiled_file, tmp_path / "copy.duckdb"))
    # Those of tests/artifacts.yml.
    assert days() == ("2023-01-01", "2025-11-20")
    with duckdb.connect(str(file)) as connection:
        connection.execute(
            "update shop_linker.linker_profile_l2 set privacy = 'mask' where column_path = 'ordered_at'"
        )
    assert days() is None


def test_what_another_version_packed_is_not_read() -> None:
    content = json.loads(pack(ProfiledCatalog(Catalog((), 0), Facts())))
    assert content["format"] == FORMAT
    content = {"format": FORMAT + 1, "something": "else"}
    assert unpack(json.dumps(content).encode()) is None


def test_an_index_that_an_older_linker_wrote_is_read_from_the_artifacts_once_and_not_for_each_question() -> (
    None
):
    written, readings = (
        Snapshot("digest", is_settled=True, content=b'{"format": "of long ago"}'),
        list[str](),
    )

    def read_artifacts() -> ProfiledCatalog:
        readings.append("artifacts")
        return ProfiledCatalog(Catalog((), 0), Facts({}))

    index = StoredIndex(
        lambda held: replace(written, content=None) if held else written, read_artifacts, None
    )
    for _ in range(3):
        index.reload_if_changed()
        assert index.derived.profiled.catalog.tables == ()
        assert "run: linker index" in index.warnings()[0]
    assert readings == ["artifacts"]

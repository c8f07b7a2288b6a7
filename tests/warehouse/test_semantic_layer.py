"""Semantic layer terms from a manifest that dbt wrote."""

import shutil
from pathlib import Path

import pytest

from linker.catalog.warehouse import DbtMetadata
from linker.config.values import Term
from linker.dbt.manifest import Manifest
from linker.types import Catalog, Columns, DbtNode, Table, TableRef
from tests.tables import table
from tests.warehouse.project import HERE, run_dbt

ORDERS = TableRef("dbt_alice", "orders")
CUSTOMERS = TableRef("dbt_alice", "customers")
# In a warehouse where the tables have these columns.
COLUMNS = {
    "orders": ("order_id", "customer_id"),
    "customers": ("customer_id", "customer_name"),
    "people": ("customer_id", "Customer_Name"),
}


def parsed(folder: Path, checkout: Path, version: str) -> DbtMetadata:
    """The project with a semantic layer after `dbt parse`, by default of the installed dbt."""
    shutil.copytree(HERE / "marts", folder)
    for file in (HERE / "semantic_layer").iterdir():
        if version or file.stem != "since_1_12":
            shutil.copy(file, folder / "models")
    executable = str(checkout / f".venv-dbt-{version}" / "bin" / "dbt") if version else ""
    run_dbt(folder, "parse", executable=executable, MARTS_DUCKDB_PATH=str(folder / "marts.duckdb"))
    return Manifest(folder / "target" / "manifest.json").metadata()


def catalog() -> Catalog:
    tables: list[Table] = []
    for name, columns in COLUMNS.items():
        made = table(name, *columns)
        tables.append(
            Table(TableRef("dbt_alice", name), "table", None, None, Columns(made.columns))
        )
    return Catalog(tuple(tables), len(tables))


def by_term(metadata: DbtMetadata) -> dict[str, Term]:
    return {term.term: term for term in metadata.terms_in(catalog())}


@pytest.fixture(scope="module", params=["", pytest.param("1.12", marks=pytest.mark.slow)])
def metadata(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, checkout: Path
) -> DbtMetadata:
    """What was read."""
    return parsed(tmp_path_factory.mktemp("layer") / "project", checkout, request.param)


def test_a_metric_means_the_columns_of_its_measures_and_filters_or_the_table_whose_rows_it_counts(
    metadata: DbtMetadata,
) -> None:
    terms = by_term(metadata)
    counted = ((), ("dbt_alice.orders",), ())
    for words in ("purchases", "Purchases (all)", "sales volume"):
        assert (terms[words].words, terms[words].tables, terms[words].columns) == counted
        assert terms[words].rule == "sum(1). How often somebody bought."
        assert terms[words].source == "dbt metric purchases"
    founder = terms["founder purchases"]
    assert (founder.tables, founder.columns) == ((), ("dbt_alice.orders.customer_id",))
    assert founder.rule == "count_distinct(customer_id); where first_customer"
    # Of a ratio what both sides are computed from.
    assert terms["purchases per buyer"].columns == ("dbt_alice.orders.customer_id",)


def test_measures_and_dimensions_are_terms_unless_they_are_called_like_their_column(
    metadata: DbtMetadata,
) -> None:
    terms = by_term(metadata)
    assert terms["buyers"].source == "dbt measure buyers"
    assert terms["first customer"].columns == ("dbt_alice.orders.customer_id",)
    assert terms["first customer"].rule == "customer_id = 1. The founder."
    # Quoted texts, keywords and functions are no columns.
    assert "ordered on" not in terms
    assert "seen on" not in terms


@pytest.mark.slow
def test_the_semantic_layer_as_dbt_1_12_has_it_says_the_same(
    tmp_path: Path, checkout: Path
) -> None:
    terms = by_term(parsed(tmp_path / "project", checkout, "1.12"))
    assert terms["clients"].columns == ("dbt_alice.people.customer_id",)
    assert terms["clients"].rule == "count_distinct(customer_id)"
    assert terms["letter name"].columns == ("dbt_alice.people.Customer_Name",)


def test_a_node_has_its_file_tags_exposures_and_what_it_is_built_from(
    metadata: DbtMetadata,
) -> None:
    nodes = metadata.nodes
    assert nodes["dbt_alice.orders"] == DbtNode(
        (), "models/orders.sql", ("nightly",), ("Weekly report",)
    )
    assert nodes["dbt_alice.customers_by_size"].upstream == (ORDERS, CUSTOMERS)
    assert [name for name, node in nodes.items() if node.is_time_spine] == ["dbt_alice.days"]

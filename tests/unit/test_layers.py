"""dbt layers: staging models rank below marts."""

import json
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from linker.catalog.column_metadata import Facts
from linker.catalog.snapshot import ProfiledCatalog, pack, unpack
from linker.config.settings import Settings
from linker.config.target import Target
from linker.dbt.manifest import project_metadata
from linker.ranking.catalog_index import build_catalog_index
from linker.ranking.lexical_match import RetrievalSignals
from linker.ranking.near_duplicates import upstream_tables
from linker.ranking.ranker import RankingResult, rank
from linker.ranking.weights import read_weights
from linker.types import Catalog, DbtNode, Table, TableRef
from tests.tables import table

RAW = ("id", "customer", "ordered_at", "subtotal")
STAGED = ("order_id", "customer_id", "ordered_at", "subtotal")


def named(
    schema: str, name: str, *columns: str, rows: int | None = None, upstream: tuple[Table, ...] = ()
) -> Table:
    found = replace(table(name, *columns), ref=TableRef(schema, name), row_count_estimate=rows)
    return replace(found, dbt=DbtNode(tuple(parent.ref for parent in upstream)))


RAW_ORDERS = named("raw", "raw_orders", *RAW, rows=90)
RAW_STORES = named("raw", "raw_stores", "id", "name", "opened_at", rows=5)
STG_ORDERS = named("main", "stg_orders", *STAGED, upstream=(RAW_ORDERS,))
STG_STORES = named(
    "main", "stg_stores", "store_id", "store_name", "opened_on", upstream=(RAW_STORES,)
)
ORDERS = named("main", "orders", *STAGED, "is_food", rows=90, upstream=(STG_ORDERS, STG_STORES))
STORES = named(
    "main", "stores", "store_id", "store_name", "opened_on", rows=5, upstream=(STG_STORES,)
)
BY_MONTH = named(
    "main", "orders_by_month", "month", "orders", "subtotal", rows=12, upstream=(ORDERS,)
)
CHAIN = (RAW_ORDERS, RAW_STORES, STG_ORDERS, STG_STORES, ORDERS, STORES, BY_MONTH)


def pairs(*tables: Table) -> dict[str, str]:
    return {
        str(tables[pair.index].ref): str(tables[pair.original].ref)
        for pair in upstream_tables(tables)
    }


def order(question: str, *tables: Table) -> list[str]:
    return names(rank(question, build_catalog_index(Catalog(tables, len(tables))), read_weights()))


def names(ranked: RankingResult) -> list[str]:
    return [
        ranked.index.lexicon.tables[place].ref.name
        for place in (-ranked.tables).argsort(kind="stable")
    ]


def test_raw_and_staged_tables_prepare_the_furthest_one_that_has_their_columns() -> None:
    assert pairs(*CHAIN) == {
        "raw.raw_orders": "main.orders",
        "main.stg_orders": "main.orders",
        # Its columns were renamed where it was staged.
        "raw.raw_stores": "main.stores",
        "main.stg_stores": "main.stores",
    }


def test_a_staging_model_that_spells_columns_otherwise_and_drops_some_goes_on_with_them() -> None:
    raw = named(
        "main", "offices", "officeCode", "addressLine1", "city", "postalCode", "state", rows=7
    )
    staged = named("main", "stg_offices", "office_code", "address_line_1", "city", upstream=(raw,))
    mart = named(
        "main",
        "dim_office",
        "office_key",
        "office_code",
        "address_line_1",
        "city",
        rows=7,
        upstream=(staged,),
    )
    assert pairs(raw, staged, mart) == {
        "main.offices": "main.dim_office",
        "main.stg_offices": "main.dim_office",
    }


def test_a_sum_of_a_table_does_not_take_its_place() -> None:
    assert "main.orders" not in pairs(*CHAIN)
    wide = named(
        "main",
        "orders_by_day",
        "day",
        "customers",
        "orders",
        "spent",
        rows=30,
        upstream=(RAW_ORDERS,),
    )
    assert pairs(RAW_ORDERS, wide) == {}


def test_without_a_project_no_table_prepares_another() -> None:
    assert pairs(*(replace(item, dbt=DbtNode()) for item in CHAIN)) == {}


def test_preferred_tables_come_first_and_are_not_taken_for_upstream_tables() -> None:
    def preferring(*preferred: Table) -> list[str]:
        signals = RetrievalSignals(preferred=frozenset(table.ref for table in preferred))
        ranked = rank(
            "What is the subtotal of orders?",
            build_catalog_index(Catalog(CHAIN, len(CHAIN))),
            read_weights(),
            signals,
        )
        return names(ranked)

    assert preferring()[0] == "orders"
    assert preferring(RAW_ORDERS)[0] == "raw_orders"
    assert preferring(STG_ORDERS, STG_STORES)[0] == "stg_orders"


def test_a_table_of_days_for_the_semantic_layer_is_not_what_a_question_of_days_is_about() -> None:
    days = named("main", "all_days", "day", "month")
    visits = named("main", "visits", "visit_id", "seen_on", "pages")
    question = "visits by day and month"
    assert order(question, days, visits)[0] == "all_days"
    assert order(question, replace(days, dbt=DbtNode(is_time_spine=True)), visits)[0] == "visits"


def test_a_table_that_exposures_use_gains_on_its_like() -> None:
    north, south = (
        named("main", name, "sale_id", "amount") for name in ("sales_north", "sales_south")
    )

    def lead_of_north(other: Table) -> float:
        known = build_catalog_index(Catalog((north, other), 2))
        first, second = rank("What is the amount of sales?", known, read_weights()).tables
        return float(first - second)

    reported = replace(south, dbt=DbtNode(exposures=("Weekly report", "Board deck")))
    # The logarithm of 2 + 2 over the 2 + 1 of the mean, and of 2 + 0 over it, by the weight of
    # prior use.
    assert lead_of_north(south) - lead_of_north(reported) == pytest.approx(
        0.3 * np.log(4 / 2), abs=1e-5
    )


def test_a_model_that_reads_itself_or_in_a_circle_ends_the_search() -> None:
    first = named("main", "a", *STAGED, rows=5)
    second = named("main", "b", *STAGED, rows=5, upstream=(first,))
    first = replace(first, dbt=DbtNode((second.ref, first.ref)))
    assert set(pairs(first, second)) <= {"main.a", "main.b"}


def test_a_question_begins_with_the_mart_unless_it_names_the_layer() -> None:
    found = order("what is the subtotal of orders by customer?", *CHAIN)
    assert found.index("orders") < min(found.index("stg_orders"), found.index("raw_orders"))
    raw = order("what is the subtotal of the raw orders by customer?", *CHAIN)
    assert raw.index("raw_orders") < found.index("raw_orders")


def test_a_table_that_no_model_goes_on_with_stays_as_likely_as_it_was() -> None:
    visits = named("raw", "raw_visits", "id", "page", "seconds", rows=40)
    question = "how many seconds were pages visited?"
    assert (
        order(question, *CHAIN, visits)[0] == order(question, visits, RAW_STORES)[0] == "raw_visits"
    )


def test_the_manifest_says_what_is_built_from_what_through_ephemeral_models(tmp_path: Path) -> None:
    def node(kind: str, name: str, *parents: str, **more: object) -> dict[str, object]:
        made = {
            "unique_id": f"{kind}.shop.{name}",
            "resource_type": kind,
            "name": name,
            "schema": "Main",
        }
        return {**made, "database": "shop", "depends_on": {"nodes": list(parents)}, **more}

    nodes = [
        node("model", "passing", "source.shop.raw", config={"materialized": "ephemeral"}),
        node("model", "mart", "model.shop.passing", "seed.shop.rates", "model.shop.passing"),
        node("seed", "rates"),
    ]
    sources = [node("source", "raw", identifier="raw_2")]
    manifest = tmp_path / "manifest.json"
    manifest.write_text(
        json.dumps(
            {
                "nodes": {item["unique_id"]: item for item in nodes},
                "sources": {item["unique_id"]: item for item in sources},
            }
        ),
        "utf-8",
    )
    target = Target("shop", "dev", "postgres", "main", tmp_path, {"dbname": "shop"})
    metadata = project_metadata(Settings(manifest=manifest), target)
    assert [str(parent) for parent in metadata.nodes["main.mart"].upstream] == [
        "Main.raw_2",
        "Main.rates",
    ]
    mart, raw = named("Main", "MART", "a"), named("Main", "RAW_2", "a")
    catalog = metadata.add_to(Catalog((mart, raw), 2))
    # The seed is not in the warehouse.
    assert [known.dbt.upstream for known in catalog.tables] == [(raw.ref,), ()]


def test_what_a_table_is_built_from_is_kept_with_the_index() -> None:
    profiled = ProfiledCatalog(Catalog(CHAIN, len(CHAIN)), Facts({}))
    unpacked = unpack(pack(profiled))
    assert unpacked
    assert [known.dbt.upstream for known in unpacked.catalog.tables] == [
        known.dbt.upstream for known in CHAIN
    ]
    others = ProfiledCatalog(
        Catalog((*CHAIN[:-1], replace(BY_MONTH, dbt=DbtNode())), len(CHAIN)), Facts({})
    )
    assert pack(others) != pack(profiled)

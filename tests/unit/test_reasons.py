"""Reasons of ranked columns name their evidence."""

import numpy as np
import pytest

from linker.catalog.column_metadata import ColumnFacts, Facts
from linker.ranking.catalog_index import build_catalog_index
from linker.ranking.features import column_features
from linker.ranking.lexical_match import RetrievalSignals
from linker.ranking.ranker import RankingResult, rank
from linker.ranking.reasons import KINDS, reasons
from linker.ranking.weights import Regression, read_weights
from linker.retrieval.hits import RefScores
from linker.types import Catalog, ColumnRef, TableRef
from tests.tables import table

SHOP = Catalog(
    (
        table("customers", "customer_id", "city_name", "score", "note"),
        table("orders", "order_id", "customer_id", "total_amount", "order_date"),
        table("order_items", "order_id", "sku", "quantity"),
        table("parcels", "order_id", "sku", "weight"),
    ),
    4,
)


def ref(name: str, path: str) -> ColumnRef:
    return ColumnRef(TableRef("shop", name), path)


FACTS = Facts(
    {
        ref("customers", "city_name"): ColumnFacts(values=("Brooklyn", "Queens")),
        ref("orders", "customer_id"): ColumnFacts(points_to=(ref("customers", "customer_id"),)),
    }
)


def ranked(question: str, signals: RetrievalSignals | None = None) -> RankingResult:
    return rank(
        question, build_catalog_index(SHOP, FACTS), read_weights(), signals or RetrievalSignals()
    )


def reasons_of(ranking: RankingResult, name: str, path: str) -> tuple[str, ...]:
    column = ranking.index.lexicon.refs.index(ref(name, path))
    return reasons(ranking, read_weights().columns, column)


@pytest.mark.parametrize(
    ("question", "name", "path", "reason"),
    [
        ("total amount by city", "orders", "total_amount", "name match: total, amount"),
        ("revenue by city", "orders", "total_amount", "synonym: revenue ~ amount"),
        ("customers in Brooklyn", "customers", "city_name", "value match: 'Brooklyn' in city_name"),
        ("sum of `total_amount`", "orders", "total_amount", "exact identifier match: total_amount"),
        ("orders and customers", "orders", "customer_id", "foreign key to customers"),
        ("orders with their items", "order_items", "order_id", "join key to orders"),
        ("total amount of orders", "orders", "customer_id", "foreign key to customers"),
        ("When were the latest orders placed?", "orders", "order_date", "time column"),
    ],
)
def test_a_reason_names_its_evidence(question: str, name: str, path: str, reason: str) -> None:
    assert reason in reasons_of(ranked(question), name, path)


def test_a_column_that_only_has_a_common_name_is_no_shared_join_key() -> None:
    tables = (table("abilities", "id", "identifier"), table("moves", "id", "identifier"))
    known = build_catalog_index(Catalog(tables, 2), Facts({}))
    ranking = rank("names of abilities", known, read_weights(), RetrievalSignals())
    found = reasons_of(ranking, "abilities", "identifier") + reasons_of(ranking, "abilities", "id")
    assert not [reason for reason in found if reason.startswith("shared join key")]


def test_a_shared_key_says_in_how_many_tables_it_is() -> None:
    ranking = ranked("total amount of orders")
    column = ranking.index.lexicon.refs.index(ref("orders", "order_id"))
    shared = Regression(("shared_key",), (0.0,), (1.0,), (1.0,), 0.0)
    assert reasons(ranking, shared, column) == ("shared join key (3 tables)",)


def test_a_semantic_match_says_how_near_the_column_is() -> None:
    near = RefScores.create({ref("customers", "note"): 0.714, ref("customers", "score"): 0.2})
    found = reasons_of(ranked("what they wrote", RetrievalSignals(near)), "customers", "note")
    assert "semantic match (0.71)" in found


def test_a_word_that_is_nowhere_in_a_column_is_no_reason_for_it() -> None:
    ranking = ranked("total amount of orders in Brooklyn on each day")
    for column, one in enumerate(ranking.index.lexicon.refs):
        for reason in reasons(ranking, read_weights().columns, column):
            kind, _, words = reason.partition(": ")
            if kind == "name match":
                assert all(word.rstrip("s") in one.path for word in words.split(", ")), reason


def test_a_column_without_evidence_is_there_with_its_table() -> None:
    assert reasons_of(ranked("zzz"), "customers", "note") == (
        "included because its table is relevant",
    )


def test_every_kind_of_evidence_is_measured_by_features_that_exist() -> None:
    ranking = ranked("orders")
    known = column_features(ranking.evidence, np.zeros(len(SHOP.tables), dtype=np.float32))
    named = [feature for features in KINDS.values() for feature in features]
    assert set(named) <= set(known)
    assert len(named) == len(set(named))

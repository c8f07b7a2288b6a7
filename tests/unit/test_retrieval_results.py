"""Retrieval results in arrays round-trip to records."""

from linker.index.base import key_of
from linker.retrieval.hits import Hits, RefScores, TableHits, keys_of
from linker.types import ColumnRef, Hit, TableHit, TableRef, ValueMatch

ORDERS = TableRef("shop", "orders")
STATE, TOTAL, TOWN = (ColumnRef(ORDERS, path) for path in ("state", "total", "town"))
HITS = (
    Hit(STATE, 0.9, (("dense", 0.5), ("value", 1.0)), (ValueMatch("paid", "paid", 1.0),)),
    Hit(TOTAL, 0.4, (("lexical", 2.0),)),
)


def test_hits_are_the_records_that_they_were_made_of() -> None:
    hits = Hits.create(HITS)
    assert tuple(hits) == HITS
    assert hits[1:] == HITS[1:]
    assert hits[-1] == HITS[1]


def test_tables_that_were_found_are_the_records_that_they_were_made_of() -> None:
    records = (
        TableHit(ORDERS, 0.7, (("dense", 0.5), ("columns", 0.25))),
        TableHit(TableRef("shop", "towns"), 0.2, (("columns", 0.125),)),
    )
    tables = TableHits.create(records)
    assert tuple(tables) == records
    assert (tables[1:], tables[-1]) == (records[1:], records[1])
    near = tables.found_by("dense")
    assert (near.keys.tolist(), near.scores.tolist()) == ([key_of(ORDERS)], [0.5])


def test_a_column_that_was_not_found_has_the_score_of_what_is_missing() -> None:
    scores = Hits.create(HITS).found_by("dense")
    assert scores.at(keys_of([TOTAL, STATE, TOWN]), -1.0).tolist() == [-1.0, 0.5, -1.0]
    assert RefScores.create({}).at(keys_of([TOTAL]), 0.0).tolist() == [0.0]

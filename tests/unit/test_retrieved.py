"""What was found lies in arrays; records and scores made of them are those that went in."""

import numpy as np

from linker.retrieval.retrieved import Hits, RefScores, TableHits, keys_of
from linker.store.found import FoundNumbers, NumberedDocuments
from linker.store.places import key_of
from linker.types import ColumnRef, Hit, TableHit, TableRef, ValueMatch

ORDERS = TableRef("shop", "orders")
STATE, TOTAL, TOWN = (ColumnRef(ORDERS, path) for path in ("state", "total", "town"))
HITS = (
    Hit(STATE, 0.9, (("dense", 0.5), ("value", 1.0)), (ValueMatch("paid", "paid", 1.0),)),
    Hit(TOTAL, 0.4, (("lexical", 2.0),)),
)


def test_hits_are_the_records_that_they_were_made_of() -> None:
    hits = Hits.of(HITS)
    assert tuple(hits) == HITS
    assert hits[1:] == HITS[1:]
    assert hits[-1] == HITS[1]


def test_tables_that_were_found_are_the_records_that_they_were_made_of() -> None:
    records = (
        TableHit(ORDERS, 0.7, (("dense", 0.5), ("columns", 0.25))),
        TableHit(TableRef("shop", "towns"), 0.2, (("columns", 0.125),)),
    )
    tables = TableHits.of(records)
    assert tuple(tables) == records
    assert (tables[1:], tables[-1]) == (records[1:], records[1])
    near = tables.found_by("dense")
    assert (near.keys.tolist(), near.scores.tolist()) == ([key_of(ORDERS)], [0.5])


def test_a_column_that_was_not_found_has_the_score_of_what_is_missing() -> None:
    scores = Hits.of(HITS).found_by("dense")
    assert scores.at(keys_of([TOTAL, STATE, TOWN]), -1.0).tolist() == [-1.0, 0.5, -1.0]
    assert RefScores.of({}).at(keys_of([TOTAL]), 0.0).tolist() == [0.0]


def test_a_document_that_went_while_its_name_was_asked_for_is_left_out() -> None:
    near = keys_of([STATE, TOTAL])
    nothing = (np.zeros(0, dtype=np.int64), np.zeros(0))
    found = FoundNumbers(
        near=(near, np.array([0.5, 0.8])),
        lexical=nothing,
        near_tables=nothing,
        holding=near,
        held=["paid", "12"],
        holders=np.array([1, 1]),
    )
    known = NumberedDocuments.of({key_of(STATE): (STATE, key_of(ORDERS))})
    result = found.named(known)
    assert (result.columns, result.tables) == ((STATE,), (ORDERS,))
    assert [*result.dense] == [(0, 0.5)]
    assert [value.value for value in result.values] == ["paid"]
    assert len(found.named(NumberedDocuments.of({})).columns) == 0


def test_documents_that_were_met_one_after_another_are_known_together() -> None:
    numbers = {key_of(ref): (ref, key_of(ref.table)) for ref in (STATE, TOTAL, ORDERS)}
    known = NumberedDocuments.of({})
    for key in (*numbers, key_of(STATE) + 1):
        known = known.beside(NumberedDocuments.of({key: numbers[key]} if key in numbers else {}))
    wanted = np.array(sorted((key_of(STATE), key_of(ORDERS), key_of(STATE) + 1)))
    assert {*zip(known.only(wanted).keys.tolist(), known.only(wanted).refs, strict=True)} == {
        (key_of(STATE), STATE),
        (key_of(ORDERS), ORDERS),
    }
    assert known.keys.tolist() == sorted(numbers)

"""Join paths between tables, worked out by hand."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linker.catalog.column_metadata import Facts, KeyPair
from linker.linking.result import Join
from linker.ranking.catalog_index import build_catalog_index
from linker.ranking.column_selection import Connections, allocate
from linker.ranking.lexical_match import RetrievalSignals
from linker.ranking.ranker import RankingResult, rank
from linker.ranking.weights import read_weights
from linker.retrieval.hits import RefScores
from linker.strategies.shortlist_tables import ShortlistBuilder
from linker.types import Catalog, ColumnRef, TableRef
from tests.tables import table


def pair(
    left: str, left_path: str, right: str, right_path: str, confidence: float = 0.95
) -> KeyPair:
    return KeyPair(
        TableRef("shop", left), (left_path,), TableRef("shop", right), (right_path,), confidence
    )


# Groups of people reach orders over two tables that no question names.
TABLES = (
    table("audience", "aud", "label"),
    table("members", "aud_ref", "person_ref"),
    table("orders", "order_no", "person_no", "total"),
    table("people", "person", "town"),
    table("weather", "town_name", "rain"),
)
JOINS = (
    pair("members", "aud_ref", "audience", "aud"),
    pair("members", "person_ref", "people", "person"),
    pair("orders", "person_no", "people", "person"),
)


def ranked(
    question: str, joins: tuple[KeyPair, ...] = JOINS, signals: RetrievalSignals | None = None
) -> RankingResult:
    known = build_catalog_index(Catalog(TABLES, len(TABLES)), Facts(joins=joins))
    return rank(question, known, read_weights(), signals or RetrievalSignals())


def names(ranking: RankingResult, joins: tuple[tuple[int, int], ...]) -> set[frozenset[str]]:
    refs = ranking.index.lexicon.refs
    return {frozenset((str(refs[one]), str(refs[other]))) for one, other in joins}


def places(ranking: RankingResult, *wanted: str) -> list[int]:
    tables = [one.ref.name for one in ranking.index.lexicon.tables]
    return [tables.index(name) for name in wanted]


def test_tables_that_join_are_joined_by_their_keys() -> None:
    ranking = ranked("orders of people")
    found = Connections(ranking).connect(places(ranking, "orders", "people"))
    assert names(ranking, found) == {frozenset(("shop.orders.person_no", "shop.people.person"))}


def test_tables_between_are_passed_where_their_joins_are_sure() -> None:
    ranking = ranked("orders of an audience")
    found = Connections(ranking).connect(places(ranking, "orders", "audience"))
    assert names(ranking, found) == {
        frozenset(("shop.orders.person_no", "shop.people.person")),
        frozenset(("shop.members.person_ref", "shop.people.person")),
        frozenset(("shop.members.aud_ref", "shop.audience.aud")),
    }


@pytest.mark.parametrize("unsure", range(3))
def test_no_table_is_passed_by_a_guess(unsure: int) -> None:
    joins = tuple(
        one
        if place != unsure
        else KeyPair(one.left, one.left_columns, one.right, one.right_columns, 0.6)
        for place, one in enumerate(JOINS)
    )
    ranking = ranked("orders of an audience", joins)
    assert Connections(ranking).connect(places(ranking, "orders", "audience")) == ()


def test_a_table_that_nothing_leads_to_stays_by_itself_and_the_others_are_joined() -> None:
    ranking = ranked("rain")
    found = Connections(ranking).connect(places(ranking, "weather", "orders", "people"))
    assert names(ranking, found) == {frozenset(("shop.orders.person_no", "shop.people.person"))}


@given(st.lists(st.sampled_from([one.ref.name for one in TABLES]), unique=True, max_size=5))
def test_joins_never_close_a_circle(wanted: list[str]) -> None:
    ranking = ranked("orders of people")
    found = Connections(ranking).connect(places(ranking, *wanted))
    of = ranking.index.lexicon.table_of
    joined = {int(of[column]) for edge in found for column in edge}
    groups = {table: table for table in joined}
    for one, other in found:
        ends = [int(of[one]), int(of[other])]
        while groups[ends[0]] != ends[0]:
            ends[0] = groups[ends[0]]
        while groups[ends[1]] != ends[1]:
            ends[1] = groups[ends[1]]
        assert ends[0] != ends[1]
        groups[ends[0]] = ends[1]


def test_a_value_that_the_question_names_brings_its_table_and_the_way_to_it() -> None:
    named = RetrievalSignals(
        values=RefScores.create({ColumnRef(TableRef("shop", "audience"), "label"): 1.0})
    )
    filler_items = []
    for number in "abcd":
        filler_items.append(
            table(f"archive_{number}", *(f"order_total_{number}_{place}" for place in range(9)))
        )
    filler = tuple(filler_items)
    known = build_catalog_index(Catalog((*TABLES, *filler), 9), Facts(joins=JOINS))
    weights = read_weights()
    ranking = rank("total of orders for mountain guides", known, weights, named)
    answer = allocate(ranking, 30)
    shown = {str(known.lexicon.refs[column]) for column in answer.columns}
    assert {
        "shop.audience.label",
        "shop.audience.aud",
        "shop.members.aud_ref",
        "shop.members.person_ref",
    } <= shown
    assert len(answer.columns) == 30
    assert (
        Join(
            TableRef("shop", "members"),
            ("aud_ref",),
            TableRef("shop", "audience"),
            ("aud",),
            "confidence 0.95",
        )
        in ShortlistBuilder(ranking, weights, {}, (), answer).joins()
    )


def test_a_key_of_two_columns_is_joined_by_both() -> None:
    lines, notes = table("lines", "doc", "pos", "cents"), table("notes", "doc", "pos", "said")
    both = KeyPair(notes.ref, ("doc", "pos"), lines.ref, ("doc", "pos"), 0.9)
    known = build_catalog_index(Catalog((lines, notes), 2), Facts(joins=(both,)))
    weights = read_weights()
    ranking = rank("said cents", known, weights)
    [join] = ShortlistBuilder(ranking, weights, {}, (), allocate(ranking, 9)).joins()
    assert (join.left_columns, join.right_columns) == (("doc", "pos"), ("doc", "pos"))


def test_joins_of_an_answer_have_both_their_sides_in_it() -> None:
    ranking = ranked("orders of people by town")
    for budget in range(1, 12):
        answer = allocate(ranking, budget)
        assert {column for pair in answer.joins for column in pair} <= set(answer.columns)
        assert len(answer.columns) == len(set(answer.columns)) == min(budget, 11)
        assert np.isin(list(answer.joining), answer.columns).all()


def test_a_long_way_of_sure_joins_is_gone_to_its_end() -> None:
    # As payment, rental, inventory, film, its categories and the category.
    chain = [table(name, "own", "next_own", f"word{place}") for place, name in enumerate("abcdef")]
    joins = tuple(
        pair(one.ref.name, "next_own", other.ref.name, "own") for one, other in pairwise(chain)
    )
    ranking = rank(
        "word0 by word5",
        build_catalog_index(Catalog(tuple(chain), 6), Facts(joins=joins)),
        read_weights(),
    )
    found = Connections(ranking).connect(places(ranking, "a", "f"))
    assert names(ranking, found) == {
        frozenset((f"shop.{one}.next_own", f"shop.{other}.own"))
        for one, other in pairwise("abcdef")
    }

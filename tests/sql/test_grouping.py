"""Grouping of candidates by result, and confidence of the vote."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linker.sql import Attempt, Candidate, Cells, Result
from linker.sql.comparing import asks_for_order, confidence, grouped, largest

in_no_hurry = settings(max_examples=60, deadline=None)
RESULTS: tuple[tuple[Cells, ...], ...] = (((1, "a"), (2, "b")), ((3, "a"),), (), ((1.5, None),))


def candidate(
    number: int, rows: tuple[Cells, ...] | None, *, is_ordered: bool = False
) -> Candidate:
    # Each writes it in other words.
    sql = f"select {number}"
    if rows is None:
        return Candidate(number, (Attempt(sql, error="it failed"),))
    result = Result(("x", "y"), rows)
    return Candidate(number, (Attempt(sql, sql, result, is_ordered=is_ordered),))


@in_no_hurry
@given(st.lists(st.sampled_from([*RESULTS, None]), max_size=7), st.randoms())
def test_groups_share_out_the_candidates_that_ran_whatever_their_order(
    given_rows: list[tuple[Cells, ...] | None], random: Random
) -> None:
    candidates = [candidate(number, rows) for number, rows in enumerate(given_rows, start=1)]
    shuffled = list(candidates)
    random.shuffle(shuffled)
    groups = grouped(shuffled, "How many?")
    assert groups == grouped(candidates, "How many?")
    members = [one.number for group in groups for one in group.members]
    assert sorted(members) == [one.number for one in candidates if one.last and one.last.has_run]
    sizes = [len(group.members) for group in groups]
    assert sizes == sorted(sizes, reverse=True)
    assert sorted(sizes) == sorted(given_rows.count(rows) for rows in RESULTS if rows in given_rows)


@in_no_hurry
@given(st.integers(1, 9), st.data())
def test_more_votes_are_never_less_sure(of: int, data: st.DataObject) -> None:
    votes = data.draw(st.integers(1, of))
    every = [candidate(number, RESULTS[0]) for number in range(1, of + 1)]
    few, more = grouped(every[:votes], "?")[0], grouped(every, "?")[0]
    assert 0 < confidence(few, every) <= confidence(more, every) < 1


@pytest.mark.parametrize(
    ("votes", "of", "sure"), [(5, 5, 63 / 64), (4, 5, 57 / 64), (3, 5, 42 / 64), (1, 1, 0.75)]
)
def test_confidence_is_the_chance_that_more_than_half_would_agree(
    votes: int, of: int, sure: float
) -> None:
    # Of six throws of a coin at most five, four, three show heads: 63, 57, 42 of 64 ways.
    every = [candidate(number, RESULTS[1]) for number in range(votes)]
    [group] = grouped(every, "?")
    every += [candidate(number, None) for number in range(votes, of)]
    assert confidence(group, every) == pytest.approx(sure)


def test_one_text_that_is_given_again_is_one_vote() -> None:
    result = Result(("x",), ((1,),))

    def written(number: int, sql: str) -> Candidate:
        return Candidate(number, (Attempt(sql, sql, result),))

    again = [written(1, "select a"), written(2, "SELECT  a;"), written(3, "select\n a")]
    [group] = grouped(again, "?")
    # Of two throws at most one shows heads: 3 of 4 ways, as for one candidate.
    assert confidence(group, again) == pytest.approx(0.75)
    others = [*again[:2], written(3, "select b")]
    [group] = grouped(others, "?")
    assert confidence(group, others) == pytest.approx(7 / 8)
    lost = [*again, Candidate(4, error="no answer"), Candidate(5, error="no answer")]
    [group] = grouped(lost, "?")
    # One of three: of four throws at most one shows heads.
    assert confidence(group, lost) == pytest.approx(5 / 16)


def test_the_order_of_rows_counts_where_the_question_asks_for_it() -> None:
    one, other = ((1, "a"), (2, "b")), ((2, "b"), (1, "a"))
    pair = [candidate(1, one), candidate(2, other)]
    assert len(grouped(pair, "List them")) == 1
    assert len(grouped(pair, "List them sorted by number")) == 2
    both_order = [candidate(1, one, is_ordered=True), candidate(2, other, is_ordered=True)]
    assert len(grouped(both_order, "List them")) == 2


def test_a_tie_is_between_the_largest_groups_alone() -> None:
    groups = grouped(
        [candidate(n, rows) for n, rows in enumerate((*RESULTS[:2] * 2, RESULTS[2]))], "?"
    )
    assert [len(group.members) for group in largest(groups)] == [2, 2]
    assert (largest(groups[:1]), largest(())) == (groups[:1], ())


@pytest.mark.parametrize(
    "question", ["Sort them by age", "in ascending order", "ranked by size", "list alphabetically"]
)
def test_a_question_that_asks_for_an_order_is_recognised(question: str) -> None:
    assert asks_for_order(question)


@pytest.mark.parametrize(
    "question", ["How many orders are there?", "Which order is open?", "the order value by day"]
)
def test_an_order_of_goods_is_no_order_of_rows(question: str) -> None:
    assert not asks_for_order(question)

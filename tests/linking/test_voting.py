"""Credibility against hand-computed values and numeric integration."""

from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linker.linking.linking_state import REQUIRED_FROM, Grounding, Hypothesis, credibility, vote
from linker.types import ColumnRef, Ref, TableRef

TABLES = [TableRef("shop", name) for name in ("orders", "customers", "items")]
COLUMNS = [ColumnRef(table, path) for table in TABLES for path in ("id", "name", "day")]


def integrated(votes: int, of: int, steps: int = 20_000) -> float:
    """The area right of one half under Beta(n + 1, M - n + 1), by Simpson's rule."""
    scale = (of + 1) * comb(of, votes)

    def density(p: float) -> float:
        return scale * float(p**votes) * float((1 - p) ** (of - votes))

    width = 0.5 / steps
    inner = sum(
        (4 if number % 2 else 2) * density(0.5 + number * width) for number in range(1, steps)
    )
    return (density(0.5) + inner + density(1.0)) * width / 3


# P(Beta(n + 1, M - n + 1) > 1/2) as a share of the 2^(M + 1) ways that M + 1 coins can fall.
@pytest.mark.parametrize(
    ("votes", "of", "expected"),
    [
        (1, 1, 3 / 4),
        (0, 1, 1 / 4),
        (2, 2, 7 / 8),
        (1, 2, 4 / 8),
        (0, 2, 1 / 8),
        (3, 3, 15 / 16),
        (2, 3, 11 / 16),
        (1, 3, 5 / 16),
        (4, 4, 31 / 32),
        (3, 4, 26 / 32),
        (2, 4, 16 / 32),
        (1, 4, 6 / 32),
        (0, 4, 1 / 32),
    ],
)
def test_credibility_is_what_was_worked_out_by_hand(votes: int, of: int, expected: float) -> None:
    assert credibility(votes, of) == expected


@pytest.mark.parametrize(
    ("votes", "of"), [(votes, of) for of in range(9) for votes in range(of + 1)]
)
def test_credibility_is_the_area_under_the_beta_distribution(votes: int, of: int) -> None:
    assert credibility(votes, of) == pytest.approx(integrated(votes, of), abs=1e-9)


def test_votes_that_cannot_be_are_refused() -> None:
    with pytest.raises(ValueError, match="3 votes of 2"):
        credibility(3, 2)


@given(of=st.integers(1, 40), data=st.data())
def test_credibility_rises_with_the_votes_and_is_symmetric(of: int, data: st.DataObject) -> None:
    votes = data.draw(st.integers(0, of - 1))
    assert credibility(votes, of) < credibility(votes + 1, of)
    assert credibility(votes, of) + credibility(of - votes, of) == pytest.approx(1)


@given(
    st.lists(
        st.tuples(st.sets(st.sampled_from(TABLES)), st.sets(st.sampled_from(COLUMNS))), max_size=4
    )
)
def test_the_two_sets_share_nothing_and_leave_out_nothing_that_is_needed(
    chosen: list[tuple[set[TableRef], set[ColumnRef]]],
) -> None:
    groundings = [
        Grounding(Hypothesis(number, ""), tuple(tables), tuple(columns))
        for number, (tables, columns) in enumerate(chosen, start=1)
    ]
    needed: set[Ref] = {column.table for _, columns in chosen for column in columns}
    for tables, columns in chosen:
        needed.update(tables, columns)
    sets = vote(groundings)
    required, uncertain = {one.ref for one in sets.required}, {one.ref for one in sets.uncertain}
    assert required | uncertain == needed
    assert len(sets.required) + len(sets.uncertain) == len(needed)
    assert all(one.credibility >= REQUIRED_FROM for one in sets.required)
    assert all(one.credibility < REQUIRED_FROM and one.hypotheses for one in sets.uncertain)


@given(st.lists(st.sets(st.sampled_from(COLUMNS)), min_size=1, max_size=4))
def test_a_table_has_at_least_the_votes_of_each_of_its_columns(
    chosen: list[set[ColumnRef]],
) -> None:
    sets = vote(
        [
            Grounding(Hypothesis(number, ""), (), tuple(one))
            for number, one in enumerate(chosen, start=1)
        ]
    )
    votes = {one.ref: one for one in (*sets.required, *sets.uncertain)}
    for ref, one in votes.items():
        if isinstance(ref, ColumnRef):
            assert set(one.hypotheses) <= set(votes[ref.table].hypotheses)


def test_three_of_four_is_uncertain_four_of_four_and_two_of_two_are_required() -> None:
    def status(votes: int, of: int) -> str:
        chosen = [(COLUMNS[0],) if number <= votes else () for number in range(1, of + 1)]
        sets = vote(
            [Grounding(Hypothesis(at, ""), (), one) for at, one in enumerate(chosen, start=1)]
        )
        return "required" if COLUMNS[0] in {one.ref for one in sets.required} else "uncertain"

    assert [status(3, 4), status(4, 4), status(2, 2), status(1, 1)] == [
        "uncertain",
        "required",
        "required",
        "uncertain",
    ]

"""Equality of results despite row order, column order and float noise."""

import datetime
import math
from decimal import Decimal
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linker.sql.comparing import same_result, same_rows

Row = tuple[object, ...]
in_no_hurry = settings(max_examples=60, deadline=None)
CELLS = st.one_of(
    st.none(), st.integers(-5, 5), st.sampled_from(["a", "b", "ab"]), st.sampled_from([0.5, 1.25])
)


@st.composite
def results(draw: st.DrawFn) -> list[Row]:
    width = draw(st.integers(1, 4))
    return draw(st.lists(st.tuples(*[CELLS] * width), min_size=1, max_size=6))


@in_no_hurry
@given(results(), st.randoms())
def test_rows_and_columns_may_change_places(rows: list[Row], random: Random) -> None:
    order = list(range(len(rows[0])))
    random.shuffle(order)
    moved = []
    for row in rows:
        moved.append(tuple(row[place] for place in order))
    random.shuffle(moved)
    assert same_result(rows, moved, ordered=False)
    assert same_result(moved, rows, ordered=False)


@in_no_hurry
@given(results())
def test_numbers_may_differ_by_noise_alone(rows: list[Row]) -> None:
    noisy, far = [], []
    for row in rows:
        noisy.append(tuple(cell * (1 + 1e-9) if isinstance(cell, float) else cell for cell in row))
        far.append(tuple(cell + 0.01 if isinstance(cell, float) else cell for cell in row))
    assert same_result(rows, noisy, ordered=True)
    assert same_result(rows, far, ordered=True) == (rows == far)


@in_no_hurry
@given(results())
def test_a_row_more_or_less_is_another_result(rows: list[Row]) -> None:
    assert not same_result(rows, [*rows, rows[0]], ordered=False)
    assert not same_result(rows, rows[1:], ordered=False)


def test_columns_move_as_a_whole_and_not_cell_by_cell() -> None:
    # Each column holds the same values on both sides, but no row of the first is a row of the
    # second.
    assert not same_result([(1, "a"), (2, "b")], [("b", 1), ("a", 2)], ordered=False)
    assert same_result([(1, "a"), (2, "b")], [("b", 2), ("a", 1)], ordered=False)
    assert not same_result([(1, "a"), (2, "b")], [("b", 2), ("a", 1)], ordered=True)


def test_by_place_columns_may_not_move() -> None:
    assert not same_rows([(1, 2)], [(2, 1)], ordered=False)
    assert same_result([(1, 2)], [(2, 1)], ordered=False)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (5, 5.0),
        (Decimal("0.30"), 0.1 + 0.2),
        (True, 1),
        (None, None),
        (math.nan, math.nan),
        (datetime.date(2025, 1, 2), "2025-01-02"),
        (datetime.datetime(2025, 1, 2, 0, 0), datetime.date(2025, 1, 2)),
        ([1, 2], [1, 2]),
    ],
)
def test_values_that_mean_the_same_are_the_same(first: object, second: object) -> None:
    assert same_rows([(first,)], [(second,)], ordered=True)
    assert same_rows([(first,)], [(second,)], ordered=False)


@pytest.mark.parametrize(
    ("first", "second"),
    [(None, 0), (None, ""), ("5", 5), ("a", "A"), (math.nan, 0.0), (1, 2), (9_999_999, 10_000_000)],
)
def test_values_that_differ_are_different(first: object, second: object) -> None:
    assert not same_rows([(first,)], [(second,)], ordered=True)
    assert not same_rows([(first,)], [(second,)], ordered=False)


def test_noise_in_the_first_number_does_not_mix_up_rows() -> None:
    # Sorted by their first number, which is equal except for noise, the rows would be compared
    # crosswise.
    noise = 1.0000005 + 1e-9
    first = [(1.0000005 - 1e-9, 5), (noise, 3)]
    second = [(noise, 5), (1.0000005 - 1e-9, 3)]
    assert same_rows(first, second, ordered=False)


def test_many_large_numbers_in_another_order_are_the_same() -> None:
    rows = [(10**7 + number, number / 3) for number in range(5000)]
    assert same_rows(rows, rows[::-1], ordered=False)
    assert not same_rows(rows, [*rows[1:], (10**7, 1e-3)], ordered=False)


def test_results_without_rows_are_the_same() -> None:
    assert same_rows([], [], ordered=False)
    assert not same_rows([], [(1,)], ordered=False)

"""Points and areas, worked out by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.figures.curves import area_under, curve
from linker.evaluation import Prediction
from tests.evaluations import answer, gold, outcome, run_of


def wide(question: str, budget: int, *, right: bool) -> Prediction:
    """An answer of as many columns as the budget allows, with the gold column or without it."""
    others = tuple(f"t.c{number}" for number in range(budget - 1))
    return answer(*others, "t.gold" if right else "t.wrong", question=question, budget=budget)


def test_a_point_lies_at_the_columns_really_returned() -> None:
    run = run_of(
        [
            outcome(wide("q1", 10, right=True), gold("t.gold")),
            outcome(answer("t.gold", question="q2", budget=10), gold("t.gold")),
            outcome(wide("q3", 10, right=False), gold("t.gold")),
        ]
    )
    [point] = curve(run).points
    assert point.columns == pytest.approx(7)
    assert point.strict_recall.value == pytest.approx(2 / 3)
    assert curve(run).area is None


def test_all_points_are_of_the_questions_that_every_budget_answered() -> None:
    run = run_of(
        [
            outcome(wide("q1", 10, right=False), gold("t.gold")),
            outcome(wide("q1", 20, right=True), gold("t.gold")),
            outcome(wide("q2", 10, right=True), gold("t.gold")),
        ]
    )
    found = curve(run)
    assert found.questions == 1
    assert [(one.budget, one.strict_recall.value) for one in found.points] == [(10, 0.0), (20, 1.0)]


def test_the_area_is_that_of_trapezia_over_the_logarithm() -> None:
    # From 1 to 10 columns recall rises to 0.4, to 100 columns to 0.8, and stays: three strips,
    # limit 1000.
    expected = (0.4 / 2 + (0.4 + 0.8) / 2 + 0.8) / 3
    assert area_under([(10, 0.4), (100, 0.8)], limit=1000) == pytest.approx(expected)
    assert area_under([(100, 0.8), (10, 0.4)], limit=1000) == pytest.approx(expected)


def test_a_point_beyond_the_limit_counts_only_by_its_line_up_to_it() -> None:
    # Between 10 columns (0) and 1000 (1) the line passes the limit of 100 at 0.5.
    assert area_under([(10, 0.0), (1000, 1.0)], limit=100) == pytest.approx(0.5 / 2 / 2)


def test_everything_in_one_column_would_be_an_area_of_one() -> None:
    assert area_under([(1, 1.0)], limit=200) == pytest.approx(1)
    assert area_under([(0.3, 1.0)], limit=200) == pytest.approx(1)


def test_returning_just_the_gold_columns_gives_about_eighty_five_per_cent() -> None:
    assert area_under([(5, 1.0)]) == pytest.approx(1 - math.log(5) / math.log(200) / 2)
    assert area_under([(5, 1.0)]) == pytest.approx(0.85, abs=0.005)


@given(st.lists(st.tuples(st.floats(0, 5000), st.floats(0, 1)), min_size=1, max_size=8))
def test_an_area_lies_between_zero_and_one(points: list[tuple[float, float]]) -> None:
    assert -1e-9 <= area_under(points) <= 1 + 1e-9

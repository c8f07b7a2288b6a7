"""Calibration of credibility on counts made by hand."""

import pytest

from linker.evaluation.summary import Calibration
from tests.evaluations import answer, gold, outcome


def test_nine_right_of_ten_at_nine_tenths_is_calibrated() -> None:
    outcomes = [
        outcome(answer("t.a=0.9", question=f"q{number}"), gold("t.a")) for number in range(9)
    ]
    outcomes.append(outcome(answer("t.b=0.9", question="q9"), gold("t.a")))
    found = Calibration.create(outcomes)
    assert found is not None
    [only] = found.bins
    assert (only.low, only.high, only.columns, only.credibility) == pytest.approx((0.9, 1, 10, 0.9))
    assert only.right.value == pytest.approx(0.9)
    assert only.right.low < 0.9 < only.right.high
    assert found.expected_error == pytest.approx(0)


def test_the_expected_error_weighs_bins_by_their_columns() -> None:
    # Three columns of credibility 0.95, two of them right: off by 0.95 - 2/3. One of 0.2, right:
    # off by 0.8.
    found = Calibration.create(
        [outcome(answer("t.a=0.95", "t.b=0.95", "t.x=0.95", "t.c=0.2"), gold("t.a", "t.b", "t.c"))]
    )
    assert found is not None
    assert [(one.low, one.columns) for one in found.bins] == [(0.2, 1), (0.9, 3)]
    assert found.expected_error == pytest.approx((3 * (0.95 - 2 / 3) + 0.8) / 4)


def test_a_credibility_of_one_belongs_to_the_last_bin_and_zero_to_the_first() -> None:
    found = Calibration.create([outcome(answer("t.a=1.0", "t.b=0.0"), gold("t.a"))])
    assert found is not None
    assert [(one.low, one.right.value) for one in found.bins] == [(0.0, 0.0), (0.9, 1.0)]


def test_a_column_that_any_right_statement_reads_is_right() -> None:
    found = Calibration.create([outcome(answer("t.a=0.9", "t.b=0.9"), gold("t.a"), gold("t.b"))])
    assert found is not None
    assert found.bins[0].right.value == 1.0


def test_columns_of_one_question_widen_the_interval_as_one() -> None:
    def width(columns_a_question: int) -> float:
        columns = [f"t.c{number}=0.5" for number in range(columns_a_question)]
        answers = [answer(*columns, question=f"q{number}") for number in range(2)]
        answers.append(answer("t.c0=0.5", question="q2"))
        outcomes = [outcome(item, gold("t.c0")) for item in answers]
        found = Calibration.create(outcomes)
        assert found is not None
        return found.bins[0].right.high - found.bins[0].right.low

    assert width(10) > 0.5


def test_a_strategy_without_credibilities_has_no_calibration() -> None:
    assert Calibration.create([outcome(answer("t.a", "t.b"), gold("t.a"))]) is None

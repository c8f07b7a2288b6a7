"""Intervals against closed forms, and McNemar's test against values worked out by hand."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linker.evaluation.statistics import (
    BootstrapSample,
    MeanDifference,
    StrictDifference,
    bootstrap_means,
    estimates,
    mcnemar,
    share,
)

MANY = BootstrapSample(count=20_000)


def flags(ones: int, zeros: int) -> np.ndarray:
    return np.array([1.0] * ones + [0.0] * zeros)


def test_the_interval_of_a_share_is_that_of_the_binomial() -> None:
    # 70 of 100: the binomial has a deviation of sqrt(0.7 · 0.3 / 100) = 0.0458; 1.96 of them either
    # way.
    found = share(flags(70, 30), MANY)
    assert found.value == pytest.approx(0.7)
    assert found.low == pytest.approx(0.7 - 1.96 * 0.0458, abs=0.01)
    assert found.high == pytest.approx(0.7 + 1.96 * 0.0458, abs=0.01)


def test_resampled_means_have_the_standard_error_of_the_mean() -> None:
    values = np.arange(50.0)
    spread = bootstrap_means(values[:, None], MANY).std()
    assert spread == pytest.approx(values.std() / math.sqrt(50), rel=0.03)


def test_drawing_whole_databases_widens_as_much_as_having_so_few() -> None:
    # Ten databases, in each all ten questions alike: as uncertain as ten questions.
    values = np.repeat([1.0, 0.0] * 5, 10)
    databases = [f"d{number // 10}" for number in range(100)]
    alone, clustered = share(values, MANY), share(values, MANY, databases)
    assert clustered.high - clustered.low > 2.5 * (alone.high - alone.low)
    assert bootstrap_means(values[:, None], MANY, databases).std() == pytest.approx(
        0.5 / math.sqrt(10), rel=0.03
    )


def test_a_large_database_weighs_by_its_questions() -> None:
    # Database a has three questions, all right; b one, wrong. Drawn aa, ab, ba, bb: means 1, 3/4,
    # 3/4, 0.
    means = bootstrap_means(flags(3, 1)[:, None], MANY, ["a", "a", "a", "b"])[:, 0]
    assert set(means.round(6)) == {0.0, 0.75, 1.0}
    assert (means == 0.75).mean() == pytest.approx(0.5, abs=0.02)


def test_where_all_agree_the_exact_bound_stands() -> None:
    # 31 of 31: the lower bound at 95 % is 0.025 ** (1 / 31) = 0.888, not 1.
    found = share(flags(31, 0))
    assert (found.value, found.high) == (1.0, 1.0)
    assert found.low == pytest.approx(0.888, abs=0.001)
    none = share(flags(0, 31))
    assert (none.value, none.low, none.high) == pytest.approx((0, 0, 0.112), abs=0.001)


def test_the_seed_decides_the_interval() -> None:
    values = np.random.default_rng(1).normal(size=(40, 2))
    assert estimates(values, BootstrapSample(seed=3)) == estimates(values, BootstrapSample(seed=3))
    assert estimates(values, BootstrapSample(seed=3)) != estimates(values, BootstrapSample(seed=4))


def test_a_wider_level_gives_a_wider_interval() -> None:
    narrow, wide = (
        share(flags(5, 5), BootstrapSample(level=0.8)),
        share(flags(5, 5), BootstrapSample(level=0.99)),
    )
    assert wide.low < narrow.low < 0.5 < narrow.high < wide.high


@pytest.mark.parametrize(
    ("won", "lost", "p_value"),
    [
        (0, 0, 1.0),
        (1, 0, 1.0),  # 2 · 1/2
        (5, 0, 2 / 32),
        (6, 0, 2 / 64),
        (2, 8, 2 * (1 + 10 + 45) / 1024),  # 0.109
        (3, 12, 2 * (1 + 15 + 105 + 455) / 32768),  # 0.0352
        (4, 4, 1.0),
    ],
)
def test_mcnemar_is_the_exact_binomial_of_the_changed_questions(
    won: int, lost: int, p_value: float
) -> None:
    assert mcnemar(won, lost) == pytest.approx(p_value)
    assert mcnemar(lost, won) == mcnemar(won, lost)


def test_mcnemar_takes_thousands_of_changes() -> None:
    assert 0 < mcnemar(1400, 1600) < 0.001


@given(st.integers(0, 300), st.integers(0, 300))
def test_a_p_value_is_a_probability(won: int, lost: int) -> None:
    assert 0 < mcnemar(won, lost) <= 1


def test_a_lopsided_change_is_said_to_be_more_than_noise() -> None:
    # 100 questions: 10 won, 1 lost; p = 2 · (1 + 11) / 2048 = 0.0117.
    first = [True] * 51 + [False] * 49
    second = [False] + [True] * 50 + [True] * 10 + [False] * 39
    found = StrictDifference.create(first, second)
    assert (found.won, found.lost, found.questions) == (10, 1, 100)
    assert str(found) == (
        "strict recall is 9.0 points higher in the second (51.0% to 60.0%; 10 won, 1 lost of 100): "
        "significant (McNemar p = 0.012)"
    )


def test_a_small_change_is_said_to_be_noise() -> None:
    found = StrictDifference.create([True, True, False, False], [True, False, True, True])
    assert not found.is_more_than_noise
    assert "25.0 points higher" in str(found)
    assert "not significant" in str(found)


def test_runs_that_agree_everywhere_are_said_to_agree() -> None:
    assert (
        str(StrictDifference.create([True, False], [True, False]))
        == "no question of 2 changed: both complete 50.0%"
    )
    assert (
        str(StrictDifference.create([True, False], [False, True]))
        == "strict recall is equal (50.0%; 1 won, 1 lost of 2)"
    )


def test_runs_over_different_questions_are_not_compared() -> None:
    with pytest.raises(ValueError, match="the same questions"):
        StrictDifference.create([True], [True, False])


def test_a_paired_difference_is_surer_than_the_two_means() -> None:
    # Every question takes one column more: the means overlap widely, the difference is exactly one.
    first = np.random.default_rng(0).normal(100, 30, size=50)
    found = MeanDifference.create("columns returned", first, first + 1)
    assert found.is_more_than_noise
    assert (found.difference.low, found.difference.high) == pytest.approx((1, 1))


def test_a_difference_whose_interval_holds_zero_is_noise() -> None:
    found = MeanDifference.create(
        "recall", np.array([1.0, 0.0, 1.0, 0.0]), np.array([0.0, 1.0, 1.0, 0.0])
    )
    assert str(found) == "recall: 0.5 to 0.5, difference +0 (-0.75 to +0.75): not significant"

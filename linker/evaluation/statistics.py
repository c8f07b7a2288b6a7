"""
Figures with intervals: means, and differences of two runs.

Intervals are percentile bootstraps with a fixed seed, so that the same results give the same
report. Questions are drawn one by one: that says how much a figure would move with other questions
on databases such as these, and nothing of other databases.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

import numpy as np
from msgspec.structs import astuple
from numpy.typing import NDArray

from linker.types import Record

Floats = NDArray[np.float64]
SIGNIFICANCE = 0.05


class Resampling(Record, frozen=True):
    """Options of the draws that intervals come from."""

    count: int = 2000
    level: float = 0.95
    seed: int = 0


DEFAULT = Resampling()


class Estimate(Record, frozen=True):
    """A mean with the interval around it."""

    value: float
    low: float
    high: float


class StrictDifference(Record, frozen=True):
    """
    Two runs over the same questions, by whether each answer is complete (McNemar's exact test).
    """

    questions: int
    won: int
    lost: int
    first: float
    second: float
    p_value: float

    @classmethod
    def of(cls, first: Sequence[bool], second: Sequence[bool]) -> "StrictDifference":
        """
        Test whether the second run completes more questions than the first, the same questions in
        the same order.
        """
        if len(first) != len(second) or not first:
            raise ValueError("two runs are compared over the same questions, at least one")
        won = sum(1 for a, b in zip(first, second, strict=True) if b and not a)
        lost = sum(1 for a, b in zip(first, second, strict=True) if a and not b)
        return cls(
            len(first),
            won,
            lost,
            sum(first) / len(first),
            sum(second) / len(second),
            mcnemar(won, lost),
        )

    @property
    def is_more_than_noise(self) -> bool:
        """Say whether so lopsided a split of the questions that changed is unlikely by chance."""
        return self.p_value < SIGNIFICANCE

    def __str__(self) -> str:
        if not self.won + self.lost:
            return f"no question of {self.questions} changed: both complete {self.first:.1%}"
        changed = f"{self.won} won, {self.lost} lost of {self.questions}"
        if self.won == self.lost:
            return f"strict recall is equal ({self.first:.1%}; {changed})"
        direction = "higher" if self.won > self.lost else "lower"
        points = f"{abs(self.second - self.first) * 100:.1f} points {direction}"
        p_value = f"{self.p_value:.3f}" if self.p_value >= 0.001 else f"{self.p_value:.1e}"
        return (
            f"strict recall is {points} in the second ({self.first:.1%} to {self.second:.1%}; {changed}): "
            f"{_verdict(self.is_more_than_noise)} (McNemar p = {p_value})"
        )


class MeanDifference(Record, frozen=True):
    """Two runs over the same questions, by the mean of one measure (paired bootstrap)."""

    measure: str
    first: float
    second: float
    difference: Estimate

    @classmethod
    def of(
        cls, measure: str, first: Floats, second: Floats, resampling: Resampling = DEFAULT
    ) -> "MeanDifference":
        """
        Test whether the mean of a measure differs, the same questions in the same order, drawn in
        pairs.
        """
        [difference] = estimates((second - first)[:, None], resampling)
        return cls(measure, float(first.mean()), float(second.mean()), difference)

    @property
    def is_more_than_noise(self) -> bool:
        """Say whether the interval of the difference leaves zero out."""
        return self.difference.low > 0 or self.difference.high < 0

    def __str__(self) -> str:
        verdict = _verdict(self.is_more_than_noise)
        value, low, high = (figure(number, "+") for number in astuple(self.difference))
        means = f"{figure(self.first)} to {figure(self.second)}"
        return f"{self.measure}: {means}, difference {value} ({low} to {high}): {verdict}"


def estimates(
    values: Floats, resampling: Resampling = DEFAULT, clusters: Sequence[str] | None = None
) -> tuple[Estimate, ...]:
    """
    The mean of each column of the matrix, one row a question, with its interval; draws are shared
    by all columns.
    """
    means = resampled_means(values, resampling, clusters)
    tail = (1 - resampling.level) / 2
    lows, highs = np.quantile(means, (tail, 1 - tail), axis=0)
    centres = values.mean(axis=0)
    return tuple(
        Estimate(float(a), float(b), float(c)) for a, b, c in zip(centres, lows, highs, strict=True)
    )


def share(
    values: Floats, resampling: Resampling = DEFAULT, clusters: Sequence[str] | None = None
) -> Estimate:
    """
    The share of ones among zeros and ones with its interval.

    Where all agree that is the exact binomial bound: there the bootstrap sees no spread and looks
    certain.
    """
    [drawn] = estimates(values[:, None], resampling, clusters)
    if 0 < drawn.value < 1:
        return drawn
    count = len(values) if clusters is None else len(set(clusters))
    margin = 1 - ((1 - resampling.level) / 2) ** (1 / count)
    return Estimate(1.0, 1 - margin, 1.0) if drawn.value else Estimate(0.0, 0.0, margin)


def resampled_means(
    values: Floats, resampling: Resampling = DEFAULT, clusters: Sequence[str] | None = None
) -> Floats:
    """
    The means of resampled questions, one row a resample; whole clusters are drawn where clusters
    are given.
    """
    if not len(values):
        raise ValueError("there is nothing to resample")
    sums, sizes = values, np.ones(len(values))
    if clusters is not None:
        _, member_of = np.unique(np.asarray(clusters), return_inverse=True)
        sizes = np.bincount(member_of).astype(np.float64)
        sums = np.zeros((len(sizes), values.shape[1]))
        np.add.at(sums, member_of, values)
    times_drawn = _times_drawn(len(sizes), resampling.count, resampling.seed)
    means: Floats = (times_drawn @ sums) / (times_drawn @ sizes)[:, None]
    return means


def mcnemar(won: int, lost: int) -> float:
    """
    The two-sided exact p-value: how often a fair coin, thrown once per changed question, is at
    least as lopsided.
    """
    changed = won + lost
    tail = sum(math.comb(changed, heads) for heads in range(min(won, lost) + 1))
    return min(1.0, float(Fraction(2 * tail, 2**changed)))


@lru_cache(maxsize=4)
def _times_drawn(items: int, resamples: int, seed: int) -> Floats:
    """Number of each item in each resample, so that one product gives all means of all measures."""
    draws = np.random.default_rng(seed).integers(items, size=(resamples, items))
    flat = (draws + np.arange(resamples)[:, None] * items).ravel()
    return (
        np.bincount(flat, minlength=resamples * items).reshape(resamples, items).astype(np.float64)
    )


def _verdict(is_more_than_noise: bool) -> str:
    return "more than noise" if is_more_than_noise else "not more than noise"


def figure(value: float, sign: str = "") -> str:
    """A mean as it is shown: three digits or so, and never an exponent for what is large."""
    return f"{value:{sign},.0f}" if abs(value) >= 1000 else f"{value:{sign}.3g}"

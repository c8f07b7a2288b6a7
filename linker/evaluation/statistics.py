"""
Bootstrap intervals of means and paired differences, and the questions that one run won or lost
against another.

Percentile bootstrap with a fixed seed. Questions are resampled, databases are not: intervals say
nothing about other databases. The reason of a loss is the missing gold columns and the last step
that still had each.
"""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache

import numpy as np
from msgspec.structs import astuple
from numpy.typing import NDArray

from linker.errors import LinkerError
from linker.evaluation import EvaluationRun, GoldenQuestion, Prediction, QuestionOutcome
from linker.evaluation.scoring import best_gold, column_key, missed_fields
from linker.types import ColumnRef, Record

Floats = NDArray[np.float64]
SIGNIFICANCE = 0.05

# Explanations of steps that lose columns; other steps are named.
LOST_AT = {
    "retrieval": "not retrieved",
    "ranking": "ranked too low",
    "hypotheses": "not in a hypothesis",
    "grounding": "not in a hypothesis",
    "voting": "voted out",
    "refinement": "discarded",
    "budget": "cut by the budget",
}
NO_STEPS = "the strategy records no steps"
MEASURES: tuple[tuple[str, Callable[[QuestionOutcome], float]], ...] = (
    ("recall of columns", lambda outcome: outcome.score.columns.recall),
    ("precision of columns", lambda outcome: outcome.score.columns.precision),
    ("recall of tables", lambda outcome: outcome.score.tables.recall),
    ("columns returned", lambda outcome: outcome.score.columns.count),
    ("tokens", lambda outcome: outcome.prediction.tokens),
    ("seconds", lambda outcome: outcome.prediction.seconds),
)


class BootstrapSample(Record, frozen=True):
    count: int = 2000
    level: float = 0.95
    seed: int = 0


DEFAULT = BootstrapSample()


class Estimate(Record, frozen=True):
    """A mean with its interval."""

    value: float
    low: float
    high: float


class StrictDifference(Record, frozen=True):
    """Completeness of two runs on the same questions (McNemar's exact test)."""

    questions: int
    won: int
    lost: int
    first: float
    second: float
    p_value: float

    @classmethod
    def create(cls, first: Sequence[bool], second: Sequence[bool]) -> "StrictDifference":
        """Whether the second run completes more; both lists are in the same order."""
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
        """Whether the split of changed questions is significant."""
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
            f"strict recall is {points} in the second ({self.first:.1%} to {self.second:.1%}; "
            f"{changed}): {_verdict(self.is_more_than_noise)} (McNemar p = {p_value})"
        )


class MeanDifference(Record, frozen=True):
    """Mean difference of a measure between two runs (paired bootstrap)."""

    measure: str
    first: float
    second: float
    difference: Estimate

    @classmethod
    def create(
        cls, measure: str, first: Floats, second: Floats, resampling: BootstrapSample = DEFAULT
    ) -> "MeanDifference":
        """Paired test of a mean difference; both lists are in the same order."""
        [difference] = estimates((second - first)[:, None], resampling)
        return cls(measure, float(first.mean()), float(second.mean()), difference)

    @property
    def is_more_than_noise(self) -> bool:
        """Whether the interval excludes zero."""
        return self.difference.low > 0 or self.difference.high < 0

    def __str__(self) -> str:
        verdict = _verdict(self.is_more_than_noise)
        value, low, high = (figure(number, "+") for number in astuple(self.difference))
        means = f"{figure(self.first)} to {figure(self.second)}"
        return f"{self.measure}: {means}, difference {value} ({low} to {high}): {verdict}"


def estimates(
    values: Floats, resampling: BootstrapSample = DEFAULT, clusters: Sequence[str] | None = None
) -> tuple[Estimate, ...]:
    """
    Mean and interval of each matrix column; rows are questions, and columns share the resamples.
    """
    means = bootstrap_means(values, resampling, clusters)
    tail = (1 - resampling.level) / 2
    lows, highs = np.quantile(means, (tail, 1 - tail), axis=0)
    centres = values.mean(axis=0)
    return tuple(
        Estimate(float(a), float(b), float(c)) for a, b, c in zip(centres, lows, highs, strict=True)
    )


def share(
    values: Floats, resampling: BootstrapSample = DEFAULT, clusters: Sequence[str] | None = None
) -> Estimate:
    """
    A proportion with its interval.

    The exact binomial bound if all values agree, where the bootstrap has no spread.
    """
    [drawn] = estimates(values[:, None], resampling, clusters)
    if 0 < drawn.value < 1:
        return drawn
    count = len(values) if clusters is None else len(set(clusters))
    margin = 1 - ((1 - resampling.level) / 2) ** (1 / count)
    return Estimate(1.0, 1 - margin, 1.0) if drawn.value else Estimate(0.0, 0.0, margin)


def bootstrap_means(
    values: Floats, resampling: BootstrapSample = DEFAULT, clusters: Sequence[str] | None = None
) -> Floats:
    """Means of resampled questions, one row per resample; resamples clusters if given."""
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
    """Two-sided exact p-value of McNemar's test."""
    changed = won + lost
    tail = sum(math.comb(changed, heads) for heads in range(min(won, lost) + 1))
    return min(1.0, float(Fraction(2 * tail, 2**changed)))


@lru_cache(maxsize=4)
def _times_drawn(items: int, resamples: int, seed: int) -> Floats:
    """Counts of each item per resample, so that one product gives all means."""
    draws = np.random.default_rng(seed).integers(items, size=(resamples, items))
    flat = (draws + np.arange(resamples)[:, None] * items).ravel()
    return (
        np.bincount(flat, minlength=resamples * items).reshape(resamples, items).astype(np.float64)
    )


def _verdict(is_more_than_noise: bool) -> str:
    return "significant" if is_more_than_noise else "not significant"


def figure(value: float, sign: str = "") -> str:
    """A mean with about three significant digits, never in exponent notation."""
    return f"{value:{sign},.0f}" if abs(value) >= 1000 else f"{value:{sign}.3g}"


class Missed(Record, frozen=True):
    """A missing gold field: alternatives, the last step that had one, and where it was lost."""

    field: tuple[ColumnRef, ...]
    last_seen: str | None
    reason: str

    @property
    def name(self) -> str:
        """The field's name."""
        return " or ".join(map(str, self.field))


class QuestionChange(Record, frozen=True):
    """A question that only one run completes, with what the other misses."""

    question: GoldenQuestion
    is_won: bool
    missed: tuple[Missed, ...]


class EvaluationComparison(Record, frozen=True):
    """Two runs on their common questions."""

    suite: str
    first: str
    second: str
    strict: StrictDifference
    means: tuple[MeanDifference, ...]
    changes: tuple[QuestionChange, ...]
    only_first: int
    only_second: int

    @property
    def won(self) -> tuple[QuestionChange, ...]:
        """Questions that only the second run completes."""
        return tuple(change for change in self.changes if change.is_won)

    @property
    def lost(self) -> tuple[QuestionChange, ...]:
        """Questions that only the first run completes."""
        return tuple(change for change in self.changes if not change.is_won)


def compare(
    first: EvaluationRun,
    second: EvaluationRun,
    resampling: BootstrapSample = DEFAULT,
    *,
    budget: int | None = None,
) -> EvaluationComparison:
    """Compare runs of a suite at a budget, by default the largest common one."""
    if first.suite != second.suite:
        raise LinkerError(
            f"results of {first.suite} and of {second.suite} have no questions in common",
            hint="name two of one suite",
        )
    first_budget, second_budget = _budgets(first, second, budget)
    before = {outcome.question.id: outcome for outcome in first.at(first_budget)}
    after = {outcome.question.id: outcome for outcome in second.at(second_budget)}
    pairs = [
        (outcome, after[question]) for question, outcome in before.items() if question in after
    ]
    if not pairs:
        raise LinkerError(
            f"{first.name} and {second.name} have no scored question in common",
            hint="run both on the same questions",
        )
    return EvaluationComparison(
        suite=first.suite,
        first=_name(first, first_budget),
        second=_name(second, second_budget),
        strict=StrictDifference.create(
            [earlier.score.columns.is_complete for earlier, _ in pairs],
            [later.score.columns.is_complete for _, later in pairs],
        ),
        means=_means(pairs, resampling),
        changes=tuple(
            _change(earlier, later)
            for earlier, later in pairs
            if earlier.score.columns.is_complete != later.score.columns.is_complete
        ),
        only_first=len(before) - len(pairs),
        only_second=len(after) - len(pairs),
    )


def missed(outcome: QuestionOutcome) -> tuple[Missed, ...]:
    """Missing gold fields, each with the step that lost it."""
    gold = best_gold(outcome.prediction, outcome.golds)
    return tuple(
        _missed(field, outcome.prediction) for field in missed_fields(outcome.prediction, gold)
    )


def _budgets(
    first: EvaluationRun, second: EvaluationRun, budget: int | None
) -> tuple[int | None, int | None]:
    if budget is not None:
        # Strategies without budgets are compared once.
        return (
            budget if first.budgets != (None,) else None,
            budget if second.budgets != (None,) else None,
        )
    common = [shared for shared in first.budgets if shared in second.budgets]
    if common:
        return common[-1], common[-1]
    return (first.budgets or (None,))[-1], (second.budgets or (None,))[-1]


def _name(run: EvaluationRun, budget: int | None) -> str:
    return run.name if budget is None else f"{run.name} @{budget}"


def _means(
    pairs: Sequence[tuple[QuestionOutcome, QuestionOutcome]], resampling: BootstrapSample
) -> tuple[MeanDifference, ...]:
    means = []
    for measure, measure_of in MEASURES:
        before = np.array([float(measure_of(earlier)) for earlier, _ in pairs])
        after = np.array([float(measure_of(later)) for _, later in pairs])
        # Omit costs that are zero in both runs.
        if before.any() or after.any():
            means.append(MeanDifference.create(measure, before, after, resampling))
    return tuple(means)


def _change(first: QuestionOutcome, second: QuestionOutcome) -> QuestionChange:
    is_won = second.score.columns.is_complete
    return QuestionChange(first.question, is_won, missed(first if is_won else second))


def _missed(field: tuple[ColumnRef, ...], prediction: Prediction) -> Missed:
    wanted = {column_key(ref) for ref in field}
    if not prediction.seen:
        reason = f"answer failed: {prediction.error}" if prediction.error else NO_STEPS
        return Missed(field, None, reason)
    last_seen, reason = None, ""
    for step, refs in prediction.seen:
        if not wanted.isdisjoint(map(column_key, refs)):
            last_seen, reason = step, ""
        elif not reason:
            reason = LOST_AT.get(step, f"lost at {step}")
    return Missed(field, last_seen, reason or f"dropped after {last_seen}")

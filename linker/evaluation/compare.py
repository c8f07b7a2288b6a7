"""
Changes between two runs: questions won and lost, with the reason, and whether the difference is
more than noise.

The reason is the gold columns that the worse answer lacks, and the step of the strategy at which
each was last seen. Steps are whatever the strategy says that it has; a few names have words of
their own.
"""

from collections.abc import Callable, Sequence

import numpy as np

from linker.errors import LinkerError
from linker.evaluation.scoring import best_gold, column_key, missed_fields
from linker.evaluation.statistics import DEFAULT, MeanDifference, Resampling, StrictDifference
from linker.evaluation.types import EvaluationRun, GoldenQuestion, Prediction, QuestionOutcome
from linker.types import ColumnRef, Record

# What it means that a column did not come through a step; of other steps their name is told.
LOST_AT = {
    "retrieval": "not retrieved",
    "hypotheses": "not in a hypothesis",
    "grounding": "not in a hypothesis",
    "voting": "voted out",
    "refinement": "discarded",
    "budget": "cut by the budget",
}
NO_STEPS = "the strategy does not tell its steps"
MEASURES: tuple[tuple[str, Callable[[QuestionOutcome], float]], ...] = (
    ("recall of columns", lambda outcome: outcome.score.columns.recall),
    ("precision of columns", lambda outcome: outcome.score.columns.precision),
    ("recall of tables", lambda outcome: outcome.score.tables.recall),
    ("columns returned", lambda outcome: outcome.score.columns.count),
    ("tokens", lambda outcome: outcome.prediction.tokens),
    ("seconds", lambda outcome: outcome.prediction.seconds),
)


class Missed(Record, frozen=True):
    """
    A gold field that an answer lacks: its alternatives, the last step that had one in view, and
    where it went.
    """

    field: tuple[ColumnRef, ...]
    last_seen: str | None
    reason: str

    @property
    def name(self) -> str:
        """The field in words."""
        return " or ".join(map(str, self.field))


class QuestionChange(Record, frozen=True):
    """
    A question that one run completes and the other does not; what is missed is that of the one that
    does not.
    """

    question: GoldenQuestion
    is_won: bool
    missed: tuple[Missed, ...]


class EvaluationComparison(Record, frozen=True):
    """Two runs over the questions that both have."""

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
        """The questions that only the second run completes."""
        return tuple(change for change in self.changes if change.is_won)

    @property
    def lost(self) -> tuple[QuestionChange, ...]:
        """The questions that only the first run completes."""
        return tuple(change for change in self.changes if not change.is_won)


def compare(
    first: EvaluationRun,
    second: EvaluationRun,
    resampling: Resampling = DEFAULT,
    *,
    budget: int | None = None,
) -> EvaluationComparison:
    """Compare two runs of one suite, at a budget or else at the largest that both have."""
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
        strict=StrictDifference.of(
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
    """The gold fields that an answer lacks, and where each was lost."""
    gold = best_gold(outcome.prediction, outcome.golds)
    return tuple(
        _missed(field, outcome.prediction) for field in missed_fields(outcome.prediction, gold)
    )


def _budgets(
    first: EvaluationRun, second: EvaluationRun, budget: int | None
) -> tuple[int | None, int | None]:
    if budget is not None:
        # A strategy without budgets is compared as it is.
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
    pairs: Sequence[tuple[QuestionOutcome, QuestionOutcome]], resampling: Resampling
) -> tuple[MeanDifference, ...]:
    means = []
    for measure, of in MEASURES:
        before = np.array([float(of(earlier)) for earlier, _ in pairs])
        after = np.array([float(of(later)) for _, later in pairs])
        # What neither run ever spends is not worth a line.
        if before.any() or after.any():
            means.append(MeanDifference.of(measure, before, after, resampling))
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
    return Missed(field, last_seen, reason or f"left out after {last_seen}")

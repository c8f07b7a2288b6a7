"""How far the chances that answers claim are off, and how many questions were refused."""

import math
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from linker.evaluation.scoring import Key, column_key
from linker.evaluation.statistics import DEFAULT, Estimate, Floats, Resampling, share
from linker.evaluation.types import JudgedSql, Prediction, QuestionOutcome, RankedColumn
from linker.link.answer import UNSPOKEN
from linker.types import Record

BINS = 10
_LEAST_ANSWERS = 10

# The chance that a column of an answer is right, where the answer says it.
ChanceOf = Callable[[Prediction, RankedColumn], float | None]
Places = NDArray[np.int64]


def expected_error(chances: Floats, is_right: Floats, bins: Places | None = None) -> float:
    """
    The mean distance between chance and share over bins, by what lies in each: over ten of the same
    width where none are given.
    """
    places = equal_bins(chances) if bins is None else bins
    distances = np.abs(np.bincount(places, weights=chances - is_right.astype(np.float64)))
    return float(distances.sum() / len(chances))


def equal_bins(chances: Floats) -> Places:
    """For each chance its bin, of ten of the same width; the upper bound belongs to the last alone."""
    places: Places = np.minimum((chances * BINS).astype(np.int64), BINS - 1)
    return places


def _even_bins(chances: Floats) -> Places:
    """For each chance its bin, of ten that hold equally many, or of fewer with at least ten each."""
    count = min(BINS, max(1, len(chances) // _LEAST_ANSWERS))
    ends = [len(chances) * number // count for number in range(1, count + 1)]
    places = np.empty(len(chances), dtype=np.int64)
    places[np.argsort(chances, kind="stable")] = np.searchsorted(
        ends, np.arange(len(chances)), side="right"
    )
    return places


def credibility_of(_: Prediction, column: RankedColumn) -> float | None:
    """Credibility, which strategies give that vote."""
    return column.credibility


def score_of(prediction: Prediction, column: RankedColumn) -> float | None:
    """Score, which is a chance in an answer that says how likely it is complete."""
    return None if prediction.complete is None else column.score


class CalibrationBin(Record, frozen=True):
    """
    The columns whose credibility lies between two bounds; the upper one belongs only to the last
    bin.
    """

    low: float
    high: float
    columns: int
    credibility: float
    right: Estimate


class Calibration(Record, frozen=True):
    """The bins that hold columns, and how far they are off on average."""

    bins: tuple[CalibrationBin, ...]
    columns: int
    expected_error: float

    @classmethod
    def of(
        cls,
        outcomes: Iterable[QuestionOutcome],
        resampling: Resampling = DEFAULT,
        chance_of: ChanceOf = credibility_of,
    ) -> "Calibration | None":
        """
        The calibration of outcomes of one budget; None where the strategy gives no chances of
        columns.
        """
        claims = [claim for outcome in outcomes for claim in _claims(outcome, chance_of)]
        if not claims:
            return None
        questions, chances, right = map(np.array, zip(*claims, strict=True))
        places = equal_bins(chances)
        bins = []
        for number in np.unique(places).tolist():
            inside = places == number
            bins.append(
                CalibrationBin(
                    low=number / BINS,
                    high=(number + 1) / BINS,
                    columns=int(inside.sum()),
                    credibility=float(chances[inside].mean()),
                    right=share(right[inside], resampling, questions[inside].tolist()),
                )
            )
        return cls(tuple(bins), len(claims), expected_error(chances, right, places))


def _claims(outcome: QuestionOutcome, chance_of: ChanceOf) -> Iterable[tuple[str, float, float]]:
    """The question, the chance that the answer gives a column, and 1.0 if that is right."""
    right: set[Key] = set()
    for gold in outcome.golds:
        for field in gold.fields:
            right.update(map(column_key, field))
    for column in outcome.prediction.columns:
        chance = chance_of(outcome.prediction, column)
        if chance is not None:
            yield outcome.question.id, chance, float(column_key(column.ref) in right)


class ClaimedChance(Record, frozen=True):
    """
    The chance of being complete, or right, that answers claim on average, and the share of them
    that is.

    `error_by_chance` is what the expected error would be of so many answers if all that they claim
    were true.
    """

    questions: int
    chance: float
    true: Estimate
    expected_error: float
    error_by_chance: float

    @classmethod
    def of_completeness(
        cls, outcomes: Iterable[QuestionOutcome], resampling: Resampling = DEFAULT
    ) -> "ClaimedChance | None":
        """
        What answers of one budget claim of being complete; None where the strategy claims nothing.
        """
        claims = [
            (outcome.prediction.complete, outcome.score.columns.is_complete)
            for outcome in outcomes
            if outcome.prediction.complete is not None
        ]
        return cls._of(claims, resampling)

    @classmethod
    def of_sql(
        cls, judged: Iterable[JudgedSql], resampling: Resampling = DEFAULT
    ) -> "ClaimedChance | None":
        """
        How sure the writer of SQL is of statements, and how many are right; None where it never
        says so.
        """
        claims = [
            (found.confidence, found.verdict == "right")
            for found in judged
            if found.confidence is not None and found.verdict != "gold did not run"
        ]
        return cls._of(claims, resampling)

    @classmethod
    def _of(
        cls, claims: Sequence[tuple[float, bool]], resampling: Resampling
    ) -> "ClaimedChance | None":
        if not claims:
            return None
        chances, true = np.array(claims, dtype=np.float64).T
        bins = _even_bins(chances)
        # The mean distance of a sum of coins from what they promise is that share of its
        # deviation, near enough.
        deviations = np.sqrt(np.bincount(bins, weights=chances * (1 - chances)))
        return cls(
            questions=len(claims),
            chance=float(chances.mean()),
            true=share(true, resampling),
            expected_error=expected_error(chances, true, bins),
            error_by_chance=math.sqrt(2 / math.pi) * float(deviations.sum()) / len(claims),
        )


class RefusalCounts(Record, frozen=True):
    """
    Questions, how many were refused, and how many were refused or warned of: that nothing speaks of
    something.
    """

    questions: int
    refused: int
    warned: int

    @classmethod
    def of(cls, predictions: Iterable[Prediction]) -> "RefusalCounts | None":
        """Refused among the answers that say it; None where none does."""
        known = [prediction for prediction in predictions if prediction.refused is not None]
        if not known:
            return None
        refused = sum(1 for prediction in known if prediction.refused)
        warned = sum(1 for prediction in known if prediction.refused or _is_warned(prediction))
        return cls(len(known), refused, warned)


def _is_warned(prediction: Prediction) -> bool:
    return any(warning.startswith(UNSPOKEN) for warning in prediction.warnings)

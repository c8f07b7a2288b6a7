"""Claims of answers: enter answers, leaves how far their chances are off, and what was refused."""

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

import numpy as np

from linker.evaluation.scoring import column_key
from linker.evaluation.statistics import DEFAULT, Estimate, Resampling, share
from linker.evaluation.types import JudgedSql, Prediction, QuestionOutcome, RankedColumn
from linker.link.answer import UNSPOKEN
from linker.types import Record

BINS = 10
_LEAST_ANSWERS = 10

# The chance that a column of an answer is right, where the answer says it.
ChanceOf = Callable[[Prediction, RankedColumn], float | None]


class _Claim(Record, frozen=True):
    question_id: str
    chance: float
    is_right: bool


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
        binned: dict[int, list[_Claim]] = {}
        for claim in (found for outcome in outcomes for found in _claims(outcome, chance_of)):
            binned.setdefault(min(int(claim.chance * BINS), BINS - 1), []).append(claim)
        if not binned:
            return None
        bins = tuple(_bin(number, binned[number], resampling) for number in sorted(binned))
        columns = sum(found.columns for found in bins)
        return cls(bins, columns, _expected_error(list(binned.values())))


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
            _Claim(
                outcome.question.id, outcome.prediction.complete, outcome.score.columns.is_complete
            )
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
            _Claim("", found.confidence, found.verdict == "right")
            for found in judged
            if found.confidence is not None and found.verdict != "gold did not run"
        ]
        return cls._of(claims, resampling)

    @classmethod
    def _of(cls, claims: Sequence[_Claim], resampling: Resampling) -> "ClaimedChance | None":
        if not claims:
            return None
        ordered = sorted(claims, key=lambda claim: claim.chance)
        bins = min(BINS, max(1, len(ordered) // _LEAST_ANSWERS))
        bounds = [len(ordered) * number // bins for number in range(bins + 1)]
        binned = [ordered[low:high] for low, high in pairwise(bounds)]
        return cls(
            questions=len(claims),
            chance=sum(claim.chance for claim in claims) / len(claims),
            true=share(np.array([float(claim.is_right) for claim in claims]), resampling),
            expected_error=_expected_error(binned),
            error_by_chance=_error_by_chance(binned),
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
        warned = [
            prediction
            for prediction in known
            if prediction.refused
            or any(warning.startswith(UNSPOKEN) for warning in prediction.warnings)
        ]
        return (
            cls(len(known), sum(1 for found in known if found.refused), len(warned))
            if known
            else None
        )


def _expected_error(bins: Sequence[Sequence[_Claim]]) -> float:
    distances = (abs(sum(claim.chance - claim.is_right for claim in claims)) for claims in bins)
    return sum(distances) / sum(map(len, bins))


def _error_by_chance(bins: Sequence[Sequence[_Claim]]) -> float:
    """
    The mean distance of a sum of coins from what they promise is that share of its deviation, near
    enough.
    """
    deviations = (
        math.sqrt(sum(claim.chance * (1 - claim.chance) for claim in claims)) for claims in bins
    )
    return math.sqrt(2 / math.pi) * sum(deviations) / sum(map(len, bins))


def _claims(outcome: QuestionOutcome, chance_of: ChanceOf) -> Iterable[_Claim]:
    right = {column_key(ref) for gold in outcome.golds for field in gold.fields for ref in field}
    for column in outcome.prediction.columns:
        chance = chance_of(outcome.prediction, column)
        if chance is not None:
            yield _Claim(outcome.question.id, chance, column_key(column.ref) in right)


def _bin(number: int, columns: list[_Claim], resampling: Resampling) -> CalibrationBin:
    return CalibrationBin(
        low=number / BINS,
        high=(number + 1) / BINS,
        columns=len(columns),
        credibility=sum(column.chance for column in columns) / len(columns),
        right=share(
            np.array([float(column.is_right) for column in columns]),
            resampling,
            [column.question_id for column in columns],
        ),
    )

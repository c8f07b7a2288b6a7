"""
Claims of answers, held against what is right: enter outcomes, leaves how far credibilities are off.

A returned column is right when a statement that answers the question reads it. Credibility 0.9 is calibrated when
nine of ten such columns are right. Columns without a credibility do not count. Columns of one question are right and
wrong together, so intervals draw whole questions, never single columns.
The expected calibration error is the mean distance between credibility and share over the bins, by their columns.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from linker.evaluation.scoring import column_key
from linker.evaluation.statistics import DEFAULT, Estimate, Resampling, share
from linker.evaluation.types import QuestionOutcome

BINS = 10


@dataclass(frozen=True, slots=True)
class CalibrationBin:
    """The columns whose credibility lies between two bounds; the upper one belongs only to the last bin."""

    low: float
    high: float
    columns: int
    credibility: float
    right: Estimate


@dataclass(frozen=True, slots=True)
class Calibration:
    """The bins that hold columns, and how far they are off on average."""

    bins: tuple[CalibrationBin, ...]
    columns: int
    expected_error: float


@dataclass(frozen=True, slots=True)
class _ReturnedColumn:
    question_id: str
    credibility: float
    is_right: bool


def calibrate(outcomes: Iterable[QuestionOutcome], resampling: Resampling = DEFAULT) -> Calibration | None:
    """The calibration of outcomes of one budget; None where the strategy gives no credibility."""
    binned: dict[int, list[_ReturnedColumn]] = {}
    for column in (returned for outcome in outcomes for returned in _returned_columns(outcome)):
        binned.setdefault(min(int(column.credibility * BINS), BINS - 1), []).append(column)
    if not binned:
        return None
    bins = tuple(_bin(number, binned[number], resampling) for number in sorted(binned))
    columns = sum(found.columns for found in bins)
    error = sum(found.columns * abs(found.right.value - found.credibility) for found in bins) / columns
    return Calibration(bins, columns, error)


def _returned_columns(outcome: QuestionOutcome) -> Iterable[_ReturnedColumn]:
    right = {column_key(ref) for gold in outcome.golds for field in gold.fields for ref in field}
    for column in outcome.prediction.columns:
        if column.credibility is not None:
            yield _ReturnedColumn(outcome.question.id, column.credibility, column_key(column.ref) in right)


def _bin(number: int, columns: list[_ReturnedColumn], resampling: Resampling) -> CalibrationBin:
    return CalibrationBin(
        low=number / BINS,
        high=(number + 1) / BINS,
        columns=len(columns),
        credibility=sum(column.credibility for column in columns) / len(columns),
        right=share(
            np.array([float(column.is_right) for column in columns]),
            resampling,
            [column.question_id for column in columns],
        ),
    )

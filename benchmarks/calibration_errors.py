"""
How far the chances of the ranking are off: enter rankings of databases that were held out, leave
expected errors.

What is reported was held out once more: each part of the databases has calibrations of the others.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from linker.evaluation.tuning.calibrating import HeldOutRanking, calibrated
from linker.ranking.likelihood import Likelihoods, likelihoods
from linker.ranking.table_words import Floats
from linker.ranking.weights import Weights

SIZES = (12, 40, 160)
_BINS = 10


@dataclass(frozen=True, slots=True)
class CalibrationErrors:
    """Expected calibration errors of a suite: of its columns, and of completeness by size."""

    suite: str
    columns: float
    complete: tuple[float, ...]


def calibration_errors(
    rankings: Sequence[HeldOutRanking], weights: Weights
) -> list[CalibrationErrors]:
    """
    How far the chances are off, of all and of each suite: each fold by calibrations of the others.
    """
    found: list[tuple[HeldOutRanking, Likelihoods]] = []
    for fold in sorted({ranking.fold for ranking in rankings}):
        others = calibrated([ranking for ranking in rankings if ranking.fold != fold], weights)
        found += [
            (ranking, likelihoods(ranking.ranked, others))
            for ranking in rankings
            if ranking.fold == fold
        ]
    suites = list(dict.fromkeys(ranking.example.suite for ranking in rankings))
    return [
        CalibrationErrors(
            name,
            expected_error(
                np.concatenate([likely.columns for _, likely in some]),
                np.concatenate([ranking.example.column_labels for ranking, _ in some]),
            ),
            tuple(_error_of_completeness(some, size) for size in SIZES),
        )
        for name in ("all", *suites)
        if (some := [pair for pair in found if name in ("all", pair[0].example.suite)])
    ]


def _error_of_completeness(found: Sequence[tuple[HeldOutRanking, Likelihoods]], size: int) -> float:
    chances = [likely.complete(ranking.order[:size]) for ranking, likely in found]
    return expected_error(
        np.array(chances), np.array([ranking.smallest_complete <= size for ranking, _ in found])
    )


def expected_error(chances: Floats, is_right: Floats) -> float:
    """The mean distance between chance and share over ten bins, by how much lies in each."""
    bins = np.minimum((chances * _BINS).astype(np.int64), _BINS - 1)
    distances = np.abs(np.bincount(bins, weights=chances - is_right.astype(np.float64)))
    return float(distances.sum() / len(chances))

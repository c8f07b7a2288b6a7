"""
Calibration error of the ranking on held-out databases.

Calibration is cross-validated too: each part of the databases uses calibrations of the others.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from linker.evaluation.summary import expected_error
from linker.evaluation.training import HeldOutRanking, calibrated
from linker.ranking.calibration import Likelihoods, likelihoods
from linker.ranking.weights import Weights

SIZES = (12, 40, 160)


@dataclass(frozen=True, slots=True)
class CalibrationErrors:
    """Expected calibration errors of a suite: of its columns, and of completeness by size."""

    suite: str
    columns: float
    complete: tuple[float, ...]


def calibration_errors(
    rankings: Sequence[HeldOutRanking], weights: Weights
) -> list[CalibrationErrors]:
    """Errors overall and by suite; folds use calibrations of the others."""
    found: list[tuple[HeldOutRanking, Likelihoods]] = []
    for fold in sorted({ranking.fold for ranking in rankings}):
        others = calibrated([ranking for ranking in rankings if ranking.fold != fold], weights)
        found += [
            (ranking, likelihoods(ranking.ranked, others))
            for ranking in rankings
            if ranking.fold == fold
        ]
    by_suite: dict[str, list[tuple[HeldOutRanking, Likelihoods]]] = {"all": found}
    for ranking, likely in found:
        by_suite.setdefault(ranking.example.suite, []).append((ranking, likely))
    return [_errors(name, pairs) for name, pairs in by_suite.items()]


def _errors(name: str, found: Sequence[tuple[HeldOutRanking, Likelihoods]]) -> CalibrationErrors:
    chances = np.concatenate([likely.columns for _, likely in found])
    labels = np.concatenate([ranking.example.column_labels for ranking, _ in found])
    complete = tuple(_error_of_completeness(found, size) for size in SIZES)
    return CalibrationErrors(name, expected_error(chances, labels), complete)


def _error_of_completeness(found: Sequence[tuple[HeldOutRanking, Likelihoods]], size: int) -> float:
    chances = [likely.complete(ranking.order[:size]) for ranking, likely in found]
    return expected_error(
        np.array(chances), np.array([ranking.smallest_complete <= size for ranking, _ in found])
    )

"""
Fits what makes chances of a ranking's log-odds: enter rankings of databases that were held out, leave calibrations.

A calibration fitted where the ranking had learned would promise too much; it is fitted on rankings of databases that
the weights had not seen, and what is reported of it was held out once more.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from linker.evaluation.tuning.examples import Example
from linker.evaluation.tuning.training import fit
from linker.ranking.allocation import allocate
from linker.ranking.known import Named
from linker.ranking.likelihood import Likelihoods, completeness_features, likelihood_features, likelihoods
from linker.ranking.ranker import Ranked
from linker.ranking.table_words import Floats
from linker.ranking.weights import Regression, Weights, stacked

# Answers of so many columns are looked at, and those of these sizes are reported.
_SIZES = (4, 6, 8, 12, 16, 20, 25, 30, 40, 60, 80, 120, 160, 240)
REPORTED_SIZES = (12, 40, 160)
_STRENGTH = 0.1
_BINS = 10


@dataclass(frozen=True)
class HeldOutRanking:
    """A question's ranking by weights that never saw its database, the order of its columns, and its fold."""

    example: Example
    ranked: Ranked
    fold: int
    order: tuple[int, ...]
    smallest_complete: int

    @property
    def is_about_all(self) -> bool:
        """True where all about something is asked for: those tables are needed whole, whatever columns are like."""
        return "all" in self.example.evidence.matches.question.asks


def held_out_ranking(example: Example, ranked: Ranked, fold: int) -> HeldOutRanking:
    """The same, with how many columns of the order it takes until all that is needed is there."""
    order = allocate(ranked, len(ranked.columns)).columns
    shortest, longest = 0, len(order) + 1
    while longest - shortest > 1:
        middle = (shortest + longest) // 2
        is_complete = example.is_complete(frozenset(order[:middle]))
        shortest, longest = (shortest, middle) if is_complete else (middle, longest)
    return HeldOutRanking(example, ranked, fold, order, longest)


def calibrated(rankings: Sequence[HeldOutRanking], weights: Weights) -> Weights:
    """The weights with calibrations."""
    importance = _importance(rankings)
    single = [(ranking, weight) for ranking, weight in zip(rankings, importance, strict=True)]
    with_single = replace(
        weights,
        likely_tables=_fitted(
            (likelihood_features(ranking.ranked.tables), ranking.example.table_labels, weight)
            for ranking, weight in single
        ),
        likely_columns=_fitted(
            (likelihood_features(ranking.ranked.columns), ranking.example.column_labels, weight)
            for ranking, weight in single
            if not ranking.is_about_all
        ),
    )
    return replace(
        with_single,
        complete=_fitted(
            (*_completeness(ranking, likelihoods(ranking.ranked, with_single)), weight)
            for ranking, weight in zip(rankings, importance, strict=True)
        ),
    )


def _completeness(ranking: HeldOutRanking, likely: Likelihoods) -> tuple[Named, Floats]:
    """For answers of several sizes what says how complete they are, and which of them are."""
    sizes = np.array(sorted({min(size, len(ranking.order)) for size in _SIZES}), dtype=np.int64)
    gained = likely.gained(np.array(ranking.order, dtype=np.int64))[sizes - 1]
    return completeness_features(likely, gained), (sizes >= ranking.smallest_complete).astype(np.float32)


def _importance(rankings: Sequence[HeldOutRanking]) -> list[float]:
    """A suite of four times the questions counts twice as much."""
    counts = Counter(ranking.example.suite for ranking in rankings)
    return [counts[ranking.example.suite] ** -0.5 for ranking in rankings]


def _fitted(parts: Iterable[tuple[Named, Floats, float]]) -> Regression:
    """One regression over the rows of all questions; a large catalogue counts more, but not by all its columns."""
    rows, answers, importance = [], [], []
    features: list[str] = []
    for named, right, weight in parts:
        features = list(named)
        rows.append(stacked(named, features))
        answers.append(right)
        importance.append(np.full(len(right), weight * len(right) ** -0.5))
    return fit(features, np.concatenate(rows), np.concatenate(answers), np.concatenate(importance), _STRENGTH)


@dataclass(frozen=True, slots=True)
class CalibrationErrors:
    """Expected calibration errors of a suite: of its columns, and of completeness by size."""

    suite: str
    columns: float
    complete: tuple[float, ...]


def calibration_errors(rankings: Sequence[HeldOutRanking], weights: Weights) -> list[CalibrationErrors]:
    """How far the chances are off, of all and of each suite: each fold by calibrations of the others."""
    found: list[tuple[HeldOutRanking, Likelihoods]] = []
    for fold in sorted({ranking.fold for ranking in rankings}):
        others = calibrated([ranking for ranking in rankings if ranking.fold != fold], weights)
        found += [(ranking, likelihoods(ranking.ranked, others)) for ranking in rankings if ranking.fold == fold]
    suites = list(dict.fromkeys(ranking.example.suite for ranking in rankings))
    return [
        CalibrationErrors(
            name,
            expected_error(
                np.concatenate([likely.columns for _, likely in some]),
                np.concatenate([ranking.example.column_labels for ranking, _ in some]),
            ),
            tuple(_error_of_completeness(some, size) for size in REPORTED_SIZES),
        )
        for name in ("all", *suites)
        if (some := [pair for pair in found if name in ("all", pair[0].example.suite)])
    ]


def _error_of_completeness(found: Sequence[tuple[HeldOutRanking, Likelihoods]], size: int) -> float:
    chances = [likely.complete(ranking.order[:size]) for ranking, likely in found]
    return expected_error(np.array(chances), np.array([ranking.smallest_complete <= size for ranking, _ in found]))


def expected_error(chances: Floats, is_right: Floats) -> float:
    """The mean distance between chance and share over ten bins, by how much lies in each."""
    bins = np.minimum((chances * _BINS).astype(np.int64), _BINS - 1)
    distances = np.abs(np.bincount(bins, weights=chances - is_right.astype(np.float64)))
    return float(distances.sum() / len(chances))

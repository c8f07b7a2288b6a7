"""
Fits what makes chances of a ranking's log-odds.

A calibration fitted where the ranking had learned would promise too much; it is fitted on rankings
of databases that the weights had not seen.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from msgspec.structs import replace

from linker.evaluation.tuning.examples import Example
from linker.evaluation.tuning.training import fit
from linker.ranking.allocation import allocate
from linker.ranking.known import Named
from linker.ranking.likelihood import (
    Likelihoods,
    completeness_features,
    likelihood_features,
    likelihoods,
)
from linker.ranking.ranker import Ranked
from linker.ranking.table_words import Floats
from linker.ranking.weights import Regression, Weights, stacked
from linker.types import Record

# Answers of so many columns are looked at.
_SIZES = (4, 6, 8, 12, 16, 20, 25, 30, 40, 60, 80, 120, 160, 240)
_STRENGTH = 0.1


class HeldOutRanking(Record, frozen=True):
    """
    A question's ranking by weights that never saw its database, the order of its columns, and its
    fold.
    """

    example: Example
    ranked: Ranked
    fold: int
    order: tuple[int, ...]
    smallest_complete: int


def held_out_ranking(example: Example, ranked: Ranked, fold: int) -> HeldOutRanking:
    """The same, with how many columns of the order it takes until all that is needed is there."""
    order = allocate(ranked, len(ranked.columns)).columns
    sizes = range(1, len(order) + 1)
    too_small = bisect_left(
        sizes, True, key=lambda size: example.is_complete(frozenset(order[:size]))
    )
    return HeldOutRanking(example, ranked, fold, order, too_small + 1)


def calibrated(rankings: Sequence[HeldOutRanking], weights: Weights) -> Weights:
    """The weights with calibrations."""
    single = [*zip(rankings, _importance(rankings), strict=True)]
    with_single = replace(
        weights,
        likely_tables=_fitted(
            (likelihood_features(ranking.ranked.tables), ranking.example.table_labels, weight)
            for ranking, weight in single
        ),
        likely_columns=_fitted(
            (likelihood_features(ranking.ranked.columns), ranking.example.column_labels, weight)
            for ranking, weight in single
            # Where all about something is asked for, tables are needed whole, whatever columns are
            # like.
            if "all" not in ranking.example.evidence.matches.question.asks
        ),
    )
    return replace(
        with_single,
        complete=_fitted(
            (*_completeness(ranking, likelihoods(ranking.ranked, with_single)), weight)
            for ranking, weight in single
        ),
    )


def _completeness(ranking: HeldOutRanking, likely: Likelihoods) -> tuple[Named, Floats]:
    """For answers of several sizes what says how complete they are, and which of them are."""
    sizes = np.array(sorted({min(size, len(ranking.order)) for size in _SIZES}), dtype=np.int64)
    gained = likely.gained(np.array(ranking.order, dtype=np.int64))[sizes - 1]
    return completeness_features(likely, gained), (sizes >= ranking.smallest_complete).astype(
        np.float32
    )


def _importance(rankings: Sequence[HeldOutRanking]) -> list[float]:
    """A suite of four times the questions counts twice as much."""
    counts = Counter(ranking.example.suite for ranking in rankings)
    return [counts[ranking.example.suite] ** -0.5 for ranking in rankings]


def _fitted(parts: Iterable[tuple[Named, Floats, float]]) -> Regression:
    """
    One regression over the rows of all questions; a large catalogue counts more, but not by all its
    columns.
    """
    rows, answers, importance = [], [], []
    features: list[str] = []
    for named, right, weight in parts:
        features = list(named)
        rows.append(stacked(named, features))
        answers.append(right)
        importance.append(np.full(len(right), weight * len(right) ** -0.5))
    return fit(
        features,
        np.concatenate(rows),
        np.concatenate(answers),
        np.concatenate(importance),
        _STRENGTH,
    )

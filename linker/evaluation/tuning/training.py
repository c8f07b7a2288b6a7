"""
Fits the four stages of the ranking one after another.

Every question counts the same. In the stages that tell columns from all others by themselves, what
is right and what is wrong weigh the same; in the others every row does, so that the many wrong ones
keep them careful.

Each is a logistic regression with L2, found by Newton's method.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from linker.evaluation.tuning.examples import Example
from linker.ranking.features import (
    column_features,
    neighbour_features,
    table_features,
    twin_features,
)
from linker.ranking.known import Named
from linker.ranking.ranker import Ranked, rank_evidence
from linker.ranking.table_words import Floats
from linker.ranking.weights import Regression, Weights, stacked
from linker.types import Record

Matrix = npt.NDArray[np.floating[Any]]

_MOST_STEPS = 30
_CLOSE_ENOUGH = 1e-6
_LEAST_DEVIATION = 1e-6


def fit(
    features: Sequence[str], rows: Matrix, answers: Matrix, importance: Matrix, strength: float
) -> Regression:
    """
    The regression that explains the answers best.

    `strength` is that of the pull towards zero, per standardised feature, against a total
    importance of one thousand.
    """
    rows, answers = rows.astype(np.float64), answers.astype(np.float64)
    importance = importance * (1000.0 / importance.sum())
    means = np.average(rows, axis=0, weights=importance)
    deviations = np.sqrt(np.average((rows - means) ** 2, axis=0, weights=importance))
    # A feature that never differs in training says nothing later either.
    is_telling = deviations > _LEAST_DEVIATION
    deviations = np.where(is_telling, deviations, 1.0)
    standard = np.column_stack(
        [np.where(is_telling, (rows - means) / deviations, 0.0), np.ones(len(rows))]
    )
    pull = np.full(standard.shape[1], strength)
    pull[-1] = 1e-6
    slopes = _newton(_Problem(standard, answers, importance, pull))
    return Regression(
        features=tuple(features),
        means=tuple(float(value) for value in means),
        deviations=tuple(float(value) for value in deviations),
        weights=tuple(float(value) for value in slopes[:-1]),
        intercept=float(slopes[-1]),
    )


class _Problem(Record, frozen=True):
    """Rows to be explained, and how strongly each slope is pulled to zero."""

    rows: Matrix
    answers: Matrix
    importance: Matrix
    pull: Matrix

    def loss(self, slopes: Matrix) -> float:
        odds = self.rows @ slopes
        misfit = self.importance @ (np.logaddexp(0, odds) - self.answers * odds)
        return float(misfit + 0.5 * (self.pull * slopes) @ slopes)

    def step(self, slopes: Matrix) -> Matrix:
        chances = 1 / (1 + np.exp(-np.clip(self.rows @ slopes, -30, 30)))
        gradient = self.rows.T @ (self.importance * (chances - self.answers)) + self.pull * slopes
        weights = self.importance * chances * (1 - chances)
        step: Matrix = np.linalg.solve(
            (self.rows * weights[:, None]).T @ self.rows + np.diag(self.pull), gradient
        )
        return step


def _newton(problem: _Problem) -> Matrix:
    slopes: Matrix = np.zeros(problem.rows.shape[1])
    loss = problem.loss(slopes)
    for _ in range(_MOST_STEPS):
        before = loss
        slopes, loss = _shortened(problem, slopes, problem.step(slopes), before)
        if before - loss < _CLOSE_ENOUGH * max(1.0, abs(loss)):
            break
    return slopes


def _shortened(
    problem: _Problem, slopes: Matrix, step: Matrix, before: float
) -> tuple[Matrix, float]:
    """A step that does not make it worse, halved as often as that takes."""
    for halvings in range(20):
        tried = slopes - step * 0.5**halvings
        loss = problem.loss(tried)
        if loss <= before:
            return tried, loss
    return slopes, before


_BALANCED = ("columns",)
# Found by holding databases out in turn: tables carry over best under a strong pull, columns under
# a light one.
STRENGTHS = {"tables": 60.0, "neighbours": 300.0, "columns": 3.0, "twins": 30.0}


NO_FEATURES: frozenset[str] = frozenset()


def train(
    examples: Sequence[Example], command: str = "", *, without: frozenset[str] = NO_FEATURES
) -> Weights:
    """
    Weights for tables by themselves and among neighbours, then for columns by themselves and among
    each other.

    Features may be left out, to see what they are good for.
    """
    fitting = _Fitting(examples, _importance(examples), without)
    firsts = [table_features(example.evidence) for example in examples]
    tables = fitting.stage("tables", firsts)
    logits = [tables.logits(named) for named in firsts]
    seconds = [
        neighbour_features(example.evidence, odds)
        for example, odds in zip(examples, logits, strict=True)
    ]
    neighbours = fitting.stage("neighbours", seconds)
    logits = [neighbours.logits(named) for named in seconds]
    thirds = [
        column_features(example.evidence, odds)
        for example, odds in zip(examples, logits, strict=True)
    ]
    columns = fitting.stage("columns", thirds)
    fourths = [
        twin_features(example.evidence, odds, columns.logits(named))
        for example, odds, named in zip(examples, logits, thirds, strict=True)
    ]
    return Weights(tables, neighbours, columns, fitting.stage("twins", fourths), command=command)


class _Fitting(Record, frozen=True):
    examples: Sequence[Example]
    importance: Sequence[float]
    without: frozenset[str]

    def stage(self, stage: str, named: Sequence[Named]) -> Regression:
        """One regression over the tables or the columns of all questions."""
        features = [name for name in named[0] if name not in self.without]
        rows, answers, importance = [], [], []
        for example, columns_of_features, weight in zip(
            self.examples, named, self.importance, strict=True
        ):
            of_tables = stage in ("tables", "neighbours")
            labels = example.table_labels if of_tables else example.column_labels
            counts = (example.table_importance if of_tables else example.column_importance) > 0
            right = labels[counts]
            if right.any():
                rows.append(stacked(columns_of_features, features)[counts])
                answers.append(right)
                importance.append(weight * _weights(right, is_balanced=stage in _BALANCED))
        return fit(
            features,
            np.concatenate(rows),
            np.concatenate(answers),
            np.concatenate(importance),
            STRENGTHS[stage],
        )


def _weights(right: Floats, *, is_balanced: bool) -> Floats:
    """Importance of each row: those that are right count one together, whatever their number."""
    count = float(right.sum())
    wrong = count if not is_balanced else max(len(right) - count, 1.0)
    return np.where(right > 0, 1 / count, 1 / wrong)


def _importance(examples: Sequence[Example]) -> list[float]:
    """No suite counts more than another for having more questions."""
    counts = Counter(example.suite for example in examples)
    return [1 / counts[example.suite] for example in examples]


def ranked_example(example: Example, weights: Weights) -> Ranked:
    """
    The ranking of an example, without what reasons are made of: that of many questions would fill
    the memory.
    """
    return replace(rank_evidence(example.evidence, weights), column_features={})

"""Logistic regression with L2 by Newton's method: enter weighted rows and answers, leaves a stage of the ranking."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from linker.ranking.weights import Regression

Matrix = npt.NDArray[np.floating[Any]]

_MOST_STEPS = 30
_CLOSE_ENOUGH = 1e-6
_LEAST_DEVIATION = 1e-6


def fit(features: Sequence[str], rows: Matrix, answers: Matrix, importance: Matrix, strength: float) -> Regression:
    """
    The regression that explains the answers best.

    `strength` is that of the pull towards zero, per standardised feature, against a total importance of one thousand.
    """
    rows, answers = rows.astype(np.float64), answers.astype(np.float64)
    importance = importance * (1000.0 / importance.sum())
    means = np.average(rows, axis=0, weights=importance)
    deviations = np.sqrt(np.average((rows - means) ** 2, axis=0, weights=importance))
    # A feature that never differs in training says nothing later either.
    is_telling = deviations > _LEAST_DEVIATION
    deviations = np.where(is_telling, deviations, 1.0)
    standard = np.column_stack([np.where(is_telling, (rows - means) / deviations, 0.0), np.ones(len(rows))])
    pull = np.full(standard.shape[1], strength)
    pull[-1] = 1e-6
    slopes = _newton(_Problem(standard, answers, importance, pull))
    return Regression(
        features=tuple(features),
        means=tuple(float(one) for one in means),
        deviations=tuple(float(one) for one in deviations),
        weights=tuple(float(one) for one in slopes[:-1]),
        intercept=float(slopes[-1]),
    )


@dataclass(frozen=True)
class _Problem:
    """What is to be explained, and how strongly each slope is pulled to zero."""

    rows: Matrix
    answers: Matrix
    importance: Matrix
    pull: Matrix

    def loss(self, slopes: Matrix) -> float:
        odds = self.rows @ slopes
        told = self.importance @ (np.logaddexp(0, odds) - self.answers * odds)
        return float(told + 0.5 * (self.pull * slopes) @ slopes)

    def step(self, slopes: Matrix) -> Matrix:
        chances = 1 / (1 + np.exp(-np.clip(self.rows @ slopes, -30, 30)))
        gradient = self.rows.T @ (self.importance * (chances - self.answers)) + self.pull * slopes
        weights = self.importance * chances * (1 - chances)
        step: Matrix = np.linalg.solve((self.rows * weights[:, None]).T @ self.rows + np.diag(self.pull), gradient)
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


def _shortened(problem: _Problem, slopes: Matrix, step: Matrix, before: float) -> tuple[Matrix, float]:
    """A step that does not make it worse, halved as often as that takes."""
    for halvings in range(20):
        tried = slopes - step * 0.5**halvings
        loss = problem.loss(tried)
        if loss <= before:
            return tried, loss
    return slopes, before

"""Logistic regression with L2 by Newton's method: enter weighted rows and answers, leaves a stage of the ranking."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from linker.ranking.weights import Stage

Matrix = npt.NDArray[np.float64]

_MOST_STEPS = 30
_CLOSE_ENOUGH = 1e-6
_LEAST_DEVIATION = 1e-6


def fit(features: Sequence[str], rows: Matrix, answers: Matrix, importance: Matrix, strength: float) -> Stage:
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
    slopes = _newton(standard, answers, importance, pull)
    return Stage(
        features=tuple(features),
        means=tuple(float(one) for one in means),
        deviations=tuple(float(one) for one in deviations),
        weights=tuple(float(one) for one in slopes[:-1]),
        intercept=float(slopes[-1]),
    )


def _newton(rows: Matrix, answers: Matrix, importance: Matrix, pull: Matrix) -> Matrix:
    slopes = np.zeros(rows.shape[1])
    loss = _loss(rows, answers, importance, pull, slopes)
    for _ in range(_MOST_STEPS):
        chances = 1 / (1 + np.exp(-np.clip(rows @ slopes, -30, 30)))
        gradient = rows.T @ (importance * (chances - answers)) + pull * slopes
        curvature = (rows * (importance * chances * (1 - chances))[:, None]).T @ rows + np.diag(pull)
        step = np.linalg.solve(curvature, gradient)
        before = loss
        slopes, loss = _shortened(rows, answers, importance, pull, slopes, step, before)
        if before - loss < _CLOSE_ENOUGH * max(1.0, abs(loss)):
            break
    return slopes


def _shortened(
    rows: Matrix, answers: Matrix, importance: Matrix, pull: Matrix, slopes: Matrix, step: Matrix, before: float
) -> tuple[Matrix, float]:
    """A step that does not make it worse, halved as often as that takes."""
    for halvings in range(20):
        tried = slopes - step * 0.5**halvings
        loss = _loss(rows, answers, importance, pull, tried)
        if loss <= before:
            return tried, loss
    return slopes, before


def _loss(rows: Matrix, answers: Matrix, importance: Matrix, pull: Matrix, slopes: Matrix) -> float:
    odds = rows @ slopes
    return float(importance @ (np.logaddexp(0, odds) - answers * odds) + 0.5 * (pull * slopes) @ slopes)

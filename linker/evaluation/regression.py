"""
Logistic regression with L2 on standardised features, by Newton's method.

With the question of each row, every needed row is also ranked against the unneeded rows of its
question (softmax), since probabilities alone compare rows of different questions.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from linker.ranking.table_tokens import Ints
from linker.ranking.weights import Regression
from linker.types import Record

Matrix = npt.NDArray[np.floating[Any]]
_MAX_STEPS = 30
_CLOSE_ENOUGH = 1e-6
_MIN_DEVIATION = 1e-6
_TOTAL = 1000.0
# Importance of ranking, as a share of the total; more ranks better and finds fewer further tables.
_OF_RANKING = 0.1


def fit(
    features: Sequence[str],
    rows: Matrix,
    answers: Matrix,
    importance: Matrix,
    strength: float,
    questions: Ints | None = None,
) -> Regression:
    """
    Fit a logistic regression.

    `strength` is the L2 penalty per standardised feature, for a total importance of one thousand.
    `questions` numbers the question of each row, ascending, if they are to be ranked.
    """
    rows, answers = rows.astype(np.float64), answers.astype(np.float64)
    importance = importance * (_TOTAL / importance.sum())
    means = np.average(rows, axis=0, weights=importance)
    deviations = np.sqrt(np.average((rows - means) ** 2, axis=0, weights=importance))
    # Constant features are dropped.
    is_informative = deviations > _MIN_DEVIATION
    deviations = np.where(is_informative, deviations, 1.0)
    standard = np.column_stack(
        [np.where(is_informative, (rows - means) / deviations, 0.0), np.ones(len(rows))]
    )
    pull = np.full(standard.shape[1], strength)
    pull[-1] = 1e-6
    lists = None if questions is None else _lists(questions, answers, importance)
    slopes = _newton(_Problem(standard, answers, importance, pull, lists))
    return Regression(
        features=tuple(features),
        means=tuple(float(value) for value in means),
        deviations=tuple(float(value) for value in deviations),
        weights=tuple(float(value) for value in slopes[:-1]),
        intercept=float(slopes[-1]),
    )


class _Lists(Record, frozen=True):
    """Each needed row against the unneeded rows of its question; `starts` are first rows."""

    starts: Ints
    question_of: Ints
    needed: Ints
    importance: Matrix

    def loss(self, odds: Matrix) -> float:
        _, right, total = self._terms(odds)
        return float(self.importance @ (np.log(total) - np.log(np.maximum(right, 1e-300))))

    def curvature(self, rows: Matrix, odds: Matrix) -> tuple[Matrix, Matrix]:
        """Gradient and Hessian."""
        wrong, right, total = self._terms(odds)
        question = self.question_of[self.needed]
        per_question = np.bincount(question, self.importance / total, minlength=len(self.starts))
        weights = per_question[self.question_of] * wrong
        weights[self.needed] = self.importance * right / total
        excess = weights.copy()
        excess[self.needed] -= self.importance
        sums = np.add.reduceat(rows * wrong[:, None], self.starts)[question]
        means = (rows[self.needed] * right[:, None] + sums) / total[:, None]
        hessian = (rows * weights[:, None]).T @ rows - (means * self.importance[:, None]).T @ means
        return rows.T @ excess, hessian

    def _terms(self, odds: Matrix) -> tuple[Matrix, Matrix, Matrix]:
        """Exponentials of unneeded and needed rows, and the total that each needed row is in."""
        highest = np.maximum.reduceat(odds, self.starts)
        wrong = np.exp(odds - highest[self.question_of])
        right = wrong[self.needed]
        wrong[self.needed] = 0.0
        beside = np.add.reduceat(wrong, self.starts)[self.question_of[self.needed]]
        return wrong, right, right + beside


def _lists(questions: Ints, answers: Matrix, importance: Matrix) -> _Lists:
    """The rows of each question as a list."""
    _, starts, question_of = np.unique(questions, return_index=True, return_inverse=True)
    needed = np.flatnonzero(answers)
    of_needed = importance[needed] * (_OF_RANKING * _TOTAL / importance[needed].sum())
    return _Lists(starts, question_of, needed, of_needed)


class _Problem(Record, frozen=True):
    """Rows to fit, the penalty of each slope, and lists to rank."""

    rows: Matrix
    answers: Matrix
    importance: Matrix
    pull: Matrix
    lists: _Lists | None

    def loss(self, slopes: Matrix) -> float:
        odds = self.rows @ slopes
        misfit = float(self.importance @ (np.logaddexp(0, odds) - self.answers * odds))
        ranking = self.lists.loss(odds) if self.lists else 0.0
        return misfit + ranking + 0.5 * float((self.pull * slopes) @ slopes)

    def step(self, slopes: Matrix) -> Matrix:
        odds = self.rows @ slopes
        chances = 1 / (1 + np.exp(-np.clip(odds, -30, 30)))
        gradient = self.rows.T @ (self.importance * (chances - self.answers)) + self.pull * slopes
        weights = self.importance * chances * (1 - chances)
        hessian = (self.rows * weights[:, None]).T @ self.rows + np.diag(self.pull)
        if self.lists:
            more = self.lists.curvature(self.rows, odds)
            gradient, hessian = gradient + more[0], hessian + more[1]
        step: Matrix = np.linalg.solve(hessian, gradient)
        return step


def _newton(problem: _Problem) -> Matrix:
    slopes: Matrix = np.zeros(problem.rows.shape[1])
    loss = problem.loss(slopes)
    for _ in range(_MAX_STEPS):
        before = loss
        slopes, loss = _shortened(problem, slopes, problem.step(slopes), before)
        if before - loss < _CLOSE_ENOUGH * max(1.0, abs(loss)):
            break
    return slopes


def _shortened(
    problem: _Problem, slopes: Matrix, step: Matrix, before: float
) -> tuple[Matrix, float]:
    """A Newton step, halved until it does not increase the loss."""
    for halvings in range(20):
        tried = slopes - step * 0.5**halvings
        loss = problem.loss(tried)
        if loss <= before:
            return tried, loss
    return slopes, before

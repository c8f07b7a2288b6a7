"""Logistic regression that also ranks the rows of each question."""

import numpy as np
import pytest

from linker.evaluation.training import fit


def ahead(*, is_ranked: bool) -> float:
    """
    Odds of the needed row over the other row of the second question.

    Questions differ by a feature that says nothing inside one: the first has both rows high.
    """
    rows = np.array([[5.0, 1.0], [5.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    answers, importance = np.array([1.0, 0.0, 1.0, 0.0]), np.ones(4)
    questions = np.array([0, 0, 1, 1]) if is_ranked else None
    fitted = fit(("level", "word"), rows, answers, importance, 60.0, questions)
    odds = fitted.logits({"level": rows[:, 0], "word": rows[:, 1]})
    assert fitted.weights[0] == pytest.approx(0, abs=1e-6)
    return float(odds[2] - odds[3])


def test_ranking_moves_the_needed_row_further_ahead_of_its_question() -> None:
    assert ahead(is_ranked=True) > ahead(is_ranked=False) > 0


def sigmoid(odds: float) -> float:
    return float(1 / (1 + np.exp(-odds)))


def test_a_fit_satisfies_its_equation() -> None:
    # One feature of -1 and 1: at the optimum its weight w solves, by hand,
    # 1000 (1 - s(w)) + 100 (1 - s(2w)) 2 = 60 w, with s the sigmoid.
    rows, answers = np.array([[1.0], [-1.0]]), np.array([1.0, 0.0])
    fitted = fit(("word",), rows, answers, np.ones(2), 60.0, np.array([0, 0]))
    (w,) = fitted.weights
    assert 1000 * (1 - sigmoid(w)) + 200 * (1 - sigmoid(2 * w)) == pytest.approx(60 * w, rel=1e-3)

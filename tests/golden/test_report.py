"""Evaluation reports as golden files."""

from collections.abc import Callable

import pytest

from linker.evaluation import EvaluationRun
from linker.evaluation.report import (
    render_comparison,
    render_comparison_json,
    render_figures,
    render_json,
)
from linker.evaluation.statistics import EvaluationComparison, compare
from linker.evaluation.summary import Summary, summarise
from tests.two_runs import FEW, two_runs


@pytest.fixture(scope="module")
def runs() -> tuple[EvaluationRun, EvaluationRun]:
    return two_runs()


@pytest.fixture(scope="module")
def summaries(runs: tuple[EvaluationRun, EvaluationRun]) -> tuple[Summary, ...]:
    return tuple(summary for run in runs for summary in summarise(run, FEW))


@pytest.fixture(scope="module")
def compared(runs: tuple[EvaluationRun, EvaluationRun]) -> EvaluationComparison:
    return compare(*runs, FEW)


def test_the_figures_as_json(
    golden: Callable[[str, str], None], summaries: tuple[Summary, ...]
) -> None:
    golden("report/figures.json", render_json(summaries[-1:]))


def test_the_figures_in_a_terminal(
    golden: Callable[[str, str], None], summaries: tuple[Summary, ...]
) -> None:
    golden("report/figures.txt", render_figures(summaries, width=100, color=False))


def test_a_comparison_in_a_terminal(
    golden: Callable[[str, str], None], compared: EvaluationComparison
) -> None:
    golden("report/comparison.txt", render_comparison(compared, width=100, color=False))


def test_a_comparison_as_json(
    golden: Callable[[str, str], None], compared: EvaluationComparison
) -> None:
    golden("report/comparison.json", render_comparison_json(compared))

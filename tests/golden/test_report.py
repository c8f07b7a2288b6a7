"""The reports on a few answers, kept as files: each kind of report is read as a diff."""

from collections.abc import Callable
from typing import Any

import pytest

from linker.evals.compare import Comparison, compare
from linker.evals.curves import curve
from linker.evals.report.as_json import render_comparison_json, render_json
from linker.evals.report.html import render_html
from linker.evals.report.markdown import render_markdown
from linker.evals.report.terminal import render_comparison, render_figures
from linker.evals.statistics import Resampling
from linker.evals.summary import Summary, summarise
from linker.evals.types import Outcome, Prediction, Run
from tests.evaluations import answer, column, gold, outcome

FEW = Resampling(count=100)
SEEN = (
    ("retrieval", (column("orders.city"), column("orders.total"))),
    ("hypotheses", (column("orders.city"), column("orders.total"))),
    ("voting", (column("orders.city"),)),
)


def judged(prediction: Prediction) -> Outcome:
    """An answer to one of three questions: small and easy, large and hard, one with two right statements."""
    place = {"q1": 0, "q2": 1, "q3": 2}[prediction.question_id]
    return outcome(
        prediction,
        *(
            (gold("orders.city"),),
            (gold("orders.city", "orders.total"),),
            (gold("people.age", "p2024.x|p2025.x"), gold("people.born")),
        )[place],
        size=(40, 2600, 450)[place],
        dialect=("sqlite", "bigquery", "bigquery")[place],
        difficulty=("simple", "challenging", None)[place],
        text=("Which cities?", "What <b>total</b> has each city?", "How old are people?")[place],
        database=("shop", "shop", "people")[place],
        evidence="old means age" if place == 2 else None,
        gold_sql=("select city from orders where total < 10 & 'ä' = 'ä'",) if place == 0 else (),
    )


@pytest.fixture(scope="module")
def runs() -> tuple[Run, Run]:
    """Two strategies: one with budgets, one that decides by itself, says how sure it is, and failed once."""
    plain = tuple(
        judged(answer(*columns, question=question, strategy="bm25", budget=budget, seconds=0.02))
        for budget, extra in ((10, ()), (20, ("orders.total",)))
        for question, columns in (
            ("q1", ("orders.city", "orders.id", *extra)),
            ("q2", ("orders.city", "orders.id", *extra)),
            ("q3", ("people.name", "p2025.x", *extra)),
        )
    )
    spent: dict[str, Any] = {
        "strategy": "evilink",
        "tokens": 12_345,
        "calls": 4,
        "probes": 1,
        "cost": 0.0123,
        "seconds": 8.5,
    }
    sure = (
        judged(answer("orders.city=0.97", question="q1", seen=SEEN, **spent)),
        judged(answer("orders.city=0.97", "orders.id=0.5", question="q2", seen=SEEN, sql="select 1", **spent)),
        judged(answer("people.born=0.81", question="q3", warnings=("no probe ran",), **spent)),
    )
    return (
        Run("spider2-lite", "bm25", plain, unscored=("q4: the statement cannot be parsed",)),
        Run("spider2-lite", "evilink", sure),
    )


@pytest.fixture(scope="module")
def summaries(runs: tuple[Run, Run]) -> tuple[Summary, ...]:
    return tuple(summary for run in runs for summary in summarise(run, FEW))


@pytest.fixture(scope="module")
def compared(runs: tuple[Run, Run]) -> Comparison:
    return compare(*runs, FEW)


def test_the_page_of_a_report(golden: Callable[[str, str], None], runs: tuple[Run, Run], compared: Comparison) -> None:
    page = render_html(
        runs, comparisons=[compared], resampling=FEW, title="Linking, measured", facts=[("linker", "1 & only")]
    )
    golden("report/report.html", page)


def test_the_figures_as_markdown(
    golden: Callable[[str, str], None], runs: tuple[Run, Run], summaries: tuple[Summary, ...]
) -> None:
    golden("report/figures.md", render_markdown(summaries, [curve(run, FEW) for run in runs]))


def test_the_figures_as_json(
    golden: Callable[[str, str], None], runs: tuple[Run, Run], summaries: tuple[Summary, ...]
) -> None:
    golden("report/figures.json", render_json(summaries[-1:], [curve(runs[0], FEW)]))


def test_the_figures_in_a_terminal(golden: Callable[[str, str], None], summaries: tuple[Summary, ...]) -> None:
    golden("report/figures.txt", render_figures(summaries, width=100, color=False))


def test_a_comparison_in_a_terminal(golden: Callable[[str, str], None], compared: Comparison) -> None:
    golden("report/comparison.txt", render_comparison(compared, width=100, color=False))


def test_a_comparison_as_json(golden: Callable[[str, str], None], compared: Comparison) -> None:
    golden("report/comparison.json", render_comparison_json(compared))

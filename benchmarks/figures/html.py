"""
The report as one self-contained HTML file: no network, fonts or libraries.

Questions, names and SQL are untrusted: the template escapes them, and the page's content security
policy runs only its own script.
"""

import base64
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import chain

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from benchmarks.figures.charts import Chart, calibration_chart, curve_chart
from benchmarks.figures.curves import LIMIT, Curve, curve
from benchmarks.figures.measures import Measure, shown
from benchmarks.figures.questions import AskedQuestion, asked_questions, losses
from linker.evaluation import EvaluationRun
from linker.evaluation.statistics import DEFAULT, BootstrapSample, EvaluationComparison, figure
from linker.evaluation.summary import Calibration, Pivot, Summary, percent, pivots, summarise


@dataclass(frozen=True, slots=True)
class CalibratedStrategy:
    """One strategy that gives credibilities."""

    name: str
    calibration: Calibration
    chart: Chart


@dataclass(frozen=True, slots=True)
class Losses:
    """Gold columns that one strategy lost, at its largest budget: reason, fields, questions."""

    name: str
    reasons: tuple[tuple[str, int, int], ...]


@dataclass(frozen=True, slots=True)
class Section:
    """All that is shown of a suite."""

    suite: str
    summaries: tuple[Summary, ...]
    measures: tuple[Measure, ...]
    pivots: tuple[Pivot, ...]
    curves: tuple[Curve, ...]
    chart: Chart | None
    calibrated: tuple[CalibratedStrategy, ...]
    losses: tuple[Losses, ...]
    comparisons: tuple[EvaluationComparison, ...]
    questions: tuple[AskedQuestion, ...]
    unscored: tuple[str, ...]


def render_html(
    runs: Sequence[EvaluationRun],
    *,
    comparisons: Sequence[EvaluationComparison] = (),
    resampling: BootstrapSample = DEFAULT,
    title: str = "Linking, measured",
    facts: Sequence[tuple[str, str]] = (),
) -> str:
    """
    The page of some runs, a section a suite; facts are what the head of the page tells: versions,
    command, date.
    """
    suites = dict.fromkeys(run.suite for run in runs)
    sections = []
    for suite in suites:
        answered = [run for run in runs if run.suite == suite and run.outcomes]
        if answered:
            compared = [item for item in comparisons if item.suite == suite]
            sections.append(_section(answered, compared, resampling))
    script = _file("report.js")
    return (
        _environment()
        .get_template("report.html.j2")
        .render(
            title=title,
            facts=facts,
            sections=sections,
            resampling=resampling,
            limit=LIMIT,
            # Files of this package, not data: the only two texts that are not escaped.
            style=Markup(_file("report.css")),  # noqa: S704
            script=Markup(script),  # noqa: S704
            policy=_policy(script),
        )
    )


def _section(
    runs: Sequence[EvaluationRun],
    comparisons: Sequence[EvaluationComparison],
    resampling: BootstrapSample,
) -> Section:
    suite = runs[0].suite
    summaries = tuple(chain.from_iterable(summarise(run, resampling) for run in runs))
    curves = tuple(curve(run, resampling) for run in runs)
    return Section(
        suite=suite,
        summaries=summaries,
        measures=shown(summaries),
        pivots=pivots(summaries),
        curves=curves,
        chart=curve_chart(curves, f"Strict recall against columns returned, {suite}"),
        calibrated=tuple(_calibrated(runs, resampling)),
        losses=tuple(_losses(runs)),
        comparisons=tuple(comparisons),
        questions=asked_questions(runs),
        unscored=tuple(dict.fromkeys(chain.from_iterable(run.unscored for run in runs))),
    )


def _calibrated(
    runs: Sequence[EvaluationRun], resampling: BootstrapSample
) -> Iterator[CalibratedStrategy]:
    for number, run in enumerate(runs):
        found = Calibration.create(run.at(run.budgets[-1]), resampling)
        if found:
            yield CalibratedStrategy(run.name, found, calibration_chart(found, run.name, number))


def _losses(runs: Sequence[EvaluationRun]) -> Iterator[Losses]:
    for run in runs:
        reasons = losses(run.at(run.budgets[-1]))
        if reasons:
            yield Losses(run.name, reasons)


def _policy(script: str) -> str:
    """Rights of a browser with the page: apply its styles and run the one script of that digest."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    allowed = ("default-src 'none'", "style-src 'unsafe-inline'", f"script-src 'sha256-{digest}'")
    return "; ".join((*allowed, "base-uri 'none'", "form-action 'none'"))


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FunctionLoader(_file),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["percent"] = percent
    environment.filters["figure"] = figure
    environment.filters["capitalize_first"] = lambda text: text[:1].upper() + text[1:]
    return environment


def _file(name: str) -> str:
    return files("benchmarks.figures").joinpath(name).read_text("utf-8")

"""Figures as Markdown, for pages that are committed and reviewed as a diff."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from benchmarks.figures.curves import LIMIT, Curve
from benchmarks.figures.measures import shown
from benchmarks.figures.published import MARK, Published, published
from linker.evaluation.summary import Pivot, Summary, percent, pivots
from linker.text.numbers import counted


def render_markdown(summaries: Sequence[Summary], curves: Sequence[Curve] = ()) -> str:
    """
    A section a suite: all figures, strict recall by group, areas under curves, and what papers
    report.
    """
    parts = []
    for suite, group in groupby(summaries, key=lambda item: item.suite):
        of_suite = tuple(group)
        parts += [f"## {suite}", _unscored(of_suite), _figures(of_suite)]
        parts += [_pivot(pivot) for pivot in pivots(of_suite)]
        parts += [
            _areas([item for item in curves if item.suite == suite]),
            _published(published(suite)),
        ]
    return "\n\n".join(part for part in parts if part)


def _unscored(summaries: Sequence[Summary]) -> str:
    most = max(summary.unscored for summary in summaries)
    return (
        f"Not scored, as the gold could not be derived whole: {counted(most, 'question')}."
        if most
        else ""
    )


def _figures(summaries: Sequence[Summary]) -> str:
    measures = shown(summaries)
    rows = []
    for summary in summaries:
        row = [summary.name]
        for measure in measures:
            text, interval = measure.text(summary.overall), measure.interval(summary.overall)
            row.append(_with_interval(text, interval))
        rows.append(row)
    return _table(["strategy", *map(str, measures)], rows)


def _pivot(pivot: Pivot) -> str:
    heads = [
        f"{group} ({count})" for group, count in zip(pivot.groups, pivot.questions, strict=True)
    ]
    rows = []
    for summary, groups in pivot.lines:
        cells = [percent(row.columns.strict_recall.value) if row else "" for row in groups]
        rows.append([summary.name, *cells])
    return f"Strict recall {pivot.title} (number of questions in brackets):\n\n" + _table(
        ["strategy", *heads], rows
    )


def _areas(curves: Sequence[Curve]) -> str:
    rows = [
        [curve.strategy, percent(curve.area), str(len(curve.points))]
        for curve in curves
        if curve.area is not None
    ]
    if not rows:
        return ""
    title = f"Area under strict recall over log columns (1 to {LIMIT}), in percent:"
    return f"{title}\n\n" + _table(["strategy", "area", "budgets"], rows)


def _published(points: Sequence[Published]) -> str:
    rows = [
        [
            point.strategy,
            percent(point.strict_recall),
            "" if point.columns is None else f"{point.columns:.1f}",
            f"{point.paper}, {point.where}",
            point.note,
        ]
        for point in points
    ]
    if not rows:
        return ""
    title = f"Published figures ({MARK}, so not comparable):"
    return f"{title}\n\n" + _table(["strategy", "strict recall", "columns", "paper", "note"], rows)


def _with_interval(text: str, interval: str) -> str:
    return f"{text} ({interval})" if interval else text


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] + ["---:"] * (len(heads) - 1), *rows]
    return "\n".join("| " + " | ".join(map(_cell, line)) + " |" for line in lines)


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").replace("<", "&lt;").split())

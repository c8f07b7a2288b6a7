"""
Evaluation reports: tables for a terminal, versioned JSON for programs.

Shares are between 0 and 1 with six decimals.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import get_args

from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Column, Table
from rich.text import Text

from linker.evaluation import Verdict
from linker.evaluation.statistics import Estimate, EvaluationComparison, QuestionChange
from linker.evaluation.summary import (
    CalibrationBin,
    Pivot,
    RefusalCounts,
    Row,
    Summary,
    amount,
    percent,
    pivots,
)
from linker.output.layout import page
from linker.text.escaping import one_line
from linker.types import as_dict

# Columns that fit into eighty characters; JSON has all. Empty columns are omitted.
_FIGURES: tuple[tuple[str, Callable[[Row], str]], ...] = (
    ("questions", lambda row: f"{row.questions:,}"),
    ("strict recall", lambda row: _with_interval(row.columns.strict_recall)),
    ("recall", lambda row: percent(row.columns.recall.value)),
    ("precision", lambda row: percent(row.columns.precision.value)),
    ("columns", lambda row: amount(row.columns.count.value)),
    ("tables", lambda row: amount(row.tables.count.value)),
    ("tokens", lambda row: amount(row.tokens) if row.tokens else ""),
    ("cached %", lambda row: percent(row.cached_tokens / row.tokens) if row.cached_tokens else ""),
    ("seconds", lambda row: amount(row.seconds) if row.seconds else ""),
    ("errors", lambda row: f"{row.errors:,}" if row.errors else ""),
)


def render_figures(summaries: Sequence[Summary], *, width: int, color: bool) -> str:
    """Main figures of a suite, then strict recall by group."""
    rows = [summary.overall for summary in summaries]
    shown = {title: written for title, written in _FIGURES if any(map(written, rows))}
    table = _table("strategy", *shown)
    for summary in summaries:
        cells = (written(summary.overall) for written in shown.values())
        table.add_row(Text(summary.name), *cells)
    parts: list[RenderableType] = [table, *map(_pivot, pivots(summaries))]
    for claims in (_sql, _refusals, _chances, _calibrations):
        parts += claims(summaries)
    return page(parts, width=width, color=color)


def render_comparison(
    compared: EvaluationComparison, *, width: int, color: bool, most: int = 20
) -> str:
    """Verdict, means, and the questions lost and won with reasons."""
    parts: list[RenderableType] = [
        Text(f"{compared.first}  →  {compared.second}", style="bold"),
        Text(str(compared.strict)),
        *(Padding(Text(str(mean), style="dim"), (0, 0, 0, 2)) for mean in compared.means),
    ]
    for title, changes in (("lost", compared.lost), ("won", compared.won)):
        if changes:
            parts.append(Text(f"\n{len(changes)} {title}", style="bold"))
            parts.extend(_change(change) for change in changes[:most])
        if len(changes) > most:
            parts.append(Text(f"  and {len(changes) - most} more", style="dim"))
    left_out = compared.only_first + compared.only_second
    if left_out:
        parts.append(
            Text(
                f"\n{left_out} questions are in only one of the two and were skipped",
                style="yellow",
            )
        )
    return page(parts, width=width, color=color)


def _change(change: QuestionChange) -> RenderableType:
    lines = [
        Text(
            f"  {change.question.id}  {one_line(change.question.text)}",
            no_wrap=True,
            overflow="ellipsis",
        )
    ]
    lines += [
        Text(f"    {one_line(missed.name)}: {one_line(missed.reason)}", style="dim")
        for missed in change.missed
    ]
    return Group(*lines)


def _pivot(pivot: Pivot) -> RenderableType:
    heads = [
        f"{group} ({count})" for group, count in zip(pivot.groups, pivot.questions, strict=True)
    ]
    table = _table("strategy", *heads)
    for summary, rows in pivot.lines:
        cells = [percent(row.columns.strict_recall.value) if row else "" for row in rows]
        table.add_row(Text(summary.name), *cells)
    return Group(Text(f"\nstrict recall {pivot.title}", style="bold"), table)


def _sql(summaries: Sequence[Summary]) -> Iterator[RenderableType]:
    """SQL accuracy and confidence; nothing if no SQL was written."""
    judged = [(summary.name, summary.sql) for summary in summaries if summary.sql]
    given: set[Verdict] = set().union(*(figures.verdicts for _, figures in judged))
    shown = [verdict for verdict in get_args(Verdict)[1:] if verdict in given]
    table = _table("strategy", "questions", "% right", *shown, "% conf.", "ECE", "by chance")
    for name, figures in judged:
        sure = figures.confidence
        claimed = (sure.chance, sure.expected_error, sure.error_by_chance) if sure else ()
        right = _with_interval(figures.right) if figures.right else ""
        counts = (f"{figures.verdicts.get(verdict, 0):,}" for verdict in shown)
        table.add_row(Text(name), f"{figures.questions:,}", right, *counts, *map(percent, claimed))
    if judged:
        yield Text(
            "\nSQL by execution accuracy, with its confidence and expected calibration error (ECE)",
            style="bold",
        )
        yield table


def _refusals(summaries: Sequence[Summary]) -> Iterator[RenderableType]:
    """Refusals and warnings; nothing if there were none and none were due."""
    if not any(
        summary.refusals_of_unanswerable or (summary.refusals and summary.refusals.warned)
        for summary in summaries
    ):
        return
    table = _table("strategy", "refused", "or warned", "correctly refused", "or warned")
    for summary in summaries:
        kinds = (summary.refusals, summary.refusals_of_unanswerable)
        if any(kinds):
            table.add_row(Text(summary.name), *chain.from_iterable(map(_refusal_cells, kinds)))
    yield Text(
        "\nquestions refused, or with a warning about unmatched terms; correctly: unanswerable "
        "ones",
        style="bold",
    )
    yield table


def _refusal_cells(refusals: RefusalCounts | None) -> tuple[str, str]:
    if refusals is None:
        return "", ""
    total = f"of {refusals.questions:,}"
    return f"{refusals.refused:,} {total}", f"{refusals.warned:,} {total}"


def _chances(summaries: Sequence[Summary]) -> Iterator[RenderableType]:
    """Estimated completeness against truth; nothing if no strategy estimates it."""
    table = _table("strategy", "answers", "estimated", "observed", "ECE", "by chance", "columns")
    for summary in summaries:
        if (completeness := summary.completeness) and summary.scores:
            errors = (
                completeness.expected_error,
                completeness.error_by_chance,
                summary.scores.expected_error,
            )
            cells = map(percent, (completeness.chance, completeness.true.value, *errors))
            table.add_row(Text(summary.name), f"{completeness.questions:,}", *cells)
    if table.row_count:
        yield Text(
            "\n% completeness, estimated and observed, with expected calibration error (ECE), "
            "also of columns",
            style="bold",
        )
        yield table


def _calibrations(summaries: Sequence[Summary]) -> Iterator[RenderableType]:
    """Precision by credibility; nothing without credibilities."""
    bins = dict[tuple[str, float], CalibrationBin]()
    for summary in summaries:
        for group in summary.calibration.bins if summary.calibration else ():
            bins[summary.name, group.low] = group
    if not bins:
        return
    heads = {
        low: f"{low:.1f}–{bins[name, low].high:.1f}"
        for name, low in sorted(bins, key=lambda key: key[1])
    }
    table = _table("strategy", "ECE", *heads.values())
    for summary in summaries:
        if summary.calibration:
            row = [bins.get((summary.name, low)) for low in heads]
            cells = [
                f"{percent(group.right.value)} ({group.columns:,})" if group else ""
                for group in row
            ]
            table.add_row(Text(summary.name), percent(summary.calibration.expected_error), *cells)
    yield Text(
        "\n% precision of returned columns by confidence (columns in brackets)", style="bold"
    )
    yield table


def _table(first: str, *others: str) -> Table:
    figures = (Column(Text(title), justify="right") for title in others)
    return Table(
        Column(Text(first), overflow="fold"), *figures, box=box.SIMPLE_HEAD, pad_edge=False
    )


def _with_interval(share: Estimate) -> str:
    return f"{percent(share.value)} [dim]{percent(share.low)}–{percent(share.high)}[/dim]"


VERSION = 2


def render_json(summaries: Sequence[Summary]) -> str:
    """All figures as indented JSON."""
    document = {"version": VERSION, "summaries": [as_dict(summary) for summary in summaries]}
    return json.dumps(_rounded(document), ensure_ascii=False, indent=2)


def render_comparison_json(compared: EvaluationComparison) -> str:
    """A comparison as indented JSON."""
    document = {
        "version": VERSION,
        "suite": compared.suite,
        "first": compared.first,
        "second": compared.second,
        "strict_recall": {
            **as_dict(compared.strict),
            "is_more_than_noise": compared.strict.is_more_than_noise,
            "verdict": str(compared.strict),
        },
        "means": [
            {**as_dict(mean), "is_more_than_noise": mean.is_more_than_noise}
            for mean in compared.means
        ],
        "won": [_change_record(change) for change in compared.won],
        "lost": [_change_record(change) for change in compared.lost],
        "only_first": compared.only_first,
        "only_second": compared.only_second,
    }
    return json.dumps(_rounded(document), ensure_ascii=False, indent=2)


def _change_record(change: QuestionChange) -> dict[str, object]:
    return {
        "question_id": change.question.id,
        "question": change.question.text,
        "missed": [
            {
                "columns": list(map(str, missed.field)),
                "last_seen": missed.last_seen,
                "reason": missed.reason,
            }
            for missed in change.missed
        ],
    }


def _rounded(value: object) -> object:
    """Floats rounded; further digits differ between machines."""
    if isinstance(value, dict):
        return {name: _rounded(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(item) for item in value]
    return round(value, 6) if isinstance(value, float) else value

"""Strict recall by group: enter summaries, leaves a table with a row a strategy and budget, a column a group."""

from collections.abc import Sequence
from dataclasses import dataclass

from linker.evaluation.summary import Row, Summary

TITLES = {
    "size": "by size of the merged schema, in columns",
    "dialect": "by dialect",
    "difficulty": "by difficulty",
}


@dataclass(frozen=True, slots=True)
class Pivot:
    """Strict recall of every strategy in every group; a strategy may lack a group, where its run was cut short."""

    by: str
    title: str
    groups: tuple[str, ...]
    questions: tuple[int, ...]
    lines: tuple[tuple[Summary, tuple[Row | None, ...]], ...]


def pivots(summaries: Sequence[Summary]) -> tuple[Pivot, ...]:
    """One table for each way of grouping that any summary has."""
    return tuple(
        _pivot(by, title, summaries) for by, title in TITLES.items() if any(_rows(by, one) for one in summaries)
    )


def _pivot(by: str, title: str, summaries: Sequence[Summary]) -> Pivot:
    rows = [_rows(by, summary) for summary in summaries]
    # The summary with most groups has them in order; what others add comes behind.
    groups = tuple(dict.fromkeys(group for one in sorted(rows, key=len, reverse=True) for group in one))
    return Pivot(
        by=by,
        title=title,
        groups=groups,
        questions=tuple(max(one[group].questions for one in rows if group in one) for group in groups),
        lines=tuple(
            (summary, tuple(one.get(group) for group in groups)) for summary, one in zip(summaries, rows, strict=True)
        ),
    )


def _rows(by: str, summary: Summary) -> dict[str, Row]:
    return {row.group: row for grouping in summary.groupings if grouping.by == by for row in grouping.rows}

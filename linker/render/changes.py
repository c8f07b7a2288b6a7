"""
Differences between two runs: a page grouped by table for people, a record for programs
(docs/history.md).
"""

from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import RenderableType
from rich.table import Column
from rich.table import Table as Grid
from rich.text import Text

from linker.history.column_changes import MeasureChange
from linker.history.diff import ColumnChange, TableChange, WarehouseDiff
from linker.render import as_json
from linker.render.page import grid_of, indented, page
from linker.render.runs import moment, run_record
from linker.runs import ColumnState, Run, TableState
from linker.text.lists import first_of
from linker.text.numbers import counted, percent
from linker.text.safe import one_line, shortened, spelled
from linker.types import as_dict

_MARKS = {
    "came": ("+", "green"),
    "gone": ("\u2212", "red"),
    "renamed": ("→", "cyan"),
    "changed": ("~", "yellow"),
}
# So many values of a category are named; the JSON has all of them.
_NAMED = 5


def render_changes(comparison: WarehouseDiff, *, width: int, color: bool) -> str:
    """Each table that came, went or changed, with its columns below it."""
    return page(_parts(comparison), width=width, color=color)


def _parts(comparison: WarehouseDiff) -> Iterator[RenderableType]:
    yield Text(f"{_when(comparison.before)}  →  {_when(comparison.after)}", style="bold")
    for change in comparison.tables:
        yield ""
        yield _line(change.kind, spelled(change.table), table_line(change))
        if change.columns:
            yield indented(_columns(change.columns))
    yield ""
    yield Text(comparison_summary(comparison), style="dim")


def _when(run: Run) -> str:
    return f"run {run.number} ({moment(run.ended_at or run.started_at)} UTC)"


def _line(kind: str, name: str, facts: str) -> Text:
    mark, style = _MARKS[kind]
    return (
        Text(f"{mark} ", style=style)
        .append(name, style="bold default")
        .append(f"  {facts}", style="not bold default")
    )


def _columns(changes: Sequence[ColumnChange]) -> Grid:
    grid = grid_of(
        Column(overflow="fold", max_width=40), Column(ratio=1, overflow="fold"), expand=True
    )
    for change in changes:
        mark, style = _MARKS[change.kind]
        name = Text(f"{mark} ", style=style).append(spelled(change.path), style="default")
        grid.add_row(name, Text("\n".join(column_lines(change))))
    return grid


def table_line(change: TableChange) -> str:
    """The change of a table in a line, its columns left out."""
    if change.before is None:
        return f"new: {_size(change.after)}"
    if change.after is None:
        return f"gone: {_size(change.before)}"
    before, after = change.before.row_count, change.after.row_count
    if not change.has_other_row_count or before is None or after is None:
        return ""
    growth = f" ({_signed(after / before - 1)})" if before else ""
    return f"{before:,} → {counted(after, 'row')}{growth}"


def _size(state: TableState | None) -> str:
    if state is None:
        return ""
    rows = [] if state.row_count is None else [counted(state.row_count, "row")]
    return ", ".join([*rows, counted(len(state.columns), "column")])


def _signed(share: float) -> str:
    return f"+{percent(share, digits=0)}" if share >= 0 else f"\u2212{percent(-share, digits=0)}"


def column_lines(change: ColumnChange) -> Iterator[str]:
    """The changes of a column, a line each."""
    if change.kind in ("came", "gone"):
        yield f"{'new' if change.kind == 'came' else 'gone'}: {_kind(change.after or change.before)}"
        return
    if change.kind == "renamed" and change.before:
        yield f"probably renamed from {spelled(change.before.path)}"
    for measure in change.changes:
        yield from _of_measure(measure)


def _kind(state: ColumnState | None) -> str:
    if state is None:
        return ""
    nulls = f", {percent(state.null_ratio)} null" if state.null_ratio else ""
    return f"{one_line(state.data_type)}{nulls}"


def _of_measure(change: MeasureChange) -> Iterator[str]:
    before, after = change.before, change.after
    if change.kind == "values":
        yield from _values(change)
    elif change.kind == "nullable":
        yield "may be null now" if after else "may no longer be null"
    elif change.kind == "nulls" and isinstance(before, float) and isinstance(after, float):
        yield f"nulls {percent(before)} → {percent(after)}"
    elif change.kind == "distinct" and isinstance(before, int) and isinstance(after, int):
        yield f"distinct values {before:,} → {after:,}"
    elif change.kind == "range" and isinstance(before, tuple) and isinstance(after, tuple):
        yield f"range {_range(before)} → {_range(after)}"
    else:
        yield f"{change.kind} {one_line(str(before))} → {one_line(str(after))}"


def _range(ends: tuple[str, str]) -> str:
    return " to ".join(one_line(end) for end in ends)


def _values(change: MeasureChange) -> Iterator[str]:
    shares = {value: (was, now) for value, was, now in change.shares}
    for word, values, at in (("new", change.new_values, 1), ("gone", change.gone_values, 0)):
        if values:
            listed = (f"{_quoted(value)} ({percent(shares[value][at])})" for value in values)
            yield f"{word} {first_of(listed, _NAMED)}"
    moved = [
        f"{_quoted(value)} {percent(was)} → {percent(now)}"
        for value, (was, now) in shares.items()
        if value not in change.new_values and value not in change.gone_values
    ]
    is_large = (change.size or 0) >= 0.01 or not (change.new_values or change.gone_values)
    if moved and change.size is not None and is_large:
        yield f"{percent(change.size)} of the rows moved: {first_of(moved, _NAMED)}"


def _quoted(value: str) -> str:
    return f"“{shortened(one_line(value), 40)}”"


def comparison_summary(comparison: WarehouseDiff) -> str:
    """The counts of tables that came, went and changed."""
    kinds = [change.kind for change in comparison.tables]
    if not kinds:
        return f"nothing changed beyond the thresholds in {counted(comparison.unchanged, 'table')}"
    counts = (
        (kinds.count("came"), "new"),
        (kinds.count("gone"), "gone"),
        (kinds.count("changed"), "changed"),
    )
    kinds_counted = ", ".join(f"{count:,} {word}" for count, word in counts if count)
    return f"tables: {kinds_counted}, {comparison.unchanged:,} as before"


# What the JSON says changes with this number alone; fields may be added to it.
VERSION = 1


def render_changes_json(comparison: WarehouseDiff) -> str:
    """The whole comparison."""
    record = {
        "version": VERSION,
        "target": comparison.target,
        "before": run_record(comparison.before),
        "after": run_record(comparison.after),
        "thresholds": as_dict(comparison.thresholds),
        "unchanged_tables": comparison.unchanged,
        "tables": [_table(change) for change in comparison.tables],
    }
    return as_json(record)


def _table(change: TableChange) -> dict[str, Any]:
    before, after = change.before, change.after
    return {
        "schema": change.table.schema,
        "table": change.table.name,
        "change": change.kind,
        "row_count": {"before": before and before.row_count, "after": after and after.row_count},
        "row_count_changed": change.has_other_row_count,
        "columns": [_column(column) for column in change.columns],
    }


def _column(change: ColumnChange) -> dict[str, Any]:
    before, after = change.before, change.after
    return {
        "column": change.path,
        "change": change.kind,
        "renamed_from": before.path if change.kind == "renamed" and before else None,
        "data_type": {"before": before and before.data_type, "after": after and after.data_type},
        "changes": [_change(measure) for measure in change.changes],
    }


def _change(change: MeasureChange) -> dict[str, Any]:
    record: dict[str, Any] = {
        "kind": change.kind,
        "before": change.before,
        "after": change.after,
        "size": change.size,
    }
    if change.kind == "values":
        shares = [
            {"value": value, "before": was, "after": now} for value, was, now in change.shares
        ]
        record |= {
            "new_values": list(change.new_values),
            "gone_values": list(change.gone_values),
            "shares": shares,
        }
    return record

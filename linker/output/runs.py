"""
Run lists and schema diffs as text for people, records for programs, and a pull request comment in
GitHub Markdown (docs/history.md).
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from rich.console import RenderableType
from rich.table import Column
from rich.table import Table as Grid
from rich.text import Text

from linker.history.column_changes import MeasureChange
from linker.history.runs import BrokenJoin, ColumnChange, TableChange, WarehouseDiff
from linker.output import as_json
from linker.output.layout import facts_grid, figures_grid, grid_of, indented, page
from linker.text.commands import command
from linker.text.escaping import escape_invisible, one_line, shortened
from linker.text.numbers import counted, duration_text, first_of, percent, size_text
from linker.types import ColumnState, Outcome, Run, TableState, Work, as_dict

# Raise when a field is removed or changes meaning; adding is fine.
VERSION = 1

_STYLES: dict[Outcome, str] = {
    "partly failed": "yellow",
    "failed": "red",
    "killed": "red",
    "unchanged": "dim",
}
_COUNTS = ("scanned", "same", "left out", "failed", "read", "docs")
_COLUMNS = ("run", "what", "started (UTC)", "took", "outcome", *_COUNTS)
_LEFT = ("what", "started (UTC)", "outcome", "docs")
_SPARE = ("read", "same", "left out", "docs", "took")

_MARKS = {
    "came": ("+", "green"),
    "gone": ("\u2212", "red"),
    "renamed": ("→", "cyan"),
    "changed": ("~", "yellow"),
}
# Values named per category; JSON has all.
_NAMED = 5


def run_line(run: Run) -> str:
    length = length_text(run.ended_at - run.started_at) if run.ended_at else ""
    took = f" in {length}" if length else ""
    if run.outcome == "unchanged":
        # Index-only runs scan no tables.
        looked_at = (
            f"; {counted(run.work.unchanged, 'table')} unchanged" if run.kind == "refresh" else ""
        )
        return f"run {run.number}: up to date{f' ({length})' if length else ''}{looked_at}"
    if run.outcome in ("failed", "killed", "running"):
        return f"run {run.number} {run.outcome}{took}{f': {run.message}' if run.message else ''}"
    return f"run {run.number} {run.outcome}{took}: {', '.join(_done(run))}"


def run_json(run: Run) -> str:
    return as_json({"version": VERSION, **run_record(run)})


def run_record(run: Run) -> dict[str, Any]:
    """A run as a flat JSON record; times are ISO 8601 in UTC."""
    return {
        "number": run.number,
        "kind": run.kind,
        "selection": run.selection,
        "outcome": run.outcome,
        "started_at": run.started_at,
        "ended_at": run.ended_at,
        "seconds": round((run.ended_at - run.started_at).total_seconds(), 3)
        if run.ended_at
        else None,
        **as_dict(run.work),
        "errors": [
            {"schema": error.table.schema, "table": error.table.name, "message": error.message}
            for error in run.errors
        ],
        "dbt_runs": list(run.dbt_runs),
        "message": run.message,
    }


def _done(run: Run) -> list[str]:
    work = run.work
    parts = []
    if run.kind == "refresh":
        parts += [f"{counted(work.scanned, 'table')} scanned", f"{work.unchanged:,} unchanged"]
        parts += [
            f"{count:,} {word}"
            for count, word in ((work.failed, "failed"), (work.left_out, "left out"))
            if count
        ]
    parts += [f"{counted(work.embedded, 'document')} embedded", f"{work.removed:,} removed"]
    parts += [f"{counted(work.learned, 'source')} learned"] if work.learned else []
    return [*parts, f"{counted(work.not_learned, 'source')} failed"] if work.not_learned else parts


def length_text(length: timedelta) -> str:
    """A duration, such as 3.2 s or 4m10s."""
    return (
        f"{length.total_seconds():.1f} s"
        if length < timedelta(minutes=1)
        else duration_text(length)
    )


def render_runs(runs: Sequence[Run], *, width: int, color: bool) -> str:
    """A line per run, newest first, with its messages."""
    # Fits in a hundred characters.
    lines = figures_grid(_COLUMNS, map(_cells, runs), _LEFT, _SPARE, width, 1)
    failures = (
        Text(f"run {run.number}: {_in_short(run)}", style=_STYLES.get(run.outcome, ""))
        for run in runs
        if run.message or run.errors
    )
    return page([lines, *failures], width=width, color=color)


def render_run(run: Run, *, width: int, color: bool) -> str:
    """One run with all table errors."""
    title = Text(f"run {run.number}", style="bold").append(f" · {run.kind} · ", style="not bold")
    title.append(run.outcome, style=_STYLES.get(run.outcome, "green"))
    facts = facts_grid((name, Text(fact)) for name, fact in _facts(run))
    heading = [Text("\nfailed tables", style="bold")] if run.errors else []
    errors = (
        Text(f"  {escape_invisible(error.table)}: {one_line(error.message)}", style="yellow")
        for error in run.errors
    )
    return page([title, facts, *heading, *errors], width=width, color=color)


def render_runs_json(target: str, runs: Iterable[Run]) -> str:
    """The document of docs/history.md."""
    record = {"version": VERSION, "target": target, "runs": [run_record(run) for run in runs]}
    return as_json(record)


def moment(when: datetime) -> str:
    """Time to the minute."""
    return when.strftime("%Y-%m-%d %H:%M")


def _took(run: Run) -> timedelta | None:
    return run.ended_at - run.started_at if run.ended_at else None


def _cells(run: Run) -> Iterator[Text]:
    took, work = _took(run), run.work
    yield Text(str(run.number), style="cyan")
    yield Text(run.kind)
    yield Text(moment(run.started_at))
    yield Text(duration_text(took) if took is not None else "")
    yield Text(run.outcome, style=_STYLES.get(run.outcome, "green"))
    for count in (work.scanned, work.unchanged, work.left_out):
        yield Text(f"{count:,}" if count else "")
    yield Text(f"{work.failed:,}" if work.failed else "", style="yellow")
    yield Text(size_text(work.bytes_read) if work.bytes_read else "")
    yield Text(_documents(work))


def _documents(work: Work) -> str:
    parts = (
        f"+{work.embedded:,}" if work.embedded else "",
        f"\u2212{work.removed:,}" if work.removed else "",
    )
    return " ".join(part for part in parts if part)


def _in_short(run: Run) -> str:
    """The failure in one line."""
    parts = [one_line(run.message)] if run.message else []
    for first in run.errors[:1]:
        more = len(run.errors) - 1
        others = (
            f" (and {counted(more, 'table')} more: {command('runs')} {run.number})" if more else ""
        )
        parts.append(f"{escape_invisible(first.table)}: {one_line(first.message)}{others}")
    return "; ".join(parts)


def _facts(run: Run) -> Iterator[tuple[str, str]]:
    work, took = run.work, _took(run)
    if run.selection:
        yield "only", one_line(run.selection)
    yield "began", f"{run.started_at.strftime('%Y-%m-%d %H:%M:%S')} UTC"
    if took is not None:
        yield "took", duration_text(took)
    elif run.outcome == "killed":
        yield "ended", "unknown: the next run found it unfinished"
    counts = (
        ("scanned", work.scanned),
        ("unchanged", work.unchanged),
        ("left out", work.left_out),
        ("failed", work.failed),
    )
    yield "tables", ", ".join(f"{count:,} {name}" for name, count in counts)
    if work.statements:
        read = ", ".join(
            filter(
                None,
                (
                    counted(work.rows_read, "row"),
                    size_text(work.bytes_read) if work.bytes_read else "",
                ),
            )
        )
        yield "read", f"{read} in {counted(work.statements, 'statement')}"
    yield "documents", f"{work.embedded:,} embedded, {work.removed:,} removed"
    if work.learned or work.not_learned:
        yield "sources", f"{work.learned:,} learned, {work.not_learned:,} failed"
    if run.dbt_runs:
        yield "dbt", ", ".join(one_line(name) for name in run.dbt_runs)
    if run.message:
        yield "message", one_line(run.message)


def render_changes(comparison: WarehouseDiff, *, width: int, color: bool) -> str:
    """Changed tables with their columns."""
    return page(_parts(comparison), width=width, color=color)


def _parts(comparison: WarehouseDiff) -> Iterator[RenderableType]:
    yield Text(f"{_when(comparison.before)}  →  {_when(comparison.after)}", style="bold")
    for change in comparison.tables:
        yield ""
        yield _line(change.kind, escape_invisible(change.table), table_change_text(change))
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
        name = Text(f"{mark} ", style=style).append(escape_invisible(change.path), style="default")
        grid.add_row(name, Text("\n".join(column_lines(change))))
    return grid


def table_change_text(change: TableChange) -> str:
    """A table's change in one line."""
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
    """A column's changes, one per line."""
    if change.kind in ("came", "gone"):
        yield (
            f"{'new' if change.kind == 'came' else 'gone'}: {_kind(change.after or change.before)}"
        )
        return
    if change.kind == "renamed" and change.before:
        yield f"probably renamed from {escape_invisible(change.before.path)}"
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
        yield "now nullable" if after else "no longer nullable"
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
    for word, values, side in (("new", change.new_values, 1), ("gone", change.gone_values, 0)):
        if values:
            listed = (f"{_quoted(value)} ({percent(shares[value][side])})" for value in values)
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
    """Numbers of added, removed and changed tables."""
    kinds = [change.kind for change in comparison.tables]
    if not kinds:
        return f"nothing changed beyond the thresholds in {counted(comparison.unchanged, 'table')}"
    counts = (
        (kinds.count("came"), "new"),
        (kinds.count("gone"), "gone"),
        (kinds.count("changed"), "changed"),
    )
    kinds_counted = ", ".join(f"{count:,} {word}" for count, word in counts if count)
    return f"tables: {kinds_counted}, {comparison.unchanged:,} unchanged"


# Raise the version when JSON changes incompatibly; adding fields is fine.


def render_changes_json(comparison: WarehouseDiff) -> str:
    """The diff as JSON."""
    record = {
        "version": VERSION,
        "target": comparison.target,
        "before": run_record(comparison.before),
        "after": run_record(comparison.after),
        "thresholds": as_dict(comparison.thresholds),
        "unchanged_tables": comparison.unchanged,
        "tables": [_table(change) for change in comparison.tables],
        "broken_joins": [_broken_join(broken) for broken in comparison.broken_joins],
    }
    return as_json(record)


def _broken_join(broken: BrokenJoin) -> dict[str, Any]:
    join = broken.join
    return {
        "left": {
            "schema": broken.table.schema,
            "table": broken.table.name,
            "columns": join.columns,
        },
        "right": {"schema": join.schema, "table": join.table, "columns": join.keys},
        "column": str(broken.column),
        "data_type": {"before": broken.was, "after": broken.now},
    }


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


# GitHub limits comments to 65,536 characters.
_MAX_TABLES = 50
_MAX_COLUMNS = 20
_LONGEST = 300
_KEPT_BACK = {"mask": "masked", "hide": "hidden", "exclude": "not read"}
# Escapes Markdown, mentions and links in warehouse text.
_ESCAPES = str.maketrans({mark: f"\\{mark}" for mark in "\\`*_{}[]<>()#+!|~$@"})


def render_changes_markdown(comparison: WarehouseDiff) -> str:
    """Changed tables, broken joins, and new PII columns."""
    title = f"### Warehouse: {comparison_summary(comparison)}"
    sections = (
        _changed_tables(comparison.tables),
        _broken_joins(comparison.broken_joins),
        _newly_personal(comparison),
    )
    runs = f"<sub>linker, run {comparison.before.number} to {comparison.after.number}</sub>"
    return "\n\n".join([title, *filter(None, map("\n".join, sections)), runs])


def _escaped(words: str) -> str:
    """Warehouse text escaped for Markdown."""
    return shortened(one_line(words), _LONGEST).translate(_ESCAPES)


def _changed_tables(changes: Sequence[TableChange]) -> Iterator[str]:
    if not changes:
        return
    yield "| table | change | columns |"
    yield "|---|---|---|"
    for change in changes[:_MAX_TABLES]:
        facts = _escaped(table_change_text(change)) or "changed"
        columns = list(map(_markdown_column, change.columns[:_MAX_COLUMNS]))
        if len(change.columns) > _MAX_COLUMNS:
            columns.append(f"and {len(change.columns) - _MAX_COLUMNS:,} more")
        yield f"| {_escaped(escape_invisible(change.table))} | {facts} | {'<br>'.join(columns)} |"
    if len(changes) > _MAX_TABLES:
        yield f"\nand {len(changes) - _MAX_TABLES:,} tables more: `linker diff`"


def _markdown_column(change: ColumnChange) -> str:
    return f"{_escaped(escape_invisible(change.path))}: {_escaped('; '.join(column_lines(change)))}"


def _broken_joins(broken: Sequence[BrokenJoin]) -> Iterator[str]:
    if broken:
        yield "**Broken joins**\n"
    for item in broken:
        join = item.join
        left = ", ".join(f"{escape_invisible(item.table)}.{path}" for path in join.columns)
        right = ", ".join(f"{join.schema}.{join.table}.{path}" for path in join.keys)
        what = "is gone" if item.now is None else f"was {item.was}, is {item.now}"
        yield f"- {_escaped(f'{left} = {right}')}: {_escaped(str(item.column))} {_escaped(what)}"


def _newly_personal(comparison: WarehouseDiff) -> Iterator[str]:
    """Columns that are newly restricted."""
    lines: list[str] = []
    for table in comparison.tables:
        before = table.before.columns if table.before else ()
        was = {column.path: column.privacy for column in before}
        for column in table.after.columns if table.after else ():
            now = column.privacy or ""
            if now in _KEPT_BACK and was.get(column.path) not in _KEPT_BACK:
                name = _escaped(f"{escape_invisible(table.table)}.{column.path}")
                lines.append(f"- {name}: {_KEPT_BACK[now]}")
    if lines:
        yield "**Newly personal columns**\n"
    yield from lines

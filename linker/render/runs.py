"""
Runs of a target: a line for each or one run whole for people, records for programs
(docs/history.md).
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from rich.text import Text

from linker.render import as_json
from linker.render.page import facts_grid, figures_grid, page
from linker.runs import Outcome, Run, Work
from linker.text.commands import command
from linker.text.numbers import counted, duration_text, size_text
from linker.text.safe import one_line, spelled
from linker.types import as_dict

# Raised when a field changes its meaning or goes; new ones may come.
VERSION = 1


def run_line(run: Run) -> str:
    """A run in a line."""
    took = f" in {length_text(run.ended_at - run.started_at)}" if run.ended_at else ""
    if run.outcome == "unchanged":
        # A run of the index alone looks at no table.
        looked_at = (
            f"; {counted(run.work.unchanged, 'table')} unchanged" if run.kind == "refresh" else ""
        )
        return f"run {run.number}: nothing to do{took}{looked_at}"
    if run.outcome in ("failed", "killed", "running"):
        return f"run {run.number} {run.outcome}{took}{f': {run.message}' if run.message else ''}"
    return f"run {run.number} {run.outcome}{took}: {', '.join(_done(run))}"


def run_json(run: Run) -> str:
    """A run as a document of its own."""
    return as_json({"version": VERSION, **run_record(run)})


def run_record(run: Run) -> dict[str, Any]:
    """A run as programs read it, flat; times are ISO 8601 in UTC."""
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
    """A length of time, such as 3.2 s or 4m10s."""
    return (
        f"{length.total_seconds():.1f} s"
        if length < timedelta(minutes=1)
        else duration_text(length)
    )


_STYLES: dict[Outcome, str] = {
    "partly failed": "yellow",
    "failed": "red",
    "killed": "red",
    "unchanged": "dim",
}
_COUNTS = ("scanned", "same", "left out", "failed", "read", "docs")
_COLUMNS = ("run", "what", "began (UTC)", "took", "outcome", *_COUNTS)
_LEFT = ("what", "began (UTC)", "outcome", "docs")
_SPARE = ("read", "same", "left out", "docs", "took")


def render_runs(runs: Sequence[Run], *, width: int, color: bool) -> str:
    """A line for each run, the newest first, and one for what it said."""
    # A hundred characters hold all of it.
    lines = figures_grid(_COLUMNS, map(_cells, runs), _LEFT, _SPARE, width, 1)
    failures = (
        Text(f"run {run.number}: {_in_short(run)}", style=_STYLES.get(run.outcome, ""))
        for run in runs
        if run.message or run.errors
    )
    return page([lines, *failures], width=width, color=color)


def render_run(run: Run, *, width: int, color: bool) -> str:
    """One run whole, with a line for each table that could not be read."""
    title = Text(f"run {run.number}", style="bold").append(f" · {run.kind} · ", style="not bold")
    title.append(run.outcome, style=_STYLES.get(run.outcome, "green"))
    facts = facts_grid((name, Text(fact)) for name, fact in _facts(run))
    heading = [Text("\nwhat could not be read", style="bold")] if run.errors else []
    errors = (
        Text(f"  {spelled(error.table)}: {one_line(error.message)}", style="yellow")
        for error in run.errors
    )
    return page([title, facts, *heading, *errors], width=width, color=color)


def render_runs_json(target: str, runs: Iterable[Run]) -> str:
    """The record of docs/history.md."""
    record = {"version": VERSION, "target": target, "runs": [run_record(run) for run in runs]}
    return as_json(record)


def moment(when: datetime) -> str:
    """To the minute."""
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
    """The failure in a line; all of it is shown with the run."""
    parts = [one_line(run.message)] if run.message else []
    for first in run.errors[:1]:
        more = len(run.errors) - 1
        others = (
            f" (and {counted(more, 'table')} more: {command('runs')} {run.number})" if more else ""
        )
        parts.append(f"{spelled(first.table)}: {one_line(first.message)}{others}")
    return "; ".join(parts)


def _facts(run: Run) -> Iterator[tuple[str, str]]:
    work, took = run.work, _took(run)
    if run.selection:
        yield "only", one_line(run.selection)
    yield "began", f"{run.started_at.strftime('%Y-%m-%d %H:%M:%S')} UTC"
    if took is not None:
        yield "took", duration_text(took)
    elif run.outcome == "killed":
        yield "ended", "nobody knows when: the run after it found that it never did"
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

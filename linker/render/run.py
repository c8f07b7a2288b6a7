"""One run in a line and as a record: enters a run, leaves what people read and what programs read."""

import json
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any

from linker.runs import Run
from linker.text.numbers import counted, duration_text
from linker.text.safe import escaped

# Raised when a field changes its meaning or goes; new ones may come.
VERSION = 1


def run_line(run: Run) -> str:
    """What a run did."""
    took = f" in {length_text(run.ended_at - run.started_at)}" if run.ended_at else ""
    if run.outcome == "unchanged":
        return f"run {run.number}: nothing to do{took}; {counted(run.work.unchanged, 'table')} unchanged"
    if run.outcome in ("failed", "killed", "running"):
        return f"run {run.number} {run.outcome}{took}{f': {run.message}' if run.message else ''}"
    return f"run {run.number} {run.outcome}{took}: {', '.join(_done(run))}"


def run_json(run: Run) -> str:
    """A run as a document of its own."""
    return escaped(json.dumps({"version": VERSION, **run_record(run)}, ensure_ascii=False, indent=2))


def run_record(run: Run) -> dict[str, Any]:
    """A run as programs read it, flat; times are ISO 8601 in UTC."""
    return {
        "number": run.number,
        "kind": run.kind,
        "selection": run.selection,
        "outcome": run.outcome,
        "started_at": _time(run.started_at),
        "ended_at": _time(run.ended_at),
        "seconds": round((run.ended_at - run.started_at).total_seconds(), 3) if run.ended_at else None,
        **asdict(run.work),
        "errors": [{"schema": one.table.schema, "table": one.table.name, "message": one.message} for one in run.errors],
        "dbt_runs": list(run.dbt_runs),
        "message": run.message,
    }


def _done(run: Run) -> list[str]:
    work = run.work
    said = []
    if run.kind == "refresh":
        said += [f"{counted(work.scanned, 'table')} scanned", f"{work.unchanged:,} unchanged"]
        said += [f"{count:,} {word}" for count, word in ((work.failed, "failed"), (work.left_out, "left out")) if count]
    said += [f"{counted(work.embedded, 'document')} embedded", f"{work.removed:,} removed"]
    said += [f"{counted(work.learned, 'source')} learned"] if work.learned else []
    return [*said, f"{counted(work.not_learned, 'source')} failed"] if work.not_learned else said


def length_text(length: timedelta) -> str:
    """Such as 3.2 s, or 4m10s."""
    return f"{length.total_seconds():.1f} s" if length < timedelta(minutes=1) else duration_text(length)


def _time(when: datetime | None) -> str | None:
    return when.isoformat() if when else None

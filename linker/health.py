"""The health file of a loop: enters how it stands, leaves a small JSON file that a liveness probe can read."""

import json
import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from linker.schedule import Standing
from linker.whole_file import write_whole

# What each field holds, as docs/monitoring.md tells it.
FIELDS = {
    "state": "`running`, `waiting` for the next run, `failed` while it waits after a run that failed, or `ended`",
    "pid": "number of the process",
    "written_at": "when this was written: at each change, and every 30 seconds while it waits",
    "last_run": "number of the last run that did not fail as a whole, as `linker runs` lists it; null before",
    "last_outcome": "how the last try ended: as a run (`done`, `unchanged`, `partly failed`), `failed` as a whole, "
    "or `busy` where another run was at work; null before",
    "last_success_at": "when that run ended; null before",
    "next_run_at": "when the next run is due; null while one runs",
    "consecutive_failures": "runs that failed since then",
    "reason": "why the last try came to nothing; empty where it did not",
    "hint": "what to do about it",
}


@dataclass(frozen=True, slots=True)
class HealthFile:
    """A file that is written anew, in one step, with each standing."""

    path: Path

    def write(self, standing: Standing) -> None:
        """Write it; what the disk refuses is raised."""
        run = standing.run
        values = (
            standing.state,
            os.getpid(),
            _text(datetime.now(UTC)),
            run.number if run else None,
            _outcome(standing),
            _text(standing.last_success_at),
            _text(standing.next_run_at),
            standing.consecutive_failures,
            standing.reason,
            standing.hint,
        )
        record = dict(zip(FIELDS, values, strict=True))
        write_whole(self.path, json.dumps(record, ensure_ascii=False, indent=2) + "\n")


def _outcome(standing: Standing) -> str | None:
    if standing.is_busy:
        return "busy"
    if standing.consecutive_failures:
        return "failed"
    return standing.run.outcome if standing.run else None


def _text(moment: datetime | None) -> str | None:
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z") if moment else None

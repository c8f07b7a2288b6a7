"""
Runs the profiling dbt project and reads its report and change detection snapshot.

dbt runs in a separate process, so that it releases a DuckDB file before anything else opens it. Its
target and log folders are in the state folder, since the project may be read-only; dbt's log may
quote values, so only the owner can read that folder. Each metadata query returns a fingerprint per
table; the same query later detects changes.
"""

import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import IO, Any, Literal

from msgspec.structs import replace

from linker.dbt.error_hints import explained, file_locked_error, wait_message
from linker.dbt.invocation import DbtTarget, build_invocation
from linker.dbt.runner import ended
from linker.dbt.selection import nothing_matches
from linker.errors import LinkerError, WarehouseError
from linker.files import state_folder
from linker.runs import TableError
from linker.text.numbers import counted
from linker.types import ProgressStage, Record, TableRef

# Queries of every run. `changes` has none if a DuckDB file contains only views.
_ALWAYS = {"catalogue", "keys", "journal"}

Token = tuple[str, str, str]

OnWait = Callable[[str], None]  # receives a message, once


class WatchedQuery(Record, frozen=True):
    """A metadata query and its rows: schema, table, fingerprint."""

    name: str
    sql: str
    rows: tuple[Token, ...]


class ScheduledRescan(Record, frozen=True):
    """A table that must be rescanned at a time (seconds since 1970), even if unchanged."""

    schema: str
    table: str
    rule: str
    at: float


class ChangeSnapshot(Record, frozen=True):
    """
    Metadata before the run, and scheduled rescans; the stamp is that of the DuckDB file after it.

    `profiled` are tables with a profile, where there is no other evidence of any table.
    """

    queries: tuple[WatchedQuery, ...]
    due_again: ScheduledRescan | None = None
    stamp: str | None = None
    profiled: int | None = None

    @property
    def is_whole(self) -> bool:
        """Whether all tables were covered."""
        return {query.name for query in self.queries} >= _ALWAYS


def tokens(rows: Sequence[Sequence[object]]) -> tuple[Token, ...]:
    """Rows of a query in comparable form."""
    return tuple(sorted((str(schema), str(table), str(token)) for schema, table, token in rows))


class PlannedTable(Record, frozen=True):
    """A logical table in the plan."""

    schema: str
    table: str
    state: str
    reason: str
    is_due: bool
    rows: int | None
    bytes: int | None
    members: int


class ProfileReport(Record, frozen=True):
    """Plan, failed scans, and totals: statements on user data, rows and bytes."""

    tables: tuple[PlannedTable, ...]
    failures: tuple[TableError, ...]
    scanned_count: int = 0
    # dbt's ids in `linker_runs`; several if a failure ended the first. Empty for a plan.
    dbt_runs: tuple[str, ...] = ()
    statements: int = 0
    rows_read: int = 0
    bytes_read: int = 0
    # State for the next check without dbt; None for a plan.
    watched: ChangeSnapshot | None = None
    # Views without column lineage.
    unread: tuple[TableError, ...] = ()

    def count(self, state: str) -> int:
        """Number of planned tables in a state."""
        return sum(1 for table in self.tables if table.state == state)

    @property
    def due(self) -> int:
        """Number of tables to scan."""
        return sum(1 for table in self.tables if table.is_due)

    @property
    def numbers(self) -> dict[str, int]:
        """The figures of `str`, for programs."""
        left = {
            "unchanged": self.count("unchanged"),
            "left_out": self.count("left out"),
            "failed": len(self.failures),
        }
        return {"scanned": self.scanned_count, **left}

    def __str__(self) -> str:
        parts = [
            f"{counted(self.scanned_count, 'table')} scanned",
            f"{self.count('unchanged'):,} unchanged",
        ]
        counts = {state: self.count(state) for state in ("unselected", "left out")}
        parts += [f"{count:,} {state}" for state, count in counts.items() if count]
        return ", ".join(parts)


def profile_warehouse(target: DbtTarget, stage: ProgressStage | None = None) -> ProfileReport:
    """Scan new and changed tables and build all profile tables; waits for a locked DuckDB file."""
    return _run("profile", target, stage or ProgressStage())


def plan_scans(target: DbtTarget, stage: ProgressStage | None = None) -> ProfileReport:
    """Plan scans from metadata, with reasons."""
    return _run("plan", target, stage or ProgressStage())


def drop_artifacts(target: DbtTarget) -> None:
    """Drop the profile tables."""
    events, exit_code, dbt_dir = _listen("drop", target, ProgressStage())
    if events.error is not None or exit_code:
        raise _failure(events.error, exit_code, dbt_dir)


def _run(
    command: Literal["profile", "plan"], target: DbtTarget, stage: ProgressStage
) -> ProfileReport:
    events, exit_code, dbt_dir = _listen(command, target, stage)
    report = events.result()
    if report is None or events.error is not None:
        raise _failure(events.error, exit_code, dbt_dir)
    return report


def _listen(
    command: Literal["profile", "plan", "drop"], target: DbtTarget, stage: ProgressStage
) -> "tuple[_WorkerEvents, int, Path]":
    """Run the worker with a command; returns its events, exit code and log file."""
    stage.on_phase("starts dbt")
    dbt_dir = state_folder(target.state_dir, "dbt")
    dbt_dir.chmod(0o700)
    invocation = build_invocation(command, target, dbt_dir)
    events = _WorkerEvents()
    exit_code = _start(invocation, events, stage, target, dbt_dir)
    while events.overtime:
        # Failures are recorded and skipped from now on.
        invocation |= {"is_full": False, "overtime": events.overtime}
        events.overtime, events.error = None, None
        exit_code = _start(invocation, events, stage, target, dbt_dir)
    if isinstance(events.error, LinkerError):
        raise events.error
    return events, exit_code, dbt_dir


def _start(
    invocation: Mapping[str, object],
    events: "_WorkerEvents",
    stage: ProgressStage,
    target: DbtTarget,
    dbt_dir: Path,
) -> int:
    """Run the worker once and collect its events; returns its exit code."""
    environment = {**os.environ, "LINKER_STATE_DIR": str(target.state_dir.resolve())}
    # To a file: an unread pipe would block dbt.
    with (dbt_dir / "stderr.log").open("w", encoding="utf-8") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "linker.dbt.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            env=environment,
        )
        with ended(process):
            _tell(process, invocation)
            _follow(process.stdout or io.StringIO(), events, stage)
            # After its stdin is closed; what it does at its end belongs to the run.
            process.wait()
    return process.returncode


def _tell(process: "subprocess.Popen[str]", invocation: Mapping[str, object]) -> None:
    """Send the invocation; stdin stays open, and the worker ends when it closes."""
    pipe = process.stdin or io.StringIO()
    try:
        pipe.write(json.dumps(invocation) + "\n")
        pipe.flush()
    except BrokenPipeError:
        # If it exited before listening, it has reported why. Unwritten data would be written again
        # on close.
        with suppress(BrokenPipeError):
            pipe.close()


def _failure(error: LinkerError | str | None, exit_code: int, dbt_dir: Path) -> WarehouseError:
    log = f"full log: {dbt_dir / 'logs' / 'dbt.log'}"
    if error is None and exit_code < 0:
        what = f"dbt was ended by {signal.Signals(-exit_code).name}"
        return WarehouseError(what, hint=f"finished profiles are kept: run it again; {log}")
    last_line = (dbt_dir / "stderr.log").read_text("utf-8").rstrip().rpartition("\n")[2]
    return explained(
        str(error or "") or last_line or "it ended without a message", dbt_dir / "logs" / "dbt.log"
    )


class _WorkerEvents:
    """Events of the worker so far."""

    def __init__(self) -> None:
        self.due, self.scanned = 0, set[str]()
        self.report: dict[str, Any] | None = None
        self.error: LinkerError | str | None = None
        # A statement that timed out: model and run ids.
        self.overtime: dict[str, Any] | None = None
        self._watched: dict[str, tuple[WatchedQuery, ...]] = {}
        self._unread: tuple[TableError, ...] = ()

    def hear(self, event: str, content: Any) -> None:  # noqa: ANN401 - each event has a form of its own
        match event:
            case "due":
                self.due += int(content)
            case "scanned":
                self.scanned.add(content)
            case "report":
                self.report = content
            case "watched":
                name = content["name"]
                # A repeated run queries again before each scan.
                self._watched[name] = tuple(
                    WatchedQuery(name, query["sql"], tokens(query["rows"]))
                    for query in content["looks"]
                )
            case "overtime":
                self.overtime = content
            case "scans":
                pass
            case "unread":
                self._unread = _table_errors(content)
            case _:
                # A specific error replaces dbt's generic one.
                self.error = self.error or _error(event, content)

    def result(self) -> ProfileReport | None:
        """
        The report, if complete; its plan is that of dbt's last run, which includes earlier ones.
        """
        if (report := self.report) is None:
            return None
        tables = (PlannedTable(**table) for table in report["tables"])
        failures = _table_errors(report["failures"])
        done = self.scanned | {str(failure.table) for failure in failures}
        read = ProfileReport(
            tuple(
                replace(t, state="done") if not t.is_due and f"{t.schema}.{t.table}" in done else t
                for t in tables
            ),
            failures,
            len(self.scanned),
            tuple(report["dbt_runs"]),
            **report["read"],
            unread=self._unread,
        )
        return (
            replace(read, watched=self._seen(read, report["due_again"])) if read.dbt_runs else read
        )

    def _seen(self, report: ProfileReport, due_again: list[dict[str, Any]]) -> ChangeSnapshot:
        again = next((ScheduledRescan(**due) for due in due_again), None)
        queries = tuple(chain.from_iterable(self._watched.values()))
        is_silent = not (report.failures or report.unread or report.count("left out"))
        profiled = report.scanned_count + report.count("unchanged")
        return ChangeSnapshot(queries, again, None, profiled if is_silent else None)


def _table_errors(content: list[dict[str, str]]) -> tuple[TableError, ...]:
    return tuple(
        TableError(TableRef(record["schema"], record["table"]), record["message"])
        for record in content
    )


def _error(event: str, content: Any) -> LinkerError | str | None:  # noqa: ANN401 - each event has a form of its own
    if event == "held":
        return file_locked_error(content["path"], content["holder"])
    if event == "unmatched":
        return nothing_matches(content["pattern"], content["names"])
    return str(content) if event == "error" else None


def _follow(lines: IO[str], events: _WorkerEvents, stage: ProgressStage) -> None:
    """Read events until the worker ends."""
    for event in _events(lines):
        events.hear(event["event"], event["content"])
        if event["event"] == "waiting":
            stage.on_wait(wait_message(**event["content"]))
        elif event["event"] == "phase":
            stage.on_phase(event["content"])
        elif event["event"] == "scans":
            stage.on_table(event["content"])
        elif event["event"] in ("due", "scanned"):
            stage.on_progress(len(events.scanned), max(events.due, len(events.scanned)))


def _events(lines: Iterator[str]) -> Iterator[dict[str, Any]]:
    for line in lines:
        try:
            event = json.loads(line)
        except ValueError:
            continue
        if isinstance(event, dict) and {"event", "content"} <= event.keys():
            yield event

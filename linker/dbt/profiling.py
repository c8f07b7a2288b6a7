"""
Runs the profiling dbt project and reads its report and change detection snapshot.

dbt runs in a separate process, so that it releases a DuckDB file before anything else opens it. Its
target and log folders are in the state folder, since the project may be read-only; dbt's log may
quote values, so only the owner can read that folder. Each metadata query returns a fingerprint per
table; the same query later detects changes.
"""

import hashlib
import io
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from itertools import chain
from pathlib import Path
from typing import IO, Any, Literal

from msgspec import field
from msgspec.structs import replace

from linker.catalog.read_catalog import ArtifactRelation
from linker.config.settings import Settings
from linker.config.target import Target, load_target
from linker.dbt.runner import (
    ended,
    explained,
    file_locked_error,
    single_line,
    wait_message,
    without_values,
)
from linker.dbt.selection import nothing_matches
from linker.errors import ConfigError, LinkerError, WarehouseError
from linker.files import state_folder
from linker.text.numbers import counted
from linker.types import ProgressStage, Record, TableError, TableRef
from linker.warehouses import find_dialect, open_warehouse
from linker.warehouses.base.dialect import QuerySession


class DbtTarget(Record, frozen=True):
    """Connection and table selection for dbt."""

    profiles_dir: Path
    profile: str
    target: str
    state_dir: Path
    variables: Mapping[str, object] = field(default_factory=dict)
    full_refresh: bool = False
    # Models of the user's project with their compiled SQL.
    models: tuple[tuple[str, str, str], ...] = ()
    # Relations of the profile tables in the user's project, which are then updated there.
    artifact_relations: Mapping[str, ArtifactRelation] = field(default_factory=dict)
    # Schema of the profile tables unless a project sets it.
    schema: str | None = None
    # dbt executable; empty for dbt-core of this Python, else the one on PATH.
    dbt: str = ""

    @property
    def placement(self) -> dict[str, object]:
        """The vars that locate the profile tables."""
        relation = next(iter(self.artifact_relations.values()), None)
        if relation:
            return {"linker_database": relation.database, "linker_schema": relation.schema}
        return {"linker_schema": self.schema} if self.schema else {}


def build_invocation(command: str, target: DbtTarget, dbt_dir: Path) -> dict[str, object]:
    """
    The input of `linker.dbt.worker`.

    A full run of selected tables keeps the journals, which hold the profiles of the others; it
    passes the time from which scans count.
    """
    settings = Settings(
        profiles_dir=target.profiles_dir,
        profile=target.profile,
        target=target.target,
        state_dir=target.state_dir,
    )
    warehouse = load_target(settings)
    dialect = find_dialect(warehouse.kind)
    variables = {**target.variables, **target.placement, "watch": command == "profile"}
    if (
        dialect
        and dialect.find_broken_views
        and dialect.file
        and dialect.file.path(warehouse.options).is_file()
    ):
        variables["broken"] = _broken_views(warehouse, dialect.find_broken_views)
    if target.full_refresh and {"select", "exclude"} & variables.keys():
        variables["full_since"] = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S")
    return {
        "command": command,
        "executable": find_executable(target.dbt),
        "connection": _connection(target, dbt_dir),
        "kind": warehouse.kind,
        "file": str(dialect.file.path(warehouse.options)) if dialect and dialect.file else "",
        "models": target.models,
        "placement": target.placement,
        "variables": variables,
        "may_wait_forever": bool(dialect and dialect.may_wait_forever),
        "overtime": None,
        "is_full": target.full_refresh and "full_since" not in variables,
    }


def _broken_views(
    warehouse: Target, find: Callable[[QuerySession], list[tuple[str, str, str]]]
) -> list[tuple[str, str, str]]:
    # If another process locks the file, dbt waits and reports the view itself.
    with suppress(WarehouseError), closing(open_warehouse(warehouse)) as session:
        return [
            (schema, view, without_values(single_line(words)))
            for schema, view, words in find(session)
        ]
    return []


def find_executable(named: str) -> str:
    """
    The path of the dbt executable; empty for the dbt-core 1.x of this Python, if installed and none
    is named.
    """
    if not named and _has_dbt_core():
        return ""
    executable = shutil.which(named or "dbt")
    if not executable:
        what = (
            f"there is no program `{named}`" if named else "no dbt found next to linker or on PATH"
        )
        raise ConfigError(what, hint="pip install dbt-core, or set `dbt` to the path of your dbt")
    return executable


def _has_dbt_core() -> bool:
    try:
        return int(version("dbt-core").partition(".")[0]) == 1
    except PackageNotFoundError:
        return False


def _connection(target: DbtTarget, dbt_dir: Path) -> dict[str, str]:
    # Project files and parse results contain vars of the target.
    own = hashlib.sha256(f"{target.profile}.{target.target}".encode()).hexdigest()[:16]
    return {
        "project_dir": str((dbt_dir / f"project-{own}").resolve()),
        "profiles_dir": str(target.profiles_dir.resolve()),
        "profile": target.profile,
        "target": target.target,
        "target_path": str((dbt_dir / f"target-{own}").resolve()),
        "log_path": str((dbt_dir / "logs").resolve()),
    }


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

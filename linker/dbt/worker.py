"""
Worker process that runs the dbt package until every table was scanned; reads an invocation, writes
events.

On DuckDB an unreadable table ends the run: the macros record its error and the run is repeated for
the remaining tables. A separate process makes dbt release the DuckDB file; it ends with its parent.
"""

import atexit
import gc
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, NoReturn

from linker.dbt.runner import (
    DbtConnection,
    DbtResult,
    DbtRunner,
    Deadline,
    ExecutableRunner,
    InProcessRunner,
    is_of_the_whole_run,
    single_line,
    stop_running,
    without_values,
    write_host_project,
)
from linker.types import TableRef
from linker.warehouses import find_dialect
from linker.warehouses.base import FileLockedError

# Exit code of a process interrupted by SIGINT.
INTERRUPTED = 130
# Events with JSON content.
_RECORDS = ("report", "unmatched", "watched")
# An error repeated so often is not specific to a table, and is reported.
_ATTEMPTS_WITHOUT_PROGRESS = 3
# Readers lock a file for seconds, dbt runs for minutes.
WAIT_SECONDS = 120
# Models whose hooks read values, which errors may quote.
_READ_TABLES = ("linker_runs", "linker_joins", "linker_plan")
# A warehouse may need so long to cancel a statement.
_SECONDS_TO_CANCEL = 10

Tell = Callable[[dict[str, Any]], None]


class DbtError(Exception):
    """A permanent dbt error."""


class PackageRun:
    """The package on one connection, with the vars of a run."""

    def __init__(self, invocation: Mapping[str, Any], tell: Tell) -> None:
        self._tell, self._variables = tell, dict(invocation["variables"])
        # A repeated full run keeps what is finished.
        self._is_full = bool(invocation["is_full"])
        self._views: dict[str, Any] = {}
        self._is_fresh = False
        # Failures are recorded, so that a further run skips them and the slow table.
        self._is_repeatable, self._slow_table = False, ""
        # The statement that timed out: model and run id.
        self._overtime = dict(invocation["overtime"] or {})
        self._run_ids: list[str] = list(self._overtime.get("run_ids", ()))
        self._deadline: Deadline | None = None
        if invocation["may_wait_forever"]:
            self._deadline = Deadline(_READ_TABLES, self._end_late)
        self._runner = _open_runner(invocation, self._on_message, self._deadline)

    def prepare(self) -> None:
        """Everything that needs no warehouse."""
        prepared = self._runner.prepare()
        if not prepared.success:
            raise DbtError(_reason(prepared))

    def read_lineage(self, models: Sequence[Sequence[str]]) -> None:
        """
        Column lineage of views and the given models, which inherit the privacy of their sources.
        """
        # View definitions may hold values, so they are not logged.
        self.operate("report_views", is_private=True, others=bool(models))
        views, self._views = self._views, {}
        self._is_fresh = not views["has_schema"]
        if self._deadline:
            self._deadline.limit(views["scan_seconds"])
        self._variables["lineage"], self._variables["view_inputs"] = {}, {}
        if views["columns"]:
            # With it comes a parser of SQL.
            from linker.sql_analysis.views import catalog_of, read_views

            definitions = {
                TableRef(schema, name): sql for schema, name, sql in (*models, *views["views"])
            }
            lineage = read_views(definitions, catalog_of(views["columns"]), views["dialect"])
            self._variables["lineage"] = lineage.as_json()
            stored = [TableRef(schema, name) for schema, name, _ in views["views"]]
            self._variables["view_inputs"] = lineage.tables_behind(set(stored))
            unread = [
                {"schema": item.view.schema, "table": item.view.name, "message": item.reason}
                for item in lineage.unread
            ]
            self._tell({"event": "unread", "content": unread})

    def plan(self) -> None:
        """Build and report the plan; a first run's plan leaves nothing in the warehouse."""
        try:
            done = self.run("--select", "+linker_plan")
            if not done.success:
                raise DbtError(_reason(done))
            self.operate("report_plan")
        finally:
            if self._is_fresh:
                self.operate("drop_artifacts")

    def profile(self) -> None:
        """Run all models; after a failed scan or join measurement, record it and continue."""
        self._record_overtime()
        errors: list[str] = []
        join_error = ""
        while True:
            done = self.run("--select", "package:linker")
            self._run_ids.append(done.invocation_id)
            if done.success:
                break
            failed, reason = _failed_model(done), _reason(done)
            if not self._is_repeatable or is_of_the_whole_run(reason):
                raise DbtError(reason)
            if failed == "linker_joins":
                # Attempts are in the journal, so each repetition has fewer pairs.
                join_error = reason
                continue
            if self._slow_table:
                continue
            if errors[-_ATTEMPTS_WITHOUT_PROGRESS:] == [reason] * _ATTEMPTS_WITHOUT_PROGRESS:
                raise DbtError(reason)
            errors.append(reason)
        self.operate("report_plan", run_ids=self._run_ids, join_error=join_error)

    def _record_overtime(self) -> None:
        """Record the table at which an earlier run timed out, so that this one skips it."""
        if not self._overtime:
            return
        model = self._overtime["model"]
        self.operate("record_overtime", model_name=model, run_id=self._run_ids[-1])
        # Join pairs are in the journal already. An unrecorded failure would recur in every run.
        if model != "linker_joins" and not self._is_repeatable:
            raise DbtError(f"{model} took longer than scan_seconds")

    def run(self, *selection: str) -> DbtResult:
        full, self._is_full = ["--full-refresh"] if self._is_full else [], False
        self._is_repeatable, self._slow_table = False, ""
        return self._runner.run(["run", *selection, *full], self._variables)

    def operate(self, macro: str, *, is_private: bool = False, **arguments: object) -> None:
        """Run a macro of the package."""
        words = ["run-operation", f"linker.{macro}", "--args", json.dumps(arguments)]
        done = self._runner.run(words, self._variables, is_private=is_private)
        if not done.success:
            raise DbtError(_reason(done))

    def _end_late(self, model: str, invocation_id: str) -> NoReturn:
        """Cancel the running statement, and exit if that has no effect."""
        content = {"model": model, "run_ids": [*self._run_ids, invocation_id]}
        self._tell({"event": "overtime", "content": content})
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(_SECONDS_TO_CANCEL)
        stop_running()
        os._exit(INTERRUPTED)

    def _on_message(self, message: str) -> None:
        kind, _, rest = message.partition(" ")
        if kind == "views":
            self._views = json.loads(rest)
        elif kind == "repeatable":
            self._is_repeatable, self._slow_table = True, rest
        else:
            self._tell({"event": kind, "content": json.loads(rest) if kind in _RECORDS else rest})


def _open_runner(
    invocation: Mapping[str, Any],
    on_message: Callable[[str], None],
    deadline: Deadline | None,
) -> DbtRunner:
    named = invocation["connection"]
    connection = DbtConnection(
        project_dir=Path(named["project_dir"]),
        profiles_dir=Path(named["profiles_dir"]),
        profile=named["profile"],
        target=named["target"],
        target_path=Path(named["target_path"]),
        log_path=Path(named["log_path"]),
    )
    write_host_project(connection.project_dir, connection.profile, invocation["placement"])
    if invocation["executable"]:
        return ExecutableRunner(invocation["executable"], connection, on_message, deadline)
    return InProcessRunner(connection, on_message, deadline)


def _failed_model(done: DbtResult) -> str:
    return done.node_errors[0].node if done.node_errors else ""


def _reason(done: DbtResult) -> str:
    """The error in one line; without values if the statement read values."""
    if not done.node_errors:
        return single_line(done.error) or "dbt failed without a message"
    message = single_line(done.node_errors[0].message)
    return without_values(message) if _failed_model(done) in _READ_TABLES else message


def wait_for_file(kind: str, path: Path, seconds: float, tell: Tell) -> None:
    """Wait for a file warehouse that another process has locked."""
    dialect = find_dialect(kind)
    if not dialect or not dialect.file:
        return
    # A driver would create an empty file.
    if not path.is_file():
        raise DbtError(f"there is no file at {path}")

    def tell_of(event: str, holder: str) -> None:
        tell({"event": event, "content": {"path": str(path), "holder": holder}})

    try:
        dialect.file.wait_until_free(path, seconds, lambda holder: tell_of("waiting", holder))
    except FileLockedError as held:
        tell_of("held", str(held))
        raise DbtError(str(held)) from None


def main(invocation: dict[str, Any], out: IO[str]) -> int:
    """Run a command (`profile`, `plan` or `drop`); events go to `out`."""

    def tell(event: dict[str, Any]) -> None:
        out.write(json.dumps(event) + "\n")
        out.flush()

    try:
        run = PackageRun(invocation, tell)
        run.prepare()
        # Freeze long-lived imports, so that garbage collection does not scan them.
        gc.freeze()
        gc.enable()
        # A plan is interactive.
        seconds = WAIT_SECONDS if invocation["command"] == "profile" else 0
        wait_for_file(invocation["kind"], Path(invocation["file"]), seconds, tell)
        if invocation["command"] == "drop":
            run.operate("drop_artifacts")
            return 0
        tell({"event": "phase", "content": "reads metadata"})
        run.read_lineage(invocation["models"])
        if invocation["command"] == "plan":
            run.plan()
        else:
            run.profile()
    except DbtError as error:
        tell({"event": "error", "content": str(error)})
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


def hold_lifeline() -> str:
    """
    Returns the first line of stdin; from then on this process exits when stdin closes, even during
    a statement.

    A killed parent cannot send a signal, but its end of the pipe is closed.
    """
    # Ignore repeated signals: SIGINT reaches both processes, and the parent forwards it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    invocation = sys.stdin.readline()
    lifeline = os.dup(sys.stdin.fileno())
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, sys.stdin.fileno())
    os.close(nothing)
    threading.Thread(target=_end_with, args=(lifeline,), name="lifeline", daemon=True).start()
    return invocation


def _end_with(lifeline: int) -> NoReturn:
    while os.read(lifeline, 1024):
        pass
    stop_running()
    # Not `sys.exit`: no thread or handler may write any more.
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    _own_stdout, sys.stdout = sys.stdout, sys.stderr
    gc.disable()
    _exit_code = main(json.loads(hold_lifeline()), _own_stdout)
    # Exit handlers only; freeing dbt's objects would take half a second.
    atexit._run_exitfuncs()
    os._exit(_exit_code)

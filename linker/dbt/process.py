"""
Runs dbt in this process, until no table is left to scan: enters dbt's arguments, leaves events as lines of JSON.

A table that cannot be read ends a run on DuckDB. Its error is recorded, and the run is repeated, with the project that
is parsed already, for the tables after it. `linker.dbt.profiling` starts this module as a process of its own, so that
dbt lets go of a DuckDB file before anything else opens it; the arguments come as one line of JSON, and the process ends
with the one that started it.
"""

import atexit
import gc
import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, NoReturn

from linker.dbt.failures import is_of_the_whole_run, one_line, without_values
from linker.dbt.templates import compiled_once
from linker.types import TableRef
from linker.warehouses import find_dialect
from linker.warehouses.base.dialect import DatabaseFile, HeldError

# As a shell says of a process that the keyboard interrupted.
INTERRUPTED = 130
_OWN_PREFIX = "linker: "
# What is said as JSON.
_RECORDS = ("report", "unmatched", "watched")
# An error that comes again and again is no table's, and is reported.
_ATTEMPTS_WITHOUT_PROGRESS = 3
# Questions and other looks hold a file for seconds, and a run of dbt for minutes.
WAIT_SECONDS = 120
# What reads values, and may quote one when it fails.
_READS_VALUES = ("scan", "measure_joins")


class Dbt:
    """dbt with the project parsed once."""

    def __init__(
        self, arguments: list[str], variables: dict[str, Any], tell: Callable[[dict[str, Any]], None], *, is_full: bool
    ) -> None:
        from dbt.cli.main import dbtRunner
        from dbt.contracts.graph.manifest import Manifest

        # What a full run has finished, its repetition leaves as it is.
        self._is_full, self._tell, self.invocation_id = is_full, tell, ""
        self._views: dict[str, Any] = {}
        self._is_fresh, self._operation_error = False, ""
        # Nothing that is parsed depends on vars, and with others dbt would parse everything anew.
        parsed = dbtRunner(callbacks=[self._on_event]).invoke(["parse", *arguments])
        self._arguments, self._variables = arguments, variables
        if not isinstance(parsed.result, Manifest):
            raise DbtError(_failure(parsed)[1])
        self._manifest: Any = parsed.result
        self._runner = dbtRunner(manifest=parsed.result, callbacks=[self._on_event])

    def read_lineage(self, models: Sequence[Sequence[str]]) -> None:
        """Find out what the columns of views and of those dbt models are made of: as private as that are they."""
        # What views say may hold values, and is no business of the log.
        self.operate("report_views", ("--log-level-file", "warn"), others=bool(models))
        views, self._views = self._views, {}
        self._is_fresh = not views["has_schema"]
        self._variables = {**self._variables, "lineage": {}, "broken": _broken(views["views"])}
        if views["columns"]:
            # With it comes a parser of SQL.
            from linker.lineage.views import catalog_of, read_views

            definitions = {TableRef(schema, name): sql for schema, name, sql in (*models, *views["views"])}
            lineage = read_views(definitions, catalog_of(views["columns"]), views["dialect"])
            self._variables = {**self._variables, "lineage": lineage.as_json()}
            unread = [
                {"schema": each.view.schema, "table": each.view.name, "message": each.reason} for each in lineage.unread
            ]
            self._tell({"event": "unread", "content": unread})

    def put(self, places: Mapping[str, Sequence[str]]) -> None:
        """Let the artifacts lie where another project has them: by the name of the model, database, schema and name."""
        for node in self._manifest.nodes.values():
            if node.name in places:
                node.database, node.schema, node.alias, node.relation_name = (*places[node.name], None)
        self._manifest.build_flat_graph()

    def wait_for_file(self, seconds: float) -> None:
        """Wait until the warehouse is free, where it is a file that another process holds."""
        for adapter, file in _files():
            self._wait_for(file, file.path(vars(adapter.config.credentials)), seconds)

    def _wait_for(self, file: DatabaseFile, path: Path, seconds: float) -> None:
        # A driver would make it, and it would be empty.
        if not path.is_file():
            raise DbtError(f"there is no file at {path}")

        def tell(event: str, holder: str) -> None:
            self._tell({"event": event, "content": {"path": str(path), "holder": holder}})

        try:
            file.wait_until_free(path, seconds, lambda holder: tell("waiting", holder))
        except HeldError as held:
            tell("held", str(held))
            raise DbtError(str(held)) from None

    def plan(self) -> None:
        """Build the plan and what it is made from, and report it; nothing stays where no run was before."""
        try:
            done = self.run("--select", "+linker_plan")
            if not done.success:
                raise DbtError(_failure(done)[1])
            self.operate("report_plan")
        finally:
            if self._is_fresh:
                self.operate("forget_plan")

    def run(self, *selection: str) -> Any:  # noqa: ANN401 - dbt's own result
        """Run the models; `invocation_id` then tells this run from others."""
        full, self._is_full = ["--full-refresh"] if self._is_full else [], False
        return self._invoke("run", *selection, *full)

    def operate(self, macro: str, flags: Sequence[str] = (), **arguments: object) -> None:
        """Run a macro of ours."""
        done = self._invoke("run-operation", f"linker.{macro}", "--args", json.dumps(arguments), flags=flags)
        if not done.success:
            raise DbtError(self._operation_error or _failure(done)[1])

    def _invoke(self, *words: str, flags: Sequence[str] = ()) -> Any:  # noqa: ANN401 - dbt's own result
        done = self._runner.invoke([*words, *self._arguments, "--vars", json.dumps(self._variables), *flags])
        # dbt has cancelled its statements by then, and takes it for a failure.
        if isinstance(done.exception, KeyboardInterrupt):
            raise done.exception
        return done

    def stamp(self) -> None:
        """Tell the stamp of a warehouse that is a file of which nobody else could write a word since the run began."""
        for _, file in _files():
            if stamp := file.stamp_after_dbt():
                self._tell({"event": "stamp", "content": stamp})

    def _on_event(self, event: Any) -> None:  # noqa: ANN401 - dbt's own event
        if event.info.name == "MainReportVersion":
            self.invocation_id = event.info.invocation_id
        if event.info.name in ("RunningOperationCaughtError", "RunningOperationUncaughtError"):
            self._operation_error = one_line(event.data.exc)
        message = str(getattr(event.data, "msg", ""))
        if event.info.name in ("JinjaLogInfo", "JinjaLogDebug") and message.startswith(_OWN_PREFIX):
            kind, _, rest = message.removeprefix(_OWN_PREFIX).partition(" ")
            if kind == "views":
                self._views = json.loads(rest)
                return
            self._tell({"event": kind, "content": json.loads(rest) if kind in _RECORDS else rest})


def _files() -> Iterator[tuple[Any, DatabaseFile]]:
    """Adapters whose warehouse is a file, which one process has at a time and where an error ends the run."""
    from dbt.adapters.factory import FACTORY

    for kind, adapter in FACTORY.adapters.items():
        dialect = find_dialect(kind)
        if dialect and dialect.file:
            yield adapter, dialect.file


def _broken(views: Sequence[Sequence[str]]) -> list[tuple[str, str, str]]:
    """Views that name what is gone, with the words of the warehouse; no row is read."""
    from dbt_common.exceptions import DbtRuntimeError

    broken: list[tuple[str, str, str]] = []
    for adapter, _ in _files():
        with adapter.connection_named("views"):
            database = adapter.config.credentials.database
            for schema, name, _ in views:
                try:
                    adapter.execute(f"describe {adapter.Relation.create(database, schema, name)}")
                except DbtRuntimeError as error:
                    broken.append((schema, name, without_values(one_line(error))))
    return broken


class DbtError(Exception):
    """dbt ended with an error that no repetition mends."""


def profile(dbt: Dbt) -> None:
    """Run all models; where a scan or a pair of columns failed, record that and go on with the rest."""
    run_ids: list[str] = []
    errors: list[str] = []
    join_error = ""
    while not (done := dbt.run("--select", "package:linker")).success:
        run_ids.append(dbt.invocation_id)
        step, error = _failure(done)
        if step not in _READS_VALUES or is_of_the_whole_run(error):
            raise DbtError(error)
        if step == "measure_joins":
            # The try is in the journal: each time there are fewer pairs to try.
            join_error = error
            continue
        if errors[-_ATTEMPTS_WITHOUT_PROGRESS:] == [error] * _ATTEMPTS_WITHOUT_PROGRESS:
            raise DbtError(error)
        errors.append(error)
        dbt.operate("record_failure", run_id=run_ids[-1], message=error)
    dbt.operate("report_plan", run_ids=[*run_ids, dbt.invocation_id], join_error=join_error)
    dbt.stamp()


def _failure(done: Any) -> tuple[str, str]:  # noqa: ANN401 - dbt's own result
    """The materialization of the model that failed, if one did, and the words of the warehouse or of dbt on it."""
    for result in getattr(done.result, "results", None) or ():
        if str(result.status) == "error":
            step = str(getattr(getattr(result.node, "config", None), "materialized", ""))
            message = one_line(result.message)
            return step, without_values(message) if step in _READS_VALUES else message
    return "", one_line(done.exception) if done.exception else "dbt failed without a word"


def main(order: dict[str, Any], out: IO[str]) -> int:
    """Do what the order says: `profile` or `plan`, with dbt's arguments and vars; what it tells goes to `out`."""

    def tell(event: dict[str, Any]) -> None:
        out.write(json.dumps(event) + "\n")
        out.flush()

    try:
        with compiled_once(Path(order["templates"])):
            dbt = Dbt(order["arguments"], order["variables"], tell, is_full=order["is_full"])
            # What is imported and parsed stays to the end, and is not searched again and again for what nobody needs.
            gc.freeze()
            gc.enable()
            # Who asks for a plan waits for it.
            dbt.wait_for_file(0 if order["command"] == "plan" else WAIT_SECONDS)
            dbt.put(order["places"])
            dbt.read_lineage(order["models"])
            if order["command"] == "plan":
                dbt.plan()
            else:
                profile(dbt)
    except DbtError as error:
        tell({"event": "error", "content": str(error)})
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


def hold_lifeline() -> str:
    """
    The first line of standard input; from then on this process ends where that ends, even in a statement.

    Whoever started it may be killed, and then cannot tell it to stop; but its end of the pipe is closed all the same.
    """
    # Whoever is asked to stop does so once: the keyboard reaches both processes, and the other one passes it on.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    order = sys.stdin.readline()
    lifeline = os.dup(sys.stdin.fileno())
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, sys.stdin.fileno())
    os.close(nothing)
    threading.Thread(target=_end_with, args=(lifeline,), name="lifeline", daemon=True).start()
    return order


def _end_with(lifeline: int) -> NoReturn:
    while os.read(lifeline, 1024):
        pass
    # Not `sys.exit`: nothing may be written any more, by no thread and no handler.
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    _own_stdout, sys.stdout = sys.stdout, sys.stderr
    gc.disable()
    _exit_code = main(json.loads(hold_lifeline()), _own_stdout)
    # All that Python does at an end, but for taking apart object by object what dbt has made: half a second.
    atexit._run_exitfuncs()
    os._exit(_exit_code)

"""
Runs dbt: one protocol, implemented in process by dbt-core 1.x or by any `dbt` executable.

In process the project is parsed once. As a process, dbt writes JSON events to stdout and
`run_results.json` to its target folder. Both give the same structured events
(https://docs.getdbt.com/reference/events-logging). The package is run through a wrapper project of
two files; vars are in a file because a command line is limited to 128 KB.

Failures are explained: what happened and what to do next. Drivers report the same problems in many
wordings; `error_hints.yml` has the common ones. Values are stripped from statements that read data
before their errors get here.
"""

import json
import re
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, Protocol

import yaml

from linker.config.installed import dbt_project_dir, install_command
from linker.errors import WarehouseError
from linker.files import write_atomically
from linker.types import Record
from linker.warehouses import WAREHOUSES, shipped_dialects

# Cancelling statements takes a round trip; a slower process is stuck.
_PATIENCE_SECONDS = 5

# Lets a limit of the warehouse take effect first.
_SECONDS_MORE = 5
# Receives the model and the invocation id.
OnOvertime = Callable[[str, str], None]

_NAME = "linker_refresh"

Variables = Mapping[str, Any]
# Receives messages of our macros without prefix, as they are logged.
OnMessage = Callable[[str], None]
_PREFIX = "linker: "
# https://docs.getdbt.com/reference/events-logging: a statement, and its end; failed ones end with
# their node.
_STATEMENT = "SQLQuery"
_STATEMENT_ENDS = ("SQLQueryStatus", "NodeFinished", "LogModelResult")
_OWN_MESSAGES = ("JinjaLogInfo", "JinjaLogDebug")
_ERRORS = ("RunningOperationCaughtError", "RunningOperationUncaughtError", "MainEncounteredError")

_LOG = ("--log-format", "json", "--log-level", "debug", "--log-level-file")
# https://docs.getdbt.com/reference/artifacts/run-results-json
_RESULTS = "run_results.json"
# Running dbt processes, ended with this one.
_RUNNING: set["subprocess.Popen[str]"] = set()

# https://docs.getdbt.com/reference/programmatic-invocations
_LOG_IN_PROCESS = ("--log-level", "none", "--log-level-file")


@contextmanager
def ended(process: "subprocess.Popen[str]") -> Iterator[None]:
    """End the process when the block exits early: cancel, then kill."""
    with process:
        try:
            yield
        finally:
            if process.poll() is None:
                process.terminate()
                with suppress(subprocess.TimeoutExpired):
                    process.wait(_PATIENCE_SECONDS)
                process.kill()


class Deadline:
    """A timer for each statement that reads tables."""

    def __init__(self, models: tuple[str, ...], on_overtime: OnOvertime) -> None:
        self._seconds = threading.TIMEOUT_MAX
        self._models, self._on_overtime = models, on_overtime
        self._running: dict[str, threading.Timer] = {}

    def limit(self, seconds: float) -> None:
        """Limit each statement that starts from now on."""
        self._seconds = 1.1 * seconds + _SECONDS_MORE

    def begin(self, model: str, invocation_id: str) -> None:
        """Start the timer of a model's statement."""
        self.end(model)
        if model in self._models:
            timer = threading.Timer(self._seconds, self._on_overtime, (model, invocation_id))
            timer.daemon = True
            self._running[model] = timer
            timer.start()

    def end(self, model: str) -> None:
        """Stop the timer of a model's statement."""
        timer = self._running.pop(model, None)
        if timer:
            timer.cancel()


def write_host_project(folder: Path, profile: str, variables: Mapping[str, Any]) -> None:
    """Write the wrapper project with vars of the package."""
    folder.mkdir(parents=True, exist_ok=True)
    project = {
        "name": _NAME,
        "version": "1.0",
        "config-version": 2,
        "profile": profile,
        "vars": {"linker": dict(variables)},
    }
    _write(folder / "dbt_project.yml", project)
    _write(folder / "packages.yml", {"packages": [{"local": str(dbt_project_dir())}]})


def has_package(folder: Path) -> bool:
    """Whether `dbt deps` installed the package from its current path."""
    installed = folder / "dbt_packages" / "linker"
    return installed.is_dir() and installed.resolve() == dbt_project_dir().resolve()


def _write(path: Path, content: Mapping[str, Any]) -> None:
    dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    text = yaml.dump(content, Dumper=dumper, allow_unicode=True, sort_keys=False, width=1_000)
    # A changed file would make dbt parse the project again.
    if not path.is_file() or path.read_text("utf-8") != text:
        write_atomically(path, text, is_private=True)


class NodeError(Record, frozen=True):
    """A failed model and dbt's message."""

    node: str
    message: str


class DbtResult(Record, frozen=True):
    """Result of a dbt command; `error` is set if it failed outside a model."""

    success: bool
    invocation_id: str
    node_errors: tuple[NodeError, ...] = ()
    error: str = ""


class DbtConnection(Record, frozen=True):
    """Folders and connection of dbt."""

    project_dir: Path
    profiles_dir: Path
    profile: str
    target: str
    target_path: Path
    log_path: Path

    def flags(self, command: str) -> tuple[str, ...]:
        """As dbt flags."""
        # `dbt deps` builds nothing.
        target_path = () if command == "deps" else ("--target-path", str(self.target_path))
        return (
            "--project-dir",
            str(self.project_dir),
            "--profiles-dir",
            str(self.profiles_dir),
            "--profile",
            self.profile,
            "--target",
            self.target,
            "--log-path",
            str(self.log_path),
            *target_path,
            "--no-send-anonymous-usage-stats",
        )


class DbtRunner(Protocol):
    """dbt for one project."""

    def prepare(self) -> DbtResult:
        """Install the package, and parse the project if that is reused; needs no warehouse."""

    def run(
        self, words: Sequence[str], variables: Variables, *, is_private: bool = False
    ) -> DbtResult:
        """Run a command; with `is_private`, nothing is written to dbt's log."""


class EventReader:
    """Reads events of one command: forwards our messages, keeps its id and error."""

    def __init__(self, on_message: OnMessage, deadline: Deadline | None = None) -> None:
        self._on_message, self._deadline = on_message, deadline
        self.invocation_id, self.error = "", ""

    def read(self, name: str, invocation_id: str, data: Callable[[str], str]) -> None:
        """
        Read an event; `data` returns a field, or a nested one by dotted path, as text; empty if
        missing.
        """
        self.invocation_id = invocation_id or self.invocation_id
        if self._deadline and name == _STATEMENT:
            self._deadline.begin(data("node_info.node_name"), self.invocation_id)
        elif self._deadline and name in _STATEMENT_ENDS:
            self._deadline.end(data("node_info.node_name"))
        elif name in _ERRORS:
            self.error = data("exc") or self.error
        elif name in _OWN_MESSAGES and data("msg").startswith(_PREFIX):
            self._on_message(data("msg").removeprefix(_PREFIX))


class ExecutableRunner:
    """Runs an executable; vars are in its project file."""

    def __init__(
        self,
        executable: str,
        connection: DbtConnection,
        on_message: OnMessage,
        deadline: Deadline | None = None,
    ) -> None:
        self._executable, self._connection = executable, connection
        self._on_message, self._deadline = on_message, deadline

    def prepare(self) -> DbtResult:
        """Install the package."""
        if has_package(self._connection.project_dir):
            return DbtResult(True, "")
        return self._invoke(("deps",), "debug")

    def run(
        self, words: Sequence[str], variables: Variables, *, is_private: bool = False
    ) -> DbtResult:
        """Run a command; parses the project each time."""
        write_host_project(self._connection.project_dir, self._connection.profile, variables)
        return self._invoke(words, "none" if is_private else "debug")

    def _invoke(self, words: Sequence[str], log_level: str) -> DbtResult:
        results = self._connection.target_path / _RESULTS
        results.unlink(missing_ok=True)
        reader = EventReader(self._on_message, self._deadline)
        last_words = ""
        with _started(
            [self._executable, *words, *self._connection.flags(words[0]), *_LOG, log_level]
        ) as process:
            for line in process.stdout or ():
                last_words = _read_event(line, reader) or last_words
        node_errors = _node_errors(results) if results.is_file() else ()
        error = "" if process.returncode == 0 else reader.error or last_words
        return DbtResult(process.returncode == 0, reader.invocation_id, node_errors, error)


@contextmanager
def _started(command: Sequence[str]) -> Iterator["subprocess.Popen[str]"]:
    process = subprocess.Popen(  # noqa: S603 - the dbt that the user named
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    )
    _RUNNING.add(process)
    try:
        with ended(process):
            yield process
            process.wait()
    finally:
        _RUNNING.discard(process)


def _read_event(line: str, reader: EventReader) -> str:
    """Read a line of output; returns text for errors and lines that are no event."""
    try:
        event = json.loads(line)
        info, data = event["info"], event["data"]
    except (ValueError, TypeError, KeyError):
        return line.strip()
    reader.read(
        str(info.get("name")),
        str(info.get("invocation_id", "")),
        lambda field: _text_of(data, field),
    )
    return str(info.get("msg", "")) if info.get("level") == "error" else ""


def _text_of(data: Any, path: str) -> str:  # noqa: ANN401 - JSON, or dbt's own record
    for step in path.split("."):
        data = data.get(step, "") if isinstance(data, dict) else getattr(data, step, "")
    return str(data)


def _node_errors(results: Path) -> tuple[NodeError, ...]:
    content = json.loads(results.read_text("utf-8"))
    errors: list[NodeError] = []
    for item in content["results"]:
        kind, _, name = str(item["unique_id"]).partition(".")
        if kind == "model" and item["status"] == "error":
            errors.append(NodeError(name.rpartition(".")[2], str(item["message"])))
    return tuple(errors)


def stop_running() -> None:
    """Stop dbt immediately, because this process is about to exit."""
    for process in list(_RUNNING):
        process.kill()


class InProcessRunner:
    """Runs in process; vars are passed per command, since parsing does not depend on them."""

    def __init__(
        self, connection: DbtConnection, on_message: OnMessage, deadline: Deadline | None = None
    ) -> None:
        from dbt.cli.main import dbtRunner

        self._connection, self._on_message, self._deadline = connection, on_message, deadline
        self._make_runner: Any = dbtRunner
        self._manifest: Any = None

    def run(
        self, words: Sequence[str], variables: Variables, *, is_private: bool = False
    ) -> DbtResult:
        """Run a command on the parsed project."""
        passed = ("--vars", json.dumps(variables), "--no-write-json")
        return self._invoke((*words, *passed), is_private=is_private)[0]

    def prepare(self) -> DbtResult:
        """Parse the project once for all commands."""
        if not has_package(self._connection.project_dir):
            installed = self._invoke(("deps",))[0]
            if not installed.success:
                return installed
        parsed, self._manifest = self._invoke(("parse", "--no-write-json"))
        return parsed

    def _invoke(self, words: Sequence[str], *, is_private: bool = False) -> tuple[DbtResult, Any]:
        reader = EventReader(self._on_message, self._deadline)

        def on_event(event: Any) -> None:  # noqa: ANN401 - dbt's own event
            info = event.info
            reader.read(info.name, info.invocation_id, lambda field: _text_of(event.data, field))

        runner = self._make_runner(manifest=self._manifest, callbacks=[on_event])
        done = runner.invoke(
            [
                *words,
                *self._connection.flags(words[0]),
                *_LOG_IN_PROCESS,
                "warn" if is_private else "debug",
            ]
        )
        # dbt has cancelled its statements and reports this as a failure.
        if isinstance(done.exception, KeyboardInterrupt):
            raise done.exception
        error = reader.error or (str(done.exception) if done.exception else "")
        return DbtResult(
            bool(done.success), reader.invocation_id, _node_errors_of_result(done.result), error
        ), done.result


def _node_errors_of_result(result: Any) -> tuple[NodeError, ...]:  # noqa: ANN401 - dbt's own result, of another class each command
    failed = [
        item for item in getattr(result, "results", None) or () if str(item.status) == "error"
    ]
    # A run-operation's result has no node.
    return tuple(
        NodeError(str(item.node.name), str(item.message))
        for item in failed
        if hasattr(item, "node")
    )


_HEADING = re.compile(r"compiled code at|(Runtime|Database) Error( in|$)")
# All kinds of quotation marks.
_QUOTE = "[\"`'\u00ab\u00bb\u2018-\u201f\u2039-\u203a\u300c-\u300f]"
# In order; macros/primitives/guarded.sql does the same for errors stored in the warehouse.
_VALUES = (
    (re.compile(r"\s+"), " "),
    (re.compile(f"{_QUOTE}.*{_QUOTE}"), "..."),
    (re.compile(f"{_QUOTE}.*"), "..."),
    (re.compile(r"([Vv]alue:).*"), r"\1 ..."),
    (re.compile(r"(^|[^a-zA-Z0-9_])[0-9][^ ]*"), r"\1..."),
)


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str, str], ...]:
    # Not needed for questions.
    import yaml

    of_warehouses = chain.from_iterable(dialect.failures for dialect in shipped_dialects())
    patterns = [(failure.pattern, failure.what, failure.hint) for failure in of_warehouses]
    listed = yaml.safe_load(Path(__file__).with_name("error_hints.yml").read_text("utf-8"))
    for failure in listed:
        patterns.append(("|".join(failure["messages"]), failure["what"], failure["hint"]))
    return tuple(
        (re.compile(pattern, re.IGNORECASE | re.DOTALL), what, hint)
        for pattern, what, hint in patterns
    )


def is_of_the_whole_run(reason: str) -> bool:
    """Whether the failure is not specific to a table, so the next table would fail too."""
    return any(pattern.search(reason) for pattern, _, _ in _patterns())


def explained(reason: str, log: object) -> WarehouseError:
    """An error for the user, with dbt's message as the cause."""
    for pattern, what, hint in _patterns():
        if match := pattern.search(reason):
            named = {name: text.lower() for name, text in match.groupdict().items()}
            if adapter := named.get("name"):
                named["install"] = (
                    install_command(adapter)
                    if adapter in WAREHOUSES
                    else f"pip install dbt-{adapter}"
                )
            return WarehouseError(f"{what.format(**named)}: {reason}", hint=hint.format(**named))
    return WarehouseError(f"dbt failed: {reason}", hint=f"full log: {log}")


def without_values(message: str) -> str:
    """The message without quoted values, which may be private."""
    for pattern, replacement in _VALUES:
        message = pattern.sub(replacement, message)
    return message


def single_line(message: object) -> str:
    """The warehouse's part of a dbt message, in one line."""
    # DuckDB appends the line of our statement.
    text = re.split(r"^\s*LINE \d+:", str(message), maxsplit=1, flags=re.MULTILINE)[0]
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    # dbt adds a heading and the path of the compiled file.
    words = [line for line in lines if not _HEADING.match(line)]
    return " ".join(words or lines)


def file_locked_error(path: object, holder: str) -> WarehouseError:
    """Error for a file that stayed locked."""
    return WarehouseError(
        f"{path} is open in another process: {holder}", hint="run it again when that has ended"
    )


def wait_message(path: object, holder: str) -> str:
    """What a run waits for."""
    return f"waiting for {path}, which is open in {holder}"

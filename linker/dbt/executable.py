"""
Any `dbt` executable, as a process: JSON events on its output, and `run_results.json` in its target
folder.
"""

import json
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from linker.dbt.child_process import ended
from linker.dbt.deadline import Deadline
from linker.dbt.host_project import has_package, write_host_project
from linker.dbt.runner import DbtConnection, DbtResult, EventReader, NodeError, OnMessage, Variables

_LOG = ("--log-format", "json", "--log-level", "debug", "--log-level-file")
# https://docs.getdbt.com/reference/artifacts/run-results-json
_RESULTS = "run_results.json"
# Processes of dbt that end with this one.
_RUNNING: set["subprocess.Popen[str]"] = set()


class ExecutableRunner:
    """The executable; vars lie in the file of its project."""

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
        """Install the package into the project."""
        if has_package(self._connection.project_dir):
            return DbtResult(True, "")
        return self._invoke(("deps",), "debug")

    def run(
        self, words: Sequence[str], variables: Variables, *, is_private: bool = False
    ) -> DbtResult:
        """Run a command; the project is parsed for each."""
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
    """Read a line of the output; what is no event, or an error, is given back as words."""
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


def _text_of(data: Any, path: str) -> str:  # noqa: ANN401 - JSON
    for step in path.split("."):
        data = data.get(step, "") if isinstance(data, dict) else ""
    return str(data)


def _node_errors(results: Path) -> tuple[NodeError, ...]:
    content = json.loads(results.read_text("utf-8"))
    found: list[NodeError] = []
    for each in content["results"]:
        kind, _, name = str(each["unique_id"]).partition(".")
        if kind == "model" and each["status"] == "error":
            found.append(NodeError(name.rpartition(".")[2], str(each["message"])))
    return tuple(found)


def stop_running() -> None:
    """End dbt at once, where this process is about to."""
    for process in list(_RUNNING):
        process.kill()

"""
The protocol by which dbt is run, whatever dbt it is.

Two implementations: dbt-core 1.x in this process, which parses the project once, and any `dbt`
executable as a process. Both read dbt's structured events, which have the same names and fields in
either (https://docs.getdbt.com/reference/events-logging).
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from linker.dbt.deadline import Deadline
from linker.types import Record

Variables = Mapping[str, Any]
# Is told what our macros log, without its prefix, as soon as they do.
OnMessage = Callable[[str], None]

_PREFIX = "linker: "
# https://docs.getdbt.com/reference/events-logging: a statement, and how it ended; one that failed
# ends with its node.
_STATEMENT = "SQLQuery"
_STATEMENT_ENDS = ("SQLQueryStatus", "NodeFinished", "LogModelResult")
_OWN_MESSAGES = ("JinjaLogInfo", "JinjaLogDebug")
_ERRORS = ("RunningOperationCaughtError", "RunningOperationUncaughtError", "MainEncounteredError")


class NodeError(Record, frozen=True):
    """A model that failed, by its name, and what dbt says of it."""

    node: str
    message: str


class DbtResult(Record, frozen=True):
    """How a command of dbt ended; `error` is what ended it where no model did."""

    success: bool
    invocation_id: str
    node_errors: tuple[NodeError, ...] = ()
    error: str = ""


class DbtConnection(Record, frozen=True):
    """Where dbt finds its project and the connection, and where it leaves its files."""

    project_dir: Path
    profiles_dir: Path
    profile: str
    target: str
    target_path: Path
    log_path: Path

    def flags(self, command: str) -> tuple[str, ...]:
        """The same as flags of a command."""
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
    """dbt over one project."""

    def prepare(self) -> DbtResult:
        """
        Do what needs no warehouse: install the package into the project, and parse it where that is
        kept.
        """

    def run(
        self, words: Sequence[str], variables: Variables, *, is_private: bool = False
    ) -> DbtResult:
        """Run a command; with `is_private` nothing of it goes into dbt's log."""


class EventReader:
    """
    What the events of one command say: our own messages at once, and its id and error at the end.
    """

    def __init__(self, on_message: OnMessage, deadline: Deadline | None = None) -> None:
        self._on_message, self._deadline = on_message, deadline
        self.invocation_id, self.error = "", ""

    def read(self, name: str, invocation_id: str, data: Callable[[str], str]) -> None:
        """
        Read an event; `data` gives a field of it as text, or one inside a field behind a dot, empty
        where it has none.
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

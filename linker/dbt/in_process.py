"""
dbt-core 1.x in this process, by its own runner: the project is parsed once, and a command begins at
once.
"""

import json
from collections.abc import Sequence
from typing import Any

from linker.dbt.deadline import Deadline
from linker.dbt.host_project import has_package
from linker.dbt.runner import DbtConnection, DbtResult, EventReader, NodeError, OnMessage, Variables

# https://docs.getdbt.com/reference/programmatic-invocations
_LOG = ("--log-level", "none", "--log-level-file")


class InProcessRunner:
    """The runner; vars are passed with each command, as nothing that is parsed depends on them."""

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
        """Run a command over the project as it was parsed."""
        passed = ("--vars", json.dumps(variables), "--no-write-json")
        return self._invoke((*words, *passed), is_private=is_private)[0]

    def prepare(self) -> DbtResult:
        """Parse the project, once for all commands."""
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
            [*words, *self._connection.flags(words[0]), *_LOG, "warn" if is_private else "debug"]
        )
        # dbt has cancelled its statements by then, and takes it for a failure.
        if isinstance(done.exception, KeyboardInterrupt):
            raise done.exception
        error = reader.error or (str(done.exception) if done.exception else "")
        return DbtResult(
            bool(done.success), reader.invocation_id, _node_errors(done.result), error
        ), done.result


def _text_of(data: Any, path: str) -> str:  # noqa: ANN401 - dbt's own record
    for step in path.split("."):
        data = getattr(data, step, "")
    return str(data)


def _node_errors(result: Any) -> tuple[NodeError, ...]:  # noqa: ANN401 - dbt's own result, of another class each command
    failed = [
        each for each in getattr(result, "results", None) or () if str(each.status) == "error"
    ]
    # The result of a run-operation is of no node.
    return tuple(
        NodeError(str(each.node.name), str(each.message))
        for each in failed
        if hasattr(each, "node")
    )

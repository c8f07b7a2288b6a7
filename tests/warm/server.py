"""
The warm process: each command is a fork of it.

Importing dbt takes three seconds of processor time and parsing the package two, most of a test run.
"""

import atexit
import gc
import io
import json
import marshal
import os
import pkgutil
import runpy
import select
import signal
import socket
import sys
import threading
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TextIO

import linker

_IMPORTED = (
    "babel.dates",
    "dbt.adapters.duckdb",
    "dbt.adapters.duckdb.environments.local",
    "dbt.adapters.postgres",
    "dbt.task.build",
    "dbt.task.run_operation",
    "dbt_common.clients.agate_helper",
    "mcp.server",
    "pgvector.psycopg",
    "psutil",
    "pydantic_ai",
    "rich.progress",
    "sqlglot.dialects.bigquery",
    "sqlglot.dialects.duckdb",
    "sqlglot.dialects.postgres",
    "sqlglot.dialects.snowflake",
    "starlette.applications",
    "threadpoolctl",
    "uvicorn",
)


def serve(folder: Path, owner: int) -> list[str]:
    """Fork per request until the session's process ends; returns the command in the fork."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(folder / "being-made"))
    listener.listen(64)
    (folder / "being-made").rename(folder / "socket")
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    waiting = select.poll()
    waiting.register(listener, select.POLLIN)
    waiting.register(os.pidfd_open(owner), select.POLLIN)
    while True:
        if any(number != listener.fileno() for number, _ in waiting.poll()):
            os._exit(0)
        connection, _ = listener.accept()
        if os.fork():
            connection.close()
            continue
        listener.close()
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        return _begin(connection)


def _begin(connection: socket.socket) -> list[str]:
    size, streams, _, _ = socket.recv_fds(connection, 8, 3)
    request = b""
    while len(request) < int.from_bytes(size, "little"):
        request += connection.recv(1 << 16)
    words, environment, folder, mask = marshal.loads(request)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    if command := os.fork():
        _watch(connection, command)
    connection.close()
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    os.umask(mask)
    sys.stdin = _stream(0, sys.stdin)
    sys.stdout = _stream(1, sys.stdout)
    sys.stderr = _stream(2, sys.stderr)
    return list(words)


def _watch(connection: socket.socket, command: int) -> None:
    """Tell how the command ends, pass signals on to it, and end it with its deputy."""
    for number in (0, 1, 2):
        os.close(number)
    waiting = select.poll()
    waiting.register(connection, select.POLLIN)
    waiting.register(os.pidfd_open(command), select.POLLIN)
    while connection.fileno() in [number for number, _ in waiting.poll()]:
        passed = connection.recv(1)
        os.kill(command, passed[0] if passed else signal.SIGKILL)
        if not passed:
            os._exit(0)
    _, status = os.waitpid(command, 0)
    with suppress(OSError):
        connection.sendall(status.to_bytes(4, "little"))
    os._exit(0)


def _stream(number: int, like: TextIO) -> io.TextIOWrapper:
    """A standard stream as Python opens it."""
    return io.TextIOWrapper(
        open(number, "wb" if number else "rb", closefd=False),
        encoding=like.encoding,
        errors=like.errors,
        newline="\n" if number else None,
        line_buffering=number == 2 or os.isatty(number),
    )


def _import_all() -> None:
    found = pkgutil.walk_packages(linker.__path__, "linker.")
    for name in (*_IMPORTED, *(module.name for module in found)):
        # Environments for one warehouse lack the adapters of others.
        with suppress(ModuleNotFoundError):
            import_module(name)


def _parse_project(folder: Path) -> None:
    """Parse the shipped project, and cache parsed Jinja and compiled macros."""
    from dbt.cli.main import dbtRunner
    from dbt.contracts.graph.manifest import Manifest
    from dbt_common.clients.jinja import template_cache
    from dbt_common.tests import enable_test_caching

    from linker.dbt.runner import write_host_project

    enable_test_caching()
    project = folder / "project"
    write_host_project(project, "warm", {})
    output = {"type": "duckdb", "path": str(folder / "warm.duckdb"), "schema": "main"}
    profiles = {"warm": {"target": "dev", "outputs": {"dev": output}}}
    (project / "profiles.yml").write_text(json.dumps(profiles), "utf-8")
    flags = (
        "--project-dir",
        str(project),
        "--profiles-dir",
        str(project),
        "--log-path",
        str(project),
        "--log-level",
        "none",
        "--log-level-file",
        "none",
        "--no-send-anonymous-usage-stats",
        # It starts threads, which a copy has not, and waits for them.
        "--no-static-parser",
    )
    for command in ("deps", "parse"):
        done = dbtRunner().invoke([command, *flags])
        assert done.success, done.exception
    assert isinstance(done.result, Manifest)
    for macro in done.result.macros.values():
        template_cache.get_node_template(macro)


def _run(words: list[str]) -> int:
    """Be the command; its exit code."""
    sys.orig_argv = [sys.executable, *words]
    code: object = None
    is_interrupted = False
    try:
        if words[0] == "-m":
            sys.path[0], sys.argv = str(Path.cwd()), words[1:]
            runpy.run_module(words[1], run_name="__main__", alter_sys=True)
        else:
            sys.path[0], sys.argv = str(Path(words[0]).parent), words
            runpy.run_path(words[0], run_name="__main__")
    except SystemExit as end:
        code = end.code
    except BaseException as error:  # noqa: BLE001 - as Python itself does
        sys.excepthook(*sys.exc_info())
        is_interrupted, code = isinstance(error, KeyboardInterrupt), 1
    if isinstance(code, str):
        sys.stderr.write(f"{code}\n")
        code = 1
    # All that Python does at an end, but for taking apart what was imported.
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):
            stream.flush()
    if is_interrupted:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    return code if isinstance(code, int) else 0


def main(folder: Path) -> None:
    """Import, serve, and be a command."""
    owner = int((folder / "owner").read_text("utf-8"))
    _import_all()
    _parse_project(folder)
    gc.collect()
    gc.freeze()
    words = serve(folder, owner)
    os._exit(_run(words))


if __name__ == "__main__":
    main(Path(sys.argv[1]))

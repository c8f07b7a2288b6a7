"""
dbt without its start: enter words of its command, leaves what it printed and its exit code.

To import dbt takes four seconds of a processor, and a run of it in a test less. So it is imported
once, in a process that does nothing else, and each run is a copy of that process: as fresh as one
of its own, and gone when it ends.
"""

import os
import sys
from collections.abc import Mapping
from multiprocessing import get_context
from multiprocessing.context import ForkServerContext
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock

_IMPORTED = ["dbt.cli.main", "dbt.task.build", "dbt.adapters.duckdb", "dbt.adapters.postgres"]
_LOCK = Lock()


def run(
    words: list[str], folder: Path, environment: Mapping[str, str], seconds: int
) -> tuple[str, int]:
    """What dbt printed in a folder, and its exit code."""
    with TemporaryDirectory(prefix="linker-dbt-") as own:
        printed = Path(own) / "printed"
        with _LOCK:
            process = _context().Process(
                target=_run, args=(words, folder, dict(environment), printed)
            )
            process.start()
        process.join(seconds)
        process.kill()
        process.join()
        return printed.read_text("utf-8") if printed.exists() else "", process.exitcode or 0


def _context() -> ForkServerContext:
    context = get_context("forkserver")
    context.set_forkserver_preload(_IMPORTED)
    return context


def _run(words: list[str], folder: Path, environment: Mapping[str, str], printed: Path) -> None:
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    number = os.open(printed, os.O_WRONLY | os.O_CREAT, 0o600)
    for stream in (sys.stdout.fileno(), sys.stderr.fileno()):
        os.dup2(number, stream)
    from dbt.cli.main import cli

    cli(words)

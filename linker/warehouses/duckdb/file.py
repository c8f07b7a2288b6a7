"""
The file that a DuckDB warehouse is: who holds it, and a stamp that tells one state from another.

One process writes it, and nobody reads it meanwhile; or several read it, and nobody writes.
Each checkpoint writes one of two headers anew, with a number that counts up; what is committed
since stands in a second file beside it. So the same headers without such a file mean the same
tables.
https://duckdb.org/docs/stable/internals/storage
"""

import hashlib
import os
import re
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from linker.warehouses.base.dialect import DatabaseFile, HeldError

# https://duckdb.org/docs/stable/connect/concurrency
_HOLDER = re.compile(r"held in (?P<program>.+?) \(PID (?P<number>\d+)\)")
_PAUSE_SECONDS = 0.5
_HEADER_BYTES = 3 * 4096


def holder(message: str) -> str | None:
    """
    The process that holds the file, by the words of DuckDB; none where they say something else.
    """
    if "lock" not in message.lower():
        return None
    found = _HOLDER.search(message)
    return f"{found['program']} (PID {found['number']})" if found else "nobody says which"


def wait_until_free(path: Path, seconds: float, on_wait: Callable[[str], None]) -> None:
    """Return as soon as the file can be written; whoever waits is told once for whom."""
    import duckdb

    deadline = time.monotonic() + seconds
    is_announced = False
    # To open a file that is not there would make it.
    while path.is_file():
        try:
            duckdb.connect(str(path)).close()
        except duckdb.Error as error:
            name = holder(str(error)) if isinstance(error, duckdb.IOException) else None
            if name is None:
                # dbt meets the same, and says it.
                return
            if time.monotonic() >= deadline:
                raise HeldError(name) from None
            if not is_announced:
                on_wait(name)
                is_announced = True
            time.sleep(_PAUSE_SECONDS)
        else:
            return


def file_stamp(path: Path) -> str | None:
    """
    The stamp of a file in which all is at its place; none where a part of it is still in the second
    file.
    """
    if path.with_name(path.name + ".wal").exists():
        return None
    with suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            header, status = os.read(descriptor, _HEADER_BYTES), os.fstat(descriptor)
        finally:
            os.close(descriptor)
        return f"{hashlib.sha256(header).hexdigest()} {status.st_size} {status.st_mtime_ns}"
    return None


def _path(options: Mapping[str, Any]) -> Path:
    return Path(str(options.get("path", "")))


FILE = DatabaseFile(path=_path, stamp=file_stamp, wait_until_free=wait_until_free)

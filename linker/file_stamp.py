"""
What tells one state of a DuckDB file from another, without opening the database: enters its path, leaves a text.

Each checkpoint writes one of two headers anew, with a number that counts up; what is committed since stands in a second
file beside it. So the same headers without such a file mean the same tables.
https://duckdb.org/docs/stable/internals/storage
"""

import hashlib
import os
from pathlib import Path

_HEADER_BYTES = 3 * 4096


def file_stamp(path: Path, *, is_locked_here: bool = False) -> str | None:
    """
    The stamp of a file in which all is at its place; none where a part of it is still in the second file.

    Where this very process holds a lock on it the file stays open: by the rules of POSIX closing it ends the lock.
    """
    if path.with_name(path.name + ".wal").exists():
        return None
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return None
    try:
        header = os.read(descriptor, _HEADER_BYTES)
        told = os.fstat(descriptor)
    except OSError:
        return None
    finally:
        if not is_locked_here:
            os.close(descriptor)
    return f"{hashlib.sha256(header).hexdigest()} {told.st_size} {told.st_mtime_ns}"

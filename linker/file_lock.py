"""
Waits for a DuckDB file that another process holds: enters its path, leaves when it is free, or an error that says who.

One process writes a DuckDB file, and nobody reads it meanwhile; or several read it, and nobody writes.
"""

import re
import time
from collections.abc import Callable
from pathlib import Path

# https://duckdb.org/docs/stable/connect/concurrency
_HOLDER = re.compile(r"held in (?P<program>.+?) \(PID (?P<number>\d+)\)")
_PAUSE_SECONDS = 0.5


class HeldError(Exception):
    """Somebody holds the file; the text says who."""


def holder(message: str) -> str | None:
    """Who holds the file, by what DuckDB says; none where that is not what it says."""
    if "lock" not in message.lower():
        return None
    found = _HOLDER.search(message)
    return f"{found['program']} (PID {found['number']})" if found else "nobody says which"


def wait_until_free(path: Path, seconds: float, on_wait: Callable[[str], None]) -> None:
    """Return as soon as the file can be written; whoever waits is told once for whom."""
    import duckdb

    deadline = time.monotonic() + seconds
    told = False
    # To open a file that is not there would make it.
    while path.is_file():
        try:
            duckdb.connect(str(path)).close()
        except duckdb.Error as error:
            who = holder(str(error)) if isinstance(error, duckdb.IOException) else None
            if who is None:
                # dbt meets the same, and says it.
                return
            if time.monotonic() >= deadline:
                raise HeldError(who) from None
            if not told:
                on_wait(who)
                told = True
            time.sleep(_PAUSE_SECONDS)
        else:
            return

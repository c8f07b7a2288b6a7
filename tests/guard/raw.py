"""
An unguarded DuckDB in a process that can be killed, since interrupting endless recursion may hang.
"""

from collections.abc import Callable, Mapping
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import duckdb
import psycopg
from psycopg.conninfo import make_conninfo

ROWS = 100
SECONDS = 3
_PROCESSES = get_context("spawn")


def open_duckdb(path: Path) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(str(path), read_only=True)
    connection.execute("use shop")
    connection.execute("set memory_limit = '1GB'")
    return connection


def open_postgres(options: Mapping[str, Any]) -> psycopg.Connection:
    connection = psycopg.connect(make_conninfo(**options), autocommit=True)
    connection.execute("set search_path = shop, public")
    connection.execute(f"set statement_timeout = '{SECONDS}s'")
    return connection


def _serve(pipe: Connection, opened: Callable[..., Any], place: object) -> None:
    connection = opened(place)
    while True:
        try:
            rows = connection.execute(pipe.recv()).fetchmany(ROWS)
        except EOFError:
            return
        except (duckdb.Error, psycopg.Error):
            pipe.send(None)
        else:
            pipe.send([repr(tuple(row)) for row in rows])


class RawWarehouse:
    """Runs statements one by one; a new process follows one that timed out."""

    def __init__(self, opened: Callable[..., Any], place: object) -> None:
        self._opened, self._place = opened, place
        self._start()

    def rows(self, sql: str) -> list[str] | None:
        """The first rows of a statement; none where the warehouse refuses it, or does not end it."""
        self._pipe.send(sql)
        if self._pipe.poll(2 * SECONDS):
            found: list[str] | None = self._pipe.recv()
            return found
        self.close()
        self._start()
        return None

    def close(self) -> None:
        self._process.kill()
        self._process.join()
        self._pipe.close()

    def _start(self) -> None:
        self._pipe, other_end = _PROCESSES.Pipe()
        self._process = _PROCESSES.Process(
            target=_serve, args=(other_end, self._opened, self._place), daemon=True
        )
        self._process.start()
        other_end.close()

"""Postgres: the embedded server in a folder beside pytest's, which other users cannot enter."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg
from psycopg.conninfo import conninfo_to_dict

from linker.index.embedded import start_postgres


@dataclass(frozen=True)
class PostgresServer:
    """A server that listens on a socket in its folder."""

    url: str
    artifacts: str = "analytics_linker"
    text_type: str = "text"

    @property
    def environment(self) -> dict[str, str]:
        """The variables that the consumer's profiles.yml reads for this target."""
        return {"CONSUMER_POSTGRES_HOST": str(conninfo_to_dict(self.url)["host"])}

    def execute(self, script: str) -> None:
        """Run the script and flush the change counters."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(script.encode())
            connection.execute("select pg_stat_force_next_flush()")

    def fetch(self, query: str) -> list[list[str]]:
        """The rows of a query whose columns are all text; null comes as an empty text."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            rows = connection.execute(query.encode()).fetchall()
        found: list[list[str]] = []
        for row in rows:
            found.append(["" if cell is None else cell for cell in row])
        return found


@contextmanager
def start(folder: Path) -> Iterator[PostgresServer]:
    """A new server with the database `warehouse`."""
    with tempfile.TemporaryDirectory(prefix="linker-warehouse-") as own:
        server = start_postgres(Path(own) / "postgres")
        try:
            with psycopg.connect(server.url, autocommit=True) as connection:
                connection.execute("create database warehouse")
            yield PostgresServer(server.url.replace("/postgres?", "/warehouse?"))
        finally:
            server.stop()

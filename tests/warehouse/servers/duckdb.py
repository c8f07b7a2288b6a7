"""DuckDB: a file, opened and closed by each call, since only one process may write."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import duckdb


@dataclass(frozen=True)
class DuckDBServer:
    """A file, and no server."""

    path: Path
    artifacts: str = "analytics_linker"
    text_type: str = "varchar"

    @property
    def environment(self) -> dict[str, str]:
        """The variables that the consumer's profiles.yml reads for this target."""
        return {"CONSUMER_DUCKDB_PATH": str(self.path)}

    def execute(self, script: str) -> None:
        """Run the script."""
        with duckdb.connect(str(self.path)) as connection:
            connection.execute(script)

    def fetch(self, query: str) -> list[list[str]]:
        """The rows of a query whose columns are all text; null comes as an empty text."""
        with duckdb.connect(str(self.path), read_only=True) as connection:
            rows = connection.execute(query).fetchall()
        found: list[list[str]] = []
        for row in rows:
            found.append(["" if cell is None else cell for cell in row])
        return found


@contextmanager
def start(folder: Path) -> Iterator[DuckDBServer]:
    """A new file in the folder."""
    yield DuckDBServer(folder / "warehouse.duckdb")

"""The seam to the warehouse: enters one read-only statement, leaves its rows."""

from collections.abc import Sequence
from typing import Any, Protocol

Row = tuple[Any, ...]


class Warehouse(Protocol):
    """A read-only session in one target."""

    @property
    def dialect(self) -> str:
        """The SQL dialect, by its name in dbt."""

    def query(self, sql: str, parameters: Sequence[object] = ()) -> list[Row]:
        """Run one statement that reads, with `?` for every parameter."""

    def close(self) -> None:
        """End the session."""

"""Interface of a warehouse session, which runs one read-only statement and returns its rows."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from linker.errors import MissingError, WarehouseError
from linker.types import Record
from linker.warehouses.base.dialect import dialect_sql


class FileLockedError(Exception):
    """The file is locked; the message names the process."""


Row = tuple[Any, ...]
# Our statements read profile tables or a few rows; longer ones are stuck.
TIMEOUT_SECONDS = 120
# Marks our statements in query histories without session labels.
SIGNATURE = "/* dbt-linker */"
_RELATIONS = dialect_sql("relations")


class Bounds(Record, frozen=True):
    """
    Limits of one statement; bytes apply where the warehouse bills them, rows to those fetched.
    """

    seconds: int = TIMEOUT_SECONDS
    bytes_billed: int | None = None
    rows: int | None = None
    reply_bytes: int = 16_000_000


USUAL = Bounds()
# Profile tables and histories are read whole.
WHOLE = Bounds(reply_bytes=1_000_000_000)


class Warehouse(Protocol):
    """A read-only session."""

    @property
    def dialect(self) -> str:
        """The SQL dialect, by its name in dbt."""

    @property
    def bytes_read(self) -> int | None:
        """Bytes read by this session so far, if reported."""

    def query(
        self, sql: str, parameters: Sequence[object] = (), bounds: Bounds = USUAL
    ) -> list[Row]:
        """Run one read-only statement with `?` parameters."""

    def relations(self, schema: str) -> Mapping[str, str]:
        """
        Tables and views of a schema: lower-case name and quoted relation.

        The schema is matched case-insensitively.
        """

    def close(self) -> None: ...


@runtime_checkable
class CancellableSession(Protocol):
    """A session whose statements outlive their client."""

    def cancel(self) -> None:
        """Cancel the running statement from another thread."""


def listed_relations(
    warehouse: Warehouse, schema: str, *, listing: str = _RELATIONS, condition: str = ""
) -> dict[str, str]:
    """Relations from the information schema or a similar listing; an exact-case schema wins."""
    nearest_last = sorted(
        warehouse.query(listing + condition, (schema,)), key=lambda row: bool(row[0] == schema)
    )
    return {name.lower(): f"{in_quotes(owner)}.{in_quotes(name)}" for owner, name in nearest_last}


def in_quotes(name: str) -> str:
    """A double-quoted identifier."""
    return '"' + name.replace('"', '""') + '"'


def refused_statement(vendor: str, reason: str, *, is_missing: bool) -> WarehouseError:
    """Error of a rejected statement; `is_missing` for an unknown table or column."""
    kind = MissingError if is_missing else WarehouseError
    return kind(f"{vendor} refused a statement: {reason}", hint="`linker doctor` checks every part")


def too_slow(seconds: int) -> WarehouseError:
    """Error of a timed-out statement."""
    return WarehouseError(
        f"a statement took longer than {seconds} seconds", hint="ask for less at once"
    )

"""Interface of a warehouse session: runs one read-only statement and returns its rows."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from linker.errors import MissingError, WarehouseError
from linker.types import Record
from linker.warehouses.base.dialect import dialect_sql

Row = tuple[Any, ...]

# A statement of ours reads artifacts or looks at a few rows; what takes longer has gone wrong.
TIMEOUT_SECONDS = 120
# By this a history of queries tells ours from those of people, where a session has no label that it
# keeps.
SIGNATURE = "/* dbt-linker */"
_RELATIONS = dialect_sql("relations")


class Bounds(Record, frozen=True):
    """
    Limits of one statement; bytes count where the warehouse bills them, rows are those that are
    fetched.
    """

    seconds: int = TIMEOUT_SECONDS
    bytes_billed: int | None = None
    rows: int | None = None
    reply_bytes: int = 16_000_000


USUAL = Bounds()
# Of what is ours, artifacts and histories, all is read, however large the warehouse is.
WHOLE = Bounds(reply_bytes=1_000_000_000)


class Warehouse(Protocol):
    """A read-only session in one target."""

    @property
    def dialect(self) -> str:
        """The SQL dialect, by its name in dbt."""

    @property
    def bytes_read(self) -> int | None:
        """Bytes that the statements of this session read so far, where the warehouse says that."""

    def query(
        self, sql: str, parameters: Sequence[object] = (), bounds: Bounds = USUAL
    ) -> list[Row]:
        """Run one statement that reads, with `?` for every parameter, within its bounds."""

    def relations(self, schema: str) -> Mapping[str, str]:
        """
        The tables and views of a schema: by their name in lower case, how SQL has to write them.

        Warehouses fold names differently, so the schema is found whatever its case.
        """

    def close(self) -> None:
        """End the session."""


@runtime_checkable
class CancellableSession(Protocol):
    """A session whose statements go on in the warehouse after their client is gone."""

    def cancel(self) -> None:
        """End what runs in it, from another thread than that which waits for it."""


def listed_relations(
    warehouse: Warehouse, schema: str, *, listing: str = _RELATIONS, condition: str = ""
) -> dict[str, str]:
    """
    Relations that the information schema lists, or a listing like it; a schema in just that case
    comes first.
    """
    nearest_last = sorted(
        warehouse.query(listing + condition, (schema,)), key=lambda row: bool(row[0] == schema)
    )
    return {name.lower(): f"{in_quotes(owner)}.{in_quotes(name)}" for owner, name in nearest_last}


def in_quotes(name: str) -> str:
    """A name in double quotes, as most warehouses have it."""
    return '"' + name.replace('"', '""') + '"'


def refused_statement(vendor: str, reason: str, *, is_missing: bool) -> WarehouseError:
    """
    A statement that the warehouse refused, and whether that was for a table or column that is not
    there.
    """
    kind = MissingError if is_missing else WarehouseError
    return kind(f"{vendor} refused a statement: {reason}", hint="`linker doctor` checks every part")


def too_slow(seconds: int) -> WarehouseError:
    """A statement that took longer than its bounds say."""
    return WarehouseError(
        f"a statement took longer than {seconds} seconds", hint="ask for less at once"
    )

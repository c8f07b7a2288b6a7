"""Table states, and differences between them."""

from datetime import UTC, datetime
from typing import Any

from msgspec.structs import replace

from linker.history.column_changes import MeasureChange, Thresholds
from linker.history.runs import diff
from linker.types import ColumnState, TableRef, TableState

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
ORDERS = TableRef("shop", "orders")
RETURNS = TableRef("shop", "returns")
DEFAULTS = Thresholds()
NUMBER = ColumnState(
    "amount",
    "INTEGER",
    is_nullable=True,
    category="measure",
    null_ratio=0.0,
    distinct_count=500,
    min="0",
    max="1000",
    value_kind="integer",
    privacy="show",
    distinct_is_exact=True,
)
STATUS = ColumnState(
    "status",
    "VARCHAR",
    is_nullable=True,
    category="category",
    null_ratio=0.0,
    distinct_count=3,
    min="a",
    max="c",
    values=(("a", 500), ("b", 300), ("c", 200)),
    value_kind="text",
    privacy="show",
    distinct_is_exact=True,
)
KEY = replace(NUMBER, path="id", category="identifier", distinct_count=1000, min="1", max="1000")


def table(
    *columns: ColumnState, rows: int | None = 1000, scanned_at: datetime = NOON
) -> TableState:
    return TableState(rows, scanned_at, columns)


def changed(
    before: ColumnState, after: ColumnState, thresholds: Thresholds = DEFAULTS, **after_table: Any
) -> list[MeasureChange]:
    """The changes of the one column."""
    found = diff({ORDERS: table(before)}, {ORDERS: table(after, **after_table)}, thresholds)
    return [change for one in found for column in one.columns for change in column.changes]

"""What a run keeps of each table, so that a later one can tell what changed in the warehouse."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class ColumnState:
    """A column as its last scan found it; values only as far as they may be seen."""

    path: str
    data_type: str
    is_nullable: bool | None
    category: str | None = None
    null_ratio: float | None = None
    distinct_count: int | None = None
    min: str | None = None
    max: str | None = None
    values: tuple[tuple[str, int], ...] = ()
    is_sampled: bool = False


@dataclass(frozen=True, slots=True)
class TableState:
    """A logical table as its last scan found it."""

    row_count: int | None
    scanned_at: datetime | None
    columns: tuple[ColumnState, ...]

"""What a run keeps of each table, so that a later one can tell what changed in the warehouse."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class ColumnState:
    """
    A column as its last scan found it; values only as far as they may be seen.

    `values` are all that a small category holds, with how often each was seen. `sample_rows` says of how many rows,
    where those were not all. `is_partial` says that nothing was measured on all rows: of a family the newest members
    are read, and of a very large table a part.
    """

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
    value_kind: str | None = None
    privacy: str | None = None
    distinct_is_exact: bool | None = None
    sample_rows: int | None = None
    is_partial: bool = False


@dataclass(frozen=True, slots=True)
class TableState:
    """A logical table as its last scan found it."""

    row_count: int | None
    scanned_at: datetime | None
    columns: tuple[ColumnState, ...]

"""Records of runs and of the table states that they found."""

from datetime import datetime
from typing import Literal

from linker.types import Record, TableRef

RunKind = Literal["refresh", "index"]
# The next run sets `killed` for one that did not record its end.
Outcome = Literal["running", "done", "unchanged", "partly failed", "failed", "killed"]

# Covered everything requested.
ENDED_WELL: tuple[Outcome, ...] = ("done", "unchanged", "partly failed")


_OF_SCANNED = (
    " could not be compared with ",
    "its keys could not be counted",
    "its members could not be compared",
)


class TableError(Record, frozen=True):
    """A table that could not be read, compared or counted, with the reason."""

    table: TableRef
    message: str

    @property
    def was_scanned(self) -> bool:
        """
        Whether the table was scanned anyway, by the words of report_plan.sql and report_run.sql in
        the macros.
        """
        return any(words in self.message for words in _OF_SCANNED)


class Work(Record, frozen=True):
    """
    Counts of a run: logical tables, reads, and index documents.

    Also usage sources with news and failed ones.
    """

    planned: int = 0
    scanned: int = 0
    unchanged: int = 0
    left_out: int = 0
    failed: int = 0
    statements: int = 0
    rows_read: int = 0
    bytes_read: int = 0
    embedded: int = 0
    removed: int = 0
    learned: int = 0
    not_learned: int = 0


class Run(Record, frozen=True):
    """A run of a target; times are UTC."""

    number: int
    kind: RunKind
    outcome: Outcome
    started_at: datetime
    ended_at: datetime | None
    work: Work = Work()
    errors: tuple[TableError, ...] = ()
    # dbt's ids in `linker_runs`.
    dbt_runs: tuple[str, ...] = ()
    # Reason of a failure, or sources that failed.
    message: str = ""
    # Selection flags; empty for the whole warehouse.
    selection: str = ""


class ColumnState(Record, frozen=True):
    """
    A column at its last scan; values as privacy allows.

    `values` are those of a small category with counts. `sample_rows` is set for samples.
    `is_partial`: no measure covers all rows, as for families and very large tables.
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


class JoinState(Record, frozen=True):
    """A join: its columns, and those it references."""

    columns: tuple[str, ...]
    schema: str
    table: str
    keys: tuple[str, ...]


class TableState(Record, frozen=True):
    """
    A logical table at its last scan.

    `change_rule` is how changes are detected: the warehouse's `token`, a view's `inputs`, or `age`.
    """

    row_count: int | None
    scanned_at: datetime | None
    columns: tuple[ColumnState, ...]
    change_rule: str | None = None
    joins: tuple[JoinState, ...] = ()

"""Records of runs and of the table states that they found."""

from datetime import datetime
from typing import Literal

from linker.types import Record, TableRef

RunKind = Literal["refresh", "index"]
# `killed` is said by the next run, of one that never came to say how it ended.
Outcome = Literal["running", "done", "unchanged", "partly failed", "failed", "killed"]

# Those have looked at all that they were asked for.
ENDED_WELL: tuple[Outcome, ...] = ("done", "unchanged", "partly failed")


_OF_SCANNED = (
    " could not be compared with ",
    "its keys could not be counted",
    "its members could not be compared",
)


class TableError(Record, frozen=True):
    """
    A table that could not be read or understood, or of which something could not be compared or
    counted, and why.
    """

    table: TableRef
    message: str

    @property
    def was_scanned(self) -> bool:
        """
        Tell if the table was read all the same, by the words of report_plan.sql and report_run.sql
        in the macros.
        """
        return any(words in self.message for words in _OF_SCANNED)


class Work(Record, frozen=True):
    """
    Work of a run: logical tables, what was read of them, and documents of the index.

    Of the sources of `usage_sources`, so many told something new, and so many could not be learned
    from.
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
    """One run of a target; its times are in UTC, its number is what people call it by."""

    number: int
    kind: RunKind
    outcome: Outcome
    started_at: datetime
    ended_at: datetime | None
    work: Work = Work()
    errors: tuple[TableError, ...] = ()
    # What dbt calls its runs in `linker_runs`.
    dbt_runs: tuple[str, ...] = ()
    # Why it failed, or what could not be learned from and why.
    message: str = ""
    # What it was limited to, as one would write it; empty for the whole warehouse.
    selection: str = ""


class ColumnState(Record, frozen=True):
    """
    A column as its last scan found it; values only as far as they may be seen.

    `values` are all that a small category holds, with how often each was seen. `sample_rows` says
    of how many rows, where those were not all. `is_partial` says that nothing was measured on all
    rows: of a family few members are read, and of a very large table a part.
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
    """A join of a table: its columns, and the columns of the other table that they lead to."""

    columns: tuple[str, ...]
    schema: str
    table: str
    keys: tuple[str, ...]


class TableState(Record, frozen=True):
    """
    A logical table as its last scan found it.

    A change of it is noticed by `change_rule`: the `token` of the warehouse, the `inputs` of a
    view, or its `age`.
    """

    row_count: int | None
    scanned_at: datetime | None
    columns: tuple[ColumnState, ...]
    change_rule: str | None = None
    joins: tuple[JoinState, ...] = ()

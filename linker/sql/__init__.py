"""
Text-to-SQL over a linked schema: records of its steps and of the answer.

A language model writes candidates that run through the guard and vote. Cells are plain values
(text, number, boolean, null), so that stored records compare equal when read back.
"""

from itertools import chain
from typing import TYPE_CHECKING, Literal

from linker.errors import ConfigError
from linker.linking.result import CostReport, StepCost, Unanswerable
from linker.types import ColumnRef, Record

if TYPE_CHECKING:
    from linker.linking.assemble_result import TraceRecord


Cell = str | int | float | bool | None
Cells = tuple[Cell, ...]

# `answered`: most candidates agree on the rows; `draft`: it ran, with doubts; `written`: not
# executed (`--dry-run`); `needs_model`: no language model; `failed`: no candidate runs;
# `unanswerable`: the warehouse lacks the data.
Outcome = Literal["answered", "draft", "written", "needs_model", "failed", "unanswerable"]


class Result(Record, frozen=True):
    """Names and rows of a result; `is_cut` if there may be more rows."""

    columns: tuple[str, ...]
    rows: tuple[Cells, ...]
    is_cut: bool = False


class Attempt(Record, frozen=True):
    """A statement of a candidate: the version to run, and its result."""

    sql: str
    # The version to run; empty if refused.
    runs: str = ""
    result: Result | None = None
    error: str = ""
    used: tuple[ColumnRef, ...] = ()
    is_ordered: bool = False
    masked: tuple[ColumnRef, ...] = ()

    @property
    def has_run(self) -> bool:
        """Whether it ran, even without rows."""
        return self.result is not None

    @property
    def is_void(self) -> bool:
        """Whether it ran and returned no rows, only nulls, or a single row of zeros."""
        rows = self.result.rows if self.result else ((True,),)
        return all(
            cell is None or (len(rows) == 1 and cell is not False and cell == 0)
            for cell in chain.from_iterable(rows)
        )


class Candidate(Record, frozen=True):
    """A candidate with its corrections; the last attempt counts."""

    number: int
    attempts: tuple[Attempt, ...] = ()
    error: str = ""

    @property
    def last(self) -> Attempt | None:
        """The last attempt."""
        return self.attempts[-1] if self.attempts else None

    @property
    def is_to_mend(self) -> bool:
        """Whether the last attempt failed, or is the first empty one."""
        last = self.attempts[-1]
        return bool(last.error) or (
            last.is_void and not any(attempt.is_void for attempt in self.attempts[:-1])
        )


class SqlAnswer(Record, frozen=True):
    """
    The SQL of a question, with confidence.

    `sql` is for people, `runs` the version that the guard permits; `votes` of `of` candidates
    returned its rows. `missing` explains a missing statement; `degraded` lists failed language
    model steps.
    """

    question: str
    target: str
    dialect: str
    outcome: Outcome
    sql: str = ""
    runs: str = ""
    result: Result | None = None
    used: tuple[ColumnRef, ...] = ()
    masked: tuple[ColumnRef, ...] = ()
    confidence: float | None = None
    votes: int = 0
    of: int = 0
    doubts: tuple[str, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    missing: str = ""
    unanswerable: Unanswerable | None = None
    warnings: tuple[str, ...] = ()
    strategy: str = ""
    cost: tuple[StepCost, ...] = ()
    seconds: float = 0.0
    trace: str = ""
    degraded: tuple[str, ...] = ()

    @property
    def bill(self) -> CostReport:
        return CostReport(self.cost, self.seconds)

    @property
    def is_answer(self) -> bool:
        """Whether there is a statement."""
        return self.outcome in ("answered", "draft", "written")


def sql_of(record: "TraceRecord") -> SqlAnswer | None:
    """The recorded SQL answer; None if no SQL was requested."""
    from pydantic import TypeAdapter, ValidationError

    answer = next(
        (event["answer"] for event in reversed(record.events) if event["event"] == "sql"), None
    )
    if answer is None:
        return None
    try:
        return TypeAdapter(SqlAnswer).validate_python(answer)
    except ValidationError:
        raise ConfigError(
            f"the SQL of trace {record.id} cannot be read: it is of another version",
            hint="ask the question again",
        ) from None

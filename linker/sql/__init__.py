"""
Text-to-SQL over a linked schema: records of its steps and of the answer.

A language model writes candidates that run through the guard and vote. Cells are plain values
(text, number, boolean, null), so that stored records compare equal when read back.
"""

from typing import TYPE_CHECKING, Literal

from linker.errors import ConfigError
from linker.linking.result import CostReport, StepCost, Unanswerable
from linker.types import ColumnRef, Record

if TYPE_CHECKING:
    from linker.linking.assemble_result import TraceRecord


Cell = str | int | float | bool | None
Cells = tuple[Cell, ...]

# `answered`: it ran, and most candidates gave its rows; `draft`: it ran, and is not certain, and
# says why; `written`: it may run, and was not (`--dry-run`); `needs_model`: there is no language
# model to write it; `failed`: nothing that the model wrote runs; `unanswerable`: the warehouse
# lacks what is asked for.
Outcome = Literal["answered", "draft", "written", "needs_model", "failed", "unanswerable"]


class Result(Record, frozen=True):
    """
    The result of a statement: names and rows; `is_cut` where there may be more rows than were
    fetched.
    """

    columns: tuple[str, ...]
    rows: tuple[Cells, ...]
    is_cut: bool = False


class Attempt(Record, frozen=True):
    """One statement of a candidate: what may run of it, and what came of that."""

    sql: str
    # What the guard lets run; empty where it was refused.
    runs: str = ""
    result: Result | None = None
    error: str = ""
    used: tuple[ColumnRef, ...] = ()
    is_ordered: bool = False
    masked: tuple[ColumnRef, ...] = ()

    @property
    def has_run(self) -> bool:
        """True if the warehouse gave rows, or none of them."""
        return self.result is not None

    @property
    def is_void(self) -> bool:
        """
        True if it ran, and gave no row, or nothing but nulls, or nothing but zeros in one row, as a
        count gives.
        """
        rows = self.result.rows if self.result else ((True,),)
        return all(
            cell is None or (len(rows) == 1 and cell is not False and cell == 0)
            for row in rows
            for cell in row
        )


class Candidate(Record, frozen=True):
    """One way a model wrote the statement, with its corrections; the last attempt counts."""

    number: int
    attempts: tuple[Attempt, ...] = ()
    error: str = ""

    @property
    def last(self) -> Attempt | None:
        """The attempt after all corrections."""
        return self.attempts[-1] if self.attempts else None

    @property
    def is_to_mend(self) -> bool:
        """True if the last attempt failed, or gave nothing for the first time."""
        last = self.attempts[-1]
        return bool(last.error) or (
            last.is_void and not any(attempt.is_void for attempt in self.attempts[:-1])
        )


class SqlAnswer(Record, frozen=True):
    """
    The statement for a question, and how sure it is.

    `sql` is the statement for people, `runs` what the guard lets run of it; `votes` of `of`
    candidates gave its rows. `missing` says why there is no statement, `degraded` what a language
    model should have done and did not.
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
        """What it did cost."""
        return CostReport(self.cost, self.seconds)

    @property
    def is_answer(self) -> bool:
        """True if there is a statement to show."""
        return self.outcome in ("answered", "draft", "written")


def sql_of(record: "TraceRecord") -> SqlAnswer | None:
    """The answer that a trace holds, as it was given; None of a run that was not asked for SQL."""
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

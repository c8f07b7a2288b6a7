"""
The linked schema as records, with the reason and confidence of each part, and its phrases for
output and traces.
"""

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec.structs import replace

from linker.budget import Cost
from linker.text.escaping import escape_invisible, one_line
from linker.text.numbers import counted, first_of, number, percent
from linker.types import Column, ColumnRef, Record, Ref, Table, TableRef

# What is said of a join of which nothing was declared, measured or used: what joins by its name may
# not by its values.
BY_NAME = "by name"
# The beginning of a warning about words of the question.
UNSPOKEN = "unmatched terms:"
# Where an item of the answer stands: locked by the vote, kept by a decision, or still undecided and
# therefore kept.
Status = Literal["required", "kept", "pending"]
EvidenceKind = Literal["vote", "value", "key", "profile", "statistic", "probe", "usage", "ranking"]

# A shape and a word: a status must be seen without colours, too.
MARKS: dict[Status, str] = {"required": "●", "kept": "◐", "pending": "○"}
_MOST_SIBLINGS = 20
_MOST_NAMED = 8
_NEARLY_ALL = 0.975
# What was looked at tells more than what is there by its kind.
_STRENGTH = ("value", "probe", "statistic", "usage", "key", "profile")


class Evidence(Record, frozen=True):
    """
    One thing that speaks for an item, in a line: votes, a value, a key, a profile, a statistic, a
    probe's result.
    """

    kind: EvidenceKind
    text: str


class LinkedColumn(Record, frozen=True):
    """
    A column of the answer, and why it is there. Only a strategy that votes says status and
    credibility.

    `score` is how likely it is needed. `points_to` are the keys that it leads to, the surest first;
    `examples` are values that may be shown.
    """

    column: Column
    score: float
    reason: str
    status: Status | None = None
    credibility: float | None = None
    evidence: tuple[Evidence, ...] = ()
    is_primary_key: bool = False
    points_to: tuple[ColumnRef, ...] = ()
    examples: tuple[str, ...] = ()


class LinkedTable(Record, frozen=True):
    """
    A table of the answer with the columns that are needed. It stands for others that have the same
    columns.

    `further` are its other columns, where the whole schema is handed over; `score` is how likely
    the table is needed.
    """

    table: Table
    columns: tuple[LinkedColumn, ...]
    stands_for: tuple[TableRef, ...] = ()
    reason: str = ""
    status: Status | None = None
    credibility: float | None = None
    evidence: tuple[Evidence, ...] = ()
    further: tuple[LinkedColumn, ...] = ()
    score: float | None = None


class Join(Record, frozen=True):
    """
    A way to bring two tables of the answer together, column by column.

    `overlap` is the share of the left side's values that the right side holds, `fan_out` how many
    rows of the left side share one key on average, `cardinality` is `n:1`, `1:1` or `n:m` from left
    to right; each where it was measured.
    """

    left: TableRef
    left_columns: tuple[str, ...]
    right: TableRef
    right_columns: tuple[str, ...]
    reason: str
    overlap: float | None = None
    fan_out: float | None = None
    cardinality: str | None = None

    def __str__(self) -> str:
        pairs = zip(self.left_columns, self.right_columns, strict=True)
        return " and ".join(f"{self.left}.{left} = {self.right}.{right}" for left, right in pairs)


class Alternative(Record, frozen=True):
    """
    One way to answer the question, in a line; `ruled_out` says why nothing of it had to be kept.
    """

    number: int
    summary: str
    diverges: tuple[str, ...] = ()
    tables: tuple[TableRef, ...] = ()
    ruled_out: str = ""
    columns: tuple[ColumnRef, ...] = ()


class Discarded(Record, frozen=True):
    """A table or column that some hypothesis asked for, and why it is not in the answer."""

    ref: Ref
    reason: str
    credibility: float | None = None


class Unanswerable(Record, frozen=True):
    """The lack that keeps the warehouse from answering the question, and what comes nearest."""

    missing: str
    nearest: tuple[Ref, ...] = ()


class StepCost(Record, frozen=True):
    """The cost of one step."""

    step: str
    cost: Cost


class CostReport(Record, frozen=True):
    """
    The cost of an answer by step, and the seconds that passed: steps that ran side by side each
    count theirs.
    """

    steps: tuple[StepCost, ...]
    seconds: float

    @property
    def total(self) -> Cost:
        """The sum of the steps, in the seconds that passed."""
        return replace(sum((step.cost for step in self.steps), Cost()), seconds=self.seconds)


class LinkedSchema(Record, frozen=True):
    """
    The answer to a question: tables, columns and joins, why each is there, and what was degraded.

    `seen`: by step of the strategy, in their order, the columns that it still had in view.
    `unanswerable` is set where the warehouse cannot answer; the tables are then what comes nearest.
    `trace` names the record of the run, `chosen_because` says why this strategy was chosen, where
    one chose it. `complete` is the chance that nothing that is needed is missing, where it can be
    said. `further_tables` are the unlikely ones, where the whole schema is handed over. `degraded`
    says what a language model should have done and did not.
    """

    question: str
    target: str
    strategy: str
    tables: tuple[LinkedTable, ...]
    joins: tuple[Join, ...] = ()
    warnings: tuple[str, ...] = ()
    seen: tuple[tuple[str, tuple[ColumnRef, ...]], ...] = ()
    seconds: float = 0.0
    alternatives: tuple[Alternative, ...] = ()
    discarded: tuple[Discarded, ...] = ()
    cost: tuple[StepCost, ...] = ()
    unanswerable: Unanswerable | None = None
    trace: str = ""
    chosen_because: str = ""
    complete: float | None = None
    further_tables: tuple[LinkedTable, ...] = ()
    degraded: tuple[str, ...] = ()

    @property
    def bill(self) -> CostReport:
        """What it did cost."""
        return CostReport(self.cost, self.seconds)

    @property
    def column_count(self) -> int:
        """The number of columns in the answer."""
        return sum(len(table.columns) for table in self.tables)


def size_of(table: Table) -> str:
    """Kind and size of a table, in a few words: family, rows."""
    parts = ["" if table.kind == "table" else table.kind]
    if table.family:
        parts = [one_line(str(table.family))]
    if table.row_count_estimate is not None:
        parts.append(counted(table.row_count_estimate, "row"))
    return " · ".join(filter(None, parts))


def why(linked: LinkedColumn | LinkedTable) -> str:
    """The one reason that a person reads first, or else what the column is."""
    found = [item for item in linked.evidence if item.kind in _STRENGTH]
    found.sort(key=lambda item: _STRENGTH.index(item.kind))
    meant = linked.column if isinstance(linked, LinkedColumn) else linked.table
    texts = (linked.reason, *(item.text for item in found), meant.description)
    return one_line(next(filter(None, texts), ""))


def completeness(chance: float) -> str:
    """
    The estimated completeness of an answer: of comparable questions, the share whose answers had
    every needed column; in tenths, since it is no more exact.
    """
    if chance >= _NEARLY_ALL:
        return f"estimated completeness over {percent(_NEARLY_ALL, digits=0)}"
    tenths = max(1, min(9, round(10 * chance)))
    return f"estimated completeness {percent(tenths / 10, digits=0)}"


def relevance(score: float) -> str:
    """How likely a table or column is needed, from 0 to 1."""
    return f"{score:.2f}"


def named_shortly(tables: Sequence[LinkedTable]) -> str:
    """The first names of tables, and how many more there are."""
    return first_of((escape_invisible(linked.table.ref) for linked in tables), _MOST_NAMED)


def evidence_lines(evidence: Iterable[Evidence]) -> list[str]:
    """All evidence, a line each."""
    return [f"{item.kind}: {one_line(item.text)}" for item in evidence]


def measures(join: Join) -> str:
    """
    Measures of a join: its cardinality, how many values the key holds, and how many rows share one.
    """
    if join.overlap is None and join.fan_out is None:
        return "not measured"
    parts = [join.cardinality] if join.cardinality else []
    if join.overlap is not None:
        parts.append(f"{percent(join.overlap, digits=0)} of the values match")
    if join.fan_out is not None:
        parts.append(f"{number(join.fan_out)} {'row' if join.fan_out == 1 else 'rows'} per key")
    return ", ".join(parts)


def no_answer(lack: Unanswerable) -> str:
    """The lack of the warehouse and what comes nearest, in a line."""
    nearest = ", ".join(escape_invisible(ref) for ref in lack.nearest) or "nothing"
    return f"{one_line(lack.missing)}; nearest: {nearest}"


def standing(linked: LinkedTable) -> str:
    """
    Such as `same columns as orders_north, orders_south`; a name says its schema where that is
    another.
    """
    if not linked.stands_for:
        return ""
    own = linked.table.ref.schema
    names = (escape_invisible(ref.name if ref.schema == own else ref) for ref in linked.stands_for)
    return f"same columns as {first_of(names, _MOST_SIBLINGS)}"

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

# Label of joins without declaration, measurement or usage; names may match where values do not.
BY_NAME = "by name"
# Prefix of a warning.
UNMATCHED_TERMS = "unmatched terms:"
# Status of an item: confirmed by the vote, kept by a decision, or undecided and therefore kept.
Status = Literal["required", "kept", "pending"]
EvidenceKind = Literal["vote", "value", "key", "profile", "statistic", "probe", "usage", "ranking"]

# Symbols, so that a status is visible without colour.
MARKS: dict[Status, str] = {"required": "●", "kept": "◐", "pending": "○"}
_MAX_SIBLINGS = 20
_MAX_NAMED = 4
_NEARLY_ALL = 0.975
# Observed evidence ranks above evidence by type.
_STRENGTH = ("value", "probe", "statistic", "usage", "key", "profile")


class Evidence(Record, frozen=True):
    """Evidence for an item: votes, a value, a key, a profile, a statistic or a probe."""

    kind: EvidenceKind
    text: str


class LinkedColumn(Record, frozen=True):
    """
    A column of the answer with its evidence; only voting strategies set status and credibility.

    `score` is its relevance, `points_to` the keys it references (most certain first), `examples`
    values that may be shown.
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
    A table of the answer with needed columns; it represents its `siblings`.

    `further` are its other columns when the whole schema is passed; `score` is its relevance.
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

    @property
    def column_refs(self) -> list[ColumnRef]:
        return [ColumnRef(self.table.ref, linked.column.path) for linked in self.columns]


class Join(Record, frozen=True):
    """
    A join of two tables by column pairs.

    `overlap` is the share of left values found on the right, `fan_out` the mean number of left rows
    per key, `cardinality` `n:1`, `1:1` or `n:m` from left to right; None if unmeasured.
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
    """A hypothesis in one line; `ruled_out` is the reason if it was dropped."""

    number: int
    summary: str
    diverges: tuple[str, ...] = ()
    tables: tuple[TableRef, ...] = ()
    ruled_out: str = ""
    columns: tuple[ColumnRef, ...] = ()


class Discarded(Record, frozen=True):
    """A candidate table or column, and why it is not in the answer."""

    ref: Ref
    reason: str
    credibility: float | None = None


class Unanswerable(Record, frozen=True):
    """What the warehouse lacks for the question, and the nearest match."""

    missing: str
    nearest: tuple[Ref, ...] = ()


class StepCost(Record, frozen=True):
    step: str
    cost: Cost


class CostReport(Record, frozen=True):
    """Cost by step, and elapsed seconds; parallel steps each count their own."""

    steps: tuple[StepCost, ...]
    seconds: float

    @property
    def total(self) -> Cost:
        """Sum of the steps, with elapsed seconds."""
        return replace(sum((step.cost for step in self.steps), Cost()), seconds=self.seconds)


class LinkedSchema(Record, frozen=True):
    """
    The answer: tables, columns and joins with evidence, and degradations.

    `seen` lists by step, in order, the columns in view. If `unanswerable` is set, the tables are
    the nearest match. `trace` names the run's record, `chosen_because` the reason of `auto`.
    `complete` is the estimated completeness, if known. `further_tables` are irrelevant ones of a
    schema passed whole. `degraded` lists failed language model steps.
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
        return CostReport(self.cost, self.seconds)

    @property
    def column_count(self) -> int:
        return sum(len(table.columns) for table in self.tables)


def size_of(table: Table) -> str:
    """Family and rows of a table, in brief."""
    parts = ["" if table.kind == "table" else table.kind]
    if table.family:
        parts = [one_line(str(table.family))]
    if table.row_count_estimate is not None:
        parts.append(counted(table.row_count_estimate, "row"))
    return " · ".join(filter(None, parts))


def why(linked: LinkedColumn | LinkedTable) -> str:
    """The main reason, else the column's type."""
    strongest = [item for item in linked.evidence if item.kind in _STRENGTH]
    strongest.sort(key=lambda item: _STRENGTH.index(item.kind))
    meant = linked.column if isinstance(linked, LinkedColumn) else linked.table
    texts = (linked.reason, *(item.text for item in strongest), meant.description)
    return one_line(next(filter(None, texts), ""))


def completeness(chance: float) -> str:
    """
    Estimated completeness: the share of comparable answers with every needed column, rounded to
    tenths.
    """
    if chance >= _NEARLY_ALL:
        return f"estimated completeness over {percent(_NEARLY_ALL, digits=0)}"
    tenths = max(1, min(9, round(10 * chance)))
    return f"estimated completeness {percent(tenths / 10, digits=0)}"


def relevance(score: float) -> str:
    """Probability that an item is needed, from 0 to 1."""
    return f"{score:.2f}"


def named_shortly(tables: Sequence[LinkedTable]) -> str:
    """The names of a few tables, else their number."""
    if len(tables) > _MAX_NAMED:
        return f"{len(tables):,} tables"
    return ", ".join(escape_invisible(linked.table.ref) for linked in tables)


def evidence_lines(evidence: Iterable[Evidence]) -> list[str]:
    """One line per evidence."""
    return [f"{item.kind}: {one_line(item.text)}" for item in evidence]


def measures(join: Join) -> str:
    """Cardinality, overlap and fan-out of a join."""
    if join.overlap is None and join.fan_out is None:
        return "not measured"
    parts = [join.cardinality] if join.cardinality else []
    if join.overlap is not None:
        parts.append(f"{percent(join.overlap, digits=0)} of the values match")
    if join.fan_out is not None:
        parts.append(f"{number(join.fan_out)} {'row' if join.fan_out == 1 else 'rows'} per key")
    return ", ".join(parts)


def no_answer(lack: Unanswerable) -> str:
    """What is missing and the nearest match, in one line."""
    nearest = ", ".join(escape_invisible(ref) for ref in lack.nearest) or "nothing"
    return f"{one_line(lack.missing)}; nearest: {nearest}"


def standing(linked: LinkedTable) -> str:
    """For example `same columns as orders_north, orders_south`; qualified if the schema differs."""
    if not linked.stands_for:
        return ""
    own = linked.table.ref.schema
    names = (escape_invisible(ref.name if ref.schema == own else ref) for ref in linked.stands_for)
    return f"same columns as {first_of(names, _MAX_SIBLINGS)}"

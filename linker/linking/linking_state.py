"""
Linking state: hypotheses grounded in existing names, their vote, and decisions after it.

Unknown names are reported to the model once, then dropped with a warning. With n of M hypotheses
needing an item and a uniform prior, the need is Beta(n + 1, M - n + 1); credibility is the
probability that it exceeds one half.

The state is immutable: a decision returns a new state and a message. Undecided items are kept,
nothing is locked, discarded items can return, and unrequested ones can be added. A column is
decided together with the same column of identical tables; a table takes its columns along.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from math import comb
from typing import Literal, TypeVar

from msgspec import field
from msgspec.structs import replace

from linker.identifiers.resolver import Unknown
from linker.linking.actions import Action
from linker.linking.result import Evidence
from linker.types import Catalog, ColumnRef, Record, Ref, TableRef

MAX_HYPOTHESES = 4
# How hypotheses differ: source of an entity, join path, encoding of a condition or measure, grain
# of a measure, ambiguous word.
Signal = Literal["source", "join_path", "encoding", "granularity", "term"]

JoinHint = tuple[ColumnRef, ColumnRef]

RefT = TypeVar("RefT", TableRef, ColumnRef)

# Items from here on are required: 4 of 4 or 2 of 2, but not 3 of 4.
REQUIRED_FROM = 0.85

ItemStatus = Literal["required", "undecided", "kept", "discarded"]


class Divergence(Record, frozen=True):
    """How a hypothesis differs from the others."""

    signal: Signal
    text: str

    def __str__(self) -> str:
        return f"{self.signal}: {self.text}"


class Hypothesis(Record, frozen=True):
    """An interpretation of the question. Tables, joins and columns are hints for grounding."""

    number: int
    summary: str
    diverges: tuple[Divergence, ...] = ()
    tables: tuple[TableRef, ...] = ()
    joins: tuple[JoinHint, ...] = ()
    columns: tuple[ColumnRef, ...] = ()


class Proposal(Record, frozen=True):
    """Hypotheses of a model; if unanswerable, what is missing and the nearest match."""

    hypotheses: tuple[Hypothesis, ...]
    missing: str = ""
    nearest: tuple[Ref, ...] = ()


class Grounding(Record, frozen=True):
    """
    Items that a hypothesis needs. `why` maps items to reasons, `unknown` lists unresolved names.
    """

    hypothesis: Hypothesis
    tables: tuple[TableRef, ...]
    columns: tuple[ColumnRef, ...]
    why: tuple[tuple[Ref, str], ...] = ()
    unknown: tuple[str, ...] = ()


def named(
    choose: Callable[[tuple[Unknown, ...]], Iterable[str]], find: Callable[[str], RefT | Unknown]
) -> tuple[tuple[RefT, ...], tuple[str, ...]]:
    """Resolved choices, and names that stay unknown after a second attempt."""
    resolved, lost = dict[RefT, None](), tuple[Unknown, ...]()
    for _ in range(2):
        refs = [find(name) for name in dict.fromkeys(choose(lost))]
        resolved.update((ref, None) for ref in refs if not isinstance(ref, Unknown))
        lost = tuple(ref for ref in refs if isinstance(ref, Unknown))
        if not lost:
            break
    return tuple(resolved), tuple(ref.name for ref in lost)


class Vote(Record, frozen=True):
    """Hypotheses that need an item, and its credibility."""

    ref: Ref
    hypotheses: tuple[int, ...]
    of: int
    credibility: float
    why: str = ""

    def __str__(self) -> str:
        return f"needed by {len(self.hypotheses)} of {self.of} hypotheses"


class Sets(Record, frozen=True):
    """Voted items in two disjoint sets."""

    required: tuple[Vote, ...]
    uncertain: tuple[Vote, ...]


def credibility(votes: int, total: int) -> float:
    """
    P(p > 1/2) for p ~ Beta(n + 1, M - n + 1).

    For integers this equals the chance of at most n heads in M + 1 coin tosses.
    """
    if not 0 <= votes <= total:
        raise ValueError(f"{votes} votes of {total}")
    throws: int = sum(comb(total + 1, heads) for heads in range(votes + 1))
    return throws / float(2 ** (total + 1))


def vote(groundings: Sequence[Grounding]) -> Sets:
    """Count votes and split items into the two sets."""
    needing: dict[Ref, list[int]] = {}
    why: dict[Ref, str] = {}
    for grounding in groundings:
        # A needed column needs its table.
        needed: dict[Ref, None] = dict.fromkeys(
            (*grounding.tables, *(column.table for column in grounding.columns))
        )
        needed.update(dict.fromkeys(grounding.columns))
        for ref in needed:
            needing.setdefault(ref, []).append(grounding.hypothesis.number)
        for ref, reason in grounding.why:
            why.setdefault(ref, reason)
    total = len(groundings)
    votes = [
        Vote(ref, tuple(numbers), total, credibility(len(numbers), total), why.get(ref, ""))
        for ref, numbers in needing.items()
    ]
    return Sets(
        required=tuple(vote for vote in votes if vote.credibility >= REQUIRED_FROM),
        uncertain=tuple(vote for vote in votes if vote.credibility < REQUIRED_FROM),
    )


class Item(Record, frozen=True):
    """
    A voted or added table or column with its status.

    `with_table`: discarded only because its table was.
    """

    ref: Ref
    status: ItemStatus
    credibility: float = 0.0
    reason: str = ""
    evidence: tuple[Evidence, ...] = ()
    with_table: bool = False


class ActionResult(Record, frozen=True):
    """
    Result of an action for the model: message, decisions, and notes on items.

    `rows` are those of a probe, `days` the date range of columns whose statistics were requested.
    """

    action: Action
    text: str
    is_done: bool = True
    decided: tuple[Ref, ...] = ()
    evidence: tuple[tuple[Ref, Evidence], ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    days: tuple[tuple[ColumnRef, date, date], ...] = ()


class Refinement(Record, frozen=True):
    """Items in order of the vote, and the actions of each turn."""

    catalog: Catalog
    items: tuple[Item, ...]
    hypotheses: tuple[Hypothesis, ...] = ()
    siblings: Mapping[TableRef, tuple[TableRef, ...]] = field(default_factory=dict)
    turns: tuple[tuple[ActionResult, ...], ...] = ()

    @property
    def refs(self) -> set[Ref]:
        return {item.ref for item in self.items}

    @property
    def undecided(self) -> tuple[Item, ...]:
        """Undecided items."""
        return tuple(item for item in self.items if item.status == "undecided")

    @property
    def answer(self) -> tuple[Item, ...]:
        """All items but discarded ones."""
        return tuple(item for item in self.items if item.status != "discarded")

    def status_of(self, ref: Ref) -> ItemStatus | None:
        """Status of an item; None if unknown."""
        item = self.find(ref)
        return item.status if item else None

    def find(self, ref: Ref) -> Item | None:
        """The item of a table or column, if there is one."""
        return next((item for item in self.items if item.ref == ref), None)

    def keep(self, ref: Ref, reason: str = "") -> tuple["Refinement", str]:
        """Keep an item, and a column's table; the message is empty on success."""
        if not _exists(ref, self.catalog):
            return self, f"{ref} does not exist"
        if self.status_of(ref) in ("required", "kept"):
            return self, f"{ref} is in the answer already"
        if isinstance(ref, TableRef):
            return self._with_table(ref, reason), ""
        state = self._with_table(ref.table, f"{ref.path} is kept")
        duplicates = (
            column
            for column in state._duplicates(ref)
            if state.status_of(column) not in ("required", "kept")
        )
        return state._moved(_all((ref, *duplicates), "kept"), reason), ""

    def suggest(self, ref: Ref, reason: str) -> "Refinement":
        """
        Add an undecided item; existing items, and those discarded with their table, do not change.
        """
        table = ref.table
        if self.find(ref) or self.status_of(table) == "discarded" or not _exists(ref, self.catalog):
            return self
        state = self if self.find(table) else self._moved(_all([table], "undecided"), reason)
        if isinstance(ref, TableRef):
            return state
        duplicates = [
            column for column in state._duplicates(ref) if state.status_of(column) != "required"
        ]
        status: ItemStatus = (
            "kept"
            if any(state.status_of(column) == "kept" for column in duplicates)
            else "undecided"
        )
        return state._moved(_all((ref, *duplicates), status), reason)

    def discard(self, ref: Ref, reason: str) -> tuple["Refinement", str]:
        """Discard an item; a non-empty message says why it was refused."""
        status = self.status_of(ref)
        if status in (None, "discarded"):
            return self, f"{ref} is not in the answer"
        if isinstance(ref, ColumnRef):
            duplicates = (
                column
                for column in self._duplicates(ref)
                if status == "required" or self.status_of(column) != "required"
            )
            return self._moved(_all((ref, *duplicates), "discarded"), reason), ""
        inside = (
            item.ref
            for item in self.items
            if isinstance(item.ref, ColumnRef)
            and item.ref.table == ref
            and item.status != "discarded"
        )
        columns = _all(inside, "discarded")
        return self._moved(columns, reason, with_table=True)._moved(
            _all([ref], "discarded"), reason
        ), ""

    def after_turn(self, outcomes: Iterable[ActionResult]) -> "Refinement":
        """State of the next turn, with results noted at items."""
        done = tuple(outcomes)
        evidence_by_ref: dict[Ref, list[Evidence]] = {}
        for outcome in done:
            for ref, evidence in outcome.evidence:
                evidence_by_ref.setdefault(ref, []).append(evidence)
        items = tuple(
            replace(item, evidence=(*item.evidence, *evidence_by_ref[item.ref]))
            if item.ref in evidence_by_ref
            else item
            for item in self.items
        )
        return replace(self, items=items, turns=(*self.turns, done))

    def _with_table(self, ref: TableRef, reason: str) -> "Refinement":
        """
        Keep the table; columns discarded with it become undecided, or follow their identical
        tables.
        """
        if self.status_of(ref) in ("required", "kept"):
            return self
        state = self._moved(_all([ref], "kept"), reason)
        for item in state.items:
            if (
                isinstance(item.ref, ColumnRef)
                and item.ref.table == ref
                and item.status != "required"
            ):
                statuses = [state.status_of(column) for column in state._duplicates(item.ref)]
                usual: ItemStatus = "undecided" if item.with_table else item.status
                status: ItemStatus = next(
                    (earlier for earlier in statuses if earlier and earlier != "required"), usual
                )
                if status != item.status:
                    state = state._moved(_all([item.ref], status), "its table was brought back")
        return state

    def _duplicates(self, ref: ColumnRef) -> Iterator[ColumnRef]:
        """The same column in identical tables of the answer."""
        path = ref.path.casefold()
        for sibling in self.siblings.get(ref.table, ()):
            if self.status_of(sibling) in (None, "discarded"):
                continue
            same = (
                column.path
                for column in self.catalog.table_by_ref[sibling].columns
                if column.path.casefold() == path
            )
            yield from (ColumnRef(sibling, name) for name in same)

    def _moved(
        self, statuses: Mapping[Ref, ItemStatus], reason: str, *, with_table: bool = False
    ) -> "Refinement":
        changed = tuple(
            replace(
                item, status=statuses[item.ref], reason=reason or item.reason, with_table=with_table
            )
            if item.ref in statuses
            else item
            for item in self.items
        )
        refs = self.refs
        new = tuple(
            Item(ref, status, reason=reason) for ref, status in statuses.items() if ref not in refs
        )
        return replace(self, items=(*changed, *new))


def begin(
    sets: Sets,
    catalog: Catalog,
    siblings: Mapping[TableRef, tuple[TableRef, ...]],
    hypotheses: tuple[Hypothesis, ...] = (),
) -> Refinement:
    """Initial state: required and undecided items."""
    statuses: dict[Ref, ItemStatus] = {vote.ref: "required" for vote in sets.required}
    items = tuple(
        Item(
            vote.ref,
            statuses.get(vote.ref, "undecided"),
            vote.credibility,
            vote.why,
            (Evidence("vote", str(vote)),),
        )
        for vote in (*sets.required, *sets.uncertain)
    )
    return Refinement(catalog, items, hypotheses, siblings)


def _all(refs: Iterable[Ref], status: ItemStatus) -> dict[Ref, ItemStatus]:
    return dict.fromkeys(refs, status)


def _exists(ref: Ref, catalog: Catalog) -> bool:
    return (
        ref in catalog.table_by_ref if isinstance(ref, TableRef) else catalog.find(ref) is not None
    )

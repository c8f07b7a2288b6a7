"""
The state of refinement: enter the two sets and decisions, leave what is required, kept, discarded
and undecided.

Frozen: a decision leads to a new state and words that say what came of it. Whatever is decided, in
whatever order: what is undecided is kept; nothing is locked; what no hypothesis asked for can be
brought in, and what was discarded can be brought back; a column is decided together with the same
column of tables that are siblings of its own. Tables are decided one by one, and take along their
columns.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from functools import cached_property
from typing import Literal

from msgspec import field
from msgspec.structs import replace

from linker.link.actions import Action
from linker.link.answer import Evidence
from linker.link.hypotheses import Hypothesis
from linker.link.vote import Sets
from linker.types import Catalog, ColumnRef, Record, Ref, TableRef

Fate = Literal["required", "undecided", "kept", "discarded"]


class Item(Record, frozen=True):
    """
    A table or column that some hypothesis asked for, or that was brought in, and what became of it.

    `with_table`: it was discarded because its table was, not for itself.
    """

    ref: Ref
    fate: Fate
    credibility: float = 0.0
    reason: str = ""
    evidence: tuple[Evidence, ...] = ()
    with_table: bool = False


class ActionResult(Record, frozen=True):
    """
    The result of an action, in words that the judge reads; what it decided, and what it says for
    single items.

    `rows` are those of a probe, `days` the first and the last day of the columns whose statistics
    were asked for.
    """

    action: Action
    text: str
    is_done: bool = True
    decided: tuple[Ref, ...] = ()
    evidence: tuple[tuple[Ref, Evidence], ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    days: tuple[tuple[ColumnRef, date, date], ...] = ()


class Refinement(Record, frozen=True, dict=True):
    """Items in the order of the vote, and what was done in each turn."""

    catalog: Catalog
    items: tuple[Item, ...]
    hypotheses: tuple[Hypothesis, ...] = ()
    siblings: Mapping[TableRef, tuple[TableRef, ...]] = field(default_factory=dict)
    turns: tuple[tuple[ActionResult, ...], ...] = ()

    @cached_property
    def by_ref(self) -> dict[Ref, Item]:
        """The items by what they are."""
        return {item.ref: item for item in self.items}

    @property
    def undecided(self) -> tuple[Item, ...]:
        """Items that are still to be decided."""
        return tuple(item for item in self.items if item.fate == "undecided")

    @property
    def answer(self) -> tuple[Item, ...]:
        """Items of the answer if it ends here: all but those that were discarded."""
        return tuple(item for item in self.items if item.fate != "discarded")

    def fate(self, ref: Ref) -> Fate | None:
        """The fate of an item; None for an item that was never brought in."""
        item = self.by_ref.get(ref)
        return item.fate if item else None

    def keep(self, ref: Ref, reason: str = "") -> tuple["Refinement", str]:
        """
        Keep an item, whatever it was, and the table of a column; the words are empty when it was
        done.
        """
        if not _exists(ref, self.catalog):
            return self, f"{ref} does not exist"
        if self.fate(ref) in ("required", "kept"):
            return self, f"{ref} is in the answer already"
        if isinstance(ref, TableRef):
            return self._with_table(ref, reason), ""
        state = self._with_table(ref.table, f"{ref.path} is kept")
        kin = (
            column for column in state._kin(ref) if state.fate(column) not in ("required", "kept")
        )
        return state._moved(_all((ref, *kin), "kept"), reason), ""

    def suggest(self, ref: Ref, reason: str) -> "Refinement":
        """
        Bring in what may be needed besides, undecided; what is there or was discarded with its
        table stays so.
        """
        table = ref.table
        if ref in self.by_ref or self.fate(table) == "discarded" or not _exists(ref, self.catalog):
            return self
        state = self if table in self.by_ref else self._moved(_all([table], "undecided"), reason)
        if isinstance(ref, TableRef):
            return state
        kin = [column for column in state._kin(ref) if state.fate(column) != "required"]
        fate: Fate = "kept" if any(state.fate(column) == "kept" for column in kin) else "undecided"
        return state._moved(_all((ref, *kin), fate), reason)

    def discard(self, ref: Ref, reason: str) -> tuple["Refinement", str]:
        """Discard an item of the answer; the words say why that was not done."""
        fate = self.fate(ref)
        if fate in (None, "discarded"):
            return self, f"{ref} is not in the answer"
        if isinstance(ref, ColumnRef):
            kin = (
                column
                for column in self._kin(ref)
                if fate == "required" or self.fate(column) != "required"
            )
            return self._moved(_all((ref, *kin), "discarded"), reason), ""
        inside = (
            item.ref
            for item in self.items
            if isinstance(item.ref, ColumnRef)
            and item.ref.table == ref
            and item.fate != "discarded"
        )
        columns = _all(inside, "discarded")
        return self._moved(columns, reason, with_table=True)._moved(
            _all([ref], "discarded"), reason
        ), ""

    def after_turn(self, outcomes: Iterable[ActionResult]) -> "Refinement":
        """The state one turn later, with what it brought up noted at the items."""
        done = tuple(outcomes)
        found: dict[Ref, list[Evidence]] = {}
        for outcome in done:
            for ref, evidence in outcome.evidence:
                found.setdefault(ref, []).append(evidence)
        items = tuple(
            replace(item, evidence=(*item.evidence, *found[item.ref]))
            if item.ref in found
            else item
            for item in self.items
        )
        return replace(self, items=items, turns=(*self.turns, done))

    def _with_table(self, ref: TableRef, reason: str) -> "Refinement":
        """
        The table kept; its columns are what their siblings are by now, or, where they went with it,
        undecided.
        """
        if self.fate(ref) in ("required", "kept"):
            return self
        state = self._moved(_all([ref], "kept"), reason)
        for item in state.items:
            if (
                isinstance(item.ref, ColumnRef)
                and item.ref.table == ref
                and item.fate != "required"
            ):
                fates = [state.fate(column) for column in state._kin(item.ref)]
                usual: Fate = "undecided" if item.with_table else item.fate
                fate: Fate = next(
                    (known for known in fates if known and known != "required"), usual
                )
                if fate != item.fate:
                    state = state._moved(_all([item.ref], fate), "its table was brought back")
        return state

    def _kin(self, ref: ColumnRef) -> Iterator[ColumnRef]:
        """The same column of those siblings of its table that are in the answer."""
        path = ref.path.casefold()
        for sibling in self.siblings.get(ref.table, ()):
            if self.fate(sibling) in (None, "discarded"):
                continue
            same = (
                column.path
                for column in self.catalog.table_by_ref[sibling].columns
                if column.path.casefold() == path
            )
            yield from (ColumnRef(sibling, name) for name in same)

    def _moved(
        self, fates: Mapping[Ref, Fate], reason: str, *, with_table: bool = False
    ) -> "Refinement":
        changed = tuple(
            replace(item, fate=fates[item.ref], reason=reason or item.reason, with_table=with_table)
            if item.ref in fates
            else item
            for item in self.items
        )
        new = tuple(
            Item(ref, fate, reason=reason) for ref, fate in fates.items() if ref not in self.by_ref
        )
        return replace(self, items=(*changed, *new))


def begin(
    sets: Sets,
    catalog: Catalog,
    siblings: Mapping[TableRef, tuple[TableRef, ...]],
    hypotheses: tuple[Hypothesis, ...] = (),
) -> Refinement:
    """The state before the first turn: what is required, and what is undecided."""
    fates: dict[Ref, Fate] = {vote.ref: "required" for vote in sets.required}
    items = tuple(
        Item(
            vote.ref,
            fates.get(vote.ref, "undecided"),
            vote.credibility,
            vote.why,
            (Evidence("vote", str(vote)),),
        )
        for vote in (*sets.required, *sets.uncertain)
    )
    return Refinement(catalog, items, hypotheses, siblings)


def _all(refs: Iterable[Ref], fate: Fate) -> dict[Ref, Fate]:
    return dict.fromkeys(refs, fate)


def _exists(ref: Ref, catalog: Catalog) -> bool:
    return (
        ref in catalog.table_by_ref if isinstance(ref, TableRef) else catalog.find(ref) is not None
    )

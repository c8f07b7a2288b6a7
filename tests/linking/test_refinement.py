"""Invariants of the linking state under any sequence of decisions."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from linker.linking.actions import Keep
from linker.linking.linking_state import ActionResult, ItemStatus, Refinement, Sets, Vote, begin
from linker.linking.result import Evidence
from linker.types import Catalog, Column, ColumnRef, Columns, Ref, Table, TableRef

PATHS = ("id", "day", "amount", "note")
NAMES = ("north", "south", "Other", "far")
REASON = "a trace of loading jobs"


def table(name: str) -> Table:
    # Copies may spell their columns in another case.
    spelt = [path.upper() if name == "south" else path for path in PATHS]
    columns = tuple(
        Column(path, path, 0, at, "INT", is_nullable=True, description=None)
        for at, path in enumerate(spelt)
    )
    return Table(TableRef("s", name), "table", None, None, Columns(columns))


CATALOG = Catalog(tuple(map(table, NAMES)), len(NAMES))
NORTH, SOUTH, OTHER, FAR = (one.ref for one in CATALOG.tables)
COPIES = {NORTH: (SOUTH,), SOUTH: (NORTH,)}
COLUMNS = [ColumnRef(one.ref, column.path) for one in CATALOG.tables for column in one.columns]
ALL: list[Ref] = [*(one.ref for one in CATALOG.tables), *COLUMNS]


def started(required: set[Ref], uncertain: set[Ref]) -> Refinement:
    """Columns bring their tables along, as the vote does."""
    locked = {*required, *(ref.table for ref in required if isinstance(ref, ColumnRef))}
    others = {*uncertain, *(ref.table for ref in uncertain if isinstance(ref, ColumnRef))} - locked
    votes = {ref: Vote(ref, (1,), 2, 0.5) for ref in ALL}
    sets = Sets(
        tuple(votes[ref] for ref in ALL if ref in locked),
        tuple(votes[ref] for ref in ALL if ref in others),
    )
    return begin(sets, CATALOG, COPIES)


def group(ref: ColumnRef) -> list[ColumnRef]:
    return [
        ColumnRef(one, path)
        for one in (ref.table, *COPIES.get(ref.table, ()))
        for path in (ref.path.lower(), ref.path.upper())
    ]


class Deciding(RuleBasedStateMachine):
    """Any decisions on any items, good and bad."""

    state: Refinement
    first: Refinement

    @initialize(
        required=st.sets(st.sampled_from(ALL), max_size=4),
        uncertain=st.sets(st.sampled_from(ALL), max_size=12),
    )
    def start(self, required: set[Ref], uncertain: set[Ref]) -> None:
        self.state = self.first = started(required, uncertain)

    @rule(ref=st.sampled_from(ALL), reason=st.sampled_from(["", "holds the day that is asked for"]))
    def keep(self, ref: Ref, reason: str) -> None:
        before = self.state
        self.state, problem = before.keep(ref, reason)
        assert self.state.status_of(ref) in ("required", "kept")
        assert bool(problem) == (before.status_of(ref) in ("required", "kept"))

    @rule(ref=st.sampled_from(ALL))
    def suggest(self, ref: Ref) -> None:
        before = self.state
        self.state = before.suggest(ref, "possibly needed")
        table = ref.table if isinstance(ref, ColumnRef) else ref
        if before.status_of(ref) or before.status_of(table) == "discarded":
            assert self.state is before
        else:
            assert self.state.status_of(ref) in ("undecided", "kept")

    @rule(ref=st.sampled_from(ALL))
    def discard(self, ref: Ref) -> None:
        before = self.state
        self.state, problem = before.discard(ref, REASON)
        # Nothing is locked.
        assert (self.state.status_of(ref) == "discarded") == (before.status_of(ref) is not None)
        assert bool(problem) == (before.status_of(ref) in (None, "discarded"))
        if isinstance(ref, TableRef) and not problem:
            others = [
                one for one in self.state.items if one.ref != ref and not _inside(one.ref, ref)
            ]
            assert all(before.status_of(one.ref) == one.status for one in others)

    @rule(ref=st.sampled_from(ALL))
    def turn(self, ref: Ref) -> None:
        outcome = ActionResult(
            Keep(items=[str(ref)], reason=""),
            "said",
            evidence=((ref, Evidence("probe", "3 rows")),),
        )
        self.state = self.state.after_turn([outcome])

    @invariant()
    def nothing_that_was_asked_for_is_lost(self) -> None:
        assert {item.ref for item in self.first.items} <= {item.ref for item in self.state.items}
        assert len(self.state.refs) == len(self.state.items)

    @invariant()
    def what_is_undecided_is_in_the_answer(self) -> None:
        assert {one.ref for one in self.state.undecided} <= {one.ref for one in self.state.answer}

    @invariant()
    def what_is_discarded_has_a_reason(self) -> None:
        assert all(one.reason for one in self.state.items if one.status == "discarded")

    @invariant()
    def a_column_of_the_answer_has_its_table_there(self) -> None:
        answer = {one.ref for one in self.state.answer}
        assert all(ref.table in answer for ref in answer if isinstance(ref, ColumnRef))

    @invariant()
    def columns_of_siblings_move_together(self) -> None:
        in_play = {one.ref for one in self.state.answer}
        for item in self.state.items:
            if (
                isinstance(item.ref, ColumnRef)
                and item.status != "required"
                and item.ref.table in in_play
            ):
                duplicates = [
                    self.state.status_of(one) for one in group(item.ref) if one.table in in_play
                ]
                assert {
                    status_of for status_of in duplicates if status_of not in (None, "required")
                } == {item.status}


def _inside(ref: Ref, of: TableRef) -> bool:
    return isinstance(ref, ColumnRef) and ref.table == of


Deciding.TestCase.settings = settings(max_examples=150, stateful_step_count=25, deadline=None)
TestDeciding = Deciding.TestCase


def fates(state: Refinement, *refs: Ref) -> list[ItemStatus | None]:
    return [state.status_of(ref) for ref in refs]


def test_a_table_that_is_brought_back_has_the_columns_that_its_copy_has_by_then() -> None:
    of_north, of_south = ColumnRef(NORTH, "id"), ColumnRef(SOUTH, "ID")
    state = started(set(), {NORTH, of_south})
    for ref in (of_south, NORTH):
        state, _ = state.discard(ref, REASON)
    for ref in (of_south, NORTH):
        state, _ = state.keep(ref)
    assert fates(state, NORTH, SOUTH, of_north, of_south) == ["kept"] * 4


def test_a_discard_reaches_the_same_column_of_a_sibling_and_no_other_table() -> None:
    one, sibling, other = (
        ColumnRef(NORTH, "note"),
        ColumnRef(SOUTH, "NOTE"),
        ColumnRef(OTHER, "note"),
    )
    state, problem = started(set(), {one, sibling, other}).discard(one, REASON)
    assert (problem, fates(state, one, sibling, other)) == (
        "",
        ["discarded", "discarded", "undecided"],
    )


def test_a_locked_sibling_stays_when_its_like_is_discarded() -> None:
    state, _ = started({ColumnRef(SOUTH, "NOTE")}, {ColumnRef(NORTH, "note")}).discard(
        ColumnRef(NORTH, "note"), REASON
    )
    assert fates(state, ColumnRef(NORTH, "note"), ColumnRef(SOUTH, "NOTE")) == [
        "discarded",
        "required",
    ]


def test_a_table_goes_alone_and_takes_its_columns_along() -> None:
    state, _ = started(set(), {ColumnRef(NORTH, "note"), ColumnRef(SOUTH, "NOTE")}).discard(
        SOUTH, REASON
    )
    assert fates(state, SOUTH, ColumnRef(SOUTH, "NOTE")) == ["discarded", "discarded"]
    assert fates(state, NORTH, ColumnRef(NORTH, "note")) == ["undecided", "undecided"]


def test_a_candidate_is_brought_in_with_its_table() -> None:
    state, problem = started(set(), {NORTH}).keep(ColumnRef(FAR, "day"), "holds the day")
    assert problem == ""
    assert fates(state, FAR, ColumnRef(FAR, "day")) == ["kept", "kept"]


def test_what_does_not_exist_is_not_brought_in() -> None:
    state = started(set(), {NORTH})
    assert state.keep(ColumnRef(FAR, "nothing"))[1] == "s.far.nothing does not exist"
    assert state.keep(TableRef("s", "nothing"))[0] is state

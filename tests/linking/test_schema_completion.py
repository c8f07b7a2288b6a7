"""A completed schema has no dangling parts, and nothing that was ruled out."""

from hypothesis import given, settings
from hypothesis import strategies as st

from linker.catalog.column_metadata import KeyPair
from linker.linking.linking_state import Grounding, Hypothesis, Refinement, begin, vote
from linker.linking.schema_completion import (
    CompletedSchema,
    Survey,
    TableContext,
    complete,
    ruled_out,
    to_connect,
    wanted,
)
from linker.linking.value_linking import Binding
from linker.types import Catalog, Column, ColumnRef, Columns, Ref, Table, TableRef

PATHS = ("id", "a_id", "status", "day")


def table(name: str) -> Table:
    columns = tuple(
        Column(p, p, 0, at, "INT", is_nullable=True, description=None) for at, p in enumerate(PATHS)
    )
    return Table(TableRef("s", name), "table", None, None, Columns(columns))


CATALOG = Catalog(tuple(map(table, "abcd")), 4)
A, B, C, D = (one.ref for one in CATALOG.tables)
REASON = "a copy for test runs only"


def column(ref: TableRef, path: str) -> ColumnRef:
    return ColumnRef(ref, path)


def state_of(*ways: tuple[Hypothesis, tuple[Ref, ...]]) -> Refinement:
    groundings = []
    for way, refs in ways:
        tables = tuple(ref for ref in refs if isinstance(ref, TableRef))
        columns = tuple(ref for ref in refs if isinstance(ref, ColumnRef))
        groundings.append(Grounding(way, tables, columns))
    return begin(vote(groundings), CATALOG, {}, tuple(way for way, _ in ways))


def surveyed(
    tables: tuple[TableRef, ...], joins: tuple[KeyPair, ...] = (), bound: tuple[Binding, ...] = ()
) -> Survey:
    whole = dict.fromkeys((*tables, *(ref for pair in joins for ref in (pair.left, pair.right))))
    known = CATALOG.table_by_ref
    return Survey(
        tuple(TableContext(known[ref], 0.5, (column(ref, "id"),)) for ref in whole), joins, bound
    )


def shown(closed: CompletedSchema) -> set[str]:
    return {
        f"{one.table.ref.name}.{linked.column.path}"
        for one in closed.tables
        for linked in one.columns
    }


def test_a_join_brings_its_keys_on_both_sides_and_says_so() -> None:
    state = state_of((Hypothesis(1, "one"), (A, B, column(A, "status"), column(B, "day"))))
    closed = complete(state, surveyed((A, B), (KeyPair(B, ("a_id",), A, ("id",), 0.9, 0.8, 2.0),)))
    assert shown(closed) == {"a.status", "a.id", "b.day", "b.a_id"}
    reasons = {
        (t.table.ref.name, c.column.path): c.reason for t in closed.tables for c in t.columns
    }
    assert reasons["b", "a_id"] == "join key to s.a"
    assert (closed.joins[0].overlap, closed.joins[0].fan_out) == (0.8, 2.0)


def test_a_key_that_was_discarded_comes_back_where_a_join_needs_it() -> None:
    state = state_of((Hypothesis(1, "one"), (column(A, "id"), column(B, "a_id"), column(B, "day"))))
    state, problem = state.discard(column(B, "a_id"), "the number of the parent row")
    assert problem == ""
    assert "b.a_id" in shown(
        complete(state, surveyed((A, B), (KeyPair(B, ("a_id",), A, ("id",)),)))
    )


def test_a_table_without_a_column_gets_its_likeliest() -> None:
    closed = complete(state_of((Hypothesis(1, "one"), (A, column(B, "day")))), surveyed((A, B)))
    assert shown(closed) == {"a.id", "b.day"}


def test_a_table_in_between_is_brought_in_with_its_keys() -> None:
    pairs = (KeyPair(C, ("a_id",), A, ("id",)), KeyPair(C, ("id",), B, ("id",)))
    closed = complete(
        state_of((Hypothesis(1, "one"), (column(A, "day"), column(B, "day")))),
        surveyed((A, B), pairs),
    )
    assert shown(closed) == {"a.day", "a.id", "b.day", "b.id", "c.a_id", "c.id"}
    assert {one.table.ref.name: one.reason for one in closed.tables}[
        "c"
    ] == "connects tables of the answer"


def test_tables_of_two_hypotheses_are_not_joined() -> None:
    one = Hypothesis(1, "one", tables=(A, B))
    two = Hypothesis(2, "two", tables=(C,))
    state = state_of((one, (A, B, column(A, "day"))), (two, (C, column(C, "day"))))
    assert to_connect(state) == ((A, B), (C,))
    # What was decided on besides joins the likeliest one.
    kept, _ = state.keep(D)
    assert to_connect(kept) == ((A, B, D), (C,))


def test_a_value_that_the_question_names_keeps_a_column_that_holds_it() -> None:
    state, _ = state_of((Hypothesis(1, "one"), (column(A, "status"), column(A, "day")))).discard(
        column(A, "status"), "states of another process"
    )
    bound = (Binding("paid", column(A, "status"), "PAID", 1.0),)
    assert "a.status" in shown(complete(state, surveyed((A,), bound=bound)))


def test_a_way_is_ruled_out_with_its_table_and_the_others_stay() -> None:
    one, two = Hypothesis(1, "one", tables=(A, B)), Hypothesis(2, "two", tables=(A, C))
    state, _ = state_of((one, (A, B)), (two, (A, C))).discard(C, REASON)
    assert ruled_out(state) == {2: f"without s.c: {REASON}"}
    assert set(wanted(state)) == {A, B}
    closed = complete(state, surveyed(wanted(state)))
    assert [bool(way.ruled_out) for way in closed.alternatives] == [False, True]
    assert [str(gone.ref) for gone in closed.discarded] == ["s.c"]


def test_where_all_ways_would_go_the_one_that_lost_least_goes_on_with_what_is_left() -> None:
    one, two = Hypothesis(1, "one", tables=(B, D)), Hypothesis(2, "two", tables=(A, C))
    state = state_of((one, (B, D)), (two, (A, C)))
    for ref in (B, D, C):
        state, _ = state.discard(ref, REASON)
    assert set(ruled_out(state)) == {1}
    assert set(wanted(state)) == {A}


def test_where_nothing_at_all_would_be_left_a_way_is_brought_back_whole() -> None:
    state = state_of(
        (Hypothesis(1, "one", tables=(A,)), (A,)), (Hypothesis(2, "two", tables=(A,)), (A,))
    )
    state, _ = state.discard(A, REASON)
    assert wanted(state) == (A,)


def test_the_only_way_is_narrowed_and_not_given_up() -> None:
    join = (column(C, "a_id"), column(A, "id"))
    state = state_of((Hypothesis(1, "one", tables=(A, C), joins=(join,)), (A, C)))
    state, _ = state.discard(C, REASON)
    assert ruled_out(state) == {}
    assert wanted(state) == (A,)


REFS: list[Ref] = [
    *(one.ref for one in CATALOG.tables),
    *(column(one.ref, p) for one in CATALOG.tables for p in PATHS),
]
CHOSEN = st.lists(st.lists(st.sampled_from(REFS), min_size=1, unique=True), min_size=1, max_size=4)
PAIRS = st.lists(
    st.tuples(st.sampled_from([A, B]), st.sampled_from([C, D])), max_size=3, unique=True
)


@given(chosen=CHOSEN, discarded=st.lists(st.sampled_from(REFS)), pairs=PAIRS)
@settings(deadline=None)
def test_whatever_was_decided_the_answer_is_closed(
    chosen: list[list[Ref]], discarded: list[Ref], pairs: list[tuple[TableRef, TableRef]]
) -> None:
    ways = []
    for at, refs in enumerate(chosen, start=1):
        ways.append(
            (
                Hypothesis(at, "", tables=tuple(one for one in refs if isinstance(one, TableRef))),
                tuple(refs),
            )
        )
    state = state_of(*ways)
    for ref in discarded:
        state, _ = state.discard(ref, REASON)
    required = {one.ref for one in state.items if one.status == "required"}
    joins = tuple(KeyPair(left, ("a_id",), right, ("id",)) for left, right in pairs)
    closed = complete(state, surveyed(wanted(state), joins))
    there: set[Ref] = {one.table.ref for one in closed.tables}
    there |= {
        column(one.table.ref, linked.column.path) for one in closed.tables for linked in one.columns
    }
    assert required <= there
    assert {one.ref for one in state.undecided} <= there
    assert all(one.columns for one in closed.tables)
    for join in closed.joins:
        assert {column(join.left, path) for path in join.left_columns} <= there
        assert {column(join.right, path) for path in join.right_columns} <= there
    standing = [one for one in closed.alternatives if not one.ruled_out]
    assert standing
    for one in standing:
        left = {ref for ref in one.tables if state.status_of(ref) != "discarded"}
        assert (left or set(one.tables)) <= there
    assert not {one.ref for one in closed.discarded} & there


def test_a_way_is_ruled_out_by_a_column_that_it_alone_needs() -> None:
    first = Hypothesis(1, "by status", tables=(A,), columns=(column(A, "id"), column(A, "status")))
    second = Hypothesis(2, "by day", tables=(A,), columns=(column(A, "id"), column(A, "day")))
    state, _ = state_of((first, first.columns), (second, second.columns)).discard(
        column(A, "status"), REASON
    )
    assert ruled_out(state) == {1: f"without s.a.status: {REASON}"}
    closed = complete(state, surveyed((A,)))
    assert [item.columns for item in closed.alternatives] == [first.columns, second.columns]


def test_a_column_that_all_ways_need_rules_none_of_them_out() -> None:
    first = Hypothesis(1, "one", tables=(A,), columns=(column(A, "id"), column(A, "status")))
    second = Hypothesis(2, "other", tables=(A,), columns=(column(A, "id"), column(A, "day")))
    state, _ = state_of((first, first.columns), (second, second.columns)).discard(
        column(A, "id"), REASON
    )
    assert ruled_out(state) == {}

"""What phrases do while a question is read: enters the state and a chunk with a role, leaves the state changed."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from linker.sql.simple.bounds import compare, take_number
from linker.sql.simple.chunks import Chunk
from linker.sql.simple.contrasts import take_contrast, take_year_before
from linker.sql.simple.frame import Aggregate, Condition, Item, Operator, Order
from linker.sql.simple.heads import take_condition
from linker.sql.simple.phrases import Role
from linker.sql.simple.state import State
from linker.sql.simple.superlatives import take_common, take_superlative

_AGGREGATES: dict[Role, Aggregate] = {"average": "avg", "sum": "sum", "max": "max", "min": "min", "median": "median"}
_OPERATORS: dict[Role, Operator] = {
    "above": ">", "at_least": ">=", "below": "<", "at_most": "<=", "equal": "=", "after": ">", "before": "<",
}  # fmt: skip
_UNCOVERED: dict[Role, str] = {
    "ratio": "a ratio is asked for",
    "both": "several things have to hold of the same",
    "like": "a part of a text is asked for",
}
# Before they pay, after they left: a clause, where no time is said.
_CLAUSES = ("after", "before")
_AFTERWARDS = ("on average", "in total", "altogether", "summed")


def take_role(state: State, chunk: Chunk, role: Role) -> None:
    """What a phrase does."""
    if role in _UNCOVERED:
        state.doubt(_UNCOVERED[role])
    elif role in _AGGREGATES:
        _aggregate(state, chunk, _AGGREGATES[role])
    elif role in _OPERATORS:
        _operator(state, chunk, _OPERATORS[role])
    elif handler := _HANDLERS.get(role):
        handler(state, chunk)


def _aggregate(state: State, chunk: Chunk, aggregate: Aggregate) -> None:
    if state.operator and aggregate == "avg":
        state.of_average = True
        if state.waiting:
            _compare_with_average(state, state.waiting)
        return
    is_afterwards = chunk.text.lower() in _AFTERWARDS
    if is_afterwards and (state.draft.aggregate_last(aggregate) or (aggregate == "sum" and state.draft.counts)):
        return
    if state.clause == "where" and aggregate in ("max", "min") and state.named_ahead:
        take_superlative(state, chunk, is_descending=aggregate == "max")
        return
    state.settle()
    if state.aggregate and state.behind and state.behind.role == "and":
        # The average and the maximum age: both are of what is named then.
        state.also.append(state.aggregate)
    state.aggregate = aggregate
    if state.clause in ("where", "group") and state.named_ahead:
        state.clause = "select"


def _compare_with_average(state: State, name: Chunk) -> None:
    operator, state.operator, state.waiting = state.operator or "=", None, None
    state.draft.conditions.append(Condition(operator, name, of_average=True))
    state.of_average = False
    if state.ahead and state.ahead.meanings == name.meanings:
        # Below the average weight: the name is said again.
        state.at += 1


def _operator(state: State, chunk: Chunk, operator: Operator) -> None:
    rest = state.chunks[state.at :]
    if chunk.role in _CLAUSES and not any(one.period or one.values or one.number is not None for one in rest):
        state.draft.doubts[f"what is said with “{chunk.text}” is not part of the statement"] = None
        return
    state.operator = operator
    if state.number is not None and chunk.text.lower().startswith("or "):
        number, state.number = state.number, None
        take_number(state, number)


def _count(state: State, chunk: Chunk) -> None:
    near = state.column_behind
    if near and near.last + 1 == chunk.first:
        # The staff number of a museum is one of its columns.
        return
    if state.clause == "order":
        state.aggregate = "count"
        return
    while state.ahead and state.ahead.role in ("distinct", "count"):
        state.is_distinct = state.is_distinct or state.ahead.role == "distinct"
        state.at += 1
    if state.aggregate and state.clause == "select":
        # The maximum number of final tables: the number is a column of its own.
        return
    part = _measured_part(state)
    if state.draft.counts and not part:
        state.doubt("several things are counted")
    state.open("select")
    if part:
        state.at += 1
    state.aggregate = "count"
    if not state.named_ahead:
        state.draft.items.append(Item(None, "count"))
        state.aggregate = None


def _measured_part(state: State) -> bool:
    """Whether how many of them were late is kept in a column of its own."""
    if not state.draft.counts or not (state.ahead and state.ahead.text.lower() == "of"):
        return False
    after = state.chunks[state.at + 1] if state.at + 1 < len(state.chunks) else None
    best = after.best_column if after and after.is_name and not after.names_table(rather=True) else None
    return bool(best and best.is_measure)


def _much(state: State, _: Chunk) -> None:
    state.open("select")
    state.aggregate = "sum"


def _distinct(state: State, _: Chunk) -> None:
    if state.behind and state.behind.text.lower() == "for" and state.draft.items:
        # For the different colours is for each of them.
        state.open("group")
    else:
        state.is_distinct = True


def _ask(state: State, _: Chunk) -> None:
    if state.clause in ("group", "where"):
        state.open("select")


def _group(state: State, _: Chunk) -> None:
    state.settle()
    if state.ahead and state.ahead.unit:
        return
    if state.named_ahead:
        state.clause = "group"
    else:
        state.draft.is_grouped_by_items = True


def _order(state: State, chunk: Chunk) -> None:
    state.open("order")
    state.is_descending = state.is_descending or "descending" in chunk.text.lower()


def _alphabet(state: State, _: Chunk) -> None:
    state.open("order")
    if state.ahead and state.ahead.role == "place":
        state.at += 1
    if not state.named_ahead:
        state.draft.orders.append(Order(state.draft.first_name, is_descending=False))
        state.clause = "select"


def _direct(state: State, *, is_descending: bool) -> None:
    """A direction belongs to the order before it, or to the one that comes."""
    if state.draft.orders:
        state.draft.orders[-1] = replace(state.draft.orders[-1], is_descending=is_descending)
        return
    state.is_descending = is_descending
    if state.ahead is None or state.ahead.ends_sentence:
        state.draft.orders.append(Order(state.draft.last_name, is_descending))


def _place(state: State, chunk: Chunk) -> None:
    low, ahead = chunk.text.lower(), state.named_ahead
    if low == "by" and ahead and state.behind and state.behind.text.lower() == ahead.text.lower():
        # Brand by brand is by brand.
        state.unselect(state.behind)
        state.draft.groups = [one for one in state.draft.groups if one is not state.behind]
        state.draft.mentioned = [one for one in state.draft.mentioned if one is not state.behind]
        state.open("group")
    elif low == "by" and ahead and state.has_measure:
        state.open("group")
    elif state.clause in ("group", "order") and low != "of":
        state.open("where")


def _named(state: State, _: Chunk) -> None:
    state.clause = "where"


def _not(state: State, _: Chunk) -> None:
    state.is_negated = True


def _between(state: State, _: Chunk) -> None:
    if state.ahead and state.ahead.period:
        return
    numbers = [one.number for one in state.chunks[state.at : state.at + 3] if one.number is not None]
    if len(numbers) != 2:
        state.doubt("a range without two numbers")
        return
    state.waiting = state.waiting or state.last_column
    state.at += 3
    compare(state, "=", numbers[0], numbers[1])


_HANDLERS: Mapping[Role, Callable[[State, Chunk], None]] = {
    "count": _count,
    "much": _much,
    "distinct": _distinct,
    "ask": _ask,
    "most": lambda state, chunk: take_superlative(state, chunk, is_descending=True),
    "least": lambda state, chunk: take_superlative(state, chunk, is_descending=False),
    "common": lambda state, _: take_common(state, is_descending=True),
    "least_common": lambda state, _: take_common(state, is_descending=False),
    "group": _group,
    "order": _order,
    "alphabet": _alphabet,
    "ascending": lambda state, _: _direct(state, is_descending=False),
    "descending": lambda state, _: _direct(state, is_descending=True),
    "condition": take_condition,
    "place": _place,
    "named": _named,
    "not": _not,
    "between": _between,
    "compare": take_contrast,
    "year_before": take_year_before,
}

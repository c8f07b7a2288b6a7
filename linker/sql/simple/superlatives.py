"""Words that put rows in an order, as the most or the oldest: enter the state, leave orders and limits in it."""

from itertools import pairwise

from linker.sql.simple.chunks import Chunk
from linker.sql.simple.frame import Item, Order
from linker.sql.simple.phrases import MEASURED
from linker.sql.simple.state import State
from linker.words import stem

# What is said of how much there is in all, and not of how high one of them is.
_MOST = frozenset(("most", "the most", "least", "the least"))


def take_measured(state: State, chunk: Chunk) -> None:
    """The oldest is ordered by, older is compared with."""
    if chunk.measured.endswith("er"):
        near = state.column_behind if state.clause != "select" else None
        state.waiting = state.waiting or near or chunk
        state.operator = "<" if chunk.measured in ("younger", "lighter") else ">"
        return
    _, is_highest = MEASURED[chunk.measured]
    state.draft.orders.append(Order(chunk, is_highest, hint=chunk.measured))
    state.draft.limit = state.take_limit()


def take_common(state: State, *, is_descending: bool) -> None:
    """The most common: those of which there are most rows."""
    state.draft.orders.append(Order(None, is_descending, is_count=True))
    state.draft.limit = state.take_limit()
    state.draft.is_grouped_by_items = True


def take_superlative(state: State, chunk: Chunk, *, is_descending: bool) -> None:
    """The most of something: the greatest value where that alone is asked for, else the row that has it."""
    name = state.named_ahead
    if name is None:
        state.doubt("what is meant by the most or the least is not said")
        return
    is_alone = state.clause == "select" and not state.draft.has_head and state.number is None
    if is_alone and not name.names_table():
        state.aggregate = "max" if is_descending else "min"
        return
    state.at += 1
    is_count = name.names_table(rather=True)
    state.draft.orders.append(Order(name, is_descending, is_count, is_most=chunk.text.lower() in _MOST))
    state.draft.is_grouped_by_items = state.draft.is_grouped_by_items or is_count
    asked = _several_asked(state)
    if is_count and state.number is None and asked:
        if asked.names_table(rather=True):
            state.draft.mentioned = [one for one in state.draft.mentioned if one is not asked]
            state.unselect(asked)
            state.draft.heads.append(asked)
        state.draft.items.append(Item(name, "count"))
        state.draft.doubts["how many of the first are asked for is not said, so all are shown"] = None
    else:
        state.draft.limit = state.take_limit()


def _several_asked(state: State) -> Chunk | None:
    """The first thing that is asked for, where that is said in the plural: which countries."""
    first = state.chunks[: state.at]
    asked = next((after for one, after in pairwise(first) if one.text.lower() == "which"), None)
    last = asked.text.lower().split()[-1] if asked and asked.is_name else ""
    return asked if last.endswith("s") and stem(last) != last and not last.endswith("ss") else None

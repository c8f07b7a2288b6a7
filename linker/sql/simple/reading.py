"""
Reads chunks as a frame: enters the chunks of a question from left to right, leaves what it asks for.

A word opens a clause (what is selected, conditions, groups, an order), and what is named after it belongs there.
What no rule covers is a problem, and then nothing is written.
"""

from collections.abc import Sequence

from linker.sql.simple.bounds import take_number, take_period, take_value
from linker.sql.simple.chunks import Chunk
from linker.sql.simple.frame import SUMMED, Condition, Frame, Item, Order
from linker.sql.simple.phrases import PIECES
from linker.sql.simple.roles import take_role
from linker.sql.simple.state import State
from linker.sql.simple.superlatives import take_measured

# A name that is so weak is not meant where a sure one follows at once.
_WEAK, _NAMED, _SURE = 0.6, 0.8, 0.9


def read_frame(chunks: Sequence[Chunk]) -> Frame:
    """What a question asks for."""
    state = State(chunks)
    while chunk := state.next():
        _take(state, chunk)
    state.settle()
    if state.is_negated:
        state.doubt("something is denied")
    if state.aggregate in SUMMED:
        state.doubt("what is summed is not named")
    if state.operator or state.number is not None:
        state.doubt("a number or a comparison is not used")
    bounds = (one.first for one in chunks if one.values or one.number is not None or one.period)
    if any(chunk.first < max(bounds, default=0) for chunk in state.draft.absent):
        state.doubt("a condition on what is missing")
    _count_of_whole(state)
    _least_with_others(state)
    _sum_of_groups(state)
    return state.draft.done()


def _take(state: State, chunk: Chunk) -> None:
    if chunk.ends_sentence:
        _end_sentence(state)
    elif chunk.values or chunk.quoted is not None:
        take_value(state, chunk)
    elif chunk.period:
        take_period(state, chunk)
    elif chunk.number is not None:
        take_number(state, chunk.number)
    else:
        _take_words(state, chunk)


def _take_words(state: State, chunk: Chunk) -> None:
    if chunk.measured:
        take_measured(state, chunk)
    elif chunk.unit:
        state.open("where")
        state.draft.units.append(chunk.unit)
    elif chunk.role:
        take_role(state, chunk, chunk.role)
    elif chunk.meanings:
        _take_name(state, chunk)


def _end_sentence(state: State) -> None:
    """After a sentence that asks, `list the name and the count` says again, and in order, what is asked for."""
    state.open("select")
    rest = state.chunks[state.at :]
    if state.named_ahead and state.named_ahead.names_table(rather=True) and state.draft.items:
        _count_named(state)
    if not (state.ahead and state.ahead.role == "ask" and state.draft.items):
        return
    named = [item.name for item in state.draft.items if item.name]
    state.draft.mentioned += [name for name in named if name.names_table(rather=True)]
    if any(one.is_name for one in rest) and not any(one.role in ("order", "alphabet") for one in rest):
        counts = state.draft.counts
        state.draft.items = counts
        state.draft.is_grouped_by_items = bool(counts)


def _count_named(state: State) -> None:
    """Which shops sell boats? Orders of 2025: the sentence without a verb says what is counted."""
    name, draft = state.chunks[state.at], state.draft
    if any(item.aggregate for item in draft.items) or any(one.role == "ask" for one in state.chunks[state.at :]):
        return
    state.at += 1
    draft.items.append(Item(name, "count"))
    draft.doubts[f"“{name.text}” are taken to be counted"] = None


def _take_name(state: State, chunk: Chunk) -> None:
    draft = state.draft
    if _is_part_of_next(state, chunk):
        return
    if state.is_negated and chunk.names_table(rather=True) and draft.has_head:
        state.is_negated = False
        draft.absent.append(chunk)
    elif state.clause == "select":
        _select(state, chunk)
    elif state.clause == "group":
        # The country of customers is one thing to group by.
        is_owner = bool(draft.groups and chunk.names_table() and state.behind and state.behind.text.lower() == "of")
        (draft.mentioned if is_owner else draft.groups).append(chunk)
    elif state.clause == "order":
        is_count, state.aggregate = state.aggregate == "count", None
        draft.orders.append(Order(chunk, state.is_descending, is_count=is_count))
        state.is_descending = False
    elif chunk.names_table():
        draft.mentioned.append(chunk)
    else:
        state.settle()
        state.waiting = chunk
    _own(state, chunk)


def _is_part_of_next(state: State, chunk: Chunk) -> bool:
    """Temperature alarms are alarms: a weak name right before a good one says only of what kind it is."""
    ahead = state.named_ahead
    is_adjacent = bool(ahead and ahead.first == chunk.last + 1)
    return bool(is_adjacent and ahead and chunk.meanings[0].score < _WEAK and ahead.meanings[0].score >= _SURE)


def _select(state: State, chunk: Chunk) -> None:
    aggregate, state.aggregate = state.aggregate, None
    is_distinct, state.is_distinct = state.is_distinct, False
    also, state.also = state.also, []
    if also and (aggregate == "count" or "count" in also):
        state.doubt("a count beside another measure of the same")
    if aggregate == "count":
        _select_count(state, chunk, is_distinct=is_distinct)
    elif aggregate in SUMMED and not any(one.is_measure for one in chunk.meanings):
        state.aggregate = aggregate
        _wait_for_measure(state, chunk)
    elif aggregate:
        state.draft.items += [Item(chunk, one) for one in (*also, aggregate)]
    elif chunk.names_table():
        state.draft.mentioned.append(chunk)
    else:
        _select_column(state, chunk, is_distinct=is_distinct)


def _select_count(state: State, chunk: Chunk, *, is_distinct: bool) -> None:
    best = chunk.best_column
    if best and best.is_flag and not chunk.names_table(rather=True):
        # How many alarms went off: the rows that say so are counted.
        state.draft.items.append(Item(None, "count"))
        state.draft.conditions.append(Condition("flag", chunk))
        state.draft.doubts[f"“{chunk.text}” is taken for rows that say so"] = None
    else:
        state.draft.items.append(Item(chunk, "count", is_distinct))


def _wait_for_measure(state: State, chunk: Chunk) -> None:
    """What is summed comes later: how much revenue, or how much our customers spent."""
    rest = state.chunks[state.at :]
    if chunk.best_table:
        state.draft.mentioned.append(chunk)
    elif chunk.meanings[0].score >= _WEAK or not any(one.is_measure for ahead in rest for one in ahead.meanings):
        state.doubt(f"what “{chunk.text}” is summed by is not known")


def _select_column(state: State, chunk: Chunk, *, is_distinct: bool) -> None:
    best = chunk.best_column
    if state.draft.has_head and best and best.is_flag:
        state.draft.conditions.append(Condition("flag", chunk))
    elif best and best.is_measure and _is_kept(state):
        # How many pieces are in stock: what is in stock is summed.
        state.draft.mentioned += [one for item in state.draft.items[-1:] if (one := item.name) and one.best_table]
        state.draft.items[-1] = Item(chunk, "sum")
    elif state.has_measure and best and state.draft.items and best.score < _least(state):
        # Beside a sum, who is named only nearly is nothing to group by; it stays a doubt.
        return
    elif not (state.has_measure and state.behind and state.behind.role == "place"):
        # Beside a sum, what stands in a place is no further column: in stock, on hold.
        state.draft.items.append(Item(chunk, None, is_distinct))
        state.draft.is_distinct = state.draft.is_distinct or is_distinct


def _least(state: State) -> float:
    """How well a column beside a sum has to be named: one that is not added by `and` may be a verb, as in work."""
    is_added = bool(state.behind and state.behind.role in ("and", "ask"))
    return _WEAK if is_added else _NAMED


def _is_kept(state: State) -> bool:
    """Whether a measure stands in a place of pieces, which alone say no more than how it is counted."""
    last = state.draft.items[-1] if state.draft.items else None
    is_place = bool(state.behind and state.behind.role == "place")
    return is_place and bool(last and last.aggregate == "count" and last.name and last.name.text.lower() in PIECES)


def _own(state: State, chunk: Chunk) -> None:
    """Of `the id and name of students` the columns are those of students."""
    if not (chunk.names_table(rather=True) and state.behind and state.behind.text.lower() in ("of", "for")):
        return
    for one in reversed(state.chunks[: state.at - 2]):
        if not one.is_name and one.role != "and":
            return
        if one.is_name and not one.names_table():
            state.draft.owners.append((one, chunk))


def _count_of_whole(state: State) -> None:
    """Of the visits in May, how many were new: visits are counted, and a column of them is summed."""
    draft, (first, whole) = state.draft, (*state.chunks, None, None)[:2]
    if not (first and whole and first.text.lower() == "of" and whole.is_name):
        return
    is_plain = any(item.name is whole and item.aggregate is None for item in draft.items)
    if is_plain and Item(None, "count") in draft.items:
        state.unselect(whole)
        draft.items = [Item(whole, "count") if item == Item(None, "count") else item for item in draft.items]


def _sum_of_groups(state: State) -> None:
    """Headcount per office: a measure that opens a question without a verb is summed for each group."""
    draft = state.draft
    is_plain = len(draft.items) == 1 and draft.items[0].aggregate is None and draft.items[0].name is state.chunks[0]
    if state.opens_with_measure and is_plain and (draft.groups or draft.units):
        draft.items = [Item(state.chunks[0], "sum")]
        draft.doubts[f"“{state.chunks[0].text}” is summed"] = None


def _least_with_others(state: State) -> None:
    """The smallest of one column beside other columns means the row that has it."""
    draft = state.draft
    extreme = [item for item in draft.items if item.aggregate in ("max", "min")]
    plain = [item for item in draft.items if item.aggregate is None]
    if len(extreme) == 1 and len(extreme) + len(plain) == len(draft.items) > 1 and not draft.groups:
        draft.orders.append(Order(extreme[0].name, extreme[0].aggregate == "max"))
        draft.limit = 1
        draft.items = [Item(item.name) for item in draft.items]

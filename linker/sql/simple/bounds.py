"""Numbers, values and periods while a question is read: enters the state and one of them, leaves a condition in it."""

from dataclasses import replace

from linker.sql.simple.chunks import Chunk
from linker.sql.simple.frame import Condition, Having, Operator
from linker.sql.simple.state import State

_NEGATED: dict[Operator, Operator] = {"=": "<>", "in": "not in", ">": "<=", ">=": "<", "<": ">=", "<=": ">"}
_OF_PERIODS: tuple[Operator, ...] = (">", ">=", "<", "<=")
_OF_VALUES: tuple[Operator, ...] = ("=", "in", "not in", "<>")


def take_number(state: State, number: float) -> None:
    """A number is compared with, where the words around it say so; else it waits: it may be a limit."""
    if state.operator is not None:
        operator, state.operator = state.operator, None
        compare(state, operator, number)
    elif not _is_or_more(state) and _joined(state, number):
        return
    elif not _is_or_more(state) and _is_compared(state):
        compare(state, "=", number)
    else:
        if state.number is not None:
            state.doubt("two numbers stand alone")
        state.number = number


def compare(state: State, operator: Operator, number: float, to_number: float | None = None) -> None:
    """With the name before the number, or else with the one behind it; of tables, how many rows there are."""
    if state.is_negated:
        operator, state.is_negated = _NEGATED[operator], False
    name = state.waiting
    if name is None and (following := state.named_ahead):
        state.at += 1
        if following.names_table(rather=True):
            if to_number is not None:
                state.doubt("a range of how many there are")
            state.draft.having.append(Having(operator, number, following))
            return
        name = following
    name, state.waiting = name or state.last_column, None
    if name is None:
        state.doubt("a number is compared with nothing that is named")
        return
    if state.clause == "select":
        state.unselect(name)
    state.draft.conditions.append(Condition(operator, name, number=number, to_number=to_number))


def take_period(state: State, chunk: Chunk) -> None:
    """A period; several are alternatives, as nothing happens in two years at once."""
    operator: Operator = state.operator if state.operator in _OF_PERIODS else "during"
    state.operator = None
    name, state.waiting = state.waiting, None
    before = [one for one in state.draft.conditions if one.operator == "during" and one.value]
    if chunk.period and any(one.value and _is_same_time(one.value, chunk) for one in before):
        return
    if operator == "during" and before:
        name = name or before[0].name
        state.draft.conditions = [one for one in state.draft.conditions if one.operator != "during"]
    others = tuple(one.value for one in before if one.value) if operator == "during" else ()
    state.draft.conditions.append(Condition(operator, name, chunk, others=others))


def take_value(state: State, chunk: Chunk) -> None:
    """A value that some column holds; the name beside it says which."""
    name, state.waiting = state.waiting, None
    negated, state.is_negated, state.operator = state.is_negated, False, None
    joined_by = state.behind.role if state.behind else None
    if name is None and (near := state.column_behind) and (not chunk.values or _holds(near, chunk)):
        name = near
        state.unselect(near)
    if name is None and (following := state.named_ahead) and _holds(following, chunk):
        name = following
        state.at += 1
    if joined_by not in ("or", "and") or not _joined_value(
        state, chunk, name, is_both=joined_by == "and" and not negated
    ):
        state.draft.conditions.append(Condition("<>" if negated else "=", name, chunk))


def _is_same_time(one: Chunk, other: Chunk) -> bool:
    """Whether a period is said twice: of summer 2025, July to September."""
    told = [(chunk.period.first, chunk.period.last) for chunk in (one, other) if chunk.period]
    return len(set(told)) == 1


def _is_or_more(state: State) -> bool:
    """Whether `or more` follows a number."""
    ahead = state.ahead
    return bool(ahead and ahead.role in ("at_least", "at_most") and ahead.text.lower().startswith("or "))


def _is_compared(state: State) -> bool:
    """Whether a column beside a number is what it belongs to: of grade 10, with 4 cylinders."""
    near = state.column_behind
    if state.waiting is None and near and state.clause == "select":
        state.unselect(near)
        state.waiting = near
    following = state.named_ahead
    is_before_column = following is not None and not following.names_table(rather=True) and state.clause != "select"
    return state.waiting is not None or is_before_column


def _joined(state: State, number: float) -> bool:
    """Of `9 or 10` the second number: the column may be either."""
    last = state.draft.conditions[-1] if state.draft.conditions else None
    if not (state.behind and state.behind.role == "or" and last and last.operator == "=" and last.number is not None):
        return False
    if state.chunks[state.at - 3].number != last.number:
        return False
    state.draft.conditions[-1] = replace(last, numbers=(*last.numbers, number))
    return True


def _joined_value(state: State, chunk: Chunk, name: Chunk | None, *, is_both: bool) -> bool:
    """Of `Denmark or France` the second value."""
    last = state.draft.conditions[-1] if state.draft.conditions else None
    if not (last and last.value and last.operator in _OF_VALUES) or last.value.period:
        return False
    if is_both:
        state.doubt("several values have to hold of the same")
    operator: Operator = "not in" if last.operator in ("<>", "not in") else "in"
    state.draft.conditions[-1] = Condition(operator, last.name or name, last.value, others=(*last.others, chunk))
    return True


def _holds(name: Chunk, value: Chunk) -> bool:
    """Whether a name is that of a column which holds the value."""
    held = {one.ref for one in value.values}
    return any(one.ref in held for one in name.meanings)

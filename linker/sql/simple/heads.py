"""What a question asks for first, and for each: which shops are there, and how many work in each; enters the state."""

from linker.sql.simple.chunks import Chunk
from linker.sql.simple.frame import Item
from linker.sql.simple.state import State


def take_condition(state: State, chunk: Chunk) -> None:
    """A condition follows, or at the beginning of a sentence what it asks for."""
    # Who and which begin a question, and only later a condition.
    is_after_and = bool(state.behind and state.behind.role == "and" and chunk.text.lower() == "which")
    if is_after_and and state.has_measure and state.named_ahead:
        # How many came, and which towns they are from: the count is for each town.
        state.open("select")
        _head(state)
    elif state.behind is not None and not state.behind.ends_sentence and not _begins(state, state.at - 2):
        state.open("where")
    elif state.named_ahead and chunk.text.lower() in ("which", "who") and _asks_more(state):
        _head(state)


def _begins(state: State, place: int) -> bool:
    """Whether a preposition is the first of its sentence: in which, through which, for which."""
    before = state.chunks[place - 1] if place > 0 else None
    return state.chunks[place].role == "place" and (before is None or before.ends_sentence)


def _asks_more(state: State) -> bool:
    """Whether the same sentence asks for something of each: which shops are there, and how many work in each."""
    for place, chunk in enumerate(state.chunks[state.at : -1], start=state.at):
        if chunk.ends_sentence:
            return False
        after = state.chunks[place + 1]
        if chunk.role == "and" and (after.role in ("count", "much") or after.text.lower().startswith("how ")):
            return True
    return False


def _head(state: State) -> None:
    """What is asked for comes first: the rows of a table by their name, or a column."""
    name = state.chunks[state.at]
    state.at += 1
    if name.names_table(rather=True):
        state.draft.heads.append(name)
    else:
        state.draft.items.append(Item(name))

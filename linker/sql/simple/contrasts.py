"""What is set against something else: a flag against what it denies, a period against the year before."""

from dataclasses import replace

from linker.sql.simple.chunks import Chunk
from linker.sql.simple.periods import year_before
from linker.sql.simple.state import State


def take_contrast(state: State, _: Chunk) -> None:
    """With the year before, or what a flag says with what it denies; else nothing is known of it."""
    rest = state.chunks[state.at : state.at + 3]
    last = state.draft.conditions[-1] if state.draft.conditions else None
    if any(one.role == "year_before" for one in rest):
        return
    before = state.chunks[max(0, state.at - 3) : state.at - 1]
    if last and last.operator == "flag" and last.name and last.name in before:
        state.draft.conditions.pop()
        state.draft.groups.append(last.name)
    else:
        state.doubt("a comparison is asked for")


def take_year_before(state: State, chunk: Chunk) -> None:
    """The period that was said and the same one year before, one line for each."""
    asked = [one for one in state.draft.conditions if one.operator == "during" and one.value and one.value.period]
    if len(asked) != 1 or asked[0].others or not asked[0].value or not (period := asked[0].value.period):
        state.doubt("what is compared with the year before is not said")
        return
    before = replace(chunk, role=None, period=year_before(period))
    place = state.draft.conditions.index(asked[0])
    state.draft.conditions[place] = replace(asked[0], others=(before,))
    if "year" not in state.draft.units:
        state.draft.units.append("year")

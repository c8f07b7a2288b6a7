"""
A lookup: lines for a model, the most important first, cut to so many characters, and how to get the
rest.
"""

from collections.abc import Callable, Sequence

from pydantic import BaseModel, Field

from linker.text.words import readable
from linker.types import Record


class Lookup(Record, frozen=True):
    """
    Lines of an answer; `further` says how to see what does not fit.

    What can be said in short has `shorter`: lines with the details of so many things each, of -1
    with the least, and what of the others is left out.
    """

    lines: tuple[str, ...]
    further: str = "ask for less at once, or raise `characters`"
    shorter: Callable[[int], tuple[list[str], str]] | None = None
    things: int = 0


class Answer(BaseModel):
    """A text, and the number of lines that did not fit."""

    text: str = Field(description="The answer, a thing a line.")
    left_out: int = Field(
        description="Lines that did not fit; the last line of the text says how to get them."
    )


def fitted(lookup: Lookup, characters: int) -> Answer:
    """
    The first lines that fit; where not all do, the shorter ones with most details. The last says
    what is missing.
    """
    lines, remark = list(lookup.lines), ""
    if lookup.shorter and _size(lines) > characters:
        left = characters - len(lookup.further)
        shorter = map(lookup.shorter, range(lookup.things - 1, -1, -1))
        lines, remark = next(
            (short for short in shorter if _size(short[0]) <= left), lookup.shorter(-1)
        )
    left, shown = characters, list[str]()
    for line in lines:
        left -= len(line) + 1
        if left < 0:
            remark = f"{len(lookup.lines) - len(shown)} more lines"
            break
        shown.append(line)
    left_out = len(lookup.lines) - len(shown)
    return Answer(
        text="\n".join((*shown, *([f"… {remark}: {lookup.further}"] if remark else []))),
        left_out=left_out,
    )


def _size(lines: Sequence[str]) -> int:
    return sum(map(len, lines)) + len(lines)


def headed(text: str, count: int, lines: list[str]) -> list[str]:
    """The lines below what was asked, where several things were."""
    return [f"== {readable(text)}", *lines] if count > 1 else lines

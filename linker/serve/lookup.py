"""A lookup: lines for a model, the most important first, cut to so many characters, and how to get the rest."""

from dataclasses import dataclass

from pydantic import BaseModel, Field

from linker.names.repair import Unknown
from linker.text.words import readable


@dataclass(frozen=True, slots=True)
class Lookup:
    """Lines of an answer, and fewer that say it shorter; `further` says how to see what does not fit."""

    lines: tuple[str, ...]
    further: str = "ask for less at once, or raise `characters`"
    shorter: tuple[str, ...] = ()


class Answer(BaseModel):
    """A text, and the number of lines that did not fit."""

    text: str = Field(description="The answer, a thing a line.")
    left_out: int = Field(description="Lines that did not fit; the last line of the text says how to get them.")


def fitted(lookup: Lookup, characters: int) -> Answer:
    """The first lines that fit, of the shorter ones where not all do; the last one then says what was left out."""
    left, shown = characters, list[str]()
    fits = sum(map(len, lookup.lines)) + len(lookup.lines) <= characters
    lines = lookup.lines if fits else lookup.shorter or lookup.lines
    for line in lines:
        left -= len(line) + 1
        if left < 0:
            break
        shown.append(line)
    left_out = len(lookup.lines) - len(shown)
    if left_out:
        remark = "in short" if len(shown) == len(lines) else f"{left_out} more lines"
        shown.append(f"… {remark}: {lookup.further}")
    return Answer(text="\n".join(shown), left_out=left_out)


def headed(text: str, count: int, lines: list[str]) -> list[str]:
    """The lines below what was asked, where several things were."""
    return [f"== {readable(text)}", *lines] if count > 1 else lines


def unknown_name(kind: str, unknown: Unknown) -> str:
    """The line for a name that leads nowhere."""
    return f"there is no {kind} {unknown}"

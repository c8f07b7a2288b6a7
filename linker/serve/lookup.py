"""A lookup: lines for a model, the most important first, cut to so many characters, and how to get the rest."""

from dataclasses import dataclass

from linker.names.repair import Unknown


@dataclass(frozen=True, slots=True)
class Lookup:
    """Lines of an answer; `further` says how to see what does not fit."""

    lines: tuple[str, ...]
    further: str = "ask for less at once, or raise `characters`"


@dataclass(frozen=True, slots=True)
class Fitted:
    """A text, and how many lines it left out."""

    text: str
    left_out: int


def fitted(lookup: Lookup, characters: int) -> Fitted:
    """The first lines that fit; the last one then says what was left out."""
    left, shown = characters, list[str]()
    for line in lookup.lines:
        left -= len(line) + 1
        if left < 0:
            break
        shown.append(line)
    left_out = len(lookup.lines) - len(shown)
    if left_out:
        shown.append(f"… {left_out} more lines: {lookup.further}")
    return Fitted("\n".join(shown), left_out)


def unknown_name(kind: str, unknown: Unknown) -> str:
    """The line for a name that leads nowhere."""
    return f"there is no {kind} {unknown}"

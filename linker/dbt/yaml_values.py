"""New values as lines of YAML, in the indents of the file that they go into."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import yaml

from linker.text.safe import escaped
from linker.types import Record

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class Plain(str):
    """A text that is written without quotes where it may be: a name."""

    __slots__ = ()


class Noted(Record, frozen=True):
    """A value with the comment that stands above it."""

    value: Any
    note: str


class Indents(Record, frozen=True):
    """How far a mapping lies in from its key, and the dashes of a sequence from theirs."""

    mapping: int = 2
    sequence: int = 2


USUAL = Indents()


def document(value: Mapping[str, object]) -> str:
    """A new file."""
    return "\n".join(mapping_lines(value)) + "\n"


def mapping_lines(values: Mapping[str, object], indents: Indents = USUAL) -> Iterator[str]:
    """The keys of a mapping in lines of their own."""
    for key, noted in values.items():
        value = noted.value if isinstance(noted, Noted) else noted
        if isinstance(noted, Noted):
            yield f"# {noted.note}"
        if isinstance(value, Mapping):
            yield f"{key}:"
            yield from (" " * indents.mapping + line for line in mapping_lines(value, indents))
        elif isinstance(value, list | tuple) and any(
            isinstance(item, Mapping | Noted) for item in value
        ):
            yield f"{key}:"
            yield from (" " * indents.sequence + line for line in item_lines(value, indents))
        else:
            yield f"{key}: {inline(value)}"


def item_lines(items: Sequence[object], indents: Indents = USUAL) -> Iterator[str]:
    """The items of a sequence in lines of their own."""
    for noted in items:
        item = noted.value if isinstance(noted, Noted) else noted
        if isinstance(noted, Noted):
            yield f"# {noted.note}"
        if isinstance(item, Mapping):
            first, *others = mapping_lines(item, indents)
            if first.startswith("#"):
                raise ValueError("an item cannot begin with a comment")
            yield f"- {first}"
            yield from (f"  {line}" for line in others)
        else:
            yield f"- {inline(item)}"


def inline(value: object) -> str:
    """A value in one line: JSON, which is YAML too, with plain words where they mean themselves."""
    if isinstance(value, Noted):
        return inline(value.value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {inline(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(inline, value)) + "]"
    if isinstance(value, Plain) and _WORD.fullmatch(value) and yaml.safe_load(value) == value:
        return str(value)
    return escaped(json.dumps(value, ensure_ascii=False))


def notes_in(value: object) -> list[str]:
    """The comments of a value that is written in one line, which has no place for them."""
    if isinstance(value, Noted):
        return [value.note, *notes_in(value.value)]
    if isinstance(value, Mapping):
        return [note for item in value.values() for note in notes_in(item)]
    return (
        [note for item in value for note in notes_in(item)]
        if isinstance(value, list | tuple)
        else []
    )

"""
Additions to a YAML file: enters its text, leaves it with keys and items added, and every other character as it was.

Where something goes is read from the marks of the parsed nodes; nothing is written anew but empty texts. What is
written in one line, as `{name: id}`, gets its additions into that line.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import yaml
from msgspec import Struct, field

from linker.text.safe import escaped
from linker.types import Record

# What PyYAML takes for the end of a line, besides the usual two; and the mark at the beginning of a file.
_ODD_BREAKS = re.compile("\r(?!\n)|[\x85\u2028\u2029\ufeff]")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_INDENT = 2


class OddYamlError(Exception):
    """Words for why a file, or a part of it, is left as it is."""


class Noted(Record, frozen=True):
    """A value with the comment that stands above it."""

    value: Any
    note: str


class _Insertion(Record, frozen=True):
    """Text at a place inside a line; it may take the place of an empty one."""

    column: int
    text: str
    length: int = 0


class YamlText(Struct, dict=True):
    """The text of a file, its nodes, and what is to be added."""

    text: str
    _below: dict[int, list[tuple[int, list[str]]]] = field(default_factory=dict)
    _inside: dict[int, list[_Insertion]] = field(default_factory=dict)
    _above: dict[int, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if _ODD_BREAKS.search(self.text):
            raise OddYamlError("it holds marks that some count as line breaks")
        try:
            # More than one document is none for dbt either.
            self.root: yaml.Node | None = yaml.compose(self.text, yaml.SafeLoader)
        except yaml.YAMLError:
            raise OddYamlError("it cannot be read as one YAML document") from None
        refuse_repeated_keys(self.text)
        self._lines = self.text.split("\n")
        self._ending = "\r" if "\r\n" in self.text else ""

    def set(self, mapping: yaml.MappingNode, key: str, value: object, *, below: str) -> None:
        """Give a mapping a key where it has none, or only an empty text; in lines of its own below another key."""
        found = child(mapping, key)
        if found is not None:
            self._fill(found, value)
        elif mapping.flow_style:
            self._into_line(mapping, f"{key}: {_inline(value)}", bool(mapping.value), _notes(value))
        else:
            other = child(mapping, below)
            place = self._last_line(other if other is not None else mapping)
            self._add(place, _column(mapping), list(_mapping({key: value})))

    def extend(self, mapping: yaml.MappingNode, key: str, items: Sequence[object]) -> None:
        """Give the sequence at a key further items; it is made where there is none."""
        found = child(mapping, key)
        if found is None and mapping.flow_style:
            self._into_line(mapping, f"{key}: {_inline(items)}", bool(mapping.value), _notes(items))
        elif found is None:
            self._add(self._last_line(mapping), _column(mapping), list(_mapping({key: items})))
        elif isinstance(found, yaml.SequenceNode) and found.flow_style:
            self._into_line(found, ", ".join(map(_inline, items)), bool(found.value), _notes(items))
        elif isinstance(found, yaml.SequenceNode) and found.start_mark.index > mapping.start_mark.index:
            self._add(self._last_line(found), self._dash(found), [line for item in items for line in _item(item)])
        elif isinstance(found, yaml.ScalarNode) and not found.value:
            place, column = found.start_mark.line, _column(mapping) + _INDENT
            self._add(place, column, [line for item in items for line in _item(item)])
        else:
            raise OddYamlError(f"`{key}` in line {mapping.start_mark.line + 1} is written in an unusual way")

    def __str__(self) -> str:
        lines: list[str] = []
        for number, line in enumerate(self._lines):
            lines += self._above.get(number, [])
            lines.append(_with(line, self._inside.get(number, [])))
            # What lies deeper belongs to what ends in this line, and comes first.
            for _, added in sorted(self._below.get(number, []), key=lambda block: -block[0]):
                lines += added
        return "\n".join(lines)

    def _fill(self, node: yaml.Node, value: object) -> None:
        if not isinstance(node, yaml.ScalarNode) or node.value.strip() or node.style in ("|", ">"):
            raise OddYamlError(f"there is something in line {node.start_mark.line + 1}")
        start, end = node.start_mark, node.end_mark
        space = "" if node.style else " "
        self._inside.setdefault(start.line, []).append(
            _Insertion(start.column, space + _inline(value), end.column - start.column)
        )
        self._above.setdefault(start.line, []).extend(self._comments(start.line, _notes(value)))

    def _into_line(self, node: yaml.CollectionNode, text: str, has_items: bool, notes: Sequence[str]) -> None:
        """Before the bracket that closes a collection."""
        end = node.end_mark
        self._inside.setdefault(end.line, []).append(_Insertion(end.column - 1, f", {text}" if has_items else text))
        line = node.start_mark.line
        self._above.setdefault(line, []).extend(self._comments(line, notes))

    def _comments(self, line: int, notes: Sequence[str]) -> list[str]:
        text = self._lines[line]
        indent = " " * (len(text) - len(text.lstrip()))
        return [f"{indent}# {note}{self._ending}" for note in notes]

    def _add(self, line: int, column: int, added: Sequence[str]) -> None:
        self._below.setdefault(line, []).append((column, [f"{' ' * column}{text}{self._ending}" for text in added]))

    def _last_line(self, node: yaml.Node) -> int:
        """The last line that belongs to a node; what comes below may be a comment on something else."""
        line = int(node.end_mark.line)
        if isinstance(node, yaml.ScalarNode) and node.style in ("|", ">"):
            # The mark stands where the next thing begins, or at the end of the file.
            line -= node.end_mark.column == 0
            while not self._lines[line].strip():
                line -= 1
        elif isinstance(node, yaml.CollectionNode) and node.value and not node.flow_style:
            last = node.value[-1]
            key, value = last if isinstance(node, yaml.MappingNode) else (last, last)
            # The node of an alias stands where its anchor is.
            own = value if value.start_mark.index >= key.start_mark.index else key
            if own.start_mark.index < node.start_mark.index:
                raise OddYamlError(f"the list in line {node.start_mark.line + 1} ends in an alias")
            return self._last_line(own)
        return line

    def _dash(self, sequence: yaml.SequenceNode) -> int:
        """The place of the dashes of a sequence: its own mark may be that of an anchor."""
        first = sequence.value[0].start_mark
        return self._lines[int(first.line)].rindex("-", 0, int(first.column))


class _StrictLoader(yaml.SafeLoader):
    """Refuses a key that stands twice in a mapping, of which YAML keeps the last."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[Any] = set()
        for key, _ in node.value:
            name = key.value if isinstance(key, yaml.ScalarNode) else None
            if name is not None and name in seen and key.tag != "tag:yaml.org,2002:merge":
                raise OddYamlError(f"the key `{name}` stands twice in it, in line {key.start_mark.line + 1} again")
            seen.add(name)
        return super().construct_mapping(node, deep)


def refuse_repeated_keys(text: str) -> None:
    """Refuse a file in which a key stands twice, as `models:` may; dbt keeps one of both."""
    try:
        # Not a safe loader by name only: it makes nothing but plain values.
        yaml.load(text, _StrictLoader)  # noqa: S506
    except (yaml.YAMLError, ValueError):
        raise OddYamlError("it cannot be read as plain YAML") from None


def child(mapping: yaml.Node, key: str) -> yaml.Node | None:
    """The value of a key."""
    if not isinstance(mapping, yaml.MappingNode):
        return None
    return next((value for name, value in mapping.value if name.value == key), None)


def named(sequence: yaml.Node | None, name: str) -> yaml.MappingNode | None:
    """The item of a sequence that has this `name`, whatever its case."""
    for item in sequence.value if isinstance(sequence, yaml.SequenceNode) else ():
        found = child(item, "name")
        if found is not None and str(found.value).lower() == name.lower():
            return item if isinstance(item, yaml.MappingNode) else None
    return None


def document(value: Mapping[str, object]) -> str:
    """A new file."""
    return "\n".join(_mapping(value)) + "\n"


def _column(mapping: yaml.MappingNode) -> int:
    column: int = mapping.value[0][0].start_mark.column
    return column


def _with(line: str, insertions: Sequence[_Insertion]) -> str:
    # From the right; of two at one place the first one stays before the second.
    for _, insertion in sorted(enumerate(insertions), key=lambda each: (each[1].column, each[0]), reverse=True):
        line = line[: insertion.column] + insertion.text + line[insertion.column + insertion.length :]
    return line


def _mapping(values: Mapping[str, object]) -> Iterator[str]:
    for key, noted in values.items():
        value = noted.value if isinstance(noted, Noted) else noted
        if isinstance(noted, Noted):
            yield f"# {noted.note}"
        if isinstance(value, Mapping):
            yield f"{key}:"
            yield from (" " * _INDENT + line for line in _mapping(value))
        elif isinstance(value, list | tuple) and any(isinstance(item, Mapping | Noted) for item in value):
            yield f"{key}:"
            yield from (" " * _INDENT + line for item in value for line in _item(item))
        else:
            yield f"{key}: {_inline(value)}"


def _item(item: object) -> Iterator[str]:
    """An item of a sequence in lines of its own."""
    if isinstance(item, Noted):
        yield f"# {item.note}"
        yield from _item(item.value)
    elif isinstance(item, Mapping):
        first, *others = _mapping(item)
        if first.startswith("#"):
            raise ValueError("an item cannot begin with a comment")
        yield f"- {first}"
        yield from (f"  {line}" for line in others)
    else:
        yield f"- {_inline(item)}"


def _inline(value: object) -> str:
    """A value in one line: JSON, which is YAML too, with plain words where they mean themselves."""
    if isinstance(value, Noted):
        return _inline(value.value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {_inline(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_inline, value)) + "]"
    if isinstance(value, Plain) and _WORD.fullmatch(value) and yaml.safe_load(value) == value:
        return str(value)
    return escaped(json.dumps(value, ensure_ascii=False))


class Plain(str):
    """A text that is written without quotes where it may be: a name."""

    __slots__ = ()


def _notes(value: object) -> list[str]:
    if isinstance(value, Noted):
        return [value.note, *_notes(value.value)]
    if isinstance(value, Mapping):
        return [note for item in value.values() for note in _notes(item)]
    return [note for item in value for note in _notes(item)] if isinstance(value, list | tuple) else []

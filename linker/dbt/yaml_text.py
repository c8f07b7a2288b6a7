"""
Inserts keys and items into YAML text and leaves every other character unchanged.

Insertion points come from the marks of the parsed nodes. Flow mappings such as `{name: id}` are
extended in place.
"""

import json
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import yaml

from linker.text.escaping import escaped
from linker.types import Record

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class BareScalar(str):
    """A name, written without quotes if possible."""

    __slots__ = ()


class Commented(Record, frozen=True):
    """A value with a comment above it."""

    value: Any
    note: str


class Indents(Record, frozen=True):
    """Indentation of mappings and of sequence dashes, relative to their key."""

    mapping: int = 2
    sequence: int = 2


USUAL = Indents()


def document(value: Mapping[str, object]) -> str:
    """The text of a new file."""
    return "\n".join(mapping_lines(value)) + "\n"


def mapping_lines(values: Mapping[str, object], indents: Indents = USUAL) -> Iterator[str]:
    """Lines of a block mapping."""
    for key, noted in values.items():
        value = noted.value if isinstance(noted, Commented) else noted
        if isinstance(noted, Commented):
            yield f"# {noted.note}"
        if isinstance(value, Mapping):
            yield f"{key}:"
            yield from (" " * indents.mapping + line for line in mapping_lines(value, indents))
        elif isinstance(value, list | tuple) and any(
            isinstance(item, Mapping | Commented) for item in value
        ):
            yield f"{key}:"
            yield from (" " * indents.sequence + line for line in item_lines(value, indents))
        else:
            yield f"{key}: {inline(value)}"


def item_lines(items: Sequence[object], indents: Indents = USUAL) -> Iterator[str]:
    """Lines of a block sequence."""
    for noted in items:
        item = noted.value if isinstance(noted, Commented) else noted
        if isinstance(noted, Commented):
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
    """A value in flow style: JSON with plain scalars where they are unambiguous."""
    if isinstance(value, Commented):
        return inline(value.value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {inline(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(inline, value)) + "]"
    if isinstance(value, BareScalar) and _WORD.fullmatch(value) and yaml.safe_load(value) == value:
        return str(value)
    return escaped(json.dumps(value, ensure_ascii=False))


def notes_in(value: object) -> list[str]:
    """Comments of a value that is written in flow style, where they have no place."""
    if isinstance(value, Commented):
        return [value.note, *notes_in(value.value)]
    if isinstance(value, Mapping):
        return notes_in([*value.values()])
    if isinstance(value, list | tuple):
        return list(chain.from_iterable(map(notes_in, value)))
    return []


_MERGE = "tag:yaml.org,2002:merge"


class UnsupportedYamlError(Exception):
    """Why a file, or a part, is left unchanged."""


def read_nodes(text: str) -> yaml.Node | None:
    """
    The root of the only document; duplicate keys such as a second `models:` are rejected, as dbt
    keeps just one.
    """
    try:
        # dbt accepts a single document only.
        root: yaml.Node | None = yaml.compose(text, yaml.SafeLoader)
    except yaml.YAMLError:
        raise UnsupportedYamlError("it cannot be read as one YAML document") from None
    for node in all_nodes(root):
        if isinstance(node, yaml.MappingNode):
            _refuse_repeated_keys(node)
    return root


def read_values(text: str) -> Any:  # noqa: ANN401 - whatever a file holds
    try:
        return yaml.safe_load(text)
    except (yaml.YAMLError, ValueError):
        raise UnsupportedYamlError("it cannot be read as plain YAML") from None


def all_nodes(root: yaml.Node | None) -> Iterator[yaml.Node]:
    """Each node once."""
    return _nodes(root, Counter())


def shared_nodes(root: yaml.Node | None) -> frozenset[int]:
    """Ids of nodes that aliases share, with all descendants."""
    times = Counter[int]()
    for _ in _nodes(root, times):
        pass
    return frozenset(node for node, count in times.items() if count > 1)


def child(mapping: yaml.Node | None, key: str) -> yaml.Node | None:
    """The value of a key, including merged mappings."""
    if not isinstance(mapping, yaml.MappingNode):
        return None
    for name, value in mapping.value:
        if name.value == key:
            return value  # type: ignore[no-any-return]
    for source in _merged(mapping):
        merged_value = child(source, key)
        if merged_value is not None:
            return merged_value
    return None


def named(sequence: yaml.Node | None, name: str) -> yaml.MappingNode | None:
    """The item with this `name`, ignoring case."""
    for item in sequence.value if isinstance(sequence, yaml.SequenceNode) else ():
        name_node = child(item, "name")
        if name_node is not None and str(name_node.value).lower() == name.lower():
            return item if isinstance(item, yaml.MappingNode) else None
    return None


def holds_all(after: object, before: object) -> bool:
    """
    Whether all values of `before` are at the same paths in `after`; empty ones may be filled, lists
    extended.
    """
    if isinstance(before, dict) and isinstance(after, dict):
        return before.keys() <= after.keys() and all(
            holds_all(after[key], value) for key, value in before.items()
        )
    if isinstance(before, list) and isinstance(after, list):
        return len(before) <= len(after) and all(map(holds_all, after, before))
    if isinstance(before, str) and isinstance(after, str):
        # A missing final line break may be added.
        return not before.strip() or after.rstrip("\n") == before.rstrip("\n")
    return before is None or (after == before and type(after) is type(before))


def _nodes(node: yaml.Node | None, times: Counter[int]) -> Iterator[yaml.Node]:
    """All nodes once, with their number of references, up to two."""
    if node is None or times[id(node)] > 1:
        return
    times[id(node)] += 1
    if times[id(node)] == 1:
        yield node
    for item in node.value if isinstance(node, yaml.CollectionNode) else ():
        for part in item if isinstance(item, tuple) else (item,):
            yield from _nodes(part, times)


def _refuse_repeated_keys(mapping: yaml.MappingNode) -> None:
    seen: set[tuple[str, str]] = set()
    for key, _ in mapping.value:
        name = (str(key.tag), str(key.value))
        if name in seen and key.tag != _MERGE:
            raise UnsupportedYamlError(
                f"duplicate key `{key.value}` in line {key.start_mark.line + 1}"
            )
        seen.add(name)


def _merged(mapping: yaml.MappingNode) -> Iterator[yaml.Node]:
    for name, value in mapping.value:
        if name.tag == _MERGE:
            yield from value.value if isinstance(value, yaml.SequenceNode) else (value,)


# Line breaks that only PyYAML recognises, and the byte order mark.
_ODD_BREAKS = re.compile("\r(?!\n)|[\x85\u2028\u2029\ufeff]")
_KEEPS_BREAKS = re.compile(r"[|>]\d?\+")
# Tokens that mark a position, without text.
_PLACES = (
    yaml.StreamStartToken,
    yaml.StreamEndToken,
    yaml.DocumentStartToken,
    yaml.DocumentEndToken,
    yaml.KeyToken,
    yaml.BlockMappingStartToken,
    yaml.BlockSequenceStartToken,
    yaml.BlockEndToken,
)


class _Insertion(Record, frozen=True):
    """Text to insert within a line; it may replace an empty value."""

    column: int
    text: str
    is_value: bool = False
    length: int = 0


@dataclass(eq=False)
class YamlText:
    """A YAML file with pending insertions."""

    text: str
    _below: dict[int, list[tuple[int, list[str]]]] = field(default_factory=dict)
    _inside: dict[int, list[_Insertion]] = field(default_factory=dict)
    _above: dict[int, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if _ODD_BREAKS.search(self.text):
            raise UnsupportedYamlError("it has characters that some parsers read as line breaks")
        self.root = read_nodes(self.text)
        self.values = read_values(self.text)
        self._shared = shared_nodes(self.root)
        self._tokens = [
            entry
            for entry in yaml.scan(self.text, yaml.SafeLoader)
            if not isinstance(entry, _PLACES)
        ]
        self._starts = [token.start_mark.index for token in self._tokens]
        self._indents = _indents(self.root)
        self._lines = self.text.split("\n")
        self._ending = "\r" if "\r\n" in self.text else ""

    def set(self, mapping: yaml.MappingNode, key: str, value: object, *, below: str) -> None:
        """Set a missing or empty key, on new lines after the key `below`."""
        existing = child(mapping, key)
        self._refuse_shared(mapping if existing is None else existing)
        if existing is not None:
            self._fill(existing, value)
        elif mapping.flow_style:
            self._into_line(mapping, f"{key}: {inline(value)}", notes_in(value))
        else:
            self._add(
                self._line_of(mapping, below),
                _column(mapping),
                list(mapping_lines({key: value}, self._indents)),
            )

    def extend(self, mapping: yaml.MappingNode, key: str, items: Sequence[object]) -> None:
        """Append items to the sequence of a key, creating it if needed."""
        existing = child(mapping, key)
        self._refuse_shared(mapping if existing is None else existing)
        if existing is None and mapping.flow_style:
            self._into_line(mapping, f"{key}: {inline(items)}", notes_in(items))
        elif existing is None:
            gap = (
                self._gap_below(mapping) if mapping is self.root and self._parts_sections() else []
            )
            lines = [*gap, *mapping_lines({key: items}, self._indents)]
            self._add(self._last_line(mapping), _column(mapping), lines)
        elif isinstance(existing, yaml.SequenceNode) and existing.flow_style:
            self._into_line(existing, ", ".join(map(inline, items)), notes_in(items))
        elif isinstance(existing, yaml.SequenceNode):
            gap = self._gap_below(existing) if self._parts_items(existing) else []
            lines = list[str]()
            for item in items:
                lines += [*gap, *item_lines([item], self._indents)]
            self._add(self._last_line(existing), self._dash_column(existing), lines)
        elif (
            not isinstance(existing, yaml.ScalarNode)
            or existing.start_mark.index < existing.end_mark.index
        ):
            raise UnsupportedYamlError(
                f"`{key}` in line {mapping.start_mark.line + 1} is written in an unusual way"
            )
        elif mapping.flow_style:
            self._replace(existing, f" {inline(items)}", notes_in(items))
        else:
            column = _column(mapping) + self._indents.sequence
            self._add(existing.start_mark.line, column, list(item_lines(items, self._indents)))

    def __str__(self) -> str:
        lines: list[str] = []
        for number, line in enumerate(self._lines):
            lines += self._above.get(number, [])
            lines.append(_with(line, self._inside.get(number, [])))
            # Deeper nodes that end in this line come first.
            for _, added in sorted(self._below.get(number, []), key=lambda block: -block[0]):
                lines += added
        return "\n".join(lines)

    def _refuse_shared(self, node: yaml.Node) -> None:
        if id(node) in self._shared:
            raise UnsupportedYamlError(
                f"the text in line {node.start_mark.line + 1} is used in several places"
            )

    def _fill(self, node: yaml.Node, value: object) -> None:
        is_in_line = node.start_mark.line == node.end_mark.line
        if (
            not isinstance(node, yaml.ScalarNode)
            or node.style in ("|", ">")
            or node.value.strip()
            or not is_in_line
        ):
            raise UnsupportedYamlError(f"there is something in line {node.start_mark.line + 1}")
        self._replace(node, f"{'' if node.style else ' '}{inline(value)}", notes_in(value))

    def _replace(self, node: yaml.ScalarNode, text: str, notes: Sequence[str]) -> None:
        start, end = node.start_mark, node.end_mark
        self._inside.setdefault(start.line, []).append(
            _Insertion(start.column, text, True, end.column - start.column)
        )
        self._above.setdefault(start.line, []).extend(self._comments(start.line, notes))

    def _into_line(self, node: yaml.CollectionNode, text: str, notes: Sequence[str]) -> None:
        """Insert before the closing bracket of a flow collection."""
        if node.value and _last_of(node).end_mark.index == node.end_mark.index:
            raise UnsupportedYamlError(
                f"line {node.start_mark.line + 1} has a key without brackets"
            )
        before = self._tokens[self._last_token(node) - 1]
        if isinstance(before, yaml.FlowEntryToken):
            text = f" {text},"
        elif node.value:
            text = f", {text}"
        self._inside.setdefault(before.end_mark.line, []).append(
            _Insertion(before.end_mark.column, text)
        )
        line = node.start_mark.line
        self._above.setdefault(line, []).extend(self._comments(line, notes))

    def _comments(self, line: int, notes: Sequence[str]) -> list[str]:
        text = self._lines[line]
        indent = " " * (len(text) - len(text.lstrip()))
        return [f"{indent}# {note}{self._ending}" for note in notes]

    def _add(self, line: int, column: int, added: Sequence[str]) -> None:
        if line == len(self._lines) - 1:
            # Add a missing final line break.
            self._lines[line] += self._ending
            self._lines.append("")
        indent = " " * column
        lines = [f"{indent}{text}{self._ending}" if text else self._ending for text in added]
        self._below.setdefault(line, []).append((column, lines))

    def _line_of(self, mapping: yaml.MappingNode, key: str) -> int:
        """Last line of a key's value; of the mapping if the value is elsewhere."""
        for name, value in mapping.value:
            if name.value == key and value.start_mark.index >= name.end_mark.index:
                return self._last_line(value)
        return self._last_line(mapping)

    def _last_token(self, node: yaml.Node) -> int:
        return bisect_left(self._starts, node.end_mark.index) - 1

    def _last_line(self, node: yaml.Node) -> int:
        """Last line of a node; comments below may belong to the next one."""
        token = self._tokens[self._last_token(node)]
        line = int(token.end_mark.line)
        if isinstance(token, yaml.ScalarToken) and token.style in ("|", ">"):
            # The mark is at the start of the next token, or the end of the file.
            line -= token.end_mark.column == 0
            # Blank lines may belong to a block scalar.
            while (
                token.value.rstrip() == token.value.removesuffix("\n")
                and not self._lines[line].strip()
            ):
                line -= 1
        return line

    def _dash_column(self, sequence: yaml.SequenceNode) -> int:
        """Column of the dashes; the node's own mark may be that of an anchor."""
        index = bisect_left(self._starts, sequence.start_mark.index)
        dash = next(
            token for token in self._tokens[index:] if isinstance(token, yaml.BlockEntryToken)
        )
        return int(dash.start_mark.column)

    def _gap_below(self, node: yaml.Node) -> list[str]:
        """A blank line, unless a block scalar above would absorb it."""
        token = self._tokens[self._last_token(node)]
        return [] if _KEEPS_BREAKS.match(self.text, token.start_mark.index) else [""]

    def _parts_items(self, sequence: yaml.SequenceNode) -> bool:
        """Whether blank lines separate the items."""
        return len(sequence.value) > 1 and self._has_gap_above(sequence.value[-1])

    def _parts_sections(self) -> bool:
        """Whether blank lines separate top-level sections; true by default."""
        others = self.root.value[1:] if isinstance(self.root, yaml.MappingNode) else []
        return not others or any(self._has_gap_above(key) for key, _ in others)

    def _has_gap_above(self, node: yaml.Node) -> bool:
        """Whether a blank line precedes a node and its comments."""
        line = int(node.start_mark.line) - 1
        while line >= 0 and (
            self._lines[line].strip() == "-" or self._lines[line].lstrip().startswith("#")
        ):
            line -= 1
        return line >= 0 and not self._lines[line].strip()


def open_text(before: str | None) -> YamlText:
    """Parse a file; one without content gets its first key."""
    text = YamlText(before or "")
    if text.root is not None:
        return text
    begun = text.text if not text.text or text.text.endswith("\n") else f"{text.text}\n"
    ending = "\r\n" if "\r\n" in begun else "\n"
    return YamlText(begun + document({"version": 2}).replace("\n", ending))


def _indents(root: yaml.Node | None) -> Indents:
    """Indentation as first used in the file."""
    offsets: dict[type, int] = {}
    for mapping in all_nodes(root):
        if not isinstance(mapping, yaml.MappingNode) or mapping.flow_style:
            continue
        for key, value in mapping.value:
            # Aliases and anchored nodes start elsewhere.
            is_below = value.start_mark.line > key.end_mark.line
            if is_below and isinstance(value, yaml.CollectionNode) and not value.flow_style:
                offsets.setdefault(type(value), value.start_mark.column - _column(mapping))
    sequence = offsets.get(yaml.SequenceNode, offsets.get(yaml.MappingNode, USUAL.sequence))
    return Indents(offsets.get(yaml.MappingNode, sequence or USUAL.mapping), sequence)


def _last_of(node: yaml.CollectionNode) -> yaml.Node:
    last = node.value[-1]
    last_node: yaml.Node = last[1] if isinstance(last, tuple) else last
    return last_node


def _column(mapping: yaml.MappingNode) -> int:
    column: int = mapping.value[0][0].start_mark.column
    return column


def _with(line: str, insertions: Sequence[_Insertion]) -> str:
    # From right to left; at one position a value precedes a new key, and earlier insertions later
    # ones.
    order = sorted(
        enumerate(insertions), key=lambda entry: (entry[1].column, not entry[1].is_value, entry[0])
    )
    for _, insertion in reversed(order):
        line = (
            line[: insertion.column] + insertion.text + line[insertion.column + insertion.length :]
        )
    return line

"""
Values of expressions and named relations, as far as columns are concerned.

Access to nested fields (`hits.page.pagePath`) is lazy: the column path is known only where it ends,
possibly several queries later.
"""

import dataclasses
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from typing import TypeAlias

from msgspec import Struct, field

from linker.types import ColumnRef, Record, Table, TableRef

_STEP = re.compile(r'"((?:[^"]|"")*)"|([^.]+)')


class Node(Record, frozen=True):
    """A column or nested path, with its children."""

    name: str
    ref: ColumnRef
    inside: tuple["Node", ...] = ()
    is_struct: bool = False

    def refs(self) -> Iterator[ColumnRef]:
        """The node and its descendants."""
        yield self.ref
        for node in self.inside:
            yield from node.refs()


class ColumnSource(Record, frozen=True):
    """A stored column; several nodes if it may come from several logical tables."""

    nodes: tuple[Node, ...]

    @property
    def is_nested(self) -> bool:
        """Whether it has nested paths."""
        return any(node.inside for node in self.nodes)


class StructValue(Record, frozen=True):
    """A row, a struct literal, or a list of them."""

    members: tuple[tuple[str, "Value"], ...]


class WholeRow(StructValue, frozen=True):
    """A source's whole row."""


class UnionValue(Record, frozen=True):
    """A column with several origins: set operation, `using`, `coalesce`."""

    values: tuple["Value", ...]


class ComputedValue(Record, frozen=True):
    """A computed value; its inputs have been read."""

    values: tuple["Value", ...] = ()


class Open(Record, frozen=True):
    """A possible column of an open source."""

    values: tuple["Value", ...] = ()


class Hidden(Record, frozen=True):
    """An existing column that must not be named."""

    name: str


class FieldAccess(Record, frozen=True):
    """An unknown part of a document; reading it reads the document."""

    base: "Value"


Value: TypeAlias = (
    ColumnSource | StructValue | UnionValue | FieldAccess | Open | ComputedValue | Hidden
)
COMPUTED = ComputedValue()


def either(values: Iterable[Value]) -> Value:
    """A union without repetitions."""
    distinct: dict[int, Value] = {}
    for value in values:
        for item in value.values if isinstance(value, UnionValue) else (value,):
            distinct[id(item)] = item
    return UnionValue(tuple(distinct.values()))


def leaves(value: Value) -> Iterator[Value]:
    """Distinct values passed on, without those only computed with."""
    pending, seen = [value], set[int]()
    while pending:
        item = pending.pop()
        if id(item) in seen:
            continue
        seen.add(id(item))
        match item:
            case StructValue(members):
                pending += [inner for _, inner in reversed(members)]
            case UnionValue(values) | Open(values):
                pending += reversed(values)
            case FieldAccess(base):
                pending.append(base)
            case _:
                yield item


def look_into(value: Value, name: str) -> Value | None:
    """The named part; None if the catalog knows the structure and the part does not exist."""
    known_part = part_of(value, name)
    match value:
        case _ if known_part:
            return known_part
        case ColumnSource(nodes):
            # JSON structure is known by sample at most: attribute to the column.
            return None if all(node.is_struct for node in nodes) else value
        case UnionValue(values):
            parts = (look_into(inner, name) for inner in values)
            return next((part for part in parts if part is not None), None)
        case ComputedValue() | FieldAccess() | Open():
            return value
    return None


def part_of(value: Value, name: str) -> Value | None:
    """The named part, if known."""
    match value:
        case ColumnSource(nodes):
            named = (by_name(node.inside, name) for node in nodes)
            parts = tuple(part for part in named if part is not None)
            return ColumnSource(parts) if parts else None
        case StructValue(members):
            return {member.casefold(): inner for member, inner in reversed(members)}.get(
                name.casefold()
            )
        case UnionValue(values):
            inner_parts = [part_of(inner, name) for inner in values]
            existing = [part for part in inner_parts if part is not None]
            return either(existing) if existing else None
    return None


def members_of(value: Value) -> tuple[tuple[str, Value], ...]:
    """Columns of `value.*`."""
    match value:
        case ColumnSource(nodes):
            return listed([node.inside for node in nodes])
        case StructValue(members):
            return members
        case UnionValue(values):
            return members_of(values[0]) if values else ()
        case FieldAccess(base):
            return members_of(base)
        case _:
            return ()


def listed(tables: Iterable[Sequence[Node]]) -> tuple[tuple[str, Value], ...]:
    """Columns by name over alternative tables."""
    names: dict[str, str] = {}
    nodes: dict[str, list[Node]] = {}
    for table in tables:
        for node in table:
            names.setdefault(node.name.casefold(), node.name)
            nodes.setdefault(node.name.casefold(), []).append(node)
    return tuple((names[key], ColumnSource(tuple(same_name))) for key, same_name in nodes.items())


def by_name(nodes: Sequence[Node], name: str) -> Node | None:
    """The node by name; case matters only to break ties."""
    matches = [node for node in nodes if node.name.casefold() == name.casefold()]
    return next((node for node in matches if node.name == name), matches[0] if matches else None)


def nodes_of(table: Table) -> tuple[Node, ...]:
    """Columns of a logical table as trees."""
    root = _Branch("")
    for column in table.columns:
        branch = root
        for step in steps_of(column.path) if column.depth else (column.column_name,):
            branch = branch.inside.setdefault(step, _Branch(step))
        branch.path, branch.is_struct = column.path, column.is_nested
    return tuple(branch.node(table.ref) for branch in root.inside.values())


class _Branch(Struct):
    name: str
    path: str | None = None
    is_struct: bool = True
    inside: dict[str, "_Branch"] = field(default_factory=dict)

    def node(self, table: TableRef) -> Node:
        inside = tuple(branch.node(table) for branch in self.inside.values())
        # A catalog may list nested paths without their struct.
        path = self.path if self.path is not None else inside[0].ref.path.rpartition(".")[0]
        return Node(self.name, ColumnRef(table, path), inside, self.is_struct and bool(inside))


def steps_of(path: str) -> list[str]:
    """Parts of a path."""
    return [quoted.replace('""', '"') or bare for quoted, bare in _STEP.findall(path)]


@dataclass(eq=False)
class Relation:
    """
    Named columns in order, indexed by name.

    An open relation has columns that cannot be listed (table functions, unknown tables). The
    element is one row of UNNEST, possibly not a struct. An empty name stands for one that only the
    warehouse knows.
    """

    columns: tuple[tuple[str, Value], ...]
    is_open: bool = False
    element: Value | None = None
    # Existing hidden columns by name, in original spelling.
    hidden: Mapping[str, str] = dataclasses.field(default_factory=dict)
    # Star order over merged columns differs by warehouse.
    is_ordered: bool = True

    @cached_property
    def _by_name(self) -> Mapping[str, Value]:
        # An exact spelling wins, then the first.
        spelt_alike = dict(reversed(self.columns))
        return {name.casefold(): value for name, value in reversed(self.columns)} | spelt_alike

    def find(self, name: str) -> Value | None:
        """The column, or known part of the element."""
        column = self._by_name.get(name) or self._by_name.get(name.casefold())
        return column or (part_of(self.element, name) if self.element is not None else None)

    def look_into(self, name: str) -> Value | None:
        """As `find` for a qualified name, where the element may have any part."""
        part = self.find(name)
        if part is not None or self.element is None:
            return part
        inside = look_into(self.element, name)
        return None if inside is None else Open((inside,))

    @property
    def starred(self) -> tuple[tuple[str, Value], ...]:
        """Columns of `*`; a struct element is expanded."""
        inside = members_of(self.element) if self.element is not None else ()
        return (*inside, *self.columns[1:]) if inside else self.columns

    def renamed(self, names: Sequence[str]) -> "Relation":
        """Rename the first columns, as in `t(a, b)`."""
        if not names:
            return self
        columns = tuple(
            (name, value) for name, (_, value) in zip(names, self.columns, strict=False)
        )
        added = (
            tuple((name, COMPUTED) for name in names[len(self.columns) :]) if self.is_open else ()
        )
        return dataclasses.replace(self, columns=columns + added + self.columns[len(names) :])

    def behind(self, view: "Relation") -> "Relation":
        """A view's columns with their origins."""
        columns = []
        for name, value in self.columns:
            inner = view.find(name)
            columns.append((name, value if inner is None else UnionValue((value, inner))))
        return Relation(tuple(columns), self.is_open)

    def united(self, other: "Relation", *, is_by_name: bool = False) -> "Relation":
        """Union with another relation."""
        pairs: list[tuple[str, list[Value | None]]] = []
        element: Value | None = None
        if is_by_name:
            names = dict.fromkeys([name for name, _ in self.columns + other.columns])
            pairs = [(name, [self.find(name), other.find(name)]) for name in names]
        elif self.is_listed and other.is_listed:
            for left, right in zip_longest(self.columns, other.columns):
                pairs.append(((left or right)[0], [side[1] for side in (left, right) if side]))
        else:
            # Positions are unknown.
            below = list(other.values())
            element = either(below if self.element is None else [self.element, *below])
            pairs = [(name, [value, *below]) for name, value in self.columns]
        columns = tuple((name, either(filter(None, both))) for name, both in pairs)
        is_open = self.is_open or other.is_open
        return Relation(columns, is_open, element, is_ordered=self.is_ordered)

    @property
    def may_have_more(self) -> bool:
        """Whether unknown names may be columns."""
        return self.is_open or any(not name for name, _ in self.columns)

    @property
    def is_listed(self) -> bool:
        """Whether all columns are known, in order."""
        return self.is_ordered and not self.is_open

    def values(self) -> Iterator[Value]:
        """Values of all columns, including unnamed ones."""
        yield from (value for _, value in self.columns)
        if self.element is not None:
            yield self.element


class Source(Record, frozen=True):
    """A FROM item; `written` is the full name of a table without an alias."""

    name: str
    relation: Relation
    written: str = ""

    def is_called(self, qualifier: str) -> bool:
        """Whether `qualifier.column` refers to it."""
        name, written = qualifier.casefold(), self.written.casefold()
        return name in (self.name.casefold(), written) or written.endswith(f".{name}")

    @property
    def row(self) -> Value:
        """The whole row, for the bare source name."""
        relation = self.relation
        inside = () if relation.element is None else (("", relation.element),)
        return WholeRow(relation.columns + inside)

    def find_hidden(self, steps: Sequence[str]) -> Hidden | None:
        """The hidden column that a dotted name refers to, if any."""
        hidden = self.relation.hidden
        if not hidden:
            return None
        for cut, step in enumerate(steps):
            is_column = not cut or self.is_called(".".join(steps[:cut]))
            if is_column and step.casefold() in hidden:
                return Hidden(hidden[step.casefold()])
        return None

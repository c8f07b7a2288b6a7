"""Collects columns, tables and joins that a statement reads."""

from collections.abc import Iterable, Iterator
from itertools import chain

from linker.sql_analysis.values import (
    COMPUTED,
    ColumnSource,
    FieldAccess,
    Open,
    Relation,
    Source,
    StructValue,
    UnionValue,
    Value,
    leaves,
)
from linker.types import ColumnRef, Record, TableRef

JoinedColumns = tuple[ColumnRef, ColumnRef]


class Reads(Record, frozen=True):
    """
    Columns, tables and joins that a statement reads.

    A field is a set of alternative columns; several only where a wildcard covers merged tables.
    Tables alike. A join is an ordered pair of columns compared with `=`. `problems` are unreadable
    parts, `unknown` unresolved columns, `unknown_tables` unresolved or ambiguous tables;
    `names_others` marks a missing one.
    """

    fields: tuple[tuple[ColumnRef, ...], ...]
    tables: tuple[tuple[TableRef, ...], ...]
    joins: tuple[JoinedColumns, ...] = ()
    problems: tuple[str, ...] = ()
    is_parsed: bool = True
    names_others: bool = False
    unknown: tuple[str, ...] = ()
    unknown_tables: tuple[str, ...] = ()


class Reading:
    """
    Collects columns, tables, joins and problems in order, without repetitions.

    Results per node are cached by its identity.
    """

    def __init__(self) -> None:
        self.values: dict[int, Value | None] = {}
        self.relations: dict[int, Relation] = {}
        self.sources: dict[int, list[Source]] = {}
        self._joins: dict[JoinedColumns, None] = {}
        self._is_parsed = True
        self._names_others = False
        self._fields: dict[tuple[ColumnRef, ...], None] = {}
        self._tables: dict[tuple[TableRef, ...], None] = {}
        self._problems: dict[str, None] = {}
        self._unknown: dict[str, None] = {}
        self._unknown_tables: dict[str, None] = {}
        self._chosen: list[ColumnSource] = []

    def read(self, value: Value) -> None:
        """Record the use of a value; a nested column counts whole."""
        for leaf in leaves(value):
            if isinstance(leaf, ColumnSource):
                self._fields[tuple(sorted({node.ref for node in leaf.nodes}))] = None

    def read_all(self, values: Iterable[Value]) -> None:
        """Record the use of these values."""
        for value in values:
            self.read(value)

    def choose(self, value: Value) -> None:
        """Record a passed-on value: of a nested column only parts used later count, if any are."""
        for leaf in leaves(value):
            if isinstance(leaf, ColumnSource) and leaf.is_nested:
                self._chosen.append(leaf)
            else:
                self.read(leaf)

    def open(self, tables: Iterable[TableRef]) -> None:
        """Record alternative tables of a FROM item."""
        self._tables[tuple(sorted(set(tables)))] = None

    def join(self, left: Value, right: Value) -> None:
        """Record a comparison; ignored if a side has several possible tables."""
        for column in _columns(left):
            for other in _columns(right):
                if column.table != other.table:
                    self._joins[min(column, other), max(column, other)] = None

    def not_parsed(self, line: str) -> None:
        """Record unparsable text."""
        self._is_parsed = False
        self.problem(line)

    def no_table(self, name: str, line: str) -> None:
        """Record a missing table."""
        self._names_others = True
        self.unknown_table(name, line)

    def unknown_table(self, name: str, line: str) -> None:
        """Record an unresolved or ambiguous table name."""
        self._unknown_tables[name] = None
        self.problem(line)

    def no_column(self, name: str, where: str = "") -> Value:
        """Record a missing column; its value counts as computed."""
        return self.unknown(name, f"unknown column {name}{where}")

    def unknown(self, name: str, line: str) -> Value:
        """Record an unresolved or ambiguous name."""
        self._unknown[name] = None
        return self.problem(line)

    def problem(self, line: str) -> Value:
        """Record a problem; the value counts as computed."""
        self._problems[line] = None
        return COMPUTED

    def reads(self) -> Reads:
        """Everything that the statement reads."""
        for value in self._chosen:
            inside = set(chain.from_iterable(node.refs() for node in value.nodes))
            if not any(inside.intersection(alternatives) for alternatives in self._fields):
                self.read(value)
        return Reads(
            fields=tuple(self._fields),
            tables=tuple(self._tables),
            joins=tuple(self._joins),
            problems=tuple(self._problems),
            is_parsed=self._is_parsed,
            names_others=self._names_others,
            unknown=tuple(self._unknown),
            unknown_tables=tuple(self._unknown_tables),
        )


def _columns(value: Value) -> Iterator[ColumnRef]:
    match value:
        case ColumnSource(nodes) if len(nodes) == 1:
            yield nodes[0].ref
        case UnionValue(values) | Open(values):
            for inner in values:
                yield from _columns(inner)
        case StructValue(members) if len(members) == 1:
            yield from _columns(members[0][1])
        case FieldAccess(base):
            yield from _columns(base)

"""Collects columns, tables and joins that a statement reads."""

from collections.abc import Iterable, Iterator

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

    A field is the columns of which any one counts: more than one only where a wildcard spans
    several merged tables. So are the tables. A join is two columns of different tables that the
    statement compares with `=`, the lesser first. `problems` says what could not be read; `unknown`
    are columns that lead nowhere, as they are written, and `unknown_tables` the tables that do, or
    may be one of several. `names_others` says that one is not there.
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
    Collects columns, tables, joins and problems, in the order in which they are met, each once.

    What a name stands for, what a query makes and what a `select` reads from are kept by the
    identity of the node.
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
        """A value is used as it is: a nested column as a whole."""
        for leaf in leaves(value):
            if isinstance(leaf, ColumnSource):
                self._fields[tuple(sorted({node.ref for node in leaf.nodes}))] = None

    def read_all(self, values: Iterable[Value]) -> None:
        """Use all of these values as they are."""
        for value in values:
            self.read(value)

    def choose(self, value: Value) -> None:
        """
        A value is handed on by name: of a nested column only the parts that somebody uses count, if
        any does.
        """
        for leaf in leaves(value):
            if isinstance(leaf, ColumnSource) and leaf.is_nested:
                self._chosen.append(leaf)
            else:
                self.read(leaf)

    def open(self, tables: Iterable[TableRef]) -> None:
        """A table stands in a FROM clause; any one of several counts."""
        self._tables[tuple(sorted(set(tables)))] = None

    def join(self, left: Value, right: Value) -> None:
        """Two values are compared; of what may come from several tables nothing is told."""
        for column in _columns(left):
            for other in _columns(right):
                if column.table != other.table:
                    self._joins[min(column, other), max(column, other)] = None

    def not_parsed(self, line: str) -> None:
        """The text is no statement."""
        self._is_parsed = False
        self.problem(line)

    def no_table(self, name: str, line: str) -> None:
        """A table is named that is not there."""
        self._names_others = True
        self.unknown_table(name, line)

    def unknown_table(self, name: str, line: str) -> None:
        """The name of a table leads to nothing, or to several tables."""
        self._unknown_tables[name] = None
        self.problem(line)

    def no_column(self, name: str, where: str = "") -> Value:
        """A column is named that is not there; what comes of it is computed."""
        return self.unknown(name, f"unknown column {name}{where}")

    def unknown(self, name: str, line: str) -> Value:
        """A name leads to nothing, or to several things."""
        self._unknown[name] = None
        return self.problem(line)

    def problem(self, line: str) -> Value:
        """Something could not be told; what comes of it is computed."""
        self._problems[line] = None
        return COMPUTED

    def reads(self) -> Reads:
        """All that the statement reads."""
        for value in self._chosen:
            inside = {ref for node in value.nodes for ref in node.refs()}
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
        case FieldAccess(whole):
            yield from _columns(whole)

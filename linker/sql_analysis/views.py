"""
Column-level lineage of views.

An unparsable view depends on all columns of the tables that it names: over-approximation is safe
for privacy.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from msgspec import Struct
from sqlglot import exp
from sqlglot.errors import SqlglotError

from linker.errors import first_line
from linker.sql_analysis.queries import read_query, scope_of
from linker.sql_analysis.statements import parse
from linker.sql_analysis.tables import MergedTables, Tables
from linker.sql_analysis.values import (
    ColumnSource,
    ComputedValue,
    FieldAccess,
    Open,
    Relation,
    StructValue,
    UnionValue,
    Value,
)
from linker.types import Catalog, Column, ColumnRef, Columns, Record, Table, TableRef

# Time, session and random functions, functions unknown to sqlglot, samples, table functions.
_VOLATILE = (
    exp.CurrentDate,
    exp.CurrentDatetime,
    exp.CurrentTime,
    exp.CurrentTimestamp,
    exp.CurrentUser,
    exp.CurrentSchema,
    exp.Rand,
    exp.Randn,
    exp.Uuid,
    exp.Anonymous,
    exp.AnonymousAggFunc,
    exp.TableSample,
    exp.NextValueFor,
    exp.ReadCSV,
    exp.ReadParquet,
    exp.SessionParameter,
    exp.Parameter,
)
# DuckDB's rewriting of stable functions in views.
_STABLE = frozenset(
    {"count_star", "list_value", "struct_pack", "struct_extract", "array_extract", "date_part"}
)
# All columns of a view without their own entry.
REST = "*"


class Origins(Record, frozen=True):
    """Stored columns behind one: passed through or used in its computation."""

    same: tuple[ColumnRef, ...] = ()
    made: tuple[ColumnRef, ...] = ()

    def as_json(self) -> dict[str, list[list[str]]]:
        """Table and path in lower case, as dbt compares them."""
        return {"same": list(map(_lower, self.same)), "made": list(map(_lower, self.made))}


def _lower(ref: ColumnRef) -> list[str]:
    return [str(ref.table).lower(), ref.path.lower()]


class UnreadView(Record, frozen=True):
    """A view that is only partly understood."""

    view: TableRef
    reason: str


class ViewLineage(Record, frozen=True):
    """
    Origins by view and column, and unreadable views.

    `inputs` are a view's sources, if its rows depend on nothing else.
    """

    columns: Mapping[TableRef, Mapping[str, Origins]]
    unread: tuple[UnreadView, ...]
    inputs: Mapping[TableRef, tuple[TableRef, ...]]

    def as_json(self) -> dict[str, dict[str, dict[str, list[list[str]]]]]:
        """Origins for dbt, in lower case."""
        views: dict[str, dict[str, dict[str, list[list[str]]]]] = {}
        for view, columns in self.columns.items():
            paths = {path.lower(): origins.as_json() for path, origins in columns.items()}
            views[str(view).lower()] = paths
        return views

    def tables_behind(self, views: Collection[TableRef]) -> dict[str, list[str]]:
        """By view the base tables that determine its rows, in lower case."""
        tables_of: dict[str, list[str]] = {}
        for view in views:
            if (tables := self._tables_behind(view, views, frozenset())) is not None:
                tables_of[str(view).lower()] = sorted({str(table).lower() for table in tables})
        return tables_of

    def _tables_behind(
        self, view: TableRef, views: Collection[TableRef], seen: frozenset[TableRef]
    ) -> set[TableRef] | None:
        """The same for one view; None if any source depends on something else."""
        if view not in self.inputs or view in seen:
            return None
        tables: set[TableRef] = set()
        for item in self.inputs[view]:
            behind = self._tables_behind(item, views, seen | {view}) if item in views else {item}
            if behind is None:
                return None
            tables |= behind
        return tables or None


def catalog_of(rows: Iterable[Sequence[str]]) -> Catalog:
    """A catalog from rows (schema, table, column, path, depth, type)."""
    columns: dict[TableRef, list[Column]] = {}
    for schema, table, name, path, depth, data_type in rows:
        listed = columns.setdefault(TableRef(schema, table), [])
        listed.append(
            Column(
                path, name, int(depth), len(listed), data_type, is_nullable=True, description=None
            )
        )
    tables = tuple(
        Table(ref, "table", None, None, Columns(listed)) for ref, listed in columns.items()
    )
    return Catalog(tables, len(tables))


def read_views(views: Mapping[TableRef, str], catalog: Catalog, dialect: str) -> ViewLineage:
    """Parse views; those missing from the catalog are skipped."""
    merged = MergedTables.create(dialect, catalog)
    read: dict[TableRef, Mapping[str, Origins]] = {}
    unread: list[UnreadView] = []
    inputs: dict[TableRef, tuple[TableRef, ...]] = {}
    for view, definition in views.items():
        if view not in catalog.table_by_ref:
            continue
        reader = _ViewReader(
            catalog.table_by_ref[view], definition, _TablesFrom(merged, view.schema)
        )
        read[view] = reader.origins()
        if reader.inputs is not None:
            inputs[view] = reader.inputs
        if reader.problem:
            unread.append(UnreadView(view, reader.problem))
    return ViewLineage(read, tuple(unread), inputs)


@dataclass(eq=False)
class _TablesFrom(Tables):
    """Resolves names in a view: a bare name is in the view's schema first."""

    home: str

    def resolve(self, name: str) -> list[TableRef]:
        """Physical tables that a name may mean."""
        matches = super().resolve(name)
        near = [table for table in matches if table.schema == self.home]
        return near if len(matches) > 1 and len(near) == 1 and "." not in name else matches


class _ViewReader(Struct):
    view: Table
    definition: str
    tables: _TablesFrom
    problem: str = ""
    # None if rows may change without the tables.
    inputs: tuple[TableRef, ...] | None = None

    def origins(self) -> Mapping[str, Origins]:
        """Origins by column; `REST` stands for columns that the text does not list."""
        paths = [column.path for column in self.view.columns if column.depth == 0]
        relation = self._relation()
        if relation is None:
            return {REST: Origins(made=tuple(self._all_columns()))}
        if len(relation.columns) == len(paths) and relation.is_listed:
            values = dict(zip(paths, (value for _, value in relation.columns), strict=True))
        else:
            names = {
                column.path: column.column_name for column in self.view.columns if column.depth == 0
            }
            value_of_path = {path: relation.find(name) for path, name in names.items()}
            values = {path: value for path, value in value_of_path.items() if value is not None}
        by_column = {path: origins_of(value) for path, value in values.items()}
        if len(by_column) < len(paths):
            by_column[REST] = Origins(made=tuple(self._all_columns()))
        return {path: origins for path, origins in by_column.items() if origins != Origins()}

    def _relation(self) -> Relation | None:
        dialect = self.tables.database.dialect
        try:
            tree = parse(self.definition, dialect)
            query = tree.expression if isinstance(tree, exp.Create) else tree
            if not isinstance(query, exp.Query | exp.Values):
                self.problem = "it is no query"
                return None
            scope = scope_of(self.definition, self.tables)
            relation = read_query(query, scope)
        except (SqlglotError, RecursionError) as error:
            self.problem = f"it cannot be parsed as {dialect}: {first_line(error)}"
            return None
        reads = scope.reading.reads()
        # Tables outside the catalog have no visible columns.
        elsewhere = [name for name in reads.unknown_tables if not self.tables.resolve(name)]
        if len(reads.problems) > len(elsewhere):
            self.problem = reads.problems[0]
            return None
        if (
            not reads.unknown_tables
            and all(len(tables) == 1 for tables in reads.tables)
            and not _is_volatile(query)
        ):
            self.inputs = tuple(table for [table] in reads.tables)
        return relation

    def _all_columns(self) -> Iterator[ColumnRef]:
        """All columns of the tables named."""
        text = self.definition.casefold()
        words = set(re.findall(r"\w+", text))
        for table in self.tables.database.catalog.tables:
            name = table.ref.name.casefold()
            is_named = name in words if name.isidentifier() else name in text
            if is_named and table.ref != self.view.ref:
                yield from (
                    ColumnRef(table.ref, column.path)
                    for column in table.columns
                    if column.depth == 0
                )


def _is_volatile(query: exp.Query | exp.Values) -> bool:
    """Whether a query's result may change without its tables; unknown functions count."""
    for node in query.walk():
        if isinstance(node, _VOLATILE) and node.name.lower() not in _STABLE:
            return True
        # The author chose the database explicitly.
        if isinstance(node, exp.Table) and node.catalog:
            return True
    return False


def origins_of(value: Value) -> Origins:
    """Stored columns behind a value."""
    same: dict[ColumnRef, None] = {}
    made: dict[ColumnRef, None] = {}
    seen: set[tuple[int, bool]] = set()
    pending = [(value, True)]
    while pending:
        inner, is_same = pending.pop()
        if (id(inner), is_same) in seen:
            continue
        seen.add((id(inner), is_same))
        match inner:
            case ColumnSource(nodes):
                (same if is_same else made).update(dict.fromkeys(node.ref for node in nodes))
            case UnionValue(values):
                pending += [(item, is_same) for item in values]
            case StructValue(members):
                pending += [(item, False) for _, item in members]
            case FieldAccess(base):
                pending.append((base, False))
            case ComputedValue(values) | Open(values):
                pending += [(item, False) for item in values]
    return Origins(tuple(sorted(same)), tuple(sorted(made)))

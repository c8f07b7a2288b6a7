"""
Evaluates queries (`select`, set operations, `values`) to relations in their scope.

All clauses are read. A star in a sub-query is lazy: only the columns used outside count.
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace
from sqlglot import exp

from linker.sql_analysis.collected_reads import Reading
from linker.sql_analysis.expressions import value_of
from linker.sql_analysis.names import output_name, parts_of, star
from linker.sql_analysis.scope import NO_VIEWS, Scope, Statement
from linker.sql_analysis.sources import add_source, add_sources
from linker.sql_analysis.tables import MergedTables, Tables
from linker.sql_analysis.values import COMPUTED, ComputedValue, Relation, Value
from linker.types import Catalog

_CLAUSES = (
    "where",
    "prewhere",
    "group",
    "having",
    "qualify",
    "windows",
    "connect",
    "match",
    "order",
    "sort",
    "cluster",
    "distribute",
    "limit",
    "offset",
)


def scope_of(
    sql: str,
    tables: Tables,
    *,
    views: Mapping[str, exp.Expr] = NO_VIEWS,
    counts_stars: bool = True,
) -> Scope:
    """The outermost scope of a statement or script."""
    statement = Statement(sql, tables, Reading(), value_of, read_query, views, counts_stars)
    return Scope(statement)


def read_names(query: exp.Expr, opened: Mapping[int, Relation], dialect: str) -> Reading:
    """
    What each name of a query refers to, used or not, by node id; `opened` holds tables already
    resolved.
    """
    nothing = Tables(MergedTables(dialect, Catalog((), 0), {}))
    scope = scope_of("", nothing)
    statement = replace(scope.statement, opened=opened, reads_unused=True)
    read_query(query, replace(scope, statement=statement))
    return statement.reading


def read_query(query: exp.Expr, scope: Scope) -> Relation:
    """Read a query once; returns its columns."""
    relations = scope.reading.relations
    if id(query) not in relations:
        relations[id(query)] = _read(query, scope)
    return relations[id(query)]


def _read(query: exp.Expr, scope: Scope) -> Relation:
    clause = query.args.get("with_")
    for definition in clause.expressions if clause else ():
        named = scope.statement.defined[id(definition)] = _NamedQuery(definition, scope)
        if scope.statement.reads_unused:
            named()
    for kind, read_kind in _KINDS:
        if isinstance(query, kind):
            return read_kind(query, scope)
    scope.reading.problem(f"cannot read {query.key}")
    return Relation((), is_open=True)


class _NamedQuery:
    """A CTE, read on first use."""

    def __init__(self, definition: exp.CTE, scope: Scope) -> None:
        self._scope = scope
        self._query = definition.this
        self._columns = [column.name for column in definition.args["alias"].columns]
        self._is_being_read = False

    def __call__(self) -> Relation:
        if self._is_being_read:
            return self._first_part().renamed(self._columns)
        self._is_being_read = True
        try:
            return read_query(self._query, self._scope).renamed(self._columns)
        finally:
            self._is_being_read = False

    def _first_part(self) -> Relation:
        """What a recursive query sees under its own name."""
        query = self._query
        while isinstance(query, exp.SetOperation | exp.Subquery):
            query = query.this
            if (made := self._scope.reading.relations.get(id(query))) is not None:
                return made
        return Relation((), is_open=True)


def _select(select: exp.Select, around: Scope) -> Relation:
    scope = around.inner()
    scope.reading.sources[id(select)] = scope.sources
    add_sources(select, scope)
    columns: list[tuple[str, Value]] = []
    has_star = False
    for item in select.expressions:
        is_query = isinstance(item.unalias(), exp.Query)
        is_star = isinstance(item, exp.Columns) or (item.is_star and not is_query)
        has_star = has_star or is_star or item.find(exp.Columns) is not None
        if is_star:
            columns.extend(star(item, scope))
            continue
        name, value = output_name(item, scope.statement.rules), scope.hand_on(item)
        columns.append((name, value))
        scope.aliases[name.casefold()] = value
    _read_clauses(select, scope)
    distinct = select.args.get("distinct")
    if distinct and distinct.args.get("on"):
        scope.read(distinct.args["on"])
    is_open = has_star and scope.is_open()
    return Relation(tuple(columns), is_open, is_ordered=not has_star or not scope.merged)


def _read_clauses(select: exp.Expr, scope: Scope) -> None:
    first = scope.statement.rules.alias_first_clauses
    for name in _CLAUSES:
        clause = select.args.get(name)
        inner = scope.alias_first(name in first)
        for expression in parts_of(clause):
            _read_clause(expression, inner)


def _read_clause(clause: exp.Expr, scope: Scope) -> None:
    if not isinstance(clause, exp.Order) or not scope.statement.rules.sorts_by_whole_aliases:
        scope.read(clause)
        return
    for ordered in clause.expressions:
        scope.alias_first(isinstance(ordered.this, exp.Column)).read(ordered)


def _set_operation(operation: exp.SetOperation, scope: Scope) -> Relation:
    left, right = read_query(operation.this, scope), read_query(operation.expression, scope)
    return _ordered(
        operation, left.united(right, is_by_name=bool(operation.args.get("by_name"))), scope
    )


def _ordered(query: exp.Expr, relation: Relation, around: Scope) -> Relation:
    """Read ORDER BY and LIMIT of a set operation, which name its columns."""
    scope = around.inner()
    scope.aliases.update({name.casefold(): value for name, value in reversed(relation.columns)})
    _read_clauses(query, scope)
    return relation


def _pivot(pivot: exp.Pivot, around: Scope) -> Relation:
    """DuckDB's `pivot t on a using sum(b) group by c`."""
    scope = around.inner()
    add_source(pivot.this, scope)
    scope.reading.sources[id(pivot)] = scope.sources
    for key in ("expressions", "using", "group"):
        for expression in parts_of(pivot.args.get(key)):
            scope.read(expression)
    # Values determine the names of new columns, so each may contain anything.
    element = ComputedValue(tuple(value for _, value in scope.columns()))
    return Relation(
        () if pivot.args.get("group") else scope.columns(), is_open=True, element=element
    )


def _values(values: exp.Values, scope: Scope) -> Relation:
    rows = [row.expressions if isinstance(row, exp.Tuple) else [row] for row in values.expressions]
    for row in rows:
        for expression in row:
            scope.read(expression)
    alias = values.args.get("alias")
    names = [column.name for column in alias.columns] if alias else []
    width = len(rows[0]) if rows else 0
    # Other dialects name them differently.
    pattern = "column{}" if scope.statement.rules.may_call_behind_dots else ""
    numbered = [pattern.format(number) for number in range(1, width + 1)]
    return Relation(tuple((name, COMPUTED) for name in numbered)).renamed(names)


def _table(table: exp.Table, around: Scope) -> Relation:
    scope = around.inner()
    add_source(table, scope)
    return Relation(scope.columns(), scope.is_open())


def _described(statement: exp.Describe | exp.Summarize, scope: Scope) -> Relation:
    """DESCRIBE of a query: names, types and statistics."""
    read_query(statement.this, scope)
    return Relation((), is_open=True)


_KINDS: tuple[tuple[Any, Callable[[Any, Scope], Relation]], ...] = (
    (exp.Subquery, lambda query, scope: _ordered(query, read_query(query.this, scope), scope)),
    (exp.SetOperation, _set_operation),
    (exp.Select, _select),
    (exp.Values, _values),
    (exp.Table, _table),
    (exp.Pivot, _pivot),
    ((exp.Describe, exp.Summarize), _described),
)

"""
Queries: enters a `select`, a set operation or `values` with the scope around it, leaves the
relation it makes.

All clauses are read; a star inside of a query is only handed on, so that of it counts what the rest
uses.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace
from sqlglot import exp

from linker.lineage.names import output_name, star
from linker.lineage.scope import Scope
from linker.lineage.sources import add_sources
from linker.lineage.values import COMPUTED, Computed, Relation, Value

_CLAUSES = (
    *("where", "prewhere", "group", "having", "qualify", "windows", "connect", "match"),
    *("order", "sort", "cluster", "distribute", "limit", "offset"),
)


def read_query(query: exp.Expr, scope: Scope) -> Relation:
    """Read a query, and tell the columns it makes."""
    inner = _with_queries(query, scope)
    for kind, read_kind in _KINDS:
        if isinstance(query, kind):
            return read_kind(query, inner)
    scope.reading.problem(f"cannot read {query.key}")
    return Relation((), is_open=True)


def _with_queries(query: exp.Expr, scope: Scope) -> Scope:
    """The scope in which the queries of a `with` have names; each is read when it is first used."""
    clause = query.args.get("with_")
    if clause is None:
        return scope
    named = []
    for definition in clause.expressions:
        names_itself = _names_itself(definition, scope)
        named.append(_NamedQuery(definition, scope, is_recursive=clause.recursive or names_itself))
        scope = replace(scope, queries={**scope.queries, definition.alias.casefold(): named[-1]})
        if names_itself:
            named[-1].scope = scope
    for query_ in named if clause.recursive else ():
        query_.scope = scope
    return scope


def _names_itself(definition: exp.CTE, scope: Scope) -> bool:
    """
    True if a later part of a query names the whole, and nothing else is called so: it recurs,
    `recursive` or not.
    """
    query, name = definition.this.unnest(), definition.alias.casefold()
    if (
        not isinstance(query, exp.SetOperation)
        or name in scope.queries
        or name in scope.statement.views
    ):
        return False
    is_named = any(
        table.name.casefold() == name and not table.db for table in query.find_all(exp.Table)
    )
    starts_so = any(table.name.casefold() == name for table in _first_of(query).find_all(exp.Table))
    return is_named and not starts_so and not scope.statement.tables.called(name)


class _NamedQuery:
    """A query with a name, read once, when it is first used."""

    def __init__(self, definition: exp.CTE, scope: Scope, *, is_recursive: bool) -> None:
        self.scope = scope
        self._definition = definition
        self._is_recursive = is_recursive
        self._relation: Relation | None = None

    def __call__(self) -> Relation:
        if self._relation is None:
            alias = self._definition.args["alias"]
            columns = [column.name for column in alias.columns]
            self._relation = Relation((), is_open=True).renamed(columns)
            query = self._definition.this
            if self._is_recursive and isinstance(query.unnest(), exp.SetOperation):
                # What the first part makes is what the others find under the name of the whole.
                self._relation = read_query(_first_of(query), self.scope).renamed(columns)
            self._relation = read_query(query, self.scope).renamed(columns)
        return self._relation


def _first_of(query: exp.Expr) -> exp.Expr:
    while isinstance(query, exp.SetOperation | exp.Subquery):
        query = query.this
    return query


def _select(select: exp.Select, around: Scope) -> Relation:
    scope = around.inner()
    add_sources(select, scope)
    columns: list[tuple[str, Value]] = []
    for item in select.expressions:
        found = star(item, scope) if item.is_star else ((output_name(item), scope.hand_on(item)),)
        columns.extend(found)
        scope.aliases.update({name.casefold(): value for name, value in found if not item.is_star})
    _read_clauses(select, scope)
    distinct = select.args.get("distinct")
    if distinct and distinct.args.get("on"):
        scope.read(distinct.args["on"])
    is_open = scope.is_open() and any(item.is_star for item in select.expressions)
    return Relation(tuple(columns), is_open)


def _read_clauses(select: exp.Expr, scope: Scope) -> None:
    first = scope.statement.rules.alias_first_clauses
    for name in _CLAUSES:
        clause = select.args.get(name)
        inner = scope.alias_first(name in first)
        for expression in clause if isinstance(clause, list) else [clause] if clause else []:
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
    """Read what sorts or limits a finished query, which names its columns."""
    scope = around.inner()
    scope.aliases.update({name.casefold(): value for name, value in reversed(relation.columns)})
    _read_clauses(query, scope)
    return relation


def _pivot(pivot: exp.Pivot, around: Scope) -> Relation:
    """DuckDB's `pivot t on a using sum(b) group by c`."""
    scope = around.inner()
    add_sources(exp.Select(from_=exp.From(this=pivot.this)), scope)
    for key in ("expressions", "using", "group"):
        given = pivot.args.get(key) or []
        for expression in given if isinstance(given, list) else [given]:
            scope.read(expression)
    # How the new columns are called is told by values; they are made of all that there was.
    element = Computed(tuple(value for _, value in scope.columns()))
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
    numbered = [f"column{number}" for number in range(1, width + 1)]
    return Relation(tuple((name, COMPUTED) for name in numbered)).renamed(names)


_KINDS: tuple[tuple[type[Any], Callable[[Any, Scope], Relation]], ...] = (
    (exp.Subquery, lambda query, scope: _ordered(query, read_query(query.this, scope), scope)),
    (exp.SetOperation, _set_operation),
    (exp.Select, _select),
    (exp.Values, _values),
    (exp.Table, lambda table, scope: _select(exp.select("*").from_(table), scope)),
    (exp.Pivot, _pivot),
)

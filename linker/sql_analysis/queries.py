"""
Evaluates queries (`select`, set operations, `values`) to relations in their scope.

All clauses are read. A star in a sub-query is lazy: only the columns used outside count. The
sources of a FROM clause (tables, sub-queries, UNNEST, pivots and joins) fill the scope; a lateral
item sees the items to its left.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any

from msgspec.structs import replace
from sqlglot import exp

from linker.sql_analysis.collected_reads import Reading
from linker.sql_analysis.expressions import value_of
from linker.sql_analysis.names import columns_in, output_name, parts_of, star
from linker.sql_analysis.scope import NO_VIEWS, Scope, Statement, names_of
from linker.sql_analysis.tables import MergedTables, Tables, may_read, on_suffix
from linker.sql_analysis.values import (
    COMPUTED,
    ComputedValue,
    Relation,
    Source,
    Value,
    listed,
    look_into,
)
from linker.types import Catalog, TableRef

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


def _table_query(table: exp.Table, around: Scope) -> Relation:
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
    (exp.Table, _table_query),
    (exp.Pivot, _pivot),
    ((exp.Describe, exp.Summarize), _described),
)


def add_sources(select: exp.Expr, scope: Scope) -> None:
    """Add the FROM items of a `select`, and read its join conditions."""
    origin = select.args.get("from_")
    conditions = _conditions(select)
    if origin:
        _add(origin.this, conditions, scope)
    for lateral in select.args.get("laterals") or ():
        _add(lateral, conditions, scope)
    _join_all(select.args.get("joins") or (), conditions, scope)


def add_source(item: exp.Expr, scope: Scope) -> None:
    """Add one item."""
    _add(item, [], scope)


def _conditions(select: exp.Expr) -> list[exp.Expr]:
    """Conditions that every row satisfies."""
    where = select.args.get("where")
    joins = [
        join.args["on"]
        for join in select.args.get("joins") or ()
        if join.args.get("on") and not join.side
    ]
    return [condition.unnest() for condition in ([where.this] if where else []) + joins]


def _join_all(joins: Sequence[exp.Join], conditions: list[exp.Expr], scope: Scope) -> None:
    for join in joins:
        before = len(scope.sources)
        _add(join.this, conditions, scope)
        for right in scope.sources[before:]:
            _merge(join, right, scope)
    for join in joins:
        for key in ("on", "match_condition", "expressions"):
            for expression in parts_of(join.args.get(key)):
                scope.read(expression)


def _merge(join: exp.Join, right: Source, scope: Scope) -> None:
    names = [name.name for name in join.args.get("using") or ()]
    if join.method == "NATURAL":
        own = [name for name, _ in right.relation.columns]
        for source in scope.sources:
            if source is not right:
                names += [name for name in own if source.relation.find(name)]
        names = list(dict.fromkeys(names))
    for name in names:
        if not scope.merge(name, right):
            scope.reading.no_column(name, " in a join")


def _add(item: exp.Expr, conditions: list[exp.Expr], scope: Scope) -> None:
    """Add a FROM item with joins in its parentheses."""
    is_nested = isinstance(item, exp.Subquery) and isinstance(item.unnest(), exp.Table)
    if is_nested and not item.alias:
        _add(item.this, conditions, scope)
        _join_all(item.args.get("joins") or (), conditions, scope)
        return
    source = _nested(item, conditions, scope) if is_nested else _source(item, conditions, scope)
    for pivot in item.args.get("pivots") or ():
        source = pivoted(source, pivot, scope)
    scope.sources.append(source)
    for lateral in item.args.get("laterals") or ():
        _add(lateral, conditions, scope)
    _join_all(item.args.get("joins") or (), conditions, scope)


def _nested(item: exp.Expr, conditions: list[exp.Expr], scope: Scope) -> Source:
    """Parenthesised joins with an alias."""
    inner = scope.inner()
    _add(item.this, conditions, inner)
    relation = Relation(inner.columns(), inner.is_open(), is_ordered=not inner.merged)
    return Source(item.alias, relation.renamed(_names_in(item)))


def _names_in(item: exp.Expr) -> list[str]:
    """Column names of an alias."""
    alias = item.args.get("alias")
    return [column.name for column in alias.columns] if isinstance(alias, exp.TableAlias) else []


def _source(item: exp.Expr, conditions: list[exp.Expr], scope: Scope) -> Source:
    columns = _names_in(item)
    if isinstance(item, exp.Table) and isinstance(item.this, exp.Identifier | exp.Dot):
        return _table(item, columns, conditions, scope)
    if isinstance(item, exp.Unnest):
        return _unnest(item, columns, scope)
    if isinstance(item, exp.Lateral | exp.Table | exp.TableFromRows):
        return _function(item, columns, scope)
    if isinstance(item, exp.Query | exp.Values):
        return Source(item.alias, scope.relation(item).renamed(columns))
    made = scope.value_of(item)
    scope.reading.read(made)
    return Source(item.alias, Relation((), is_open=True, element=made).renamed(columns))


def _table(item: exp.Table, columns: list[str], conditions: list[exp.Expr], scope: Scope) -> Source:
    steps = names_of(item)
    written, name = ".".join(steps), item.alias or steps[-1]
    if opened := scope.statement.opened.get(id(item)):
        return Source(name, opened.renamed(columns), ".".join([*steps[-2:-1], name]))
    if query := scope.named_query(item):
        return Source(name, query().renamed(columns))
    if len(steps) > 1 and scope.source(steps[0]):
        # `from t, t.items` unnests items per row of t.
        value = scope.find(steps)
        scope.reading.values[id(item)] = value
        if value is not None:
            return _elements(name, value, scope)
    if query := scope.queries.get(written.casefold()):
        return Source(name, query().renamed(columns))
    relation = _stored(item, written, conditions, scope)
    return Source(name, relation.renamed(columns), "" if item.alias else written)


def _stored(item: exp.Expr, written: str, conditions: list[exp.Expr], scope: Scope) -> Relation:
    tables = scope.statement.tables
    if written.endswith("*"):
        name = item.alias or written.rpartition(".")[2]
        physical = _of_wildcard(written[:-1], name, conditions, scope)
    else:
        physical = tables.resolve(written) or tables.sibling_shards(written)
        if tables.resolve(written) and len({tables.logical(table) for table in physical}) > 1:
            may_be = ", ".join(sorted(map(str, physical)))
            scope.reading.unknown_table(written, f"table {written} may be any of {may_be}")
            return Relation((), is_open=True)
    if not physical and (view := scope.statement.view(written)):
        return view
    if not physical and (query := scope.named_query(item, is_lenient=True)):
        return query()
    if not physical:
        is_ruled_out = written.endswith("*") and tables.by_prefix(written[:-1])
        reason = "no table passes the conditions on" if is_ruled_out else "unknown table"
        scope.reading.no_table(written, f"{reason} {written}")
        return Relation((), is_open=True)
    logical = sorted({tables.logical(table) for table in physical})
    scope.reading.open(logical)
    stored = Relation(listed([tables.nodes(table) for table in logical]))
    view = scope.statement.view(str(physical[0]), written) if len(physical) == 1 else None
    return stored.behind(view) if view else stored


def _of_wildcard(
    prefix: str, name: str, conditions: list[exp.Expr], scope: Scope
) -> list[TableRef]:
    suffix_conditions = [
        condition for condition in on_suffix(conditions) if _is_about(condition, name)
    ]
    shards = scope.statement.tables.by_prefix(prefix)
    passing = may_read([suffix for _, suffix in shards], suffix_conditions, scope.constants)
    return [table for table, suffix in shards if suffix in passing]


def _is_about(condition: exp.Expr, name: str) -> bool:
    tables = {
        column.table
        for column in condition.find_all(exp.Column)
        if column.name.casefold() == "_table_suffix"
    }
    return tables <= {"", name}


def _unnest(unnest: exp.Unnest, columns: list[str], scope: Scope) -> Source:
    values = [scope.value_of(expression) for expression in unnest.expressions]
    offset = unnest.args.get("offset")
    alias = unnest.args.get("alias")
    table = alias.this.name if alias is not None and alias.this else ""
    if len(values) == 1 and len(columns) <= 1:
        source = _elements(columns[0] if columns else table, values[0], scope)
        if table and columns:
            source = Source(table, source.relation)
    else:
        scope.reading.read_all(values)
        source = Source(table, Relation(tuple(zip(columns, values, strict=False)), is_open=True))
    if offset is None or offset is False:
        return source
    index = offset.name if isinstance(offset, exp.Expr) else "ordinality"
    relation = source.relation
    return Source(
        source.name,
        Relation((*relation.columns, (index, COMPUTED)), relation.is_open, relation.element),
    )


def _elements(name: str, value: Value, scope: Scope) -> Source:
    """List elements as rows; the list itself counts as read."""
    scope.reading.choose(value)
    return Source(name, Relation(((name, value),), element=value))


def _function(item: exp.Expr, columns: list[str], scope: Scope) -> Source:
    """A table function; only FLATTEN's columns are known."""
    function = item.this
    if isinstance(item, exp.Lateral) and isinstance(function, exp.Query):
        return Source(item.alias, scope.relation(function).renamed(columns))
    if isinstance(item, exp.Lateral) and isinstance(function, exp.Unnest):
        unnest = exp.Unnest(**{**function.args, "alias": item.args.get("alias")})
        return _unnest(unnest, columns, scope)
    named = function.this if isinstance(function, exp.DynamicIdentifier) else function
    if isinstance(named, exp.Literal):
        # Snowflake's `identifier('s.t')` and `table('s.t')`.
        name = item.alias or named.name.rpartition(".")[2]
        stored = _stored(item, named.name, [], scope).renamed(columns)
        return Source(name, stored, "" if item.alias else named.name)
    flattened = _flattened(function)
    if flattened is None:
        if isinstance(function, exp.ReadCSV | exp.ReadParquet | exp.Var):
            scope.reading.problem(f"unknown table {function.sql(scope.statement.dialect)}")
        made = scope.value_of(function)
        scope.reading.read(made)
        names = columns or _of_pairs(function) or ([item.alias] if item.alias else [])
        return Source(
            item.alias, Relation(tuple((name, made) for name in names), is_open=True, element=made)
        )
    value = scope.value_of(flattened)
    scope.reading.choose(value)
    path = _argument(function, "path")
    element = look_into(value, path.name) or value if path is not None else value
    computed = tuple((name, COMPUTED) for name in ("seq", "key", "path", "index"))
    relation = Relation((*computed, ("value", element), ("this", value)))
    return Source(item.alias or "flatten", relation.renamed(columns))


def _of_pairs(function: exp.Expr) -> list[str]:
    """Columns of functions that expand documents: json_each, jsonb_array_elements …"""
    name = function.name or function.key
    if re.search(r"json\w*_each", name, re.IGNORECASE):
        return ["key", "value"]
    return ["value"] if re.search(r"json\w*_array_elements", name, re.IGNORECASE) else []


def _flattened(function: exp.Expr) -> exp.Expr | None:
    """FLATTEN's argument, with or without TABLE()."""
    if isinstance(function, exp.Explode):
        inside: exp.Expr = function.this
        return inside.expression if isinstance(inside, exp.Kwarg) else inside
    name = function.name.casefold() if isinstance(function, exp.Anonymous) else function.key
    if name == "table" and function.expressions:
        return _flattened(function.expressions[0])
    if name != "flatten":
        return None
    return _argument(function, "input")


def _argument(function: exp.Expr, name: str) -> exp.Expr | None:
    for argument in function.find_all(exp.Kwarg):
        if argument.this.name.casefold() == name:
            value: exp.Expr = argument.expression
            return value
    return None


def pivoted(source: Source, pivot: exp.Pivot, scope: Scope) -> Source:
    """The pivoted source; pivoted columns are read, others passed on."""
    turned = scope.inner()
    turned.sources.append(source)
    scope.reading.sources[id(pivot)] = turned.sources
    used = _unpivoted(pivot) if pivot.unpivot else [*pivot.expressions, *pivot.args["fields"]]
    values = tuple(turned.value_of(expression) for expression in used)
    scope.reading.read_all(values)
    if pivot.args.get("group"):
        turned.read(pivot.args["group"])
    gone: set[str] = set()
    for expression in used:
        gone.update(column.name.casefold() for column in columns_in(expression))
    kept = tuple(
        (name, value) for name, value in source.relation.columns if name.casefold() not in gone
    )
    made = tuple((name, ComputedValue(values)) for name in (_made(pivot) if pivot.unpivot else ()))
    # Names of PIVOT's columns differ by warehouse.
    is_open = source.relation.is_open or not pivot.unpivot
    relation = Relation(kept + made, is_open, None if pivot.unpivot else ComputedValue(values))
    return Source(pivot.alias or source.name, relation.renamed(_names_in(pivot)))


def _unpivoted(pivot: exp.Pivot) -> list[exp.Expr]:
    fields = chain.from_iterable(field.expressions for field in pivot.args["fields"])
    return [field.this if isinstance(field, exp.PivotAlias) else field for field in fields]


def _made(pivot: exp.Pivot) -> list[str]:
    """Columns for values and names."""
    named = [*pivot.expressions, *(field.this for field in pivot.args["fields"])]
    identifiers = chain.from_iterable(entry.find_all(exp.Identifier) for entry in named)
    return [identifier.name for identifier in identifiers]

"""
Fills a scope with the sources of a FROM clause: tables, sub-queries, UNNEST, pivots and joins.

A lateral item sees the items to its left.
"""

import re
from collections.abc import Sequence
from itertools import chain

from sqlglot import exp

from linker.sql_analysis.names import columns_in, parts_of
from linker.sql_analysis.scope import Scope, names_of
from linker.sql_analysis.suffixes import may_read, on_suffix
from linker.sql_analysis.values import (
    COMPUTED,
    ComputedValue,
    Relation,
    Source,
    Value,
    listed,
    look_into,
)
from linker.types import TableRef


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

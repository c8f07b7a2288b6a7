"""
Names of columns: enters a column, a path or a star as it is written, leaves the value or the
columns it stands for.

A name that means nothing is a problem, but for what a dialect takes for something else than a
column.
"""

import re
from collections.abc import Iterator, Sequence

from sqlglot import exp

from linker.lineage.scope import Scope
from linker.lineage.values import COMPUTED, StructValue, Value, look_into, members_of

# Units that sqlglot takes for columns where it does not know the function.
_UNITS = {
    *(
        "microsecond",
        "millisecond",
        "second",
        "minute",
        "hour",
        "day",
        "dayofweek",
        "dayofyear",
        "week",
        "isoweek",
    ),
    *("month", "quarter", "year", "isoyear", "date", "time", "epoch", "decade", "century"),
}


def column(written: exp.Column, scope: Scope) -> Value:
    """A column, or with dots a path inside one."""
    if isinstance(written.this, exp.Star):
        return StructValue(star(written, scope))
    steps = [part.name for part in written.parts]
    found = scope.find(steps)
    if found is None and not (len(steps) == 1 and _is_no_column(written, scope)):
        return scope.reading.no_column(".".join(steps))
    return found or COMPUTED


def _is_no_column(written: exp.Column, scope: Scope) -> bool:
    name, around = written.name.casefold(), written.parent
    if scope.statement.rules.has_double_quoted_texts and _is_double_quoted(
        written, scope.statement.sql
    ):
        return True
    if isinstance(around, exp.Ordered):
        return name == "all"
    return isinstance(around, exp.Func) and written.arg_key != "this" and name in _UNITS


def _is_double_quoted(written: exp.Column, sql: str) -> bool:
    start = written.this.meta.get("start")
    return isinstance(start, int) and sql[start : start + 1] == '"'


def dot(written: exp.Dot, scope: Scope) -> Value:
    """A path that is longer than sqlglot's columns, or one inside of what an expression makes."""
    steps: list[str] = []
    base: exp.Expr = written
    while isinstance(base, exp.Dot):
        if isinstance(base.expression, exp.Func):
            # A function with a qualified name: what stands before it are no columns.
            return scope.value_of(base.expression)
        if isinstance(base.expression, exp.Star):
            return StructValue(star(base, scope))
        steps.insert(0, base.expression.name)
        base = base.this
    if isinstance(base, exp.Column | exp.Identifier):
        parts: Sequence[exp.Expr] = base.parts if isinstance(base, exp.Column) else [base]
        named = [part.name for part in parts] + steps
        found = scope.find(named)
        return scope.reading.no_column(".".join(named)) if found is None else found
    value: Value | None = scope.value_of(base)
    for step in steps:
        value = look_into(value, step) if value else None
    return value or scope.reading.no_column(written.sql(scope.statement.dialect))


def identifier(written: exp.Identifier, scope: Scope) -> Value:
    """A name that is no column: the parameter of a lambda, of a window …"""
    return scope.parameter(written.name) or COMPUTED


def all_columns(written: exp.Star, scope: Scope) -> Value:
    """A star inside of an expression."""
    return StructValue(star(written, scope))


def matching_columns(written: exp.Columns, scope: Scope) -> Value:
    """DuckDB's `columns('pattern')`."""
    if not isinstance(written.this, exp.Literal):
        return StructValue(scope.columns())
    pattern = re.compile(written.this.name)
    return StructValue(
        tuple((name, value) for name, value in scope.columns() if pattern.search(name))
    )


def star(written: exp.Expr, scope: Scope) -> tuple[tuple[str, Value], ...]:
    """
    The columns that a star stands for, less those it leaves out, with those it puts in their place.
    """
    modifiers = written.find(exp.Star) or written
    pattern = modifiers.args.get("ilike")
    excluded = {name.name.casefold() for name in modifiers.args.get("except_") or ()}
    renamed = {
        alias.this.name.casefold(): alias.alias for alias in modifiers.args.get("rename") or ()
    }
    replaced = {alias.alias.casefold(): alias.this for alias in modifiers.args.get("replace") or ()}
    kept: list[tuple[str, Value]] = []
    for name, value in _starred(written, scope):
        if name.casefold() in replaced:
            kept.append((name, scope.hand_on(replaced[name.casefold()])))
        elif name.casefold() not in excluded and (pattern is None or _is_like(name, pattern.name)):
            kept.append((renamed.get(name.casefold(), name), value))
    return tuple(kept)


def _is_like(name: str, pattern: str) -> bool:
    expected = re.escape(pattern).replace("%", ".*").replace("_", ".")
    return re.fullmatch(expected, name, re.IGNORECASE) is not None


def _starred(written: exp.Expr, scope: Scope) -> tuple[tuple[str, Value], ...]:
    if isinstance(written, exp.Dot):
        return members_of(scope.value_of(written.this))
    if not isinstance(written, exp.Column):
        return scope.columns()
    steps = [part.name for part in written.parts[:-1]]
    source = scope.source(".".join(steps))
    if source:
        return source.relation.starred
    found = scope.find(steps)
    if found is None:
        scope.reading.unknown_table(".".join(steps), f"unknown table {'.'.join(steps)}")
    return members_of(found or COMPUTED)


def output_name(expression: exp.Expr) -> str:
    """The name under which a query hands on an expression."""
    if isinstance(expression, exp.Paren):
        return output_name(expression.this)
    if isinstance(expression, exp.Dot):
        return str(expression.expression.name)
    return (
        expression.alias_or_name
        if isinstance(expression, exp.Column | exp.Alias)
        else expression.output_name
    )


def columns_in(expression: exp.Expr) -> Iterator[exp.Column]:
    """The columns that an expression names, those of queries inside of it left out."""
    for node in expression.walk(prune=lambda inside: isinstance(inside, exp.Query)):
        if isinstance(node, exp.Column):
            yield node

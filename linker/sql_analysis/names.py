"""
Resolves column names and paths to values, and expands stars.

An unresolved name is a problem unless the dialect gives it another meaning.
"""

import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

from sqlglot import exp
from sqlglot.helper import ensure_list

from linker.sql_analysis.scope import Scope
from linker.sql_analysis.tables import passing
from linker.sql_analysis.values import (
    COMPUTED,
    ComputedValue,
    StructValue,
    Value,
    look_into,
    members_of,
)
from linker.warehouses.base.dialect import Dialect, words

# Units that sqlglot parses as columns in unknown functions.
_UNITS = words(
    "century date day dayofweek dayofyear days decade dow doy epoch hour hours isoweek isoyear "
    "microsecond millisecond minute minutes month months quarter quarters second seconds time week "
    "weeks year years"
)


def column(written: exp.Column, scope: Scope) -> Value:
    """A column or a nested path."""
    if isinstance(written.this, exp.Star):
        return StructValue(star(written, scope))
    steps = [part.name for part in written.parts]
    is_no_column = len(steps) == 1 and _is_no_column(written, scope)
    return _found(written, steps, scope, COMPUTED if is_no_column else None)


def _found(
    node: exp.Expr, steps: Sequence[str], scope: Scope, otherwise: Value | None = None
) -> Value:
    """The value of a dotted name; records a problem if unresolved."""
    value = scope.find(steps)
    if value is None:
        value = otherwise
    scope.reading.values[id(node)] = value
    return scope.reading.no_column(".".join(steps)) if value is None else value


def _is_no_column(written: exp.Column, scope: Scope) -> bool:
    name, around, rules = written.name.casefold(), written.parent, scope.statement.rules
    if rules.has_double_quoted_texts and _is_double_quoted(written, scope.statement.sql):
        return True
    if isinstance(around, exp.Ordered | exp.Group):
        return name == "all"
    is_argument = isinstance(around, exp.Func | exp.Interval | exp.Var)
    return is_argument and rules.has_bare_units and name in _UNITS


def _is_double_quoted(written: exp.Column, sql: str) -> bool:
    start = written.this.meta.get("start")
    return isinstance(start, int) and sql[start : start + 1] == '"'


def dot(written: exp.Dot, scope: Scope) -> Value:
    """A path beyond sqlglot's column parts, or within an expression."""
    steps: list[str] = []
    base: exp.Expr = written
    while isinstance(base, exp.Dot):
        if isinstance(base.expression, exp.Func):
            return _call(base, scope)
        if isinstance(base.expression, exp.Star):
            return StructValue(star(base, scope))
        steps.insert(0, base.expression.name)
        base = base.this
    if isinstance(base, exp.Column | exp.Identifier):
        parts: Sequence[exp.Expr] = base.parts if isinstance(base, exp.Column) else [base]
        return _found(base, [part.name for part in parts] + steps, scope)
    value: Value | None = scope.value_of(base)
    for step in steps:
        value = look_into(value, step) if value else None
    return value or scope.reading.no_column(written.sql(scope.statement.dialect))


def _call(written: exp.Dot, scope: Scope) -> Value:
    """A method call where the dialect has them, else a qualified function."""
    value = scope.value_of(written.expression)
    if scope.statement.rules.probe_functions.namespaces is not None:
        return value
    steps = steps_in(written.this)
    called_on = scope.find(steps) if steps else scope.value_of(written.this)
    scope.reading.values[id(written.this)] = called_on
    if called_on is None:
        return value
    scope.reading.read(called_on)
    return ComputedValue((called_on, value))


def steps_in(written: exp.Expr) -> list[str]:
    """Parts of a dotted name; empty for other expressions."""
    if isinstance(written, exp.Dot):
        before, after = steps_in(written.this), steps_in(written.expression)
        return [*before, *after] if before and after else []
    return [written.name] if isinstance(written, exp.Identifier) else []


def identifier(written: exp.Identifier, scope: Scope) -> Value:
    """A name that is no column, such as a lambda parameter or window."""
    return scope.parameter(written.name) or COMPUTED


def all_columns(written: exp.Star, scope: Scope) -> Value:
    """A star within an expression."""
    return StructValue(star(written, scope))


def matching_columns(written: exp.Columns, scope: Scope) -> StructValue:
    """DuckDB's `columns('pattern')`."""
    columns = star(written.this, scope) if written.this.is_star else scope.columns()
    if isinstance(written.this, exp.Literal):
        matching = passing([name for name, _ in columns], written.this.name)
        columns = tuple((name, value) for name, value in columns if name in matching)
    value = StructValue(columns)
    scope.reading.values[id(written)] = value
    return value


def star(written: exp.Expr, scope: Scope) -> tuple[tuple[str, Value], ...]:
    """Columns of a star, with exclusions and replacements."""
    modifiers = written.find(exp.Star) or written
    for named in modifiers.find_all(exp.Column):
        scope.reading.values[id(named)] = scope.find([part.name for part in named.parts])
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
    # Linear-time matching, since patterns are untrusted.
    escaped = re.sub(r"([\[*?])", r"[\1]", pattern.casefold())
    return fnmatchcase(name.casefold(), escaped.replace("%", "*").replace("_", "?"))


def _starred(written: exp.Expr, scope: Scope) -> tuple[tuple[str, Value], ...]:
    if isinstance(written, exp.Dot):
        return members_of(scope.value_of(written.this))
    if isinstance(written, exp.Columns):
        return matching_columns(written, scope).members
    if not isinstance(written, exp.Column):
        return scope.columns()
    steps = [part.name for part in written.parts[:-1]]
    source = scope.source(".".join(steps))
    if source:
        return source.relation.starred
    value = scope.find(steps)
    if value is None:
        scope.reading.unknown_table(".".join(steps), f"unknown table {'.'.join(steps)}")
    return members_of(value or COMPUTED)


def output_name(expression: exp.Expr, rules: Dialect) -> str:
    """Output name of an expression; empty if unknown."""
    if isinstance(expression, exp.Paren):
        return output_name(expression.this, rules)
    if isinstance(expression, exp.Func) and not expression.output_name:
        name = expression.name if isinstance(expression, exp.Anonymous) else expression.key
        return name.casefold() if rules.may_call_behind_dots else ""
    if isinstance(expression, exp.Dot):
        return str(expression.expression.name)
    return (
        expression.alias_or_name
        if isinstance(expression, exp.Column | exp.Alias)
        else expression.output_name
    )


def parts_of(clause: object) -> list[exp.Expr]:
    """Expressions of a clause."""
    return [part for part in ensure_list(clause) if isinstance(part, exp.Expr)]


def columns_in(expression: exp.Expr) -> Iterator[exp.Column]:
    """Columns of an expression, without those of sub-queries."""
    for node in expression.walk(prune=lambda inside: isinstance(inside, exp.Query)):
        if isinstance(node, exp.Column):
            yield node

"""
Evaluates expressions to column values in their scope.

Operands of a computation are read at once. A value that is only passed on (column, struct field,
aggregate of rows) stays lazy, since a later query may use only part of a nested column.
"""

from collections.abc import Callable
from itertools import chain
from typing import Any

from sqlglot import exp

from linker.sql_analysis import names
from linker.sql_analysis.names import output_name
from linker.sql_analysis.scope import Scope
from linker.sql_analysis.values import (
    COMPUTED,
    ComputedValue,
    FieldAccess,
    StructValue,
    UnionValue,
    Value,
    either,
    look_into,
)

# Functions that return their argument.
_HANDING_ON = (
    exp.Paren,
    exp.Alias,
    exp.ParseJSON,
    exp.AnyValue,
    exp.ArrayAgg,
    exp.Explode,
    exp.IgnoreNulls,
)
_BESIDE = (
    exp.Order,
    exp.Limit,
    exp.HavingMax,
    exp.Filter,
    exp.Window,
    exp.WithinGroup,
    exp.RespectNulls,
)
_JSON = (
    exp.JSONExtract,
    exp.JSONExtractScalar,
    exp.JSONBExtract,
    exp.JSONBExtractScalar,
    exp.JSONValue,
)
_WITHOUT_COLUMNS = (exp.DataType, exp.Literal, exp.Var, exp.Null, exp.Boolean, exp.JSONPath)
_NAMED = (exp.PropertyEQ, exp.Kwarg, exp.Slice)
_BETWEEN_KEYS = (exp.Cast, exp.Paren, exp.Lower, exp.Upper, exp.Trim)
_DOCUMENTS = {exp.DType.VARIANT, exp.DType.JSON, exp.DType.JSONB}
# Flattened, since long chains nest hundreds of levels deep.
_CHAINS = (exp.And, exp.Or, exp.Add, exp.DPipe)
_WITHOUT_VALUES = (
    exp.Predicate,
    exp.Connector,
    exp.Not,
    exp.Count,
    exp.CountIf,
    exp.ApproxDistinct,
)
_Kinds = type[Any] | tuple[type[Any], ...]


def value_of(expression: exp.Expr, scope: Scope) -> Value:
    """The value of an expression."""
    is_call = isinstance(expression, exp.Func) and not isinstance(expression, exp.Columns)
    if is_call and any(isinstance(part, exp.Lambda) for part in expression.iter_expressions()):
        return _with_lambda(expression, scope)
    for kinds, meaning in _MEANINGS:
        if isinstance(expression, kinds):
            return meaning(expression, scope)
    return _read_inside(expression, scope)


def _read_inside(expression: exp.Expr, scope: Scope) -> Value:
    inner = scope.alias_first(False) if isinstance(expression, exp.AggFunc) else scope
    parts = (
        expression.flatten() if isinstance(expression, _CHAINS) else expression.iter_expressions()
    )
    values = tuple(inner.value_of(inside) for inside in parts)
    scope.reading.read_all(values)
    # Existence and counts reveal no value.
    return COMPUTED if isinstance(expression, _WITHOUT_VALUES) else ComputedValue(values)


def _nothing(_: exp.Expr, __: Scope) -> Value:
    return COMPUTED


def _handed_on(expression: exp.Expr, scope: Scope) -> Value:
    inner = scope.alias_first(False) if isinstance(expression, exp.AggFunc) else scope
    return inner.value_of(expression.this) if isinstance(expression.this, exp.Expr) else COMPUTED


def _with_others(expression: exp.Expr, scope: Scope) -> Value:
    """A value, reading expressions that only sort, filter or limit it."""
    for inside in expression.iter_expressions():
        if inside is not expression.this:
            scope.read(inside)
    return _handed_on(expression, scope)


def _cast(cast: exp.Cast, scope: Scope) -> Value:
    """Casts to scalars read their operand; casts to nested types pass it on."""
    value = scope.value_of(cast.this)
    if cast.to.this in exp.DataType.NESTED_TYPES or cast.to.this in _DOCUMENTS:
        return value
    scope.reading.read(value)
    return ComputedValue((value,))


def _chosen(expression: exp.Case | exp.If, scope: Scope) -> Value:
    """One of several values; the condition is read."""
    condition = expression.this
    if condition is not None:
        scope.read(condition)
    values = tuple(
        scope.value_of(inside)
        for inside in expression.iter_expressions()
        if inside is not condition
    )
    scope.reading.read_all(values)
    return ComputedValue(values)


def _any_of(expression: exp.Expr, scope: Scope) -> Value:
    values = tuple(scope.value_of(inside) for inside in expression.iter_expressions())
    return values[0] if len(values) == 1 else UnionValue(values)


def _named_argument(argument: exp.Expr, scope: Scope) -> Value:
    return scope.value_of(argument.expression) if argument.args.get("expression") else COMPUTED


def _at_position(_: exp.Expr, scope: Scope) -> Value:
    """DuckDB's `#2`: any source column, since joins may change positions."""
    value = either(chain.from_iterable(source.relation.values() for source in scope.sources))
    scope.reading.read(value)
    return value


def _unnested(unnest: exp.Unnest, scope: Scope) -> Value:
    return UnionValue(tuple(scope.value_of(inside) for inside in unnest.expressions))


def _count(count: exp.Count, scope: Scope) -> Value:
    """`count(*)` reads no column."""
    is_of_rows = isinstance(count.this, exp.Star) or (
        isinstance(count.this, exp.Column) and count.this.is_star
    )
    return COMPUTED if is_of_rows else _read_inside(count, scope)


def _compared(equal: exp.EQ | exp.NullSafeEQ | exp.In, scope: Scope) -> Value:
    """Compared columns join their tables, through casts and changes of case."""
    sides = list(equal.iter_expressions())
    values = [scope.value_of(side) for side in sides]
    scope.reading.read_all(values)
    keys = list(map(_key, sides, values))
    for key in keys[1:]:
        scope.reading.join(keys[0], key)
    return COMPUTED


def _key(side: exp.Expr, value: Value) -> Value:
    """The operand of casts and changes of case."""
    while isinstance(side, _BETWEEN_KEYS):
        if isinstance(value, ComputedValue) and value.values and not isinstance(side, exp.Paren):
            value = value.values[0]
        side = side.this
    return value


def _exists(exists: exp.Exists, scope: Scope) -> Value:
    """A query under `exists`; its select list is ignored."""
    if isinstance(exists.this, exp.Query):
        scope.relation(exists.this)
        return COMPUTED
    return _read_inside(exists, scope)


def _query(query: exp.Query, scope: Scope) -> Value:
    relation = scope.relation(query)
    inner = query.unnest()
    is_struct = isinstance(inner, exp.Select) and inner.args.get("kind") == "STRUCT"
    if len(relation.columns) == 1 and not is_struct:
        return relation.columns[0][1]
    return StructValue(relation.columns)


def _bracket(written: exp.Bracket, scope: Scope) -> Value:
    """A list element, or a named part of a document."""
    value = scope.value_of(written.this)
    for index in written.expressions:
        if isinstance(index, exp.Literal) and index.is_string:
            value = _inside(value, index.name)
        else:
            scope.read(index)
    return value


def _json_path(written: exp.Expr, scope: Scope) -> Value:
    """A JSON path, as far as the catalog knows it."""
    value = scope.value_of(written.this)
    path = written.args.get("expression") or written.args.get("path")
    for step in _steps(path, scope):
        value = _inside(value, step)
    return value


def _inside(value: Value, step: str) -> Value:
    """A part of a document, known or not."""
    part = look_into(value, step)
    return FieldAccess(value) if part is None or part is value else part


def _steps(path: exp.Expr | None, scope: Scope) -> list[str]:
    if isinstance(path, exp.JSONPath):
        return [str(part.this) for part in path.expressions if isinstance(part, exp.JSONPathKey)]
    if isinstance(path, exp.Literal) and path.is_string:
        return [path.name]
    if path is not None:
        scope.read(path)
    return []


def _struct(written: exp.Struct, scope: Scope) -> Value:
    """A struct literal with named members."""
    return StructValue(
        tuple(
            (_member_name(member, scope), scope.value_of(member)) for member in written.expressions
        )
    )


def _member_name(member: exp.Expr, scope: Scope) -> str:
    if isinstance(member, exp.PropertyEQ):
        return str(member.this.name)
    return output_name(member, scope.statement.rules)


def _with_lambda(function: exp.Expr, scope: Scope) -> Value:
    """A function over a list: reads what its lambda uses of elements, else everything."""
    first, *others = function.iter_expressions()
    elements = made = scope.hand_on(first)
    for inside in others:
        named = inside.expressions if isinstance(inside, exp.Lambda) else ()
        inner = scope.knowing({parameter.name: elements for parameter in named})
        made = inner.hand_on(inside)
    return made if isinstance(function, exp.Transform) else elements


def _lambda(function: exp.Lambda, scope: Scope) -> Value:
    """A lambda with unknown parameters."""
    unknown = [parameter.name for parameter in function.expressions]
    parameters = {name: COMPUTED for name in unknown if scope.parameter(name) is None}
    return scope.knowing(parameters).value_of(function.this)


def _comprehension(written: exp.Comprehension, scope: Scope) -> Value:
    """DuckDB's `[x.a for x in list if x.b]`."""
    elements = scope.hand_on(written.args["iterator"])
    inner = scope.knowing({written.expression.name: elements})
    if written.args.get("condition"):
        inner.read(written.args["condition"])
    return inner.hand_on(written.this)


_MEANINGS: tuple[tuple[_Kinds, Callable[[Any, Scope], Value]], ...] = (
    (_WITHOUT_COLUMNS, _nothing),
    (exp.Column, names.column),
    (exp.Identifier, names.identifier),
    (exp.Dot, names.dot),
    (exp.Star, names.all_columns),
    (exp.Columns, names.matching_columns),
    (exp.Bracket, _bracket),
    (_JSON, _json_path),
    (exp.Struct, _struct),
    (exp.Lambda, _lambda),
    (exp.Comprehension, _comprehension),
    (exp.Count, _count),
    ((exp.Case, exp.If), _chosen),
    ((exp.EQ, exp.NullSafeEQ, exp.In), _compared),
    (exp.Exists, _exists),
    (exp.Query, _query),
    (exp.Cast, _cast),
    (_HANDING_ON, _handed_on),
    (_BESIDE, _with_others),
    (exp.Unnest, _unnested),
    (exp.PositionalColumn, _at_position),
    ((exp.Distinct, exp.Coalesce, exp.Array), _any_of),
    (_NAMED, _named_argument),
)

"""Reads what builds nested values and looks into them: structs, lists, JSON, lambdas. Enters one, leaves its value."""

from sqlglot import exp

from linker.lineage.names import output_name
from linker.lineage.scope import Scope
from linker.lineage.values import COMPUTED, StructValue, Value, look_into


def bracket(written: exp.Bracket, scope: Scope) -> Value:
    """An element of a list, or the part of a document that a string names."""
    value = scope.value_of(written.this)
    for index in written.expressions:
        if isinstance(index, exp.Literal) and index.is_string:
            value = look_into(value, index.name) or value
        else:
            scope.read(index)
    return value


def json_path(written: exp.Expr, scope: Scope) -> Value:
    """A path inside JSON counts as far as the catalogue knows it."""
    value = scope.value_of(written.this)
    path = written.args.get("expression") or written.args.get("path")
    for step in _steps(path, scope):
        value = look_into(value, step) or value
    return value


def _steps(path: exp.Expr | None, scope: Scope) -> list[str]:
    if isinstance(path, exp.JSONPath):
        return [str(part.this) for part in path.expressions if isinstance(part, exp.JSONPathKey)]
    if isinstance(path, exp.Literal) and path.is_string:
        return [path.name]
    if path is not None:
        scope.read(path)
    return []


def struct(written: exp.Struct, scope: Scope) -> Value:
    """A struct that the statement builds: each of its members by name."""
    return StructValue(tuple((_member_name(member), scope.value_of(member)) for member in written.expressions))


def _member_name(member: exp.Expr) -> str:
    return member.this.name if isinstance(member, exp.PropertyEQ) else output_name(member)


def with_lambda(function: exp.Expr, scope: Scope) -> Value:
    """A function over a list: of its elements counts what the lambda uses, or else all."""
    made: Value = COMPUTED
    elements = scope.hand_on(function.this)
    for inside in function.iter_expressions():
        if inside is not function.this:
            made = scope.hand_on(inside)
    return made if isinstance(function, exp.Transform) else elements


def lambda_(function: exp.Lambda, scope: Scope) -> Value:
    """The parameters of a lambda stand for the elements of the first argument of the function around it."""
    around = function.parent
    elements = COMPUTED if around is None or around.this is function else scope.value_of(around.this)
    return scope.knowing({parameter.name: elements for parameter in function.expressions}).value_of(function.this)


def comprehension(written: exp.Comprehension, scope: Scope) -> Value:
    """DuckDB's `[x.a for x in list if x.b]`."""
    elements = scope.hand_on(written.args["iterator"])
    inner = scope.knowing({written.expression.name: elements})
    if written.args.get("condition"):
        inner.read(written.args["condition"])
    return inner.hand_on(written.this)

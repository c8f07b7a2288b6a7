"""
Which tables of a BigQuery wildcard a query reads: enters the conditions on `_TABLE_SUFFIX`, leaves yes, no or unknown.

Only what is constant is worked out; a condition that depends on anything else leaves every table in.
https://cloud.google.com/bigquery/docs/querying-wildcard-tables#filtering_selected_tables_using_table_suffix
"""

import contextlib
import datetime
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from sqlglot import exp

_SUFFIX = "_table_suffix"
_COMPARISONS: dict[type[Any], Callable[[Any, Any], bool]] = {
    exp.EQ: lambda left, right: left == right,
    exp.NEQ: lambda left, right: left != right,
    exp.LT: lambda left, right: left < right,
    exp.LTE: lambda left, right: left <= right,
    exp.GT: lambda left, right: left > right,
    exp.GTE: lambda left, right: left >= right,
}
_Work = Callable[[Any, Mapping[str, Any]], Any]


def may_read(suffix: str, conditions: Iterable[exp.Expr], constants: Mapping[str, Any]) -> bool:
    """Whether the table with that suffix passes all conditions, as far as they can be told."""
    known = {**constants, _SUFFIX: suffix}
    return all(_worked_out(condition, known) is not False for condition in conditions)


def on_suffix(conditions: Iterable[exp.Expr]) -> list[exp.Expr]:
    """The conditions that say something about the suffix, those under `and` one by one."""
    parts = [part for one in conditions for part in (one.flatten() if isinstance(one, exp.And) else (one,))]
    return [part for part in parts if any(name.name.casefold() == _SUFFIX for name in part.find_all(exp.Column))]


def constant(expression: exp.Expr, constants: Mapping[str, Any]) -> Any:  # noqa: ANN401 - text, number, date
    """What an expression always is, or None."""
    return _worked_out(expression, constants)


def _worked_out(expression: exp.Expr, known: Mapping[str, Any]) -> Any:  # noqa: ANN401 - text, number, truth
    """The value of an expression, or None where it is not known."""
    for kinds, work_out in _WORK:
        if isinstance(expression, kinds):
            return work_out(expression, known)
    return None


def _literal(literal: exp.Expr, _: Mapping[str, Any]) -> str | float:
    return literal.name if literal.is_string else float(literal.name)


def _raw(text: exp.RawString, _: Mapping[str, Any]) -> str:
    return text.name


def _starts(starting: exp.Expr, known: Mapping[str, Any]) -> bool | None:
    value, start = _worked_out(starting.this, known), _worked_out(starting.expression, known)
    return value.startswith(start) if isinstance(value, str) and isinstance(start, str) else None


def _column(column: exp.Expr, known: Mapping[str, Any]) -> str | None:
    return known.get(column.name.casefold())


def _inner(expression: exp.Expr, known: Mapping[str, Any]) -> Any:  # noqa: ANN401
    return _worked_out(expression.this, known)


def _compared(comparison: exp.Expr, known: Mapping[str, Any]) -> bool | None:
    left, right = _worked_out(comparison.this, known), _worked_out(comparison.expression, known)
    return _COMPARISONS[type(comparison)](left, right) if _are_alike(left, right) else None


def _between(between: exp.Expr, known: Mapping[str, Any]) -> bool | None:
    value, low, high = (_worked_out(between.args[key], known) for key in ("this", "low", "high"))
    return low <= value <= high if _are_alike(value, low) and _are_alike(value, high) else None


def _in(within: exp.Expr, known: Mapping[str, Any]) -> bool | None:
    value = _worked_out(within.this, known)
    choices = [_worked_out(choice, known) for choice in within.expressions]
    if not choices or not all(_are_alike(value, choice) for choice in choices):
        return None
    return value in choices


def _like(like: exp.Expr, known: Mapping[str, Any]) -> bool | None:
    value, pattern = _worked_out(like.this, known), _worked_out(like.expression, known)
    if not (isinstance(value, str) and isinstance(pattern, str)):
        return None
    return re.fullmatch(re.escape(pattern).replace("%", ".*").replace("_", "."), value, re.DOTALL) is not None


def _matches(matching: exp.Expr, known: Mapping[str, Any]) -> bool | None:
    value, pattern = _worked_out(matching.this, known), _worked_out(matching.expression, known)
    if not (isinstance(value, str) and isinstance(pattern, str)):
        return None
    try:
        return re.search(pattern, value) is not None
    except re.error:
        return None


def _not(negated: exp.Expr, known: Mapping[str, Any]) -> bool | None:
    value = _worked_out(negated.this, known)
    return None if value is None else not value


def _and(both: exp.Expr, known: Mapping[str, Any]) -> bool | None:
    values = [_worked_out(part, known) for part in (both.this, both.expression)]
    return False if False in values else None if None in values else True


def _or(either: exp.Expr, known: Mapping[str, Any]) -> bool | None:
    values = [_worked_out(part, known) for part in (either.this, either.expression)]
    return True if True in values else None if None in values else False


def _joined(concat: exp.Expr, known: Mapping[str, Any]) -> str | None:
    values = [_worked_out(part, known) for part in concat.iter_expressions()]
    return "".join(values) if values and all(isinstance(value, str) for value in values) else None


def _part(substring: exp.Expr, known: Mapping[str, Any]) -> str | None:
    value = _worked_out(substring.this, known)
    start, length = (
        _worked_out(given, known) if (given := substring.args.get(key)) else None for key in ("start", "length")
    )
    if not isinstance(value, str) or not isinstance(start, float) or start < 1:
        return None
    rest = value[int(start) - 1 :]
    return rest[: int(length)] if isinstance(length, float) else rest if "length" not in substring.args else None


def _cast(cast: exp.Cast, known: Mapping[str, Any]) -> Any:  # noqa: ANN401
    value = _worked_out(cast.this, known)
    if cast.to.this == exp.DType.DATE:
        return _as_date(value)
    if not isinstance(value, str) or cast.to.this in exp.DataType.TEXT_TYPES:
        return value
    return float(value) if cast.to.this in exp.DataType.INTEGER_TYPES and value.isdecimal() else None


def _date(made: exp.Expr, known: Mapping[str, Any]) -> datetime.date | None:
    return _as_date(_worked_out(made.this, known)) if len(list(made.iter_expressions())) == 1 else None


def _as_date(value: object) -> datetime.date | None:
    if isinstance(value, str):
        with contextlib.suppress(ValueError):
            return datetime.date.fromisoformat(value)
    return value if isinstance(value, datetime.date) else None


def _parsed_date(parsing: exp.Expr, known: Mapping[str, Any]) -> datetime.date | None:
    value, pattern = _worked_out(parsing.this, known), _worked_out(parsing.args["format"], known)
    if isinstance(value, str) and isinstance(pattern, str):
        with contextlib.suppress(ValueError):
            return datetime.datetime.strptime(value, pattern).date()
    return None


def _formatted(formatting: exp.Expr, known: Mapping[str, Any]) -> str | None:
    value, pattern = _as_date(_worked_out(formatting.this, known)), _worked_out(formatting.args["format"], known)
    return value.strftime(pattern) if value is not None and isinstance(pattern, str) else None


def _are_alike(left: object, right: object) -> bool:
    return left is not None and type(left) is type(right)


_WORK: tuple[tuple[type[Any] | tuple[type[Any], ...], _Work], ...] = (
    (exp.Literal, _literal),
    (exp.RawString, _raw),
    (exp.Column, _column),
    (exp.Paren, _inner),
    (tuple(_COMPARISONS), _compared),
    (exp.Between, _between),
    (exp.In, _in),
    (exp.Like, _like),
    (exp.RegexpLike, _matches),
    (exp.StartsWith, _starts),
    (exp.Not, _not),
    (exp.And, _and),
    (exp.Or, _or),
    ((exp.Concat, exp.DPipe), _joined),
    (exp.Substring, _part),
    (exp.Cast, _cast),
    ((exp.Date, exp.TsOrDsToDate), _date),
    (exp.StrToDate, _parsed_date),
    (exp.TimeToStr, _formatted),
)

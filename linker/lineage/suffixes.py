"""
Tables of a BigQuery wildcard that a query reads, by its conditions on `_TABLE_SUFFIX`.

Only what is constant is worked out; a condition that depends on anything else leaves every table in.
https://cloud.google.com/bigquery/docs/querying-wildcard-tables#filtering_selected_tables_using_table_suffix
"""

import contextlib
import datetime
import operator
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from sqlglot import exp

# A text, number, date or truth; None where it is not known.
Constant: TypeAlias = Any
_Constants: TypeAlias = Mapping[str, Constant]
_Work: TypeAlias = Callable[[Any, _Constants], Constant]

_SUFFIX = "_table_suffix"
_COMPARISONS: dict[type[Any], Callable[[Any, Any], bool]] = {
    exp.EQ: operator.eq,
    exp.NEQ: operator.ne,
    exp.LT: operator.lt,
    exp.LTE: operator.le,
    exp.GT: operator.gt,
    exp.GTE: operator.ge,
}


def may_read(suffix: str, conditions: Iterable[exp.Expr], constants: _Constants) -> bool:
    """Tell whether the table with that suffix passes all conditions, as far as they are known."""
    known = {**constants, _SUFFIX: suffix}
    return all(constant(condition, known) is not False for condition in conditions)


def on_suffix(conditions: Iterable[exp.Expr]) -> list[exp.Expr]:
    """The conditions that say something about the suffix, those under `and` one by one."""
    parts = [
        part
        for condition in conditions
        for part in (condition.flatten() if isinstance(condition, exp.And) else (condition,))
    ]
    return [part for part in parts if any(name.name.casefold() == _SUFFIX for name in part.find_all(exp.Column))]


def constant(expression: exp.Expr, known: _Constants) -> Constant:
    """The value that an expression always has, or None."""
    for kinds, work_out in _WORK:
        if isinstance(expression, kinds):
            return work_out(expression, known)
    return None


def _compared(comparison: exp.Expr, known: _Constants) -> bool | None:
    left, right = constant(comparison.this, known), constant(comparison.expression, known)
    return _COMPARISONS[type(comparison)](left, right) if _are_alike(left, right) else None


def _between(between: exp.Expr, known: _Constants) -> bool | None:
    value, low, high = (constant(between.args[key], known) for key in ("this", "low", "high"))
    return low <= value <= high if _are_alike(value, low) and _are_alike(value, high) else None


def _in(within: exp.Expr, known: _Constants) -> bool | None:
    value = constant(within.this, known)
    choices = [constant(choice, known) for choice in within.expressions]
    return value in choices if choices and all(_are_alike(value, choice) for choice in choices) else None


def _are_alike(left: Constant, right: Constant) -> bool:
    return left is not None and type(left) is type(right)


def _of_texts(work: Callable[[str, str], bool | None]) -> _Work:
    """Work on the two texts of an expression, where both are known."""

    def work_out(expression: exp.Expr, known: _Constants) -> bool | None:
        left, right = constant(expression.this, known), constant(expression.expression, known)
        return work(left, right) if isinstance(left, str) and isinstance(right, str) else None

    return work_out


def _is_like(value: str, pattern: str) -> bool:
    return re.fullmatch(re.escape(pattern).replace("%", ".*").replace("_", "."), value, re.DOTALL) is not None


def _matches(value: str, pattern: str) -> bool | None:
    with contextlib.suppress(re.error):
        return re.search(pattern, value) is not None
    return None


def _not(negated: exp.Expr, known: _Constants) -> bool | None:
    value = constant(negated.this, known)
    return None if value is None else not value


def _connected(connector: exp.Expr, known: _Constants) -> bool | None:
    """Two conditions under `and`, where a false one decides, or under `or`, where a true one does."""
    decisive = isinstance(connector, exp.Or)
    values = [constant(part, known) for part in (connector.this, connector.expression)]
    return decisive if decisive in values else None if None in values else not decisive


def _joined(concat: exp.Expr, known: _Constants) -> str | None:
    values = [constant(part, known) for part in concat.iter_expressions()]
    return "".join(values) if values and all(isinstance(value, str) for value in values) else None


def _part(substring: exp.Expr, known: _Constants) -> str | None:
    value = constant(substring.this, known)
    start, length = (
        constant(given, known) if (given := substring.args.get(key)) else None for key in ("start", "length")
    )
    if not isinstance(value, str) or not isinstance(start, float) or start < 1:
        return None
    rest = value[int(start) - 1 :]
    return rest[: int(length)] if isinstance(length, float) else rest if "length" not in substring.args else None


def _cast(cast: exp.Cast, known: _Constants) -> Constant:
    value = constant(cast.this, known)
    if cast.to.this == exp.DType.DATE:
        return _as_date(value)
    if not isinstance(value, str) or cast.to.this in exp.DataType.TEXT_TYPES:
        return value
    return float(value) if cast.to.this in exp.DataType.INTEGER_TYPES and value.isdecimal() else None


def _date(made: exp.Expr, known: _Constants) -> datetime.date | None:
    return _as_date(constant(made.this, known)) if len(list(made.iter_expressions())) == 1 else None


def _as_date(value: Constant) -> datetime.date | None:
    if isinstance(value, str):
        with contextlib.suppress(ValueError):
            return datetime.date.fromisoformat(value)
    return value if isinstance(value, datetime.date) else None


def _parsed_date(parsing: exp.Expr, known: _Constants) -> datetime.date | None:
    value, pattern = constant(parsing.this, known), constant(parsing.args["format"], known)
    if isinstance(value, str) and isinstance(pattern, str):
        with contextlib.suppress(ValueError):
            return datetime.datetime.strptime(value, pattern).date()
    return None


def _formatted(formatting: exp.Expr, known: _Constants) -> str | None:
    value, pattern = _as_date(constant(formatting.this, known)), constant(formatting.args["format"], known)
    return value.strftime(pattern) if value is not None and isinstance(pattern, str) else None


_WORK: tuple[tuple[type[Any] | tuple[type[Any], ...], _Work], ...] = (
    (exp.Literal, lambda literal, _: literal.name if literal.is_string else float(literal.name)),
    (exp.RawString, lambda text, _: text.name),
    (exp.Column, lambda column, known: known.get(column.name.casefold())),
    (exp.Paren, lambda inner, known: constant(inner.this, known)),
    (tuple(_COMPARISONS), _compared),
    (exp.Between, _between),
    (exp.In, _in),
    (exp.Like, _of_texts(_is_like)),
    (exp.RegexpLike, _of_texts(_matches)),
    (exp.StartsWith, _of_texts(str.startswith)),
    (exp.Not, _not),
    ((exp.And, exp.Or), _connected),
    ((exp.Concat, exp.DPipe), _joined),
    (exp.Substring, _part),
    (exp.Cast, _cast),
    ((exp.Date, exp.TsOrDsToDate), _date),
    (exp.StrToDate, _parsed_date),
    (exp.TimeToStr, _formatted),
)

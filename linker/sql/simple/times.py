"""Conditions on time: enters a column and a period, leaves the condition, in the form in which the column keeps it."""

from datetime import UTC, date, datetime, time, timedelta

from sqlglot import exp

from linker.facts import ColumnFacts
from linker.mentions import Period
from linker.sql.simple.frame import Operator
from linker.types import Column

_EPOCH_SECONDS, _EPOCH_MILLISECONDS = 10, 13
_DAY_KEY, _MONTH_KEY, _YEAR = 8, 6, 4


def time_condition(
    written: exp.Expr, column: Column, facts: ColumnFacts, operator: Operator, period: Period
) -> exp.Expr | None:
    """The column lies in a period, before or after it; None where its form of time is not known."""
    after = period.last + timedelta(days=1)
    bounds = {"during": (period.first, after), ">": (after, None), ">=": (period.first, None)}
    first, end = bounds.get(operator, (None, period.first if operator == "<" else after))
    form = _form(column, facts)
    is_text = column.data_type.upper().startswith(("VARCHAR", "CHAR", "TEXT", "STRING"))
    if form is None or (form == _YEAR and not _is_whole_years(period)):
        return None
    if form == _MONTH_KEY and not _is_whole_months(period):
        return None
    if form == _YEAR and first and end and end.year - first.year == 1:
        return exp.EQ(this=written.copy(), expression=_number(first.year, is_text=is_text))
    conditions: list[exp.Expr] = []
    if first:
        conditions.append(exp.GTE(this=written.copy(), expression=_as(first, form, is_text=is_text)))
    if end:
        conditions.append(exp.LT(this=written.copy(), expression=_as(end, form, is_text=is_text)))
    return exp.and_(*conditions)


def time_unit(written: exp.Expr, column: Column, facts: ColumnFacts, unit: str) -> exp.Expr | None:
    """The year, or the first moment of the month, of each time; None where the column cannot say it."""
    form = _form(column, facts)
    if form == _YEAR and unit == "year":
        return written
    if form not in ("date", "timestamp"):
        return None
    if unit == "year":
        return exp.Extract(this=exp.var("year"), expression=written)
    trunc = exp.DateTrunc if form == "date" else exp.TimestampTrunc
    return trunc(this=written, unit=exp.var(unit.upper()))


def _form(column: Column, facts: ColumnFacts) -> str | int | None:
    """How a column keeps times: as a date, a timestamp, a text, or a number of so many digits."""
    kind = column.data_type.upper()
    if kind.startswith(("TIMESTAMP", "DATETIME")):
        return "timestamp"
    if kind.startswith("DATE"):
        return "date"
    digits = {len(value) for value in facts.values if value.isdecimal()}
    if facts.values and all(value.isdecimal() for value in facts.values) and len(digits) == 1:
        form = digits.pop()
        return form if form in (_YEAR, _MONTH_KEY, _DAY_KEY, _EPOCH_SECONDS, _EPOCH_MILLISECONDS) else None
    is_iso = bool(facts.values) and all(value[4:5] == "-" and value[7:8] == "-" for value in facts.values)
    return "text" if is_iso else None


def _number(number: int, *, is_text: bool) -> exp.Expr:
    return exp.Literal.string(str(number)) if is_text else exp.Literal.number(number)


def _as(day: date, form: str | int, *, is_text: bool) -> exp.Expr:
    """A day as the column writes it."""
    if isinstance(form, str):
        text = exp.Literal.string(day.isoformat())
        return text if form == "text" else exp.cast(text, form)
    seconds = int(datetime.combine(day, time(), UTC).timestamp())
    numbers = {
        _YEAR: day.year,
        _MONTH_KEY: day.year * 100 + day.month,
        _DAY_KEY: day.year * 10_000 + day.month * 100 + day.day,
        _EPOCH_SECONDS: seconds,
        _EPOCH_MILLISECONDS: seconds * 1000,
    }
    return _number(numbers[form], is_text=is_text)


def _is_whole_months(period: Period) -> bool:
    return period.first.day == 1 and (period.last + timedelta(days=1)).day == 1


def _is_whole_years(period: Period) -> bool:
    first, after = period.first, period.last + timedelta(days=1)
    return (first.month, first.day, after.month, after.day) == (1, 1, 1, 1)

"""
Dates and periods in text: enters a question or a value, leaves the days that it names.

A question names periods, from their first to their last day; a value is a date, which may be read in two ways.
"""

import re
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

# fmt: off
MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)
# fmt: on
_YEAR_NUMBER = r"(?:18|19|20)\d\d"
YEAR = re.compile(rf"(?<![\d-])({_YEAR_NUMBER})(?![\d-])")
_DAY = re.compile(rf"\b({_YEAR_NUMBER})-(\d\d)-(\d\d)\b")
_MONTH = re.compile(rf"\b({'|'.join(MONTHS)})\s+(?:of\s+)?({_YEAR_NUMBER})\b", re.IGNORECASE)
_QUARTER = re.compile(rf"\b(?:q([1-4])\s*(?:of\s+)?({_YEAR_NUMBER})|({_YEAR_NUMBER})[\s-]?q([1-4]))\b", re.IGNORECASE)

_YEAR_FIRST = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:[ t]00:00(?::00(?:\.0+)?)?z?)?")
_YEAR_LAST = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4})")
_MONTH_FIRST = re.compile(r"([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})")
_DAY_FIRST = re.compile(r"(\d{1,2})(?:st|nd|rd|th|\.)? (?:of )?([a-z]{3,9})\.?,? (\d{4})")


@dataclass(frozen=True, slots=True)
class Period:
    """A time that the question asks for, from its first to its last day."""

    said: str
    first: date
    last: date


def periods_of(question: str) -> Iterator[Period]:
    """Days, months, quarters and years that are written out; what is part of a longer one is not told again."""
    rest = question
    for pattern, read in ((_DAY, _day), (_MONTH, _month), (_QUARTER, _quarter), (YEAR, _year)):
        for found in pattern.finditer(rest):
            period = read(found)
            if period:
                yield period
        rest = pattern.sub(lambda found: " " * len(found.group()), rest)


def dates_of(text: str) -> Iterator[str]:
    """The dates that a text in lower case may be, as 2024-03-05; 5/3/2024 may be two."""
    if found := _YEAR_FIRST.fullmatch(text):
        year, _, month, day = found.groups()
        yield from _date(year, month, day)
    elif found := _YEAR_LAST.fullmatch(text):
        first, _, second, year = found.groups()
        yield from _date(year, first, second)
        yield from _date(year, second, first)
    elif found := _MONTH_FIRST.fullmatch(text):
        name, day, year = found.groups()
        yield from _date(year, _month_number(name), day)
    elif found := _DAY_FIRST.fullmatch(text):
        day, name, year = found.groups()
        yield from _date(year, _month_number(name), day)


def _day(found: re.Match[str]) -> Period | None:
    try:
        day = date(*(int(part) for part in found.groups()))
    except ValueError:
        return None
    return Period(found.group(), day, day)


def _month(found: re.Match[str]) -> Period:
    year, month = int(found.group(2)), _month_number(found.group(1).casefold())
    return Period(found.group(), date(year, month, 1), date(year, month, monthrange(year, month)[1]))


def _quarter(found: re.Match[str]) -> Period:
    quarter = int(found.group(1) or found.group(4))
    year = int(found.group(2) or found.group(3))
    first = date(year, 3 * quarter - 2, 1)
    after = date(year + 1, 1, 1) if quarter == 4 else date(year, 3 * quarter + 1, 1)
    return Period(found.group(), first, after - timedelta(days=1))


def _year(found: re.Match[str]) -> Period:
    year = int(found.group())
    return Period(found.group(), date(year, 1, 1), date(year, 12, 31))


def _month_number(name: str) -> int:
    """The number of a month whose name may be cut short; 0 where it is none."""
    return next((number for number, month in enumerate(MONTHS, start=1) if month.startswith(name)), 0)


def _date(year: str, month: str | int, day: str) -> Iterator[str]:
    if 1 <= int(month) <= 12 and 1 <= int(day) <= 31:
        yield f"{year}-{int(month):02}-{int(day):02}"

"""
Dates as they are written: enters the text of a value, leave the days that it may be.

The names of months are English and German, in full or cut short.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from linker.text.words import unaccented, word_values

# "Ma" may be March or May.
_SHORTEST_MONTH = 3
YEAR_NUMBER = r"(?:18|19|20)\d\d"
YEAR = re.compile(rf"(?<!\d)({YEAR_NUMBER})(?!\d)")

_YEAR_FIRST = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:[ t]00:00(?::00(?:\.0+)?)?z?)?")
_YEAR_LAST = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4})")
_MONTH_FIRST = re.compile(r"([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})")
_DAY_FIRST = re.compile(r"(\d{1,2})(?:st|nd|rd|th|\.)? (?:of )?([a-z]{3,9})\.?,? (\d{4})")


@lru_cache(maxsize=1_000)
def month_number(name: str) -> int:
    """The number of a month whose name may be cut short; 0 where it is none."""
    start = unaccented(name).casefold().rstrip(".")
    if len(start) < _SHORTEST_MONTH:
        return 0
    months = word_values("months").items()
    return next((number for month, number in months if unaccented(month).startswith(start)), 0)


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
        yield from _date(year, month_number(name), day)
    elif found := _DAY_FIRST.fullmatch(text):
        day, name, year = found.groups()
        yield from _date(year, month_number(name), day)


def _date(year: str, month: str | int, day: str) -> Iterator[str]:
    if 1 <= int(month) <= 12 and 1 <= int(day) <= 31:
        yield f"{year}-{int(month):02}-{int(day):02}"

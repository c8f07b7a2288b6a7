"""
Periods of a question, in English and German: enters its text, leave the periods that it names, in
their order.

A period has its first and its last day as far as they are known: "since 2019" has no last one,
"last quarter" has neither without a day to count from, and a weekend or a month without its year
never has.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Literal

from msgspec.structs import replace

from linker.text.spoken_times import times_in
from linker.text.times import Days, Time
from linker.types import Record

PeriodKind = Literal["fixed", "relative", "recurring", "unclear"]

_DAY = timedelta(days=1)
_END = r"\s*(?:(?:the\s+)?(?:start|beginning|end)\s+of\s+|anfang\s+|ende\s+)?(?:the\s+(?:year\s+)?|de[mnr]\s+|zum\s+)?"
_TO = re.compile(
    rf"\s*(?:-|–|—|\bto\b|\bthrough\b|\buntil\b|\btill\b|\bbis\b){_END}\s*", re.IGNORECASE
)
_AND = re.compile(rf"\s*,?\s*\b(?:and|und)\b{_END}\s*", re.IGNORECASE)
_LISTED = re.compile(
    r"\s*(?:,|&|/|,?\s*\b(?:and|or|und|oder|vs\.?|versus|to|with|mit)\b)\s*(?:the\s+|in\s+)?", re.I
)
_BETWEEN = re.compile(rf"\b(?:between|zwischen){_END}\s*$", re.IGNORECASE)
_FROM = re.compile(rf"\b(?:between|from|zwischen|vo[nm]){_END}\s*$", re.IGNORECASE)
_YEAR = rf"\s+(?:the\s+)?{_END}(?:year\s+)?(?:jahr\s+)?"
_OPENING = tuple(
    (bound, re.compile(rf"\b(?:{words}){_YEAR}$", re.IGNORECASE))
    for bound, words in (
        (
            "until",
            r"(?:on|at)\s+or\s+before|until|till?|up\s+to|through|no\s+later\s+than|by\s+(?:the\s+)?end\s+of|bis(?:\s+zum)?|before\s+the\s+end\s+of",
        ),
        (
            "since",
            r"(?:on|at)\s+or\s+after|since|starting(?:\s+(?:in|from))?|beginning\s+in|seit|ab",
        ),
        ("before", r"before|prior\s+to|earlier\s+than|older\s+than|vor"),
        ("after", r"after|later\s+than|newer\s+than|following|nach"),
    )
)
_CLOCK = re.compile(r"\d:\d\d")
# What is before or after a time of day has a part of that day.
_PART_OF_DAY = {"before": "until", "after": "since"}
_GOING_ON = re.compile(
    r"\s*(?:(?P<since>(?:on\b(?!\s+\w+day)|onwards?|(?:and|or|und|oder)\s+(?:later|after|newer|onwards?|später)))"
    r"|(?P<until>(?:and|or|und|oder)\s+(?:earlier|before|older|früher)))\b",
    re.IGNORECASE,
)


_WITHOUT_DAYS: dict[PeriodKind, str] = {
    "relative": "counted from today",
    "recurring": "of any year",
    "unclear": "one of two days",
    "fixed": "",
}


class Period(Record, frozen=True):
    """
    A time that a question asks for: a relative one counts from today, a recurring one has no year.
    """

    words: str
    first: date | None
    last: date | None
    start: int = 0
    kind: PeriodKind = "fixed"

    @property
    def end(self) -> int:
        """The place behind it in the text."""
        return self.start + len(self.words)

    def meets(self, first: str, last: str) -> bool:
        """True of days, as `2025-01-31`, of which some lie in it, as far as it is known."""
        return first <= str(self.last or date.max) and str(self.first or date.min) <= last

    def __str__(self) -> str:
        if self.first and self.last:
            return f"from {self.first} to {self.last}"
        if self.first or self.last:
            return f"from {self.first} on" if self.first else f"until {self.last}"
        return _WITHOUT_DAYS[self.kind]


def periods_of(text: str, today: date | None = None) -> Iterator[Period]:
    """Periods of a text; those that count from today have their days where it is given."""
    times = _with_years(text, times_in(text))
    place = 0
    while place < len(times):
        time = times[place]
        if place + 1 < len(times) and _is_range(text, time, times[place + 1]):
            yield _range(text, time, times[place + 1], today)
            place += 1
        else:
            yield _period(text, time, today)
        place += 1


def _with_years(text: str, times: Sequence[Time]) -> list[Time]:
    """The times, each that lacks a year with that of the one which it is listed with."""
    found: list[Time] = []
    for time in reversed(times):
        after = found[0] if found else None
        between = text[time.end : after.start] if after else ""
        if (
            after
            and after.number
            and time.lacks_year
            and (_TO.fullmatch(between) or _LISTED.fullmatch(between))
        ):
            time = replace(time, year=after.year, offset=after.offset)  # noqa: PLW2901 - the same time
        found.insert(0, time)
    return found


def _is_range(text: str, time: Time, after: Time) -> bool:
    between = text[time.end : after.start]
    is_between = bool(_AND.fullmatch(between) and _BETWEEN.search(text[: time.start]))
    return is_between or bool(_TO.fullmatch(between))


def _range(text: str, time: Time, after: Time, today: date | None) -> Period:
    found = _FROM.search(text[: time.start])
    start = found.start() if found else time.start
    first, last = time.days(today), after.days(today)
    if first and last and first[0] > last[1] and time.number and time.year:
        # November to February 2024 begins the year before.
        first = replace(time, year=time.year - 1).days(today)
    if first and last and first[0] > last[1]:
        first, last = last, first
    days = (first and first[0], last and last[1])
    return Period(text[start : after.end], *days, start, _kind(first and last, time, after))


def _period(text: str, time: Time, today: date | None) -> Period:
    days, before = time.days(today), text[max(0, time.start - 40) : time.start]
    kind = _kind(days, time)
    going_on = _GOING_ON.match(text, time.end)
    if going_on:
        bound, start, end = going_on.lastgroup or "", time.start, going_on.end()
    else:
        matches = ((bound, pattern.search(before)) for bound, pattern in _OPENING)
        bound, found = next(((bound, found) for bound, found in matches if found), ("", None))
        start, end = (time.start - len(before) + found.start() if found else time.start), time.end
    if bound in _PART_OF_DAY and _CLOCK.search(text[time.start : time.end]):
        bound = _PART_OF_DAY[bound]
    first, last = _bounded(bound, days) if days else (None, None)
    return Period(text[start:end], first, last, start, kind)


def _bounded(bound: str, days: Days) -> tuple[date | None, date | None]:
    first, last = days
    return {
        "since": (first, None),
        "until": (None, last),
        "before": (None, first - _DAY),
        "after": (last + _DAY, None),
    }.get(bound, days)


def _kind(days: object, *times: Time) -> PeriodKind:
    if any(time.offset is not None for time in times):
        return "relative"
    if any(time.unit == "unclear" for time in times):
        return "unclear"
    return "fixed" if days else "recurring"

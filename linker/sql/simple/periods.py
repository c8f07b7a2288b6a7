"""
Periods that questions say in words: enter a question and what it names already, leave all of its periods.

Days, ranges of days and of months, halves, quarters by number or as the last one, the first days of a month. A range
without a year is of the one year that the question names, and narrows that.
"""

import re
from calendar import monthrange
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta

from linker.literals import MONTHS
from linker.mentions import Period
from linker.sql.simple.phrases import NUMBER_WORDS

_MONTH = "|".join(MONTHS)
_ORDER = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": -1}
_YEAR, _DAY, _TO = r"(?P<year>(?:18|19|20)\d\d)", r"\d{1,2}(?:st|nd|rd|th)?", r"(?:to|until|till|and|through|-|–)"
_OF = r"(?: of| in)?,? "
_YEARLESS = re.compile(rf"\b(?P<from>{_MONTH}) {_TO} (?P<to>{_MONTH})\b(?! (?:of )?(?:18|19|20)\d\d)", re.IGNORECASE)


def periods_of(question: str, known: Sequence[Period]) -> tuple[Period, ...]:
    """Those that are said in words, and then what is known already."""
    found = list[Period]()
    for pattern, read in _READ:
        for one in pattern.finditer(question):
            period = read(one)
            if period and not any(period.said in other.said for other in found):
                found.append(period)
    years = {one.first.year for one in known if _is_year(one)}
    if len(years) != 1 or not (ranges := list(_YEARLESS.finditer(question))):
        return (*found, *known)
    narrow = [_months(one.group(), one["from"], one["to"], min(years)) for one in ranges]
    told = [replace(one, first=narrow[0].first, last=narrow[-1].last) if _is_year(one) else one for one in known]
    return (*found, *narrow, *told)


def year_before(period: Period) -> Period:
    """The same days one year before."""
    return Period(period.said, *(_earlier(day) for day in (period.first, period.last)))


def _earlier(day: date) -> date:
    last = monthrange(day.year - 1, day.month)[1]
    is_last = (day + timedelta(days=1)).day == 1
    return date(day.year - 1, day.month, last if is_last else min(day.day, last))


def _is_year(period: Period) -> bool:
    return period.said.isdigit()


def _month_number(name: str) -> int:
    return MONTHS.index(name.lower()) + 1


def _months(said: str, first: str, last: str, year: int) -> Period:
    start, end = _month_number(first), _month_number(last)
    return Period(said, date(year, start, 1), date(year, end, monthrange(year, end)[1]))


def _range_of_months(found: re.Match[str]) -> Period | None:
    if _month_number(found["from"]) > _month_number(found["to"]):
        return None
    return _months(found.group(), found["from"], found["to"], int(found["year"]))


def _days(found: re.Match[str]) -> Period | None:
    """One day, or from one to another of the same month."""
    parts = found.groupdict()
    first = int(re.sub(r"\D", "", parts["day"]))
    last = int(re.sub(r"\D", "", parts.get("last") or parts["day"]))
    year, month = int(found["year"]), _month_number(found["month"])
    if not 1 <= first <= last <= monthrange(year, month)[1]:
        return None
    return Period(found.group(), date(year, month, first), date(year, month, last))


def _first_days(found: re.Match[str]) -> Period | None:
    count = int(found["count"]) if found["count"].isdigit() else NUMBER_WORDS.get(found["count"].lower(), 0)
    year, month = int(found["year"]), _month_number(found["month"])
    days = monthrange(year, month)[1]
    count *= 7 if found["unit"].lower().startswith("week") else 1
    if not 0 < count <= days:
        return None
    is_last = found["end"].lower() == "last"
    first = days - count + 1 if is_last else 1
    return Period(found.group(), date(year, month, first), date(year, month, first + count - 1))


def _part_of_year(found: re.Match[str]) -> Period | None:
    """A half or a quarter."""
    months = 6 if found["unit"].lower() == "half" else 3
    parts, number = 12 // months, _ORDER[found["nth"].lower()]
    number = parts if number < 0 else number
    if number > parts:
        return None
    year = int(found["year"])
    after = date(year + 1, 1, 1) if number == parts else date(year, number * months + 1, 1)
    return Period(found.group(), date(year, (number - 1) * months + 1, 1), after - timedelta(days=1))


def _patterns() -> Iterator[tuple[re.Pattern[str], Callable[[re.Match[str]], Period | None]]]:
    nth = "|".join(_ORDER)
    for text, read in (
        (rf"\b(?P<from>{_MONTH}) {_TO} (?P<to>{_MONTH}){_OF}{_YEAR}\b", _range_of_months),
        (rf"\b(?P<day>{_DAY}) ?{_TO} ?(?P<last>{_DAY})(?: of)? (?P<month>{_MONTH}),? {_YEAR}\b", _days),
        (rf"\b(?P<month>{_MONTH}) (?P<day>{_DAY}) ?{_TO} ?(?P<last>{_DAY}),? {_YEAR}\b", _days),
        (rf"\b(?P<day>{_DAY})(?: of)? (?P<month>{_MONTH}),? {_YEAR}\b", _days),
        (rf"\b(?P<month>{_MONTH}) (?P<day>{_DAY}),? {_YEAR}\b", _days),
        (
            rf"\b(?P<end>first|last) (?P<count>\d+|{'|'.join(NUMBER_WORDS)}) (?P<unit>days|weeks)"
            rf"{_OF}(?P<month>{_MONTH}),? {_YEAR}\b",
            _first_days,
        ),
        (rf"\b(?P<nth>{nth}) (?P<unit>half|quarter){_OF}{_YEAR}\b", _part_of_year),
    ):
        yield re.compile(text, re.IGNORECASE), read


_READ = tuple(_patterns())

"""
Time expressions of a question in English and German, resolved to periods.

A period has its first and last day as far as known: "since 2019" has no last day, "last quarter"
needs a reference date. Each kind of expression is a pattern with a reader; earlier patterns win.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta
from functools import cache
from typing import Literal

from msgspec.structs import replace

from linker.text.quoted_and_codes import NUMBER_WORDS, WORDS_OF_NUMBERS, is_measured
from linker.text.values import YEAR_NUMBER, month_number
from linker.text.words import word_values
from linker.types import Record

Days = tuple[date, date]
_MONTHS = {"month": 1, "named month": 1, "quarter": 3, "half": 6, "year": 12}
_DAYS = {"day": 1, "week": 7}
_SATURDAY = 5

_Match = re.Match[str]

_MONTH = (
    r"(?P<month>(?:jan(?:uary|uar)?|feb(?:ruary|ruar)?|mar(?:ch)?|märz|apr(?:il)?|may|mai|june?|juni|jul[yi]?"
    r"|aug(?:ust)?|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?)\b)(?:\.(?=\s*\d))?"
)
_RELATIVE = (
    r"(?:(?P<past>last|previous|prior|past|letzt\w{1,2}|vorig\w{1,2}|vergangen\w{1,2})"
    r"|(?P<now>this|current|dies\w{1,2}|aktuell\w{1,2}|laufend\w{1,2})"
    r"|(?P<next>next|coming|upcoming|nächst\w{1,2}|kommend\w{1,2}))"
)
_OFFSETS = {"past": -1, "now": 0, "next": 1}
_GAP = (
    r"(?:\s*,\s*|\s*[-/]\s*|\s+)(?:(?:of|in|from|im|des|von)\s+)?"
    r"(?:(?:the\s+)?(?:(?:fiscal|calendar)\s+)?(?:year|jahre?s?)\s+)?"
)
_PLAIN_YEAR = rf"(?<![\d-])(?P<year>{YEAR_NUMBER})"
_YEAR = rf"(?P<year>{YEAR_NUMBER})(?!\d|-\d)"
_ALONE_YEAR = rf"(?:(?<![\d.,/$€£#-])|(?<=\d{{4}}-))(?P<year>{YEAR_NUMBER})(?![\d%]|[.,:/]\d|-\d(?!\d{{3}}\b))"  # noqa: E501
_OWN_YEAR = rf"(?:{_GAP}{_YEAR}|\s+(?:(?:of|in|im|des)\s+)?(?:the\s+)?{_RELATIVE}\s+(?:year|jahr(?:es|e)?)\b)"  # noqa: E501
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th|\.)?"
_LAST_DAY = r"(?P<last_day>\d{1,2})(?:st|nd|rd|th|\.)?"
_TO_DAY = (
    r"\s*(?:-|–|\bto\b|\bthrough\b|\buntil\b|\band\b|\bbis(?:\s+zum)?\b|\bund\b)\s*(?:the\s+)?"
)
_ORDINAL = (
    r"(?:(?P<n1>first|1st|1\.|erst\w{1,2})|(?P<n2>second|2nd|2\.|zweit\w{1,2})|(?P<n3>third|3rd|3\.|dritt\w{1,2})"
    r"|(?P<n4>fourth|4th|4\.|viert\w{1,2}))"
)
_SLASHED = re.compile(rf"(?<!\d)(\d{{1,2}})[/-](\d{{1,2}})[/-]{YEAR_NUMBER}(?!\d)")
_CLOCK = r"(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?)?"
_FINAL = r"(?P<final>last|final|letzt\w{1,2})"
_QUARTER = r"\s+(?:quarter|quartals?)\b"
_HALF = r"\s+(?:half|halbjahre?s?)\b"
_UNIT = (
    r"(?P<unit>days?|weekends?|weeks?|months?|quarters?|years?|decades?|wochenenden?|tage?n?|wochen?|monate?[ns]?"
    r"|quartale?[ns]?|jahre?[ns]?|jahrzehnt\w*)\b"
)
_UNITS = {unit[:2]: unit for unit in ("day", "week", "month", "quarter", "year", "decade")}
_UNITS |= {"ta": "day", "wo": "week", "ja": "year"}
_COUNT = rf"(?P<count>\d{{1,3}}|{WORDS_OF_NUMBERS})"
_WEEKDAY = (
    r"(?P<weekday>(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
    r"|(?:mon|diens|donners|frei|sams|sonn)tage?n?s?|mittwochs?)\b"
)
_WEEKDAYS = ("mo", "tudi", "wemi", "thdo", "fr", "sa", "suso")
# Month names that are also words.
_FRAGILE = frozenset(("may", "march", "april", "june", "august"))
_BEFORE_A_MONTH = re.compile(
    r"(?:\b(?:in|im|of|since|seit|until|till?|through|bis|during|for|from|von|vom|to|ab|by|before|after|between"
    r"|zwischen|and|und|or|oder|every|each|jeden|last|next|this|vs)|[-–,(])\s*$",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    r"(?:\b(?:id|number|no\.?|nr\.?|code|order|ticket|invoice|room|flight|zip|plz)|#)\s*$", re.I
)
_COMPARED_TIME = re.compile(
    r"\b(?:later|earlier|newer|older|up|bis|bis\s+zu[mr]?|früher|später|neuer|älter)(?:\s+(?:than|als|to))?\s+$",
    re.IGNORECASE,
)
_OF_A_PERSON = re.compile(
    r"\b(?:their|his|her|your)\s+(?:(?:mid|early|late)\W)?\s*$", re.IGNORECASE
)

PeriodKind = Literal["fixed", "relative", "recurring", "unclear"]
_ONE_DAY = timedelta(days=1)
_END = r"\s*(?:(?:the\s+)?(?:start|beginning|end)\s+of\s+|anfang\s+|ende\s+)?(?:the\s+(?:year\s+)?|de[mnr]\s+|zum\s+)?"  # noqa: E501
_TO = re.compile(
    rf"\s*(?:-|–|—|\bto\b|\bthrough\b|\buntil\b|\btill\b|\bbis\b){_END}\s*", re.IGNORECASE
)
_AND = re.compile(rf"\s*,?\s*\b(?:and|und)\b{_END}\s*", re.IGNORECASE)
_LISTED = re.compile(
    r"\s*(?:,|&|/|,?\s*\b(?:and|or|und|oder|vs\.?|versus|to|with|mit)\b)\s*(?:the\s+|in\s+)?", re.I
)
_BETWEEN = re.compile(rf"\b(?:between|zwischen){_END}\s*$", re.IGNORECASE)
_FROM = re.compile(rf"\b(?:between|from|zwischen|vo[nm]){_END}\s*$", re.IGNORECASE)
_OF_YEAR = rf"\s+(?:the\s+)?{_END}(?:year\s+)?(?:jahr\s+)?"
_OPENING = tuple(
    (bound, re.compile(rf"\b(?:{words}){_OF_YEAR}$", re.IGNORECASE))
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
_CLOCK_TIME = re.compile(r"\d:\d\d")
# Before or after a time of day leaves part of the day.
_PART_OF_DAY = {"before": "until", "after": "since"}
# What follows an open-ended `2023 on`, and `from`; otherwise `on` belongs to the next words.
_AFTER_ON = re.compile(
    r"\s*(?:$|[.,;:?!)–]|-\s|(?:how|what|which|who|whose|when|where|is|are|was|were|did|does|do|has|have|had|can|could"
    r"|will|would|should|by|per|we|i|you|they|there|only|show|list|give|count|grouped|sorted|split|excluding)\b)",
    re.I,
)
_AFTER_FROM_ON = re.compile(r"\s+(?:for|in|at|with|and|or|but|to|of|until)\b(?!-)", re.I)
_STARTING = re.compile(
    r"\b(?:from|since|starting|beginning|as\s+of|vo[nm])\s+(?:(?:in|from|the|year)\s+)*$", re.I
)
_WITHIN = re.compile(r"\b(?:in|during|within|of|for)\s+(?:the\s+)?(?:year\s+)?$", re.I)
_GOING_ON = re.compile(
    r"\s*(?:(?P<since>(?:(?P<on>on)\b|onwards?|(?:and|or|und|oder)\s+(?:later|after|newer|onwards?|später)))"
    r"|(?P<until>(?:and|or|und|oder)\s+(?:earlier|before|older|früher)))\b",
    re.IGNORECASE,
)
_WITHOUT_DAYS: dict[PeriodKind, str] = {
    "relative": "counted from today",
    "recurring": "of any year",
    "unclear": "one of two days",
    "fixed": "",
}


class Time(Record, frozen=True):
    """
    A time unit from day to century with its position.

    `number` counts the unit in its year, `day` in month `number`; `count` is the length in units.
    `offset` is relative to the current year if there is a number, else to the current unit.
    """

    start: int
    end: int
    unit: str
    number: int = 0
    year: int | None = None
    offset: int | None = None
    day: int = 0
    last_day: int = 0
    count: int = 0

    @property
    def lacks_year(self) -> bool:
        """Whether it may take the year of the next expression."""
        return (
            self.number > 0 and self.unit != "unclear" and self.year is None and self.offset is None
        )

    def days(self, today: date | None) -> Days | None:
        """First and last day; None without a year, if invalid, or if relative without `today`."""
        try:
            if self.number and self.year is None and self.offset is not None and today:
                return _numbered(self, self._year_from(today))
            if self.year is not None:
                return _numbered(self, self.year)
            return _counted_from(self, today) if today and self.offset is not None else None
        except (ValueError, OverflowError):
            return None

    def _year_from(self, today: date) -> int:
        offset = self.offset or 0
        if self.unit != "named month":
            return today.year + offset
        # In August, last July is this year's.
        is_there = today.month > self.number if offset < 0 else today.month >= self.number
        return today.year + offset + (is_there if offset < 0 else 0) - (offset > 0 and not is_there)

    @property
    def is_possible(self) -> bool:
        """Whether the date exists in some year."""
        return not self.number or self.unit == "unclear" or _with_year(self).days(None) is not None


def _with_year(time: Time) -> Time:
    """With its year, or a leap year with 53 weeks."""
    return replace(time, year=time.year or 2020, offset=None)


def _numbered(time: Time, year: int) -> Days:
    if time.unit == "day":
        return date(year, time.number, time.day), date(year, time.number, time.last_day or time.day)
    if time.unit == "week":
        monday = date.fromisocalendar(year, time.number, 1)
        return monday, monday + timedelta(days=6)
    if time.unit in _MONTHS:
        months = _MONTHS[time.unit]
        return _months(year, max(0, time.number - 1) * months, months * (time.count or 1))
    return date(year, 1, 1), date(year + (9 if time.unit == "decade" else 99), 12, 31)


def _counted_from(time: Time, today: date) -> Days:
    offset = time.offset or 0
    if time.count:
        return _rolling(time, today, -time.count if offset < 0 else time.count)
    if time.unit in _MONTHS:
        months = _MONTHS[time.unit]
        month = (today.month - 1) // months * months + offset * months
        return _months(today.year, month, months)
    if time.unit == "to date":
        return date(today.year, 1, 1), today
    if time.unit == "weekday":
        back = (today.weekday() - time.day) % 7 or 7
        day = (
            today - timedelta(days=back)
            if offset < 0
            else today + timedelta(days=(time.day - today.weekday()) % 7)
        )
        return day, day
    if time.unit in ("week", "weekend"):
        monday = today - timedelta(days=today.weekday() - 7 * offset)
        return monday + timedelta(
            days=_SATURDAY if time.unit == "weekend" else 0
        ), monday + timedelta(days=6)
    day = today + timedelta(days=offset)
    return day, day


def _rolling(time: Time, today: date, count: int) -> Days:
    """Units ending today or starting tomorrow."""
    if time.unit in _DAYS:
        other = today + timedelta(days=count * _DAYS[time.unit])
    else:
        index = today.year * 12 + today.month - 1 + count * _MONTHS.get(time.unit, 120)
        first = date(index // 12, index % 12 + 1, 1)
        other = min(
            first + timedelta(days=today.day - 1), _months(first.year, first.month - 1, 1)[1]
        )
    return (other + _ONE_DAY, today) if count < 0 else (today + _ONE_DAY, other)


def _months(year: int, month: int, count: int) -> Days:
    """Months from a zero-based month that may be in another year."""
    first, after = year * 12 + month, year * 12 + month + count
    end = date(after // 12, after % 12 + 1, 1) - _ONE_DAY
    return date(first // 12, first % 12 + 1, 1), end


_Reader = Callable[[_Match, str], Time | None]


def times_in(text: str) -> list[Time]:
    """Times in a text, without nested ones."""
    times, rest = list[Time](), text
    for pattern, read in _patterns():
        for match in pattern.finditer(rest):
            time = read(match, text)
            if time and time.is_possible:
                times.append(time)
                rest = f"{rest[: time.start]}{'·' * (time.end - time.start)}{rest[time.end :]}"
    return sorted(times, key=lambda time: time.start)


def _of(unit: str) -> _Reader:
    """A reader of times of a unit, from named groups."""

    def read(match: _Match, _text: str) -> Time | None:
        given = {name: words for name, words in match.groupdict().items() if words}
        if given.get("month") == "may" and not {"year", "past", "now", "next"} & {*given}:
            return None
        number = (
            int(given.get("number", 0))
            or month_number(given.get("month", ""))
            or _ordinal(given, unit)
        )
        year = int(given["year"]) if "year" in given else None
        first, last = int(given.get("day", 0)), int(given.get("last_day", 0))
        return Time(*match.span(), unit, number, year, _offset(match), first, last)

    return read


def _ordinal(given: dict[str, str], unit: str) -> int:
    if "final" in given:
        return 4 if unit == "quarter" else 2
    return next((number for number in range(1, 5) if f"n{number}" in given), 0)


def _offset(match: _Match) -> int | None:
    given = match.groupdict()
    return next((offset for name, offset in _OFFSETS.items() if given.get(name)), None)


def _day_in_numbers(match: _Match, text: str) -> Time | None:
    """5.3.2024 is 5 March; 5/3/2024 is ambiguous unless another date decides."""
    first, second, year = int(match["first"]), int(match["second"]), int(match["year"])
    others = [(int(day[1]), int(day[2])) for day in _SLASHED.finditer(text)]
    is_month_first = match["mark"] != "." and any(last > 12 for _, last in others)
    is_unclear = (
        match["mark"] != "." and not is_month_first and all(start <= 12 for start, _ in others)
    )
    if is_unclear and first != second:
        return Time(*match.span(), "unclear", 1)
    month, day = (first, second) if is_month_first else (second, first)
    return Time(*match.span(), "day", month, year, day=day)


def _month_alone(match: _Match, text: str) -> Time | None:
    """A month without a year; ambiguous words (may) need a preposition."""
    name, offset = match["month"].casefold(), _offset(match)
    is_short = len(name) == 3 and name not in ("may", "mai")
    is_else = (
        name in _FRAGILE and offset is None and not _BEFORE_A_MONTH.search(text[: match.start()])
    )
    unit = "month" if offset is None else "named month"
    return (
        None
        if is_short or is_else
        else Time(*match.span(), unit, month_number(name), offset=offset)
    )


def _first_months(match: _Match, _text: str) -> Time | None:
    count = _counted(match)
    first = 13 - count if match["final"] else 1
    return (
        Time(*match.span(), "month", first, int(match["year"]), count=count)
        if 1 <= count <= 12
        else None
    )


def _counted(match: _Match) -> int:
    words = match["count"] or ""
    return int(words) if words.isdigit() else NUMBER_WORDS.get(words.casefold(), 0)


def _unit_of(match: _Match) -> str:
    words = match["unit"].casefold()
    return "weekend" if words.startswith(("weekend", "wochenend")) else _UNITS[words[:2]]


def _from_today(match: _Match, _text: str) -> Time | None:
    count, unit = _counted(match), _unit_of(match)
    # The past year ends today; last year did not.
    count = count or int(match["past"] is not None and match["past"].casefold() == "past")
    return Time(*match.span(), unit, offset=_offset(match), count=0 if unit == "weekend" else count)


def _ago(match: _Match, _text: str) -> Time | None:
    return Time(*match.span(), _unit_of(match), offset=-(_counted(match) or 1))


def _named_day(match: _Match, _text: str) -> Time | None:
    days = {"vorgestern": -2, "yesterday": -1, "gestern": -1, "tomorrow": 1}
    return Time(*match.span(), "day", offset=days.get(match[0].casefold(), 0))


def _to_date(match: _Match, _text: str) -> Time | None:
    return Time(*match.span(), "to date", offset=0)


def _weekday(match: _Match, _text: str) -> Time | None:
    start = match["weekday"].casefold()[:2]
    day = next(
        position for position, starts in enumerate(_WEEKDAYS) if start in (starts[:2], starts[2:])
    )
    return Time(*match.span(), "weekday", offset=_offset(match), day=day)


def _year_alone(match: _Match, text: str) -> Time | None:
    before = text[: match.start()]
    is_compared = is_measured(text, *match.span()) and not _COMPARED_TIME.search(before)
    is_number = is_compared or _NUMBERED.search(before)
    return None if is_number else Time(*match.span(), "year", year=int(match["year"]))


def _two_years(match: _Match, _text: str) -> Time | None:
    """2019/20 and 2023-24 are two years."""
    year, second = int(match[1]), int(match[2])
    return Time(*match.span(), "year", year=year, count=2) if second == (year + 1) % 100 else None


def _decade(match: _Match, text: str) -> Time | None:
    words = match[0].casefold()
    if _OF_A_PERSON.search(text[: match.start()]):
        return None
    by_word = (number for start, number in word_values("decades").items() if start in words)
    given = match.groupdict()
    tens = int(given.get("tens") or next(by_word, 0))
    century = int(given.get("century") or (20 if tens < 2 else 19))
    return Time(*match.span(), "decade", year=century * 100 + tens * 10)


def _century(match: _Match, _text: str) -> Time | None:
    return Time(*match.span(), "century", year=int(match[1]) * 100 - 99)


# fmt: off
_PATTERNS: tuple[tuple[str, _Reader], ...] = (
    (rf"{_PLAIN_YEAR}(?P<mark>[-/.])(?P<number>\d{{1,2}})(?P=mark)(?P<day>\d{{1,2}})(?!\d){_CLOCK}", _of("day")),  # noqa: E501
    (rf"(?<![\d.])(?P<first>\d{{1,2}})(?P<mark>[./-])(?P<second>\d{{1,2}})(?P=mark){_YEAR}", _day_in_numbers),  # noqa: E501
    (r"(?<![\d.])(?P<day>\d{1,2})\.(?P<number>0?[1-9]|1[0-2])\.(?=\s|$)", _of("day")),
    (rf"\b{_DAY}{_TO_DAY}{_LAST_DAY}\s*(?:of\s+)?{_MONTH}{_OWN_YEAR}?", _of("day")),
    (rf"\b{_MONTH}\s+{_DAY}{_TO_DAY}{_LAST_DAY}(?!\d){_OWN_YEAR}?", _of("day")),
    (rf"\b{_DAY}\s*(?:of\s+)?{_MONTH}{_OWN_YEAR}?", _of("day")),
    (rf"\b{_MONTH}\s+{_DAY}(?![\d:]){_OWN_YEAR}?", _of("day")),
    (rf"\b{_MONTH}{_OWN_YEAR}", _of("month")),
    (rf"{_PLAIN_YEAR}-(?P<number>0[1-9]|1[0-2])(?![\d-])", _of("month")),
    (rf"(?<![\d/])(?P<number>0?[1-9]|1[0-2])/{_YEAR}(?!/)", _of("month")),
    (rf"{_PLAIN_YEAR}-?W(?P<number>\d{{1,2}})\b", _of("week")),
    (rf"\b(?:(?:calendar\s+)?week|kw|kalenderwoche)\s+(?P<number>\d{{1,2}})\b{_OWN_YEAR}?", _of("week")),  # noqa: E501
    (rf"\bq(?P<number>[1-4])\b{_OWN_YEAR}?", _of("quarter")),
    (rf"{_PLAIN_YEAR}[\s-]?q(?P<number>[1-4])\b", _of("quarter")),
    (rf"(?<!\w){_ORDINAL}{_QUARTER}{_OWN_YEAR}?", _of("quarter")),
    (rf"\b{_FINAL}{_QUARTER}{_GAP}{_YEAR}", _of("quarter")),
    (rf"\bh(?P<number>[12])\b{_OWN_YEAR}", _of("half")),
    (rf"(?<!\w)(?:{_ORDINAL}|{_FINAL}){_HALF}{_OWN_YEAR}", _of("half")),
    (rf"\b(?:first|ersten|{_FINAL})\s+{_COUNT}\s+(?:months|monate)\b{_GAP}{_YEAR}", _first_months),
    (r"(?<!\d)(?P<century>1[89]|20)(?P<tens>\d)0['’]?(?:s|er)\b(?:\s+jahren?)?", _decade),
    (r"(?:(?<=\bthe )|['’])(?P<tens>\d)0['’]?s\b", _decade),
    (r"\b(?P<tens>\d)0er\s+jahren?\b", _decade),
    (r"\b(?:twent|thirt|fort|fift|sixt|sevent|eight|ninet)ies\b", _decade),
    (r"\b(?:zwanzig|dreißig|dreissig|vierzig|fünfzig|sechzig|siebzig|achtzig|neunzig)er(?:\s+jahren?)?\b", _decade),  # noqa: E501
    (r"\b(\d{1,2})(?:(?:st|nd|rd|th)\s+century|\.\s+jahrhunderts?)\b", _century),
    (rf"\b{_RELATIVE}\s+(?:{_COUNT}\s+)?(?:(?:full|complete|calendar)\s+)?{_UNIT}", _from_today),
    (rf"\b(?:{_COUNT}|an?)\s+{_UNIT}\s+ago\b", _ago),
    (rf"\bvor\s+(?:{_COUNT}|einem|einer)\s+{_UNIT}", _ago),
    (r"\b(?:today|yesterday|tomorrow|heute|vorgestern|gestern)\b", _named_day),
    (r"\b(?:year[\s-]to[\s-]date|ytd)\b", _to_date),
    (rf"\b(?:{_RELATIVE}\s+)?{_WEEKDAY}", _weekday),
    (r"\b(?P<unit>weekends?|wochenenden?)\b", _of("weekend")),
    (rf"(?<![\d.,/$€£#-])({YEAR_NUMBER})[-–/](\d\d)(?!\d)", _two_years),
    (rf"(?:\b(?:fiscal|fy|calendar)\s*(?:year\s+)?)?{_ALONE_YEAR}", _year_alone),
    (rf"\b(?:{_RELATIVE}\s+)?{_MONTH}(?!\s+\d)", _month_alone),
)
# fmt: on


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], _Reader], ...]:
    """Compiled on first use, which takes longer than all imports here."""
    return tuple((re.compile(pattern, re.IGNORECASE), read) for pattern, read in _PATTERNS)


class Period(Record, frozen=True):
    """A requested period; relative ones depend on today, recurring ones have no year."""

    words: str
    first: date | None
    last: date | None
    start: int = 0
    kind: PeriodKind = "fixed"

    @property
    def end(self) -> int:
        """End position."""
        return self.start + len(self.words)

    @property
    def has_time_of_day(self) -> bool:
        """Whether its words are more exact than its days."""
        return bool(_CLOCK_TIME.search(self.words))

    def meets(self, first: str, last: str) -> bool:
        """Whether a range of days (`2025-01-31`) overlaps it, as far as known."""
        return first <= str(self.last or date.max) and str(self.first or date.min) <= last

    @property
    def bounds(self) -> str:
        """A half-open condition that includes times on the last day."""
        bounds = [f">= {self.first}"] if self.first else []
        if self.last and self.last < date.max:
            bounds.append(f"< {self.last + _ONE_DAY}")
        return " and ".join(bounds) or _WITHOUT_DAYS[self.kind]

    def __str__(self) -> str:
        if self.first and self.last:
            return f"from {self.first} to {self.last}"
        if self.first or self.last:
            return f"from {self.first} on" if self.first else f"until {self.last}"
        return _WITHOUT_DAYS[self.kind]


def periods_of(text: str, today: date | None = None) -> Iterator[Period]:
    """Periods in a text; relative ones are resolved if `today` is given."""
    times = _with_years(text, times_in(text))
    position = 0
    while position < len(times):
        time = times[position]
        if position + 1 < len(times) and _is_range(text, time, times[position + 1]):
            yield _range(text, time, times[position + 1], today)
            position += 1
        else:
            yield _period(text, time, today)
        position += 1


def _with_years(text: str, times: Sequence[Time]) -> list[Time]:
    """Times with missing years taken from others in the same list."""
    match: list[Time] = []
    for time in reversed(times):
        after = match[0] if match else None
        between = text[time.end : after.start] if after else ""
        if (
            after
            and after.number
            and time.lacks_year
            and (_TO.fullmatch(between) or _LISTED.fullmatch(between))
        ):
            time = replace(time, year=after.year, offset=after.offset)  # noqa: PLW2901 - the same time
        match.insert(0, time)
    return match


def _is_range(text: str, time: Time, after: Time) -> bool:
    between = text[time.end : after.start]
    is_between = bool(_AND.fullmatch(between) and _BETWEEN.search(text[: time.start]))
    return is_between or bool(_TO.fullmatch(between))


def _range(text: str, time: Time, after: Time, today: date | None) -> Period:
    match = _FROM.search(text[: time.start])
    start = match.start() if match else time.start
    first, last = time.days(today), after.days(today)
    if first and last and first[0] > last[1] and time.number and time.year:
        # November to February 2024 starts in 2023.
        first = replace(time, year=time.year - 1).days(today)
    if first and last and first[0] > last[1]:
        first, last = last, first
    days = (first and first[0], last and last[1])
    return Period(text[start : after.end], *days, start, _kind(first and last, time, after))


def _period(text: str, time: Time, today: date | None) -> Period:
    days, before = time.days(today), text[max(0, time.start - 40) : time.start]
    kind = _kind(days, time)
    going_on = _GOING_ON.match(text, time.end)
    if going_on and (not going_on["on"] or _means_onwards(before, text[going_on.end() :])):
        bound, start, end = "since" if going_on["since"] else "until", time.start, going_on.end()
    else:
        matches = ((bound, pattern.search(before)) for bound, pattern in _OPENING)
        bound, match = next(((bound, match) for bound, match in matches if match), ("", None))
        start, end = (time.start - len(before) + match.start() if match else time.start), time.end
    if bound in _PART_OF_DAY and _CLOCK_TIME.search(text[time.start : time.end]):
        bound = _PART_OF_DAY[bound]
    first, last = _bounded(bound, days) if days else (None, None)
    return Period(text[start:end], first, last, start, kind)


def _means_onwards(before: str, after: str) -> bool:
    """Whether `on` belongs to the preceding time ("from 2019 on")."""
    is_starting = bool(_STARTING.search(before))
    if not is_starting and _WITHIN.search(before):
        return False
    return bool(_AFTER_ON.match(after) or (is_starting and _AFTER_FROM_ON.match(after)))


def _bounded(bound: str, days: Days) -> tuple[date | None, date | None]:
    first, last = days
    return {
        "since": (first, None),
        "until": (None, last),
        "before": (None, first - _ONE_DAY),
        "after": (last + _ONE_DAY, None),
    }.get(bound, days)


def _kind(days: object, *times: Time) -> PeriodKind:
    if any(time.offset is not None for time in times):
        return "relative"
    if any(time.unit == "unclear" for time in times):
        return "unclear"
    return "fixed" if days else "recurring"

"""
Times as people say them, in English and German: enters a question, leave the times that it names,
in their order.

Each way to say a time is a pattern with a reader; those that come first take what they find from
those behind.
"""

import re
from collections.abc import Callable
from functools import cache

from linker.text.dates import YEAR_NUMBER, month_number
from linker.text.quantities import NUMBER_WORDS, WORDS_OF_NUMBERS, is_measured
from linker.text.times import Time
from linker.text.words import word_values

_Found = re.Match[str]
_Reader = Callable[[_Found, str], Time | None]
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
_ALONE_YEAR = rf"(?:(?<![\d.,/$€£#-])|(?<=\d{{4}}-))(?P<year>{YEAR_NUMBER})(?![\d%]|[.,:/]\d|-\d(?!\d{{3}}\b))"
_OWN_YEAR = rf"(?:{_GAP}{_YEAR}|\s+(?:(?:of|in|im|des)\s+)?(?:the\s+)?{_RELATIVE}\s+(?:year|jahr(?:es|e)?)\b)"
_DAY, _LAST_DAY = (rf"(?P<{name}>\d{{1,2}})(?:st|nd|rd|th|\.)?" for name in ("day", "last_day"))
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
# Words that are names of months and of something else.
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


def times_in(text: str) -> list[Time]:
    """The times that a text names, none inside of another."""
    found, rest = list[Time](), text
    for pattern, read in _patterns():
        for match in pattern.finditer(rest):
            time = read(match, text)
            if time and time.is_possible:
                found.append(time)
                rest = f"{rest[: time.start]}{'·' * (time.end - time.start)}{rest[time.end :]}"
    return sorted(found, key=lambda time: time.start)


def _of(unit: str) -> _Reader:
    """A reader of times of a unit, by the names of the groups that a pattern found."""

    def read(found: _Found, _text: str) -> Time | None:
        given = {name: words for name, words in found.groupdict().items() if words}
        if given.get("month") == "may" and not {"year", "past", "now", "next"} & {*given}:
            return None
        number = (
            int(given.get("number", 0))
            or month_number(given.get("month", ""))
            or _ordinal(given, unit)
        )
        year = int(given["year"]) if "year" in given else None
        first, last = int(given.get("day", 0)), int(given.get("last_day", 0))
        return Time(*found.span(), unit, number, year, _offset(found), first, last)

    return read


def _ordinal(given: dict[str, str], unit: str) -> int:
    if "final" in given:
        return 4 if unit == "quarter" else 2
    return next((number for number in range(1, 5) if f"n{number}" in given), 0)


def _offset(found: _Found) -> int | None:
    given = found.groupdict()
    return next((offset for name, offset in _OFFSETS.items() if given.get(name)), None)


def _day_in_numbers(found: _Found, text: str) -> Time | None:
    """
    5.3.2024 is the fifth of March; 5/3/2024 may be the third of May as well, unless another day
    says which.
    """
    first, second, year = int(found["first"]), int(found["second"]), int(found["year"])
    others = [(int(day[1]), int(day[2])) for day in _SLASHED.finditer(text)]
    is_month_first = found["mark"] != "." and any(last > 12 for _, last in others)
    is_unclear = (
        found["mark"] != "." and not is_month_first and all(start <= 12 for start, _ in others)
    )
    if is_unclear and first != second:
        return Time(*found.span(), "unclear", 1)
    month, day = (first, second) if is_month_first else (second, first)
    return Time(*found.span(), "day", month, year, day=day)


def _month_alone(found: _Found, text: str) -> Time | None:
    """
    A month without a year; what is a verb or a name as well needs a word before it that says so.
    """
    name, offset = found["month"].casefold(), _offset(found)
    is_short = len(name) == 3 and name not in ("may", "mai")
    is_else = (
        name in _FRAGILE and offset is None and not _BEFORE_A_MONTH.search(text[: found.start()])
    )
    unit = "month" if offset is None else "named month"
    return (
        None
        if is_short or is_else
        else Time(*found.span(), unit, month_number(name), offset=offset)
    )


def _first_months(found: _Found, _text: str) -> Time | None:
    count = _counted(found)
    first = 13 - count if found["final"] else 1
    return (
        Time(*found.span(), "month", first, int(found["year"]), count=count)
        if 1 <= count <= 12
        else None
    )


def _counted(found: _Found) -> int:
    words = found["count"] or ""
    return int(words) if words.isdigit() else NUMBER_WORDS.get(words.casefold(), 0)


def _unit_of(found: _Found) -> str:
    words = found["unit"].casefold()
    return "weekend" if words.startswith(("weekend", "wochenend")) else _UNITS[words[:2]]


def _from_today(found: _Found, _text: str) -> Time | None:
    count, unit = _counted(found), _unit_of(found)
    # The past year ends today, last year did not.
    count = count or int(found["past"] is not None and found["past"].casefold() == "past")
    return Time(*found.span(), unit, offset=_offset(found), count=0 if unit == "weekend" else count)


def _ago(found: _Found, _text: str) -> Time | None:
    return Time(*found.span(), _unit_of(found), offset=-(_counted(found) or 1))


def _named_day(found: _Found, _text: str) -> Time | None:
    days = {"vorgestern": -2, "yesterday": -1, "gestern": -1, "tomorrow": 1}
    return Time(*found.span(), "day", offset=days.get(found[0].casefold(), 0))


def _to_date(found: _Found, _text: str) -> Time | None:
    return Time(*found.span(), "to date", offset=0)


def _weekday(found: _Found, _text: str) -> Time | None:
    start = found["weekday"].casefold()[:2]
    day = next(place for place, starts in enumerate(_WEEKDAYS) if start in (starts[:2], starts[2:]))
    return Time(*found.span(), "weekday", offset=_offset(found), day=day)


def _year_alone(found: _Found, text: str) -> Time | None:
    before = text[: found.start()]
    is_compared = is_measured(text, *found.span()) and not _COMPARED_TIME.search(before)
    is_number = is_compared or _NUMBERED.search(before)
    return None if is_number else Time(*found.span(), "year", year=int(found["year"]))


def _two_years(found: _Found, _text: str) -> Time | None:
    """2019/20 and 2023-24 are two years."""
    year, second = int(found[1]), int(found[2])
    return Time(*found.span(), "year", year=year, count=2) if second == (year + 1) % 100 else None


def _decade(found: _Found, text: str) -> Time | None:
    words = found[0].casefold()
    if _OF_A_PERSON.search(text[: found.start()]):
        return None
    by_word = (number for start, number in word_values("decades").items() if start in words)
    given = found.groupdict()
    tens = int(given.get("tens") or next(by_word, 0))
    century = int(given.get("century") or (20 if tens < 2 else 19))
    return Time(*found.span(), "decade", year=century * 100 + tens * 10)


def _century(found: _Found, _text: str) -> Time | None:
    return Time(*found.span(), "century", year=int(found[1]) * 100 - 99)


# fmt: off
_PATTERNS: tuple[tuple[str, _Reader], ...] = (
    (rf"{_PLAIN_YEAR}(?P<mark>[-/.])(?P<number>\d{{1,2}})(?P=mark)(?P<day>\d{{1,2}})(?!\d){_CLOCK}", _of("day")),
    (rf"(?<![\d.])(?P<first>\d{{1,2}})(?P<mark>[./-])(?P<second>\d{{1,2}})(?P=mark){_YEAR}", _day_in_numbers),
    (r"(?<![\d.])(?P<day>\d{1,2})\.(?P<number>0?[1-9]|1[0-2])\.(?=\s|$)", _of("day")),
    (rf"\b{_DAY}{_TO_DAY}{_LAST_DAY}\s*(?:of\s+)?{_MONTH}{_OWN_YEAR}?", _of("day")),
    (rf"\b{_MONTH}\s+{_DAY}{_TO_DAY}{_LAST_DAY}(?!\d){_OWN_YEAR}?", _of("day")),
    (rf"\b{_DAY}\s*(?:of\s+)?{_MONTH}{_OWN_YEAR}?", _of("day")),
    (rf"\b{_MONTH}\s+{_DAY}(?![\d:]){_OWN_YEAR}?", _of("day")),
    (rf"\b{_MONTH}{_OWN_YEAR}", _of("month")),
    (rf"{_PLAIN_YEAR}-(?P<number>0[1-9]|1[0-2])(?![\d-])", _of("month")),
    (rf"(?<![\d/])(?P<number>0?[1-9]|1[0-2])/{_YEAR}(?!/)", _of("month")),
    (rf"{_PLAIN_YEAR}-?W(?P<number>\d{{1,2}})\b", _of("week")),
    (rf"\b(?:(?:calendar\s+)?week|kw|kalenderwoche)\s+(?P<number>\d{{1,2}})\b{_OWN_YEAR}?", _of("week")),
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
    (r"\b(?:zwanzig|dreißig|dreissig|vierzig|fünfzig|sechzig|siebzig|achtzig|neunzig)er(?:\s+jahren?)?\b", _decade),
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
    """
    The patterns, compiled when the first question is read: that takes longer than all other imports
    here.
    """
    return tuple((re.compile(pattern, re.IGNORECASE), read) for pattern, read in _PATTERNS)

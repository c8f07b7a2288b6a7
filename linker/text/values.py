"""
Normal forms and n-grams of values for fuzzy value search, and the dates that a text may mean.

A normal form is text without case and accents, a number without separators, or a date as
2024-03-05. Month names are English and German, full or abbreviated. Typos are found by n-grams of
the text with one letter deleted: two texts within one insertion, deletion, substitution or
transposition share one, at any length, unlike trigrams. Edit distance is verified afterwards.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain
from zlib import crc32

from linker.text.quoted_and_codes import quoted_texts
from linker.text.words import STOP_WORDS, alnum_key, casefold_ascii, unaccented, word_values

# "Ma" may be March or May.
_SHORTEST_MONTH = 3
YEAR_NUMBER = r"(?:18|19|20)\d\d"
YEAR = re.compile(rf"(?<!\d)({YEAR_NUMBER})(?!\d)")

_YEAR_FIRST = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:[ t]00:00(?::00(?:\.0+)?)?z?)?")
_YEAR_LAST = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4})")
_MONTH_FIRST = re.compile(r"([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})")
_DAY_FIRST = re.compile(r"(\d{1,2})(?:st|nd|rd|th|\.)? (?:of )?([a-z]{3,9})\.?,? (\d{4})")

# Longer texts are not matched as values.
LONGEST_VALUE = 200
# In words of four letters a different letter is a different word: open/oven, male/mile.
_MIN_LETTERS = 5
_MAX_LETTERS = 32
_LETTERS_FOR_TWO_TYPOS = 9
_MAX_TOKENS = 5
_MAX_SPANS = 600
_MAX_TOKENS_WITH_TYPOS = 3
_TOKEN = re.compile(r"\w+(?:[.,:/\-'’&@+]\w+)*")
_POSSESSIVE = re.compile(r"['’]s$")
_HAS_DIGIT = re.compile(r"[0-9]")
_GROUPED = re.compile(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_GROUPED_BY_POINTS = re.compile(r"[+-]?\d{1,3}(?:\.\d{3})+,\d+|[+-]?\d{1,3}(?:\.\d{3}){2,}")
_PLAIN = re.compile(r"[+-]?(?:0|[1-9]\d*)(?:[.,]\d+)?")


@lru_cache(maxsize=1_000)
def month_number(name: str) -> int:
    """The number of a possibly abbreviated month; 0 if it is none."""
    start = unaccented(name).casefold().rstrip(".")
    if len(start) < _SHORTEST_MONTH:
        return 0
    months = word_values("months").items()
    return next((number for month, number in months if unaccented(month).startswith(start)), 0)


def dates_of(text: str) -> Iterator[str]:
    """Possible dates of a lower-case text as 2024-03-05; 5/3/2024 gives two."""
    if match := _YEAR_FIRST.fullmatch(text):
        year, _, month, day = match.groups()
        yield from _date(year, month, day)
    elif match := _YEAR_LAST.fullmatch(text):
        first, _, second, year = match.groups()
        yield from _date(year, first, second)
        yield from _date(year, second, first)
    elif match := _MONTH_FIRST.fullmatch(text):
        name, day, year = match.groups()
        yield from _date(year, month_number(name), day)
    elif match := _DAY_FIRST.fullmatch(text):
        day, name, year = match.groups()
        yield from _date(year, month_number(name), day)


def _date(year: str, month: str | int, day: str) -> Iterator[str]:
    if 1 <= int(month) <= 12 and 1 <= int(day) <= 31:
        yield f"{year}-{int(month):02}-{int(day):02}"


def readings(text: str) -> tuple[str, ...]:
    """Normal forms of a literal: folded text, number, and dates."""
    plain = casefold_ascii(text)
    if not _HAS_DIGIT.search(plain):
        return (plain,)
    return tuple(dict.fromkeys((plain, *_numbers(plain), *dates_of(plain))))


def value_key(text: str) -> str:
    """Comparison key: no case, outer punctuation or double spaces."""
    return " ".join(text.casefold().split()).strip(" .,;:!?'\"()")


def grams(text: str, *, with_typos: bool = True) -> frozenset[int]:
    """32-bit digests of normal forms, letters, and letters with one deleted."""
    letters = alnum_key(text)
    keys = {f"={reading}" for reading in readings(text)}
    if letters:
        keys.add(letters)
    if with_typos and _may_have_typos(letters):
        positions = [position for position, letter in enumerate(letters) if not letter.isdigit()]
        keys.update(letters[:position] + letters[position + 1 :] for position in positions)
    return frozenset(crc32(key.encode("utf-8", "ignore")) - 2**31 for key in keys)


def similarity(span: str, value: str) -> float:
    """How well a span of the question matches a value, from 0 to 1."""
    if not set(readings(span)).isdisjoint(readings(value)):
        return 1.0
    wanted, held = alnum_key(span), alnum_key(value)
    if wanted == held:
        return 0.95 if wanted else 0.0
    if _digits(wanted) != _digits(held) or not (_may_have_typos(wanted) or _may_have_typos(held)):
        return 0.0
    longest = max(len(wanted), len(held))
    distance = edit_distance(wanted, held)
    return (
        0.9 * (1 - distance / longest)
        if distance <= 1 + (longest >= _LETTERS_FOR_TWO_TYPOS)
        else 0.0
    )


def spans(question: str) -> tuple[str, ...]:
    """Quotations, and runs of up to five words."""
    tokens = [match.span() for match in _TOKEN.finditer(question)]
    texts = [text[:LONGEST_VALUE] for text in quoted_texts(question)]
    for count in range(1, _MAX_TOKENS + 1):
        for first, last in zip(tokens, tokens[count - 1 :], strict=False):
            if _says_something(question, first, last):
                texts.append(_POSSESSIVE.sub("", question[first[0] : last[1]]))
    return tuple(dict.fromkeys(texts))[:_MAX_SPANS]


def spans_by_gram(question: str) -> Mapping[int, list[str]]:
    """Spans by n-gram."""
    by_gram: dict[int, list[str]] = defaultdict(list)
    for span in spans(question):
        for gram in grams(span, with_typos=len(_TOKEN.findall(span)) <= _MAX_TOKENS_WITH_TYPOS):
            by_gram[gram].append(span)
    return by_gram


def best_match(value: str, by_gram: Mapping[int, Iterable[str]]) -> tuple[float, str]:
    """The best-matching span with its similarity; ("", 0) if none matches."""
    span_matches = set(chain.from_iterable(by_gram.get(gram, ()) for gram in grams(value)))
    return max(((similarity(span, value), span) for span in span_matches), default=(0.0, ""))


def edit_distance(text: str, other: str) -> int:
    """Insertions, deletions, substitutions and transpositions between two texts."""
    before, last = list(range(len(other) + 1)), list(range(len(other) + 1))
    for row, letter in enumerate(text, start=1):
        current = [row]
        for column, against in enumerate(other, start=1):
            cost = min(last[column] + 1, current[-1] + 1, last[column - 1] + (letter != against))
            if row > 1 and column > 1 and letter == other[column - 2] and text[row - 2] == against:
                cost = min(cost, before[column - 2] + 1)
            current.append(cost)
        before, last = last, current
    return last[-1]


def _may_have_typos(letters: str) -> bool:
    """False for digits, which are never typos, and for few letters."""
    return _MIN_LETTERS <= len(letters) <= _MAX_LETTERS and any(
        not letter.isdigit() for letter in letters
    )


def _digits(text: str) -> str:
    return "".join(letter for letter in text if letter.isdigit())


def _says_something(question: str, first: tuple[int, int], last: tuple[int, int]) -> bool:
    ends = (question[first[0] : first[1]], question[last[0] : last[1]])
    # `IT` and `The Beatles` are values, `it` and `the` are not.
    is_something = all(
        end.casefold() not in STOP_WORDS
        or (len(end) > 1 and (end.isupper() or (end.istitle() and first[0] > 0)))
        for end in ends
    )
    return is_something and (last != first or len(ends[0]) > 1)


def _numbers(text: str) -> Iterator[str]:
    bare = text.strip(" $€£%")
    if _GROUPED.fullmatch(bare):
        bare = bare.replace(",", "")
    elif _GROUPED_BY_POINTS.fullmatch(bare):
        bare = bare.replace(".", "").replace(",", ".")
    elif not _PLAIN.fullmatch(bare):
        return
    integer, _, decimals = bare.replace(",", ".").lstrip("+").partition(".")
    decimals = decimals.rstrip("0")
    yield f"{integer}.{decimals}" if decimals else integer

"""
Parses a question in English or German into quoted texts, codes, periods, numbers and names.

Spans do not overlap; the first kind in this order wins.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import date
from itertools import dropwhile

from msgspec.structs import replace

from linker.text.quoted_and_codes import (
    Mention,
    Number,
    codes,
    identifiers,
    is_measured,
    numbers_of,
    quotations,
    without_marks,
)
from linker.text.time_expressions import Period, periods_of
from linker.text.values import month_number
from linker.text.words import STOP_WORDS, word_list
from linker.types import Record

_WORD = re.compile(r"[^\W\d_][\w&.’'-]*[\w]|[^\W\d_]|&")
_SENTENCE_END = re.compile(r"(?:^|[.!?:;\n])\s*[\"'“„(]*$")
_POSSESSIVE = re.compile(r"['’]s?$")
# German words that usually precede a name, since all nouns are capitalised.
_BEFORE_A_NAME = re.compile(r"\b(?:in|aus|namens)\s+$", re.IGNORECASE)
_AFTER_A_NUMBER = re.compile(r"\d\s*$")
_INSIDE_NAMES = frozenset(("of", "the", "de", "la", "van", "du", "da", "&", "del"))
_UMLAUT = re.compile("[äöüß]")


class ReadText(Record, frozen=True):
    """A text with its mentions, in order."""

    text: str
    things: tuple[Mention, ...]
    periods: tuple[Period, ...]
    numbers: tuple[Number, ...]
    is_german: bool


def _is_period(words: str) -> bool:
    return any(period.words == words for period in periods_of(words))


def read_text(text: str, today: date | None = None) -> ReadText:
    """Parse a text; relative periods are resolved if `today` is given."""
    is_german = _is_german(text)
    quoted = [*quotations(text)]
    # A quoted time is not a time.
    untimed = (thing for thing in quoted if not _is_period(thing.words))
    rest = _without(text, ((thing.start, thing.end) for thing in untimed))
    rest = without_marks(rest)
    rows = [*identifiers(rest)]
    rest = _without(rest, ((code.start, code.end) for code in rows))
    periods = tuple(
        replace(period, words=text[period.start : period.end]) for period in periods_of(rest, today)
    )
    rest = _without(rest, ((period.start, period.end) for period in periods))
    others = [
        code
        for code in codes(rest)
        if not (code.words.isdigit() and is_measured(rest, code.start, code.end))
    ]
    rest = _without(rest, ((code.start, code.end) for code in others))
    numbers = tuple(numbers_of(rest, is_german=is_german))
    names = _names(rest, is_german=is_german)
    things = sorted((*quoted, *rows, *others, *names), key=lambda thing: thing.start)
    return ReadText(text, tuple(things), periods, numbers, is_german)


def _without(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """The text with parsed spans blanked out, at unchanged positions."""
    for start, end in spans:
        text = f"{text[:start]}{'·' * (end - start)}{text[end:]}"
    return text


def _names(text: str, *, is_german: bool) -> Iterator[Mention]:
    """
    Runs of capitalised words; uncertain at the start of a sentence, and for single German nouns.
    """
    words = list(_WORD.finditer(text))
    if _is_a_title(words):
        return
    position = 0
    while position < len(words):
        run = _run(words, position, text)
        if not run:
            position += 1
            continue
        position += len(run)
        first = run[0]
        is_first = bool(_SENTENCE_END.search(text[: first.start()]))
        if is_first and _starts_a_sentence(_POSSESSIVE.sub("", first[0]).casefold()):
            run, is_first = run[1:], False
        if is_first and len(run) > 1 and run[1][0] in _INSIDE_NAMES:
            # `Headcount of IT` starts with a noun.
            run, is_first = run[1:], False
        run = [*dropwhile(lambda word: word[0] in _INSIDE_NAMES, run)]
        if run:
            yield from _name(text, run, is_german=is_german, is_first=is_first)


def _name(
    text: str, run: list[re.Match[str]], *, is_german: bool, is_first: bool
) -> Iterator[Mention]:
    start = run[0].start()
    words = _POSSESSIVE.sub("", text[start : run[-1].end()])
    is_several = len(run) > 1
    is_possessive = len(words) < run[-1].end() - start
    is_noun = is_german and not (
        _BEFORE_A_NAME.search(text[:start]) or (is_several and not is_first)
    )
    # `500 MWh` is a unit; months and stray capitals are no names.
    is_else = bool(_AFTER_A_NUMBER.search(text[:start])) or (
        words.istitle() and _starts_a_sentence(words.casefold())
    )
    is_nothing = not is_several and (is_else or month_number(words) > 0)
    is_sure = not is_noun and not is_nothing and (is_several or is_possessive or not is_first)
    if len(words) > 2 or (len(words) > 1 and words.isupper()):
        yield Mention(words, start, "name", is_sure)


def _run(words: list[re.Match[str]], position: int, text: str) -> list[re.Match[str]]:
    """
    Capitalised words from a position, including small words between them as in `Bank of America`.
    """
    run: list[re.Match[str]] = []
    for index in range(position, len(words)):
        word = words[index]
        if run and text[run[-1].end() : word.start()].strip(" "):
            break
        is_capital = word[0][0].isupper() and word[0].casefold() not in ("i", "i'm")
        if not is_capital and not (run and word[0] in _INSIDE_NAMES):
            break
        run.append(word)
        if is_capital and _POSSESSIVE.search(word[0]):
            break
    while run and not run[-1][0][0].isupper():
        run.pop()
    return run


def _starts_a_sentence(word: str) -> bool:
    return (
        word in STOP_WORDS or word in word_list("starting") or word in word_list("telling_german")
    )


def _is_a_title(words: list[re.Match[str]]) -> bool:
    """Whether nearly all words are capitalised, so that capitals mean nothing."""
    informative = [word[0] for word in words if word[0].casefold() not in STOP_WORDS]
    return len(informative) > 4 and sum(word[0].isupper() for word in informative) > 0.8 * len(
        informative
    )


def _is_german(text: str) -> bool:
    words = {word[0].casefold() for word in _WORD.finditer(text)}
    german = word_list("telling_german")
    return len(words & german) + bool(_UMLAUT.search(text)) > len(
        words & STOP_WORDS - german - word_list("shared")
    )

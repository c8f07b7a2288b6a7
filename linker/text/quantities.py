"""
Numbers of a question: enters its text, leaves each number with what it is there for.

A threshold bounds what is asked for, a count says how many, an amount has a unit; only a plain one
may be a value.
"""

import re
from collections.abc import Iterator
from typing import Literal

from linker.text.words import word_values
from linker.types import Record

Role = Literal["threshold", "count", "amount", "plain"]

NUMBER_WORDS = word_values("numbers")
_TIMES = word_values("multiples")
WORDS_OF_NUMBERS = "|".join(sorted(NUMBER_WORDS, key=len, reverse=True))

_NUMBER = re.compile(
    rf"(?<![\w.,:#'’-])(?:[-+](?=\d))?(?:(\d{{1,3}}(?:[,.]\d{{3}})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?)"
    rf"(?:\s?({'|'.join(_TIMES)})\b)?|({WORDS_OF_NUMBERS})\b)(?!\w|[.,:]\d|-\w)",
    re.IGNORECASE,
)
_BEFORE = r"(?:\s+(?:of|than|als|von|is|the|about|only|exactly|roughly|ca\.?))*\s*[$€£¥]?\s*$"
_COMPARING = (
    r"more|less|fewer|greater|exceed(?:s|ed|ing)?|over|above|under|below|beyond|at\s+least|at\s+most|minimum|maximum"
    r"|min|max|up\s+to|exactly|equals?|\w+er\s+than|mehr|weniger|\w+er\s+als|mindestens|wenigstens|höchstens|maximal"
    r"|minimal|über|unter|bis\s+zu|genau"
)
_COMPARED = re.compile(rf"(?:\b(?:{_COMPARING})|[<>≤≥=]){_BEFORE}", re.IGNORECASE)
_BOUNDED = re.compile(
    r"\s*(?:\+(?!\w)|(?:%|(?:\w+\s+){1,2}|[$€£]\s*)?\s*(?:or|and|oder|und)\s+"
    r"(?:more|less|fewer|higher|lower|older|younger|greater|above|below|over|under|up|mehr|weniger|älter|höher)\b)",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    r"\b(?:between|zwischen)\s+(?:(?:the\s+)?ages\s+(?:of\s+)?)?[$€£]?\s*(\S+)\s+(?:and|und)\s+[$€£]?\s*(\S+)",
    re.IGNORECASE,
)
_CURRENCY = re.compile(r"[$€£¥]\s*$")
_UNIT = re.compile(
    r"\s?(?:[%$€£°]|(?:percent|prozent|dollars?|usd|euros?|eur|pounds?|cents?|km|kg|lbs?|gb|mb|ms"
    r"|(?:kilo)?(?:meters?|metres?|grams?)|miles?|feet|lit(?:er|re)s?|degrees?|hours?|minutes?|min|seconds?|days?"
    r"|weeks?|months?|years?|stars?|points?|times|stunden?|minuten?|sekunden?|tagen?|tage|wochen?|monaten?|jahren?"
    r"|jahre|sternen?|punkten?|stück|mal)\b)",
    re.IGNORECASE,
)
_COUNTING = re.compile(
    r"\b(?:top|bottom|first|last|best|worst|limit(?:ed)?(?:\s+to)?|(?:any|which|what|show|list|name|give|find|return)"
    r"(?:\s+(?:me|us))?(?:\s+the)?|the|ersten|letzten|besten|(?!interest|request|guest|forest)\w{4,}est|\w{4,}sten|die|welche|zeige?(?:\s+mir)?|nenne)[\s-]+$",
    re.IGNORECASE,
)
_ALWAYS_COUNTING = re.compile(r"\b(?:top|bottom|limit(?:ed)?(?:\s+to)?)[\s-]+$", re.IGNORECASE)
_COUNTED = re.compile(r"\s+[a-zäöü]", re.IGNORECASE)
_SUPERLATIVE = re.compile(
    r"\s+(?:best|worst|most|least|top|(?!interest|request|guest|test|forest)\w{3,}(?:est|sten))\b",
    re.I,
)


class Number(Record, frozen=True):
    """A number of a text, as it is written and at its place, and what it is there for."""

    words: str
    start: int
    value: float
    role: Role

    @property
    def end(self) -> int:
        """The place behind it in the text."""
        return self.start + len(self.words)


def numbers_of(text: str, *, is_german: bool = False) -> Iterator[Number]:
    """The numbers of a text in their order."""
    bounds = {
        place for found in _BETWEEN.finditer(text) for place in (found.start(1), found.start(2))
    }
    for found in _NUMBER.finditer(text):
        start, end = found.span()
        if found.group().casefold() == "elf" and not is_german:
            continue
        role = "threshold" if start in bounds else _role(text, start, end)
        yield Number(found.group(), start, _value(found, is_german=is_german), role)


def is_measured(text: str, start: int, end: int) -> bool:
    """True if a number of a text is compared or has a unit: then it is no year and no code."""
    return _role(text, start, end) in ("threshold", "amount") or bool(
        _ALWAYS_COUNTING.search(text[:start])
    )


def _role(text: str, start: int, end: int) -> Role:
    before = text[max(0, start - 40) : start]
    if _COMPARED.search(before) or _BOUNDED.match(text, end):
        return "threshold"
    if _UNIT.match(text, end) or _CURRENCY.search(before):
        return "amount"
    is_counting = _COUNTING.search(before) and _COUNTED.match(text, end)
    if is_counting or _ALWAYS_COUNTING.search(before) or _SUPERLATIVE.match(text, end):
        return "count"
    return "plain"


def _value(found: re.Match[str], *, is_german: bool) -> float:
    written, times, word = found.groups()
    if word:
        return float(NUMBER_WORDS[word.casefold()])
    mark = max(written.rfind("."), written.rfind(","))
    marks = {letter for letter in written if letter in ".,"}
    is_grouping = (
        mark >= 0
        and len(marks) == 1
        and len(written) - mark == 4
        and (written.count(written[mark]) > 1 or (written[mark] == ".") is is_german)
    )
    whole, decimals = (
        (written, "") if mark < 0 or is_grouping else (written[:mark], written[mark + 1 :])
    )
    sign = -1 if found.group().startswith("-") else 1
    return (
        sign
        * float(f"{re.sub('[.,]', '', whole)}.{decimals or 0}")
        * _TIMES.get((times or "").casefold(), 1)
    )

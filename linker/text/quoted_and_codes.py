"""
Quotations, codes and numbers of a question, with the role of each number.

A code is a row identifier, an address, letters with digits, or a long number. A number is a
threshold, a count, an amount with a unit, or plain; only a plain number may be a value.
"""

import re
from collections.abc import Iterator
from typing import Literal

from linker.text.words import word_values
from linker.types import Record

ThingKind = Literal["quoted", "code", "name"]

_QUOTED = re.compile(
    r"\"([^\"]+)\"|(?<!\w)'([^']+)'(?!\w)|[“„]([^“”]+)[”“]|‘([^’]+)’|[«»]([^«»]+)[«»]|`([^`]+)`"
)
_CODES = re.compile(
    r"\b(?=[0-9a-f-]{0,64}\d)(?=[0-9a-f-]{0,64}[a-f])[0-9a-f]{6,}(?:-[0-9a-f]{4,})*\b|\b\d+(?:\.\d+){3,}\b"
)
_OTHER_CODES = re.compile(
    r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\bhttps?://\S+[\w/]|(?<=#)\d{2,}\b"
    r"|(?<![\w.-])(?=[\w-]*\d)(?=[\w-]*[A-Z])(?!(?:Q[1-4]|H[12]|FY|KW)\b)[A-Z0-9]{1,8}(?:[-_/.]?[A-Z0-9]+)+(?![\w-])"
    r"|(?<![\w.-])(?!(?:top|mid|pre|post|under|over|non|late|early)-)[A-Za-z]{1,6}(?:-\d{2,})+(?![\w-])"
)
_LONG_NUMBER = re.compile(r"(?<![\w.,$€£+-])\d{5,}(?![\w-]|[.,]\d)")
_MIN_LETTERS = 3

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


class Mention(Record, frozen=True):
    """A quotation, code or name with its position; a doubtful name may be a noun."""

    words: str
    start: int
    kind: ThingKind
    is_sure: bool = True

    @property
    def end(self) -> int:
        """End position."""
        return self.start + len(self.words)


def quotations(text: str) -> Iterator[Mention]:
    """Quoted texts without quotation marks."""
    for match in _QUOTED.finditer(text):
        group = match.lastindex or 0
        if match[group].strip():
            yield Mention(match[group], match.start(group), "quoted")


def quoted_texts(text: str) -> tuple[str, ...]:
    """Words in quotation marks."""
    return tuple(thing.words for thing in quotations(text))


def without_marks(text: str) -> str:
    """Quotation marks blanked out."""
    return _QUOTED.sub(lambda match: f" {match[0][1:-1]} ", text)


def without_codes(text: str) -> str:
    """Row identifiers blanked out: f964c0ae, 1.2.840.10008."""
    return _CODES.sub(" ", text)


def identifiers(text: str) -> Iterator[Mention]:
    """Row identifiers, parts of which look like numbers or dates."""
    yield from _codes(text, _CODES)


def codes(text: str) -> Iterator[Mention]:
    """Addresses, letters with digits, and long numbers."""
    yield from _codes(text, _OTHER_CODES)
    yield from _codes(text, _LONG_NUMBER)


def _codes(text: str, pattern: re.Pattern[str]) -> Iterator[Mention]:
    for match in pattern.finditer(text):
        if len(match[0]) >= _MIN_LETTERS or text[: match.start()].endswith("#"):
            yield Mention(match[0], match.start(), "code")


def labels_of(data_type: str) -> tuple[str, ...]:
    """Values of an enum type, in order; empty for other types."""
    if not data_type.upper().startswith("ENUM("):
        return ()
    return tuple(label.replace("''", "'") for label in re.findall(r"'((?:[^']|'')*)'", data_type))


class Number(Record, frozen=True):
    """A number with position and role."""

    words: str
    start: int
    value: float
    role: Role

    @property
    def end(self) -> int:
        """End position."""
        return self.start + len(self.words)


def numbers_of(text: str, *, is_german: bool = False) -> Iterator[Number]:
    """Numbers in order."""
    bounds = set[int]()
    for match in _BETWEEN.finditer(text):
        bounds |= {match.start(1), match.start(2)}
    for match in _NUMBER.finditer(text):
        start, end = match.span()
        if match.group().casefold() == "elf" and not is_german:
            continue
        role = "threshold" if start in bounds else _role(text, start, end)
        yield Number(match.group(), start, _value(match, is_german=is_german), role)


def is_measured(text: str, start: int, end: int) -> bool:
    """Whether a number is compared or has a unit, so that it is no year or code."""
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


def _value(match: re.Match[str], *, is_german: bool) -> float:
    written, times, word = match.groups()
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
    digits, decimals = (
        (written, "") if mark < 0 or is_grouping else (written[:mark], written[mark + 1 :])
    )
    sign = -1 if match.group().startswith("-") else 1
    return (
        sign
        * float(f"{re.sub('[.,]', '', digits)}.{decimals or 0}")
        * _TIMES.get((times or "").casefold(), 1)
    )

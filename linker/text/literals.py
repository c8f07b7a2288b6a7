"""
Texts of a question that stand for themselves: enters its text, leave quotations and codes, each at
its place.

A code is an identifier of rows, an address, letters with digits, or a long number.
"""

import re
from collections.abc import Iterator
from typing import Literal

from linker.types import Record

ThingKind = Literal["quoted", "code", "name"]

_QUOTED = re.compile(
    r"\"([^\"]+)\"|(?<!\w)'([^']+)'(?!\w)|[“„]([^“”]+)[”“]|‘([^’]+)’|[«»]([^«»]+)[«»]|`([^`]+)`"
)
_CODES = re.compile(
    r"\b(?=[0-9a-f-]*\d)(?=[0-9a-f-]*[a-f])[0-9a-f]{6,}(?:-[0-9a-f]{4,})*\b|\b\d+(?:\.\d+){3,}\b"
)
_OTHER_CODES = re.compile(
    r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\bhttps?://\S+[\w/]|(?<=#)\d{2,}\b"
    r"|(?<![\w.-])(?=[\w-]*\d)(?=[\w-]*[A-Z])(?!(?:Q[1-4]|H[12]|FY|KW)\b)[A-Z0-9]{1,8}(?:[-_/.]?[A-Z0-9]+)+(?![\w-])"
    r"|(?<![\w.-])(?!(?:top|mid|pre|post|under|over|non|late|early)-)[A-Za-z]{1,6}(?:-\d{2,})+(?![\w-])"
)
_LONG_NUMBER = re.compile(r"(?<![\w.,$€£+-])\d{5,}(?![\w-]|[.,]\d)")
_FEWEST_LETTERS = 3


class Thing(Record, frozen=True):
    """
    A text in quotation marks, a code or a name, as it is written, and where; a doubtful name may be
    a noun.
    """

    words: str
    start: int
    kind: ThingKind
    is_sure: bool = True

    @property
    def end(self) -> int:
        """The place behind it."""
        return self.start + len(self.words)


def quotations(text: str) -> Iterator[Thing]:
    """Texts in quotation marks, without them."""
    for found in _QUOTED.finditer(text):
        group = found.lastindex or 0
        if found[group].strip():
            yield Thing(found[group], found.start(group), "quoted")


def quoted_texts(text: str) -> tuple[str, ...]:
    """The words of what stands in quotation marks."""
    return tuple(thing.words for thing in quotations(text))


def without_marks(text: str) -> str:
    """The text with a blank in place of each quotation mark of a pair."""
    return _QUOTED.sub(lambda found: f" {found[0][1:-1]} ", text)


def without_codes(text: str) -> str:
    """
    The text with a blank in place of each identifier of rows, which is no word: f964c0ae,
    1.2.840.10008.
    """
    return _CODES.sub(" ", text)


def identifiers(text: str) -> Iterator[Thing]:
    """Identifiers of rows, which hold what looks like numbers and days."""
    yield from _codes(text, _CODES)


def codes(text: str) -> Iterator[Thing]:
    """Addresses, letters with digits and long numbers."""
    yield from _codes(text, _OTHER_CODES)
    yield from _codes(text, _LONG_NUMBER)


def _codes(text: str, pattern: re.Pattern[str]) -> Iterator[Thing]:
    for found in pattern.finditer(text):
        if len(found[0]) >= _FEWEST_LETTERS or text[: found.start()].endswith("#"):
            yield Thing(found[0], found.start(), "code")


def labels_of(data_type: str) -> tuple[str, ...]:
    """The values that an enumeration allows, in its order; none of another type."""
    if not data_type.upper().startswith("ENUM("):
        return ()
    return tuple(label.replace("''", "'") for label in re.findall(r"'((?:[^']|'')*)'", data_type))

"""
Bindings of a question: enters what was read in it and the values that it may name, leave those that it does, by column.

A binding is sure where the words can hardly mean anything else; a common word that happens to be a value is none.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal, TypeVar

from linker.catalog.facts import ColumnFacts, Facts
from linker.ranking.question import says_little
from linker.retrieval.hybrid import Retrieved
from linker.text.periods import Period
from linker.text.quantities import Number
from linker.text.reader import ReadText, Thing
from linker.text.words import EVERYDAY, parts, squashed, stem, words_of_name
from linker.types import Catalog, ColumnRef, ValueMatch

Strength = Literal["sure", "likely"]
_ItemT = TypeVar("_ItemT", Thing, Number, Period)

# A value that is named this well is meant; what lies below may be a word that happens to be one.
_SURELY_NAMED = 0.9
_KEYS = ("identifier", "foreign_key", "code")
_SMALL = ("category", "boolean", "constant")
_FEW_VALUES = 60
_LONG_NUMBER = 5
_OF_YEARS = frozenset(("year", "season", "jahr", "saison", "vintag"))
_ABBREVIATION = 3
_OF_NAMES = frozenset(("name", "surname", "firstname", "lastname", "fullname", "forename", "nachnam", "vornam"))


@dataclass(frozen=True, slots=True)
class Binding:
    """Words of the question, the column that holds a value of that name, and how sure it is that they mean it."""

    words: str
    ref: ColumnRef
    value: str
    similarity: float
    strength: Strength = "sure"

    def __str__(self) -> str:
        verb = "is" if self.is_sure else "may be"
        return f"{self.words!r} {verb} the value {self.value!r} of {self.ref}"

    @property
    def is_sure(self) -> bool:
        """True if it may be told as a fact."""
        return self.strength == "sure"

    @property
    def fact(self) -> str:
        """The same, of the column."""
        if self.is_sure and self.words.casefold() == self.value.casefold():
            return f"holds {self.value}"
        return f"“{self.words}” {'is' if self.is_sure else 'may be'} its value {self.value}"


@dataclass(frozen=True, slots=True)
class _Occurrence:
    """A place of the text where words stand that a value has, and how sure they name it there."""

    start: int
    end: int
    strength: Strength


def bindings_of(read: ReadText, retrieved: Retrieved, catalog: Catalog, facts: Facts) -> list[Binding]:
    """The values that a question names, the surest first; what the warehouse no longer has is left out."""
    names = _names(retrieved)
    found = [
        (Binding(match.said, hit.ref, match.value, match.similarity, _strongest(places)), places)
        for hit in retrieved.columns
        if catalog.find(hit.ref)
        for match in hit.matches
        if match.similarity >= _SURELY_NAMED
        and (places := [*_places(read, match, _Holder(hit.ref, facts.of(hit.ref)), names)])
    ]
    sure = [place for binding, places in found if binding.is_sure for place in places]
    kept = [binding for binding, places in found if not all(_is_inside(place, sure) for place in places)]
    return sorted(kept, key=lambda binding: (not binding.is_sure, -binding.similarity, binding.ref))


@dataclass(frozen=True, slots=True)
class _Holder:
    """A column with what is measured of it."""

    ref: ColumnRef
    facts: ColumnFacts

    @property
    def nouns(self) -> frozenset[str]:
        """The words that call its values, in front of one."""
        return frozenset((*words_of_name(self.ref.path), *words_of_name(self.ref.table.name)))

    @property
    def is_small(self) -> bool:
        """True of a category, the values of which are words for something."""
        count = self.facts.distinct_count
        return self.facts.category in _SMALL or (
            self.facts.category == "text" and count is not None and count <= _FEW_VALUES
        )


def _names(retrieved: Retrieved) -> frozenset[str]:
    """The names of tables and columns near the question, as a word of it may call them."""
    tables = (hit.ref.name for hit in retrieved.tables)
    columns = (hit.ref.path.rpartition(".")[2] for hit in retrieved.columns)
    return frozenset(stem(squashed(name)) for name in chain(tables, columns))


def _places(read: ReadText, match: ValueMatch, column: _Holder, names: frozenset[str]) -> Iterator[_Occurrence]:
    words = match.said
    if len(match.value) <= _ABBREVIATION and match.value.isupper() and not words.isupper():
        return
    for found in re.finditer(rf"(?<!\w){re.escape(words)}(?!\w)", read.text):
        strength = _strength(read, found.start(), found.end(), column, names)
        if strength:
            yield _Occurrence(found.start(), found.end(), strength)


def _strength(read: ReadText, start: int, end: int, column: _Holder, names: frozenset[str]) -> Strength | None:
    """How sure words at a place are a value of a column; nothing where they are something else."""
    thing, number = _across(read.things, start, end), _across(read.numbers, start, end)
    period = _across(read.periods, start, end)
    if thing and thing.kind != "name":
        return _of_literal(read, thing, (start, end), column)
    if number and (number.role in ("threshold", "count") or number.words == read.text[start:end]):
        return _of_number(read, start, end, column) if number.role == "plain" else None
    if period and period.start <= start and end <= period.end:
        return _of_period(read, start, end, column)
    return _of_words(read.text[start:end], thing, column, names)


def _across(items: Iterable[_ItemT], start: int, end: int) -> _ItemT | None:
    """The first of what was read that has a part of a place."""
    return next((item for item in items if item.start < end and start < item.end), None)


def _of_literal(read: ReadText, thing: Thing, place: tuple[int, int], column: _Holder) -> Strength | None:
    """What is quoted or a code names a value as a whole; a part of a quotation may be a part of a name."""
    start, end = place
    if not (start <= thing.start and thing.end <= end):
        return "likely" if thing.kind == "quoted" and _is_of_names(column) else None
    return _of_number(read, start, end, column) if thing.kind == "code" and thing.words.isdigit() else "sure"


def _of_words(words: str, thing: Thing | None, column: _Holder, names: frozenset[str]) -> Strength | None:
    """Names and several words are values; one that is said every day may be, in a category."""
    is_part = thing is not None and thing.words not in words
    if _is_common(words, names):
        return None if is_part or not (column.is_small or " " in words) else "likely"
    if thing and thing.is_sure:
        return "sure" if not is_part or _is_of_names(column) else "likely"
    is_telling = column.is_small and len(words) >= _ABBREVIATION
    return "sure" if is_telling or " " in words else "likely"


def _of_number(read: ReadText, start: int, end: int, column: _Holder) -> Strength | None:
    """A number names a value only among codes of its kind, and a short one only after their noun."""
    category = column.facts.category
    if category is not None and category not in (*_KEYS, *_SMALL, "year", "text", "phone"):
        return None
    before = {stem(part) for part in parts(read.text[max(0, start - 30) : start])[-3:]}
    if before & column.nouns:
        return "sure" if category else "likely"
    return "likely" if end - start >= _LONG_NUMBER and category in _KEYS else None


def _of_period(read: ReadText, start: int, end: int, column: _Holder) -> Strength | None:
    """A year may name a season; a month or a day is a time, not a value, unless the column is one of months."""
    if read.text[start:end].isdigit():
        return "likely" if column.facts.category == "year" or column.nouns & _OF_YEARS else None
    return "likely" if column.is_small else None


def _is_of_names(column: _Holder) -> bool:
    """True of a column of names, where a part of a name is a value."""
    return not _OF_NAMES.isdisjoint(column.nouns)


def _is_common(words: str, names: frozenset[str]) -> bool:
    """True if words can be said of anything, or are the name of a table or a column."""
    stems = [stem(part) for part in parts(words)]
    if stem(squashed(words)) in names:
        return True
    return all(word in EVERYDAY or says_little(word) or word in names for word in stems)


def _strongest(places: Sequence[_Occurrence]) -> Strength:
    return "sure" if any(place.strength == "sure" for place in places) else "likely"


def _is_inside(place: _Occurrence, others: Iterable[_Occurrence]) -> bool:
    """`Leipzig` inside of `Leipzig distribution centre` names the same thing."""
    return any(
        other.start <= place.start and place.end <= other.end and other.end - other.start > place.end - place.start
        for other in others
    )

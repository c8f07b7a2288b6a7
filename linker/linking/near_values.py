"""
Values similar to names in a question: containing it, part of it, or abbreviating it, as NL for
National League.

They are no bindings, since the name may mean something else; prompts show them as possible.
"""

from collections.abc import Iterator
from itertools import islice

import numpy as np

from linker.linking.value_linking import LinkedQuestion
from linker.text.quoted_and_codes import Mention
from linker.text.words import casefold_ascii, parts
from linker.types import ColumnRef, Record

# Maximum columns per name, and names.
_MAX_HOLDERS = 3
_MAX_NAMES = 4
_LONGEST = 60
# Columns whose values are compared, most relevant first; 100,000 would take seconds.
_COLUMNS_READ = 3_000
_MIN_LETTERS = 3
_LETTERS_OF_PART = 4
# Range of words for initials.
_INITIALS = (2, 5)


class NearValue(Record, frozen=True):
    """A name in the question and a column with a similar value."""

    words: str
    ref: ColumnRef
    value: str


def near_values(question: LinkedQuestion) -> tuple[NearValue, ...]:
    """For each name the most relevant columns with a similar value and none equal."""
    bound = {
        (binding.words.casefold(), binding.ref.table) for binding in question.mentions.bindings
    }
    values = list[NearValue]()
    names = [
        thing
        for thing in question.mentions.things
        if thing.is_sure and thing.kind in ("name", "quoted") and not _is_inside(thing, question)
    ]
    for thing in names[:_MAX_NAMES]:
        near = _near(question, thing)
        new = (item for item in near if (thing.words.casefold(), item.ref.table) not in bound)
        values += islice(new, _MAX_HOLDERS)
    return tuple(values)


def _is_inside(thing: Mention, question: LinkedQuestion) -> bool:
    """Whether it is part of a longer value in the question."""
    own = thing.words.casefold()
    bound = (binding.words.casefold() for binding in question.mentions.facts)
    return any(own in words and own != words for words in bound)


def _near(question: LinkedQuestion, thing: Mention) -> Iterator[NearValue]:
    """One value per column, most relevant column first."""
    lexicon, facts = question.ranked.index.lexicon, question.facts
    bound = {binding.words.casefold() for binding in question.mentions.facts}
    wanted = _NameMatcher(thing.words, is_bound=thing.words.casefold() in bound)
    order = np.argsort(-question.ranked.columns, kind="stable")
    for index in order[:_COLUMNS_READ].tolist():
        ref = lexicon.refs[index]
        values = facts.get(ref).values
        are_initials = all(value.isalpha() and value.isupper() for value in values)
        for value in values:
            if wanted.is_near(value, are_initials=are_initials):
                yield NearValue(thing.words, ref, value)
                break


class _NameMatcher:
    """A name's words and initials."""

    def __init__(self, words: str, *, is_bound: bool) -> None:
        self._words = [casefold_ascii(word) for word in parts(words)]
        self._text = " ".join(self._words)
        # Initials that are a value themselves abbreviate nothing.
        is_short = words.isupper() and _INITIALS[0] <= len(words) <= _INITIALS[1]
        self._is_short = is_short and not is_bound
        is_long = len(self._text) >= _MIN_LETTERS
        # A substring of all similar values, for fast filtering.
        self._pieces = [word for word in self._words if len(word) >= _LETTERS_OF_PART]
        self._pieces += [self._text] if is_long else []

    def is_near(self, value: str, *, are_initials: bool) -> bool:
        """
        Whether a value contains the name, is part of it, or abbreviates it; `are_initials`: the
        column holds abbreviations.
        """
        if len(value) > _LONGEST:
            return False
        if _INITIALS[0] <= len(value) <= _INITIALS[1] and value.isupper():
            return (
                are_initials and len(self._words) > 1 and value.casefold() == _initials(self._words)
            )
        if self._is_short and " " in value:
            return _initials([casefold_ascii(word) for word in parts(value)]) == self._text
        folded = casefold_ascii(value)
        if not any(piece in folded for piece in self._pieces):
            return False
        words = " ".join(parts(folded))
        is_inside = f" {self._text} " in f" {words} " and words != self._text
        return is_inside or (len(self._words) > 1 and words in self._pieces[: len(self._words)])


def _initials(words: list[str]) -> str:
    return "".join(word[:1] for word in words)

"""
The words of tables, as numbers: enters a table, leaves what it says in names, descriptions and
values.

A table is read once for each state of the index. A question to a large catalogue is ranked among
other tables each time, and its lexicon is put together of what was read before.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, count
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from linker.catalog.facts import ColumnFacts, Facts
from linker.ranking.likeness import SimilarWords
from linker.ranking.roles import ROLES, roles_of
from linker.retrieval.retrieved import keys_of
from linker.store.places import key_of
from linker.text.values import value_key
from linker.text.words import squashed, words_of_name, words_of_text
from linker.types import ColumnRef, Record, Table, TableRef

Floats = npt.NDArray[np.floating[Any]]
Ints = npt.NDArray[np.int64]

_MOST_VALUES = 25
_LONGEST_VALUE = 80
_STEP = "."


class Vocabulary:
    """Words by number, in the order in which they were first seen."""

    def __init__(self, words: Sequence[str] = ()) -> None:
        self.numbers = defaultdict[str, int](
            count(len(words)).__next__, zip(words, count(), strict=False)
        )
        self._spelt = list(words)

    def number(self, words: Iterable[str]) -> list[int]:
        """The numbers of words, new ones for those that were not seen."""
        return [*map(self.numbers.__getitem__, words)]

    @property
    def spelt(self) -> list[str]:
        """The words in the order of their numbers."""
        if len(self._spelt) < len(self.numbers):
            self._spelt = [*self.numbers]
        return self._spelt

    def __len__(self) -> int:
        return len(self.numbers)


class Texts(Record, frozen=True):
    """
    Texts in a row, as the numbers of their words one after another, and how many each text has.
    """

    words: Ints
    lengths: Ints

    @property
    def text_of(self) -> Ints:
        """For each word the text that holds it."""
        found: Ints = np.repeat(np.arange(len(self.lengths)), self.lengths)
        return found

    def split(self) -> list[list[int]]:
        """The numbers of each text."""
        words, ends = self.words.tolist(), np.cumsum(self.lengths).tolist()
        return [words[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def texts(numbers: Sequence[Sequence[int]]) -> Texts:
    """Texts of word numbers in a row."""
    lengths = np.fromiter(map(len, numbers), dtype=np.int64, count=len(numbers))
    return Texts(np.fromiter(chain.from_iterable(numbers), dtype=np.int64), lengths)


# The numbers of each column, in rows: in the store; of its name and path as they are compared, or
# -1; of names that have further words; where those of its own begin and end that another lacks; its
# traits and roles; lengths of texts.
TRAITS = ("is_described", "depth", "inside", "is_opened", "is_empty", "is_full", "is_constant")
TEXTS = ("names", "paths", "descriptions", "values", "keys", "table_name", "table_description")
ROWS = np.cumsum([1, 1, 1, 1, 2, len(TRAITS), len(ROLES), len(TEXTS) - 2])


class TableWords(Record, frozen=True):
    """
    The words of one table and its columns, and what else ranking reads of each.

    `columns` has what `ROWS` says, `table` its number in the store, its compared name and the
    lengths of its own texts.
    """

    refs: tuple[ColumnRef, ...]
    columns: Ints
    table: Ints
    words: dict[str, Ints]


def _values(facts: ColumnFacts) -> list[str]:
    return [value[:_LONGEST_VALUE] for value in facts.values[:_MOST_VALUES]]


class ReadTables:
    """
    The words of the tables of one catalogue, each read when it is first asked for; `met` are
    columns found in it.
    """

    def __init__(self, facts: Facts) -> None:
        self.vocabulary, self.keys, self.alike = Vocabulary(), Vocabulary(), SimilarWords()
        self._facts, self.met = facts, set[int]()
        self._read: dict[TableRef, TableWords] = {}
        self._lock = Lock()

    def of(self, table: Table) -> TableWords:
        """The words of a table."""
        with self._lock:
            if table.ref not in self._read:
                self._read[table.ref] = self._words(table)
            return self._read[table.ref]

    def _numbered(self, phrases: Iterable[Sequence[str]]) -> Texts:
        return texts([self.vocabulary.number(words) for words in phrases])

    def _words(self, table: Table) -> TableWords:
        refs = tuple(ColumnRef(table.ref, column.path) for column in table.columns)
        known = tuple(self._facts.of(ref) for ref in refs)
        values = [_values(facts) for facts in known]
        leaves = [
            each.path.rpartition(_STEP)[2] if each.depth else each.path for each in table.columns
        ]
        own = [words_of_name(leaf) for leaf in leaves]
        outer = [
            column.path[: -len(leaf)] for column, leaf in zip(table.columns, leaves, strict=True)
        ]
        paths, table_name = list(map(words_of_name, outer)), words_of_name(table.ref.name)
        self.alike.add(chain(table_name, *own, *paths))
        extra, extended = _extensions(outer, own)
        roles = [roles_of(*each) for each in zip(table.columns, own, values, known, strict=True)]
        described = (words_of_text(column.description or "") for column in table.columns)
        # Words end at a blank: those of all values of a column are found at once.
        held = (words_of_text(" ".join(some)) for some in values)
        phrases = (
            own,
            paths,
            described,
            held,
            [table_name],
            [words_of_text(table.description or "")],
        )
        *read, name, about = (self._numbered(some) for some in phrases)
        read.append(texts([self.keys.number(_keys(some)) for some in values]))
        own_name, *names = self._compared(map(squashed, (table.ref.name, *leaves)))
        rows = (
            keys_of(refs),
            names,
            self._compared(table.folded_paths),
            extended,
            *extra.T,
            *_traits(table, known),
        )
        return TableWords(
            refs=refs,
            columns=np.array(
                [*rows, *zip(*roles, strict=True), *(each.lengths for each in read)], dtype=np.int64
            ),
            table=np.array(
                [key_of(table.ref), own_name, *name.lengths, *about.lengths], dtype=np.int64
            ),
            words=dict(zip(TEXTS, (each.words for each in (*read, name, about)), strict=True)),
        )

    def _compared(self, names: Iterable[str]) -> Ints:
        return np.array([self.keys.numbers[name] if name else -1 for name in names], dtype=np.int64)


def _traits(table: Table, known: Sequence[ColumnFacts]) -> Iterator[list[int]]:
    """
    What `TRAITS` names, one after another, of all columns; `inside` is the first of those inside
    the same, or -1.
    """
    columns, first = table.columns, dict[str, int]()
    nested = [column.path for column in columns if column.depth]
    outer = {path[:end] for path in nested for end, letter in enumerate(path) if letter == _STEP}
    yield [bool(column.description) for column in columns]
    yield [column.depth for column in columns]
    yield [
        first.setdefault(column.column_name, place) if column.depth else -1
        for place, column in enumerate(columns)
    ]
    # Who names one of the paths inside names these too.
    yield [column.path in outer for column in columns]
    yield [facts.distinct_count == 0 for facts in known]
    yield [bool(facts.distinct_count) for facts in known]
    # One value beside nulls says yes and no.
    yield [facts.distinct_count == 1 and not facts.has_nulls for facts in known]


def _extensions(outer: Sequence[str], own: Sequence[Sequence[str]]) -> tuple[Ints, Ints]:
    """
    For each name where the words stand that the longest other one in it lacks, and in how many
    names it stands so.

    `confirmed_male` is `confirmed` with one more word, `new_deaths` is `deaths`; it counts at
    either end alone.
    """
    places = dict[tuple[str, tuple[str, ...]], int]()
    for place, name in enumerate(zip(outer, map(tuple, own), strict=True)):
        places.setdefault(name, place)
    extra, extended = np.zeros((len(own), 2), dtype=np.int64), np.zeros(len(own), dtype=np.int64)
    for place, (path, words) in enumerate(zip(outer, map(tuple, own), strict=True)):
        for size in range(len(words) - 1, 0, -1):
            begins, ends = places.get((path, words[:size])), places.get((path, words[-size:]))
            shorter = ends if begins is None else begins
            if shorter is not None:
                extra[place] = (0, len(words) - size) if begins is None else (size, len(words))
                extended[shorter] += 1
                break
    return extra, extended


def _keys(values: Iterable[str]) -> set[str]:
    """Values as they are compared; a single digit stands everywhere and tells nothing."""
    return {key for key in map(value_key, values) if len(key) > 1}

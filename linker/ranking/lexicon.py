"""
The words of one catalogue and the places where they stand, built once and reused by every question.

Tables are sorted by name, so the order in which they come plays no part. The columns of a table lie together.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from linker.catalog.facts import ColumnFacts, Facts
from linker.ranking.kin import kin
from linker.ranking.likeness import SimilarWords
from linker.ranking.roles import ROLES, roles_of
from linker.text.values import value_key
from linker.text.words import squashed, words_of_name, words_of_text
from linker.types import Catalog, Column, ColumnRef, Table, TableRef

Floats = npt.NDArray[np.floating[Any]]
Ints = npt.NDArray[np.int64]

_K1 = 1.2
_B = 0.6


class Vocabulary:
    """The words of a catalogue by number."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def number(self, words: Iterable[str]) -> list[int]:
        """The numbers of words, new ones for those that were not seen."""
        numbers = self.numbers
        return [numbers.setdefault(word, len(numbers)) for word in words]

    def __len__(self) -> int:
        return len(self.numbers)


@dataclass(frozen=True)
class Postings:
    """For each word the texts that hold it, with the saturated weight of BM25."""

    starts: Ints
    texts: Ints
    weights: Floats
    size: int

    def of(self, word: int) -> tuple[Ints, Floats]:
        """The texts that hold a word, and its weight in each."""
        if word + 1 >= len(self.starts):
            return self.texts[:0], self.weights[:0]
        here = slice(self.starts[word], self.starts[word + 1])
        return self.texts[here], self.weights[here]


def post(texts: Sequence[Sequence[int]]) -> Postings:
    """The postings of texts of word numbers."""
    lengths = np.array([len(text) for text in texts], dtype=np.int64)
    words = np.fromiter((word for text in texts for word in text), dtype=np.int64, count=int(lengths.sum()))
    count = max(len(texts), 1)
    # A pair of word and text is one number, so that sorting puts words together and their texts in order.
    pairs, times = np.unique(words * count + np.repeat(np.arange(len(texts)), lengths), return_counts=True)
    held, at = np.divmod(pairs, count)
    filled = lengths[lengths > 0].astype(np.float32)
    usual = float(filled.mean()) if len(filled) else 1.0
    norm = _K1 * (1 - _B + _B * lengths.astype(np.float32) / usual)
    size = int(held[-1]) + 1 if len(held) else 0
    starts = np.searchsorted(held, np.arange(size + 1)).astype(np.int64)
    repeats = times.astype(np.float32)
    weights = repeats * (_K1 + 1) / (repeats + norm[at])
    return Postings(starts, at, weights.astype(np.float32), len(texts))


def distinct(numbers: Ints) -> Ints:
    """Each number once, in order. Asked for no counts, `np.unique` would import numpy.ma, which takes 20 ms."""
    found: Ints = np.unique(numbers, return_counts=True)[0]
    return found


def rarity(holding: Ints, size: int) -> Floats:
    """The weight of a word that so many of all texts hold."""
    rare: Floats = np.log1p((size - holding + 0.5) / (holding + 0.5)).astype(np.float32)
    return rare


_MOST_VALUES = 10
_LONGEST_VALUE = 80
_STEP = "."


@dataclass(frozen=True)
class Lexicon:
    """A catalogue as ranking sees it: its columns in a row, their words, their roles."""

    catalog: Catalog
    facts: Facts
    measured: tuple[ColumnFacts, ...]
    tables: tuple[Table, ...]
    columns: tuple[Column, ...]
    refs: tuple[ColumnRef, ...]
    starts: Ints
    table_of: Ints
    vocabulary: Vocabulary
    names: Postings
    paths: Postings
    descriptions: Postings
    values: Postings
    table_names: Postings
    table_descriptions: Postings
    kin: Ints
    column_rarity: Floats
    value_rarity: Floats
    table_rarity: Floats
    name_words: tuple[tuple[int, ...], ...]
    table_name_words: tuple[tuple[int, ...], ...]
    roles: npt.NDArray[np.bool_]
    squashed_names: dict[str, list[int]]
    squashed_tables: dict[str, list[int]]
    values_at: dict[str, list[int]]

    @cached_property
    def is_opened(self) -> npt.NDArray[np.bool_]:
        """The columns that have paths inside: who names one of these names them too."""
        inside: set[ColumnRef] = set()
        for ref, column in zip(self.refs, self.columns, strict=True):
            path = column.path if column.depth else ""
            while path := path.rpartition(".")[0]:
                inside.add(ColumnRef(ref.table, path))
        return np.array([ref in inside for ref in self.refs], dtype=bool)

    @cached_property
    def parents(self) -> Ints:
        """A number that paths inside one column share; -1 of what lies in none."""
        numbers: dict[tuple[TableRef, str], int] = {}
        found = [
            numbers.setdefault((ref.table, column.column_name), len(numbers)) if column.depth else -1
            for ref, column in zip(self.refs, self.columns, strict=True)
        ]
        return np.array(found, dtype=np.int64)

    @cached_property
    def _similar(self) -> SimilarWords:
        named = {word for words_ in (*self.name_words, *self.table_name_words) for word in words_}
        spelt = list(self.vocabulary.numbers)
        return SimilarWords(
            {spelt[number]: number for number in sorted(named | self._path_words)}, self.vocabulary.numbers
        )

    @cached_property
    def _path_words(self) -> set[int]:
        return {int(number) for number in np.flatnonzero(np.diff(self.paths.starts))}

    def similar(self, word: str) -> tuple[tuple[int, float], ...]:
        """The words of the catalogue that a word may stand for, the same first; all but the same stand in names."""
        return self._similar.of(word)


def build_lexicon(catalog: Catalog, facts: Facts) -> Lexicon:
    """Read a catalogue once."""
    tables = tuple(sorted((table for table in catalog.tables if table.columns), key=lambda table: table.ref))
    columns = [column for table in tables for column in table.columns]
    refs = tuple(ColumnRef(table.ref, column.path) for table in tables for column in table.columns)
    sizes = np.array([len(table.columns) for table in tables], dtype=np.int64)
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    known = tuple(facts.of(ref) for ref in refs)
    values = [_shown(facts.values) for facts in known]
    vocabulary = Vocabulary()
    leaves = [_leaf(column) for column in columns]
    own = [words_of_name(leaf) for leaf in leaves]

    def posted(texts: Iterable[Sequence[str]]) -> Postings:
        return post([vocabulary.number(text) for text in texts])

    names = posted(own)
    paths = posted(words_of_name(column.path[: -len(leaf)]) for column, leaf in zip(columns, leaves, strict=True))
    described = posted(words_of_text(column.description or "") for column in columns)
    # Words end at a blank: those of all values of a column are found at once.
    held = posted(words_of_text(" ".join(some)) for some in values)
    table_words = [words_of_name(table.ref.name) for table in tables]
    table_names = posted(table_words)
    table_described = posted(words_of_text(table.description or "") for table in tables)
    table_of = np.repeat(np.arange(len(tables)), sizes)
    size, kin_of = len(vocabulary), kin(tables)
    kinds = _kinds(columns, kin_of[table_of])
    return Lexicon(
        catalog=catalog,
        facts=facts,
        measured=known,
        tables=tables,
        columns=tuple(columns),
        refs=refs,
        starts=starts,
        table_of=table_of,
        vocabulary=vocabulary,
        names=names,
        paths=paths,
        descriptions=described,
        values=held,
        table_names=table_names,
        table_descriptions=table_described,
        kin=kin_of,
        column_rarity=_rarity([(field, kinds) for field in (names, paths, described)], size),
        value_rarity=_rarity([(held, kinds)], size),
        table_rarity=_rarity(
            [*((field, kin_of[table_of]) for field in (names, paths, described)), (table_names, kin_of)], size
        ),
        name_words=_numbered(own, vocabulary),
        table_name_words=_numbered(table_words, vocabulary),
        roles=np.array([roles_of(*each) for each in zip(columns, own, values, known, strict=True)], dtype=bool).reshape(
            len(columns), len(ROLES)
        ),
        squashed_names=_places(squashed(leaf) for leaf in leaves),
        squashed_tables=_places(squashed(table.ref.name) for table in tables),
        values_at=_value_places(values),
    )


def _leaf(column: Column) -> str:
    return column.path.rpartition(_STEP)[2] if column.depth else column.path


def _shown(values: Iterable[str]) -> list[str]:
    return [value[:_LONGEST_VALUE] for value in list(values)[:_MOST_VALUES]]


def _numbered(texts: Iterable[Sequence[str]], vocabulary: Vocabulary) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(vocabulary.numbers[word] for word in text) for text in texts)


def _rarity(fields: Sequence[tuple[Postings, Ints]], size: int) -> Floats:
    """The rarity of each word in any of the fields; texts of one number count as one."""
    count = 1 + max(int(numbers.max(initial=0)) for _, numbers in fields)
    pairs = [
        np.repeat(np.arange(len(postings.starts) - 1), np.diff(postings.starts)) * count + numbers[postings.texts]
        for postings, numbers in fields
    ]
    holding = np.bincount(distinct(np.concatenate(pairs)) // count, minlength=size)
    return rarity(holding, len(distinct(np.concatenate([numbers for _, numbers in fields]))))


def _kinds(columns: Sequence[Column], kin_of: Ints) -> Ints:
    """A number of each column, which columns of one path share in tables that are nearly the same."""
    numbers: dict[tuple[int, str], int] = {}
    found = [
        numbers.setdefault((int(kin), column.path.casefold()), len(numbers))
        for column, kin in zip(columns, kin_of, strict=True)
    ]
    return np.array(found, dtype=np.int64)


def _places(texts: Iterable[str]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = defaultdict(list)
    for place, text in enumerate(texts):
        if text:
            places[text].append(place)
    return dict(places)


def _value_places(values: Sequence[Sequence[str]]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = defaultdict(list)
    for place, some in enumerate(values):
        for key in {value_key(value) for value in some}:
            # A single digit stands everywhere and tells nothing.
            if len(key) > 1:
                places[key].append(place)
    return dict(places)

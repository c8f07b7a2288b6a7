"""
The words of one catalogue and the places where they stand, built once and reused by every question.

Tables are sorted by name, so the order in which they come plays no part. The columns of a table lie
together.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from linker.catalog.facts import Facts
from linker.ranking.kin import kin
from linker.ranking.likeness import SimilarWords
from linker.ranking.table_words import (
    ROWS,
    TEXTS,
    TRAITS,
    Floats,
    Ints,
    ReadTables,
    Texts,
    Vocabulary,
)
from linker.types import Catalog, Column, ColumnRef, Record, Table

_K1 = 1.2
_B = 0.6


class Postings(Record, frozen=True):
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


def post(texts: Texts) -> Postings:
    """The postings of texts of word numbers."""
    lengths = texts.lengths
    held, at, times = pairs(texts.words, texts.text_of)
    filled = lengths[lengths > 0].astype(np.float32)
    usual = float(filled.mean()) if len(filled) else 1.0
    norm = _K1 * (1 - _B + _B * lengths.astype(np.float32) / usual)
    starts = np.concatenate([[0], np.cumsum(np.bincount(held))]).astype(np.int64)
    repeats = times.astype(np.float32)
    weights = repeats * (_K1 + 1) / (repeats + norm[at])
    return Postings(starts, at, weights.astype(np.float32), len(lengths))


def pairs(first: Ints, second: Ints) -> tuple[Ints, Ints, Ints]:
    """Each pair of numbers once, in order, and how often it stands there."""
    left, right = _narrow(first), _narrow(second)
    order = np.lexsort((right, left))
    left, right = left[order], right[order]
    is_new = np.ones(len(order), dtype=bool)
    is_new[1:] = (left[1:] != left[:-1]) | (right[1:] != right[:-1])
    at = np.flatnonzero(is_new)
    return left[at].astype(np.int64), right[at].astype(np.int64), np.diff(at, append=len(order))


def _narrow(numbers: Ints) -> npt.NDArray[np.integer[Any]]:
    """Numbers of 16 bits are put in order by counting, ten times as fast as longer ones."""
    return numbers.astype(np.uint16) if numbers.max(initial=0) < 1 << 16 else numbers


def rarity(holding: Ints, size: int) -> Floats:
    """The weight of a word that so many of all texts hold."""
    rare: Floats = np.log1p((size - holding + 0.5) / (holding + 0.5)).astype(np.float32)
    return rare


class TextPlaces(Record, frozen=True):
    """The columns or tables that have a text, such as a value, by the text as it is compared."""

    texts: Vocabulary
    keys: Ints
    places: Ints

    def of(self, key: str) -> Ints:
        """The places that have it, in their order."""
        number = self.texts.numbers.get(key)
        return self.places[:0] if number is None else self.places[self.keys == number]


class OwnWords(Record, frozen=True):
    """
    The words of some tables, by their places among all words, and for each of all its number here
    or -1.
    """

    vocabulary: Vocabulary
    places: Ints
    numbers: Ints

    def number(self, word: str) -> int | None:
        """The number of a word; nothing of one that stands nowhere."""
        place = self.vocabulary.numbers.get(word)
        # Other words may have come since with other tables.
        number = -1 if place is None or place >= len(self.numbers) else int(self.numbers[place])
        return None if number < 0 else number

    def spelt(self, numbers: Ints) -> list[str]:
        """The words of these numbers."""
        every = self.vocabulary.spelt
        return [every[place] for place in self.places[numbers].tolist()]

    def __len__(self) -> int:
        return len(self.places)


class Lexicon(Record, frozen=True, dict=True):
    """
    A catalogue as ranking sees it: its columns in a row, their words, their roles.

    `keys` and `table_keys` are the numbers of columns and tables in the store, `kinds` those that
    copies share.
    """

    catalog: Catalog
    facts: Facts
    tables: tuple[Table, ...]
    refs: tuple[ColumnRef, ...]
    keys: Ints
    table_keys: Ints
    starts: Ints
    table_of: Ints
    vocabulary: OwnWords
    names: Postings
    paths: Postings
    descriptions: Postings
    values: Postings
    table_names: Postings
    table_descriptions: Postings
    kin: Ints
    kinds: Ints
    column_rarity: Floats
    table_rarity: Floats
    name_words: Texts
    table_name_words: Texts
    roles: npt.NDArray[np.bool_]
    traits: Ints
    extra: Ints
    extended: Ints
    squashed_names: TextPlaces
    squashed_tables: TextPlaces
    values_at: TextPlaces
    words_alike: SimilarWords

    def column(self, place: int) -> Column:
        """The column at a place."""
        table = int(self.table_of[place])
        return self.tables[table].columns[place - int(self.starts[table])]

    def trait(self, name: str) -> Ints:
        """What `TRAITS` names, of each column."""
        return self.traits[:, TRAITS.index(name)]

    def value_rarity(self, word: int) -> np.float32:
        """
        The rarity of a word that stands in values, of which few are looked for; columns of one kind
        count as one.
        """
        holding = len(set(self.kinds[self.values.of(word)[0]].tolist()))
        return np.float32(rarity(np.array([holding]), 1 + int(self.kinds.max(initial=-1)))[0])

    @cached_property
    def _named(self) -> frozenset[str]:
        """The words that stand in names and paths."""
        on_paths = np.flatnonzero(np.diff(self.paths.starts))
        stands = np.zeros(len(self.vocabulary), dtype=bool)
        for numbers in (self.name_words.words, self.table_name_words.words, on_paths):
            stands[numbers] = True
        return frozenset(self.vocabulary.spelt(np.flatnonzero(stands)))

    @cached_property
    def _alike(self) -> dict[str, tuple[tuple[int, float], ...]]:
        return {}

    def similar(self, word: str) -> tuple[tuple[int, float], ...]:
        """
        The words of the catalogue that a word may stand for, the same first; all but the same stand
        in names.
        """
        if word not in self._alike:
            own, others = self.vocabulary.number, self.words_alike.of(word, self._named)
            found = ((own(other), degree) for other, degree in ((word, 1.0), *others))
            self._alike[word] = tuple(
                (number, degree) for number, degree in found if number is not None
            )
        return self._alike[word]


def sorted_tables(catalog: Catalog) -> tuple[Table, ...]:
    """The tables that have columns, by their names."""
    return tuple(
        sorted((table for table in catalog.tables if table.columns), key=lambda table: table.ref)
    )


def build_lexicon(catalog: Catalog, facts: Facts, read: ReadTables | None = None) -> Lexicon:
    """The lexicon of a catalogue, of tables that were read before or are read now."""
    tables = sorted_tables(catalog)
    read = read or ReadTables(facts)
    words = [read.of(table) for table in tables]
    empty = np.zeros((ROWS[-1], 0), dtype=np.int64)
    numbers = np.concatenate([empty, *(each.columns for each in words)], axis=1)
    [store_keys], [names], [paths], [extended], extra, traits, roles, lengths, _ = np.split(
        numbers, ROWS
    )
    table_keys, table_names, *table_lengths = (
        np.array([each.table for each in words], dtype=np.int64).reshape(-1, 4).T
    )
    sizes = np.array([len(table.columns) for table in tables], dtype=np.int64)
    table_of = np.repeat(np.arange(len(tables)), sizes)
    texts: dict[str, Texts] = {}
    for field, of_field in zip(TEXTS, (*lengths, *table_lengths), strict=True):
        found = [each.words[field] for each in words]
        texts[field] = Texts(np.concatenate([empty[0], *found]), of_field)
    keys = texts.pop("keys")
    vocabulary, texts = _own_numbers(read.vocabulary, texts)
    posted = {field: post(found) for field, found in texts.items()}
    fields = [posted[field] for field in ("names", "paths", "descriptions")]
    size, kin_of = len(vocabulary), kin(tables, paths)
    # A number of each column, which columns of one path share in tables that are nearly the same;
    # and of each table.
    kinds, kin_numbers = (
        _dense(kin_of[table_of] * (int(paths.max(initial=0)) + 1) + paths),
        _dense(kin_of),
    )
    return Lexicon(
        catalog=catalog,
        facts=facts,
        tables=tables,
        refs=tuple(chain.from_iterable(each.refs for each in words)),
        keys=store_keys,
        table_keys=table_keys,
        starts=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        table_of=table_of,
        vocabulary=vocabulary,
        names=posted["names"],
        paths=posted["paths"],
        descriptions=posted["descriptions"],
        values=posted["values"],
        table_names=posted["table_name"],
        table_descriptions=posted["table_description"],
        kin=kin_of,
        kinds=kinds,
        column_rarity=_rarity([(field, kinds) for field in fields], size),
        table_rarity=_rarity(
            [
                *((field, kin_numbers[table_of]) for field in fields),
                (posted["table_name"], kin_numbers),
            ],
            size,
        ),
        name_words=texts["names"],
        table_name_words=texts["table_name"],
        roles=roles.T.astype(bool),
        traits=traits.T,
        extra=extra.T,
        extended=extended,
        squashed_names=TextPlaces(read.keys, names, np.arange(len(table_of))),
        squashed_tables=TextPlaces(read.keys, table_names, np.arange(len(tables))),
        values_at=TextPlaces(read.keys, keys.words, keys.text_of),
        words_alike=read.alike,
    )


def _own_numbers(
    vocabulary: Vocabulary, texts: Mapping[str, Texts]
) -> tuple[OwnWords, dict[str, Texts]]:
    """
    The words that stand in texts with numbers of their own, so that none is spent on words of other
    tables.
    """
    stands = np.zeros(len(vocabulary), dtype=bool)
    for found in texts.values():
        stands[found.words] = True
    own = OwnWords(vocabulary, np.flatnonzero(stands), np.where(stands, np.cumsum(stands) - 1, -1))
    return own, {
        field: Texts(own.numbers[found.words], found.lengths) for field, found in texts.items()
    }


def _rarity(fields: Sequence[tuple[Postings, Ints]], size: int) -> Floats:
    """The rarity of each word in any of the fields; texts of one number count as one."""
    words = [
        np.repeat(np.arange(len(postings.starts) - 1), np.diff(postings.starts))
        for postings, _ in fields
    ]
    numbers = [numbers[postings.texts] for postings, numbers in fields]
    held, _, _ = pairs(np.concatenate(words), np.concatenate(numbers))
    return rarity(
        np.bincount(held, minlength=size), 1 + max(int(each.max(initial=-1)) for _, each in fields)
    )


def _dense(numbers: Ints) -> Ints:
    """The same numbers counted from none, without gaps."""
    found: Ints = np.unique(numbers, return_inverse=True)[1]
    return found

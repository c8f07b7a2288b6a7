"""
Inverted index of a catalog's terms, and its join graph; built once and shared by all questions.

Tables are sorted by name, so input order does not matter; a table's columns are adjacent. Joins are
declared, measured, seen in queries, or inferred from names.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from linker.catalog.column_metadata import Facts
from linker.ranking.near_duplicates import duplicate_groups
from linker.ranking.table_tokens import (
    ROLES,
    ROWS,
    TEXTS,
    TRAITS,
    Floats,
    Ints,
    ReadTables,
    Texts,
    Vocabulary,
    WordSimilarity,
)
from linker.text.words import stem, word_list, words_of_name
from linker.types import Catalog, Column, ColumnRef, Record, Table

_K1 = 1.2
_B = 0.6

_KEY = ROLES.index("key")
# A key name in more tables would join everything with everything.
_MAX_TABLES = 40
_SAME_KEY_NAME = 0.6
_TIMES = frozenset(map(stem, word_list("naming_times") | {"id", "key", "code"}))


class Postings(Record, frozen=True):
    """Postings per word, with saturated BM25 weights."""

    starts: Ints
    texts: Ints
    weights: Floats
    size: int

    def get(self, word: int) -> tuple[Ints, Floats]:
        """Texts that contain a word, with weights."""
        if word + 1 >= len(self.starts):
            return self.texts[:0], self.weights[:0]
        here = slice(self.starts[word], self.starts[word + 1])
        return self.texts[here], self.weights[here]


def post(texts: Texts) -> Postings:
    """Postings of texts given as word numbers."""
    lengths = texts.lengths
    held, text_numbers, times = pairs(texts.words, texts.text_of)
    filled = lengths[lengths > 0].astype(np.float32)
    usual = float(filled.mean()) if len(filled) else 1.0
    norm = _K1 * (1 - _B + _B * lengths.astype(np.float32) / usual)
    starts = np.concatenate([[0], np.cumsum(np.bincount(held))]).astype(np.int64)
    repeats = times.astype(np.float32)
    weights = repeats * (_K1 + 1) / (repeats + norm[text_numbers])
    return Postings(starts, text_numbers, weights.astype(np.float32), len(lengths))


def pairs(first: Ints, second: Ints) -> tuple[Ints, Ints, Ints]:
    """Distinct pairs in order, with counts."""
    left, right = _narrow(first), _narrow(second)
    order = np.lexsort((right, left))
    left, right = left[order], right[order]
    is_new = np.ones(len(order), dtype=bool)
    is_new[1:] = (left[1:] != left[:-1]) | (right[1:] != right[:-1])
    first_indexes = np.flatnonzero(is_new)
    return (
        left[first_indexes].astype(np.int64),
        right[first_indexes].astype(np.int64),
        np.diff(first_indexes, append=len(order)),
    )


def _narrow(numbers: Ints) -> npt.NDArray[np.integer[Any]]:
    """16-bit numbers where possible: radix sort is ten times as fast."""
    return numbers.astype(np.uint16) if numbers.max(initial=0) < 1 << 16 else numbers


def rarity(holding: Ints, size: int) -> Floats:
    """Inverse document frequency."""
    rare: Floats = np.log1p((size - holding + 0.5) / (holding + 0.5)).astype(np.float32)
    return rare


class SpanIndex(Record, frozen=True):
    """Columns or tables by normalised text, such as a value."""

    texts: Vocabulary
    keys: Ints
    places: Ints

    def get(self, key: str) -> Ints:
        """Their indexes, in order."""
        number = self.texts.numbers.get(key)
        return self.places[:0] if number is None else self.places[self.keys == number]


class CorpusWords(Record, frozen=True):
    """Words of some tables, and a map from global word numbers to local ones (or -1)."""

    vocabulary: Vocabulary
    places: Ints
    numbers: Ints

    def number(self, word: str) -> int | None:
        """Local number of a word; None if it does not occur."""
        index = self.vocabulary.numbers.get(word)
        # Later tables may have added words.
        number = -1 if index is None or index >= len(self.numbers) else int(self.numbers[index])
        return None if number < 0 else number

    def spelt(self, numbers: Ints) -> list[str]:
        """The words of these numbers."""
        every = self.vocabulary.spelt
        return [every[index] for index in self.places[numbers].tolist()]

    def __len__(self) -> int:
        return len(self.places)


@dataclass(eq=False)
class InvertedIndex:
    """
    A catalog as arrays for ranking: columns, words, roles.

    `keys` and `table_keys` are ids in the store; `kinds` are shared by duplicates.
    """

    catalog: Catalog
    facts: Facts
    tables: tuple[Table, ...]
    refs: tuple[ColumnRef, ...]
    keys: Ints
    table_keys: Ints
    starts: Ints
    table_of: Ints
    vocabulary: CorpusWords
    names: Postings
    paths: Postings
    descriptions: Postings
    values: Postings
    table_names: Postings
    table_descriptions: Postings
    duplicate_groups: Ints
    kinds: Ints
    column_rarity: Floats
    table_rarity: Floats
    name_words: Texts
    table_name_words: Texts
    roles: npt.NDArray[np.bool_]
    traits: Ints
    extra: Ints
    extended: Ints
    squashed_names: SpanIndex
    squashed_tables: SpanIndex
    values_at: SpanIndex
    similar_words: WordSimilarity

    def column(self, index: int) -> Column:
        """The column at an index."""
        table = int(self.table_of[index])
        return self.tables[table].columns[index - int(self.starts[table])]

    def trait(self, name: str) -> Ints:
        """A value of `TRAITS` for each column."""
        return self.traits[:, TRAITS.index(name)]

    def value_rarity(self, word: int) -> np.float32:
        """Rarity of a word in values; columns of one kind count once."""
        holding = len(set(self.kinds[self.values.get(word)[0]].tolist()))
        return np.float32(rarity(np.array([holding]), 1 + int(self.kinds.max(initial=-1)))[0])

    @cached_property
    def things(self) -> frozenset[str]:
        """Words that are a table's full name."""
        lengths = self.table_name_words.lengths
        first = np.cumsum(lengths) - lengths
        words = self.table_name_words.words[first[lengths == 1]]
        return frozenset(self.vocabulary.spelt(words))

    @cached_property
    def is_named(self) -> npt.NDArray[np.bool_]:
        """Whether each word is in a name of a table or column."""
        is_named = np.zeros(len(self.vocabulary), dtype=bool)
        is_named[self.name_words.words] = True
        is_named[self.table_name_words.words] = True
        return is_named

    @cached_property
    def _named(self) -> frozenset[str]:
        """Words in names and paths."""
        on_paths = np.flatnonzero(np.diff(self.paths.starts))
        stands = np.zeros(len(self.vocabulary), dtype=bool)
        for numbers in (self.name_words.words, self.table_name_words.words, on_paths):
            stands[numbers] = True
        return frozenset(self.vocabulary.spelt(np.flatnonzero(stands)))

    @cached_property
    def _alike(self) -> "SimilarTerms":
        return SimilarTerms(self.vocabulary, self.similar_words, self._named)

    def similar(self, word: str) -> tuple[tuple[int, float], ...]:
        """Words of the catalog that a word may match, itself first; others occur in names."""
        return self._alike.get(word)


class SimilarTerms:
    """Cache of similar terms."""

    def __init__(self, vocabulary: CorpusWords, words: WordSimilarity, named: Set[str]) -> None:
        self._vocabulary, self._words, self._named = vocabulary, words, named
        self._found: dict[str, tuple[tuple[int, float], ...]] = {}

    def get(self, word: str) -> tuple[tuple[int, float], ...]:
        """Numbers of similar words, with similarity."""
        if word not in self._found:
            others = self._words.get(word, self._named)
            numbered = (
                (self._vocabulary.number(other), degree) for other, degree in ((word, 1.0), *others)
            )
            self._found[word] = tuple(
                (number, degree) for number, degree in numbered if number is not None
            )
        return self._found[word]


def sorted_tables(catalog: Catalog) -> tuple[Table, ...]:
    """Tables with columns, by name."""
    return tuple(
        sorted((table for table in catalog.tables if table.columns), key=lambda table: table.ref)
    )


def build_lexicon(catalog: Catalog, facts: Facts, read: ReadTables | None = None) -> InvertedIndex:
    """Build from a catalog; `read` are tables already tokenised."""
    tables = sorted_tables(catalog)
    read = read or ReadTables(facts)
    words = [read.get(table) for table in tables]
    empty = np.zeros((ROWS[-1], 0), dtype=np.int64)
    numbers = np.concatenate([empty, *(item.columns for item in words)], axis=1)
    [store_keys], [names], [paths], [extended], extra, traits, roles, lengths, _ = np.split(
        numbers, ROWS
    )
    table_keys, table_names, *table_lengths = (
        np.array([item.table for item in words], dtype=np.int64).reshape(-1, 4).T
    )
    sizes = np.array([len(table.columns) for table in tables], dtype=np.int64)
    table_of = np.repeat(np.arange(len(tables)), sizes)
    texts: dict[str, Texts] = {}
    for field, of_field in zip(TEXTS, (*lengths, *table_lengths), strict=True):
        texts_of_field = [item.words[field] for item in words]
        texts[field] = Texts(np.concatenate([empty[0], *texts_of_field]), of_field)
    keys = texts.pop("keys")
    vocabulary, texts = _own_numbers(read.vocabulary, texts)
    posted = {field: post(texts_of_field) for field, texts_of_field in texts.items()}
    fields = [posted[field] for field in ("names", "paths", "descriptions")]
    size, group_of = len(vocabulary), duplicate_groups(tables, paths)
    # Kind of each column, shared by the same path in near-duplicates; and group of each table.
    kinds = _dense(group_of[table_of] * (int(paths.max(initial=0)) + 1) + paths)
    group_numbers = _dense(group_of)
    return InvertedIndex(
        catalog=catalog,
        facts=facts,
        tables=tables,
        refs=tuple(chain.from_iterable(item.refs for item in words)),
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
        duplicate_groups=group_of,
        kinds=kinds,
        column_rarity=_rarity([(field, kinds) for field in fields], size),
        table_rarity=_rarity(
            [
                *((field, group_numbers[table_of]) for field in fields),
                (posted["table_name"], group_numbers),
            ],
            size,
        ),
        name_words=texts["names"],
        table_name_words=texts["table_name"],
        roles=roles.T.astype(bool),
        traits=traits.T,
        extra=extra.T,
        extended=extended,
        squashed_names=SpanIndex(read.keys, names, np.arange(len(table_of))),
        squashed_tables=SpanIndex(read.keys, table_names, np.arange(len(tables))),
        values_at=SpanIndex(read.keys, keys.words, keys.text_of),
        similar_words=read.alike,
    )


def _own_numbers(
    vocabulary: Vocabulary, texts: Mapping[str, Texts]
) -> tuple[CorpusWords, dict[str, Texts]]:
    """Renumber to words in these texts, to save space."""
    stands = np.zeros(len(vocabulary), dtype=bool)
    for text in texts.values():
        stands[text.words] = True
    own = CorpusWords(
        vocabulary, np.flatnonzero(stands), np.where(stands, np.cumsum(stands) - 1, -1)
    )
    return own, {
        field: Texts(own.numbers[text.words], text.lengths) for field, text in texts.items()
    }


def _rarity(fields: Sequence[tuple[Postings, Ints]], size: int) -> Floats:
    """Rarity of each word over fields; equal texts count once."""
    words = [
        np.repeat(np.arange(len(postings.starts) - 1), np.diff(postings.starts))
        for postings, _ in fields
    ]
    numbers = [numbers[postings.texts] for postings, numbers in fields]
    held, _, _ = pairs(np.concatenate(words), np.concatenate(numbers))
    return rarity(
        np.bincount(held, minlength=size), 1 + max(int(item.max(initial=-1)) for _, item in fields)
    )


def _dense(numbers: Ints) -> Ints:
    """Renumber without gaps."""
    renumbered: Ints = np.unique(numbers, return_inverse=True)[1]
    return renumbered


@dataclass(eq=False)
class Graph:
    """
    Join edges in both directions, with their key columns.

    `points` is 1 if the left end references a key at the right, as far as known.
    """

    left: Ints
    left_column: Ints
    right: Ints
    right_column: Ints
    confidence: Floats
    points: Floats

    @cached_property
    def _pairs(self) -> tuple[Ints, Ints]:
        """Edges sorted by table pair, with group starts."""
        order = np.lexsort((self.right, self.left))
        left, right = self.left[order], self.right[order]
        is_first = np.ones(len(order), dtype=bool)
        is_first[1:] = (left[1:] != left[:-1]) | (right[1:] != right[:-1])
        return order, np.flatnonzero(is_first)

    def best_of_pairs(self, worth: Floats) -> Ints:
        """The best edge of each table pair; ties go to the last."""
        order, starts = self._pairs
        if not len(order):
            return order
        best = np.maximum.reduceat(worth[order], starts)
        is_best = worth[order] == np.repeat(best, np.diff(starts, append=len(order)))
        last: Ints = order[
            np.maximum.reduceat(np.where(is_best, np.arange(len(order)), -1), starts)
        ]
        return last


def build_graph(lexicon: InvertedIndex) -> Graph:
    """Build the join graph; duplicate joins keep the most confident."""
    confidences: dict[tuple[int, int], float] = {}
    pointing: set[tuple[int, int]] = set()
    for left, right, confidence in _known(lexicon):
        confidences[left, right] = max(confidences.get((left, right), 0.0), confidence)
        pointing.add((left, right))
    homes: dict[int, set[int]] = defaultdict(set)
    for left, right in pointing:
        homes[left].add(right)
    # References to the same key join through its table.
    shared = (join for join in _of_same_name(lexicon) if homes[join[0]].isdisjoint(homes[join[1]]))
    for left, right, confidence in (*_used(lexicon), *shared):
        confidences[left, right] = max(confidences.get((left, right), 0.0), confidence)
    both: dict[tuple[int, int], float] = {}
    for (left, right), confidence in confidences.items():
        if lexicon.table_of[left] != lexicon.table_of[right]:
            for pair in ((left, right), (right, left)):
                both[pair] = max(both.get(pair, 0.0), confidence)
    ordered = sorted(both)
    ends = np.array(ordered, dtype=np.int64).reshape(-1, 2)
    return Graph(
        left=lexicon.table_of[ends[:, 0]],
        left_column=ends[:, 0],
        right=lexicon.table_of[ends[:, 1]],
        right_column=ends[:, 1],
        confidence=np.array([both[pair] for pair in ordered], dtype=np.float32),
        points=np.array([pair in pointing for pair in ordered], dtype=np.float32),
    )


def _known(lexicon: InvertedIndex) -> Iterator[tuple[int, int, float]]:
    tables = {table.ref for table in lexicon.tables}
    keys = [key for key in lexicon.facts.joins if key.left in tables and key.right in tables]
    by_name = (
        {(ref.table, ref.path.casefold()): index for index, ref in enumerate(lexicon.refs)}
        if keys
        else {}
    )
    for key in keys:
        for left, right in zip(key.left_columns, key.right_columns, strict=True):
            first = by_name.get((key.left, left.casefold()))
            second = by_name.get((key.right, right.casefold()))
            if first is not None and second is not None:
                yield first, second, key.confidence


def _used(lexicon: InvertedIndex) -> Iterator[tuple[int, int, float]]:
    """Joins from queries, whose direction is unknown."""
    joins = lexicon.facts.prior_use.joins
    places = {ref: index for index, ref in enumerate(lexicon.refs)} if joins else {}
    for (first, second), use in joins.items():
        if first in places and second in places:
            yield places[first], places[second], use.confidence


def _of_same_name(lexicon: InvertedIndex) -> Iterator[tuple[int, int, float]]:
    names, table_of = lexicon.squashed_names, lexicon.table_of.tolist()
    own_key = names.texts.numbers.get("id", -1)
    keys = np.flatnonzero(lexicon.roles[:, _KEY] & (names.keys >= 0) & (names.keys != own_key))
    keys = keys[np.argsort(names.keys[keys], kind="stable")]
    # Unique names join nothing.
    is_same = np.diff(names.keys[keys], prepend=-1, append=-1) == 0
    keys = keys[is_same[1:] | is_same[:-1]]
    ends = np.flatnonzero(np.diff(names.keys[keys])) + 1
    for places in (some.tolist() for some in np.split(keys, ends)):
        if not places or len({table_of[index] for index in places}) > _MAX_TABLES:
            continue
        # Measures of one year are not related.
        if not _TIMES.issuperset(words_of_name(lexicon.refs[places[0]].path)):
            # Rows that each table numbers for itself; a shared key would be measured as a join.
            numbers = {index for index in places if _is_own_number(lexicon, index)}
            for first, second in combinations(places, 2):
                if not numbers.issuperset((first, second)):
                    yield first, second, _SAME_KEY_NAME


def _is_own_number(lexicon: InvertedIndex, index: int) -> bool:
    """Whether it is a measured primary key."""
    facts = lexicon.facts.get(lexicon.refs[index])
    return facts.is_primary_key and bool(facts.distinct_count)

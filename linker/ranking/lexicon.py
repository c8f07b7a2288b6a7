"""
The words of one catalogue: enter its facts, leaves where each word stands, built once and reused by every question.

Tables are sorted by name, so the order in which they come plays no part. The columns of a table lie together.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from linker.catalog.facts import ColumnFacts, Facts
from linker.ranking.likeness import SHORTEST_ROOT, similarity, skeleton, trigrams
from linker.ranking.postings import Floats, Ints, Postings, Vocabulary, distinct, post, rarity
from linker.ranking.question import value_key
from linker.ranking.roles import ROLES, roles_of
from linker.text.words import squashed, words_of_name, words_of_text
from linker.types import Catalog, Column, ColumnRef, Table

_MOST_VALUES = 10
_LONGEST_VALUE = 80
_MOST_SIMILAR = 25
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
    def _similar(self) -> "SimilarWords":
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


class SimilarWords:
    """Words by what they have in common; what was asked once is remembered."""

    def __init__(self, named: dict[str, int], known: dict[str, int]) -> None:
        self._named, self._known = named, known
        self._sorted = sorted(word for word in named if not word.isdigit())
        self._by_ends: dict[tuple[str, str], list[str]] = defaultdict(list)
        self._by_bones: dict[str, list[str]] = defaultdict(list)
        self._by_trigram: dict[str, list[str]] = defaultdict(list)
        for word in self._sorted:
            self._by_ends[word[0], word[-1]].append(word)
            self._by_bones[skeleton(word)].append(word)
            for run in trigrams(word) if len(word) > 3 else ():
                self._by_trigram[run].append(word)
        self._found: dict[str, tuple[tuple[int, float], ...]] = {}

    def of(self, word: str) -> tuple[tuple[int, float], ...]:
        """The numbers of the words alike, with how alike they are."""
        if word not in self._found:
            self._found[word] = self._look_up(word)
        return self._found[word]

    def _look_up(self, word: str) -> tuple[tuple[int, float], ...]:
        exact = ((self._known[word], 1.0),) if word in self._known else ()
        if word.isdigit():
            return exact
        alike = ((similarity(word, other), other) for other in self._candidates(word) if other != word)
        best = sorted((one for one in alike if one[0] > 0), key=lambda one: (-one[0], one[1]))[:_MOST_SIMILAR]
        return exact + tuple((self._named[other], degree) for degree, other in best)

    def _candidates(self, word: str) -> set[str]:
        found = {word[:end] for end in range(3, len(word)) if word[:end] in self._named}
        for start in (word, word[:SHORTEST_ROOT]) if len(word) > 2 else ():
            first = bisect_left(self._sorted, start)
            last = bisect_left(self._sorted, f"{start}\U0010ffff")
            found.update(self._sorted[first : min(last, first + 200)])
        found.update(self._by_bones.get(skeleton(word), ()))
        found.update(other for other in self._by_ends.get((word[0], word[-1]), ()) if abs(len(other) - len(word)) > 1)
        counts: dict[str, int] = defaultdict(int)
        for run in trigrams(word) if len(word) > 3 else ():
            for other in self._by_trigram.get(run, ()):
                counts[other] += 1
        # Half of all trigrams in common is at least a third of those of the word asked.
        found.update(other for other, count in counts.items() if 3 * count >= len(word))
        return found


def build_lexicon(catalog: Catalog, facts: Facts) -> Lexicon:
    """Read a catalogue once."""
    tables = tuple(sorted((one for one in catalog.tables if one.columns), key=lambda one: one.ref))
    columns = [column for table in tables for column in table.columns]
    refs = tuple(ColumnRef(table.ref, column.path) for table in tables for column in table.columns)
    sizes = np.array([len(table.columns) for table in tables], dtype=np.int64)
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    known = tuple(facts.of(ref) for ref in refs)
    values = [_shown(one.values) for one in known]
    vocabulary = Vocabulary()
    leaves = [_leaf(column) for column in columns]
    own = [words_of_name(leaf) for leaf in leaves]
    posted = _Posted(vocabulary)
    names = posted.of(own)
    paths = posted.of(words_of_name(column.path[: -len(leaf)]) for column, leaf in zip(columns, leaves, strict=True))
    described = posted.of(words_of_text(column.description or "") for column in columns)
    # Words end at a blank: those of all values of a column are found at once.
    held = posted.of(words_of_text(" ".join(some)) for some in values)
    table_words = [words_of_name(table.ref.name) for table in tables]
    table_names = posted.of(table_words)
    table_described = posted.of(words_of_text(table.description or "") for table in tables)
    table_of = np.repeat(np.arange(len(tables)), sizes)
    size = len(vocabulary)
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
        column_rarity=rarity(_holding((names, paths, described), size), len(columns)),
        value_rarity=rarity(_holding((held,), size), len(columns)),
        table_rarity=rarity(_tables_holding((names, paths, described, table_names), table_of, size), len(tables)),
        name_words=_numbered(own, vocabulary),
        table_name_words=_numbered(table_words, vocabulary),
        roles=np.array(
            [roles_of(*each) for each in zip(columns, own, values, known, strict=True)],
            dtype=bool,
        ).reshape(len(columns), len(ROLES)),
        squashed_names=_places(squashed(leaf) for leaf in leaves),
        squashed_tables=_places(spelling for spelling in (squashed(table.ref.name) for table in tables)),
        values_at=_value_places(values),
    )


def _leaf(column: Column) -> str:
    return column.path.rpartition(_STEP)[2] if column.depth else column.path


def _shown(values: Iterable[str]) -> list[str]:
    return [value[:_LONGEST_VALUE] for value in list(values)[:_MOST_VALUES]]


class _Posted:
    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary

    def of(self, texts: Iterable[Sequence[str]]) -> Postings:
        return post([self._vocabulary.number(text) for text in texts])


def _numbered(texts: Iterable[Sequence[str]], vocabulary: Vocabulary) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(vocabulary.numbers[word] for word in text) for text in texts)


def _holding(fields: Sequence[Postings], size: int) -> Ints:
    """How many texts hold each word in any of the fields, at most: a text that holds it twice may count twice."""
    holding = np.zeros(size, dtype=np.int64)
    for one in fields:
        counts = np.diff(one.starts)
        holding[: len(counts)] = np.maximum(holding[: len(counts)], counts)
    return holding


def _tables_holding(fields: Sequence[Postings], table_of: Ints, size: int) -> Ints:
    """How many tables hold each word in any of the fields."""
    pairs = []
    count = int(table_of[-1]) + 1 if len(table_of) else 0
    for one in fields:
        held = np.repeat(np.arange(len(one.starts) - 1), np.diff(one.starts))
        at = one.texts if one.size == count and one is fields[-1] else table_of[one.texts]
        pairs.append(held * max(count, 1) + at)
    unique = distinct(np.concatenate(pairs)) if pairs else np.empty(0, dtype=np.int64)
    return np.bincount(unique // max(count, 1), minlength=size).astype(np.int64)


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

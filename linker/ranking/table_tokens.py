"""
Tokens of tables as integers: terms of names, descriptions and values, related terms (prefix,
abbreviation, misspelling), and column roles (key, name, time, amount).

A table is tokenised once per index state. In a large catalog, each question combines the tokens of
its candidate tables into one inverted index.
"""

import re
from bisect import bisect_left, insort
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from itertools import chain, islice, takewhile
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from linker.catalog.column_metadata import ColumnFacts, Facts
from linker.index.base import key_of
from linker.ranking.compound_words import name_stems
from linker.retrieval.hits import keys_of
from linker.text.values import value_key
from linker.text.words import alnum_key, root, stem, word_list, words_of_text
from linker.types import Column, ColumnRef, Record, Table, TableRef

_KEYS = word_list("naming_keys")
_NAMES = word_list("naming_names")
_TIMES = word_list("naming_times")
_PLACES = word_list("naming_places")
_GROUPS = word_list("naming_groups")
_AMOUNTS = word_list("naming_amounts")
_OF_LOADING = frozenset(map(stem, word_list("naming_loading")))
_TIME_TYPE = re.compile(r"^(date|time|timestamp|datetime|interval)", re.IGNORECASE)
_NUMBER_TYPE = re.compile(
    r"^(u?(tiny|small|medium|big|huge)?int|integer|number|numeric|decimal|float|double|real|bignumeric|money)",
    re.I,
)
_BOOLEAN_TYPE = re.compile(r"^bool", re.IGNORECASE)
_PLACE_TYPE = re.compile(r"^(geo|point|polygon)", re.IGNORECASE)
_FRACTION_TYPE = re.compile(r"^(numeric|decimal|float|double|real|bignumeric|money)", re.IGNORECASE)
_OPEN_TYPE = re.compile(r"^(json|variant|object|struct|array|list|map|super|record)", re.IGNORECASE)
_TYPES = (_TIME_TYPE, _NUMBER_TYPE, _FRACTION_TYPE, _BOOLEAN_TYPE, _PLACE_TYPE, _OPEN_TYPE)
_DAY = re.compile(r"^(1[89]|20)\d\d[-/]?(0[1-9]|1[0-2])[-/]?([0-2]\d|3[01])\b")
_YEAR = re.compile(r"^(1[89]|20)\d\d$")

# Roles proven by semantic types.
_BY_CATEGORY = dict.fromkeys(("identifier", "foreign_key"), "key") | dict.fromkeys(
    ("date", "timestamp"), "time_type"
)
_BY_CATEGORY |= dict.fromkeys(("measure", "money"), "amount") | {
    "year": "time",
    "category": "group",
    "geo": "place",
}

ROLES = (
    "time_type",
    "number_type",
    "fraction_type",
    "boolean_type",
    "place_type",
    "open_type",
    "key",
    "name",
    "time",
    "place",
    "group",
    "amount",
    "says_id",
)


# Roles by words in names.
_BY_WORDS = (
    ("key", frozenset(("id", "uuid", "guid", "uid"))),
    ("name", _NAMES),
    ("time", _TIMES),
    ("place", _PLACES),
    ("group", _GROUPS),
    ("amount", _AMOUNTS),
)

_VOWELS = re.compile(r"(?<!^)[aeiouy]")
_SHORTEST_PREFIX = 3
_SHORTEST_ROOT = 6
_SHORTEST_SKELETON = 2
_MAX_SIMILAR = 25
_MAX_BEGINNING = 200
_MIN_TRIGRAM_OVERLAP = 0.5
_DERIVED = 0.9
Floats = npt.NDArray[np.floating[Any]]
Ints = npt.NDArray[np.int64]
_LONGEST_VALUE = 80
_STEP = "."
# Rows per column: store key; normalised name and path (or -1); names with extra words; start and
# end of extra words; traits and roles; lengths of texts.
TRAITS = ("is_described", "depth", "inside", "is_opened", "is_empty", "is_full", "is_constant")
TEXTS = ("names", "paths", "descriptions", "values", "keys", "table_name", "table_description")
ROWS = np.cumsum([1, 1, 1, 1, 2, len(TRAITS), len(ROLES), len(TEXTS) - 2])


def roles_of(
    column: Column, own_words: Sequence[str], values: Sequence[str], facts: ColumnFacts
) -> tuple[bool, ...]:
    """Which of `ROLES` a column has, by name and measurements."""
    seen = [value for value in values[:5] if value]
    roles = {role for role, words in _BY_WORDS if not words.isdisjoint(own_words)} | _roles_of_type(
        column.data_type
    )
    roles.add(_BY_CATEGORY.get(facts.category or "", ""))
    if list(own_words[-1:]) == ["area"] and "number_type" in roles:
        roles = roles - {"place"} | {"amount"}
    if seen and all(map(_DAY.match, seen)):
        roles |= {"time_type", "time"}
    if seen and all(map(_YEAR.match, seen)):
        roles.add("time")
    if facts.is_primary_key or facts.is_foreign_key or not _KEYS.isdisjoint(own_words[-1:]):
        roles.add("key")
    if list(own_words) == ["id"]:
        roles.add("says_id")
    return tuple([role in roles for role in ROLES])


def is_of_loading(column: Column) -> bool:
    """Whether a time is that of loading a row, not of an event."""
    return not _OF_LOADING.isdisjoint(name_stems(column.path))


@lru_cache(maxsize=10_000)
def _roles_of_type(data_type: str) -> frozenset[str]:
    """Roles of a data type; cached."""
    roles = {role for role, pattern in zip(ROLES, _TYPES, strict=False) if pattern.match(data_type)}
    return frozenset(roles | {"time"} if "time_type" in roles else roles)


@lru_cache(maxsize=200_000)
def skeleton(word: str) -> str:
    """First letter and consonants without repetition: `amount` is `amnt`."""
    return re.sub(r"(.)\1+", r"\1", _VOWELS.sub("", word))


@lru_cache(maxsize=200_000)
def trigrams(word: str) -> frozenset[str]:
    """Trigrams with end marks."""
    marked = f"^{word}$"
    return frozenset(marked[start : start + 3] for start in range(len(marked) - 2))


def similarity(wanted: str, named: str) -> float:
    """Similarity of two words (0 to 1): equality, derivation, prefix, abbreviation, trigrams."""
    if wanted.isdigit() or named.isdigit():
        return float(wanted == named)
    if root(wanted) == root(named):
        return 1.0 if wanted == named else _DERIVED
    short, long = sorted((wanted, named), key=len)
    if len(short) >= _SHORTEST_PREFIX and long.startswith(short):
        return 0.4 + 0.5 * len(short) / len(long)
    if _abbreviates(short, long):
        return 0.55
    if _has_same_root(short, long):
        return 0.45
    return _trigram_similarity(wanted, named)


def _abbreviates(short: str, long: str) -> bool:
    """
    `cnt` has all consonants of `count`; `amt` and `qty` some of `amount` and `quantity`, including
    first and last.
    """
    if len(short) < _SHORTEST_SKELETON or len(long) < len(short) + 2 or short[0] != long[0]:
        return False
    bones = skeleton(long)
    if skeleton(short) == bones and len(bones) > 2:
        return True
    has_few_vowels = len(_VOWELS.sub("", short)) == len(short) or short[-1] == "y"
    return (
        len(short) > 2 and has_few_vowels and short[-1] == long[-1] and _is_subsequence(short, long)
    )


def _has_same_root(short: str, long: str) -> bool:
    """`satisfied` and `satisfaction` share a prefix of half the longer one."""
    root = sum(
        1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(short, long, strict=False))
    )
    return root >= _SHORTEST_ROOT and 2 * root >= len(long)


def _is_subsequence(short: str, long: str) -> bool:
    letters = iter(long)
    return all(letter in letters for letter in short)


def _trigram_similarity(word: str, other: str) -> float:
    if min(len(word), len(other)) < 4:
        return 0.0
    left, right = trigrams(word), trigrams(other)
    overlap = len(left & right) / len(left | right)
    return 0.75 * overlap if overlap >= _MIN_TRIGRAM_OVERLAP else 0.0


class WordSimilarity:
    """Finds similar words among those added."""

    def __init__(self, words: list[str] | None = None, *groups: dict[str, list[str]]) -> None:
        self._sorted = words or []
        self._known = set(self._sorted)
        self._groups = [defaultdict(list, group) for group in groups or ({}, {}, {})]
        self._by_ends, self._by_bones, self._by_trigram = self._groups
        self._lock = Lock()

    @property
    def parts(self) -> tuple[list[str], *tuple[dict[str, list[str]], ...]]:
        """State for serialisation."""
        return self._sorted, *self._groups

    def add(self, words: Iterable[str]) -> None:
        """Add words; numbers are similar to nothing."""
        with self._lock:
            for word in words:
                if word in self._known or word.isdigit():
                    continue
                self._known.add(word)
                insort(self._sorted, word)
                self._by_ends[word[0] + word[-1]].append(word)
                self._by_bones[skeleton(word)].append(word)
                for run in trigrams(word) if len(word) > 3 else ():
                    self._by_trigram[run].append(word)

    def get(self, word: str, named: Set[str]) -> tuple[tuple[str, float], ...]:
        """Similar words among `named`, most similar first."""
        if word.isdigit():
            return ()
        with self._lock:
            candidates = self._candidates(word, named)
        alike = ((similarity(word, other), other) for other in candidates if other != word)
        best = sorted(
            (pair for pair in alike if pair[0] > 0), key=lambda pair: (-pair[0], pair[1])
        )[:_MAX_SIMILAR]
        return tuple((other, degree) for degree, other in best)

    def _candidates(self, word: str, named: Set[str]) -> set[str]:
        candidates = {word[:end] for end in range(3, len(word))}
        for start in (word, root(word), word[:_SHORTEST_ROOT]) if len(word) > 2 else ():
            first = bisect_left(self._sorted, start)
            beginning = islice(self._sorted, first, bisect_left(self._sorted, f"{start}\U0010ffff"))
            candidates.update(
                islice((other for other in beginning if other in named), _MAX_BEGINNING)
            )
        candidates.update(self._by_bones.get(skeleton(word), ()))
        candidates.update(
            other
            for other in self._by_ends.get(word[0] + word[-1], ())
            if abs(len(other) - len(word)) > 1
        )
        # Half of all trigrams in common implies a third of the query's.
        runs = trigrams(word) if len(word) > 3 else ()
        counts = Counter(chain.from_iterable(self._by_trigram.get(run, ()) for run in runs))
        candidates.update(other for other, count in counts.items() if 3 * count >= len(word))
        return candidates & named


class Vocabulary:
    """Words by number, in order of appearance."""

    def __init__(self, words: Sequence[str] = ()) -> None:
        self.numbers = {word: number for number, word in enumerate(words)}
        self._spelt = list(words)

    def add(self, word: str) -> int:
        """The number of a word, a new one for a new word."""
        return self.numbers.setdefault(word, len(self.numbers))

    def number(self, words: Iterable[str]) -> list[int]:
        """Numbers of words, with new ones for new words."""
        return [*map(self.add, words)]

    @property
    def spelt(self) -> list[str]:
        """Words by number."""
        if len(self._spelt) < len(self.numbers):
            self._spelt = [*self.numbers]
        return self._spelt

    def __len__(self) -> int:
        return len(self.numbers)


class Texts(Record, frozen=True):
    """Concatenated texts as word numbers, with lengths."""

    words: Ints
    lengths: Ints

    @property
    def text_of(self) -> Ints:
        """The text of each word."""
        text_numbers: Ints = np.repeat(np.arange(len(self.lengths)), self.lengths)
        return text_numbers

    def split(self) -> list[list[int]]:
        """Word numbers of each text."""
        words, ends = self.words.tolist(), np.cumsum(self.lengths).tolist()
        return [words[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def texts(numbers: Sequence[Sequence[int]]) -> Texts:
    """Concatenate texts of word numbers."""
    lengths = np.fromiter(map(len, numbers), dtype=np.int64, count=len(numbers))
    return Texts(np.fromiter(chain.from_iterable(numbers), dtype=np.int64), lengths)


class TableWords(Record, frozen=True):
    """
    Tokens of a table and its columns, with their traits.

    `columns` has the rows of `ROWS`; `table` its id, normalised name, and lengths of its own texts.
    """

    refs: tuple[ColumnRef, ...]
    columns: Ints
    table: Ints
    words: Mapping[str, Ints]


def _values(facts: ColumnFacts) -> list[str]:
    return [value[:_LONGEST_VALUE] for value in facts.frequent_values]


class ReadTables:
    """Tokens of tables, read on demand; `existing` are indexed columns known to exist."""

    def __init__(self, facts: Facts) -> None:
        self.vocabulary, self.keys, self.alike = Vocabulary(), Vocabulary(), WordSimilarity()
        self._facts, self.existing = facts, set[int]()
        self._read: dict[TableRef, TableWords] = {}
        self._lock = Lock()

    def get(self, table: Table) -> TableWords:
        """Tokens of a table."""
        with self._lock:
            if table.ref not in self._read:
                self._read[table.ref] = self._words(table)
            return self._read[table.ref]

    def _numbered(self, phrases: Iterable[Sequence[str]]) -> Texts:
        return texts([self.vocabulary.number(words) for words in phrases])

    def _words(self, table: Table) -> TableWords:
        refs = tuple(ColumnRef(table.ref, column.path) for column in table.columns)
        column_facts = tuple(self._facts.get(ref) for ref in refs)
        values = [_values(facts) for facts in column_facts]
        leaves = [
            item.path.rpartition(_STEP)[2] if item.depth else item.path for item in table.columns
        ]
        own = [name_stems(leaf) for leaf in leaves]
        outer = [
            column.path[: -len(leaf)] for column, leaf in zip(table.columns, leaves, strict=True)
        ]
        paths, table_name = list(map(name_stems, outer)), name_stems(table.ref.name)
        self.alike.add(chain(table_name, *own, *paths))
        extra, extended = _extensions(outer, own)
        roles = [
            roles_of(*item) for item in zip(table.columns, own, values, column_facts, strict=True)
        ]
        described = (words_of_text(column.description or "") for column in table.columns)
        # Words end at blanks, so the values of a column are tokenised at once.
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
        own_name, *names = self._compared(map(alnum_key, (table.ref.name, *leaves)))
        rows = (
            keys_of(refs),
            names,
            self._compared(table.folded_paths()),
            extended,
            *extra.T,
            *_traits(table, column_facts),
        )
        return TableWords(
            refs=refs,
            columns=np.array(
                [*rows, *zip(*roles, strict=True), *(item.lengths for item in read)], dtype=np.int64
            ),
            table=np.array(
                [key_of(table.ref), own_name, *name.lengths, *about.lengths], dtype=np.int64
            ),
            words=dict(zip(TEXTS, (item.words for item in (*read, name, about)), strict=True)),
        )

    def _compared(self, names: Iterable[str]) -> Ints:
        return np.array([self.keys.add(name) if name else -1 for name in names], dtype=np.int64)


def _traits(table: Table, column_facts: Sequence[ColumnFacts]) -> Iterator[list[int]]:
    """`TRAITS` of all columns; `inside` is the first column with the same parent, or -1."""
    columns, first = table.columns, dict[str, int]()
    nested = [column.path for column in columns if column.depth]
    outer = set[str]()
    for path in nested:
        ends = (end for end, letter in enumerate(path) if letter == _STEP)
        outer.update(path[:end] for end in ends)
    yield [bool(column.description) for column in columns]
    yield [column.depth for column in columns]
    yield [
        first.setdefault(column.column_name, index) if column.depth else -1
        for index, column in enumerate(columns)
    ]
    # Naming a nested path names its parents.
    yield [column.path in outer for column in columns]
    yield [facts.distinct_count == 0 for facts in column_facts]
    yield [bool(facts.distinct_count) for facts in column_facts]
    # A single value besides null is a flag.
    yield [facts.distinct_count == 1 and not facts.has_nulls for facts in column_facts]


def _extensions(outer: Sequence[str], own: Sequence[Sequence[str]]) -> tuple[Ints, Ints]:
    """
    For each name the indexes of words that the longest contained name lacks, and how many names add
    them.

    `confirmed_male` extends `confirmed` by one word, `new_deaths` extends `deaths`; only at the
    ends.
    """
    indexes = dict[tuple[str, tuple[str, ...]], int]()
    for index, name in enumerate(zip(outer, map(tuple, own), strict=True)):
        indexes.setdefault(name, index)
    extra, extended = np.zeros((len(own), 2), dtype=np.int64), np.zeros(len(own), dtype=np.int64)
    for index, (path, words) in enumerate(zip(outer, map(tuple, own), strict=True)):
        for size in range(len(words) - 1, 0, -1):
            begins, ends = indexes.get((path, words[:size])), indexes.get((path, words[-size:]))
            shorter = ends if begins is None else begins
            if shorter is not None:
                extra[index] = (0, len(words) - size) if begins is None else (size, len(words))
                extended[shorter] += 1
                break
    return extra, extended


def _keys(values: Iterable[str]) -> set[str]:
    """Normalised values; single digits are too common."""
    return {key for key in map(value_key, values) if len(key) > 1}

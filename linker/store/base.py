"""
Records that go into the store and come out of it: collections, questions, results, snapshots,
learned sources.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import field

from linker.embedders import Vectors
from linker.types import ColumnRef, Record, TableRef


class Collection(Record, frozen=True):
    """
    The documents of one target under one embedding model. Nothing of one collection is found in
    another.
    """

    target: str
    model: str


class Query(Record, frozen=True):
    """
    A question as the store reads it: its vector, its stems, and the n-grams of what it may quote.
    """

    vector: Vectors
    words: tuple[str, ...] = ()
    grams: tuple[int, ...] = ()


class HeldValue(Record, frozen=True):
    """A value that may be meant, the numbers of columns that hold it, and how many do in all."""

    value: str
    columns: tuple[int, ...]
    holders: int


class Ranking(Record, frozen=True, eq=False):
    """Numbers of things with the score of each, best first; none comes twice."""

    items: npt.NDArray[np.int64]
    scores: npt.NDArray[np.float64]

    @classmethod
    def of(cls, items: Sequence[int], scores: Sequence[float]) -> "Ranking":
        """The same of lists."""
        return cls(np.array(items, dtype=np.int64), np.array(scores, dtype=np.float64))

    def __iter__(self) -> Iterator[tuple[int, float]]:
        return iter(zip(self.items.tolist(), self.scores.tolist(), strict=True))

    def __len__(self) -> int:
        return len(self.items)


_NO_NUMBERS = np.zeros(0, dtype=np.int64)
_NOTHING_RANKED = Ranking.of((), ())


class SearchResult(Record, frozen=True):
    """
    Results of each kind of search, best first; values are candidates, still to be compared with the
    question.

    Rankings hold numbers of `columns` or `tables`: to look up a reference takes ten times as long
    as a number. `keys` and `table_keys` are the numbers of these in the store, `table_of` has the
    table of each column.
    """

    columns: tuple[ColumnRef, ...] = ()
    tables: tuple[TableRef, ...] = ()
    keys: npt.NDArray[np.int64] = field(default_factory=lambda: _NO_NUMBERS)
    table_keys: npt.NDArray[np.int64] = field(default_factory=lambda: _NO_NUMBERS)
    table_of: npt.NDArray[np.int64] = field(default_factory=lambda: _NO_NUMBERS)
    dense: Ranking = _NOTHING_RANKED
    lexical: Ranking = _NOTHING_RANKED
    values: tuple[HeldValue, ...] = ()
    dense_tables: Ranking = _NOTHING_RANKED
    lexical_tables: Ranking = _NOTHING_RANKED


class MadeFrom(Record, frozen=True):
    """The source of all documents of a collection, as bytes that the store does not read."""

    content: bytes

    @property
    def digest(self) -> str:
        """The SHA-256 of the content."""
        return hashlib.sha256(self.content).hexdigest()


class Snapshot(Record, frozen=True):
    """
    The source of a collection, and whether everything that makes its searches fast is there.

    `refreshed_at` is the end of the last run that ended well and saw the whole warehouse, in
    seconds since 1970. `learned` is what each source told of the target, with a digest of all;
    empty where content is left out.
    """

    digest: str
    is_settled: bool
    content: bytes | None
    refreshed_at: float | None = None
    learned: tuple[bytes, ...] = ()
    learned_digest: str = ""


class LearnedSource(Record, frozen=True):
    """
    A source that a target was learned from: bytes that the store does not read, and counts of its
    statements.
    """

    name: str
    learned_at: datetime
    counts: Mapping[str, Any]
    content: bytes

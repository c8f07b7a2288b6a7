"""Records that go into the store and come out of it: collections, questions, results, snapshots, learned sources."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from linker.embedders.base import Vectors
from linker.types import ColumnRef, Ref, TableRef


@dataclass(frozen=True, slots=True)
class Collection:
    """The documents of one target under one embedding model. Nothing of one collection is found in another."""

    target: str
    model: str


@dataclass(frozen=True, slots=True)
class Query:
    """A question as the store reads it: its vector, its stems, and the n-grams of what it may quote."""

    vector: Vectors
    words: tuple[str, ...] = ()
    grams: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchScope:
    """The scope of a search: without these columns and, if tables are named, in these alone. Neither costs recall."""

    excluded: Sequence[Ref] = ()
    tables: Sequence[TableRef] | None = None


EVERYWHERE = SearchScope()


@dataclass(frozen=True, slots=True)
class HeldValue:
    """A value that may be meant, the numbers of columns that hold it, and how many do in all."""

    value: str
    columns: tuple[int, ...]
    holders: int


Ranking = tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True)
class SearchResult:
    """
    Results of each kind of search, best first; values are candidates, still to be compared with the question.

    Rankings hold numbers of `columns` or `tables`: to look up a reference takes ten times as long as a number.
    """

    columns: tuple[ColumnRef, ...] = ()
    tables: tuple[TableRef, ...] = ()
    table_of: tuple[int, ...] = ()
    dense: Ranking = ()
    lexical: Ranking = ()
    values: tuple[HeldValue, ...] = ()
    dense_tables: Ranking = ()
    lexical_tables: Ranking = ()


@dataclass(frozen=True)
class MadeFrom:
    """The source of all documents of a collection, as bytes that the store does not read."""

    content: bytes

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the content."""
        return hashlib.sha256(self.content).hexdigest()


@dataclass(frozen=True, slots=True)
class Snapshot:
    """
    The source of a collection, and whether everything that makes its searches fast is there.

    `refreshed_at` is the end of the last run that ended well and saw the whole warehouse, in seconds since 1970.
    `learned` is what each source told of the target, with a digest of all; empty where content is left out.
    """

    digest: str
    is_settled: bool
    content: bytes | None
    refreshed_at: float | None = None
    learned: tuple[bytes, ...] = ()
    learned_digest: str = ""


@dataclass(frozen=True, slots=True)
class LearnedSource:
    """A source that a target was learned from: bytes that the store does not read, and counts of its statements."""

    name: str
    learned_at: datetime
    told: Mapping[str, Any]
    content: bytes

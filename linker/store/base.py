"""The protocol of the store: documents and their vectors go in, what answers a question best comes out."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from linker.embedders.base import Vectors
from linker.types import ColumnRef, Document, Ref, TableRef

if TYPE_CHECKING:
    from linker.store.history import StoredHistory
    from linker.store.snapshots import StoredSources


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


class Store(Protocol):
    """Holds collections of documents, and the history of the runs that made them."""

    @property
    def history(self) -> "StoredHistory":
        """The history of runs of each target."""

    @property
    def learned(self) -> "StoredSources":
        """The sources that each target was learned from."""

    def content_hashes(self, collection: Collection) -> dict[Ref, str]:
        """The digests of the documents that are indexed."""

    def stage(self, collection: Collection, documents: Sequence[Document], vectors: Vectors) -> None:
        """Lay the vectors of documents ready for `switch`, all of them or none; no search finds them before."""

    def staged(self, collection: Collection, documents: Sequence[Document]) -> set[Ref]:
        """Documents among these, as they are now, whose vectors lie ready."""

    def switch(self, collection: Collection, documents: Sequence[Document], made_from: MadeFrom | None = None) -> None:
        """
        Make these the documents of the collection, and keep what they were made from; all of it at once, or nothing.

        What is in the collection already stays, for the others vectors lie ready; it is refused where one is missing.
        """

    def snapshot(self, collection: Collection, *, held: str = "") -> Snapshot | None:
        """The snapshot of the collection with what was learned; without content where its digest is `held`."""

    def snapshot_digest(self, collection: Collection) -> str | None:
        """The digest of the snapshot, without reading it; none where there is no snapshot."""

    def nearest(
        self, collection: Collection, vector: Vectors, *, limit: int, excluded: Sequence[Ref] = ()
    ) -> list[tuple[ColumnRef, float]]:
        """The columns nearest to a vector by cosine similarity, best first."""

    def search(
        self, collection: Collection, query: Query, *, limit: int, scope: SearchScope = EVERYWHERE
    ) -> SearchResult:
        """Up to `limit` columns and tables by each way to search, in one round trip."""

    def recall(self, model: str, digests: Sequence[str]) -> dict[str, Vectors]:
        """The vectors of texts that were embedded before."""

    def remember(self, model: str, vectors: Mapping[str, Vectors]) -> None:
        """Keep the vectors of texts, by digest."""

    def describe(self) -> str:
        """Kind and place of the store, without any secret."""

    def close(self) -> None:
        """End the session."""

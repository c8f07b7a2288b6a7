"""The seam to the index: documents and their vectors go in, what answers a question best comes out."""

import hashlib
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, Protocol

from linker.embedders.base import Vectors
from linker.runs import Run, RunKind, TableState
from linker.types import ColumnRef, Document, Ref, TableRef


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
    """Where to search: without these columns and, if tables are named, in these alone. Neither costs recall."""

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
    What each way to search found, best first; values are candidates, still to be compared with the question.

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
    """What all documents of a collection were made from, as bytes that the store does not read."""

    content: bytes

    @cached_property
    def digest(self) -> str:
        """What tells it from another."""
        return hashlib.sha256(self.content).hexdigest()


@dataclass(frozen=True, slots=True)
class Snapshot:
    """
    What a collection was made from, and whether everything that makes its searches fast is there.

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
    """What one source told of a target, as bytes that the store does not read, and what became of its statements."""

    name: str
    learned_at: datetime
    told: Mapping[str, Any]
    content: bytes


class LearnedSources(Protocol):
    """What was learned of each target from queries that people ran, source by source."""

    def keep(self, target: str, source: str, content: bytes, told: str) -> None:
        """Keep what a source gave, in the place of what it gave before; `told` is JSON."""

    def forget(self, target: str, source: str) -> bool:
        """Remove what a source gave; whether there was anything."""

    def sources(self, target: str) -> list[LearnedSource]:
        """What was learned, by the names of the sources."""

    def digests(self, target: str) -> dict[str, str]:
        """The SHA-256 of what each source gave."""


class History(Protocol):
    """What the runs of each target did, and what the tables were like after each; and who may run now."""

    def hold(self, target: str) -> AbstractContextManager[None]:
        """Be the only run of the target; BusyError where there is another. It ends with the process at the latest."""

    def begin(self, target: str, kind: RunKind) -> int:
        """Note that a run begins; leaves its number. Runs that never ended are noted as killed."""

    def end(self, target: str, run: Run, states: Mapping[TableRef, TableState] | None) -> None:
        """Note how it ended, and what all tables are like now, unless nothing changed; both or neither."""

    def withdraw(self, target: str, number: int) -> None:
        """Forget a run that has not ended: it was never to be, and has done nothing."""

    def runs(self, target: str, *, limit: int) -> list[Run]:
        """The last runs, the newest first."""

    def changed_runs(self, target: str, *, limit: int) -> list[int]:
        """The numbers of the last runs that found something changed, the newest first."""

    def states(self, target: str, number: int) -> dict[TableRef, TableState]:
        """What the tables were like at the end of that run."""


class Store(Protocol):
    """Holds collections of documents, and the history of the runs that made them."""

    @property
    def history(self) -> History:
        """What the runs of each target did."""

    @property
    def learned(self) -> LearnedSources:
        """What was learned of each target."""

    def content_hashes(self, collection: Collection) -> dict[Ref, str]:
        """What is indexed, with the digest of the document."""

    def stage(self, collection: Collection, documents: Sequence[Document], vectors: Vectors) -> None:
        """Lay the vectors of documents ready for `switch`, all of them or none; no search finds them before."""

    def staged(self, collection: Collection, documents: Sequence[Document]) -> set[Ref]:
        """Those of these documents, as they are now, whose vectors lie ready."""

    def switch(self, collection: Collection, documents: Sequence[Document], made_from: MadeFrom | None = None) -> None:
        """
        Make these the documents of the collection, and keep what they were made from; all of it at once, or nothing.

        What is in the collection already stays, for the others vectors lie ready; it is refused where one is missing.
        """

    def snapshot(self, collection: Collection, *, held: str = "") -> Snapshot | None:
        """What the collection was made from, and what was learned; without content where its digest is `held`."""

    def snapshot_digest(self, collection: Collection) -> str | None:
        """What tells the snapshot of the collection from another, without reading it; none where there is none."""

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
        """What and where it is, without any secret."""

    def close(self) -> None:
        """End the session."""

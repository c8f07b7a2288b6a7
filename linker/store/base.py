"""The seam to the index: documents and their vectors go in, what answers a question best comes out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from linker.embedders.base import Vectors
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
class Scope:
    """Where to search: without these columns and, if tables are named, in these alone. Neither costs recall."""

    excluded: Sequence[Ref] = ()
    tables: Sequence[TableRef] | None = None


EVERYWHERE = Scope()


@dataclass(frozen=True, slots=True)
class HeldValue:
    """A value that may be meant, the numbers of columns that hold it, and how many do in all."""

    value: str
    columns: tuple[int, ...]
    holders: int


Ranking = tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True)
class Found:
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


class Store(Protocol):
    """Holds collections of documents."""

    def content_hashes(self, collection: Collection) -> dict[Ref, str]:
        """What is indexed, with the digest of the document."""

    def prepare(self, collection: Collection, *, incoming: int) -> None:
        """Make ready for that many documents: what would slow down many writes is taken away until `settle`."""

    def write(self, collection: Collection, documents: Sequence[Document], vectors: Vectors) -> None:
        """Add documents, or replace those of the same names; all of them or none."""

    def delete(self, collection: Collection, refs: Sequence[Ref]) -> None:
        """Remove the documents of these columns and tables."""

    def settle(self, collection: Collection) -> None:
        """Build what makes searches fast, after all is written. Searches are right without it, and slower."""

    def nearest(
        self, collection: Collection, vector: Vectors, *, limit: int, excluded: Sequence[Ref] = ()
    ) -> list[tuple[ColumnRef, float]]:
        """The columns nearest to a vector by cosine similarity, best first."""

    def search(self, collection: Collection, query: Query, *, limit: int, scope: Scope = EVERYWHERE) -> Found:
        """Up to `limit` columns and tables by each way to search, in one round trip."""

    def recall(self, model: str, digests: Sequence[str]) -> dict[str, Vectors]:
        """The vectors of texts that were embedded before."""

    def remember(self, model: str, vectors: Mapping[str, Vectors]) -> None:
        """Keep the vectors of texts, by digest."""

    def describe(self) -> str:
        """What and where it is, without any secret."""

    def close(self) -> None:
        """End the session."""

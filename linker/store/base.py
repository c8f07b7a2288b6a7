"""The seam to the index: documents and their vectors go in, the nearest come out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from linker.embedders.base import Vectors
from linker.types import ColumnRef, Document


@dataclass(frozen=True, slots=True)
class Collection:
    """The documents of one target under one embedding model. Nothing of one collection is found in another."""

    target: str
    model: str


class Store(Protocol):
    """Holds collections of documents."""

    def content_hashes(self, collection: Collection) -> dict[ColumnRef, str]:
        """What is indexed, with the digest of the text that was embedded."""

    def write(self, collection: Collection, documents: Sequence[Document], vectors: Vectors) -> None:
        """Add documents, or replace those of the same column; all of them or none."""

    def delete(self, collection: Collection, refs: Sequence[ColumnRef]) -> None:
        """Remove the documents of these columns."""

    def nearest(
        self, collection: Collection, vector: Vectors, *, limit: int, excluded: Sequence[ColumnRef] = ()
    ) -> list[tuple[ColumnRef, float]]:
        """The columns nearest to a vector by cosine similarity, best first."""

    def recall(self, model: str, digests: Sequence[str]) -> dict[str, Vectors]:
        """The vectors of texts that were embedded before."""

    def remember(self, model: str, vectors: Mapping[str, Vectors]) -> None:
        """Keep the vectors of texts, by digest."""

    def describe(self) -> str:
        """What and where it is, without any secret."""

    def close(self) -> None:
        """End the session."""

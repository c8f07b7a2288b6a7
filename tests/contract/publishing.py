"""Writes documents to a store as an index run does, and finds them by vector."""

from collections.abc import Sequence

from linker.embedders import Vectors
from linker.index import Collection, IndexManifest, Query, Store
from linker.types import ColumnRef, Document, Ref


def put(
    store: Store,
    collection: Collection,
    documents: Sequence[Document],
    vectors: Vectors,
    made_from: IndexManifest | None = None,
) -> None:
    """Make these the documents of the collection, and no others."""
    store.stage(collection, documents, vectors)
    store.publish(collection, documents, made_from)


def nearest(
    store: Store,
    collection: Collection,
    vector: Vectors,
    *,
    limit: int,
    excluded: Sequence[Ref] = (),
) -> list[tuple[ColumnRef, float]]:
    """The columns nearest to a vector by cosine similarity, best first."""
    found = store.search(collection, Query(vector), limit=limit, excluded=excluded)
    return [(found.columns[number], similarity) for number, similarity in found.dense]

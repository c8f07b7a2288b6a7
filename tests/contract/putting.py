"""Puts documents into a store as an index run does."""

from collections.abc import Sequence

from linker.embedders import Vectors
from linker.store import Collection, MadeFrom, Store
from linker.types import Document


def put(
    store: Store,
    collection: Collection,
    documents: Sequence[Document],
    vectors: Vectors,
    made_from: MadeFrom | None = None,
) -> None:
    """Make these the documents of the collection, and no others."""
    store.stage(collection, documents, vectors)
    store.switch(collection, documents, made_from)

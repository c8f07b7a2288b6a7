"""Dense retrieval: nearest column documents by embedding."""

from collections.abc import Sequence

from linker.embedders import Embedder
from linker.index import Collection, Query, Store
from linker.types import ColumnRef, Hit


class DenseRetriever:
    """Embeds the text and asks the store for its neighbours."""

    def __init__(self, embedder: Embedder, store: Store, collection: Collection) -> None:
        self._embedder = embedder
        self._store = store
        self._collection = collection

    def retrieve(self, text: str, *, limit: int, excluded: Sequence[ColumnRef] = ()) -> list[Hit]:
        vector = self._embedder.embed([text])[0]
        found = self._store.search(self._collection, Query(vector), limit=limit, excluded=excluded)
        nearest = ((found.columns[number], similarity) for number, similarity in found.dense)
        return [
            Hit(ref=ref, score=similarity, scores=(("dense", similarity),))
            for ref, similarity in nearest
        ]

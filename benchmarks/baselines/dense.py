"""Dense retrieval: the columns whose documents lie nearest to the text."""

from collections.abc import Sequence

from linker.embedders import Embedder
from linker.store import Collection, Store
from linker.types import ColumnRef, Hit


class DenseRetriever:
    """Embeds the text and asks the store for its neighbours."""

    def __init__(self, embedder: Embedder, store: Store, collection: Collection) -> None:
        self._embedder = embedder
        self._store = store
        self._collection = collection

    def retrieve(self, text: str, *, limit: int, excluded: Sequence[ColumnRef] = ()) -> list[Hit]:
        """The nearest columns, best first."""
        vector = self._embedder.embed([text])[0]
        nearest = self._store.nearest(self._collection, vector, limit=limit, excluded=excluded)
        return [Hit(ref=ref, score=similarity, scores=(("dense", similarity),)) for ref, similarity in nearest]

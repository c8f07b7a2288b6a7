"""A scripted reranker changes only the order of the top columns."""

from collections.abc import Sequence

import numpy as np

from linker.ranking.catalog_index import build_catalog_index
from linker.ranking.ranker import rank, rerank
from linker.ranking.weights import read_weights
from linker.types import Catalog, Column, ColumnRef, Columns, Table, TableRef

REF = TableRef("shop", "orders")
COLUMNS = tuple(
    Column(path, path, 0, place, "VARCHAR", is_nullable=True, description=None)
    for place, path in enumerate(("total", "discount", "shipping_note"), start=1)
)


class Prefers:
    """Likes the text that is named best, and keeps what it read."""

    def __init__(self, best: str) -> None:
        self._best = best
        self.read: list[str] = []

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        assert question == "total"
        self.read += texts
        return [1.0 if text == self._best else 0.0 for text in texts]


def test_the_order_is_fused_and_the_odds_stay() -> None:
    ranked = rank(
        "total",
        build_catalog_index(Catalog((Table(REF, "table", None, None, Columns(COLUMNS)),), 1)),
        read_weights(),
    )
    best = int(np.argmax(ranked.columns))
    assert COLUMNS[best].path == "total"
    last = int(np.argmin(ranked.columns))
    reranker = Prefers("the text of the last")
    again = rerank(ranked, reranker, {ColumnRef(REF, COLUMNS[last].path): "the text of the last"})
    # First of the reranker and third of the ranking: 1/61 + 1/63 is more than 1/62 + 1/63, less
    # than 1/61 + 1/62.
    assert list(np.argsort(-again.columns))[:2] == [best, last]
    assert sorted(again.columns) == sorted(ranked.columns)
    assert len(reranker.read) == len(COLUMNS)
    assert "the text of the last" in reranker.read

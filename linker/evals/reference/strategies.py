"""
BM25, its rank fusion with dense retrieval, and whole tables: columns by a score, or tables by their three best columns.

Each ranks all columns of the catalog. They see the documents of the product; BM25 sees a text of its own.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from linker.environment import Environment
from linker.evals.reference.bm25 import Bm25Index, Scores
from linker.linked import LinkedColumn, LinkedSchema, LinkedTable
from linker.types import Catalog, Column, ColumnRef, Table, TableRef

_FUSION = 60
_TELLING_COLUMNS = 3


@dataclass(frozen=True, slots=True)
class Method:
    """What an easy method looks at, and whether it takes tables whole."""

    name: str
    is_lexical: bool = False
    is_dense: bool = False
    takes_whole_tables: bool = False


METHODS = (
    Method("bm25", is_lexical=True),
    Method("rank-fusion", is_lexical=True, is_dense=True),
    Method("whole-tables", is_lexical=True, is_dense=True, takes_whole_tables=True),
)


class Reference:
    """Gives the columns with the best scores, as many as the budget lets."""

    def __init__(self, method: Method) -> None:
        self._method = method
        self._catalog: Catalog | None = None
        self._refs: list[ColumnRef] = []
        self._index = Bm25Index(())
        # Of the question before this one: the next budget asks it again.
        self._asked: tuple[str, Scores] | None = None

    def link(self, question: str, environment: Environment) -> LinkedSchema:
        """The best columns, each in its table."""
        catalog = environment.catalog
        if catalog is not self._catalog:
            self._read(catalog)
        if self._asked is None or self._asked[0] != question:
            self._asked = (question, self._scores(question, environment))
        scores = self._asked[1]
        order = [int(place) for place in np.argsort(-scores, kind="stable")]
        if self._method.takes_whole_tables:
            order = self._whole_tables(order, scores)
        chosen = order[: environment.settings.column_budget]
        return LinkedSchema(
            question=question,
            target=environment.target_key,
            strategy=self._method.name,
            tables=tuple(_linked(catalog, [(self._refs[place], float(scores[place])) for place in chosen])),
        )

    def _read(self, catalog: Catalog) -> None:
        self._catalog, self._asked = catalog, None
        self._refs = [ColumnRef(table.ref, column.path) for table in catalog.tables for column in table.columns]
        self._index = Bm25Index([_text(table, column) for table in catalog.tables for column in table.columns])

    def _scores(self, question: str, environment: Environment) -> Scores:
        """One for every column: those of the one method, or the reciprocal ranks of both."""
        scores = []
        if self._method.is_lexical:
            scores.append(self._index.scores(question))
        if self._method.is_dense:
            scores.append(self._dense(question, environment))
        fused: Scores = scores[0] if len(scores) == 1 else sum((_reciprocal_ranks(one) for one in scores), np.zeros(1))
        return fused

    def _dense(self, question: str, environment: Environment) -> Scores:
        places = {ref: place for place, ref in enumerate(self._refs)}
        scores = np.full(len(self._refs), -1.0)
        for hit in environment.dense_retriever.retrieve(question, limit=len(self._refs)):
            if hit.ref in places:
                scores[places[hit.ref]] = hit.score
        return scores

    def _whole_tables(self, order: Sequence[int], scores: Scores) -> list[int]:
        """Table by table, the best by their three best columns first."""
        by_table: dict[TableRef, list[int]] = defaultdict(list)
        for place in order:
            by_table[self._refs[place].table].append(place)
        means = {ref: float(np.mean(scores[places[:_TELLING_COLUMNS]])) for ref, places in by_table.items()}
        ranked = sorted(means, key=lambda ref: (-means[ref], ref))
        return [place for ref in ranked for place in by_table[ref]]


def _reciprocal_ranks(scores: Scores) -> Scores:
    ranks = np.empty(len(scores))
    ranks[np.argsort(-scores, kind="stable")] = np.arange(1, len(scores) + 1)
    return 1 / (_FUSION + ranks)


def _text(table: Table, column: Column) -> str:
    return f"{column.path} {table.ref} {column.description or ''} {table.description or ''}"


def _linked(catalog: Catalog, chosen: Sequence[tuple[ColumnRef, float]]) -> Iterator[LinkedTable]:
    by_table: dict[TableRef, list[tuple[str, float]]] = defaultdict(list)
    for ref, score in chosen:
        by_table[ref.table].append((ref.path, score))
    for table_ref, columns in by_table.items():
        table = catalog.table_by_ref[table_ref]
        yield LinkedTable(
            table, tuple(LinkedColumn(table.column_by_path[path], score, "by rank") for path, score in columns)
        )

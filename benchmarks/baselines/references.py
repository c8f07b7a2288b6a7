"""
Model-free references: BM25, its rank fusion with dense retrieval, and whole tables by their three
best columns.

Each ranks all columns and takes as many as the column budget allows. They use the product's
documents (BM25 a text of its own), add no joins and give no reasons.
"""

from abc import abstractmethod
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np

from benchmarks.baselines.bm25 import Bm25Index, MatchFeatures
from benchmarks.baselines.dense import DenseRetriever
from linker.environment import Environment
from linker.linking.linking import LinkSession
from linker.linking.result import LinkedColumn, LinkedSchema, LinkedTable
from linker.linking.value_linking import LinkedQuestion
from linker.retrieval.hybrid import RememberingEmbedder
from linker.strategies import Strategy
from linker.types import Catalog, Column, ColumnRef, Table, TableRef

_FUSION = 60
_SCORED_COLUMNS = 3


class Reference(Strategy):
    """Gives the columns with the best scores, as many as the budget lets."""

    def __init__(self) -> None:
        self._catalog: Catalog | None = None
        self.refs: list[ColumnRef] = []
        self.index = Bm25Index(())
        # Of the question before this one: the next budget asks it again.
        self._scored: tuple[str, MatchFeatures] | None = None

    @abstractmethod
    def scores(self, question: str, environment: Environment) -> MatchFeatures:
        """One score per column."""

    def order(self, scores: MatchFeatures) -> list[int]:
        """The places of the columns, best first."""
        return [int(index) for index in np.argsort(-scores, kind="stable")]

    def answer(self, question: LinkedQuestion, linking: LinkSession) -> LinkedSchema:
        """The best columns, each in its table."""
        environment, catalog, text = linking.environment, question.catalog, question.question
        if catalog is not self._catalog:
            self._read(catalog)
        if self._scored is None or self._scored[0] != text:
            self._scored = (text, self.scores(text, environment))
        scores = self._scored[1]
        chosen = self.order(scores)[: environment.settings.most_columns]
        return LinkedSchema(
            question=text,
            target=environment.target_key,
            strategy=self.name,
            tables=tuple(
                _linked(catalog, [(self.refs[index], float(scores[index])) for index in chosen])
            ),
        )

    def _read(self, catalog: Catalog) -> None:
        self._catalog, self._scored = catalog, None
        self.refs = list(catalog.column_refs)
        texts = list[str]()
        for table in catalog.tables:
            texts += (_text(table, column) for column in table.columns)
        self.index = Bm25Index(texts)


class Bm25Strategy(Reference):
    """Takes the columns that BM25 puts first."""

    name = "bm25"

    def scores(self, question: str, environment: Environment) -> MatchFeatures:  # noqa: ARG002 - the others look into it
        """Scores by words alone."""
        return self.index.scores(question)


class RankFusionStrategy(Reference):
    """Takes the columns that BM25 and dense retrieval put first together."""

    name = "rank-fusion"

    def scores(self, question: str, environment: Environment) -> MatchFeatures:
        """The reciprocal ranks of both, added."""
        both = (self.index.scores(question), self._dense(question, environment))
        fused: MatchFeatures = sum((_reciprocal_ranks(scores) for scores in both), np.zeros(1))
        return fused

    def _dense(self, question: str, environment: Environment) -> MatchFeatures:
        embedder = RememberingEmbedder(environment.embedder, environment.store)
        retriever = DenseRetriever(embedder, environment.store, environment.collection)
        indexes = {ref: index for index, ref in enumerate(self.refs)}
        scores = np.full(len(self.refs), -1.0)
        for hit in retriever.retrieve(question, limit=len(self.refs)):
            if hit.ref in indexes:
                scores[indexes[hit.ref]] = hit.score
        return scores


class WholeTablesStrategy(RankFusionStrategy):
    """Takes tables whole, the best by their three best columns first."""

    name = "whole-tables"

    def order(self, scores: MatchFeatures) -> list[int]:
        """Table by table."""
        by_table: dict[TableRef, list[int]] = defaultdict(list)
        for index in super().order(scores):
            by_table[self.refs[index].table].append(index)
        means = {
            ref: float(np.mean(scores[indexes[:_SCORED_COLUMNS]]))
            for ref, indexes in by_table.items()
        }
        ranked = sorted(means, key=lambda ref: (-means[ref], ref))
        return list(chain.from_iterable(by_table[ref] for ref in ranked))


def _reciprocal_ranks(scores: MatchFeatures) -> MatchFeatures:
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
            table,
            tuple(
                LinkedColumn(table.column_by_path[path], score, "by rank")
                for path, score in columns
            ),
        )

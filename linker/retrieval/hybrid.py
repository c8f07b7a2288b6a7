"""
Hybrid retrieval: enters a question, leave columns and tables, found by meaning, by words and by values together.

One round trip to the store brings up what each way finds; the rankings are fused here, and every hit says why.
"""

import hashlib
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Generic, TypeVar

import numpy as np

from linker.embedders import Embedder, Vectors
from linker.store import Collection, HeldValue, Query, SearchScope, Store
from linker.text.values import best_match, spans_by_gram
from linker.text.words import squashed, words_of_text
from linker.types import ColumnRef, Hit, TableHit, ValueMatch

ItemT = TypeVar("ItemT", bound=Hashable)

_RANKS_THAT_HARDLY_DIFFER = 60
# How much each way counts. Values are few and exact: where one is named, its column is hardly ever wrong.
WEIGHTS = {"dense": 1.0, "lexical": 1.0, "value": 1.0}
TABLE_WEIGHTS = {"dense": 1.0, "lexical": 1.0, "columns": 1.0}
# Ranks below it hardly tell anything, and the rankings must overlap to be fused.
_LEAST_DEPTH = 200
# A table is as good as its three best columns: one lucky column makes no table.
_TELLING_COLUMNS = 3
_LETTERS_THAT_SAY_ENOUGH = 4
_SHORT_NUMBER = 0.3
# As many values of a column are told to be named.
_MOST_VALUES = 6


@dataclass(frozen=True, slots=True)
class Fused(Generic[ItemT]):
    """A thing, its score from 0 to 1, and the score of each ranking that holds it."""

    item: ItemT
    score: float
    scores: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Retrieved:
    """Columns and tables for a question, best first."""

    columns: tuple[Hit, ...]
    tables: tuple[TableHit, ...]


class RememberingEmbedder:
    """
    An embedder that asks another one only for texts of which the store holds no vector yet.

    Loading an encoder takes a tenth of a second to ten seconds, reading a vector back takes a millisecond.
    What is kept of a text is its digest and its vector.
    """

    def __init__(self, embedder: Embedder, store: Store) -> None:
        self.name = embedder.name
        self._embedder = embedder
        self._store = store

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return self._embedder.dimension

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row a text, each of length one."""
        digests = [hashlib.sha256(text.encode()).hexdigest() for text in texts]
        known = self._store.recall(self.name, digests)
        missing = [number for number, digest in enumerate(digests) if digest not in known]
        if missing:
            fresh = self._embedder.embed([texts[number] for number in missing])
            known = {**known, **{digests[number]: vector for number, vector in zip(missing, fresh, strict=True)}}
            self._store.remember(self.name, {digests[number]: known[digests[number]] for number in missing})
        if not digests:
            return np.empty((0, self.dimension), dtype=np.float32)
        return np.stack([known[digest] for digest in digests])


class HybridRetriever:
    """Asks the store for neighbours, words and values, and fuses what it finds."""

    def __init__(self, embedder: Embedder, store: Store, collection: Collection) -> None:
        self._embedder = embedder
        self._store = store
        self._collection = collection

    def retrieve(self, text: str, *, limit: int, excluded: Sequence[ColumnRef] = ()) -> list[Hit]:
        """The best columns, best first."""
        return list(self.search(text, limit=limit, scope=SearchScope(excluded)).columns)

    def nearness(self, text: str, others: Sequence[str]) -> list[float]:
        """The nearness of a text to others, from -1 to 1."""
        vectors = self._embedder.embed([text, *others])
        return [float(near) for near in vectors[1:] @ vectors[0]]

    def search(self, text: str, *, limit: int, scope: SearchScope) -> Retrieved:
        """The best columns and tables within the scope."""
        by_gram = spans_by_gram(text)
        query = Query(
            vector=self._embedder.embed([text])[0],
            words=tuple(dict.fromkeys(words_of_text(text))),
            grams=tuple(by_gram),
        )
        found = self._store.search(self._collection, query, limit=max(limit, _LEAST_DEPTH), scope=scope)
        valued, matches = _by_value(found.values, by_gram)
        fused = fuse(
            {"dense": found.dense, "lexical": found.lexical, "value": valued},
            WEIGHTS,
            limit=2 * max(limit, _LEAST_DEPTH),
        )
        rankings = {"dense": found.dense_tables, "lexical": found.lexical_tables}
        fused_tables = fuse({**rankings, "columns": _by_columns(fused, found.table_of)}, TABLE_WEIGHTS, limit=limit)
        return Retrieved(
            columns=tuple(
                Hit(found.columns[hit.item], hit.score, hit.scores, matches.get(hit.item, ())) for hit in fused[:limit]
            ),
            tables=tuple(TableHit(found.tables[hit.item], hit.score, hit.scores) for hit in fused_tables),
        )


def fuse(
    rankings: Mapping[str, Sequence[tuple[ItemT, float]]], weights: Mapping[str, float], *, limit: int
) -> list[Fused[ItemT]]:
    """
    The best of all rankings, each of which is best first and holds a thing once; ties keep the rankings' order.

    Weighted reciprocal rank fusion: a thing at rank r of a ranking of weight w gets w / (60 + r); its score is the sum,
    divided by what the first of all rankings would have. Scores of different retrievers are never added: a cosine and
    the weight of a word have no common scale, their ranks have.
    """
    points: dict[ItemT, float] = defaultdict(float)
    scores: dict[ItemT, list[tuple[str, float]]] = defaultdict(list)
    for name, ranking in rankings.items():
        weight = weights[name]
        for rank, (item, score) in enumerate(ranking, start=_RANKS_THAT_HARDLY_DIFFER + 1):
            points[item] += weight / rank
            scores[item].append((name, score))
    most = sum(weights[name] for name in rankings) / (_RANKS_THAT_HARDLY_DIFFER + 1)
    ranked = sorted(points, key=points.__getitem__, reverse=True)
    return [Fused(item, points[item] / most, tuple(scores[item])) for item in ranked[:limit]]


def _by_value(
    values: Sequence[HeldValue], by_gram: Mapping[int, Iterable[str]]
) -> tuple[list[tuple[int, float]], dict[int, tuple[ValueMatch, ...]]]:
    """Columns by the values that they hold: how well one is named, how long it is, and how few columns hold it."""
    found: dict[int, list[tuple[float, ValueMatch]]] = defaultdict(list)
    for held in values:
        similarity, text = best_match(held.value, by_gram)
        if similarity:
            score = similarity * _telling(held.value) / (1 + log(held.holders))
            match = ValueMatch(text, held.value, similarity)
            for column in held.columns:
                found[column].append((score, match))
    for held_by_column in found.values():
        held_by_column.sort(key=lambda scored: -scored[0])
    ranked = sorted(((column, scored[0][0]) for column, scored in found.items()), key=lambda hit: (-hit[1], hit[0]))
    return ranked, {column: tuple(match for _, match in scored[:_MOST_VALUES]) for column, scored in found.items()}


def _telling(value: str) -> float:
    """The weight of a named value: a letter may be anything, and so may a year or another number."""
    letters = squashed(value)
    if letters.isdigit() and len(letters) <= _LETTERS_THAT_SAY_ENOUGH:
        return _SHORT_NUMBER
    return min(1.0, len(letters) / _LETTERS_THAT_SAY_ENOUGH)


def _by_columns(fused: Sequence[Fused[int]], table_of: Sequence[int]) -> list[tuple[int, float]]:
    """Tables by the mean of their best columns; one that has fewer than it takes is marked down for that."""
    scores: dict[int, list[float]] = defaultdict(list)
    for hit in fused:
        scores[table_of[hit.item]].append(hit.score)
    means = {table: sum(found[:_TELLING_COLUMNS]) / _TELLING_COLUMNS for table, found in scores.items()}
    return sorted(means.items(), key=lambda hit: -hit[1])

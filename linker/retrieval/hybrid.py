"""
Hybrid search: semantic, keyword and value search in one query, and the fusion of their ranks.

Scores of different retrievers are not comparable, so ranks are fused.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import log
from operator import itemgetter

import numpy as np

from linker.embedders import Embedder, Vectors
from linker.index import Collection, Query, Ranking, SearchResult, Store, ValueHit
from linker.retrieval.hits import Hits, MatchFeatures, Numbers, Retrieved, TableHits
from linker.text.values import best_match, spans_by_gram
from linker.text.words import alnum_key, words_of_text
from linker.types import ColumnRef, ValueMatch

_RANKS_THAT_HARDLY_DIFFER = 60
# Fusion weights. Value matches are few and precise.
WEIGHTS = {"dense": 1.0, "lexical": 1.0, "value": 1.0}
TABLE_WEIGHTS = {"dense": 1.0, "lexical": 1.0, "columns": 1.0}
# Minimum depth: deeper ranks are uninformative, but rankings must overlap.
_MIN_DEPTH = 200
# A table is scored by its three best columns.
_SCORED_COLUMNS = 3
_LETTERS_THAT_SAY_ENOUGH = 4
_SHORT_NUMBER = 0.3
# Matched values reported per column.
_MAX_VALUES = 6


def fuse(rankings: Mapping[str, Ranking], weights: Mapping[str, float], *, limit: int) -> Ranking:
    """
    Weighted reciprocal rank fusion; ties keep the order of the rankings.

    An item at rank r of a ranking with weight w gets w
    (60 + r); scores are divided by that of an item first everywhere.
    """
    every = np.concatenate([ranking.items for ranking in rankings.values()])
    items, first, place_of = np.unique(every, return_index=True, return_inverse=True)
    points, begin = np.zeros(len(items)), 0
    for name, ranking in rankings.items():
        ranks = _RANKS_THAT_HARDLY_DIFFER + np.arange(1, len(ranking) + 1)
        points[place_of[begin : begin + len(ranking)]] += weights[name] / ranks
        begin += len(ranking)
    most = sum(weights[name] for name in rankings) / (_RANKS_THAT_HARDLY_DIFFER + 1)
    best = np.lexsort((first, -points))[:limit]
    return Ranking(items[best], points[best] / most)


class RememberingEmbedder:
    """
    Caches vectors in the store by digest of the text.

    Loading an encoder takes 0.1 to 10 s, reading a vector one millisecond.
    """

    def __init__(self, embedder: Embedder, store: Store) -> None:
        self.name = embedder.name
        self._embedder = embedder
        self._store = store

    @property
    def dimension(self) -> int:
        return self._embedder.dimension

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector per text."""
        digests = [hashlib.sha256(text.encode()).hexdigest() for text in texts]
        cached = self._store.cached_vectors(self.name, digests)
        missing = [number for number, digest in enumerate(digests) if digest not in cached]
        if missing:
            fresh = self._embedder.embed([texts[number] for number in missing])
            cached = {
                **cached,
                **{digests[number]: vector for number, vector in zip(missing, fresh, strict=True)},
            }
            self._store.cache_vectors(
                self.name, {digests[number]: cached[digests[number]] for number in missing}
            )
        if not digests:
            return np.empty((0, self.dimension), dtype=np.float32)
        return np.stack([cached[digest] for digest in digests])


class HybridRetriever:
    """Hybrid search in the store with rank fusion."""

    def __init__(self, embedder: Embedder, store: Store, collection: Collection) -> None:
        self._embedder = embedder
        self._store = store
        self._collection = collection

    def nearness(self, text: str, others: Sequence[str]) -> list[float]:
        """Cosine similarities, from -1 to 1."""
        vectors = self._embedder.embed([text, *others])
        return [float(near) for near in vectors[1:] @ vectors[0]]

    def search(self, text: str, *, limit: int, excluded: Sequence[ColumnRef] = ()) -> Retrieved:
        """Best columns and tables; excluded ones do not take up the limit."""
        by_gram = spans_by_gram(text)
        query = Query(
            vector=self._embedder.embed([text])[0],
            words=tuple(dict.fromkeys(words_of_text(text))),
            grams=tuple(by_gram),
        )
        results = self._store.search(
            self._collection, query, limit=max(limit, _MIN_DEPTH), excluded=excluded
        )
        valued, matches = _by_value(results.values, by_gram)
        searches = {"dense": results.dense, "lexical": results.lexical, "value": valued}
        fused = fuse(searches, WEIGHTS, limit=2 * max(limit, _MIN_DEPTH))
        of_tables = {"dense": results.dense_tables, "lexical": results.lexical_tables}
        of_tables |= {"columns": _by_columns(fused, results.table_of)}
        best = Ranking(fused.items[:limit], fused.scores[:limit])
        tables = fuse(of_tables, TABLE_WEIGHTS, limit=limit)
        return Retrieved(
            _hits(best, results, searches, matches), _table_hits(tables, results, of_tables)
        )


def _table_hits(
    fused: Ranking, results: SearchResult, searches: Mapping[str, Ranking]
) -> TableHits:
    """Table hits with scores by search."""
    refs = tuple(results.tables[table] for table in fused.items.tolist())
    scores = _by_place(fused, searches, len(results.tables))
    return TableHits(refs, results.table_keys[fused.items], fused.scores, scores)


def _by_place(
    fused: Ranking, searches: Mapping[str, Ranking], size: int
) -> dict[str, MatchFeatures]:
    """Scores by search in ranking order, NaN for missing, padded to `size`."""
    scores = dict[str, MatchFeatures]()
    for search, ranking in searches.items():
        of_search = np.full(size, np.nan)
        of_search[ranking.items] = ranking.scores
        scores[search] = of_search[fused.items]
    return scores


def _by_value(
    values: Sequence[ValueHit], by_gram: Mapping[int, Iterable[str]]
) -> tuple[Ranking, dict[int, tuple[ValueMatch, ...]]]:
    """Columns by matched value: match quality, length, and rarity."""
    scored_matches: dict[int, list[tuple[float, ValueMatch]]] = defaultdict(list)
    for held in values:
        similarity, text = best_match(held.value, by_gram)
        if similarity:
            score = similarity * _telling(held.value) / (1 + log(held.holders))
            match = ValueMatch(text, held.value, similarity)
            for column in held.columns:
                scored_matches[column].append((score, match))
    for held_by_column in scored_matches.values():
        held_by_column.sort(key=lambda scored: -scored[0])
    ranked = sorted(
        ((column, scored[0][0]) for column, scored in scored_matches.items()),
        key=lambda hit: (-hit[1], hit[0]),
    )
    best = Ranking.create([column for column, _ in ranked], [score for _, score in ranked])
    matches = {
        column: tuple(map(itemgetter(1), scored[:_MAX_VALUES]))
        for column, scored in scored_matches.items()
    }
    return best, matches


def _telling(value: str) -> float:
    """Weight of a matched value; low for letters, years and numbers."""
    letters = alnum_key(value)
    if letters.isdigit() and len(letters) <= _LETTERS_THAT_SAY_ENOUGH:
        return _SHORT_NUMBER
    return min(1.0, len(letters) / _LETTERS_THAT_SAY_ENOUGH)


def _by_columns(fused: Ranking, table_of: Numbers) -> Ranking:
    """Tables by the mean of their best columns; tables with fewer are penalised."""
    table_of_item = table_of[fused.items]
    tables, first, number = np.unique(table_of_item, return_index=True, return_inverse=True)
    order = np.argsort(number, kind="stable")
    rank_in_table = np.arange(len(order)) - np.searchsorted(number[order], number[order])
    total = np.zeros(len(tables))
    for rank in range(_SCORED_COLUMNS):
        best_columns = order[rank_in_table == rank]
        total[number[best_columns]] += fused.scores[best_columns]
    means = total / _SCORED_COLUMNS
    best = np.lexsort((first, -means))
    return Ranking(tables[best], means[best])


def _hits(
    fused: Ranking,
    results: SearchResult,
    searches: Mapping[str, Ranking],
    matches: Mapping[int, tuple[ValueMatch, ...]],
) -> Hits:
    """Column hits with scores by search."""
    columns = fused.items.tolist()
    return Hits(
        refs=tuple(results.columns[column] for column in columns),
        keys=results.keys[fused.items],
        scores=fused.scores,
        searches=_by_place(fused, searches, len(results.columns)),
        matches={
            index: matches[column] for index, column in enumerate(columns) if column in matches
        },
    )

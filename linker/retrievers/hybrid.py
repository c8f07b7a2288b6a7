"""
Hybrid retrieval: enters a question, leave columns and tables, found by meaning, by words and by values together.

One round trip to the store brings up what each way finds; the rankings are fused here, and every hit says why.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from linker.embedders import Embedder
from linker.literals import best_match, spans_by_gram
from linker.retrievers.fusion import fuse
from linker.store import Collection, HeldValue, Query, Scope, Store
from linker.types import ColumnRef, Hit, TableHit, TableRef, ValueMatch
from linker.words import squashed, words_of_text

# How much each way counts. Values are few and exact: where one is named, its column is hardly ever wrong.
WEIGHTS = {"dense": 1.0, "lexical": 1.0, "value": 1.0}
TABLE_WEIGHTS = {"dense": 1.0, "lexical": 1.0, "columns": 1.0}
# Ranks below it hardly tell anything, and the rankings must overlap to be fused.
_LEAST_DEPTH = 200
# A table is as good as its three best columns: one lucky column makes no table.
_TELLING_COLUMNS = 3
_LETTERS_THAT_SAY_ENOUGH = 4


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What a question brings up, best first."""

    columns: tuple[Hit, ...]
    tables: tuple[TableHit, ...]


class HybridRetriever:
    """Asks the store for neighbours, words and values, and fuses what it finds."""

    def __init__(self, embedder: Embedder, store: Store, collection: Collection) -> None:
        self._embedder = embedder
        self._store = store
        self._collection = collection

    def retrieve(self, text: str, *, limit: int, excluded: Sequence[ColumnRef] = ()) -> list[Hit]:
        """The best columns, best first."""
        return list(self.search(text, limit=limit, scope=Scope(excluded)).columns)

    def search(self, text: str, *, limit: int, scope: Scope) -> Retrieved:
        """The best columns and tables within the scope."""
        by_gram = spans_by_gram(text)
        query = Query(
            vector=self._embedder.embed([text])[0],
            words=tuple(dict.fromkeys(words_of_text(text))),
            grams=tuple(by_gram),
        )
        found = self._store.search(self._collection, query, limit=max(limit, _LEAST_DEPTH), scope=scope)
        named = {value: best_match(value, by_gram) for value in {held.value for held in found.values}}
        matches = {
            held: ValueMatch(said, held.value, similarity)
            for held in found.values
            for similarity, said in [named[held.value]]
            if similarity
        }
        valued, match_of = _by_value(matches)
        fused = fuse(
            {"dense": found.dense, "lexical": found.lexical, "value": valued},
            WEIGHTS,
            limit=2 * max(limit, _LEAST_DEPTH),
        )
        columns = [Hit(one.item, one.score, one.scores, match_of.get(one.item)) for one in fused]
        rankings = {"dense": found.dense_tables, "lexical": found.lexical_tables, "columns": _by_columns(columns)}
        tables = fuse(rankings, TABLE_WEIGHTS, limit=limit)
        return Retrieved(
            columns=tuple(columns[:limit]), tables=tuple(TableHit(one.item, one.score, one.scores) for one in tables)
        )


def _by_value(
    matches: dict[HeldValue, ValueMatch],
) -> tuple[list[tuple[ColumnRef, float]], dict[ColumnRef, ValueMatch]]:
    """Columns by the value that they hold: how well it is named, how long it is, and how few columns hold it."""
    best: dict[ColumnRef, tuple[float, ValueMatch]] = {}
    for held, match in matches.items():
        length = min(1.0, len(squashed(held.value)) / _LETTERS_THAT_SAY_ENOUGH)
        score = match.similarity * length / (1 + log(held.holders))
        if score > best.get(held.ref, (0.0, None))[0]:
            best[held.ref] = (score, match)
    # Equal scores stay as the store told them.
    ranked = sorted(((ref, score) for ref, (score, _) in best.items()), key=lambda one: -one[1])
    return ranked, {ref: match for ref, (_, match) in best.items()}


def _by_columns(hits: Sequence[Hit]) -> list[tuple[TableRef, float]]:
    """Tables by the mean of their best columns; one that has fewer than it takes is marked down for that."""
    scores: dict[TableRef, list[float]] = defaultdict(list)
    for hit in hits:
        scores[hit.ref.table].append(hit.score)
    means = {ref: sum(found[:_TELLING_COLUMNS]) / _TELLING_COLUMNS for ref, found in scores.items()}
    return sorted(means.items(), key=lambda one: -one[1])

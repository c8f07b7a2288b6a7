"""
Hybrid retrieval: semantic, keyword and value search in one query, rank fusion, passages of
documents, and cross-encoder reranking.

Scores of different retrievers are not comparable, so ranks are fused. Reranking costs one forward
pass per text, so only the best are reranked; it needs the extra `sentence-transformers`. Results are
stored in arrays, best first: a question retrieves thousands of columns and inspects few, so records
are created on access.
"""

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from math import isnan, log
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar, overload

import numpy as np
import numpy.typing as npt

from linker.config.installed import install_command
from linker.embedders import Embedder, Vectors
from linker.errors import ConfigError, EmbedderError
from linker.index import Collection, Query, Ranking, SearchResult, Store, ValueHit
from linker.index.base import key_of
from linker.text.values import best_match, spans_by_gram
from linker.text.words import alnum_key, readable, words_of_text
from linker.types import ColumnRef, Hit, Record, Ref, TableHit, TableRef, ValueMatch

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder


Numbers = npt.NDArray[np.int64]
MatchFeatures = npt.NDArray[np.float64]


def keys_of(refs: Iterable[Ref]) -> Numbers:
    """Ids of columns or tables in the store."""
    return np.array([key_of(ref) for ref in refs], dtype=np.int64)


class RefScores(Record, frozen=True):
    """Scores by id."""

    keys: Numbers
    scores: MatchFeatures

    @classmethod
    def create(cls, scores: Mapping[ColumnRef, float] | Mapping[TableRef, float]) -> "RefScores":
        """From references."""
        return cls(keys_of(scores), np.array([*scores.values()], dtype=np.float64))

    def at(self, keys: Numbers, missing: float) -> npt.NDArray[np.float32]:
        """Scores of these ids, or `missing`."""
        if not len(self.keys):
            return np.full(len(keys), missing, dtype=np.float32)
        order = np.argsort(self.keys)
        in_order = self.keys[order]
        indexes = np.minimum(np.searchsorted(in_order, keys), len(in_order) - 1)
        return np.where(in_order[indexes] == keys, self.scores[order[indexes]], missing).astype(
            np.float32
        )

    def __len__(self) -> int:
        return len(self.keys)


NO_SCORES = RefScores.create({})


RefT = TypeVar("RefT", ColumnRef, TableRef)
HitT = TypeVar("HitT", Hit, TableHit)


@dataclass(frozen=True, eq=False)
class _FoundByScores(Sequence[HitT], Generic[RefT, HitT]):
    """Results, best first; `searches` holds each search's score, NaN if it found nothing."""

    refs: Sequence[RefT]
    keys: Numbers
    scores: MatchFeatures
    searches: Mapping[str, MatchFeatures]

    def found_by(self, search: str) -> RefScores:
        """Scores of one search."""
        scores = self.searches.get(search, np.full(len(self.keys), np.nan))
        is_found = np.flatnonzero(~np.isnan(scores))
        return RefScores(self.keys[is_found], scores[is_found])

    @overload
    def __getitem__(self, index: int) -> HitT: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[HitT, ...]: ...

    def __getitem__(self, index: int | slice) -> HitT | tuple[HitT, ...]:
        if isinstance(index, slice):
            return tuple(self[number] for number in range(len(self))[index])
        number = range(len(self))[index]
        by_search = ((search, float(scores[number])) for search, scores in self.searches.items())
        scores = tuple((search, score) for search, score in by_search if not isnan(score))
        return self._record(number, float(self.scores[number]), scores)

    def _record(self, number: int, score: float, scores: tuple[tuple[str, float], ...]) -> HitT:
        raise NotImplementedError

    def __len__(self) -> int:
        return len(self.refs)


@dataclass(frozen=True, eq=False)
class Hits(_FoundByScores[ColumnRef, Hit]):
    """Column hits; `matches` holds matched values by index."""

    matches: Mapping[int, tuple[ValueMatch, ...]]

    @classmethod
    def create(cls, hits: Sequence[Hit]) -> "Hits":
        """From records."""
        if isinstance(hits, Hits):
            return hits
        matches = {index: hit.matches for index, hit in enumerate(hits) if hit.matches}
        return cls([hit.ref for hit in hits], *_arrays(hits), matches)

    def _record(self, number: int, score: float, scores: tuple[tuple[str, float], ...]) -> Hit:
        return Hit(self.refs[number], score, scores, self.matches.get(number, ()))


class TableHits(_FoundByScores[TableRef, TableHit]):
    """Table hits."""

    @classmethod
    def create(cls, hits: Sequence[TableHit]) -> "TableHits":
        """From records."""
        return (
            hits if isinstance(hits, TableHits) else cls([hit.ref for hit in hits], *_arrays(hits))
        )

    def _record(self, number: int, score: float, scores: tuple[tuple[str, float], ...]) -> TableHit:
        return TableHit(self.refs[number], score, scores)


def _arrays(
    hits: Sequence[Hit] | Sequence[TableHit],
) -> tuple[Numbers, MatchFeatures, dict[str, MatchFeatures]]:
    """Ids, scores, and scores by search."""
    scores = [dict(hit.scores) for hit in hits]
    names = dict.fromkeys(chain.from_iterable(scores))
    searches: dict[str, MatchFeatures] = {}
    for name in names:
        values = [item.get(name, np.nan) for item in scores]
        searches[name] = np.array(values, dtype=np.float64)
    return (
        keys_of(hit.ref for hit in hits),
        np.array([hit.score for hit in hits], dtype=np.float64),
        searches,
    )


class Retrieved(Record, frozen=True):
    """Retrieved columns and tables, best first."""

    columns: Sequence[Hit]
    tables: Sequence[TableHit]

    @property
    def hits(self) -> Hits:
        """As arrays."""
        return Hits.create(self.columns)

    @property
    def table_hits(self) -> TableHits:
        """As arrays."""
        return TableHits.create(self.tables)


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

Nearness = Callable[[str, Sequence[str]], Sequence[float]]
_LONGEST_PASSAGE = 400
_MAX_CHARACTERS = 3000
# Of a long document the passages that share most words are embedded.
_MAX_EMBEDDED = 80
_WEIGHT_OF_WORDS = 0.5
# Headings, list items, table rows.
_BEGINS = re.compile(r"[#|*•+-]|\d+[.)]\s")
_FEW_WORDS = 3
_SENTENCE_ENDS = re.compile(r"(?<=[.;:!?])\s+")


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


def near_passages(question: str, documents: Iterable[str], nearness: Nearness) -> tuple[str, ...]:
    """Nearest passages of files by meaning and words, up to 3,000 characters."""
    texts = map(_text_of, documents)
    passages = list(dict.fromkeys(chain.from_iterable(map(passages_of, texts))))
    shared = dict(zip(passages, _shared(question, passages), strict=True))
    best = sorted(passages, key=lambda passage: -shared[passage])[:_MAX_EMBEDDED]
    near = dict(zip(best, nearness(question, best), strict=True)) if best else {}
    chosen, left = list[str](), _MAX_CHARACTERS
    for passage in sorted(
        best, key=lambda passage: -(near[passage] + _WEIGHT_OF_WORDS * shared[passage])
    ):
        if len(passage) <= left:
            chosen.append(passage)
            left -= len(passage)
    return tuple(chosen)


def passages_of(text: str) -> list[str]:
    """
    Paragraphs with their headings, items and rows; long ones are split at sentences, items of a few
    words stay together.
    """
    passages: list[list[str]] = [[]]
    for line in map(readable, text.splitlines()):
        words = [word for word in line.split() if any(map(str.isalnum, word))]
        is_heading, begins = line.startswith("#"), _BEGINS.match(line)
        only_headings = all(before.startswith("#") for before in passages[-1])
        if not only_headings and (is_heading or not words or (begins and len(words) > _FEW_WORDS)):
            passages.append([])
        if words:
            passages[-1].append(line)
    return list(chain.from_iterable(_cut(" ".join(lines)) for lines in passages if lines))


def _cut(passage: str) -> Iterator[str]:
    part = ""
    for sentence in _SENTENCE_ENDS.split(passage):
        if part and len(part) + len(sentence) >= _LONGEST_PASSAGE:
            yield part
            part = ""
        part = f"{part} {sentence}".strip()
    yield part


def _shared(question: str, passages: Sequence[str]) -> list[float]:
    """Rarity-weighted share of the question's words in each passage."""
    words = [set(words_of_text(passage)) for passage in passages]
    wanted = set(words_of_text(question))
    holders = Counter(chain.from_iterable(words))
    rarity = {word: log(1 + len(words) / (1 + holders[word])) for word in wanted}
    total = sum(rarity.values()) or 1.0
    return [sum(map(rarity.__getitem__, wanted & held)) / total for held in words]


def _text_of(path: str) -> str:
    try:
        return Path(path).read_text("utf-8", "replace")
    except OSError as error:
        raise ConfigError(
            f"cannot read the document {path}: {error.strerror}", hint="name a text file"
        ) from None


class Reranker(Protocol):
    """Scores texts for a question."""

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """One score per text, higher is better."""


class CrossEncoderReranker:
    """A sentence-transformers cross-encoder, by name or folder."""

    def __init__(self, model: str) -> None:
        self._model = model

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """One score per text, higher is better."""
        if not texts:
            return []
        predicted = self._encoder.predict(
            [(question, text) for text in texts], show_progress_bar=False
        )
        return [float(score) for score in predicted]

    @cached_property
    def _encoder(self) -> "CrossEncoder":
        try:
            from sentence_transformers import CrossEncoder
        except ImportError:
            raise EmbedderError(
                f"the cross-encoder `{self._model}` needs sentence-transformers",
                hint=f"{install_command('sentence-transformers')}, or leave `reranker` unset",
            ) from None
        try:
            return CrossEncoder(self._model, device="cpu")
        except (OSError, ValueError) as error:
            raise EmbedderError(
                f"sentence-transformers cannot load `{self._model}`: {str(error).splitlines()[0]}",
                hint="set `reranker` to a model's name or folder, or leave it unset",
            ) from error

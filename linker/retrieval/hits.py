"""
Columns and tables that a search found, best first, in arrays: a question retrieves thousands and
inspects few, so records are created on access.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from math import isnan
from typing import Generic, TypeVar, overload

import numpy as np
import numpy.typing as npt

from linker.index.base import key_of
from linker.types import ColumnRef, Hit, Record, Ref, TableHit, TableRef, ValueMatch

RefT = TypeVar("RefT", ColumnRef, TableRef)
HitT = TypeVar("HitT", Hit, TableHit)
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

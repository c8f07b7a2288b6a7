"""
Columns and tables that were found for a text, best first.

Of the thousands that a question finds it looks closely at few: what was found lies in arrays, and the record of one
column is made when somebody asks for it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isnan
from typing import overload

import numpy as np
import numpy.typing as npt

from linker.store.places import key_of
from linker.types import ColumnRef, Hit, Record, Ref, TableHit, TableRef, ValueMatch

Numbers = npt.NDArray[np.int64]
Scores = npt.NDArray[np.float64]


def keys_of(refs: Iterable[Ref]) -> Numbers:
    """The numbers of columns or tables in the store."""
    return np.array([key_of(ref) for ref in refs], dtype=np.int64)


class RefScores(Record, frozen=True, dict=True):
    """Scores of columns or tables, by their numbers in the store."""

    keys: Numbers
    scores: Scores

    @classmethod
    def of(cls, scores: Mapping[ColumnRef, float] | Mapping[TableRef, float]) -> "RefScores":
        """The same by name."""
        return cls(keys_of(scores), np.array([*scores.values()], dtype=np.float64))

    def at(self, keys: Numbers, missing: float) -> npt.NDArray[np.float32]:
        """The score of each of these, or what it has that has none."""
        if not len(self.keys):
            return np.full(len(keys), missing, dtype=np.float32)
        order, in_order = self._in_order
        places = np.minimum(np.searchsorted(in_order, keys), len(in_order) - 1)
        return np.where(in_order[places] == keys, self.scores[order[places]], missing).astype(np.float32)

    @property
    def lowest(self) -> float:
        """The lowest score."""
        return float(self.scores.min())

    @cached_property
    def _in_order(self) -> tuple[Numbers, Numbers]:
        order = np.argsort(self.keys)
        return order, self.keys[order]

    def __len__(self) -> int:
        return len(self.keys)


NO_SCORES = RefScores.of({})


@dataclass(frozen=True, eq=False)
class Hits(Sequence[Hit]):
    """
    Columns that were found, best first: `searches` has the score of each search, which is no number where it failed.

    `matches` has by place the values of a column that the text may name.
    """

    refs: Sequence[ColumnRef]
    keys: Numbers
    scores: Scores
    searches: Mapping[str, Scores]
    matches: Mapping[int, tuple[ValueMatch, ...]]

    @classmethod
    def of(cls, hits: Sequence[Hit]) -> "Hits":
        """The same of records."""
        if isinstance(hits, Hits):
            return hits
        refs, scores = [hit.ref for hit in hits], [dict(hit.scores) for hit in hits]
        names = dict.fromkeys(name for found in scores for name in found)
        return cls(
            refs=refs,
            keys=keys_of(refs),
            scores=np.array([hit.score for hit in hits], dtype=np.float64),
            searches={name: np.array([each.get(name, np.nan) for each in scores], dtype=np.float64) for name in names},
            matches={place: hit.matches for place, hit in enumerate(hits) if hit.matches},
        )

    def found_by(self, search: str) -> RefScores:
        """The scores of one search."""
        scores = self.searches.get(search, self.scores[:0])
        is_found = np.flatnonzero(~np.isnan(scores))
        return RefScores(self.keys[is_found], scores[is_found])

    @property
    def holding(self) -> list[Hit]:
        """The columns that hold a value of the text."""
        return [self[place] for place in sorted(self.matches)]

    @overload
    def __getitem__(self, place: int) -> Hit: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Hit, ...]: ...

    def __getitem__(self, place: int | slice) -> Hit | tuple[Hit, ...]:
        if isinstance(place, slice):
            return tuple(self[number] for number in range(len(self))[place])
        number = range(len(self))[place]
        found = ((search, float(scores[number])) for search, scores in self.searches.items())
        return Hit(
            self.refs[number],
            float(self.scores[number]),
            tuple((search, score) for search, score in found if not isnan(score)),
            self.matches.get(number, ()),
        )

    def __len__(self) -> int:
        return len(self.refs)


class Retrieved(Record, frozen=True, dict=True):
    """Columns and tables for a question, best first; `table_keys` are the numbers of the tables, where known."""

    columns: Sequence[Hit]
    tables: Sequence[TableHit]
    table_keys: Numbers | None = None

    @cached_property
    def near_tables(self) -> RefScores:
        """The nearness of tables by themselves."""
        near = np.array([dict(hit.scores).get("dense", np.nan) for hit in self.tables], dtype=np.float64)
        keys = keys_of(hit.ref for hit in self.tables) if self.table_keys is None else self.table_keys
        is_near = np.flatnonzero(~np.isnan(near))
        return RefScores(keys[is_near], near[is_near])

    @cached_property
    def hits(self) -> Hits:
        """The columns as arrays."""
        return Hits.of(self.columns)

"""
Results of a search: enter the arrays that the store found, leaves a record with the names of columns and tables.

A search brings numbers. The number of a document is a digest of its name, so whoever has met it once knows its name for
good: names are asked for once in a process, and no search carries them.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import psycopg

from linker.store.base import HeldValue, Ranking, SearchResult
from linker.store.codes import Near
from linker.store.places import Place, ref_of, statement
from linker.types import ColumnRef, Record, Ref

_Numbers = npt.NDArray[np.int64]
_Scores = npt.NDArray[np.float64]
# How `array_send` writes an array of one dimension: what it is, then each number after its length.
_HEAD_BYTES = 20
_WHOLE = np.dtype([("length", ">i4"), ("number", ">i8")])
_BROKEN = np.dtype([("length", ">i4"), ("number", ">f8")])


class MetDocuments:
    """The documents that searches met, by their numbers, each with the number of its table."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Ref, int]] = {}

    def of(self, connection: psycopg.Connection, place: Place, keys: Sequence[int]) -> dict[int, tuple[Ref, int]]:
        """Those of these numbers, in their order; of one that another session took out meanwhile nothing."""
        met = {key: known for key in keys if (known := self._known.get(key))}
        if len(met) < len(keys):
            missing = [key for key in keys if key not in met]
            rows = connection.execute(statement("names").format(place.relation("documents")), (missing,))
            self._known.update({key: (ref_of(*named), table_key) for key, table_key, *named in rows})
            met = {key: self._known[key] for key in keys if key in self._known}
        return met


class FoundNumbers(Record, frozen=True, eq=False, dict=True):
    """The numbers of documents that each way to search found, with their scores, and the values that some hold."""

    near: tuple[_Numbers, _Scores]
    lexical: tuple[_Numbers, _Scores]
    near_tables: tuple[_Numbers, _Scores]
    holding: _Numbers
    held: Sequence[str]
    holders: _Numbers

    @classmethod
    def read(cls, found: Sequence[Any], nearest: Sequence[Near]) -> "FoundNumbers":
        """The arrays of the row of a search; nearest columns and tables, where this process found them by itself."""
        keys, scores, table_keys, table_scores, lexical_keys, lexical_scores, holding, held, holders = found
        near, near_tables = nearest or (
            (_numbers(keys), _scores(scores)),
            (_numbers(table_keys), _scores(table_scores)),
        )
        return cls(
            near=near,
            lexical=(_numbers(lexical_keys), _scores(lexical_scores)),
            near_tables=near_tables,
            holding=_numbers(holding),
            held=held or (),
            holders=_numbers(holders),
        )

    @cached_property
    def keys(self) -> _Numbers:
        """Each number once, in order."""
        every = np.concatenate([self.near[0], self.lexical[0], self.near_tables[0], self.holding])
        distinct: _Numbers = np.unique(every, return_counts=True)[0]
        return distinct

    def named(self, known: Mapping[int, tuple[Ref, int]]) -> SearchResult:
        """The result, given the names of its numbers; those without one are left out."""
        if len(known) < len(self.keys):
            return self._only(np.array([*known], dtype=np.int64)).named(known)
        if not known:
            return SearchResult()
        keys, names = self.keys, [*known.values()]
        table_keys = np.array([table_key for _, table_key in names], dtype=np.int64)
        is_column = table_keys != keys
        # Tables are numbered as they come with their columns, columns in the order of their keys.
        _, first, table_of = np.unique(table_keys, return_index=True, return_inverse=True)
        order = np.argsort(first)
        numbers = np.where(is_column, np.cumsum(is_column) - 1, np.argsort(order)[table_of])
        is_word_of_column = is_column[np.searchsorted(keys, self.lexical[0])]

        def ranked(found: tuple[_Numbers, _Scores]) -> Ranking:
            items, scores = numbers[np.searchsorted(keys, found[0])], found[1]
            best = np.lexsort((items, -scores))
            return Ranking(items[best], scores[best])

        return SearchResult(
            columns=tuple(ref for ref, _ in names if isinstance(ref, ColumnRef)),
            tables=tuple(names[place][0].table for place in first[order].tolist()),
            keys=keys[is_column],
            table_keys=table_keys[first[order]],
            table_of=np.argsort(order)[table_of][is_column],
            dense=ranked(self.near),
            lexical=ranked((self.lexical[0][is_word_of_column], self.lexical[1][is_word_of_column])),
            values=self._values(keys, is_column, numbers),
            dense_tables=ranked(self.near_tables),
            lexical_tables=ranked((self.lexical[0][~is_word_of_column], self.lexical[1][~is_word_of_column])),
        )

    def _only(self, keys: _Numbers) -> "FoundNumbers":
        """The same of these numbers alone."""

        def kept(found: tuple[_Numbers, _Scores]) -> tuple[_Numbers, _Scores]:
            is_kept = np.isin(found[0], keys)
            return found[0][is_kept], found[1][is_kept]

        places = np.flatnonzero(np.isin(self.holding, keys))
        return FoundNumbers(
            near=kept(self.near),
            lexical=kept(self.lexical),
            near_tables=kept(self.near_tables),
            holding=self.holding[places],
            held=[self.held[place] for place in places.tolist()],
            holders=self.holders[places],
        )

    def _values(self, keys: _Numbers, is_column: npt.NDArray[np.bool_], numbers: _Numbers) -> tuple[HeldValue, ...]:
        """The values with the columns that hold them, in the order of these."""
        places = np.searchsorted(keys, self.holding)
        held, holders = defaultdict[str, list[int]](list), dict[str, int]()
        for at in np.flatnonzero(is_column[places]).tolist():
            value = self.held[at]
            held[value].append(int(numbers[places[at]]))
            holders[value] = int(self.holders[at])
        return tuple(HeldValue(value, tuple(columns), holders[value]) for value, columns in held.items())


def _numbers(sent: bytes | None) -> _Numbers:
    return np.frombuffer(sent or b"", _WHOLE, offset=_HEAD_BYTES if sent else 0)["number"].astype(np.int64)


def _scores(sent: bytes | None) -> _Scores:
    return np.frombuffer(sent or b"", _BROKEN, offset=_HEAD_BYTES if sent else 0)["number"].astype(np.float64)

"""
Results of a search: enter the arrays that the store found, leaves a record with the names of
columns and tables.

A search brings numbers. The number of a document is a digest of its name, so whoever has met it
once knows its name for good: names are asked for once in a process, and no search carries them.
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
from linker.types import Record, Ref

_Numbers = npt.NDArray[np.int64]
_Scores = npt.NDArray[np.float64]
# How `array_send` writes an array of one dimension: what it is, then each number after its length.
_HEAD_BYTES = 20
_WHOLE = np.dtype([("length", ">i4"), ("number", ">i8")])
_BROKEN = np.dtype([("length", ">i4"), ("number", ">f8")])


class NumberedDocuments(Record, frozen=True, eq=False):
    """Documents by their numbers, in the order of these, each with the number of its table."""

    keys: _Numbers
    table_keys: _Numbers
    refs: npt.NDArray[np.object_]

    @classmethod
    def of(cls, rows: Mapping[int, tuple[Ref, int]]) -> "NumberedDocuments":
        """The same of what is known of each number."""
        refs, table_keys = zip(*rows.values(), strict=True) if rows else ((), ())
        keys = np.array([*rows], dtype=np.int64)
        order = np.argsort(keys)
        return cls(
            keys[order], np.array(table_keys, np.int64)[order], np.array(refs, dtype=object)[order]
        )

    def beside(self, others: "NumberedDocuments") -> "NumberedDocuments":
        """These and others."""
        places = np.searchsorted(self.keys, others.keys)
        return NumberedDocuments(
            np.insert(self.keys, places, others.keys),
            np.insert(self.table_keys, places, others.table_keys),
            np.insert(self.refs, places, others.refs),
        )

    def only(self, keys: _Numbers) -> "NumberedDocuments":
        """Those among numbers, which are in order."""
        places = np.searchsorted(self.keys, keys, side="right") - 1
        places = places[self.keys[places] == keys] if len(self.keys) else places[:0]
        return NumberedDocuments(self.keys[places], self.table_keys[places], self.refs[places])


class MetDocuments:
    """The documents that searches met."""

    def __init__(self) -> None:
        self._known = NumberedDocuments.of({})

    def of(self, connection: psycopg.Connection, place: Place, keys: _Numbers) -> NumberedDocuments:
        """
        Those of these numbers, in their order; of one that another session took out meanwhile
        nothing.
        """
        known = self._known.only(keys)
        if len(known.keys) < len(keys):
            missing = keys[~np.isin(keys, known.keys, assume_unique=True)].tolist()
            rows = connection.execute(
                statement("names").format(place.relation("documents")), (missing,)
            )
            new = NumberedDocuments.of(
                {key: (ref_of(*named), table_key) for key, table_key, *named in rows}
            )
            self._known = self._known.beside(new)
            known = self._known.only(keys)
        return known


class FoundNumbers(Record, frozen=True, eq=False, dict=True):
    """
    The numbers of documents that each way to search found, with their scores, and the values that
    some hold.
    """

    near: tuple[_Numbers, _Scores]
    lexical: tuple[_Numbers, _Scores]
    near_tables: tuple[_Numbers, _Scores]
    holding: _Numbers
    held: Sequence[str]
    holders: _Numbers

    @classmethod
    def read(cls, found: Sequence[Any], nearest: Sequence[Near]) -> "FoundNumbers":
        """
        The arrays of the row of a search; nearest columns and tables, where this process found them
        by itself.
        """
        (
            keys,
            scores,
            table_keys,
            table_scores,
            lexical_keys,
            lexical_scores,
            holding,
            held,
            holders,
        ) = found
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

    def named(self, known: NumberedDocuments) -> SearchResult:
        """The result, given the names of its numbers; those without one are left out."""
        keys, table_keys, refs = known.keys, known.table_keys, known.refs
        if len(keys) < len(self.keys):
            return self._only(keys).named(known)
        if not len(keys):
            return SearchResult()
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
            columns=tuple(refs[is_column].tolist()),
            tables=tuple(ref.table for ref in refs[first[order]].tolist()),
            keys=keys[is_column],
            table_keys=table_keys[first[order]],
            table_of=np.argsort(order)[table_of][is_column],
            dense=ranked(self.near),
            lexical=ranked(
                (self.lexical[0][is_word_of_column], self.lexical[1][is_word_of_column])
            ),
            values=self._values(keys, is_column, numbers),
            dense_tables=ranked(self.near_tables),
            lexical_tables=ranked(
                (self.lexical[0][~is_word_of_column], self.lexical[1][~is_word_of_column])
            ),
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

    def _values(
        self, keys: _Numbers, is_column: npt.NDArray[np.bool_], numbers: _Numbers
    ) -> tuple[HeldValue, ...]:
        """The values with the columns that hold them, in the order of these."""
        places = np.searchsorted(keys, self.holding)
        held, holders = defaultdict[str, list[int]](list), dict[str, int]()
        for at in np.flatnonzero(is_column[places]).tolist():
            value = self.held[at]
            held[value].append(int(numbers[places[at]]))
            holders[value] = int(self.holders[at])
        return tuple(
            HeldValue(value, tuple(columns), holders[value]) for value, columns in held.items()
        )


def _numbers(sent: bytes | None) -> _Numbers:
    return np.frombuffer(sent or b"", _WHOLE, offset=_HEAD_BYTES if sent else 0)["number"].astype(
        np.int64
    )


def _scores(sent: bytes | None) -> _Scores:
    return np.frombuffer(sent or b"", _BROKEN, offset=_HEAD_BYTES if sent else 0)["number"].astype(
        np.float64
    )

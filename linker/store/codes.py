"""
Codes of vectors in this process: enters a vector, leave the keys of the documents whose codes lie near it.

Postgres makes the codes. A process reads those of a collection once for each state of it, which takes about as long as
one comparison takes there, and compares a question with all of them in a tenth of that. Vectors stay in Postgres.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import psycopg
from psycopg import sql

from linker.embedders.base import Vectors
from linker.store.places import Place

_CODES_IN_ROW = 8
# Of so many times as many as are kept the bits differ least.
_BY_BITS = 3
# A number of a vector is above a step, around zero, or below the negative of the step: as linker.code_of has it.
_STEP = 0.6745
_Bits = npt.NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class Codes:
    """The codes of columns or of tables; `words` has a row for each 64 bits, so that one of all is compared at once."""

    keys: npt.NDArray[np.int64]
    words: _Bits
    bits: int

    def nearest(self, vector: Vectors, kept: int) -> list[int]:
        """The keys of so many documents, among which are most of the nearest."""
        levels = self.bits // len(vector)
        steps = np.arange(levels // 2, -1 - levels // 2, -1) * _STEP / np.sqrt(len(vector))
        code = _words(np.packbits(vector + steps[:, None] > 0)[None])
        distances = np.zeros(len(self.keys), dtype=np.uint16)
        for word, of_question in zip(self.words, code, strict=True):
            distances += np.bitwise_count(word ^ of_question)
        near = _least(distances, _BY_BITS * kept)
        # The bits of a number add up to about how large it is, and times that of the question they tell more.
        bits = np.unpackbits(self.words[:, near].T.copy().view(np.uint8), axis=1, count=self.bits)
        sizes = bits.reshape(len(near), levels, len(vector)).sum(axis=1, dtype=np.uint8)
        # A product by BLAS would wake its threads, which spin for longer than this takes.
        nearness = np.einsum("ij,j->i", sizes, vector)
        keys: list[int] = self.keys[near[_least(-nearness, kept)]].tolist()
        return keys


def read_codes(connection: psycopg.Connection, place: Place) -> dict[bool, Codes]:
    """The codes of a collection as it is now, those of tables apart from those of columns."""
    parts = (f"coalesce(int8send(key_{number}) || bit_send(code_{number}), '')" for number in range(_CODES_IN_ROW))
    rows = connection.execute(
        sql.SQL(
            "select is_table, string_agg({}, '' order by block), max(length(code_0)) from {} group by is_table"
        ).format(sql.SQL(" || ").join(map(sql.SQL, parts)), place.relation("codes")),
        binary=True,
    )
    found = {}
    for is_table, sent, bits in rows:
        read = np.frombuffer(sent, [("key", ">i8"), ("bits", ">i4"), ("code", np.uint8, (-(-bits // 8),))])
        found[is_table] = Codes(read["key"].astype(np.int64), _words(read["code"]), bits)
    return found


def _words(codes: npt.NDArray[np.uint8]) -> _Bits:
    """A row for each 64 bits of codes in rows of bytes."""
    filled = np.pad(codes, ((0, 0), (0, -codes.shape[1] % 8)))
    return np.ascontiguousarray(np.ascontiguousarray(filled).view(np.uint64).T)


def _least(numbers: npt.NDArray[Any], count: int) -> npt.NDArray[np.int64]:
    """The places of so many of the least numbers, in no order."""
    return np.argpartition(numbers, min(count, len(numbers) - 1))[:count]

"""
Codes of vectors, and the vectors themselves, as arrays: enters a vector, leave the documents that
lie nearest to it.

A code has few bits, so that all of them are compared in the time of one round trip. Those that
differ least are put in order by their vectors.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from linker.embedders.base import Vectors
from linker.types import Record

# Of more than this share of all, the vectors are read about as fast one after another.
_MOST_COMPARED_OF_ALL = 0.3
# A number of a vector is above a step, around zero, or below the negative of the step. Two thirds
# of the numbers of a vector of length one lie within a step; long vectors have bits enough in the
# signs alone.
_STEP = 0.6745
_LONG = 1_024
Bits = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]
# Keys of documents, best first, with how near each lies.
Near = tuple[Numbers, npt.NDArray[np.float64]]


def code_rows(vectors: Vectors) -> Bits:
    """A row for each 64 bits of the codes of vectors, so that one of all is compared at once."""
    dimension = vectors.shape[1]
    levels = np.array([1, 0, -1] if dimension <= _LONG else [0], dtype=np.float32)
    steps = levels[:, None] * np.float32(_STEP / np.sqrt(dimension))
    packed = np.packbits(
        (vectors[:, None] + steps > 0).reshape(len(vectors), len(levels) * dimension), axis=1
    )
    filled = np.ascontiguousarray(np.pad(packed, ((0, 0), (0, -packed.shape[1] % 8))))
    return np.ascontiguousarray(filled.view(np.uint64).T)


class Arrays(Record, frozen=True, eq=False):
    """
    Documents by their keys, codes and vectors of length one: first so many tables, then columns.
    """

    keys: Numbers
    codes: Bits
    vectors: Vectors
    table_count: int

    def nearest(self, vector: Vectors, limit: int, excluded: Sequence[int]) -> tuple[Near, Near]:
        """So many columns and so many tables that are nearest to a vector, by the cosine."""
        # Numbers of 32 bits are put in order by wide instructions, those of 16 are not.
        distances = np.zeros(len(self.keys), dtype=np.uint16)
        for row, bits in zip(self.codes, code_rows(vector[None]), strict=True):
            distances += np.bitwise_count(row ^ bits)
        of_length_one = vector / (np.linalg.norm(vector) or 1)

        def best(kind: slice, least: int, of_each: int) -> Near:
            """
            Those of a kind, among so many whose codes differ least, and so many more for each that
            is wanted.
            """
            keys, vectors = self.keys[kind], self.vectors[kind]
            compared, near = least + of_each * (limit + len(excluded)), np.arange(len(keys))
            if compared <= _MOST_COMPARED_OF_ALL * len(keys):
                near = _least(distances[kind].astype(np.int32), compared)
            # Parts stay in the cache. A product by BLAS would wake its threads, which spin for
            # longer than this takes.
            parts = (
                vectors.take(near[at : at + 256], axis=0) for at in range(0, max(1, len(near)), 256)
            )
            keys, scores = (
                keys[near],
                np.concatenate([np.einsum("ij,j->i", part, of_length_one) for part in parts]),
            )
            if excluded:
                is_kept = ~np.isin(keys, excluded)
                keys, scores = keys[is_kept], scores[is_kept]
            found = _least(-scores, limit)
            found = found[np.argsort(-scores[found], kind="stable")]
            return keys[found], scores[found].astype(np.float64)

        # Tables are found by their columns as well.
        return best(slice(self.table_count, None), 1_200, 9), best(
            slice(0, self.table_count), 300, 6
        )


def _least(numbers: npt.NDArray[Any], count: int) -> Numbers:
    """The places of so many of the least numbers, in no order."""
    return (
        np.argpartition(numbers, count)[:count] if count < len(numbers) else np.arange(len(numbers))
    )

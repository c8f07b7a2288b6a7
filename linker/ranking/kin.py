"""Kin among tables: near copies, and tables of one name whose columns drift; enter tables, leaves a number of each."""

from collections.abc import Sequence, Set
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from linker.text.words import words_of_name
from linker.types import Table, TableRef

# Smaller tables look alike by chance.
_LEAST_COLUMNS = 4
# The share of the columns of two tables that both have.
_ALIKE, _ALIKE_IF_NAMESAKES = 0.8, 0.5


def kin(tables: Sequence[Table]) -> npt.NDArray[np.int64]:
    """
    For each table the place of the first of its kin, often its own.

    Kin share four fifths of their columns, or half of them and a name but for its digits, or are kin of one another's.
    """
    names: dict[tuple[str, ...], int] = {}
    name_of = np.array([names.setdefault(_name(table.ref), len(names)) for table in tables], dtype=np.int64)
    sizes, shared = _shared([{*table.folded_paths} for table in tables])
    alike = shared / np.maximum(sizes[:, None] + sizes - shared, 1)
    least = np.where(name_of[:, None] == name_of, np.float32(_ALIKE_IF_NAMESAKES), np.float32(_ALIKE))
    is_large = sizes >= _LEAST_COLUMNS
    is_kin = np.tril((alike >= least) & is_large & is_large[:, None], -1)
    first = np.arange(len(tables), dtype=np.int64)
    for place in map(int, np.flatnonzero(is_kin.any(axis=1))):
        first[place] = first[is_kin[place].argmax()]
    return first


def _shared(paths: Sequence[Set[str]]) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """The number of paths of each table, and how many of them each other one has."""
    numbers: dict[str, int] = {}
    flat = np.array([numbers.setdefault(path, len(numbers)) for some in paths for path in some], dtype=np.int64)
    sizes = np.array([len(some) for some in paths], dtype=np.int64)
    # Most paths stand in one table alone, and are not compared.
    is_shared = np.bincount(flat, minlength=len(numbers)) > 1
    kept = is_shared[flat]
    holds = np.zeros((len(paths), int(is_shared.sum())), dtype=np.float32)
    holds[np.repeat(np.arange(len(paths)), sizes)[kept], (np.cumsum(is_shared) - 1)[flat[kept]]] = 1
    return sizes.astype(np.float32), holds @ holds.T


@lru_cache(maxsize=100_000)
def _name(ref: TableRef) -> tuple[str, ...]:
    """The schema and the words of the name that are no numbers."""
    return (ref.schema, *(word for word in words_of_name(ref.name) if not word.isdigit()))

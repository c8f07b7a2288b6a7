"""
Kin among tables: near copies, tables of one name whose columns drift, and what is kept of a table beside it.

Enter tables; leaves a number of each, and the pairs of what is kept and what is in use.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from linker.text.words import stem, word_list, words_of_name
from linker.types import Table, TableRef

# Smaller tables look alike by chance.
_LEAST_COLUMNS = 4
# The share of the columns of two tables that both have.
_ALIKE, _ALIKE_IF_NAMESAKES = 0.8, 0.5
# Words of a name, or of a schema's, that say that a table is kept beside the one in use.
_KEPT = frozenset(map(stem, word_list("naming_kept")))
_VERSION = "v"
# What is kept of a table has that part of its columns from it, and two at least.
_KEPT_FROM_IT, _FEWEST_KEPT = 0.5, 2


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


@lru_cache(maxsize=100_000)
def _words(ref: TableRef) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words of the schema, and those of the name."""
    return tuple(words_of_name(ref.schema)), tuple(words_of_name(ref.name))


@dataclass(frozen=True, slots=True)
class Kept:
    """The place of a table that is kept beside the `original` in use, and the words of its name that say so."""

    place: int
    original: int
    words: frozenset[str]


def kept(tables: Sequence[Table]) -> tuple[Kept, ...]:
    """Archives, backups, copies and older versions, by their names, columns and rows."""
    in_use: dict[tuple[str, ...], list[int]] = defaultdict(list)
    versions: dict[tuple[str, ...], list[tuple[int, int]]] = defaultdict(list)
    marked: list[tuple[int, tuple[str, ...], frozenset[str]]] = []
    for place, table in enumerate(tables):
        schema_words, words = _words(table.ref)
        if marks := _KEPT.intersection((*words, *schema_words)):
            base = tuple(word for word in words if word not in marks and not word.isdigit())
            marked.append((place, base, frozenset(words).difference(base) | marks))
        elif words[-2:-1] == (_VERSION,) and words[-1].isdigit():
            versions[table.ref.schema, *words[:-2]].append((int(words[-1]), place))
        else:
            in_use[words].append(place)
    pairs = [(place, other, words) for place, base, words in marked for other in in_use.get(base, ())]
    pairs += _older(versions)
    compared = {place for pair in pairs for place in pair[:2]}
    paths = {place: {column.path.casefold() for column in tables[place].columns} for place in compared}
    shared = {(place, other): len(paths[place] & paths[other]) for place, other, _ in pairs}
    found: dict[int, Kept] = {}
    for place, other, marks in sorted(pairs, key=lambda pair: shared[pair[:2]]):
        if shared[place, other] >= max(_FEWEST_KEPT, _KEPT_FROM_IT * len(paths[place])) and not _is_larger(
            tables[place], tables[other]
        ):
            found[place] = Kept(place, other, marks)
    return tuple(found.values())


def _older(versions: dict[tuple[str, ...], list[tuple[int, int]]]) -> Iterator[tuple[int, int, frozenset[str]]]:
    """Each version of a table but the last, with the last."""
    for numbered in versions.values():
        *older, (_, last) = sorted(numbered)
        yield from ((place, last, frozenset({str(number)})) for number, place in older)


def _is_larger(table: Table, other: Table) -> bool:
    """True where a table is known to have more rows than another."""
    rows, others = table.row_count_estimate, other.row_count_estimate
    return rows is not None and others is not None and rows > others

"""Kin among tables: near copies, and tables of one name whose columns drift; enter tables, leaves a number of each."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from linker.text.words import words_of_name
from linker.types import Table

# Smaller tables look alike by chance.
_LEAST_COLUMNS = 4
# The share of the columns of two tables that both have.
_ALIKE, _ALIKE_IF_NAMESAKES = 0.8, 0.5


def kin(tables: Sequence[Table]) -> npt.NDArray[np.int64]:
    """
    For each table the place of the first of its kin, often its own.

    Kin share four fifths of their columns, or half of them and a name but for its digits, or are kin of one another's.
    """
    numbers: dict[str, int] = {}
    for table in tables:
        for column in table.columns:
            numbers.setdefault(column.path.casefold(), len(numbers))
    holds = np.zeros((len(tables), len(numbers)), dtype=np.float32)
    for place, table in enumerate(tables):
        holds[place, [numbers[column.path.casefold()] for column in table.columns]] = 1
    sizes = holds.sum(axis=1)
    names = [_name(table) for table in tables]
    first = np.arange(len(tables), dtype=np.int64)
    for place in map(int, np.flatnonzero(sizes >= _LEAST_COLUMNS)):
        before = np.flatnonzero(sizes[:place] >= _LEAST_COLUMNS)
        shared = holds[before] @ holds[place]
        alike = shared / (sizes[before] + sizes[place] - shared)
        is_namesake = np.array([names[other] == names[place] for other in before], dtype=bool)
        is_kin = np.flatnonzero(alike >= np.where(is_namesake, _ALIKE_IF_NAMESAKES, _ALIKE))
        if len(is_kin):
            first[place] = first[before[is_kin[0]]]
    return first


def _name(table: Table) -> tuple[str, ...]:
    """The schema and the words of the name that are no numbers."""
    return (table.ref.schema, *(word for word in words_of_name(table.ref.name) if not word.isdigit()))

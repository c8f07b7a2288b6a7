"""Results of a search: the row of arrays that the store finds, as a record of columns and tables."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from linker.store.base import HeldValue, Ranking, SearchResult
from linker.types import ColumnRef, TableRef

_Numbers = npt.NDArray[np.int64]


def read_result(row: Sequence[Any]) -> SearchResult:
    """The row of `search.sql`, in the order of its arrays; one of nothing is null."""
    keys, table_keys = _whole(row[0]), _whole(row[1])
    schemas, names, paths = row[2:5]
    if not len(keys):
        return SearchResult()
    is_column = table_keys != keys
    # Tables are numbered as they come with their columns, columns in the order of their keys.
    _, first, in_key_order = np.unique(table_keys, return_index=True, return_inverse=True)
    order = np.argsort(first)
    table_of = np.argsort(order)[in_key_order]
    numbers = np.where(is_column, np.cumsum(is_column) - 1, table_of)
    tables = tuple(TableRef(schemas[place], names[place]) for place in first[order].tolist())
    columns = tuple(
        ColumnRef(tables[table], path)
        for table, path in zip(table_of.tolist(), paths, strict=True)
        if path is not None
    )

    def ranked(found: Sequence[int] | None, scores: Sequence[float] | None) -> Ranking:
        items = numbers[np.searchsorted(keys, _whole(found))]
        of_items = np.array(scores or (), dtype=np.float64)
        best = np.lexsort((items, -of_items))
        return Ranking(items[best], of_items[best])

    holding, held, holders = row[13:]
    places = np.searchsorted(keys, _whole(holding))
    holding_columns = np.where(is_column[places], numbers[places], -1)
    return SearchResult(
        columns=columns,
        tables=tables,
        keys=keys[is_column],
        table_keys=table_keys[first[order]],
        table_of=table_of[is_column],
        dense=ranked(*row[5:7]),
        lexical=ranked(*row[9:11]),
        values=_values(holding_columns, held or (), holders or ()),
        dense_tables=ranked(*row[7:9]),
        lexical_tables=ranked(*row[11:13]),
    )


def _values(
    columns: _Numbers, values: Sequence[str], holders: Sequence[int]
) -> tuple[HeldValue, ...]:
    """
    The values with the columns that hold them, in the order of these; what a table holds, which is
    no column, counts for none.
    """
    held = defaultdict[str, list[int]](list)
    counts = dict[str, int]()
    for column, value, count in zip(columns.tolist(), values, holders, strict=True):
        if column >= 0:
            held[value].append(column)
            counts[value] = count
    return tuple(HeldValue(value, tuple(those), counts[value]) for value, those in held.items())


def _whole(numbers: Sequence[int] | None) -> _Numbers:
    return np.array(numbers or (), dtype=np.int64)

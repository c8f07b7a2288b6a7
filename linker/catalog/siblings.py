"""
Tables with the same columns: enter tables, leave the groups of those of which one shows what all of them hold.

They are told apart by their names alone, so an answer spends its columns on one of them and names the others.
Tables of very few columns look alike by chance, as `id, name` does: they are no copies of each other.
"""

from collections import defaultdict
from collections.abc import Sequence

from linker.types import Catalog, Table, TableRef

_LEAST_COLUMNS = 4


def copies(tables: Sequence[Table]) -> tuple[tuple[int, ...], ...]:
    """The places of tables that have the same columns, in whatever order and case; groups of one are left out."""
    groups: dict[frozenset[str], list[int]] = defaultdict(list)
    for place, table in enumerate(tables):
        if len(table.columns) >= _LEAST_COLUMNS:
            groups[frozenset(column.path.casefold() for column in table.columns)].append(place)
    return tuple(tuple(group) for group in groups.values() if len(group) > 1)


def copies_by_table(catalog: Catalog) -> dict[TableRef, tuple[TableRef, ...]]:
    """By table the others with the same columns."""
    groups = ([catalog.tables[place].ref for place in group] for group in copies(catalog.tables))
    return {ref: tuple(other for other in group if other != ref) for group in groups for ref in group}

"""Narrows a large catalogue to what a question may be about: enter it and the tables found, leaves a smaller one."""

from collections.abc import Sequence

from linker.types import Catalog, Table, TableHit

# Ranking takes a millisecond for some hundred columns; what retrieval puts behind so many is hardly ever needed.
MOST_COLUMNS = 4000
# In a catalogue that is not ranked as a whole, how near a column lies is known of that many.
NEAREST = 1000


def narrowed(catalog: Catalog, hits: Sequence[TableHit]) -> Catalog:
    """The tables that retrieval found best, as many as ranking looks at closely."""
    tables: list[Table] = []
    columns = 0
    for hit in hits:
        table = catalog.table_by_ref.get(hit.ref)
        if table and (not tables or columns + len(table.columns) <= MOST_COLUMNS):
            tables.append(table)
            columns += len(table.columns)
    return Catalog(tuple(tables), catalog.physical_table_count)

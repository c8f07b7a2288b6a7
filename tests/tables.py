"""Shorthand for tables of ranking tests."""

from linker.types import Column, Columns, Table, TableRef


def table(name: str, *paths: str) -> Table:
    """A table of texts."""
    columns = tuple(
        Column(path, path, 0, place, "VARCHAR", is_nullable=True, description=None)
        for place, path in enumerate(paths, start=1)
    )
    return Table(TableRef("shop", name), "table", None, None, Columns(columns))

"""
Terms for a glossary: enters a statement that people ran, leave the names that it gives to columns
of other names.
"""

from collections.abc import Iterator

from sqlglot import exp

from linker.lineage import Tables
from linker.lineage.script import parse
from linker.text.words import words_of_name
from linker.types import Catalog, ColumnRef, TableRef


def proposed_terms(text: str, tables: Tables) -> Iterator[tuple[str, ColumnRef]]:
    """
    Names such as the `revenue` of `select sum(amount) as revenue`, with the one column that each
    stands for.
    """
    for select in parse(text, tables.database.dialect).find_all(exp.Select):
        scope = _tables_of(select, tables)
        for alias in select.expressions if scope else ():
            if isinstance(alias, exp.Alias) and not alias.find(exp.Subquery):
                columns = {
                    _column(column, scope, tables.database.catalog)
                    for column in alias.find_all(exp.Column)
                }
                ref = columns.pop() if len(columns) == 1 else None
                if ref and not set(words_of_name(alias.alias)) & set(
                    words_of_name(f"{ref.table.name} {ref.path}")
                ):
                    yield " ".join(alias.alias.casefold().replace("_", " ").split()), ref


def _tables_of(select: exp.Select, tables: Tables) -> dict[str, TableRef]:
    """
    The tables of a statement by the names that it uses for them; none where one of them is no plain
    table.
    """
    found: dict[str, TableRef] = {}
    sources = [
        select.args.get("from_") or select.args.get("from"),
        *(select.args.get("joins") or ()),
    ]
    for source in sources:
        table = source.this if source else None
        if not isinstance(table, exp.Table):
            return {}
        called = tables.called(".".join(part.name for part in table.parts))
        if len(called) != 1:
            return {}
        found[table.alias_or_name.casefold()] = called[0]
    return found


def _column(column: exp.Column, scope: dict[str, TableRef], catalog: Catalog) -> ColumnRef | None:
    """The column of the catalogue, if it is in one table of a statement alone."""
    refs = [
        scope[name]
        for name in ([column.table.casefold()] if column.table else scope)
        if name in scope
    ]
    found = [
        ColumnRef(ref, held.path)
        for ref in refs
        if ref in catalog.table_by_ref
        for held in catalog.table_by_ref[ref].columns
        if held.path.casefold() == column.name.casefold()
    ]
    return found[0] if len(found) == 1 else None

"""
What the user's dbt project says of a warehouse: lineage, tags, exposures, and terms of its semantic
layer.
"""

from collections.abc import Iterable, Iterator, Mapping

from msgspec import field
from msgspec.structs import replace

from linker.config.glossary import Term
from linker.types import Catalog, ColumnRef, DbtNode, Record, Table, TableRef


class DbtMetadata(Record, frozen=True):
    """
    Nodes by their `schema.table` in lower case, and terms.

    The columns of a term are words of its expression: those that are none of a table of the
    catalogue are left out.
    """

    nodes: Mapping[str, DbtNode] = field(default_factory=dict)
    terms: tuple[Term, ...] = ()

    def add_to(self, catalog: Catalog) -> Catalog:
        """
        The same catalogue, in which each table has its node; of what it is built from what is there
        too.
        """
        if not self.nodes:
            return catalog
        refs = {str(table.ref).lower(): table.ref for table in catalog.tables}
        tables = [replace(table, dbt=self._node(table.ref, refs)) for table in catalog.tables]
        return replace(catalog, tables=tuple(tables))

    def _node(self, ref: TableRef, refs: Mapping[str, TableRef]) -> DbtNode:
        node = self.nodes.get(str(ref).lower(), DbtNode())
        parents = (refs.get(str(parent).lower()) for parent in node.upstream)
        return replace(node, upstream=tuple(filter(None, parents)))

    def terms_in(self, catalog: Catalog) -> tuple[Term, ...]:
        """The terms that mean something in a catalogue, with names as it has them."""
        tables = {str(table.ref).lower(): table for table in catalog.tables}
        return tuple(_resolved(self.terms, tables))


def _resolved(terms: Iterable[Term], tables: Mapping[str, Table]) -> Iterator[Term]:
    for term in terms:
        found: dict[str, None] = {}
        for name in term.columns:
            table_name, _, column = name.rpartition(".")
            if table := tables.get(table_name.lower()):
                found.update(dict.fromkeys(_columns_called(table, column)))
        known = [str(tables[name.lower()].ref) for name in term.tables if name.lower() in tables]
        # A table alone is meant where nothing of it is: a count of its rows.
        if found or known:
            yield replace(term, columns=tuple(found), tables=() if found else tuple(known))


def _columns_called(table: Table, name: str) -> Iterator[str]:
    for column in table.columns:
        if column.path.lower() == name.lower():
            yield str(ColumnRef(table.ref, column.path))

"""
Resolves dotted table names in SQL against a database.

Qualifiers compare from the right as far as both sides have them: `schema.table`,
`project.dataset.table`.
"""

import re
from collections.abc import Mapping
from functools import cached_property

from msgspec import Struct

from linker.identifiers import Fit, TableIndex, TableName, fit, members, names_of
from linker.sql_analysis.values import Node, nodes_of
from linker.types import Catalog, Record, TableRef

# A database without schemas is written with any qualifier.
_NO_SCHEMA = "main"
_ANY_FIT = frozenset(Fit)


class MergedTables(Record, frozen=True):
    """
    The tables of a database as statements name them, in its dialect.

    `logical` leads from every physical table to the one it is part of.
    """

    dialect: str
    catalog: Catalog
    logical: Mapping[TableRef, TableRef]

    @classmethod
    def create(cls, dialect: str, catalog: Catalog) -> "MergedTables":
        """Those of a catalogue, whose families name their members."""
        found = {table.ref: table.ref for table in catalog.tables}
        found |= {
            TableRef(member.schema, member.name): member.table
            for member in names_of(catalog, members)
        }
        return cls(dialect, catalog, found)


class Tables(Struct, dict=True, eq=False):
    """The physical tables of a database by name; what finds them is worked out when it is needed."""

    database: MergedTables

    def called(self, name: str) -> list[TableRef]:
        """The physical tables that this name may mean: more than one where it is ambiguous."""
        last_step = name.rpartition(".")[2]
        found = self._index.called(name, _ANY_FIT) or [
            named.table for named in self._index.named(last_step) if named.schema == _NO_SCHEMA
        ]
        return [table for table in found if str(table).endswith(name)] or found

    def beside(self, name: str) -> list[TableRef]:
        """
        The shards among which this name would stand: a catalogue may hold some of a family only.
        """
        written = name.casefold()
        shape = _shape(written.rpartition(".")[2])
        if "0" not in shape:
            return []
        alike = [table for table in self._physical if _shape(table.name.casefold()) == shape]
        found = [
            table for table in alike if _fits(table.schema.casefold(), written.rpartition(".")[0])
        ]
        return found if len(found) > 1 else []

    def like(self, prefix: str) -> list[tuple[TableRef, str]]:
        """
        The physical tables whose name starts so, each with what stands in the place of the `*`.
        """
        qualifier, _, start = prefix.casefold().rpartition(".")
        matching = [
            (table, table.name[len(start) :])
            for table in self._physical
            if table.name.casefold().startswith(start)
        ]
        return [
            (table, rest) for table, rest in matching if _fits(table.schema.casefold(), qualifier)
        ]

    def logical(self, table: TableRef) -> TableRef:
        """The logical table that a physical one is merged into."""
        return self.database.logical[table]

    def nodes(self, table: TableRef) -> tuple[Node, ...]:
        """The columns of a logical table."""
        if table not in self._nodes:
            self._nodes[table] = nodes_of(self.database.catalog.table_by_ref[table])
        return self._nodes[table]

    @cached_property
    def _nodes(self) -> dict[TableRef, tuple[Node, ...]]:
        return {}

    @cached_property
    def _physical(self) -> list[TableRef]:
        """
        The tables less the names of families, which a catalogue may list beside their members.
        """
        families = {
            table.ref
            for table in self.database.catalog.tables
            if table.family and table.ref.name not in table.family.members
        }
        return [table for table in self.database.logical if table not in families]

    @cached_property
    def _index(self) -> TableIndex[TableRef]:
        return TableIndex(
            TableName(table.schema, table.name, table) for table in self.database.logical
        )


def _shape(name: str) -> str:
    return re.sub(r"\d", "0", name)


def _fits(schema: str, qualifier: str) -> bool:
    return schema == _NO_SCHEMA or fit(schema, qualifier) is not None

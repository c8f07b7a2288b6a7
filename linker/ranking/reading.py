"""
Reads what ranking needs of a question: enter the parts of a run and a text, leave what is known and what was found.

What was worked out of a catalogue serves all questions about it. A large catalogue is not worked out as a whole: of
each question's hits the tables are taken that come first, as many as ranking looks at closely.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from linker.copies import copies_by_table
from linker.ranking.known import Known, know
from linker.retrievers.hybrid import HybridRetriever, Retrieved
from linker.snapshot import Profiled
from linker.store import EVERYWHERE
from linker.types import Catalog, ColumnRef, Table, TableHit, TableRef

# Ranking takes a millisecond for some hundred columns; what retrieval puts behind so many is hardly ever needed.
MOST_COLUMNS = 4000
# In a catalogue that is not ranked as a whole, how near a column lies is known of that many.
_NEAREST = 1000


class Parts(Protocol):
    """What reading needs of an environment."""

    @property
    def indexed(self) -> Profiled:
        """The logical tables and what is known of them, as the index was made from them."""

    @property
    def retriever(self) -> HybridRetriever:
        """How columns and tables are found."""


@dataclass(frozen=True, slots=True)
class Read:
    """
    A question's catalogue, whole or narrowed, and what the index brought up.

    `there` are the columns of it that the warehouse still has; `copies` are by table the others with its columns.
    """

    known: Known
    copies: Mapping[TableRef, tuple[TableRef, ...]]
    retrieved: Retrieved
    there: tuple[ColumnRef, ...]


class Reader:
    """Reads one catalogue after another; the last one is kept."""

    def __init__(self) -> None:
        self._catalog: Catalog | None = None
        self._known: Known | None = None
        self._copies: Mapping[TableRef, tuple[TableRef, ...]] = {}

    def read(self, text: str, parts: Parts) -> Read:
        """All that ranking sees of a question."""
        catalog, facts = parts.indexed.catalog, parts.indexed.facts
        if self._catalog is not catalog:
            is_small = catalog.column_count <= MOST_COLUMNS
            self._catalog, self._copies = catalog, copies_by_table(catalog)
            self._known = know(catalog, facts) if is_small else None
        limit = MOST_COLUMNS if self._known else _NEAREST
        retrieved = parts.retriever.search(text, limit=limit, scope=EVERYWHERE)
        known = self._known or know(narrowed(catalog, retrieved.tables), facts)
        there = tuple(hit.ref for hit in retrieved.columns if catalog.find(hit.ref))
        return Read(known, self._copies, retrieved, there)


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

"""
Reads what ranking needs of a question: enter the parts of a run and a text, leave what is known and
what was found.

What was worked out of a catalogue serves all questions about it. A large catalogue is not worked
out as a whole: of each question's hits the tables are taken that come first, as many as ranking
looks at closely.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from msgspec.structs import replace

from linker.catalog.filed import Filed
from linker.catalog.snapshot import ProfiledCatalog
from linker.config import Settings
from linker.config.table_patterns import TablePattern, matching
from linker.ranking.glossary import Meaning, touched
from linker.ranking.known import Known, know
from linker.ranking.matching import Signals, signals_of
from linker.ranking.packing import pack_known, unpack_known
from linker.ranking.table_words import ReadTables
from linker.retrieval.hybrid import HybridRetriever
from linker.retrieval.passages import near_passages
from linker.retrieval.retrieved import Retrieved
from linker.types import Catalog, ColumnRef, Record, Table, TableRef

ResultT = TypeVar("ResultT")
Arguments = ParamSpec("Arguments")
# Ranking takes a millisecond for some hundred columns; what retrieval puts behind so many is hardly
# ever needed.
MOST_COLUMNS = 4000
# In a catalogue that is not ranked as a whole, how near a column lies is known of that many.
_NEAREST = 1000


class Parts(Protocol):
    """The parts of an environment that reading needs."""

    @property
    def settings(self) -> Settings:
        """The settings, of which reading needs the glossary and what to prefer."""

    @property
    def indexed(self) -> ProfiledCatalog:
        """The logical tables and what is known of them, as the index was made from them."""

    @property
    def retriever(self) -> HybridRetriever:
        """The search of columns and tables."""

    def derive(
        self,
        make: Callable[Concatenate[ProfiledCatalog, Arguments], ResultT],
        *arguments: Arguments.args,
        **named: Arguments.kwargs,
    ) -> ResultT:
        """The result of a function of what the index was made from, worked out once."""


class QuestionCatalog(Record, frozen=True):
    """
    A question's catalogue, whole or narrowed, and what the index brought up.

    `there` are the columns of it that the warehouse still has; `siblings` are by table the others
    with its columns. `meanings` are the terms of the user's glossary that the question touches,
    `passages` those of documents near it, `preferred` the tables that the settings prefer.
    """

    known: Known
    siblings: Mapping[TableRef, tuple[TableRef, ...]]
    retrieved: Retrieved
    there: tuple[ColumnRef, ...]
    meanings: tuple[Meaning, ...] = ()
    passages: tuple[str, ...] = ()
    preferred: frozenset[TableRef] = frozenset()

    @property
    def unknown_names(self) -> tuple[str, ...]:
        """Of each name in the glossary that leads nowhere, why."""
        return tuple(problem for meaning in self.meanings for problem in meaning.unknown)

    @property
    def signals(self) -> Signals:
        """All that says something about columns and tables besides their names."""
        return replace(
            signals_of(self.retrieved),
            meanings=self.meanings,
            passages=self.passages,
            preferred=self.preferred,
        )


def read_question(text: str, parts: Parts) -> QuestionCatalog:
    """All that ranking sees of a question."""
    catalog, read = parts.indexed.catalog, parts.derive(read_tables)
    whole = parts.derive(known_catalog)
    retrieved = parts.retriever.search(text, limit=MOST_COLUMNS if whole else _NEAREST)
    known = whole or know(narrowed(catalog, retrieved.table_hits.refs), parts.indexed.facts, read)
    there = known.those_there(retrieved.hits, read.met, None if whole else catalog)
    # What the user says of a word comes before what the dbt project does.
    meanings = touched(text, (*parts.settings.glossary, *parts.indexed.terms), catalog)
    preferred = parts.derive(preferred_tables, parts.settings.prefer)
    documents = parts.settings.documents
    passages = near_passages(text, documents, parts.retriever.nearness) if documents else ()
    return QuestionCatalog(
        known, parts.indexed.siblings, retrieved, there, meanings, passages, preferred
    )


def _known_catalog(profiled: ProfiledCatalog) -> Known | None:
    """The catalogue ready for questions; none where it is too large to be ranked as a whole."""
    is_small = profiled.catalog.column_count <= MOST_COLUMNS
    return know(profiled.catalog, profiled.facts) if is_small else None


known_catalog = Filed(_known_catalog, pack_known, unpack_known)


def preferred_tables(
    profiled: ProfiledCatalog, patterns: tuple[TablePattern, ...]
) -> frozenset[TableRef]:
    """The tables that one of the patterns means."""
    return frozenset(table.ref for table in matching(patterns, profiled.catalog.tables))


def read_tables(profiled: ProfiledCatalog) -> ReadTables:
    """The tables of a large catalogue, each read when a question first comes to it."""
    return ReadTables(profiled.facts)


def narrowed(catalog: Catalog, refs: Sequence[TableRef]) -> Catalog:
    """The tables that retrieval found best, as many as ranking looks at closely."""
    tables: list[Table] = []
    columns = 0
    for table in filter(None, map(catalog.table_by_ref.get, refs)):
        if not tables or columns + len(table.columns) <= MOST_COLUMNS:
            tables.append(table)
            columns += len(table.columns)
        if columns == MOST_COLUMNS:
            break
    return Catalog(tuple(tables), catalog.physical_table_count)

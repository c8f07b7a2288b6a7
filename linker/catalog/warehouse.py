"""
The profiled warehouse of one target: profile tables read lazily, and what the dbt project says
about them (lineage, tags, exposures, semantic layer terms).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from threading import RLock
from typing import TYPE_CHECKING

from msgspec import field
from msgspec.structs import replace

from linker.catalog.column_metadata import Facts, read_facts, read_privacy
from linker.catalog.profile import TableProfile, read_profile
from linker.catalog.read_catalog import ArtifactPlace, Artifacts, read_catalog
from linker.catalog.snapshot import ProfiledCatalog, without_tables
from linker.config import Settings
from linker.config.target import Target
from linker.config.values import Term
from linker.errors import WarehouseError
from linker.types import Catalog, ColumnRef, DbtNode, Record, Table, TableRef
from linker.warehouses import Warehouse, open_warehouse

if TYPE_CHECKING:
    from linker.sql_policy import Guard, ProbeLimits
    from linker.warehouses.base.session import SeparateSession

# A probe settles a question; it does not fetch data.
PROBE_ROWS = 5
PROBE_SECONDS = 30


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


class ProfiledWarehouse:
    """
    The artifacts of one target, and a session to read them and to probe.

    A session may be released or closed, and is opened again where it is needed; what was read
    stays. After dbt ran there is another one.
    """

    def __init__(
        self,
        find_target: Callable[[], Target],
        settings: Settings,
        find_places: Callable[[], Mapping[str, ArtifactPlace]] = dict,
        read_metadata: Callable[[], DbtMetadata] = DbtMetadata,
    ) -> None:
        self._find_target, self._settings, self._find_places = find_target, settings, find_places
        self._read_metadata = read_metadata
        self._session: SeparateSession | None = None
        self._artifacts: Artifacts | None = None
        self._profiles: dict[TableRef, TableProfile] = {}
        self._lock = RLock()
        # Why the warehouse could not be asked, once that was so.
        self.warehouse_error = ""

    @cached_property
    def target(self) -> Target:
        """The dbt connection."""
        return self._find_target()

    @property
    def session(self) -> Warehouse:
        """A read-only session."""
        with self._lock:
            if self._session is None:
                self._session = open_warehouse(self.target)
            return self._session

    @property
    def artifacts(self) -> Artifacts:
        """The relations that dbt left."""
        with self._lock:
            if self._artifacts is None:
                schema = self.target.artifacts_schema(self._settings)
                self._artifacts = Artifacts(self.session, schema, self._find_places())
            return self._artifacts

    @cached_property
    def catalog(self) -> Catalog:
        """The catalogue, as dbt found it."""
        return self._metadata.add_to(read_catalog(self.artifacts))

    @cached_property
    def _metadata(self) -> DbtMetadata:
        return self._read_metadata()

    @cached_property
    def facts(self) -> Facts:
        """The facts that the profiles tell of columns and joins."""
        return read_facts(self.artifacts, self.catalog)

    @cached_property
    def profiled(self) -> ProfiledCatalog:
        """Both, as an index is made from them: without the tables that the settings exclude."""
        profiled = without_tables(ProfiledCatalog(self.catalog, self.facts), self._settings.exclude)
        # A term of a table that is left out would be a name that leads nowhere.
        return replace(profiled, terms=self._metadata.terms_in(profiled.catalog))

    @property
    def is_profiled(self) -> bool:
        """
        True where there are profiles to read, and rows to probe; `away` says why not, if the
        warehouse is.
        """
        try:
            artifacts = self.artifacts
            return all(artifacts.holds(f"linker_profile_l{level}") for level in (1, 2, 3))
        except WarehouseError as error:
            self.warehouse_error = error.what
            return False

    def profile_of(self, table: Table) -> TableProfile | None:
        """The profile of a table, read once; nothing where there is none."""
        with self._lock:
            if table.ref not in self._profiles:
                if not self.is_profiled:
                    return None
                self._profiles[table.ref] = read_profile(self.artifacts, table)
            return self._profiles[table.ref]

    @cached_property
    def guard(self) -> "Guard":
        """The guard of probes."""
        from linker.sql_policy import ProbeLimits

        return self.guard_within(ProbeLimits(rows=PROBE_ROWS, seconds=PROBE_SECONDS))

    def guard_within(self, limits: "ProbeLimits") -> "Guard":
        """
        A guard with limits; a column that nobody has profiled shows only that it holds something.
        """
        from linker.sql_policy import Guard, known_tables

        privacy = read_privacy(self.artifacts, self.catalog)
        known = known_tables(
            self.catalog,
            self.session.dialect,
            privacy,
            database=self.target.database,
            schema=self.target.schema,
            time_travel=self._settings.time_travel,
        )
        return Guard(known, limits)

    @property
    def is_open(self) -> bool:
        """True while a session is open."""
        return self._session is not None

    def release(self) -> None:
        """Let others write: whoever reads a DuckDB file keeps them from it."""
        with self._lock:
            self._artifacts = None
            if self._session is not None:
                self._session.release()

    def close(self) -> None:
        """Close the session."""
        with self._lock:
            session, self._session, self._artifacts = self._session, None, None
            if session is not None:
                session.close()

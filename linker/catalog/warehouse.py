"""
The profiled warehouse of one target: profile tables read lazily, and what the dbt project says
about them (lineage, tags, exposures, semantic layer terms). Checks the column patterns of privacy
settings: patterns that match no column, and columns whose values the profiles still show.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from threading import RLock
from typing import TYPE_CHECKING

from msgspec import field
from msgspec.structs import replace

from linker.catalog.column_metadata import Facts, read_facts, read_privacy
from linker.catalog.profile import TableProfile, read_profile
from linker.catalog.read_catalog import ArtifactRelation, Artifacts, read_catalog
from linker.catalog.snapshot import ProfiledCatalog, without_tables
from linker.config.settings import Settings
from linker.config.target import Target
from linker.config.values import Term
from linker.errors import WarehouseError
from linker.types import Catalog, ColumnRef, DbtNode, Record, Table, TableRef
from linker.warehouses import Warehouse, open_warehouse

if TYPE_CHECKING:
    from linker.sql_policy.guard import Guard, ProbeLimits
    from linker.warehouses.base.session import SeparateSession


# Probes verify assumptions; they do not fetch data.
PROBE_ROWS = 5
PROBE_SECONDS = 30


class DbtMetadata(Record, frozen=True):
    """
    Nodes by lower-case `schema.table`, and terms.

    Columns of a term are all identifiers in its expression; those that are no columns of the
    catalog are dropped.
    """

    nodes: Mapping[str, DbtNode] = field(default_factory=dict)
    terms: tuple[Term, ...] = ()

    def add_to(self, catalog: Catalog) -> Catalog:
        """
        The catalog with the dbt node of each table; lineage is restricted to tables that exist.
        """
        if not self.nodes:
            return catalog
        refs = {str(table.ref).lower(): table.ref for table in catalog.tables}
        tables = [replace(table, dbt=self._node(table.ref, refs)) for table in catalog.tables]
        return Catalog(tables, catalog.physical_table_count)

    def _node(self, ref: TableRef, refs: Mapping[str, TableRef]) -> DbtNode:
        node = self.nodes.get(str(ref).lower(), DbtNode())
        parents = (refs.get(str(parent).lower()) for parent in node.upstream)
        return replace(node, upstream=tuple(filter(None, parents)))

    def terms_in(self, catalog: Catalog) -> tuple[Term, ...]:
        """Terms with at least one existing column, in the catalog's spelling."""
        tables = {str(table.ref).lower(): table for table in catalog.tables}
        return tuple(_resolved(self.terms, tables))


def _resolved(terms: Iterable[Term], tables: Mapping[str, Table]) -> Iterator[Term]:
    for term in terms:
        columns: dict[str, None] = {}
        for name in term.columns:
            table_name, _, column = name.rpartition(".")
            if table := tables.get(table_name.lower()):
                columns.update(dict.fromkeys(_columns_called(table, column)))
        table_names = [
            str(tables[name.lower()].ref) for name in term.tables if name.lower() in tables
        ]
        # Without columns, as in a row count, only the table is meant.
        if columns or table_names:
            yield replace(
                term, columns=tuple(columns), tables=() if columns else tuple(table_names)
            )


def _columns_called(table: Table, name: str) -> Iterator[str]:
    for column in table.columns:
        if column.path.lower() == name.lower():
            yield str(ColumnRef(table.ref, column.path))


class ProfiledWarehouse:
    """
    The profile tables of one target, and a session for reading and probing.

    A released or closed session reopens on demand, and data read stays. After a dbt run, create a
    new one.
    """

    def __init__(
        self,
        find_target: Callable[[], Target],
        settings: Settings,
        find_relations: Callable[[], Mapping[str, ArtifactRelation]] = dict,
        read_metadata: Callable[[], DbtMetadata] = DbtMetadata,
    ) -> None:
        self._find_target = find_target
        self._settings = settings
        self._find_relations = find_relations
        self._read_metadata = read_metadata
        self._session: SeparateSession | None = None
        self._artifacts: Artifacts | None = None
        self._profiles: dict[TableRef, TableProfile] = {}
        self._lock = RLock()
        # Why the warehouse is unavailable.
        self.warehouse_error = ""

    @cached_property
    def target(self) -> Target:
        return self._find_target()

    @property
    def session(self) -> Warehouse:
        with self._lock:
            if self._session is None:
                self._session = open_warehouse(self.target)
            return self._session

    @property
    def artifacts(self) -> Artifacts:
        with self._lock:
            if self._artifacts is None:
                schema = self.target.artifacts_schema(self._settings)
                self._artifacts = Artifacts(self.session, schema, self._find_relations())
            return self._artifacts

    @cached_property
    def catalog(self) -> Catalog:
        return self._metadata.add_to(read_catalog(self.artifacts))

    @cached_property
    def _metadata(self) -> DbtMetadata:
        return self._read_metadata()

    @cached_property
    def facts(self) -> Facts:
        """Column metadata and joins from the profiles."""
        return read_facts(self.artifacts, self.catalog)

    @cached_property
    def profiled(self) -> ProfiledCatalog:
        """The catalog as indexed: without the tables that settings exclude."""
        profiled = without_tables(ProfiledCatalog(self.catalog, self.facts), self._settings.exclude)
        # Terms of excluded tables would not resolve.
        return replace(profiled, terms=self._metadata.terms_in(profiled.catalog))

    @property
    def is_profiled(self) -> bool:
        """
        Whether there are profiles to read and rows to probe; `warehouse_error` holds the reason if
        the warehouse is unavailable.
        """
        try:
            artifacts = self.artifacts
            return all(artifacts.holds(f"linker_profile_l{level}") for level in (1, 2, 3))
        except WarehouseError as error:
            self.warehouse_error = error.what
            return False

    def profile_of(self, table: Table) -> TableProfile | None:
        """Cached; None if the table has no profile."""
        with self._lock:
            if table.ref not in self._profiles:
                if not self.is_profiled:
                    return None
                self._profiles[table.ref] = read_profile(self.artifacts, table)
            return self._profiles[table.ref]

    @cached_property
    def guard(self) -> "Guard":
        from linker.sql_policy.guard import ProbeLimits

        return self.guard_within(ProbeLimits(rows=PROBE_ROWS, seconds=PROBE_SECONDS))

    def guard_within(self, limits: "ProbeLimits") -> "Guard":
        """A guard with limits; it shows of unprofiled columns only whether they hold values."""
        from linker.sql_policy.guard import Guard
        from linker.sql_policy.visible_tables import known_tables

        privacy = read_privacy(self.artifacts, self.catalog)
        visible = known_tables(
            self.catalog,
            self.session.dialect,
            privacy,
            database=self.target.database,
            schema=self.target.schema,
            time_travel=self._settings.time_travel,
        )
        return Guard(visible, limits)

    @property
    def is_open(self) -> bool:
        return self._session is not None

    def release(self) -> None:
        """Close the session so that others can write: a reader locks a DuckDB file."""
        with self._lock:
            self._artifacts = None
            if self._session is not None:
                self._session.release()

    def close(self) -> None:
        with self._lock:
            session, self._session, self._artifacts = self._session, None, None
            if session is not None:
                session.close()


_STRICTNESS = ("show", "mask", "hide", "exclude", "refuse")


def patterns_of(settings: Settings) -> dict[str, tuple[str, ...]]:
    """Patterns by kind of rule, in order of precedence."""
    return {
        "exclude": settings.exclude_columns,
        "hide": settings.hide_columns,
        "mask": settings.mask_columns,
        "show": settings.show_columns,
    }


def _patterns(settings: Settings) -> Iterator[tuple[str, str]]:
    for word, patterns in patterns_of(settings).items():
        for pattern in patterns:
            yield word, pattern


def unmatched(settings: Settings, catalog: Catalog) -> list[str]:
    """A warning for each pattern that matches no column, which is probably a misspelling."""
    names = list[str]()
    for table in catalog.tables:
        for column in table.columns:
            names += _names(table, column.path)
    return [
        (
            f"{word}_columns: no column matches `{pattern}`; a pattern is `schema.table.column`, "
            "and `*` matches any text"
        )
        for word, pattern in _patterns(settings)
        if not any(map(_compiled(pattern).fullmatch, names))
    ]


def still_shown(
    settings: Settings, catalog: Catalog, privacy: Mapping[ColumnRef, str]
) -> list[ColumnRef]:
    """
    Columns whose profiles show more than the settings allow: profiled before the setting, or by dbt
    alone.
    """
    wanted = [(word, _compiled(pattern)) for word, pattern in _patterns(settings)]
    columns = []
    for table in catalog.tables:
        for column in table.columns:
            wishes = (
                word
                for word, pattern in wanted
                if any(map(pattern.fullmatch, _names(table, column.path)))
            )
            kept = privacy.get(ColumnRef(table.ref, column.path), "show")
            if _STRICTNESS.index(next(wishes, "show")) > _STRICTNESS.index(kept):
                columns.append(ColumnRef(table.ref, column.path))
    return columns


def _names(table: Table, path: str) -> Iterator[str]:
    """Names that patterns match; a family has its own and that of its newest shard."""
    yield f"{table.ref}.{path}".lower()
    if table.family:
        yield f"{table.ref.schema}.{table.family.representative}.{path}".lower()


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(re.escape(pattern.lower()).replace(r"\*", ".*"), re.DOTALL)

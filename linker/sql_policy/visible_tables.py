"""
Tables visible to probes, with their columns and privacy.

A table is found by its physical name, its family's name, or a wildcard within that family.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from msgspec import field

from linker.identifiers.table_index import TableIndex, TableName, close
from linker.sql_policy.allowlist import by_dialect
from linker.types import Catalog, ColumnRef, Record, Table, TableRef
from linker.warehouses import dialect_of

SHOW = "show"
MASK = "mask"
HIDE = "hide"
# Replaces masked values.
MASKED = "(masked)"
# Maximum shards of a family per statement.
MAX_MEMBERS = 100
_SYSTEM_SCHEMA = "information_schema"


@cache
def _system_views(dialect: str) -> Mapping[tuple[str, ...], str]:
    """Columns of readable system views, by name parts."""
    views = by_dialect("system_views")
    columns = {**views["all"], **views.get(dialect, {})}
    return {tuple(name.split(".")): listed for name, listed in columns.items()}


class KnownTable(Record, frozen=True):
    """A logical table for probes; physical names in family order."""

    ref: TableRef
    physical: tuple[str, ...]
    # Top-level columns in catalog case: `show`, `mask` or `hide`.
    privacy: Mapping[str, str]
    is_system: bool = False
    # By shard, columns that only other shards have.
    lacking: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    # Shards for the family's name: the newest of snapshots, else all.
    meant: tuple[str, ...] = ()

    def privacy_by_folded_name(self) -> Mapping[str, str]:
        """Privacy by case-insensitive column name."""
        return {name.casefold(): privacy for name, privacy in self.privacy.items()}

    @property
    def is_private(self) -> bool:
        """Whether any column is restricted."""
        return self.is_system or any(privacy != SHOW for privacy in self.privacy.values())


class TableMatch(Record, frozen=True):
    """A resolved table: its physical tables; a wildcard keeps its `*`."""

    table: KnownTable
    names: tuple[str, ...]
    wildcard: str = ""


@dataclass(eq=False)
class KnownTables:
    """Index of a target's tables by name; bare names are in `schema` first."""

    dialect: str
    tables: tuple[KnownTable, ...]
    database: str = ""
    schema: str = ""
    # Time travel is allowed.
    time_travel: bool = False

    def find(self, steps: Sequence[str]) -> list[TableMatch]:
        """Tables that a dotted name may mean; several if ambiguous."""
        *qualifiers, name = (step.casefold() for step in steps)
        if len(qualifiers) > 1 and (
            len(qualifiers) > 2 or qualifiers[0] != self.database.casefold()
        ):
            return []
        matches = [
            match
            for schema, match in self._by_name(name)
            if not qualifiers or schema.casefold() == qualifiers[-1]
        ]
        exact = [match for match in matches if name and steps[-1] in (*match.names, match.wildcard)]
        nearest = [
            match
            for match in matches
            if match.table.ref.schema.casefold() == self.schema.casefold()
        ]
        for fewer in (exact, [] if qualifiers else nearest):
            if len(fewer) == 1:
                return fewer
        return matches

    def system_view(self, steps: Sequence[str]) -> TableMatch | None:
        """
        A system view restricted to columns without values; those of the information schema must be
        qualified.
        """
        lower = tuple(step.casefold() for step in steps)
        is_ours = len(lower) < 5 and all(step in self.homes for step in lower[:-2])
        for name, columns in _system_views(self.dialect).items():
            fewest = 2 if name[-2] == _SYSTEM_SCHEMA else 1
            is_part = len(lower) >= fewest and name[-len(lower) :] == lower
            if is_part or (is_ours and len(lower) > 1 and name[-2:] == lower[-2:]):
                case = str.upper if dialect_of(self.dialect).unquoted_case == "upper" else str.lower
                shown = dict.fromkeys(map(case, columns.split()), SHOW)
                ref = TableRef(*name[-2:])
                return TableMatch(KnownTable(ref, (name[-1],), shown, is_system=True), name)
        return None

    def named_like_system_views(self, steps: Sequence[str]) -> list[str]:
        """Readable system views with similar names: `pg_stats`."""
        names = [name for name in _system_views(self.dialect) if name[-2] != _SYSTEM_SCHEMA]
        starts = {name[-1].partition("_")[0] for name in names}
        is_like = steps[-1].casefold().partition("_")[0] in starts
        return sorted(name[-1] for name in names) if is_like else []

    def near(self, name: str) -> list[str]:
        """Similar table names."""
        names = {table.ref.name.casefold(): str(table.ref) for table in self.tables}
        return [names[near] for near in close(name.casefold(), names, most=3, likeness=0.6)]

    def _by_name(self, name: str) -> Iterator[tuple[str, TableMatch]]:
        named = self._index.named(name)
        yield from ((match.schema, match.table) for match in named)
        if name.endswith("*") and dialect_of(self.dialect).has_wildcard_tables and not named:
            for table in self.tables:
                members = tuple(
                    member for member in table.physical if member.casefold().startswith(name[:-1])
                )
                if table.ref.name.endswith("*") and members and len(name) > len(table.ref.name):
                    yield (
                        table.ref.schema,
                        TableMatch(table, members, members[0][: len(name) - 1] + "*"),
                    )

    @cached_property
    def homes(self) -> frozenset[str]:
        """Qualifiers of the information schema: the database, in some warehouses a schema."""
        has_views = dialect_of(self.dialect).has_system_views_in_schemas
        schemas = {table.ref.schema.casefold() for table in self.tables if has_views}
        return frozenset(schemas | ({self.database.casefold()} if self.database else set()))

    @cached_property
    def _index(self) -> TableIndex[TableMatch]:
        return TableIndex(
            TableName(match.table.ref.schema, name, match) for name, match in self._names()
        )

    def _names(self) -> Iterator[tuple[str, TableMatch]]:
        for table in self.tables:
            family = table.ref.name
            if family not in table.physical:
                is_wildcard = dialect_of(self.dialect).has_wildcard_tables and family.endswith("*")
                yield (
                    family,
                    TableMatch(table, table.meant or table.physical, family if is_wildcard else ""),
                )
            yield from ((physical, TableMatch(table, (physical,))) for physical in table.physical)


def known_tables(
    catalog: Catalog,
    dialect: str,
    privacy: Mapping[ColumnRef, str],
    *,
    database: str = "",
    schema: str = "",
    time_travel: bool = False,
) -> KnownTables:
    """Tables of a catalog with column privacy; unlisted columns are shown."""
    tables = tuple(_known(table, privacy) for table in catalog.tables)
    return KnownTables(dialect, tables, database, schema, time_travel)


def _known(table: Table, privacy: Mapping[ColumnRef, str]) -> KnownTable:
    columns: dict[str, str] = {}
    for column in table.columns:
        level = privacy.get(ColumnRef(table.ref, column.path)) or SHOW
        # Reading a nested column reads its contents. Unscannable columns are not readable.
        if level != SHOW and (column.depth or level != MASK):
            level = HIDE
        columns[column.column_name] = max(
            columns.get(column.column_name, SHOW), level, key=(SHOW, MASK, HIDE).index
        )
    family = table.family
    if family is None:
        return KnownTable(table.ref, (table.ref.name,), columns)
    meant = (family.representative,) if family.is_snapshots else family.members
    return KnownTable(table.ref, family.members, columns, lacking=dict(family.lacking), meant=meant)

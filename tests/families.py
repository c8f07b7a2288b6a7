"""
Merges tables by the product's macros and returns the rows of `linker_families`.

Tables are created in an in-memory DuckDB, models run as dbt rendered them, and every merge is
rolled back.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import duckdb

from tests.rendering import Rendering

# Nothing was scanned: the journals are empty.
MODELS = ("linker_tables", "linker_scans", "linker_attempts", "linker_families")
COLUMNS = "id integer, happened_on date"
OTHER_COLUMNS = "id integer, happened_at timestamp"
# The columns of these tests have no fields inside, so that the catalogue's own list is the one of
# the inventory.
_SET_UP = """
    attach ':memory:' as warehouse;
    use warehouse;
    create schema main_linker;
    create view main_linker.linker_declared_columns as
    select
        database_name, schema_name, table_name, column_name as column_path,
        column_index as position, data_type, 0 as depth
    from duckdb_columns()
    where schema_name <> 'main_linker'
"""

_TABLES = """
    select schema_name, table_name, coalesce(family_name, table_name), is_representative
    from main_linker.linker_tables
"""
_GROUPS = """
    select
        schema_name, kind, key_kind, group_name, first_key, last_key, members, member_count, representative, rule
    from main_linker.linker_families
    order by schema_name, kind, group_name
"""


@dataclass(frozen=True, slots=True)
class Group:
    """A row of `linker_families`; members are in their order."""

    schema: str
    kind: str
    key_kind: str | None
    name: str
    first_key: str | None
    last_key: str | None
    members: tuple[str, ...]
    member_count: int
    representative: str | None
    rule: str


@dataclass(frozen=True, slots=True)
class Merged:
    """Rows of both models; `logical_names` maps each table to its family or itself."""

    groups: tuple[Group, ...]
    logical_names: Mapping[tuple[str, str], str]
    representatives: frozenset[tuple[str, str]]

    @property
    def families(self) -> tuple[Group, ...]:
        """The groups that are one logical table, by name."""
        return tuple(group for group in self.groups if group.kind != "siblings")

    @property
    def siblings(self) -> tuple[Group, ...]:
        """The groups of look-alikes, by name."""
        return tuple(group for group in self.groups if group.kind == "siblings")


class Merging:
    """A warehouse in memory on which tables are made, merged and forgotten."""

    def __init__(self, rendering: Rendering, **variables: object) -> None:
        self._models = rendering.models(*MODELS, **variables)
        self._connection = duckdb.connect()
        self._connection.execute(_SET_UP)

    def names(self, *names: str) -> Merged:
        """Merge tables of these names that all have the same columns."""
        return self.tables(dict.fromkeys(names, COLUMNS))

    def tables(self, columns_by_name: Mapping[str, str], *others: str) -> Merged:
        """Merge tables of these names and columns, after further statements."""
        return self.schemas({"main": columns_by_name}, *others)

    def schemas(self, tables_by_schema: Mapping[str, Mapping[str, str]], *others: str) -> Merged:
        """Merge the tables of several schemas at once."""
        self._connection.execute("begin")
        try:
            for schema, columns_by_name in tables_by_schema.items():
                self._connection.execute(f"create schema if not exists {_quoted(schema)}")
                for name, columns in columns_by_name.items():
                    self._connection.execute(
                        f"create table {_quoted(schema)}.{_quoted(name)} ({columns})"
                    )
            for statement in others:
                self._connection.execute(statement)
            return self._merged()
        finally:
            self._connection.execute("rollback")

    def close(self) -> None:
        """Forget the warehouse."""
        self._connection.close()

    def _merged(self) -> Merged:
        for model in MODELS:
            self._connection.execute(f"create table main_linker.{model} as {self._models[model]}")
        tables = self._connection.execute(_TABLES).fetchall()
        groups = [Group(*row) for row in self._connection.execute(_GROUPS).fetchall()]
        return Merged(
            groups=tuple(
                replace(group, members=tuple(json.loads(str(group.members)))) for group in groups
            ),
            logical_names={(schema, name): logical for schema, name, logical, _ in tables},
            representatives=frozenset(
                (schema, name) for schema, name, _, stands in tables if stands
            ),
        )


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def same_columns(names: Iterable[str]) -> dict[str, str]:
    """Tables of these names with the same columns."""
    return dict.fromkeys(names, COLUMNS)

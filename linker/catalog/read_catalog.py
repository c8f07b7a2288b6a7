"""
Reads the catalog and its groups of identical tables from the profile tables in one schema.

The columns of the queries are the contract of `models/**/*.yml`. A family of 365 shards is read as
one table; each column comes from the newest shard that has it.
"""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cache, cached_property
from itertools import chain, combinations
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from linker.errors import ArtifactError, MissingError
from linker.text.words import stem, word_list, words_of_name
from linker.types import Catalog, Column, ColumnRef, Columns, Family, Record, Table, TableRef
from linker.warehouses.base import WHOLE

if TYPE_CHECKING:
    from linker.warehouses import Row, Warehouse

_MIN_COLUMNS = 4
# Words that mark a copy of a table.
_KEPT = frozenset(map(stem, word_list("naming_kept")))
# Minimum number of tables and of columns, and differing words, for a group of shards.
_MIN_SHARDS = 8
_MIN_OF_SHARD = 12
_MAX_WORDS_OF_SHARD = 2
# The columns of a table, and its name without version words.
_Shape = tuple[frozenset[str], tuple[str, ...]]


class ArtifactRelation(Record, frozen=True):
    """Relation of a profile table in the user's project, quoted for SQL."""

    database: str
    schema: str
    name: str
    sql: str
    # Tables of other databases are not listed here.
    is_elsewhere: bool


class Artifacts:
    """
    The profile tables, in one schema or where the user's project has them; existence is looked up
    once.
    """

    def __init__(
        self,
        warehouse: "Warehouse",
        schema: str,
        relations: Mapping[str, ArtifactRelation] | None = None,
    ) -> None:
        self._warehouse = warehouse
        self._own_relations = relations or {}
        self.schema = schema

    @cached_property
    def _relations(self) -> Mapping[str, str]:
        schemas = {relation.schema for relation in self._own_relations.values()}
        listed = {schema: self._warehouse.relations(schema) for schema in schemas}
        named = {
            artifact: relation.sql
            for artifact, relation in self._own_relations.items()
            if relation.is_elsewhere or relation.name.lower() in listed[relation.schema]
        }
        return named or self._warehouse.relations(self.schema)

    def holds(self, name: str) -> bool:
        """Whether dbt created that relation."""
        return name in self._relations

    def require(self, *names: str) -> None:
        """Raise ArtifactError if dbt has not run."""
        missing = [name for name in sorted(names) if not self.holds(name)]
        if missing:
            raise ArtifactError(
                f"schema `{self.schema}` has no {', '.join(missing)}",
                hint="profile the warehouse first: linker profile (or set `artifacts_schema`)",
            )

    def query(self, sql: str, parameters: Sequence[object] = ()) -> "list[Row]":
        """Run a statement in which `{linker_tables}` stands for that relation."""
        try:
            return self._warehouse.query(sql.format_map(self._relations), parameters, WHOLE)
        except MissingError as error:
            raise ArtifactError(
                f"the profiles in schema `{self.schema}` are of another version: {error.what}",
                hint="profile the warehouse again: linker refresh",
            ) from None


@cache
def catalog_sql(name: str) -> str:
    """The SQL file of that name, with relations in braces."""
    return (Path(__file__).parent / "statements" / f"{name}.sql").read_text("utf-8")


def as_text(value: object) -> str:
    """A JSON value as text; other types as JSON writes them."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def as_utc(moment: datetime) -> datetime:
    """A moment in UTC; only some drivers return a zone."""
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def read_catalog(artifacts: Artifacts) -> Catalog:
    """Read tables and families, with descriptions from the profiles if there are any."""
    artifacts.require("linker_tables", "linker_columns", "linker_families")
    columns = _columns(artifacts)
    families, siblings, schemas = _groups(artifacts.query(catalog_sql("groups")))
    # Shards with different columns.
    families |= _with_lacking(families, artifacts.query(catalog_sql("columns_of_drifting")))
    rows = artifacts.query(catalog_sql("tables"))
    tables = tuple(_table(row, columns, families, siblings, schemas) for row in rows)
    return Catalog(tables=tables, physical_table_count=sum(row[6] for row in rows))


def _columns(artifacts: Artifacts) -> dict[TableRef, list[Column]]:
    # dbt descriptions are only in the profiles.
    described = (
        artifacts.query(catalog_sql("descriptions")) if artifacts.holds("linker_profile_l2") else []
    )
    descriptions = {
        ColumnRef(TableRef(schema, table), path): words for schema, table, path, words in described
    }
    columns: dict[TableRef, list[Column]] = defaultdict(list)
    for schema_name, table_name, *values in artifacts.query(catalog_sql("columns")):
        ref = TableRef(schema_name, table_name)
        column = Column(*values)
        description = descriptions.get(ColumnRef(ref, column.path), column.description)
        columns[ref].append(replace(column, description=description))
    return columns


def _table(
    row: "Row",
    columns: dict[TableRef, list[Column]],
    families: dict[TableRef, Family],
    siblings: dict[TableRef, tuple[str, ...]],
    schemas: dict[TableRef, str],
) -> Table:
    schema_name, logical_name, kind, description, all_rows, newest_rows, _ = row
    ref = TableRef(schema_name, logical_name)
    family = families.get(ref)
    row_count = newest_rows if family and family.is_snapshots else all_rows
    return Table(
        ref=ref,
        kind=kind,
        description=description,
        row_count_estimate=None if row_count is None else int(row_count),
        columns=Columns(columns[ref]),
        family=family,
        siblings=siblings.get(ref, ()),
        schemas=schemas.get(ref, ""),
    )


def _groups(
    rows: "list[Row]",
) -> tuple[dict[TableRef, Family], dict[TableRef, tuple[str, ...]], dict[TableRef, str]]:
    families: dict[TableRef, Family] = {}
    siblings: dict[TableRef, tuple[str, ...]] = {}
    schemas: dict[TableRef, str] = {}
    for schema_name, group_name, kind, key_kind, first_key, last_key, members_json, *about in rows:
        members = tuple(json.loads(members_json))
        representative, read = about
        if kind != "siblings":
            members_read = tuple(json.loads(read or "[]"))
            families[TableRef(schema_name, group_name)] = Family(
                key_kind, first_key, last_key, members, representative, kind, members_read
            )
        elif first_key is not None:
            words = (
                f"the same table in {len(members)} schemas {schema_name} by {key_kind}, "
                f"{first_key} to {last_key}"
            )
            schemas |= {TableRef(*member.split(".", 1)): words for member in members}
        else:
            for member in members:
                siblings[TableRef(schema_name, member)] = tuple(
                    other for other in members if other != member
                )
    return families, siblings, schemas


def read_members(artifacts: Artifacts, family: TableRef) -> tuple[tuple[str, int | None], ...]:
    """Shards of a family with their rows, by name."""
    rows = artifacts.query(catalog_sql("members"), (family.schema, family.name))
    return tuple((name, None if count is None else int(count)) for name, count in rows)


def _with_lacking(families: dict[TableRef, Family], rows: "list[Row]") -> dict[TableRef, Family]:
    """Families with drifting columns, with the columns that each shard lacks."""
    held: dict[TableRef, dict[bool, dict[str, set[str]]]] = defaultdict(
        lambda: defaultdict(lambda: defaultdict(set))
    )
    for schema_name, family_name, member, column, is_discovered in rows:
        held[TableRef(schema_name, family_name)][is_discovered][member].add(column)
    drifting = {}
    for ref, columns in held.items():
        family, lacking = families[ref], defaultdict[str, set[str]](set)
        for is_discovered, shards_with in columns.items():
            for member in family.members_read if is_discovered else family.members:
                lacking[member] |= set().union(*shards_with.values()) - shards_with[member]
        named = tuple(
            (member, tuple(sorted(names))) for member, names in sorted(lacking.items()) if names
        )
        drifting[ref] = replace(family, lacking=named)
    return drifting


def sibling_groups(tables: Sequence[Table]) -> tuple[tuple[int, ...], ...]:
    """
    Indexes of tables with the same columns, in any order and case, whose names are versions of each
    other; without groups of one.

    Lookups and link tables are excluded: equal columns, different content. Many wide tables whose
    names differ by a country or the like form a group too.
    """
    groups: dict[_Shape, list[int]] = defaultdict(list)
    for index, table in enumerate(tables):
        if len(table.columns) >= _MIN_COLUMNS:
            groups[frozenset(table.folded_paths()), _base_of_name(table)].append(index)
    shards = _shards(groups)
    kept_groups = [sorted(group) for group in (*groups.values(), *shards) if len(group) > 1]
    return tuple(map(tuple, sorted(kept_groups)))


def _base_of_name(table: Table) -> tuple[str, ...]:
    """The words of a name without version and copy suffixes."""
    words = words_of_name(table.ref.name)
    base = tuple(word for word in words if not word.isdigit() and word not in _KEPT)
    return base or tuple(words)


def _shards(groups: dict[_Shape, list[int]]) -> list[list[int]]:
    """
    Groups that are shards: many wide tables whose names differ by one or two words; they are
    removed from `groups`.
    """
    by_pattern: dict[tuple[object, ...], list[_Shape]] = defaultdict(list)
    for paths, base in groups:
        if len(paths) < _MIN_OF_SHARD:
            continue
        for start, end in combinations(range(len(base) + 1), 2):
            if end - start <= _MAX_WORDS_OF_SHARD and end - start < len(base):
                by_pattern[paths, base[:start], base[end:]].append((paths, base))
    shards: list[list[int]] = []
    for shapes in sorted(by_pattern.values(), key=len, reverse=True):
        left = [shape for shape in shapes if shape in groups]
        if len(left) >= _MIN_SHARDS:
            shards.append(list(chain.from_iterable(map(groups.pop, left))))
    return shards

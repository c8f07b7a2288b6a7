"""
Merges families in suites whose files are the catalog.

The product's SQL decides (`benchmarks.suites.families`); results are cached in the state folder by
a digest of catalog and SQL. The newest shard represents its family; columns of older shards follow
its own. Sampled values and document paths come from a few shards with rows.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from benchmarks.suites.column_paths import depth, parent, steps
from benchmarks.suites.databases import SuiteColumn, SuiteDatabase, SuiteTable
from benchmarks.suites.environments import FiledDatabase, PreparedDatabases
from benchmarks.suites.families import MODELS, merged, rendered_models, sources_digest
from linker.catalog.column_metadata import ColumnFacts, KeyPair, facts_of
from linker.config.settings import Settings
from linker.evaluation import Suite
from linker.files import state_folder, write_atomically
from linker.types import (
    Catalog,
    Column,
    ColumnRef,
    Columns,
    Family,
    OnProgress,
    Record,
    Table,
    TableRef,
)

# As many as the product scans, `family_members` in dbt_project.yml.
_SAMPLED_MEMBERS = 3
_MAX_SAMPLES = 10
_FORMAT = 3
_GROUPS = """
    select
        database_name, schema_name, group_name, kind, members,
        coalesce(key_kind, ''), coalesce(first_key, ''), coalesce(last_key, ''),
            coalesce(representative, '')
    from linker_families
    order by all
"""


class _TableGroup(Record, frozen=True):
    """A row of `linker_families`."""

    database: str
    schema: str
    name: str
    kind: str
    members: tuple[str, ...]
    # What siblings have none of.
    key_kind: str = ""
    first_key: str = ""
    last_key: str = ""
    representative: str = ""


def prepare_files(suite: Suite, settings: Settings, _on_progress: OnProgress) -> PreparedDatabases:
    """The suite with its files as the catalogue, its families merged."""
    return PreparedDatabases(suite, merge(suite, settings.state_dir), settings)


def merge(suite: Suite, state_dir: Path) -> tuple[FiledDatabase, ...]:
    """The databases of the suite with table lists, merged."""
    databases = [database for database in suite.databases if database.tables]
    groups = _groups(databases, state_dir) if databases else {}
    return tuple(_merged(database, groups.get(database.name, [])) for database in databases)


def _groups(databases: Sequence[SuiteDatabase], state_dir: Path) -> dict[str, list[_TableGroup]]:
    """
    The families and siblings of every database; found anew where the state folder does not know
    them.
    """
    digest = hashlib.sha256(f"{_FORMAT} {sources_digest()} ".encode())
    for line in _catalogue_lines(databases):
        digest.update(line.encode())
    path = state_folder(state_dir, "evals", "merged") / f"{digest.hexdigest()}.json"
    found = _remembered(path, list[_TableGroup])
    if found is None:
        found = list(_found(databases, _rules(state_dir)))
        write_atomically(path, msgspec.json.encode(found).decode())
    groups: dict[str, list[_TableGroup]] = defaultdict(list)
    for group in found:
        groups[group.database].append(group)
    return groups


def _catalogue_lines(databases: Iterable[SuiteDatabase]) -> Iterator[str]:
    """All that the rules look at."""
    for database in databases:
        for table in database.tables:
            columns = [
                (column.path, column.data_type)
                for column in table.columns
                if depth(column.path) == 0
            ]
            yield json.dumps([database.name, table.ref.schema, table.ref.name, columns])


def _remembered(path: Path, kind: Any) -> Any:  # noqa: ANN401 - what the kind says
    """Cached content; None if missing or damaged."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (OSError, msgspec.MsgspecError):
        return None


def _rules(state_dir: Path) -> dict[str, str]:
    """The SQL of the product's rules; dbt renders it once for all suites."""
    path = state_folder(state_dir, "evals", "rules") / f"{sources_digest()}.json"
    remembered: dict[str, str] | None = _remembered(path, dict[str, str])
    if remembered is not None and set(remembered) == set(MODELS):
        return remembered
    rendered = rendered_models()
    write_atomically(path, json.dumps(rendered))
    return rendered


def _found(databases: Sequence[SuiteDatabase], rules: Mapping[str, str]) -> Iterator[_TableGroup]:
    connection = merged(databases, rules)
    try:
        rows = connection.execute(_GROUPS).fetchall()
    finally:
        connection.close()
    for database, schema, name, kind, members, *keys in rows:
        yield _TableGroup(database, schema, name, kind, tuple(json.loads(members)), *keys)


def _merged(database: SuiteDatabase, groups: Sequence[_TableGroup]) -> FiledDatabase:
    physical = {table.ref: table for table in database.tables}
    logical = {ref: ref for ref in physical}
    families: dict[TableRef, _TableGroup] = {}
    siblings: dict[TableRef, tuple[str, ...]] = {}
    for group in groups:
        for member in group.members:
            ref = TableRef(group.schema, member)
            if group.kind == "siblings":
                siblings[ref] = tuple(other for other in group.members if other != member)
            else:
                logical[ref] = TableRef(group.schema, group.name)
                families[logical[ref]] = group
    tables: list[Table] = []
    samples: dict[ColumnRef, tuple[str, ...]] = {}
    for ref in sorted(set(logical.values())):
        members = _newest_first(physical, ref, families.get(ref))
        columns = _columns(members)
        tables.append(_table(ref, members, columns, families.get(ref), siblings.get(ref, ())))
        samples.update(_samples(ref, members, columns))
    keys = tuple(_logical_keys(database.keys, logical))
    catalog = Catalog(tuple(tables), len(physical))
    facts = facts_of(catalog, dict(_column_facts(catalog, samples)), keys)
    return FiledDatabase(database.dialect, catalog, logical, database.name, facts)


def _column_facts(
    catalog: Catalog, samples: Mapping[ColumnRef, tuple[str, ...]]
) -> Iterator[tuple[ColumnRef, ColumnFacts]]:
    """Sample values of the tables that have any."""
    sampled = {ref.table for ref in samples}
    for table in catalog.tables:
        for column in table.columns if table.ref in sampled else ():
            ref = ColumnRef(table.ref, column.path)
            values = samples.get(ref, ())
            # A structure holds no value of its own.
            if values or not column.is_nested:
                yield ref, ColumnFacts(values=values, distinct_count=len(values))


def _newest_first(
    physical: Mapping[TableRef, SuiteTable], ref: TableRef, family: _TableGroup | None
) -> list[SuiteTable]:
    """The shards of a logical table; the first one represents it."""
    if family is None:
        return [physical[ref]]
    return [physical[TableRef(ref.schema, member)] for member in reversed(family.members)]


def _with_rows(members: Sequence[SuiteTable]) -> list[SuiteTable]:
    """Newest, oldest and middle shard among those with rows."""
    found = [table for table in members if table.has_samples]
    step = max(1, (len(found) - 1) // (_SAMPLED_MEMBERS - 1))
    return [*found[:-1:step][: _SAMPLED_MEMBERS - 1], *found[-1:]]


def _columns(members: Sequence[SuiteTable]) -> tuple[SuiteColumn, ...]:
    """Each column from the newest shard that has it, with its nested paths."""
    if len(members) == 1:
        return members[0].columns
    tops, holders = _tops(members)
    inside: dict[str, dict[str, SuiteColumn]] = {path: {} for path in tops}
    for table in (*holders, *_with_rows(members)):
        for column in table.columns:
            if depth(column.path) > 0:
                inside[_column_path(column.path)].setdefault(column.path, column)
    own = set[str]()
    for table in holders:
        own.update(column.path for column in table.columns)
    ordered: list[SuiteColumn] = []
    for path, column in tops.items():
        ordered += [column, *_in_order(inside[path], own)]
    return tuple(ordered)


def _tops(members: Sequence[SuiteTable]) -> tuple[dict[str, SuiteColumn], list[SuiteTable]]:
    """The columns themselves, and the members that brought one."""
    tops: dict[str, SuiteColumn] = {}
    holders: list[SuiteTable] = []
    for table in members:
        found = {column.path: column for column in table.columns if depth(column.path) == 0}
        if found.keys() - tops.keys():
            holders.append(table)
        for path, column in found.items():
            tops.setdefault(path, column)
    return tops, holders


def _in_order(inside: Mapping[str, SuiteColumn], own: set[str]) -> list[SuiteColumn]:
    """In the order of the type; paths from documents are sorted, as in the product."""
    if own >= inside.keys():
        return list(inside.values())
    return [inside[path] for path in sorted(inside)]


def _column_path(path: str) -> str:
    while (above := parent(path)) is not None:
        path = above
    return path


def _table(
    ref: TableRef,
    members: Sequence[SuiteTable],
    columns: Sequence[SuiteColumn],
    group: _TableGroup | None,
    siblings: tuple[str, ...],
) -> Table:
    counts = [table.row_count for table in members if table.row_count is not None]
    family = None
    if group:
        family = Family(
            group.key_kind,
            group.first_key,
            group.last_key,
            group.members,
            group.representative,
        )
    return Table(
        ref=ref,
        kind="table",
        description=members[0].description,
        row_count_estimate=sum(counts) if counts else None,
        columns=Columns(
            _column(column, position) for position, column in enumerate(columns, start=1)
        ),
        family=family,
        siblings=siblings,
    )


def _column(column: SuiteColumn, position: int) -> Column:
    return Column(
        column.path,
        steps(column.path)[0],
        depth(column.path),
        position,
        column.data_type,
        True,
        column.description,
    )


def _samples(
    ref: TableRef, members: Sequence[SuiteTable], columns: Sequence[SuiteColumn]
) -> Iterator[tuple[ColumnRef, tuple[str, ...]]]:
    values: dict[str, dict[str, None]] = defaultdict(dict)
    for table in _with_rows(members):
        for column in table.columns:
            values[column.path].update(dict.fromkeys(column.samples))
    for column in columns:
        if values.get(column.path):
            yield ColumnRef(ref, column.path), tuple(values[column.path])[:_MAX_SAMPLES]


def _logical_keys(
    keys: Iterable[KeyPair], logical: Mapping[TableRef, TableRef]
) -> Iterator[KeyPair]:
    """Distinct keys between logical tables; those to missing tables are dropped."""
    seen: set[KeyPair] = set()
    for key in keys:
        if key.left in logical and key.right in logical:
            found = KeyPair(
                logical[key.left], key.left_columns, logical[key.right], key.right_columns
            )
            if found not in seen:
                seen.add(found)
                yield found

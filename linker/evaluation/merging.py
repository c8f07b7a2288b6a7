"""
Merges families as the product does: enters a Suite whose files are the catalogue, leaves its
databases.

Which tables are one is decided by the product's own SQL, see `linker.evaluation.families`, and
remembered in the state folder by a digest of the catalogue and of that SQL. As in the product the
newest member stands for its family; columns that only older ones have come behind its own. What
sample rows tell, values and paths in documents, comes from few of the members that have rows.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from linker.catalog.facts import ColumnFacts, Facts, KeyPair, pointing
from linker.config import Settings
from linker.evaluation.databases import SuiteColumn, SuiteDatabase, SuiteTable
from linker.evaluation.preparing import MergedDatabase, OnProgress, Prepared
from linker.evaluation.suites.base import depth, parent, steps
from linker.evaluation.types import Suite
from linker.files import state_folder, write_whole
from linker.types import Catalog, Column, ColumnRef, Family, Record, Table, TableRef

# As many as the product scans, `family_members` in dbt_project.yml.
_SAMPLED_MEMBERS = 3
_MOST_SAMPLES = 10
_FORMAT = 2


class _TableGroup(Record, frozen=True):
    """A row of `linker_families`."""

    schema: str
    name: str
    kind: str
    key_kind: str
    first_key: str
    last_key: str
    members: tuple[str, ...]
    representative: str


def prepare_files(suite: Suite, settings: Settings, _on_progress: OnProgress) -> Prepared:
    """The suite with its files as the catalogue, its families merged."""
    return Prepared(suite, merge(suite, settings.state_dir), settings)


def merge(suite: Suite, state_dir: Path) -> tuple[MergedDatabase, ...]:
    """The databases of the suite that tell their tables, merged."""
    databases = [database for database in suite.databases if database.tables]
    groups = _groups(databases, state_dir) if databases else {}
    return tuple(_merged(database, groups.get(database.name, [])) for database in databases)


def _groups(databases: Sequence[SuiteDatabase], state_dir: Path) -> dict[str, list[_TableGroup]]:
    """
    The families and siblings of every database; found anew where the state folder does not know
    them.
    """
    from linker.evaluation.families import sources_digest

    digest = hashlib.sha256(f"{_FORMAT} {sources_digest()} ".encode())
    for line in _catalogue_lines(databases):
        digest.update(line.encode())
    path = state_folder(state_dir, "evals", "merged") / f"{digest.hexdigest()}.json"
    found = _remembered(path)
    if found is None:
        found = _found(databases, _rules(state_dir))
        write_whole(path, json.dumps(found))
    groups: dict[str, list[_TableGroup]] = defaultdict(list)
    for (
        database,
        schema,
        name,
        kind,
        key_kind,
        first_key,
        last_key,
        members,
        representative,
    ) in found:
        groups[database].append(
            _TableGroup(
                schema, name, kind, key_kind, first_key, last_key, tuple(members), representative
            )
        )
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


def _remembered(path: Path) -> list[list[Any]] | None:
    """Families found before; nothing where the file is missing or damaged."""
    found = _content(path)
    is_whole = isinstance(found, list) and all(
        isinstance(row, list) and len(row) == 9 for row in found
    )
    return found if is_whole else None


def _content(path: Path) -> Any:  # noqa: ANN401 - JSON
    try:
        return json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return None


def _rules(state_dir: Path) -> dict[str, str]:
    """The SQL of the product's rules; dbt renders it once for all suites."""
    from linker.evaluation.families import MODELS, rendered_models, sources_digest

    path = state_folder(state_dir, "evals", "rules") / f"{sources_digest()}.json"
    remembered = _content(path)
    if isinstance(remembered, dict) and set(remembered) == set(MODELS):
        return remembered
    rendered = rendered_models()
    write_whole(path, json.dumps(rendered))
    return rendered


def _found(databases: Sequence[SuiteDatabase], rules: Mapping[str, str]) -> list[list[Any]]:
    from linker.evaluation.families import merged

    connection = merged(databases, rules)
    try:
        rows = connection.execute(
            """
            select database_name, schema_name, group_name, kind, key_kind, first_key, last_key, members, representative
            from linker_families
            order by all
            """
        ).fetchall()
    finally:
        connection.close()
    return [[*row[:7], json.loads(row[7]), row[8]] for row in rows]


def _merged(database: SuiteDatabase, groups: Sequence[_TableGroup]) -> MergedDatabase:
    physical = {table.ref: table for table in database.tables}
    families = {
        TableRef(group.schema, group.name): group for group in groups if group.kind != "siblings"
    }
    logical = {ref: ref for ref in physical}
    for ref, family in families.items():
        logical.update({TableRef(ref.schema, member): ref for member in family.members})
    siblings = {
        TableRef(group.schema, member): tuple(other for other in group.members if other != member)
        for group in groups
        if group.kind == "siblings"
        for member in group.members
    }
    tables: list[Table] = []
    samples: dict[ColumnRef, tuple[str, ...]] = {}
    for ref in sorted(set(logical.values())):
        members = _newest_first(physical, ref, families.get(ref))
        columns = _columns(members)
        tables.append(_table(ref, members, columns, families.get(ref), siblings.get(ref, ())))
        samples.update(_samples(ref, members, columns))
    keys = tuple(_logical_keys(database.keys, logical))
    catalog = Catalog(tuple(tables), len(physical))
    return MergedDatabase(
        database.dialect, catalog, logical, database.name, _facts(catalog, samples, keys)
    )


def _facts(
    catalog: Catalog, samples: Mapping[ColumnRef, tuple[str, ...]], keys: tuple[KeyPair, ...]
) -> Facts:
    """Sample values and declared keys."""
    sampled = {ref.table for ref in samples}
    columns = (
        (ref, ColumnFacts(values=values, distinct_count=len(values)))
        for table in catalog.tables
        if table.ref in sampled
        for column in table.columns
        for ref in (ColumnRef(table.ref, column.path),)
        for values in (samples.get(ref, ()),)
        # A structure holds no value of its own.
        if values or not column.is_nested
    )
    return pointing(columns, keys)


def _newest_first(
    physical: Mapping[TableRef, SuiteTable], ref: TableRef, family: _TableGroup | None
) -> list[SuiteTable]:
    """The members of a logical table; the first one stands for it."""
    if family is None:
        return [physical[ref]]
    return [physical[TableRef(ref.schema, member)] for member in reversed(family.members)]


def _with_rows(members: Sequence[SuiteTable]) -> list[SuiteTable]:
    """
    The newest, the oldest and one between of the members with rows: a catalogue may have kept those
    of a few.
    """
    found = [table for table in members if any(column.samples for column in table.columns)]
    step = max(1, (len(found) - 1) // (_SAMPLED_MEMBERS - 1))
    return [*found[:-1:step][: _SAMPLED_MEMBERS - 1], *found[-1:]]


def _columns(members: Sequence[SuiteTable]) -> tuple[SuiteColumn, ...]:
    """
    Each column as the newest member has it that has it, with what lies inside it, there or in those
    with rows.
    """
    if len(members) == 1:
        return members[0].columns
    tops: dict[str, SuiteColumn] = {}
    holders: list[SuiteTable] = []
    for table in members:
        found = {column.path: column for column in table.columns if depth(column.path) == 0}
        holders += [table] if found.keys() - tops.keys() else []
        tops |= {path: column for path, column in found.items() if path not in tops}
    inside: dict[str, dict[str, SuiteColumn]] = {path: {} for path in tops}
    for table in (*holders, *_with_rows(members)):
        for column in table.columns:
            if depth(column.path) > 0:
                inside[_column_path(column.path)].setdefault(column.path, column)
    own = {column.path for table in holders for column in table.columns}
    return tuple(
        found for path, column in tops.items() for found in (column, *_in_order(inside[path], own))
    )


def _in_order(inside: Mapping[str, SuiteColumn], own: set[str]) -> list[SuiteColumn]:
    """In the order of the type; paths that documents tell are sorted, as the product does."""
    return (
        list(inside.values()) if own >= inside.keys() else [inside[path] for path in sorted(inside)]
    )


def _column_path(path: str) -> str:
    while (above := parent(path)) is not None:
        path = above
    return path


def _table(
    ref: TableRef,
    members: Sequence[SuiteTable],
    columns: Sequence[SuiteColumn],
    family: _TableGroup | None,
    siblings: tuple[str, ...],
) -> Table:
    counts = [table.row_count for table in members if table.row_count is not None]
    return Table(
        ref=ref,
        kind="table",
        description=members[0].description,
        row_count_estimate=sum(counts) if counts else None,
        columns=tuple(
            Column(
                column.path,
                steps(column.path)[0],
                depth(column.path),
                position,
                column.data_type,
                True,
                column.description,
            )
            for position, column in enumerate(columns, start=1)
        ),
        family=Family(
            family.key_kind,
            family.first_key,
            family.last_key,
            family.members,
            family.representative,
        )
        if family
        else None,
        siblings=siblings,
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
            yield ColumnRef(ref, column.path), tuple(values[column.path])[:_MOST_SAMPLES]


def _logical_keys(
    keys: Iterable[KeyPair], logical: Mapping[TableRef, TableRef]
) -> Iterator[KeyPair]:
    """Each key once, between logical tables; one to a table that is not there leads nowhere."""
    seen: set[KeyPair] = set()
    for key in keys:
        if key.left in logical and key.right in logical:
            found = KeyPair(
                logical[key.left], key.left_columns, logical[key.right], key.right_columns
            )
            if found not in seen:
                seen.add(found)
                yield found

"""
Adds near-duplicate tables to a copy of the demo, up to 10,000 tables.

Personal copies, backups, loads and migrations stand beside the originals, as in old warehouses:
some columns of a demo table and one of their own, half of them without comments. They are views
over the same rows with profiles and joins of their own, so linker treats them like any table.
"""

import random
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb

_SEED = 10
_PEOPLE = (
    "ann",
    "bela",
    "chen",
    "dora",
    "emre",
    "fatou",
    "goran",
    "hana",
    "ivo",
    "jana",
    "kofi",
    "lena",
)
_OWN_COLUMNS = (
    "loaded_at",
    "batch_no",
    "copied_by",
    "checked_on",
    "source_file",
    "row_hash",
    "import_note",
)
_MIN_COLUMNS = 3
_MAX_COLUMNS = 4
_WITH_COMMENTS = 0.5
# The artifacts with a row for each column, and what a copy says otherwise than the table that it is
# copied from.
_COMMENT = "case when kept.commented then source.description end as description"
_PER_COLUMN = {
    "linker_columns": f"kept.place as position, {_COMMENT}",
    "linker_profile_l1": "kept.place as position",
    "linker_profile_l2": _COMMENT,
    "linker_profile_l3": "source.scanned_at as scanned_at",
}
_TABLES = f"""
    insert into main_linker.linker_tables by name
    select source.* replace (
        kept.new_schema as schema_name, kept.new_table as table_name, kept.columns as column_count,
        md5(kept.new_schema || '.' || kept.new_table) as column_signature, {_COMMENT}
    )
    from main_linker.linker_tables as source
    inner join (
        select schema_name, table_name, new_schema, new_table, commented,
            count(*) + 1 as columns from kept group by all
    ) as kept using (schema_name, table_name)
"""  # noqa: S608 - nothing of others
# A copy that holds a key points where its table does.
_JOINS = """
    insert into main_linker.linker_joins by name
    select source.* replace (
        kept.new_schema as from_schema, kept.new_table as from_table, 'inferred' as origin
    )
    from main_linker.linker_joins as source
    inner join kept on source.from_schema = kept.schema_name and source.from_table = kept.table_name
        and source.from_columns = to_json([kept.column_path])::varchar
"""


@dataclass(frozen=True, slots=True)
class Distractor:
    """A view of some columns of a table, plus one more."""

    schema: str
    name: str
    of_schema: str
    of_name: str
    paths: tuple[str, ...]
    own_column: str
    has_comments: bool


def build_distractors(demo: Path, folder: Path, tables: int) -> int:
    """
    Copy the demo's warehouse into a state folder and add near-duplicates up to `tables`; returns
    how many.
    """
    warehouse = folder / "demo" / "warehouse.duckdb"
    warehouse.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(demo / "demo" / "warehouse.duckdb", warehouse)
    with duckdb.connect(str(warehouse)) as connection:
        connection.begin()
        (present,) = _row(connection, "select count(*) from main_linker.linker_tables")
        distractors = list(draw_distractors(_columns_by_table(connection), tables - present))
        _make_views(connection, distractors)
        _write_artifacts(connection, distractors)
        connection.commit()
    return present + len(distractors)


def draw_distractors(columns: dict[tuple[str, str], list[str]], count: int) -> Iterator[Distractor]:
    """Near-duplicates with unique names; deterministic."""
    chance = random.Random(_SEED)  # noqa: S311 - nothing is kept secret by it
    names = sorted(columns)
    taken = set[tuple[str, str]]()
    while len(taken) < count:
        schema, name = chance.choice(names)
        new = _renamed(schema, name, chance)
        if new in taken:
            continue
        taken.add(new)
        paths = columns[schema, name]
        shown = min(len(paths), chance.randint(_MIN_COLUMNS, _MAX_COLUMNS))
        # Besides them the first, which is most often the key.
        kept = {paths[0], *chance.sample(paths, shown)}
        own = chance.choice([column for column in _OWN_COLUMNS if column not in paths])
        yield Distractor(
            *new,
            schema,
            name,
            tuple(path for path in paths if path in kept),
            own,
            has_comments=chance.random() < _WITH_COMMENTS,
        )


def _renamed(schema: str, name: str, chance: random.Random) -> tuple[str, str]:
    person = chance.choice(_PEOPLE)
    month = f"{chance.randint(2019, 2024)}_{chance.randint(1, 12):02d}"
    return chance.choice(
        (
            (f"scratch_{person}", f"{name}_{chance.choice(('v2', 'test', 'tmp', 'check', 'old'))}"),
            (f"dev_{person}", name),
            (f"backup_{month}", name),
            (
                f"load_{schema}",
                f"{chance.choice(('stg', 'raw', 'tmp'))}_{name}_{chance.randint(1, 9)}",
            ),
            (f"migration_{chance.randint(1, 9)}", f"{schema}_{name}"),
        )
    )


def _columns_by_table(connection: duckdb.DuckDBPyConnection) -> dict[tuple[str, str], list[str]]:
    """Top-level columns of tables outside families."""
    rows = connection.execute(
        "select columns.schema_name, columns.table_name, list(columns.column_path order by "
        "columns.position) from main_linker.linker_columns as columns inner join "
        "main_linker.linker_tables as tables using (schema_name, table_name) where columns.depth "
        "= 0 and columns.column_path = columns.column_name and tables.family_name is null and "
        "tables.table_kind = 'table' group by all"
    ).fetchall()
    return {(schema, name): paths for schema, name, paths in rows}


def _make_views(connection: duckdb.DuckDBPyConnection, distractors: Sequence[Distractor]) -> None:
    for schema in sorted({distractor.schema for distractor in distractors}):
        connection.execute(f'create schema "{schema}"')
    for distractor in distractors:
        shown = ", ".join(f'"{path}"' for path in distractor.paths)
        connection.execute(
            f'create view "{distractor.schema}"."{distractor.name}" as '  # noqa: S608
            f"select {shown}, null::varchar as {distractor.own_column} "
            f'from "{distractor.of_schema}"."{distractor.of_name}"'
        )


def _write_artifacts(
    connection: duckdb.DuckDBPyConnection, distractors: Sequence[Distractor]
) -> None:
    """Copy the originals' profiles and joins to the near-duplicates."""
    kept = list[tuple[str, str, str, str, str, int, bool]]()
    for table in distractors:
        for index, path in enumerate(table.paths, 1):
            original, copy = (table.of_schema, table.of_name, path), (table.schema, table.name)
            kept.append((*original, *copy, index, table.has_comments))
    connection.execute(
        "create temp table kept as select unnest($1) as schema_name, unnest($2) as table_name, "
        "unnest($3) as column_path, unnest($4) as new_schema, unnest($5) as new_table, unnest($6) "
        "as place, unnest($7) as commented",
        list(map(list, zip(*kept, strict=True))),
    )
    for artifact, replaced in _PER_COLUMN.items():
        connection.execute(
            f"insert into main_linker.{artifact} by name select source.* replace ("  # noqa: S608 - names of ours
            f"kept.new_schema as schema_name, kept.new_table as table_name, {replaced}) "
            f"from main_linker.{artifact} as source inner join kept "
            "using (schema_name, table_name, column_path)"
        )
    own = [
        (table.schema, table.name, table.own_column, len(table.paths) + 1) for table in distractors
    ]
    connection.execute(
        "insert into main_linker.linker_columns by name select unnest($1) as schema_name, "
        "unnest($2) as table_name, unnest($3) as column_name, unnest($3) as column_path, "
        "unnest($4) as position, 0 as depth, 'VARCHAR' as data_type, false as is_discovered, true "
        "as is_nullable",
        list(map(list, zip(*own, strict=True))),
    )
    connection.execute(_TABLES)
    connection.execute(_JOINS)


def _row(connection: duckdb.DuckDBPyConnection, statement: str) -> tuple[int, ...]:
    row = connection.execute(statement).fetchone()
    assert row  # noqa: S101 - an aggregate has one
    return row

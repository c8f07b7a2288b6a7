"""
Measures how much merging families saves: enters a folder of public catalogues, leaves figures on standard output.

The rules are those of the product: `linker_tables` and `linker_families` are rendered by dbt and executed as they are.
Only the reading of the catalogue is replaced, by a table that holds the names, columns and types of the public ones.

The folder holds the official layouts, as far as they are there: `spider2-lite/resource/databases/<engine>/…`,
`bird/dev_tables.json`, `spider1/tables.json` and `beaver/dev_tables.json`.
Snowflake's columns are sorted by name, as that export lists them in an order that changes from table to table.
"""

import argparse
import ast
import contextlib
import io
import json
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

ROOT = Path(__file__).resolve().parent.parent
BEFORE_AND_AFTER = """
    with paths as (
        select schema_name, table_name, count(*) as path_count from linker_declared_columns group by all
    ),
    tables as (
        select *, array_to_string(split(schema_name, '/')[:2], '/') as database
        from linker_tables inner join paths using (schema_name, table_name)
    ),
    siblings as (
        select array_to_string(split(schema_name, '/')[:2], '/') as database, count(*) as groups
        from linker_families where kind = 'siblings' group by all
    ),
    counted as (
        select
            database,
            count(*) as tables_before,
            count(*) filter (is_representative) as tables_after,
            sum(path_count)::bigint as columns_before,
            (sum(path_count) filter (is_representative))::bigint as columns_after,
            count(distinct (schema_name, family_name)) filter (family_name is not null) as families,
            count(*) filter (family_name is not null) as members
        from tables group by database
    ),
    final as (
        select counted.*, coalesce(groups, 0) as siblings from counted left join siblings using (database)
    )
    from final
    union all
    select
        count(*) || ' databases', sum(tables_before)::bigint, sum(tables_after)::bigint, sum(columns_before)::bigint,
        sum(columns_after)::bigint, sum(families)::bigint, sum(members)::bigint, sum(siblings)::bigint
    from final
    order by tables_before - tables_after, database
"""
SIBLINGS = """
    select coalesce(key_kind, 'more than a key'), count(*), sum(member_count)::bigint
    from linker_families where kind = 'siblings' group by all order by 1
"""
GROUPS = """
    select
        schema_name, group_name, coalesce(key_kind, 'other'),
        coalesce(first_key || '..' || last_key, ''), from_json(members, '["varchar"]')
    from linker_families
    where kind = ?
    order by member_count {order}, schema_name, group_name
    limit ?
"""


@dataclass(frozen=True, slots=True)
class PublicTable:
    """One table of a public catalogue; paths are the columns with those nested inside them."""

    database: str
    schema: str
    name: str
    columns: tuple[tuple[str, str], ...]
    paths: tuple[str, ...]


def main() -> None:
    """Read the catalogues, merge, print."""
    options = _options()
    tables = list(_public_tables(options.root))
    if not tables:
        sys.exit(f"no catalogue in {options.root}")
    connection = _merged(tables, _rendered_models())
    _write(_figures(connection, everything=options.all))
    for kind, order, title in (
        ("family", "desc", "largest families"),
        ("family", "asc", "smallest families"),
        ("siblings", "desc", "largest groups of siblings"),
    ):
        if options.groups:
            _write(iter([f"\nThe {options.groups} {title}"]))
            _write(_groups(connection, kind, order, options.groups))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").strip().splitlines()[0])
    parser.add_argument("--root", type=Path, required=True, help="folder of the public catalogues")
    parser.add_argument("--groups", type=int, default=0, help="print that many groups with sample names")
    parser.add_argument("--all", action="store_true", help="print databases too in which nothing is merged")
    return parser.parse_args()


def _public_tables(root: Path) -> Iterator[PublicTable]:
    databases = root / "spider2-lite" / "resource" / "databases"
    for engine in ("bigquery", "snowflake", "sqlite"):
        for path in sorted((databases / engine).rglob("*.json")):
            described = json.loads(path.read_text("utf-8"))
            if "table_name" in described:
                yield _spider2_table(engine, path.relative_to(databases / engine), described)
    for source, name in (("bird", "dev_tables.json"), ("spider1", "tables.json")):
        for described in _read_if_there(root / source / name, []):
            yield from _spider1_tables(source, described)
    for described in _read_if_there(root / "beaver" / "dev_tables.json", {}).values():
        columns = zip(described["column_names_original"], described["column_types"], strict=True)
        yield _table("beaver", described["db_id"], "", described["table_name_original"], tuple(columns))


def _read_if_there(path: Path, otherwise: Any) -> Any:  # noqa: ANN401 - what a JSON file holds
    return json.loads(path.read_text("utf-8")) if path.exists() else otherwise


def _spider2_table(engine: str, path: Path, described: dict[str, Any]) -> PublicTable:
    names, types = _listed(described["column_names"]), _listed(described["column_types"])
    columns = tuple(zip(names, types, strict=True))
    if engine == "snowflake":
        columns = tuple(sorted(columns))
    schema = path.parts[1] if len(path.parts) > 2 else ""
    # Some names carry their schema or a blank in front.
    name = described["table_name"].strip().removeprefix(f"{schema}.")
    paths = _listed(described["nested_column_names"]) if "nested_column_names" in described else names
    return _table(engine, path.parts[0], schema, name, columns, tuple(paths))


def _spider1_tables(source: str, described: dict[str, Any]) -> Iterator[PublicTable]:
    typed = list(zip(described["column_names_original"], described["column_types"], strict=True))
    for number, name in enumerate(described["table_names_original"]):
        columns = tuple((column, kind) for (table, column), kind in typed if table == number)
        yield _table(source, described["db_id"], "", name, columns)


def _table(
    source: str,
    database: str,
    schema: str,
    name: str,
    columns: tuple[tuple[str, str], ...],
    paths: tuple[str, ...] = (),
) -> PublicTable:
    return PublicTable(f"{source}/{database}", schema, name, columns, paths or tuple(column for column, _ in columns))


def _listed(value: list[str] | str) -> list[str]:
    return value if isinstance(value, list) else list(ast.literal_eval(value))


def _rendered_models() -> dict[str, str]:
    """The SQL of the models, rendered by dbt for DuckDB without a connection."""
    from dbt.cli.main import dbtRunner

    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder)
        _write_project(project)
        where = ["--project-dir", folder, "--profiles-dir", folder, "--log-path", folder, "--quiet"]
        models = ["--no-introspect", "--no-populate-cache", "--select", "linker_tables", "linker_families"]
        for command in (["deps", *where], ["compile", *where, *models]):
            # dbt prints what it compiles.
            with contextlib.redirect_stdout(io.StringIO()) as said:
                done = dbtRunner().invoke(command)
            if not done.success:
                sys.exit(f"dbt {command[0]} failed: {done.exception or said.getvalue()}")
        rendered = (project / "target" / "compiled").rglob("*.sql")
        return {path.stem: path.read_text("utf-8") for path in rendered}


def _write_project(project: Path) -> None:
    """A dbt project that lists the package and tells it of another catalogue."""
    settings = {
        "dbt_project.yml": {
            "name": "public_catalogues",
            "profile": "public_catalogues",
            "macro-paths": ["macros"],
            "dispatch": [{"macro_namespace": "linker", "search_order": ["public_catalogues", "linker"]}],
        },
        "packages.yml": {"packages": [{"local": str(ROOT)}]},
        "profiles.yml": {
            "public_catalogues": {
                "target": "here",
                "outputs": {"here": {"type": "duckdb", "path": ":memory:", "schema": "main"}},
            }
        },
    }
    for name, content in settings.items():
        (project / name).write_text(json.dumps(content), "utf-8")
    (project / "macros").mkdir()
    macro = "{% macro duckdb__discover_tables() %} select * from public_tables {% endmacro %}"
    (project / "macros" / "discover_tables.sql").write_text(macro, "utf-8")


def _merged(tables: list[PublicTable], models: dict[str, str]) -> duckdb.DuckDBPyConnection:
    """The catalogues in DuckDB, and the artifacts over them; each public database is a few schemas of one."""
    connection = duckdb.connect()
    connection.execute("create schema main_linker; set schema = 'main_linker'")
    with tempfile.TemporaryDirectory() as folder:
        for name, rows in (("public_tables", _table_rows(tables)), ("linker_declared_columns", _column_rows(tables))):
            file = Path(folder) / f"{name}.json"
            file.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
            connection.execute(f"create table {name} as from read_json('{file}')")
    for name in ("linker_tables", "linker_families"):
        connection.execute(f"create table {name} as {models[name]}")
    return connection


def _table_rows(tables: list[PublicTable]) -> Iterator[dict[str, Any]]:
    for table in tables:
        yield {
            "database_name": "memory",
            "schema_name": f"{table.database}/{table.schema}",
            "table_name": table.name,
            "table_kind": "table",
            "row_count_estimate": 0,
            "column_count": len(table.columns),
            "description": "",
        }


def _column_rows(tables: list[PublicTable]) -> Iterator[dict[str, Any]]:
    for table in tables:
        types = dict(table.columns)
        places = {name: number for number, (name, _) in enumerate(table.columns)}
        for number, path in enumerate(table.paths):
            yield {
                "database_name": "memory",
                "schema_name": f"{table.database}/{table.schema}",
                "table_name": table.name,
                "column_path": path,
                "depth": 0 if path in types else 1,
                "position": places.get(path, number),
                "data_type": types.get(path, ""),
            }


def _figures(connection: duckdb.DuckDBPyConnection, *, everything: bool) -> Iterator[str]:
    heads = ("database", "tables", "after", "columns", "after", "families", "members", "siblings")
    yield _line(heads)
    for row in connection.execute(BEFORE_AND_AFTER).fetchall():
        if everything or row[1] != row[2]:
            yield _line(row)
    for key_kind, groups, members in connection.execute(SIBLINGS).fetchall():
        yield f"siblings that differ in {key_kind}: {groups:,} groups of {members:,} logical tables"


def _line(cells: tuple[Any, ...]) -> str:
    first, *others = (f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in cells)
    return f"{first:<44}" + "".join(f"{cell:>10}" for cell in others)


def _groups(connection: duckdb.DuckDBPyConnection, kind: str, order: str, limit: int) -> Iterator[str]:
    rows = connection.execute(GROUPS.format(order=order), [kind, limit]).fetchall()
    for schema, group, rule, key_range, members in rows:
        shown = members if len(members) <= 6 else [*members[:3], "…", *members[-2:]]
        yield f"{len(members):>4}  {schema}  {group}  [{rule}] {key_range}"
        yield f"      {', '.join(shown)}"


def _write(lines: Iterator[str]) -> None:
    sys.stdout.writelines(f"{line}\n" for line in lines)


if __name__ == "__main__":
    main()

"""
Detects families with the product's SQL in DuckDB.

dbt renders the models once for all databases; only the catalog is replaced by a table of the
suite's names, columns and types.
"""

import contextlib
import hashlib
import io
import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import duckdb

from benchmarks.suites.column_paths import depth
from benchmarks.suites.databases import SuiteDatabase, SuiteTable
from linker.config.installed import dbt_project_dir, dbt_project_files
from linker.errors import LinkerError

MODELS = ("linker_tables", "linker_scans", "linker_attempts", "linker_families")
# The product leaves its own artifacts out, so no schema of a suite may have the name of theirs.
_SCHEMA = "evaluation"
_ARTIFACTS = f"{_SCHEMA}_linker"
_PROJECT = "evaluated_catalogues"


def sources_digest() -> str:
    """Digest of the files of the dbt project, which changes when the rules may have changed."""
    digest = hashlib.sha256()
    for path in dbt_project_files():
        digest.update(f"{path.relative_to(dbt_project_dir())}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def rendered_models() -> dict[str, str]:
    """The SQL of the models, rendered by dbt for DuckDB without a connection."""
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder)
        _write_project(project)
        _dbt(folder, "deps")
        _dbt(folder, "compile", "--no-introspect", "--no-populate-cache", "--select", *MODELS)
        rendered = (project / "target" / "compiled").rglob("*.sql")
        return {path.stem: path.read_text("utf-8") for path in rendered if path.stem in MODELS}


def _dbt(folder: str, command: str, *words: str) -> None:
    from dbt.cli.main import dbtRunner

    errors: list[str] = []

    def note(event: Any) -> None:  # noqa: ANN401 - dbt's own event
        if event.info.level == "error":
            errors.append(str(event.info.msg))

    quiet = [
        "--quiet",
        "--log-level",
        "none",
        "--log-level-file",
        "none",
        "--no-send-anonymous-usage-stats",
    ]
    where = [
        "--project-dir",
        folder,
        "--profiles-dir",
        folder,
        "--log-path",
        folder,
        "--no-version-check",
    ]
    # dbt prints what it compiles.
    with contextlib.redirect_stdout(io.StringIO()):
        done = dbtRunner(callbacks=[note]).invoke([*quiet, command, *where, *words])
    if not done.success:
        reason = " ".join([*errors, str(done.exception or "")]).strip()
        raise LinkerError(f"dbt {command} failed: {reason}", hint="install dbt-linker again")


def _write_project(project: Path) -> None:
    """A dbt project that lists the package and gives it another catalogue."""
    output = {"type": "duckdb", "path": ":memory:", "schema": _SCHEMA}
    settings = {
        "dbt_project.yml": {
            "name": _PROJECT,
            "profile": _PROJECT,
            "macro-paths": ["macros"],
            "dispatch": [{"macro_namespace": "linker", "search_order": [_PROJECT, "linker"]}],
        },
        "packages.yml": {"packages": [{"local": str(dbt_project_dir())}]},
        "profiles.yml": {_PROJECT: {"target": "here", "outputs": {"here": output}}},
    }
    for name, content in settings.items():
        (project / name).write_text(json.dumps(content), "utf-8")
    (project / "macros").mkdir()
    macro = "{% macro duckdb__discover_tables() %} select * from catalogue_tables {% endmacro %}"
    (project / "macros" / "discover_tables.sql").write_text(macro, "utf-8")


def merged(
    databases: Iterable[SuiteDatabase], models: Mapping[str, str]
) -> duckdb.DuckDBPyConnection:
    """Catalogs in DuckDB with the models over them, one database per suite database."""
    found = list(databases)
    connection = duckdb.connect(config={"threads": 2})
    connection.execute(f"create schema {_ARTIFACTS}; set schema = '{_ARTIFACTS}'")
    for name, types, rows in (
        ("catalogue_tables", _TABLE_TYPES, _table_rows(found)),
        ("linker_declared_columns", _COLUMN_TYPES, _column_rows(found)),
    ):
        unnested = f"unnest(from_json(?, '{json.dumps([types])}'), recursive := true)"
        connection.execute(f"create table {name} as select {unnested}", [json.dumps([*rows])])
    for name in MODELS:
        connection.execute(f"create table {name} as {models[name]}")
    return connection


_IDENTITY = dict.fromkeys(("database_name", "schema_name", "table_name"), "varchar")
_COUNTS = dict.fromkeys(("row_count_estimate", "column_count", "path_count"), "bigint")
_TABLE_TYPES = {**_IDENTITY, "table_kind": "varchar", **_COUNTS, "description": "varchar"}
_COLUMN_TYPES = {
    **_IDENTITY,
    "column_path": "varchar",
    "depth": "bigint",
    "position": "bigint",
    "data_type": "varchar",
}


def _table_rows(databases: Iterable[SuiteDatabase]) -> Iterator[dict[str, Any]]:
    for database in databases:
        for table in database.tables:
            yield {
                **_identity(database, table),
                "table_kind": "table",
                "row_count_estimate": table.row_count,
                "column_count": sum(1 for column in table.columns if depth(column.path) == 0),
                "path_count": len(table.columns),
                "description": table.description,
            }


def _column_rows(databases: Iterable[SuiteDatabase]) -> Iterator[dict[str, Any]]:
    """Columns only; nested paths are in their types."""
    for database in databases:
        for table in database.tables:
            for number, column in enumerate(table.columns, start=1):
                if depth(column.path) == 0:
                    yield {
                        **_identity(database, table),
                        "column_path": column.path,
                        "depth": 0,
                        "position": number,
                        "data_type": column.data_type,
                    }


def _identity(database: SuiteDatabase, table: SuiteTable) -> dict[str, str]:
    return {
        "database_name": database.name,
        "schema_name": table.ref.schema,
        "table_name": table.ref.name,
    }

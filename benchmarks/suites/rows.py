"""
Profiles suites that have rows.

All databases become one DuckDB file with a schema each, profiled by the product, so strategies have
real profiles and can probe. A digest of files and dbt project caches the result. Gold stays in the
suite's dialect; `logical` maps its tables to those of the warehouse.
"""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
from msgspec.structs import replace

from benchmarks.suites.databases import SuiteDatabase
from benchmarks.suites.environments import PreparedDatabases
from benchmarks.suites.families import sources_digest
from benchmarks.suites.merging import prepare_files
from benchmarks.suites.sqlite_rows import copy_database
from linker.catalog.read_catalog import Artifacts, read_catalog
from linker.config.settings import Settings
from linker.config.target import Target
from linker.dbt.profiling import DbtTarget, profile_warehouse
from linker.errors import ConfigError, WarehouseError
from linker.evaluation import Suite
from linker.evaluation.preparing import MergedDatabase, from_catalog
from linker.files import state_folder, write_atomically
from linker.types import Catalog, OnProgress, ProgressStage
from linker.warehouses import open_warehouse

_FORMAT = 1
_PROFILE = "evaluation"
_SCHEMA = "main"
_ARTIFACTS = f"{_SCHEMA}_linker"
# As for the demo: many small tables would each fill blocks of 256 KiB.
_BLOCK_BYTES = "16384"


@dataclass(frozen=True)
class ProfiledRows:
    """The warehouse, its databases, and the tables that could not be scanned."""

    target: Target
    databases: tuple[MergedDatabase, ...]
    failures: tuple[str, ...] = ()


def profile_rows(
    suite: Suite, state_dir: Path, on_progress: OnProgress = lambda _done, _due: None
) -> ProfiledRows:
    """Load and profile all databases of the suite that have rows, unless that was done before."""
    databases = [database for database in suite.databases if database.rows is not None]
    if not databases:
        raise ConfigError(
            f"no database of {suite.name} has rows",
            hint="fetch its SQLite files too, or evaluate without rows",
        )
    folder = state_folder(state_dir, "evals", "rows", suite.name)
    target = _target(folder, suite.name)
    schemas = _schemas(databases)
    rows_digest = _digest_of_rows(databases, schemas)
    marker = _read_marker(folder)
    if marker.get("rows") != rows_digest or not _warehouse(folder).is_file():
        _marker(folder).unlink(missing_ok=True)
        _load(_warehouse(folder), databases, schemas)
        marker = {"rows": rows_digest}
        write_atomically(_marker(folder), json.dumps(marker))
    if marker.get("artifacts") != sources_digest():
        stage = ProgressStage()
        stage.on_progress = on_progress  # type: ignore[method-assign,assignment] # the one thing shown
        report = profile_warehouse(DbtTarget(folder, _PROFILE, target.name, folder), stage)
        failures = [f"{failed.table}: {failed.message}" for failed in report.failures]
        marker = {"rows": rows_digest, "artifacts": sources_digest(), "failures": failures}
        write_atomically(_marker(folder), json.dumps(marker))
    return ProfiledRows(
        target, tuple(_databases(target, databases, schemas)), tuple(marker.get("failures", ()))
    )


def prepare_rows(suite: Suite, settings: Settings, on_progress: OnProgress) -> PreparedDatabases:
    """
    The suite in its warehouse of profiled rows, or with its files as the catalogue where none of it
    has rows.
    """
    if not any(database.rows for database in suite.databases):
        return prepare_files(suite, settings, on_progress)
    profiled = profile_rows(suite, settings.state_dir, on_progress)
    of_rows = replace(
        settings,
        profiles_dir=profiled.target.profiles_dir,
        profile=profiled.target.profile,
        target=profiled.target.name,
        artifacts_schema=None,
    )
    return PreparedDatabases(suite, profiled.databases, of_rows)


def _warehouse(folder: Path) -> Path:
    return folder / "warehouse.duckdb"


def _marker(folder: Path) -> Path:
    return folder / "built.json"


def _read_marker(folder: Path) -> dict[str, Any]:
    try:
        marker = json.loads(_marker(folder).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return marker if isinstance(marker, dict) else {}


def _target(folder: Path, name: str) -> Target:
    """The connection, and the profiles.yml in which dbt finds it."""
    options = {"type": "duckdb", "path": str(_warehouse(folder)), "schema": _SCHEMA, "threads": 2}
    write_atomically(
        folder / "profiles.yml",
        json.dumps({_PROFILE: {"target": name, "outputs": {name: options}}}),
    )
    return Target(_PROFILE, name, "duckdb", _SCHEMA, folder, options)


def _schemas(databases: Sequence[SuiteDatabase]) -> dict[str, str]:
    """A schema name per database, alphanumeric and unique ignoring case."""
    schemas: dict[str, str] = {}
    taken = {_SCHEMA, _ARTIFACTS, "information_schema", "pg_catalog", "temp", "system"}
    for database in databases:
        plain = re.sub(r"\W", "_", database.name)
        schema, number = plain, 1
        while schema.lower() in taken:
            number += 1
            schema = f"{plain}_{number}"
        taken.add(schema.lower())
        schemas[database.name] = schema
    return schemas


def _digest_of_rows(databases: Sequence[SuiteDatabase], schemas: Mapping[str, str]) -> str:
    digest = hashlib.sha256(f"{_FORMAT}".encode())
    for database in databases:
        described = []
        for table in database.tables:
            columns = [(column.path, column.description) for column in table.columns]
            described.append((table.ref.name, table.description, columns))
        digest.update(json.dumps([schemas[database.name], described]).encode())
        if database.rows is not None:
            with database.rows.open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()


def _load(path: Path, databases: Sequence[SuiteDatabase], schemas: Mapping[str, str]) -> None:
    """Build beside the target path, then move."""
    unfinished = path.with_suffix(".building")
    unfinished.unlink(missing_ok=True)
    try:
        with duckdb.connect(
            str(unfinished), config={"default_block_size": _BLOCK_BYTES}
        ) as connection:
            for database in databases:
                connection.begin()
                copy_database(connection, database, schemas[database.name])
                connection.commit()
        unfinished.replace(path)
    except (duckdb.IOException, duckdb.FatalException) as error:
        reason = str(error).splitlines()[0]
        raise WarehouseError(
            f"cannot write {path}: {reason}", hint="make room, or set `state_dir`"
        ) from error
    finally:
        unfinished.unlink(missing_ok=True)


def _databases(
    target: Target, databases: Sequence[SuiteDatabase], schemas: Mapping[str, str]
) -> list[MergedDatabase]:
    warehouse = open_warehouse(target)
    try:
        catalog = read_catalog(Artifacts(warehouse, _ARTIFACTS))
    finally:
        warehouse.close()
    return [_database(database, schemas[database.name], catalog) for database in databases]


def _database(database: SuiteDatabase, schema: str, catalog: Catalog) -> MergedDatabase:
    """One schema of the warehouse, with the way to it from the suite's own tables."""
    tables = tuple(table for table in catalog.tables if table.ref.schema == schema)
    physical = sum(len(table.family.members) if table.family else 1 for table in tables)
    found = from_catalog(database.name, database.dialect, Catalog(tables, physical))
    by_name = {ref.name.lower(): logical for ref, logical in found.logical.items()}
    logical = {
        table.ref: by_name[table.ref.name.lower()]
        for table in database.tables
        if table.ref.name.lower() in by_name
    }
    return replace(found, logical=logical)

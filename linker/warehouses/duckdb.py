"""
DuckDB: a file opened read-only without external access, its SQL rules, lock detection, and a
fingerprint of its content.

A file has one writer or several readers. Each checkpoint rewrites one of two headers with a
counter; later commits are in a WAL file. So equal headers without a WAL mean equal content.
https://duckdb.org/docs/stable/internals/storage
"""

import hashlib
import os
import re
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from linker.config.target import Target
from linker.errors import WarehouseError, first_line
from linker.text.escaping import quoted
from linker.warehouses.base import (
    USUAL,
    Bounds,
    FileLockedError,
    Row,
    listed_relations,
    refused_statement,
)
from linker.warehouses.base.dialect import (
    FUNCTIONS,
    DatabaseFile,
    Dialect,
    KnownFailure,
    ProbeFunctions,
    QuerySession,
    Refusals,
    dialect_sql,
    hints,
)

if TYPE_CHECKING:
    import duckdb

# https://duckdb.org/docs/stable/connect/concurrency
_HOLDER = re.compile(r"held in (?P<program>.+?) \(PID (?P<number>\d+)\)")
_PAUSE_SECONDS = 0.5
_HEADER_BYTES = 3 * 4096

# https://duckdb.org/docs/stable/operations_manual/securing_duckdb/overview; no progress bar.
_SESSION = (
    "set enable_progress_bar = false",
    "set enable_external_access = false",
    "set lock_configuration = true",
)
# Each thread needs memory.
_MAX_THREADS = 4
# Macros in the file may shadow functions and syntax: `row` for `(a, b)`.
_SEARCH_PATH = dialect_sql("duckdb_search_path")
_REFUSED = "DuckDB refused a statement: "
_NO_COLUMN = re.compile(
    r"Referenced column .* not found|does not have a column named|Could not find key"
)


def holder(message: str) -> str | None:
    """The process that holds the lock, parsed from DuckDB's message."""
    if "lock" not in message.lower():
        return None
    match = _HOLDER.search(message)
    return f"{match['program']} (PID {match['number']})" if match else "unknown process"


def wait_until_free(path: Path, seconds: float, on_wait: Callable[[str], None]) -> None:
    """Wait until the file is writable; `on_wait` is called once."""
    import duckdb

    deadline = time.monotonic() + seconds
    is_announced = False
    # Opening a missing file would create it.
    while path.is_file():
        try:
            duckdb.connect(str(path)).close()
        except duckdb.Error as error:
            name = holder(str(error)) if isinstance(error, duckdb.IOException) else None
            if name is None:
                # dbt reports the same error.
                return
            if time.monotonic() >= deadline:
                raise FileLockedError(name) from None
            if not is_announced:
                on_wait(name)
                is_announced = True
            time.sleep(_PAUSE_SECONDS)
        else:
            return


def file_stamp(path: Path) -> str | None:
    """Stamp of a checkpointed file; None with a WAL."""
    if path.with_name(path.name + ".wal").exists():
        return None
    with suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            header, status = os.read(descriptor, _HEADER_BYTES), os.fstat(descriptor)
        finally:
            os.close(descriptor)
        return f"{hashlib.sha256(header).hexdigest()} {status.st_size} {status.st_mtime_ns}"
    return None


def _path(options: Mapping[str, Any]) -> Path:
    return Path(str(options.get("path", "")))


FILE = DatabaseFile(path=_path, stamp=file_stamp, wait_until_free=wait_until_free)


class DuckDBWarehouse:
    """A read-only session in a file."""

    dialect = "duckdb"
    bytes_read = None

    def __init__(self, connection: "duckdb.DuckDBPyConnection") -> None:
        self._connection = connection

    def query(
        self, sql: str, parameters: Sequence[object] = (), bounds: Bounds = USUAL
    ) -> list[Row]:
        import duckdb

        try:
            statements = self._connection.extract_statements(sql)
            # Read-only DuckDB still permits temporary tables, attached files and variables. Dynamic
            # pivots consist of several statements.
            types = duckdb.StatementType
            kinds = (types.SELECT, types.MULTI, types.EXPLAIN)
            if len(statements) != 1 or statements[0].type not in kinds:
                raise WarehouseError(
                    "DuckDB was given something else than one statement that reads",
                    hint="write one `select`",
                )
            result = self._connection.execute(statements[0], list(parameters))
            return result.fetchall() if bounds.rows is None else result.fetchmany(bounds.rows)
        except duckdb.OutOfMemoryException as error:
            raise MemoryError from error
        except duckdb.Error as error:
            raise refused_statement(
                "DuckDB", first_line(error), is_missing=_is_missing(error)
            ) from error

    def relations(self, schema: str) -> Mapping[str, str]:
        return listed_relations(
            self, schema, condition="and table_catalog not in ('system', 'temp')"
        )

    def close(self) -> None:
        """Close, so that a writer can open the file."""
        self._connection.close()


def _is_missing(error: "duckdb.Error") -> bool:
    """Recognise missing columns by message; they have no exception class."""
    import duckdb

    if isinstance(error, duckdb.CatalogException):
        return "Table with name" in str(error)
    return isinstance(error, duckdb.BinderException) and _NO_COLUMN.search(str(error)) is not None


def open_target(target: Target) -> DuckDBWarehouse:
    import duckdb

    path = FILE.path(target.options)
    if not path.is_file():
        hint = (
            "linker demo, or `linker init` for a warehouse of your own"
            if target.name == "demo"
            else f"check `path` of target `{target.name}` in profiles.yml"
        )
        raise WarehouseError(f"there is no DuckDB file at {path}", hint=hint)
    try:
        connection = duckdb.connect(str(path), read_only=True, config=_limits(target))
        _find_own_functions_first(connection)
        for dialect_sql in _SESSION:
            connection.execute(dialect_sql)
        return DuckDBWarehouse(connection)
    except duckdb.Error as error:
        if isinstance(error, duckdb.IOException) and (who := holder(str(error))):
            raise WarehouseError(
                f"{path} is open for writing in another process: {who}",
                hint="try again when that has ended",
            ) from error
        raise WarehouseError(
            f"{path} cannot be opened: {first_line(error)}", hint="is it a DuckDB file?"
        ) from error


def _limits(target: Target) -> dict[str, str | bool | int | float | list[str]]:
    """
    Statement limits: no spilling to disk, and a memory reserve for what DuckDB does not count.
    """
    return {
        "memory_limit": f"{target.session_memory_mb * 3 // 4}MB",
        "threads": str(min(_MAX_THREADS, os.cpu_count() or 1)),
        "temp_directory": "",
    }


def _find_own_functions_first(connection: "duckdb.DuckDBPyConnection") -> None:
    """Resolve built-in functions before macros of the same name."""
    connection.execute("set search_path = 'system.main'")
    [[path]] = connection.execute(_SEARCH_PATH).fetchall()
    connection.execute("set search_path = $path", {"path": path})


def find_broken_views(warehouse: QuerySession) -> list[tuple[str, str, str]]:
    """Views that DuckDB cannot plan, with the error; reads no rows."""
    views = warehouse.query(dialect_sql("duckdb_views"))
    broken: list[tuple[str, str, str]] = []
    for schema, name in views:
        try:
            warehouse.query(f"select * from {quoted(schema)}.{quoted(name)} limit 0")  # noqa: S608 - quoted names
        except WarehouseError as error:
            broken.append((schema, name, error.what.removeprefix(_REFUSED)))
    return broken


DIALECT = Dialect(
    name="duckdb",
    change_source="digest of rows",
    # DuckDB before 2.0.
    may_wait_forever=True,
    probe_functions=ProbeFunctions(FUNCTIONS / "duckdb.yml", namespaces=None),
    refusals=Refusals(FUNCTIONS / "duckdb.yml", schemas=None),
    pseudo_columns=frozenset({"rowid", "filename"}),
    probed_pseudo_columns=frozenset({"rowid"}),
    explains=True,
    samples_queries=True,
    sql_hints=hints("duckdb"),
    file=FILE,
    find_broken_views=find_broken_views,
    failures=(
        KnownFailure(
            pattern=r"could not set lock on file",
            what="another process has the DuckDB file open",
            hint="run it again when that has ended",
        ),
    ),
)

"""DuckDB: a file opened read-only, with no way out of it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Timer

import duckdb

from linker.errors import WarehouseError
from linker.file_lock import holder
from linker.targets import Target
from linker.warehouses.base import USUAL, Bounds, Row, first_line, in_double_quotes, refused_statement
from linker.warehouses.read_only import only_reading

# https://duckdb.org/docs/stable/operations_manual/securing_duckdb/overview
_LOCKED_DOWN = {"enable_external_access": "false", "lock_configuration": "true"}
_READING = ([duckdb.StatementType.SELECT], [duckdb.StatementType.EXPLAIN])
_NO_COLUMN = re.compile(r"Referenced column .* not found|does not have a column named|Could not find key")
_EXPLAIN = re.compile(r"\s*explain\s+(analyze\s+)?", re.IGNORECASE)
_RELATIONS = """
    select table_schema, table_name
    from information_schema.tables
    where table_catalog = current_database() and lower(table_schema) = lower(?)
"""


class DuckDBWarehouse:
    """A read-only session in one DuckDB file."""

    dialect = "duckdb"
    bytes_read = None

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    def query(self, sql: str, parameters: Sequence[object] = (), bounds: Bounds = USUAL) -> list[Row]:
        """Run one statement that reads, or explain one."""
        explain = _EXPLAIN.match(sql)
        start = explain.end() if explain else 0
        text = sql[:start] + only_reading(sql[start:], self.dialect, len(parameters))
        try:
            statements = self._connection.extract_statements(text)
            # Read-only DuckDB still lets in what changes the session: temporary tables, attached files, variables.
            if [statement.type for statement in statements] not in _READING:
                raise WarehouseError(
                    "DuckDB was given something else than one statement that reads", hint="write one `select`"
                )
            with self._interrupted_after(bounds.seconds):
                result = self._connection.execute(statements[0], list(parameters))
                return result.fetchall() if bounds.rows is None else result.fetchmany(bounds.rows)
        except duckdb.InterruptException as error:
            raise WarehouseError(
                f"a statement took longer than {bounds.seconds} seconds", hint="ask for less at once"
            ) from error
        except duckdb.Error as error:
            raise refused_statement("DuckDB", first_line(error), is_missing=_is_missing(error)) from error

    @contextmanager
    def _interrupted_after(self, seconds: float) -> Iterator[None]:
        """DuckDB has no time limit of its own."""
        timer = Timer(seconds, self._connection.interrupt)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()

    def relations(self, schema: str) -> Mapping[str, str]:
        """The tables and views of a schema."""
        return in_double_quotes(((owner, name) for owner, name in self.query(_RELATIONS, (schema,))), schema)

    def close(self) -> None:
        """End the session, so that a writer may open the file."""
        self._connection.close()


def _is_missing(error: duckdb.Error) -> bool:
    """Whether a table or column is not there; a column has no class of its own, only these words."""
    if isinstance(error, duckdb.CatalogException):
        return "Table with name" in str(error)
    return isinstance(error, duckdb.BinderException) and _NO_COLUMN.search(str(error)) is not None


def open_target(target: Target) -> DuckDBWarehouse:
    """Open the file of the target."""
    path = Path(str(target.options.get("path", "")))
    if not path.is_file():
        hint = "linker demo" if target.name == "demo" else f"check `path` of target `{target.name}` in profiles.yml"
        raise WarehouseError(f"there is no DuckDB file at {path}", hint=hint)
    try:
        return DuckDBWarehouse(duckdb.connect(str(path), read_only=True, config=dict(_LOCKED_DOWN)))
    except duckdb.Error as error:
        if isinstance(error, duckdb.IOException) and (who := holder(str(error))):
            raise WarehouseError(
                f"{path} is open for writing in another process: {who}", hint="try again when that has ended"
            ) from error
        raise WarehouseError(f"{path} cannot be opened: {first_line(error)}", hint="is it a DuckDB file?") from error

"""Postgres: a session whose transactions are read-only, with the options that dbt-postgres takes."""

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from itertools import islice
from typing import Any, cast

import psycopg
from psycopg import errors
from psycopg.sql import SQL, Identifier

from linker.errors import WarehouseError
from linker.targets import Target
from linker.warehouses.base import (
    SIGNATURE,
    TIMEOUT_SECONDS,
    USUAL,
    Bounds,
    Row,
    first_line,
    in_double_quotes,
    refused_statement,
)
from linker.warehouses.read_only import only_reading

# https://www.postgresql.org/docs/current/libpq-connect.html; dbt-postgres passes the same ones on.
_PASSED_ON = (
    *("host", "port", "user", "connect_timeout", "sslmode", "sslcert", "sslkey", "sslrootcert"),
    *("keepalives", "keepalives_idle", "keepalives_interval", "keepalives_count"),
)
# 42P01, 42703 and 3F000.
_MISSING = (errors.UndefinedTable, errors.UndefinedColumn, errors.InvalidSchemaName)
_LOCK_TIMEOUT_SECONDS = 5
_SESSION = (
    "set session characteristics as transaction read only",
    f"set statement_timeout = '{TIMEOUT_SECONDS}s'",
    # Who only looks waits for nobody, and leaves nothing open.
    f"set lock_timeout = '{_LOCK_TIMEOUT_SECONDS}s'",
    f"set idle_in_transaction_session_timeout = '{TIMEOUT_SECONDS}s'",
    # The guard reads `'\'` as a whole text, and so must the server.
    "set standard_conforming_strings = on",
)
_RELATIONS = """
    select table_schema, table_name
    from information_schema.tables
    where lower(table_schema) = lower(?)
"""


class PostgresWarehouse:
    """A read-only session in one database."""

    dialect = "postgres"
    bytes_read = None

    def __init__(self, connection: "psycopg.Connection[Row]") -> None:
        self._connection = connection

    def query(self, sql: str, parameters: Sequence[object] = (), bounds: Bounds = USUAL) -> list[Row]:
        """Run one statement that reads."""
        text = f"{only_reading(sql, self.dialect, len(parameters))} {SIGNATURE}"
        try:
            # Raw cursors take the server's own `$1`, so that neither `%` nor `?` in the statement has to be escaped.
            with psycopg.RawCursor(self._connection) as cursor, self._within(bounds):
                # Without parameters `execute` takes the simple protocol, which runs several statements at once.
                streamed = cast("Generator[Row, None, None]", cursor.stream(text.encode(), list(parameters) or None))
                with closing(streamed) as rows:
                    return list(islice(rows, bounds.rows))
        except psycopg.Error as error:
            is_missing = isinstance(error, _MISSING)
            raise refused_statement("Postgres", first_line(error), is_missing=is_missing) from error

    @contextmanager
    def _within(self, bounds: Bounds) -> Iterator[None]:
        """The time limit of one statement, where it is not that of the session."""
        if bounds.seconds == TIMEOUT_SECONDS:
            yield
            return
        self._connection.execute(f"set statement_timeout = '{bounds.seconds}s'".encode())
        try:
            yield
        finally:
            self._connection.execute(f"set statement_timeout = '{TIMEOUT_SECONDS}s'".encode())

    def relations(self, schema: str) -> Mapping[str, str]:
        """The tables and views of a schema that the user may see."""
        return in_double_quotes(((owner, name) for owner, name in self.query(_RELATIONS, (schema,))), schema)

    def close(self) -> None:
        """End the session."""
        self._connection.close()


def open_target(target: Target) -> PostgresWarehouse:
    """Connect to the database of the target."""
    try:
        # A pooler may give each statement another session, which then knows no prepared ones.
        connection = psycopg.connect(**connection_options(target), autocommit=True, prepare_threshold=None)
        try:
            _make_ready(connection, target.options.get("role"))
        except psycopg.Error:
            connection.close()
            raise
    except psycopg.Error as error:
        raise WarehouseError(
            f"Postgres of target `{target.name}` cannot be opened: {first_line(error)}",
            hint=f"check target `{target.name}` in profiles.yml; `dbt debug` connects with it too",
        ) from error
    return PostgresWarehouse(connection)


def _make_ready(connection: "psycopg.Connection[Row]", role: object) -> None:
    for statement in _SESSION:
        connection.execute(statement.encode())
    if role:
        connection.execute(SQL("set role {}").format(Identifier(str(role))))


def connection_options(target: Target) -> dict[str, Any]:
    """What libpq is told; an empty option is one that is not set."""
    options = {key: value for key, value in target.options.items() if value not in (None, "", 0)}
    told = {key: options[key] for key in _PASSED_ON if key in options}
    told["dbname"] = options.get("dbname") or options.get("database")
    told["password"] = options.get("password") or options.get("pass")
    told["application_name"] = options.get("application_name", "dbt-linker")
    told.setdefault("connect_timeout", 10)
    if path := options.get("search_path"):
        told["options"] = "-c search_path=" + str(path).replace(" ", "\\ ")
    return told

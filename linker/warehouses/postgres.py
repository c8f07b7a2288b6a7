"""
PostgreSQL: read-only transactions, with the options of dbt-postgres, and its SQL rules.

The driver is imported on connecting.
"""

import re
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

from linker.config.target import Target
from linker.errors import WarehouseError, first_line
from linker.warehouses.base import (
    SIGNATURE,
    TIMEOUT_SECONDS,
    USUAL,
    Bounds,
    Row,
    listed_relations,
    refused_statement,
    too_slow,
)
from linker.warehouses.base.dialect import (
    FUNCTIONS,
    Dialect,
    HistoryPlace,
    ProbeFunctions,
    QueryHistory,
    Refusals,
    dialect_sql,
    hints,
)

if TYPE_CHECKING:
    import psycopg

# https://www.postgresql.org/docs/current/libpq-connect.html; as in dbt-postgres.
_PASSED_ON = (
    "host",
    "port",
    "user",
    "connect_timeout",
    "sslmode",
    "sslcert",
    "sslkey",
    "sslrootcert",
    "keepalives",
    "keepalives_idle",
    "keepalives_interval",
    "keepalives_count",
)
# Unknown table, column or schema: https://www.postgresql.org/docs/current/errcodes-appendix.html
_MISSING = ("42P01", "42703", "3F000")
_LOCK_TIMEOUT_SECONDS = 5
# information_schema lacks materialized views, and lists schemas without USAGE.
_RELATIONS = dialect_sql("postgres_relations")
_SESSION = (
    "set session characteristics as transaction read only",
    f"set statement_timeout = '{TIMEOUT_SECONDS}s'",
    # Readers never wait for locks, and leave no transaction open.
    f"set lock_timeout = '{_LOCK_TIMEOUT_SECONDS}s'",
    f"set idle_in_transaction_session_timeout = '{TIMEOUT_SECONDS}s'",
    # The guard assumes standard strings, as in `'\'`.
    "set standard_conforming_strings = on",
)
# Detect disconnected clients; unsupported before version 14 and on some systems.
_NOTICES_THE_DEAD = "select set_config('client_connection_check_interval', '500ms', false)"


class PostgresWarehouse:
    """A read-only session in a database."""

    dialect = "postgres"
    bytes_read = None

    def __init__(self, connection: "psycopg.Connection[Row]") -> None:
        self._connection = connection

    def query(
        self, sql: str, parameters: Sequence[object] = (), bounds: Bounds = USUAL
    ) -> list[Row]:
        import psycopg

        text = f"{sql} {SIGNATURE}"
        try:
            # Raw cursors use `$1`, so `%` and `?` need no escaping.
            with psycopg.RawCursor(self._connection) as cursor, self._within(bounds):
                # Without parameters psycopg uses the simple protocol, which allows several
                # statements.
                streamed = cast(
                    "Generator[Row, None, None]",
                    cursor.stream(text.encode(), list(parameters) or None),
                )
                with closing(streamed) as rows:
                    return list(islice(rows, bounds.rows))
        except psycopg.errors.QueryCanceled as error:
            raise too_slow(bounds.seconds) from error
        except psycopg.Error as error:
            is_missing = error.sqlstate in _MISSING
            raise refused_statement("Postgres", first_line(error), is_missing=is_missing) from error

    @contextmanager
    def _within(self, bounds: Bounds) -> Iterator[None]:
        """Apply a statement timeout that differs from the session's."""
        if bounds.seconds == TIMEOUT_SECONDS:
            yield
            return
        self._connection.execute(f"set statement_timeout = '{bounds.seconds}s'".encode())
        try:
            yield
        finally:
            self._connection.execute(f"set statement_timeout = '{TIMEOUT_SECONDS}s'".encode())

    def relations(self, schema: str) -> Mapping[str, str]:
        """Those that the user may read."""
        return listed_relations(self, schema, listing=_RELATIONS)

    def close(self) -> None:
        self._connection.close()


def open_target(target: Target) -> PostgresWarehouse:
    import psycopg

    try:
        # Poolers may switch sessions, which lose prepared statements.
        connection = psycopg.connect(
            **connection_options(target), autocommit=True, prepare_threshold=None
        )
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
    from psycopg import Error
    from psycopg.sql import SQL, Identifier

    for setting in _SESSION:
        connection.execute(setting.encode())
    with suppress(Error):
        connection.execute(_NOTICES_THE_DEAD)
    if role:
        connection.execute(SQL("set role {}").format(Identifier(str(role))))


def connection_options(target: Target) -> dict[str, Any]:
    """Options of libpq; empty ones are omitted."""
    options = {key: value for key, value in target.options.items() if value not in (None, "", 0)}
    passed = {key: options[key] for key in _PASSED_ON if key in options}
    passed["dbname"] = options.get("dbname") or options.get("database")
    passed["password"] = options.get("password") or options.get("pass")
    passed["application_name"] = options.get("application_name", "dbt-linker")
    passed.setdefault("connect_timeout", 10)
    if path := options.get("search_path"):
        passed["options"] = "-c search_path=" + str(path).replace(" ", "\\ ")
    return passed


# The history shows literals as `$1`, even where SQL allows none: `date $1`, `extract($1 from day)`.
_LITERAL = re.compile(r"(?<![\w$\"])\$\d+")
DIALECT = Dialect(
    name="postgres",
    change_source="counters of writes",
    patience_seconds=0.5,
    unquoted_case="lower",
    explains=True,
    probe_functions=ProbeFunctions(
        FUNCTIONS / "postgres.yml", namespaces=frozenset({"pg_catalog"}), home="pg_catalog"
    ),
    refusals=Refusals(FUNCTIONS / "postgres.yml", frozenset({"pg_catalog"})),
    has_numbered_parameters=True,
    pseudo_columns=frozenset({"ctid", "tableoid", "xmin", "xmax"}),
    may_call_behind_dots=True,
    has_bare_units=False,
    # https://www.postgresql.org/docs/current/queries-order.html
    sorts_by_whole_aliases=True,
    sql_hints=hints("postgres"),
    # dbt creates the schema and tables. https://www.postgresql.org/docs/current/ddl-priv.html
    lacking_right=dialect_sql("postgres_lacking_right"),
    # https://www.postgresql.org/docs/current/pgstatstatements.html; it has no times. Statements of
    # other roles need membership in pg_read_all_stats.
    history=QueryHistory(
        dialect_sql("postgres_history"),
        place=HistoryPlace(
            dialect_sql("postgres_history_place"),
            name="extension",
            usual="public",
            missing=(
                "this database does not keep its queries: the extension pg_stat_statements is "
                "missing"
            ),
            hint=(
                "create extension pg_stat_statements, with shared_preload_libraries set; or give a "
                "file of SQL"
            ),
        ),
        readable=lambda text: _LITERAL.sub("'1'", text),
    ),
)

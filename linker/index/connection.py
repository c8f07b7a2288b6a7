"""
Connects to the store and migrates its schema.

Error messages never contain the URL, which may hold a password.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from threading import Lock

import psycopg
from pgvector.psycopg import register_vector
from psycopg import errors
from psycopg.conninfo import conninfo_to_dict

from linker.errors import StoreError, first_line
from linker.index.embedded import EmbeddedPostgres, start_postgres

# Corrupted pages, indexes or files.
_DAMAGE = (errors.DataCorrupted, errors.IndexCorrupted, errors.UndefinedFile)


def open_connection(url: str, server: EmbeddedPostgres | None) -> psycopg.Connection:
    """Connect and migrate the schema."""
    _refuse_malformed(url)
    try:
        connection = psycopg.connect(url, autocommit=True, application_name="dbt-linker")
    except psycopg.Error as error:
        reason = first_line(error)
        hint = server.hint(reason) if server else "check LINKER_STORE_URL"
        raise StoreError(f"cannot connect to the store: {reason}", hint=hint) from None
    try:
        # Compiling a search takes longer than running it.
        connection.execute("set jit = off")
        migrate(connection, server)
        register_vector(connection)
    except psycopg.Error as error:
        connection.close()
        raise _setup_error(error, server) from None
    except StoreError:
        connection.close()
        raise
    return connection


class StoreConnections:
    """A connection pool without a fixed size: one per concurrent user."""

    def __init__(self, url: str, server: EmbeddedPostgres | None) -> None:
        """Open the first connection and create the schema."""
        self.url, self.server = url, server
        self._lock = Lock()
        self._is_closed = False
        # Last in, first out: the most recent one has prepared statements.
        self._idle = [open_connection(url, server)]

    @contextmanager
    def borrowed(self) -> Iterator[psycopg.Connection]:
        """A connection for exclusive use."""
        with self._lock:
            idle = self._idle.pop() if self._idle else None
        connection = idle or open_connection(self.url, self.server)
        try:
            yield connection
        finally:
            with self._lock:
                is_kept = not (connection.closed or self._is_closed)
                if is_kept:
                    self._idle.append(connection)
            if not is_kept:
                connection.close()

    def renew(self, lost_server: EmbeddedPostgres | None) -> None:
        """Close idle connections after one failed; restart a killed embedded server."""
        with self._lock:
            while self._idle:
                self._idle.pop().close()
            if lost_server and lost_server is self.server:
                # Joins the server if it runs.
                lost_server.stop()
                self.server = start_postgres(lost_server.folder)

    def close(self) -> None:
        """
        Close; borrowed connections close on return. The embedded server stops with its last user.
        """
        with self._lock:
            self._is_closed = True
            while self._idle:
                self._idle.pop().close()
            if self.server:
                self.server.stop()


def _setup_error(error: psycopg.Error, server: EmbeddedPostgres | None) -> StoreError:
    if isinstance(error, (psycopg.OperationalError, *_DAMAGE)):
        return store_error(error, server)
    return StoreError(
        f"the store cannot be set up: {first_line(error)}",
        hint=(
            "pgvector must be installed on the server, and this user allowed to create an "
            "extension and a schema"
        ),
    )


def store_error(error: psycopg.Error, server: EmbeddedPostgres | None) -> StoreError:
    """A Postgres error with a hint."""
    # Other size limits have no error code.
    if isinstance(error, errors.DiskFull) or re.search(
        r"File too large|quota exceeded", str(error)
    ):
        return StoreError(
            "the disk of the store is full; existing data is kept",
            hint="make room and try again",
        )
    if isinstance(error, errors.ReadOnlySqlTransaction) or "Read-only file system" in str(error):
        return StoreError(
            "the store can only be read; existing data is kept",
            hint="make its disk writable, or set LINKER_STORE_URL to a server that takes writes",
        )
    if (
        isinstance(error, psycopg.OperationalError)
        and server
        and server.died_of_illegal_instruction
    ):
        return StoreError(
            "the embedded Postgres died loading pgvector: this processor lacks an instruction "
            "that it uses",
            hint="set LINKER_STORE_URL to a server with pgvector",
        )
    if isinstance(error, psycopg.OperationalError) and error.sqlstate is None:
        return StoreError(
            f"the connection to the store was lost: {first_line(error)}",
            hint="try again; or: linker doctor",
        )
    hint = "`linker doctor` checks every part"
    if server and isinstance(error, _DAMAGE):
        hint = server.hint(first_line(error))
    return StoreError(f"the store refused: {first_line(error)}", hint=hint)


def _refuse_malformed(url: str) -> None:
    """
    Reject URLs that libpq would quote in errors, or misread so that the password becomes the host.
    """
    try:
        parts = conninfo_to_dict(url)
    except psycopg.ProgrammingError:
        parts = {"host": "@"}
    if (
        "@" in str(parts.get("host", ""))
        or not str(parts.get("port", "0")).replace(",", "").isdigit()
    ):
        raise StoreError(
            "the URL of the store is not one that Postgres reads",
            hint="set LINKER_STORE_URL to postgresql://user:password@host:port/database, "
            "with %2F for / and %40 for @ in the password",
        )


# Arbitrary constant shared by all migrating processes.
MIGRATION_LOCK = 7_305_417_291


def migrate(connection: psycopg.Connection, server: EmbeddedPostgres | None) -> None:
    """Migrate in one transaction under a lock; read-only servers are left as they are."""
    migrations = _migrations()
    if _applied(connection) >= migrations.keys():
        return
    with connection.transaction():
        connection.execute("select pg_advisory_xact_lock(%s)", (MIGRATION_LOCK,))
        connection.execute("create schema if not exists linker")
        connection.execute("create table if not exists linker.migrations (name text primary key)")
        # Another process may have migrated meanwhile.
        applied = _applied(connection)
        if applied - migrations.keys():
            raise _other_layout(server)
        for name in sorted(migrations.keys() - applied):
            connection.execute(migrations[name])
            connection.execute("insert into linker.migrations (name) values (%s)", (name,))


def _other_layout(server: EmbeddedPostgres | None) -> StoreError:
    """The store has an unknown schema version; it can be rebuilt."""
    way_out = f"move {server.folder} away" if server else "drop its schema `linker`"
    return StoreError(
        "the store has the layout of another version of linker",
        hint=f"{way_out} and run: linker index",
    )


def _applied(connection: psycopg.Connection) -> set[str]:
    row = connection.execute("select to_regclass('linker.migrations') is not null").fetchone()
    if not row or not row[0]:
        return set()
    return {name for [name] in connection.execute("select name from linker.migrations")}


def _migrations() -> dict[str, bytes]:
    folder = resources.files("linker.index").joinpath("migrations")
    files = [file for file in folder.iterdir() if file.name.endswith(".sql")]
    return {file.name: file.read_bytes() for file in files}

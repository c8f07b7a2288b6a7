"""Applies the numbered migrations: safe to run twice, and from two processes at once."""

from importlib import resources

import psycopg

# Any constant will do; all processes that change the schema ask for the same one.
MIGRATION_LOCK = 7_305_417_291


def migrate(connection: psycopg.Connection) -> None:
    """Bring the schema up to date, in one transaction under a lock; a server that only reads needs none of it."""
    if _is_up_to_date(connection):
        return
    with connection.transaction():
        connection.execute("select pg_advisory_xact_lock(%s)", (MIGRATION_LOCK,))
        connection.execute("create schema if not exists linker")
        connection.execute("create table if not exists linker.migrations (name text primary key)")
        applied = {row[0] for row in connection.execute("select name from linker.migrations")}
        for name, sql in _migrations():
            if name not in applied:
                connection.execute(sql)
                connection.execute("insert into linker.migrations (name) values (%s)", (name,))


def _is_up_to_date(connection: psycopg.Connection) -> bool:
    row = connection.execute("select to_regclass('linker.migrations') is not null").fetchone()
    if not row or not row[0]:
        return False
    applied = {name for [name] in connection.execute("select name from linker.migrations")}
    return applied >= {name for name, _ in _migrations()}


def _migrations() -> list[tuple[str, bytes]]:
    folder = resources.files("linker.store").joinpath("migrations")
    return sorted((file.name, file.read_bytes()) for file in folder.iterdir() if file.name.endswith(".sql"))

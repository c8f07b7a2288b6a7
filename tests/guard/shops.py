"""The shop in a DuckDB file and in a Postgres server."""

import contextlib
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import duckdb
import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from linker.config.target import Target
from linker.index.embedded import start_postgres
from linker.warehouses import Warehouse, open_warehouse
from tests.guard.warehouse import statements


@contextlib.contextmanager
def duckdb_shop(folder: Path, more: Iterable[str] = ()) -> Iterator[Warehouse]:
    path = folder / "warehouse.duckdb"
    with duckdb.connect(str(path)) as connection:
        for statement in (*statements("duckdb"), *more):
            connection.execute(statement)
    yield open_warehouse(Target("p", "duckdb", "duckdb", "shop", folder, {"path": str(path)}))


@contextlib.contextmanager
def postgres_shop(more: Iterable[str] = ()) -> Iterator[Warehouse]:
    with tempfile.TemporaryDirectory(prefix="linker-state-") as folder:
        server = start_postgres(Path(folder) / "postgres")
        try:
            options = {**conninfo_to_dict(server.url), "dbname": "warehouse"}
            with psycopg.connect(server.url, autocommit=True) as connection:
                connection.execute("create database warehouse")
            with psycopg.connect(
                make_conninfo(server.url, dbname="warehouse"), autocommit=True
            ) as connection:
                for statement in (*statements("postgres"), *more):
                    connection.execute(statement.encode())
            yield open_warehouse(Target("p", "postgres", "postgres", "shop", Path(folder), options))
        finally:
            server.stop()

"""Query history of a real Postgres, or a message that it is missing."""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from linker.config.target import Target
from linker.errors import WarehouseError
from linker.index.embedded import EmbeddedPostgres
from linker.usage.sources import history_statement, read_history
from linker.warehouses import Warehouse, open_warehouse
from linker.warehouses.base import SIGNATURE

# What the statement reads of the extension, which few builds bring along.
STATEMENTS = """
    create schema "of queries";
    create table "of queries".pg_stat_statements as
    select pg_database.oid as dbid, told.query, told.calls::bigint as calls
    from pg_database
    cross join (values
        ('/* dbt */ select $1', 3), ('select $1 from t', 7), ('set threads = $1', 9), ('<insufficient privilege>', 9),
        ('/* {"app": "dbt", "node_id": "model.linker.linker_scans"} */ select $1 from t', 9),
        ('select $1 from t limit $2 /* dbt-linker */', 9)
    ) as told (query, calls)
    where pg_database.datname = current_database()
"""


@pytest.fixture
def target(embedded_server: EmbeddedPostgres) -> Target:
    parts = conninfo_to_dict(embedded_server.url)
    options = {name: parts.get(name) for name in ("host", "port", "user", "password", "dbname")}
    return Target("shop", "dev", "postgres", "public", Path(), options)


@pytest.fixture
def warehouse(target: Target) -> Iterator[Warehouse]:
    opened = open_warehouse(target)
    yield opened
    opened.close()


def test_a_database_without_the_extension_says_what_is_missing(
    target: Target, warehouse: Warehouse
) -> None:
    with pytest.raises(WarehouseError, match="pg_stat_statements"):
        read_history(target, warehouse)


def test_queries_of_others_come_with_how_often_they_ran_the_most_frequent_first(
    target: Target, warehouse: Warehouse, embedded_server: EmbeddedPostgres
) -> None:
    with psycopg.connect(embedded_server.url, autocommit=True) as connection:
        connection.execute(STATEMENTS)
        try:
            rows = warehouse.query(history_statement(target, schema="of queries"))
        finally:
            connection.execute('drop schema "of queries" cascade')
    assert rows == [("select $1 from t", 7, None), ("/* dbt */ select $1", 3, None)]


def test_what_linker_asks_is_signed(warehouse: Warehouse) -> None:
    asked = warehouse.query(
        "select query from pg_catalog.pg_stat_activity where query like '%of this test%'"
    )
    assert [text.endswith(SIGNATURE) for (text,) in asked] == [True]

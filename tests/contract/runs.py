"""Runs and states to write into a history."""

from datetime import UTC, datetime, timedelta

import psycopg
from msgspec.structs import replace

from linker.index import Store
from linker.types import ColumnState, Run, TableRef, TableState

NOON = datetime(2026, 11, 21, 12, 0, 0, 123_456, tzinfo=UTC)
ORDERS, RETURNS, PEOPLE = (TableRef("shop", name) for name in ("orders", "returns", "people"))


def ended(number: int, **other: object) -> Run:
    run = Run(number, "refresh", "done", NOON, NOON + timedelta(seconds=5))
    return replace(run, **other)


def state(row_count: int, *paths: str) -> TableState:
    return TableState(
        row_count, NOON, tuple(ColumnState(path, "integer", is_nullable=True) for path in paths)
    )


def run_with(store: Store, target: str, states: dict[TableRef, TableState] | None) -> int:
    number = store.history.begin(target, "refresh")
    store.history.end(target, ended(number), states)
    return number


def end_all_sessions(connection: psycopg.Connection) -> None:
    connection.execute(
        "select pg_terminate_backend(pid, 10000) from pg_stat_activity "
        "where application_name = 'dbt-linker' and pid <> pg_backend_pid()"
    )

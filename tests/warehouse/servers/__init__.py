"""Test servers of the consumer project by the name of the dbt target."""

import os
from contextlib import AbstractContextManager
from importlib import import_module
from pathlib import Path

from tests.warehouse.servers import accounts
from tests.warehouse.servers.base import WarehouseServer

__all__ = ["IS_SPARK_TESTED", "TARGETS", "WarehouseServer", "start"]

# Spark has an environment of its own, and `make test-spark` alone asks for it.
IS_SPARK_TESTED = bool(os.environ.get("TESTED_SPARK"))
TARGETS = ("duckdb", "postgres", "snowflake", "bigquery", *(["spark"] if IS_SPARK_TESTED else []))


def start(target: str, folder: Path) -> AbstractContextManager[WarehouseServer]:
    """Start the target's warehouse, or open its account; it writes into the folder."""
    if target == accounts.tested_account():
        return accounts.ACCOUNTS[target]()
    started: AbstractContextManager[WarehouseServer] = import_module(f"{__name__}.{target}").start(
        folder
    )
    return started

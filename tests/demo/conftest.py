"""The demo warehouse at its default size, built once."""

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from linker.demo.warehouse import build_warehouse


@pytest.fixture(scope="session")
def warehouse_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of the default demo warehouse."""
    path = tmp_path_factory.mktemp("demo") / "warehouse.duckdb"
    build_warehouse(path)
    return path


@pytest.fixture(scope="session")
def small_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of one with a twentieth of its rows."""
    path = tmp_path_factory.mktemp("small") / "warehouse.duckdb"
    build_warehouse(path, scale=0.05)
    return path


@pytest.fixture(scope="session")
def connection(warehouse_path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A read-only connection to it."""
    with duckdb.connect(str(warehouse_path), read_only=True) as opened:
        yield opened

"""A Spark of this machine with a part of Sakila, beside the same tables in DuckDB."""

import json
import os
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pytest
from msgspec import Struct

from linker.warehouses.spark import literal
from tests.expressions import Expressions, Row
from tests.refresh.shop import command
from tests.rendering import Rendering
from tests.warehouse.servers.spark import SparkServer, start

SAKILA = (Path(__file__).parent / "sakila.sql").read_text("utf-8")
SECONDS_TO_RUN = 3000


class Sakila(Struct, frozen=True):
    """The tables in both warehouses, and `linker` in a folder with a target for each."""

    folder: Path
    spark: SparkServer

    def execute(self, script: str) -> None:
        """Change both."""
        self.spark.execute(script)
        with duckdb.connect(str(self._file)) as connection:
            connection.execute(script)

    def rows(self, query: str) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]:
        """The rows of a query in Spark and in DuckDB."""
        with duckdb.connect(str(self._file), read_only=True) as connection:
            return self.spark.rows(query), connection.execute(query).fetchall()

    def run(self, target: str, *words: str) -> str:
        """`linker …` on a target; what it wrote to stdout."""
        done = subprocess.run(
            command(*words, "--target", target),
            env={**os.environ, "NO_COLOR": "1", "HOME": str(self.folder)},
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
            timeout=SECONDS_TO_RUN,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    @property
    def log(self) -> str:
        """What dbt wrote of its runs."""
        return (self.folder / ".linker" / "dbt" / "logs" / "dbt.log").read_text("utf-8")

    @property
    def _file(self) -> Path:
        return self.folder / "shop.duckdb"


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkServer]:
    """The server, without tables."""
    with start(tmp_path_factory.mktemp("spark")) as server:
        yield server


@pytest.fixture(scope="session")
def sakila(spark: SparkServer, tmp_path_factory: pytest.TempPathFactory) -> Sakila:
    """Both warehouses, which nobody has profiled yet."""
    folder = tmp_path_factory.mktemp("sakila")
    outputs: dict[str, dict[str, object]] = {
        "duckdb": {"type": "duckdb", "path": str(folder / "shop.duckdb")},
        "spark": {
            "type": "spark",
            "method": "thrift",
            "host": "127.0.0.1",
            "port": spark.port,
            "user": "tester",
            "poll_interval": 1,
            "server_side_parameters": {"spark.sql.shuffle.partitions": "2"},
        },
    }
    shared = {"schema": "sakila", "threads": 2}
    named = {name: output | shared for name, output in outputs.items()}
    profiles = {"shop": {"target": "spark", "outputs": named}}
    (folder / "profiles.yml").write_text(json.dumps(profiles), "utf-8")
    (folder / "linker.yml").write_text(f"profile: shop\nprofiles_dir: {folder}\n", "utf-8")
    made = Sakila(folder, spark)
    made.execute(SAKILA)
    return made


@pytest.fixture(scope="session")
def profiled(sakila: Sakila) -> Sakila:
    """Both warehouses after a refresh."""
    for target in ("duckdb", "spark"):
        sakila.run(target, "refresh")
    return sakila


@pytest.fixture(scope="session")
def expressions(rendering: Callable[[str], Rendering], spark: SparkServer) -> Expressions:
    """SQL expressions as dbt renders them, in Spark."""

    def fetch(query: str, samples: Sequence[Row]) -> list[Row]:
        rows = ", ".join(f"({', '.join(map(literal, sample))})" for sample in samples)
        named = f"select * from (values {rows}) as listed(place, value, hint, row_count)"
        return spark.rows(f"with samples as ({named}) {query}")

    return Expressions("spark", rendering("spark"), fetch)

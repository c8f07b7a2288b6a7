"""A project of somebody else, built as a whole over a fresh file: artifacts, where they lie, what the user is told."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import pytest
import yaml

from tests.refresh.shop import command
from tests.warehouse.project import HERE, run_dbt

LEFT_OUT = "left out: 1 model {}in other databases (lake); a target of their own would profile them"
MARTS = {"orders", "customers", "customers_by_size"}


@dataclass(frozen=True)
class Marts:
    """The project, and what its one build said."""

    folder: Path
    said: str

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """Look into the warehouse."""
        with duckdb.connect(str(self.folder / "marts.duckdb"), read_only=True) as connection:
            return connection.execute(query).fetchall()

    def linker(self, *words: str) -> "subprocess.CompletedProcess[str]":
        """`linker …` in the folder of the project."""
        variables = {name: value for name, value in os.environ.items() if not name.startswith("LINKER_")}
        variables |= {"HOME": str(self.folder), "MARTS_DUCKDB_PATH": str(self.folder / "marts.duckdb")}
        return subprocess.run(
            command(*words), env=variables, cwd=self.folder, capture_output=True, text=True, check=False
        )


@pytest.fixture(scope="module")
def marts(checkout: Path) -> Iterator[Marts]:
    """The project after one `dbt build` with one thread; not in pytest's own folder, for the user of the server."""
    with TemporaryDirectory(prefix="linker-marts-") as own:
        folder = Path(own) / "project"
        shutil.copytree(HERE / "marts", folder)
        (folder / "packages.yml").write_text(yaml.safe_dump({"packages": [{"local": str(checkout)}]}), "utf-8")
        path = str(folder / "marts.duckdb")
        run_dbt(folder, "deps", MARTS_DUCKDB_PATH=path)
        yield Marts(folder, run_dbt(folder, "build", MARTS_DUCKDB_PATH=path))


def test_one_build_with_one_thread_leaves_the_artifacts_of_all_models_of_the_project(marts: Marts) -> None:
    columns = {
        ("orders", "order_id", 40, 40),
        ("orders", "customer_id", 40, 7),
        ("customers", "customer_id", 7, 7),
        ("customers", "customer_name", 7, 7),
        ("customers_by_size", "customer_id", 7, 7),
        ("customers_by_size", "orders", 7, 2),
    }
    profiled = marts.rows(
        "select table_name, column_path, row_count, distinct_count from dbt_alice.linker_profile_l3 "
        "inner join dbt_alice.linker_profile_l2 using (schema_name, table_name, column_path)"
    )
    assert set(profiled) == columns
    assert {table for (table,) in marts.rows("select table_name from dbt_alice.linker_tables")} == MARTS
    assert marts.rows("select from_table, to_table from dbt_alice.linker_joins where from_table = 'orders'") == [
        ("orders", "customers")
    ]
    # Each table was read once, though the models of the artifacts were built twice.
    started = marts.rows("select table_name from dbt_alice.linker_attempts where event = 'started'")
    assert sorted(table for (table,) in started) == sorted(MARTS)


def test_at_its_end_the_user_is_told_what_comes_next(marts: Marts) -> None:
    assert "linker: profiled; next `linker index`" in marts.said


def test_models_that_lie_in_another_database_are_counted_by_the_build_and_by_linker(marts: Marts) -> None:
    assert f"linker: {LEFT_OUT.format('')}" in marts.said
    with duckdb.connect(str(marts.folder / "marts.duckdb.lake"), read_only=True) as lake:
        assert lake.execute("select count(*) from dbt_alice.archived_orders").fetchall() == [(40,)]


def test_artifacts_are_found_where_the_macro_of_the_project_put_them(marts: Marts) -> None:
    done = marts.linker("index", "--format", "json")
    assert done.returncode == 0, done.stderr
    assert "6 columns and 3 tables embedded" in done.stderr
    run = json.loads(done.stdout)
    assert (run["version"], run["number"], run["kind"], run["outcome"]) == (1, 1, "index", "done")
    assert (run["embedded"], run["removed"], run["errors"]) == (9, 0, [])
    status = json.loads(marts.linker("status", "--format", "json").stdout)
    assert status["artifacts_schema"] == "dbt_alice"
    assert LEFT_OUT.format("of your dbt project ") in status["unseen"]


def test_the_artifacts_pass_their_tests_and_what_is_broken_is_named(marts: Marts) -> None:
    path = str(marts.folder / "marts.duckdb")
    # The build ran them too.
    assert len(re.findall(r"PASS linker_is_sound_linker_\w+", marts.said)) == 11
    broken = marts.folder / "broken.duckdb"
    with duckdb.connect(path) as connection:
        connection.execute("checkpoint")
    shutil.copy(path, broken)
    with duckdb.connect(str(broken)) as connection:
        connection.execute(
            "update dbt_alice.linker_columns set table_name = 'gone' where table_name = 'orders' and position = 1;"
            " update dbt_alice.linker_plan set state = 'odd', reason = null"
        )
    # What dbt leaves of this run is not what the project's own runs left.
    words = ("test", "--select", "package:linker", "--target-path", "target/broken")
    with pytest.raises(AssertionError) as failed:
        run_dbt(marts.folder, *words, MARTS_DUCKDB_PATH=str(broken))
    found = re.findall(r"FAIL (\d) linker_is_sound_(linker_\w+)_ ", str(failed.value))
    assert sorted(found) == [("1", "linker_columns"), ("2", "linker_plan")]


def test_a_refresh_brings_the_artifacts_in_step_where_the_project_has_them(marts: Marts) -> None:
    with duckdb.connect(str(marts.folder / "marts.duckdb")) as connection:
        connection.execute("insert into dbt_alice.orders values (40, 3)")
    done = marts.linker("refresh")
    assert done.returncode == 0, done.stderr
    assert f"warning: {LEFT_OUT.format('of your dbt project ')}\n" in done.stderr
    # What the build itself wrote and scanned looks to a later run as it did then.
    assert ": 1 table scanned, 2 unchanged, " in done.stdout
    assert marts.rows("select distinct schema_name from duckdb_tables()") == [("dbt_alice",)]
    assert marts.rows("select max(row_count) from dbt_alice.linker_profile_l3 where table_name = 'orders'") == [(41,)]

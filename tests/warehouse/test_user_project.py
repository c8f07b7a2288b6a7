"""A user's dbt project built from nothing: profile tables, location, output."""

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
from tests.warehouse.project import HERE, run_dbt, try_dbt

LEFT_OUT = (
    "not profiled: lake.dbt_alice.archived_orders, in another database than target `dev`; "
    "add a target with that database to profiles.yml and run: linker refresh --target NAME"
)
MARTS = {"orders", "customers", "customers_by_size"}


@dataclass(frozen=True)
class Marts:
    """The project, the output of its build, and the result of the package's run after it."""

    folder: Path
    built: str
    said: str

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """Look into the warehouse."""
        with duckdb.connect(str(self.folder / "marts.duckdb"), read_only=True) as connection:
            return connection.execute(query).fetchall()

    def linker(self, *words: str) -> "subprocess.CompletedProcess[str]":
        """`linker …` in the folder of the project."""
        variables = {
            name: value for name, value in os.environ.items() if not name.startswith("LINKER_")
        }
        variables |= {
            "HOME": str(self.folder),
            "MARTS_DUCKDB_PATH": str(self.folder / "marts.duckdb"),
        }
        return subprocess.run(
            command(*words),
            env=variables,
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture(scope="module")
def marts(checkout: Path) -> Iterator[Marts]:
    """The project after `dbt build` and a package run, outside pytest's folder."""
    with TemporaryDirectory(prefix="linker-marts-") as own:
        folder = Path(own) / "project"
        shutil.copytree(HERE / "marts", folder)
        (folder / "packages.yml").write_text(
            yaml.safe_dump({"packages": [{"local": str(checkout)}]}), "utf-8"
        )
        path = str(folder / "marts.duckdb")
        run_dbt(folder, "deps", MARTS_DUCKDB_PATH=path)
        built = run_dbt(folder, "build", MARTS_DUCKDB_PATH=path)
        # The relations after the build alone, in the same schemas as after a run of the command.
        with duckdb.connect(path) as connection:
            connection.execute("checkpoint")
        shutil.copy(path, folder / "built.duckdb")
        yield Marts(
            folder,
            built,
            run_dbt(folder, "run", "--select", "package:linker", MARTS_DUCKDB_PATH=path),
        )


def test_a_build_of_the_project_leaves_the_profiles_as_they_are_and_says_so_in_one_line(
    marts: Marts,
) -> None:
    assert len(re.findall(r"PASS linker_is_sound_linker_\w+", marts.built)) == 11
    assert [
        line.partition("  ")[2] for line in marts.built.splitlines() if " linker: " in line
    ] == [
        "linker: profiles not updated in this run; next: dbt run --select package:linker, or linker refresh"
    ]
    with duckdb.connect(str(marts.folder / "built.duckdb"), read_only=True) as connection:
        tables = connection.execute(
            "select table_name from duckdb_tables() where schema_name = 'dbt_alice_linker'"
        )
        names = [name for (name,) in tables.fetchall()]
        rows = [
            connection.execute(f"select count(*) from dbt_alice_linker.{name}").fetchone()
            for name in names
        ]
    # They are there, so that what refers to them works, and empty.
    assert (len(names), set(rows)) == (17, {(0,)})


def test_a_run_of_the_package_leaves_the_artifacts_of_all_models_of_the_project(
    marts: Marts,
) -> None:
    columns = {
        ("orders", "order_id", 40, 40),
        ("orders", "customer_id", 40, 7),
        ("customers", "customer_id", 7, 7),
        ("customers", "customer_name", 7, 7),
        ("customers_by_size", "customer_id", 7, 7),
        ("customers_by_size", "orders", 7, 2),
    }
    profiled = marts.rows(
        "select table_name, column_path, row_count, distinct_count from dbt_alice_linker.linker_profile_l3 "
        "inner join dbt_alice_linker.linker_profile_l2 using (schema_name, table_name, column_path)"
        # The vars of the project leave `scratch` out.
        " where table_name <> 'scratch'"
    )
    assert set(profiled) == columns
    inventory = marts.rows("select table_name from dbt_alice_linker.linker_tables")
    assert {table for (table,) in inventory} == {*MARTS, "scratch"}
    assert marts.rows(
        "select from_table, to_table from dbt_alice_linker.linker_joins where from_table = 'orders'"
    ) == [("orders", "customers")]
    started = marts.rows(
        "select table_name from dbt_alice_linker.linker_attempts where event = 'started'"
    )
    assert sorted(table for (table,) in started) == sorted(MARTS)


def test_at_its_end_the_user_is_told_what_comes_next(marts: Marts) -> None:
    assert 'linker: profiled; next: linker index, then linker ask "…"' in marts.said


def test_models_that_lie_in_another_database_are_counted_by_the_run_of_the_package(
    marts: Marts,
) -> None:
    assert "linker: not profiled: 1 model in other databases (lake); add a target" in marts.said
    with duckdb.connect(str(marts.folder / "marts.duckdb.lake"), read_only=True) as lake:
        assert lake.execute("select count(*) from dbt_alice.archived_orders").fetchall() == [(40,)]


def test_artifacts_are_found_in_a_schema_of_their_own_whatever_the_macro_of_the_project_says(
    marts: Marts,
) -> None:
    done = marts.linker("index", "--format", "json")
    assert done.returncode == 0, done.stderr
    assert "7 columns and 4 tables embedded" in done.stderr
    run = json.loads(done.stdout)
    assert (run["version"], run["number"], run["kind"], run["outcome"]) == (1, 1, "index", "done")
    assert (run["embedded"], run["removed"], run["errors"]) == (11, 0, [])
    status = json.loads(marts.linker("status", "--format", "json").stdout)
    assert status["artifacts_schema"] == "dbt_alice_linker"
    assert LEFT_OUT in status["unseen"]


def test_the_artifacts_pass_their_tests_and_what_is_broken_is_named(marts: Marts) -> None:
    path = str(marts.folder / "marts.duckdb")
    tested = run_dbt(marts.folder, "test", "--select", "package:linker", MARTS_DUCKDB_PATH=path)
    assert len(re.findall(r"PASS linker_is_sound_linker_\w+", tested)) == 11
    broken = marts.folder / "broken.duckdb"
    with duckdb.connect(path) as connection:
        connection.execute("checkpoint")
    shutil.copy(path, broken)
    with duckdb.connect(str(broken)) as connection:
        connection.execute(
            "use dbt_alice_linker;"
            " update linker_columns set table_name = 'gone' where table_name = 'orders' and position = 1;"
            " update linker_plan set state = 'odd', reason = null"
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
    assert f"warning: {LEFT_OUT}\n" in done.stderr
    # What was scanned looks to a later run as it did then.
    assert ": 1 table scanned, 2 unchanged, " in done.stdout
    schemas = marts.rows("select distinct schema_name from duckdb_tables() order by schema_name")
    assert schemas == [("dbt_alice",), ("dbt_alice_linker",)]
    assert marts.rows(
        "select max(row_count) from dbt_alice_linker.linker_profile_l3 where table_name = 'orders'"
    ) == [(41,)]


def test_a_project_that_makes_tables_of_all_models_keeps_the_profiles_and_is_told_what_to_write(
    marts: Marts,
) -> None:
    folder, path = marts.folder.parent / "tables", str(marts.folder / "marts.duckdb")
    shutil.copytree(
        marts.folder,
        folder,
        symlinks=True,
        ignore=shutil.ignore_patterns("target", ".linker"),
    )
    project = yaml.safe_load((folder / "dbt_project.yml").read_text("utf-8"))
    project["models"] |= {"+materialized": "table"}
    (folder / "dbt_project.yml").write_text(yaml.safe_dump(project), "utf-8")
    places = ("linker_profile_l3", "linker_scans", "linker_tables")
    counted = " union all ".join(f"select count(*) from dbt_alice_linker.{name}" for name in places)
    before = marts.rows(counted)
    built = run_dbt(folder, "build", MARTS_DUCKDB_PATH=path)
    assert (
        "put it under the name of your project: `models: {marts: {+materialized: table}}`" in built
    )
    assert marts.rows(counted) == before
    assert before[0][0] > 0
    said, code = try_dbt(folder, "run", "--select", "package:linker", MARTS_DUCKDB_PATH=path)
    assert code == 1
    assert "dbt_project.yml sets `materialized` for the models of all packages" in said
    assert marts.rows(counted) == before

"""
Other dbt versions, each in its own environment.

`make test-slow` runs the newest on DuckDB, `make test-dbt-versions` all supported ones, on Postgres
too.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.refresh.shop import command
from tests.warehouse.project import HERE, SELECTED, Consumer, run_dbt, try_dbt
from tests.warehouse.servers import start

pytestmark = pytest.mark.slow

VERSIONS = os.environ.get("DBT_VERSIONS", "1.12").split()
WAREHOUSES = ("duckdb", "postgres") if "DBT_VERSIONS" in os.environ else ("duckdb",)
# What was worked out by hand of the inventory, of scans and of families.
EXPECTED = ("linker_tables", "linker_declared_columns", "linker_families")


@pytest.fixture(scope="module", params=VERSIONS)
def dbt(request: pytest.FixtureRequest, checkout: Path) -> str:
    """The executable."""
    found = checkout / f".venv-dbt-{request.param}" / "bin" / "dbt"
    assert found.exists(), f"{found} is missing; run: make .venv-dbt-{request.param}/.installed"
    return str(found)


@pytest.fixture(scope="module")
def folder(dbt: str, tmp_path_factory: pytest.TempPathFactory, checkout: Path) -> Path:
    """The consumer project with its packages."""
    made = tmp_path_factory.mktemp("versions") / "project"
    shutil.copytree(HERE / "consumer", made)
    (made / "packages.yml").write_text(
        yaml.safe_dump({"packages": [{"local": str(checkout)}]}), "utf-8"
    )
    run_dbt(made, "deps", executable=dbt)
    return made


@pytest.fixture(scope="module", params=WAREHOUSES)
def consumer(
    request: pytest.FixtureRequest, dbt: str, folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Consumer]:
    """The consumer project after this dbt ran its models and then the package."""
    with start(request.param, tmp_path_factory.mktemp(request.param)) as server:
        made = Consumer(folder, request.param, server, dbt)
        made.set_up()
        package, *models = SELECTED
        made.dbt("run", "--select", *models)
        made.dbt("run", "--select", package)
        yield made


def linker(consumer: Consumer, *words: str) -> "subprocess.CompletedProcess[str]":
    """`linker …` over that warehouse, which runs dbt by its executable."""
    variables = {
        name: value for name, value in os.environ.items() if not name.startswith("LINKER_")
    }
    variables |= {**consumer.server.environment, "LINKER_DBT": consumer.executable, "NO_COLOR": "1"}
    where = (
        "--profiles-dir",
        str(consumer.folder),
        "--profile",
        "consumer",
        "--target",
        consumer.target,
    )
    return subprocess.run(
        command(*words, *where, "--state-dir", str(consumer.folder / f"state-{consumer.target}")),
        env=variables,
        cwd=consumer.folder,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("artifact", EXPECTED)
def test_the_artifact_is_as_worked_out_by_hand(consumer: Consumer, artifact: str) -> None:
    columns, expected = consumer.expected(artifact)
    assert consumer.rows(artifact, columns) == expected


def test_the_artifacts_pass_their_tests(consumer: Consumer) -> None:
    tested = consumer.dbt("test", "--select", "package:linker")
    assert tested.count("PASS linker_is_sound_linker_") == 11


def test_a_run_of_the_project_leaves_the_profiles_and_says_so(consumer: Consumer) -> None:
    before = consumer.rows("linker_runs", ["run_id"])
    said = consumer.dbt("run", "--select", *SELECTED)
    assert (
        said.count(
            "linker: profiles not updated in this run; next: dbt run --select package:linker"
        )
        == 1
    )
    assert consumer.rows("linker_runs", ["run_id"]) == before


def test_linker_profiles_by_the_executable_and_then_finds_nothing_to_do(consumer: Consumer) -> None:
    planned = linker(consumer, "profile", "--plan")
    assert planned.returncode == 0, planned.stderr
    # dbt alone does not read view definitions, so the inputs of a view are unknown.
    assert "1 table to scan" in planned.stdout
    assert "shop.recent_orders" in planned.stdout
    done = linker(consumer, "profile", "--full")
    assert done.returncode == 0, done.stderr
    tables = sum(state != "left out" for [state] in consumer.rows("linker_plan", ["state"]))
    assert f"{tables} tables scanned, 0 unchanged" in done.stderr
    again = linker(consumer, "profile")
    assert "nothing changed" in again.stderr, again.stderr
    for artifact in EXPECTED:
        columns, expected = consumer.expected(artifact)
        assert consumer.rows(artifact, columns) == expected


def test_what_dbt_refuses_is_one_line(consumer: Consumer) -> None:
    refused = linker(consumer, "profile", "--select", "no_such_schema")
    assert refused.returncode == 2
    assert "error: no table matches `no_such_schema`" in refused.stderr


def test_parsing_warns_of_nothing_in_the_package(dbt: str, folder: Path) -> None:
    said = run_dbt(folder, "parse", "--no-partial-parse", "--show-all-deprecations", executable=dbt)
    named = [
        line for line in said.splitlines() if "linker" in line.lower() or "dbt_packages" in line
    ]
    assert named == []


def test_an_adapter_that_the_package_does_not_know_breaks_no_parsing(
    dbt: str, folder: Path, tmp_path: Path
) -> None:
    server = {
        "type": "trino",
        "host": "localhost",
        "port": 1,
        "user": "u",
        "database": "d",
        "schema": "s",
    }
    profiles = {"consumer": {"target": "dev", "outputs": {"dev": {**server, "threads": 1}}}}
    (tmp_path / "profiles.yml").write_text(yaml.safe_dump(profiles), "utf-8")
    where = ("--profiles-dir", str(tmp_path), "--target-path", str(tmp_path / "target"))
    run_dbt(folder, "parse", *where, executable=dbt)
    listed = run_dbt(folder, "--quiet", "ls", "--select", "hostile_texts", *where, executable=dbt)
    assert "consumer.hostile_texts" in listed.splitlines()


def test_where_a_view_fails_the_run_names_it_and_the_next_one_goes_on_behind_it(
    dbt: str, folder: Path
) -> None:
    path = folder / "broken.duckdb"
    where = {"executable": dbt, "CONSUMER_DUCKDB_PATH": str(path)}
    model = folder / "models" / "broken_view.sql"
    model.write_text(
        "{{ config(materialized='view') }} select error('no such luck') as a from range(3)", "utf-8"
    )
    try:
        run_dbt(folder, "run", "--select", "hostile_texts", "broken_view", **where)
    finally:
        model.unlink()
    said, code = try_dbt(folder, "run", "--select", "package:linker", **where)
    assert code == 1
    [line] = [line for line in said.splitlines() if "could not be scanned" in line]
    assert (
        "linker: analytics.broken_view could not be scanned: Invalid Input Error: no such luck;"
        in line
    )
    assert 'vars: {linker: {exclude_tables: ["analytics.broken_view"]}}' in line
    run_dbt(folder, "run", "--select", "package:linker", **where)

"""integration_tests/ by dbt alone on DuckDB and Postgres."""

import shutil
from pathlib import Path

import pytest
import yaml

from tests.warehouse.project import run_dbt
from tests.warehouse.servers import start


@pytest.mark.parametrize("target", ["duckdb", "postgres"])
def test_the_profile_tables_of_the_integration_project_are_as_expected(
    target: str, tmp_path: Path, checkout: Path
) -> None:
    folder = tmp_path / "integration_tests"
    shutil.copytree(
        checkout / "integration_tests",
        folder,
        ignore=shutil.ignore_patterns("dbt_packages", "target"),
    )
    (folder / "packages.yml").write_text(
        yaml.safe_dump({"packages": [{"local": str(checkout)}]}), "utf-8"
    )
    with start(target, tmp_path) as server:
        where = {
            "INTEGRATION_DUCKDB_PATH": str(tmp_path / "shop.duckdb"),
            "INTEGRATION_POSTGRES_DATABASE": "warehouse",
        }
        if target == "postgres":
            where["INTEGRATION_POSTGRES_HOST"] = server.environment["CONSUMER_POSTGRES_HOST"]
        run_dbt(folder, "deps", **where)
        for words in (
            ["seed"],
            ["run", "--exclude", "package:linker"],
            ["run", "--select", "package:linker"],
        ):
            run_dbt(folder, *words, "--target", target, **where)
        tested = run_dbt(folder, "test", "--target", target, **where)
    assert "ERROR=0" in tested
    # Expected tables, columns and joins, and models with invented rows.
    for name in ("tables_are_as_expected", "columns_are_as_expected", "joins_are_as_expected"):
        assert f"PASS {name} " in tested
    assert tested.count("PASS linker_runs::") == 2
    assert tested.count("PASS linker_families::") == 1
    assert tested.count("PASS linker_composite_keys::") == 2

"""Where the dbt project is, and what is said when dbt fails."""

from pathlib import Path

import duckdb
import pytest

import linker
from linker.errors import WarehouseError
from linker.profiling import DbtTarget, profile_warehouse


def test_in_a_checkout_the_dbt_project_is_its_root(checkout: Path) -> None:
    assert linker.dbt_project_dir() == checkout
    assert (linker.dbt_project_dir() / "models").is_dir()


def test_a_name_that_the_package_does_not_have_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="nothing"):
        _ = linker.nothing


def test_what_dbt_says_of_a_failure_is_one_line_and_its_logs_lie_in_the_state_folder(tmp_path: Path) -> None:
    """The path is a folder, which DuckDB cannot open."""
    profiles = "p: {target: t, outputs: {t: {type: duckdb, path: '" + str(tmp_path) + "'}}}"
    (tmp_path / "profiles.yml").write_text(profiles, "utf-8")
    state_dir = tmp_path / "state"
    with pytest.raises(WarehouseError) as caught:
        profile_warehouse(DbtTarget(tmp_path, "p", "t", state_dir))
    assert caught.value.what.startswith("dbt failed: ")
    assert "\n" not in caught.value.what
    assert (state_dir / "dbt" / "logs" / "dbt.log").is_file()


def test_dbt_leaves_nothing_in_its_own_project(tmp_path: Path, checkout: Path) -> None:
    with duckdb.connect(str(tmp_path / "w.duckdb")) as connection:
        connection.execute("create table t (a integer)")
    profiles = f"p: {{target: t, outputs: {{t: {{type: duckdb, path: '{tmp_path / 'w.duckdb'}'}}}}}}"
    (tmp_path / "profiles.yml").write_text(profiles, "utf-8")
    before = {path.name for path in checkout.iterdir()}
    assert profile_warehouse(DbtTarget(tmp_path, "p", "t", tmp_path / "state")).scanned_count == 1
    assert {path.name for path in checkout.iterdir()} - before == set()
    assert (tmp_path / "state" / "dbt" / "target" / "manifest.json").is_file()

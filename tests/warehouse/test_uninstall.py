"""Uninstalling package and linker restores the project."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
import pytest
import yaml

from tests.refresh.shop import command
from tests.warehouse.project import HERE, run_dbt

PROFILES = "dbt_alice_linker"


@pytest.fixture(scope="module")
def folder(checkout: Path) -> Iterator[Path]:
    """The project, refreshed once, with a table of somebody else's beside the profile tables."""
    with TemporaryDirectory(prefix="linker-uninstall-") as own:
        made = Path(own) / "project"
        shutil.copytree(HERE / "marts", made)
        (made / "packages.yml").write_text(
            yaml.safe_dump({"packages": [{"local": str(checkout)}]}), "utf-8"
        )
        where = {"MARTS_DUCKDB_PATH": str(made / "marts.duckdb")}
        run_dbt(made, "deps", **where)
        run_dbt(made, "build", **where)
        assert linker(made, "refresh").returncode == 0
        yield made


def linker(folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    variables = {
        name: value for name, value in os.environ.items() if not name.startswith("LINKER_")
    }
    variables |= {"HOME": str(folder), "MARTS_DUCKDB_PATH": str(folder / "marts.duckdb")}
    done = command(*words)
    return subprocess.run(
        done, env=variables, cwd=folder, capture_output=True, text=True, check=False, input=""
    )


def relations(folder: Path, schema: str) -> set[str]:
    with duckdb.connect(str(folder / "marts.duckdb"), read_only=True) as connection:
        found = connection.execute(
            "select table_name from duckdb_tables() where schema_name = ?", [schema]
        ).fetchall()
    return {name for (name,) in found}


def test_a_plan_shows_all_and_removes_nothing_and_neither_does_a_no(folder: Path) -> None:
    before = relations(folder, PROFILES)
    for words in (["--plan"], []):
        shown = linker(folder, "uninstall", *words)
        assert f"17 tables in schema {PROFILES}:" in shown.stdout
        assert ".linker/" in shown.stdout
        assert "with the index of marts.dev" in shown.stdout
        assert shown.returncode == (0 if words else 1)
    assert relations(folder, PROFILES) == before
    assert (folder / ".linker" / "postgres").is_dir()


def test_a_file_that_somebody_holds_is_named_and_the_profile_tables_stay(folder: Path) -> None:
    with duckdb.connect(str(folder / "marts.duckdb")):
        done = linker(folder, "uninstall", "--plan")
    assert "could not check the profile tables" in done.stderr
    assert relations(folder, PROFILES)


def test_what_is_ours_goes_and_what_others_left_there_stays(folder: Path) -> None:
    (folder / ".linker" / "notes.txt").write_text("mine", "utf-8")
    with duckdb.connect(str(folder / "marts.duckdb")) as connection:
        connection.execute(f"create table {PROFILES}.of_somebody as select 1 as a")
        connection.execute("checkpoint")
    orders = relations(folder, "dbt_alice")
    done = linker(folder, "uninstall", "--yes")
    assert done.returncode == 0, done.stderr
    assert relations(folder, PROFILES) == {"of_somebody"}
    assert relations(folder, "dbt_alice") == orders
    assert [path.name for path in (folder / ".linker").iterdir()] == ["notes.txt"]
    running = import_module("psutil").process_iter(["name", "cmdline"])
    assert not any(str(folder) in " ".join(process.info["cmdline"] or ()) for process in running)
    again = linker(folder, "uninstall", "--yes")
    assert (again.returncode, again.stdout) == (0, "nothing to remove\n")


def test_a_project_without_the_package_parses_and_builds_at_once(folder: Path) -> None:
    where = {"MARTS_DUCKDB_PATH": str(folder / "marts.duckdb")}
    # It was the only one.
    for name in ("packages.yml", "package-lock.yml"):
        (folder / name).unlink()
    shutil.rmtree(folder / "dbt_packages")
    run_dbt(folder, "parse", **where)
    said = run_dbt(folder, "build", **where)
    assert "linker:" not in said

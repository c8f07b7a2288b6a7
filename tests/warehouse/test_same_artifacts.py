"""`dbt run --select package:linker` and `linker refresh` create identical profile tables."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
import pytest
import yaml

from tests.refresh.shop import command
from tests.warehouse.project import HERE, run_dbt

SCHEMA = "dbt_alice_linker"
# What names a run, says when it was, or what it found new.
OF_A_RUN = {
    "attempt_id",
    "run_id",
    "scanned_at",
    "measured_at",
    "happened_at",
    "started_at",
    "ended_at",
    "rule",
    "state",
    "reason",
    "is_due",
    "place",
}
# What holds one row a run or an event of it.
OF_RUNS = ("linker_runs", "linker_attempts")

Artifacts = dict[str, list[tuple[object, ...]]]


def _within_noise(value: object) -> object:
    """Threads add up floating point in another order each time."""
    return round(value, 9) if isinstance(value, float) else value


class Project:
    """The project in a folder, built once over a DuckDB file."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.path = folder, folder / "marts.duckdb"

    def dbt(self, *words: str) -> None:
        """Run dbt there."""
        run_dbt(self.folder, *words, MARTS_DUCKDB_PATH=str(self.path))

    def refresh(self, *words: str) -> None:
        """Run `linker refresh` there."""
        variables = {
            name: value for name, value in os.environ.items() if not name.startswith("LINKER_")
        }
        variables |= {"HOME": str(self.folder), "MARTS_DUCKDB_PATH": str(self.path)}
        done = subprocess.run(
            command("refresh", *words),
            env=variables,
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr

    def artifacts(self) -> Artifacts:
        """All rows, without what differs from run to run."""
        with duckdb.connect(str(self.path), read_only=True) as connection:
            columns: dict[str, list[str]] = {}
            listed = "select table_name, column_name from duckdb_columns() where schema_name = ? order by column_index"
            for table, column in connection.execute(listed, [SCHEMA]).fetchall():
                if table not in OF_RUNS and column not in OF_A_RUN:
                    columns.setdefault(table, []).append(column)
            found: Artifacts = {}
            for table, names in columns.items():
                rows = connection.execute(
                    f"select {', '.join(names)} from {SCHEMA}.{table}"
                ).fetchall()
                found[table] = sorted((tuple(map(_within_noise, row)) for row in rows), key=str)
            return found

    def forget_profiles(self) -> None:
        """Leave the project without any artifact."""
        with duckdb.connect(str(self.path)) as connection:
            connection.execute(f"drop schema {SCHEMA} cascade")


@pytest.fixture(scope="module")
def project(checkout: Path) -> Iterator[Project]:
    """Not in pytest's own folder, for the user of the server."""
    with TemporaryDirectory(prefix="linker-same-") as own:
        made = Project(Path(own) / "project")
        shutil.copytree(HERE / "marts", made.folder)
        (made.folder / "packages.yml").write_text(
            yaml.safe_dump({"packages": [{"local": str(checkout)}]}), "utf-8"
        )
        made.dbt("deps")
        made.dbt("run", "--exclude", "package:linker")
        with duckdb.connect(str(made.path)) as connection:
            connection.execute("checkpoint")
        yield made


@pytest.fixture(scope="module")
def by_dbt(project: Project) -> Artifacts:
    project.dbt("run", "--select", "package:linker")
    return project.artifacts()


def test_a_run_of_the_package_leaves_what_the_project_says_of_its_tables(by_dbt: Artifacts) -> None:
    described = {row for row in by_dbt["linker_profile_l2"] if "As it stands on the letter." in row}
    assert len(described) == 1
    assert {row for row in by_dbt["linker_tables"] if "Every order, returned ones too." in row}
    assert [row for row in by_dbt["linker_joins"] if "tested" in row]
    assert not [row for row in by_dbt["linker_scans"] if "scratch" in row]


def test_a_refresh_after_it_changes_no_row(project: Project, by_dbt: Artifacts) -> None:
    project.refresh()
    assert project.artifacts() == by_dbt
    project.refresh("--full")
    assert project.artifacts() == by_dbt


@pytest.mark.slow
def test_a_refresh_of_a_project_without_profiles_leaves_the_same_and_a_run_of_the_package_after_it_too(
    project: Project, by_dbt: Artifacts
) -> None:
    project.forget_profiles()
    project.refresh("--full")
    assert project.artifacts() == by_dbt
    project.dbt("run", "--select", "package:linker")
    assert project.artifacts() == by_dbt

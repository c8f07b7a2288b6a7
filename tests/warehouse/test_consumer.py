"""The repository is a dbt package: a project of somebody else lists it, runs it, and gets the artifacts."""

import csv
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest
import yaml

from linker.catalog import read_catalog
from linker.types import TableRef
from linker.warehouses.duckdb import DuckDBWarehouse

HERE = Path(__file__).resolve().parent
ARTIFACTS = ("linker_tables", "linker_columns", "linker_families")


def dbt(project: Path, *words: str) -> str:
    command = [sys.executable, "-m", "dbt.cli.main", "--no-send-anonymous-usage-stats", "--no-use-colors", *words]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def consumer(tmp_path_factory: pytest.TempPathFactory, checkout: Path) -> Path:
    """The consumer project after it ran the package."""
    project = tmp_path_factory.mktemp("consumer") / "project"
    shutil.copytree(HERE / "consumer", project)
    (project / "packages.yml").write_text(yaml.safe_dump({"packages": [{"local": str(checkout)}]}), "utf-8")
    with duckdb.connect(str(project / "warehouse.duckdb")) as connection:
        connection.execute((HERE / "setup.sql").read_text("utf-8"))
    dbt(project, "deps")
    dbt(project, "run", "--select", "package:linker")
    return project


def rows_of(project: Path, artifact: str, columns: list[str]) -> list[list[str]]:
    with duckdb.connect(str(project / "warehouse.duckdb"), read_only=True) as connection:
        listed = ", ".join(f"coalesce(cast({column} as varchar), '')" for column in columns)
        rows = connection.execute(f"select {listed} from analytics_linker.{artifact}").fetchall()
    return sorted([list(row) for row in rows])


@pytest.mark.parametrize("artifact", ARTIFACTS)
def test_the_artifact_is_as_worked_out_by_hand(consumer: Path, artifact: str) -> None:
    with (HERE / "expected" / f"{artifact}.csv").open(encoding="utf-8", newline="") as file:
        header, *expected = list(csv.reader(file))
    assert rows_of(consumer, artifact, header) == sorted(expected)


def test_tables_with_the_same_columns_have_the_same_signature_and_others_not(consumer: Path) -> None:
    signatures = dict(rows_of(consumer, "linker_tables", ["table_name", "column_signature"]))
    assert signatures["lkp_channel"] == signatures["lkp_status"]
    assert signatures["speed_2024_12"] != signatures["speed_2025_01"]


def test_a_second_run_gives_the_same_artifacts(consumer: Path) -> None:
    columns = ["schema_name", "table_name", "column_path", "data_type"]
    before = rows_of(consumer, "linker_columns", columns)
    dbt(consumer, "run", "--select", "package:linker")
    assert rows_of(consumer, "linker_columns", columns) == before


def test_the_catalog_holds_one_table_for_every_family(consumer: Path) -> None:
    connection = duckdb.connect(str(consumer / "warehouse.duckdb"), read_only=True)
    warehouse = DuckDBWarehouse(connection)
    catalog = read_catalog(warehouse, "analytics_linker")
    warehouse.close()
    assert (catalog.physical_table_count, len(catalog.tables)) == (14, 10)
    visits = catalog.table_by_ref[TableRef("web", "visits_*")]
    assert visits.family is not None
    assert str(visits.family) == "2 tables by day, 20250101 to 20250102"
    assert [column.path for column in visits.columns] == [
        "id",
        "hits",
        "hits.page",
        "hits.page.title",
        'hits.page."sub.path"',
        "hits.at",
    ]
    assert catalog.table_by_ref[TableRef("shop", "lkp_status")].siblings == ("lkp_channel",)
    assert catalog.table_by_ref[TableRef("shop", "orders")].siblings == ()

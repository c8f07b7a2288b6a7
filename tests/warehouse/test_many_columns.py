"""Thousands of columns in Postgres without statistics: profile tables build in seconds."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import yaml

from tests.warehouse.project import run_dbt
from tests.warehouse.servers import start

TABLES = ("customers", "invoices", "parcels", "returns", "suppliers")
COLUMNS = 600
SLOWEST = "5s"


# Their number is the test: there is no smaller case.
@pytest.mark.slow
def test_profile_tables_of_thousands_of_columns_are_made_in_seconds(checkout: Path) -> None:
    with (
        TemporaryDirectory(prefix="linker-columns-") as own,
        start("postgres", Path(own)) as server,
    ):
        server.execute(
            f"alter role postgres set statement_timeout = '{SLOWEST}'; create schema shop;"
        )
        for table in TABLES:
            columns = ", ".join(f"{number} as {table}_{number}" for number in range(COLUMNS))
            server.execute(f"create table shop.{table} as select {columns}")
        folder = Path(own)
        _write(folder / "packages.yml", {"packages": [{"local": str(checkout)}]})
        # None is read: processing the scans takes the time.
        variables = {"linker": {"exclude_columns": ["*"]}}
        _write(
            folder / "dbt_project.yml",
            {"name": "wide", "profile": "wide", "config-version": 2, "vars": variables},
        )
        host = next(iter(server.environment.values()))
        target = {
            "type": "postgres",
            "host": host,
            "port": 5432,
            "user": "postgres",
            "password": "",
            "threads": 2,
        }
        target |= {"dbname": "warehouse", "schema": "analytics"}
        _write(folder / "profiles.yml", {"wide": {"target": "dev", "outputs": {"dev": target}}})
        run_dbt(folder, "deps")
        run_dbt(folder, "run", "--select", "package:linker")
        profiled = server.fetch("select count(*)::text from analytics_linker.linker_profile_l2")
    assert profiled == [[str(len(TABLES) * COLUMNS)]]


def _write(path: Path, content: dict[str, object]) -> None:
    path.write_text(yaml.safe_dump(content), "utf-8")

"""Environments of the scheduler examples, made by `make test-schedulers`."""

import sys
from pathlib import Path

import duckdb
import pytest

from tests.schedulers.project import Project, run

FILES = {
    "dbt_project.yml": "name: shop\nversion: 1.0.0\nconfig-version: 2\nprofile: shop\nmodel-paths: [models]\n",
    "linker.yml": "profile: shop\nprofiles_dir: .\n",
    "models/orders.sql": "select order_id, customer_id from raw.orders where customer_id is not null",
    "models/customers.sql": "select customer_id, count(*) as order_count from {{ ref('orders') }} group by customer_id",
}
RAW = """
    create schema raw;
    create table raw.orders as select range as order_id, range % 7 as customer_id from range(40);
"""


@pytest.fixture(scope="session")
def project(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A dbt project of somebody else that lists linker, with a warehouse that holds one table."""
    folder = tmp_path_factory.mktemp("shop")
    path = folder / "shop.duckdb"
    outputs = f"{{dev: {{type: duckdb, path: {path}, schema: main, threads: 1}}}}"
    profiles = f"shop:\n  target: dev\n  outputs: {outputs}\n"
    packages = f"packages:\n  - local: {checkout}\n"
    (folder / "models").mkdir()
    for name, text in {**FILES, "profiles.yml": profiles, "packages.yml": packages}.items():
        (folder / name).write_text(text + "\n", "utf-8")
    with duckdb.connect(str(path)) as connection:
        connection.execute(RAW)
    for word in ("deps", "parse"):
        run(
            [Path(sys.executable).with_name("dbt"), "--no-send-anonymous-usage-stats", word], folder
        )
    return Project(folder)

"""What Spark does for a scan and for joins, by its own plans: tables are read once, and only aggregates move."""

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from tests.golden.test_joins import TEMPLATE as JOINS
from tests.golden.test_scan import TEMPLATE as SCAN
from tests.rendering import Rendering
from tests.spark.conftest import Sakila

COUNTS = "{{ linker.distinct_counts(var('counted_table'), var('counted_columns')) }}"
CATALOG = "spark_catalog"
TABLE = {
    "database_name": CATALOG,
    "schema_name": "sakila",
    "table_name": "film",
    "members": ["film"],
}
FILM = {
    "film_id": "int",
    "title": "string",
    "rental_rate": "decimal(4,2)",
    "length": "smallint",
    "rating": "string",
}


@pytest.fixture(scope="module")
def rendered(rendering: Callable[[str], Rendering]) -> Rendering:
    return rendering("spark")


def column(name: str, data_type: str) -> dict[str, Any]:
    return {
        "column_name": name,
        "column_path": name,
        "depth": 0,
        "data_type": data_type,
        "is_readable": True,
    }


def test_a_scan_reads_the_table_once_and_moves_one_row_of_each_part(
    rendered: Rendering, sakila: Sakila
) -> None:
    table = {
        **TABLE,
        "table_kind": "table",
        "fingerprint": "f",
        "row_count": 1_000_000,
        "read_percent": 100,
    }
    columns = [column(name, data_type) for name, data_type in FILM.items()]
    sql = rendered.expression(SCAN, scanned_table=table, scanned_columns=columns)
    # What follows reads the stage, a table of one row.
    [aggregated] = re.findall(r"create table \S+ as\n(.*?);\n\n", sql, re.DOTALL)
    assert sql.count("`film`") == aggregated.count("`film`") == 1
    assert operators(sakila, aggregated) == [
        "Project",
        "ObjectHashAggregate",
        "Exchange",
        "ObjectHashAggregate",
        "Project",
        "FileScan",
    ]


def test_exact_counts_read_the_table_once_and_move_distinct_values(
    rendered: Rendering, sakila: Sakila
) -> None:
    columns = [column(name, FILM[name]) for name in ("film_id", "title")]
    sql = rendered.expression(COUNTS, counted_table=TABLE, counted_columns=columns)
    plan = operators(sakila, sql)
    assert Counter(plan)["FileScan"] == 1
    for place, operator in enumerate(plan):
        if operator == "Exchange":
            assert plan[place + 1] == "HashAggregate"


def test_joins_read_each_side_once_and_move_distinct_values(
    rendered: Rendering, sakila: Sakila
) -> None:
    due = [pair("inventory", "inventory_id"), pair("customer", "customer_id")]
    declared = {
        f"{CATALOG}\nsakila\nrental": [
            column("inventory_id", "bigint"),
            column("customer_id", "bigint"),
        ],
        f"{CATALOG}\nsakila\ninventory": [column("inventory_id", "int")],
        f"{CATALOG}\nsakila\ncustomer": [column("customer_id", "int")],
    }
    sql = rendered.expression(JOINS, due=due, declared=declared)
    # The first statement notes the tries; of the second the first line is `insert into …`.
    _, measured = sql.split(";\n\n")
    plan = operators(sakila, measured.rstrip(";\n").split("\n", 1)[1])
    assert Counter(plan)["FileScan"] == 4
    assert "SortMergeJoin" not in plan
    for place, operator in enumerate(plan):
        if operator == "Exchange":
            assert plan[place + 1] == "HashAggregate"


def pair(table: str, key: str) -> dict[str, Any]:
    """Of more values than are looked up."""
    sides: dict[str, Any] = {}
    for side, name in (("from", "rental"), ("to", table)):
        sides |= {
            f"{side}_database": CATALOG,
            f"{side}_schema": "sakila",
            f"{side}_table": name,
            f"{side}_members": f'["{name}"]',
            f"{side}_fingerprint": "f",
            f"{side}_columns": f'["{key}"]',
            f"{side}_kinds": '["integer"]',
            f"{side}_value_count": 5000,
        }
    return {**sides, "from_discovered": False}


def operators(sakila: Sakila, select: str) -> list[str]:
    """The steps of a plan, the last one first."""
    [[plan]] = sakila.spark.rows(f"explain {select}")
    return re.findall(r"^[ :+-]*(\w+)", plan, re.MULTILINE)

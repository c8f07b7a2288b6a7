"""The repository is a dbt package: a project of somebody else lists it, runs it, and gets the artifacts."""

import re
from pathlib import Path

import pytest

from tests.warehouse.project import SELECTED, Consumer, stand_ins

only_on_duckdb = pytest.mark.parametrize("consumer", ["duckdb"], indirect=True)


@pytest.mark.parametrize("artifact", ["linker_tables", "linker_declared_columns", "linker_families"])
def test_the_artifact_is_as_worked_out_by_hand(consumer: Consumer, artifact: str) -> None:
    columns, expected = consumer.expected(artifact)
    assert consumer.rows(artifact, columns) == expected


def test_tables_with_the_same_columns_have_the_same_signature_and_others_not(consumer: Consumer) -> None:
    signatures = dict(consumer.rows("linker_tables", ["table_name", "column_signature"]))
    assert signatures["lkp_channel"] == signatures["lkp_status"]
    assert signatures["speed_2024_12"] != signatures["speed_2025_01"]


@only_on_duckdb
def test_a_second_run_gives_the_same_artifacts(consumer: Consumer) -> None:
    columns = ["schema_name", "table_name", "column_path", "data_type"]
    before = consumer.rows("linker_declared_columns", columns)
    consumer.dbt("run", "--select", *SELECTED)
    assert consumer.rows("linker_declared_columns", columns) == before


def test_what_stands_in_for_an_emulator_replaces_a_macro_that_the_product_has(checkout: Path) -> None:
    macros = "".join(file.read_text("utf-8") for file in (checkout / "macros").rglob("*.sql"))
    product = set(re.findall(r"macro (\w+)\(", macros))
    replaced = {macro for names in stand_ins().values() for macro in names}
    assert {macro.partition("__")[2] for macro in replaced} <= product

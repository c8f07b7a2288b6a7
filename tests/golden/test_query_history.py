"""Query history SQL for every warehouse as golden files."""

from collections.abc import Callable
from pathlib import Path

import pytest
import sqlglot

from linker.config.target import Target
from linker.usage.sources import history_statement


@pytest.mark.parametrize("kind", ["postgres", "snowflake", "bigquery", "databricks"])
def test_the_history_of_queries_is_read_as_the_golden_file_says(
    kind: str, golden: Callable[[str, str], None]
) -> None:
    options = {"project": "shop-project", "location": "EU"}
    statement = history_statement(Target("shop", "dev", kind, "sales", Path(), options)).strip()
    assert len(sqlglot.parse(statement, dialect=kind)) == 1
    golden(f"query_history/{kind}.sql", statement)

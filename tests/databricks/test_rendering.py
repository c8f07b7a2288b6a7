"""
SQL for Databricks as its own adapter renders it, without a connection: what differs from Spark's, as golden files.

The adapter needs other versions than `constraints.txt` has: `make test-databricks` has an environment for it.
"""

from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest
import yaml

from tests.golden.test_agents_schema import MODELS, ROOT
from tests.golden.test_joins import TEMPLATE as JOINS
from tests.golden.test_joins import pair
from tests.golden.test_scan import (
    DOCUMENTED,
    FORMS,
    TYPES,
    Golden,
    plain_columns,
    read,
    render,
    settled,
)
from tests.golden.test_sql import QUERIES
from tests.rendering import Rendering

TYPES["databricks"] = TYPES["spark"]
DISCOVERED = {
    **{
        name: f"{{{{ linker.discover_{name}() }}}}" for name in ("tables", "columns", "definitions")
    },
    "primary_keys": "{{ adapter.dispatch('keys', 'linker')('primary') }}",
    "foreign_keys": "{{ adapter.dispatch('keys', 'linker')('foreign') }}",
}
OWN_TABLES = """
{%- set table = api.Relation.create(database='shop', schema='linker', identifier='linker_scans', type='table') -%}
create table {{ table }} (attempt_id string){{ file_format_clause() }};

{{ linker.delete_scans(table, 'select attempt_id from older_attempts') }};
"""


@pytest.fixture(scope="module")
def databricks(rendering: Callable[[str], Rendering]) -> Rendering:
    return rendering("databricks")


def of_spark(checkout: Path, name: str) -> str:
    """The golden file of Spark."""
    return (checkout / "tests" / "golden" / "sql" / "spark" / name).read_text("utf-8").rstrip("\n")


def test_primitives_are_those_of_spark(databricks: Rendering, checkout: Path) -> None:
    flat = iter(databricks.expressions(*(text for texts in QUERIES.values() for text in texts)))
    differing = set()
    for name, texts in QUERIES.items():
        sql = ";\n\n".join(islice(flat, len(texts))) + ";"
        read(sql, "databricks")
        if sql != of_spark(checkout, f"{name}.sql"):
            differing.add(name)
    # Unity Catalog has an information schema; the name of the catalog is another.
    assert differing == {"watched_catalogue", "watched_changes", "watched_keys"}


def test_measures_of_each_type_are_those_of_spark(databricks: Rendering, checkout: Path) -> None:
    sql = databricks.expression(FORMS, types=DOCUMENTED["spark"]).strip()
    assert sql == of_spark(checkout, "types.sql")


def test_the_catalog_is_read_as_the_golden_file_shows_it(
    databricks: Rendering, golden: Golden
) -> None:
    rendered = databricks.expressions(*DISCOVERED.values(), include_schemas=["Sales"])
    parts = [f"-- {name}\n{sql.strip()};" for name, sql in zip(DISCOVERED, rendered, strict=True)]
    text = "\n\n".join(parts)
    golden("sql/catalog.sql", text)
    read(text, "databricks")


def test_a_scan_differs_from_spark_in_the_tables_that_it_writes(
    databricks: Rendering, checkout: Path, golden: Golden
) -> None:
    sql = render(databricks, plain_columns("databricks"), 1_000_000) + ";"
    read(sql, "databricks")
    golden("sql/scan_statement.diff", changed_lines(of_spark(checkout, "scan_statement.sql"), sql))


def test_joins_differ_from_spark_in_the_tables_that_they_write(
    databricks: Rendering, checkout: Path, golden: Golden
) -> None:
    declared = {}
    for table, names in {"orders": ("customer",), "customers": ("name",)}.items():
        declared[f"shop\nsales\n{table}"] = [
            {
                "column_name": name,
                "column_path": name,
                "depth": 0,
                "data_type": "string",
                "is_readable": True,
            }
            for name in names
        ]
    due = [pair('["customer"]', '["text"]', 800, "customers", '["name"]')]
    sql = settled(databricks.expression(JOINS, due=due, declared=declared)).strip()
    golden("sql/measure_joins.sql", sql)
    read(sql, "databricks")


def test_the_tables_of_the_package_are_made_and_cleaned_as_the_golden_file_shows_it(
    databricks: Rendering, golden: Golden
) -> None:
    sql = databricks.expression(OWN_TABLES).strip()
    golden("sql/own_tables.sql", sql)
    read(sql, "databricks")


def test_what_is_published_for_agents_is_as_the_golden_file_shows_it(
    databricks: Rendering, golden: Golden
) -> None:
    files = sorted(MODELS.glob("*.sql"))
    *models, root = databricks.expressions(*(file.read_text("utf-8") for file in files), ROOT)
    named = [f"-- {file.stem}\n{sql.strip()};" for file, sql in zip(files, models, strict=True)]
    text = "\n\n".join([*named, root.strip()])
    golden("sql/agents_schema.sql", text)
    read(text, "databricks")


def test_a_parser_reads_every_model(databricks: Rendering, checkout: Path) -> None:
    # Tests of these are rendered too.
    rendered = databricks.models("package:linker,resource_type:model")
    names = set[str]()
    for file in (checkout / "models").glob("*/*.yml"):
        [model] = yaml.safe_load(file.read_text("utf-8")).get("models", [None])
        if model and not file.is_relative_to(MODELS):
            read(rendered[model["name"]], "databricks")
            names.add(model["name"])
    assert names >= {"linker_tables", "linker_scans", "linker_joins", "linker_profile_l2"}


def changed_lines(before: str, after: str) -> str:
    """The lines that differ, without their places."""
    from difflib import unified_diff

    lines = unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm="")
    changed = [line for line in lines if not line.startswith(("@@", "---", "+++"))]
    return "\n".join(line for line in changed if line[1:])

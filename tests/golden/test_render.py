"""Every form of a linked schema, as a golden file."""

import json
from collections.abc import Callable

import duckdb
import pytest

from linker.linked import LinkedSchema
from linker.render import FORMATS, render

Golden = Callable[[str, str], None]


@pytest.mark.parametrize("form", FORMATS)
def test_the_form_is_as_the_golden_file_shows_it(form: str, linked_schema: LinkedSchema, golden: Golden) -> None:
    golden(f"render/{form}.txt", render(linked_schema, form))


def test_the_table_fits_the_width_it_is_given(linked_schema: LinkedSchema) -> None:
    assert max(len(line) for line in render(linked_schema, "table", width=70).splitlines()) <= 70


@pytest.mark.parametrize("form", FORMATS)
def test_text_from_the_warehouse_cannot_steer_the_terminal(form: str, linked_schema: LinkedSchema) -> None:
    assert "\x1b" not in render(linked_schema, form)


def test_the_ddl_is_sql_that_makes_just_the_linked_columns(linked_schema: LinkedSchema) -> None:
    connection = duckdb.connect()
    connection.execute("create schema web; create schema sales")
    connection.execute(render(linked_schema, "ddl"))
    made = connection.execute(
        "select table_name, column_name, data_type from duckdb_columns() where not internal order by all"
    ).fetchall()
    assert made == [
        ("Bestellungen 2025", "Preis (€)", "DECIMAL(10,2)"),
        ("Bestellungen 2025", "order", "BIGINT"),
        ("sessions_20250103", "hits", "STRUCT(page STRUCT(title VARCHAR))[]"),
        ("sessions_20250103", "visit_id", "VARCHAR"),
    ]


def test_the_json_names_its_version_and_every_column_with_its_reason(linked_schema: LinkedSchema) -> None:
    document = json.loads(render(linked_schema, "json"))
    assert document["version"] == 1
    assert [table["name"] for table in document["tables"]] == ["sessions_*", "Bestellungen 2025"]
    assert document["tables"][0]["family"]["member_count"] == 3
    assert all(column["reason"] for table in document["tables"] for column in table["columns"])

"""BigQuery only: catalog views by region or dataset, nested columns."""

from collections.abc import Callable

import pytest
import sqlglot
from sqlglot import exp

from tests.rendering import Rendering
from tests.warehouse.project import Consumer

on_bigquery = pytest.mark.parametrize("consumer", ["bigquery"], indirect=True)

Renders = Callable[[str], Rendering]


def views_read(sql: str) -> set[str]:
    """The relations that a query reads, but for its own common table expressions."""
    tables = sqlglot.parse_one(sql, read="bigquery").find_all(exp.Table)
    return {
        table.sql("bigquery").partition(" AS ")[0].replace("`", "") for table in tables if table.db
    }


@on_bigquery
def test_rows_tell_a_change_and_a_view_tells_nothing(consumer: Consumer) -> None:
    tables = "[{'schema': 'scratch', 'kind': 'table'}, {'schema': 'shop', 'kind': 'table'}]"
    query = consumer.dbt(
        "compile", "--quiet", "--inline", f"{{{{ linker.discover_changes({tables}) }}}}"
    )
    told = (
        f"select cast(row_count as string), change_token from ({query}) as told where table_name = "
    )
    [before] = consumer.server.fetch(told + "'unwanted'")
    consumer.server.execute("insert into scratch.unwanted values (1), (2);\n")
    [after] = consumer.server.fetch(told + "'unwanted'")
    assert (before[0], after[0]) == ("0", "2")
    assert before[1] != after[1]
    assert len(consumer.server.fetch(told + "'orders'")) == 1
    assert consumer.server.fetch(told + "'recent_orders'") == []


def test_without_named_datasets_each_view_is_read_once_for_the_region(rendering: Renders) -> None:
    [tables, columns] = rendering("bigquery").expressions(
        "{{ linker.discover_tables() }}", "{{ linker.discover_columns() }}"
    )
    region = "project.region-us.INFORMATION_SCHEMA."
    assert views_read(tables) == {
        region + view for view in ("TABLES", "COLUMNS", "TABLE_OPTIONS", "TABLE_STORAGE")
    }
    assert views_read(columns) == {region + view for view in ("COLUMNS", "COLUMN_FIELD_PATHS")}


def test_of_named_datasets_only_their_own_views_are_read(rendering: Renders) -> None:
    sql = rendering("bigquery").expression(
        "{{ linker.discover_tables() }}", include_schemas=["Shop", "web"]
    )
    assert views_read(sql) == {
        f"project.{dataset}.{view}"
        for dataset in ("shop", "web")
        for view in (
            "INFORMATION_SCHEMA.TABLES",
            "INFORMATION_SCHEMA.COLUMNS",
            "INFORMATION_SCHEMA.TABLE_OPTIONS",
            "__TABLES__",
        )
    }


def test_a_table_that_wants_a_filter_on_its_partitions_is_found_by_its_option(
    rendering: Renders,
) -> None:
    sql = rendering("bigquery").expression(
        "{{ linker.discover_refusals() }}", include_schemas=["web"]
    )
    assert views_read(sql) == {"project.web.INFORMATION_SCHEMA.TABLE_OPTIONS"}
    [condition] = sqlglot.parse_one(sql, read="bigquery").find_all(exp.Where)
    assert (
        condition.sql()
        == "WHERE option_name = 'require_partition_filter' AND LOWER(option_value) = 'true'"
    )


def test_changes_are_asked_of_the_datasets_of_the_tables_and_of_nothing_where_there_is_none(
    rendering: Renders,
) -> None:
    tables = [
        {"database": "project", "schema": schema, "name": "t", "kind": "table"}
        for schema in ("a", "b", "a")
    ]
    [asked, nothing] = rendering("bigquery").expressions(
        f"{{{{ linker.discover_changes({tables}) }}}}", "{{ linker.discover_changes([]) }}"
    )
    assert views_read(asked) == {"project.a.__TABLES__", "project.b.__TABLES__"}
    assert views_read(nothing) == set()

"""Scan SQL for every warehouse as golden files, parsed by sqlglot."""

import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
import sqlglot
from sqlglot.errors import ErrorLevel

from tests.rendering import Rendering

Golden = Callable[[str, str], None]
TEMPLATE = """
{%- if execute -%}
{%- set table = var('scanned_table') -%}
{%- set columns = linker.with_privacy(table, var('scanned_columns')) -%}
{%- set scanned = linker.scan_columns(columns, linker.may_be_sampled(table)) -%}
{%- set portions = [{'attempt_id': 'run.1', 'table': table, 'scanned': scanned}] -%}
{{- linker.scan_statement(api.Relation.create(
    database=none if target.type == 'spark' else 'shop', schema='linker', identifier='linker_scans'), portions)
    | join(';\n\n') -}}
{%- endif -%}
"""
CELLS = """
{%- if execute -%}
{%- set forms = {} -%}
{%- set portions = [] -%}
{%- for table in var('scanned_tables') -%}
    {%- set columns = linker.with_privacy(table, var('scanned_columns')) -%}
    {%- if linker.are_cells(columns, forms) -%}
        {%- do portions.append({
            'attempt_id': 'run.' ~ loop.index, 'table': table,
            'cells': linker.cell_columns(columns, loop.index0 * columns | length + 1, forms),
        }) -%}
    {%- endif -%}
{%- endfor -%}
{{- linker.scan_statement(api.Relation.create(database='shop', schema='linker', identifier='linker_scans'), portions)
    | join(';\n\n') -}}
{%- endif -%}
"""
# A type of each kind as the catalogues spell it.
TYPES = {
    "duckdb": ("BIGINT", "DOUBLE", "VARCHAR", "TIMESTAMP", "BOOLEAN"),
    "postgres": (
        "bigint",
        "double precision",
        "character varying",
        "timestamp without time zone",
        "boolean",
    ),
    "snowflake": ("NUMBER(38,0)", "FLOAT", "TEXT", "TIMESTAMP_NTZ", "BOOLEAN"),
    "bigquery": ("INT64", "FLOAT64", "STRING", "TIMESTAMP", "BOOL"),
    "spark": ("bigint", "double", "string", "timestamp_ntz", "boolean"),
}
PLAIN = ("order", "amount", "status", "ordered_at", "is_paid")
JSON_TYPES = {
    "duckdb": "JSON",
    "postgres": "jsonb",
    "snowflake": "VARIANT",
    "bigquery": "JSON",
    "spark": "map<string,string>",
}
# The types that each catalogue spells, by the vendor's own list.
# https://docs.snowflake.com/en/sql-reference/intro-summary-data-types
# https://cloud.google.com/bigquery/docs/reference/standard-sql/data-types
# https://spark.apache.org/docs/latest/sql-ref-datatypes.html
DOCUMENTED = {
    "duckdb": (
        "HUGEINT",
        "UHUGEINT",
        "BIGNUM",
        "DECIMAL(12,2)",
        "FLOAT",
        "UUID",
        "ENUM('small', 'large')",
        "BIT",
        "BLOB",
        "DATE",
        "TIME",
        "TIME_NS",
        "TIME WITH TIME ZONE",
        "TIMESTAMP_NS",
        "TIMESTAMP WITH TIME ZONE",
        "INTERVAL",
        "VARIANT",
        "GEOMETRY",
        "MAP(VARCHAR, INTEGER)",
        "UNION(n INTEGER, t VARCHAR)",
        "INTEGER[3]",
        "UUID[][]",
    ),
    "postgres": (
        "numeric",
        "money",
        "oid",
        '"char"',
        "name",
        "public.citext",
        "uuid",
        "inet",
        "cidr",
        "macaddr",
        "xml",
        "enum('small', 'large')",
        "enum('small')[]",
        "money[]",
        "bit(3)",
        "bytea",
        "int4range",
        "datemultirange",
        "interval",
        "interval day to second",
        "time with time zone",
        "tsvector",
        "point",
        "public.geometry(Point,4326)",
        "struct<shop.part>",
    ),
    "snowflake": (
        "NUMBER(38,0)",
        "NUMBER(12,2)",
        "DECFLOAT",
        "FLOAT",
        "TEXT",
        "TEXT(3)",
        "BINARY",
        "BOOLEAN",
        "DATE",
        "TIME",
        "TIMESTAMP_LTZ",
        "TIMESTAMP_NTZ",
        "TIMESTAMP_TZ",
        "INTERVAL DAY TO SECOND",
        "UUID",
        "VARIANT",
        "OBJECT",
        "ARRAY",
        "MAP",
        "GEOGRAPHY",
        "GEOMETRY",
        "VECTOR",
        "FILE",
    ),
    "bigquery": (
        "INT64",
        "NUMERIC",
        "NUMERIC(12, 2)",
        "BIGNUMERIC",
        "FLOAT64",
        "STRING",
        "STRING(3)",
        "BYTES",
        "BOOL",
        "DATE",
        "TIME",
        "DATETIME",
        "TIMESTAMP",
        "INTERVAL",
        "RANGE<DATE>",
        "GEOGRAPHY",
        "JSON",
        "ARRAY<INT64>",
        "ARRAY<RANGE<DATE>>",
        "STRUCT<n INT64>",
    ),
    "spark": (
        "tinyint",
        "bigint",
        "float",
        "double",
        "decimal(38,0)",
        "decimal(12,2)",
        "string",
        "varchar(3)",
        "char(3)",
        "binary",
        "boolean",
        "date",
        "time",
        "timestamp",
        "timestamp_ntz",
        "interval",
        "variant",
        "map<string,int>",
        "array<int>",
        "array<array<date>>",
        "struct<n:int>",
        "geometry",
    ),
}
FORMS = """
{%- if execute -%}
{%- for data_type in var('types') -%}
{%- set form = linker.column_form(data_type, false, true) -%}
-- {{ data_type }}: {{ form.value_kind }}
select
    {%- for name, measure in form.measures.items() %}
    {{ measure | replace('__value__', 'v') }} as {{ name }}{{ ',' if form.is_collected or not loop.last }}
    {%- endfor %}
    {%- if form.is_collected %}
    {%- set value = 'element' if form.is_list else 'v' %}
    {{ form.text | replace('__value__', value) }} as sampled_text,
    {{ form.number | replace('__value__', value) }} as sampled_number
    {%- endif %}
from source;

{% endfor -%}
{%- endif -%}
"""
NESTED = {
    "duckdb": (
        ("address", 0, "STRUCT(city VARCHAR)"),
        ("address.city", 1, "VARCHAR"),
        ("lines", 0, "STRUCT(sku VARCHAR, labels VARCHAR[])[]"),
        ("lines.sku", 1, "VARCHAR"),
        ("lines.labels", 1, "VARCHAR[]"),
        ("document", 0, "JSON"),
    ),
    "bigquery": (
        ("address", 0, "STRUCT<city STRING>"),
        ("address.city", 1, "STRING"),
        ("lines", 0, "ARRAY<STRUCT<sku STRING, labels ARRAY<STRING>>>"),
        ("lines.sku", 1, "STRING"),
        ("lines.labels", 1, "ARRAY<STRING>"),
        ("document", 0, "JSON"),
    ),
    "spark": (
        ("address", 0, "struct<city:string>"),
        ("address.city", 1, "string"),
        ("lines", 0, "array<struct<sku:string,labels:array<string>>>"),
        ("lines.sku", 1, "string"),
        ("lines.labels", 1, "array<string>"),
        ("document", 0, "map<string,string>"),
    ),
}


def described(name: str, row_count: int, members: Sequence[str]) -> dict[str, Any]:
    return {
        "database_name": "shop",
        "schema_name": "sales",
        "table_name": name,
        "table_kind": "table",
        "members": [*members],
        "fingerprint": "f1",
        "row_count": row_count,
        "read_percent": 100,
    }


def render(
    rendering: Rendering,
    columns: list[dict[str, Any]],
    row_count: int,
    members: Sequence[str] = ("orders",),
) -> str:
    table = described("orders", row_count, members)
    return settled(
        rendering.expression(
            TEMPLATE,
            scanned_table=table,
            scanned_columns=columns,
            hide_columns=["*.orders.api_key"],
        )
    )


def settled(sql: str) -> str:
    # DuckDB statements contain the time, and Snowflake's tables are named after the thread.
    moment = re.sub(
        r"cast\('\d{4}-\d\d-\d\d [\d:.]+' as timestamp\)", "cast('now' as timestamp)", sql
    )
    return re.sub(r"linker_stage_[a-z0-9_]*_(?=\d+\b)", "linker_stage_thread_", moment)


def read(sql: str, dialect: str) -> None:
    # Spark takes a setting back by a word that this parser does not know.
    sql = re.sub(r"^reset .*;$", "", sql, flags=re.MULTILINE)
    assert sqlglot.parse(sql, dialect=dialect, error_level=ErrorLevel.RAISE)


def plain_columns(dialect: str) -> list[dict[str, Any]]:
    typed = [*zip(PLAIN, TYPES[dialect], strict=True), ("api_key", TYPES[dialect][2])]
    return [
        {"column_name": name, "column_path": name, "depth": 0, "data_type": kind}
        for name, kind in typed
    ]


@pytest.mark.parametrize("dialect", TYPES)
def test_the_scan_of_a_large_table_is_as_the_golden_file_shows_it(
    dialect: str, rendering: Callable[[str], Rendering], golden: Golden
) -> None:
    sql = render(rendering(dialect), plain_columns(dialect), 1_000_000)
    golden(f"sql/{dialect}/scan_statement.sql", sql + ";")
    read(sql, dialect)


@pytest.mark.parametrize("dialect", DOCUMENTED)
def test_what_is_measured_of_each_type_is_as_the_golden_file_shows_it(
    dialect: str, rendering: Callable[[str], Rendering], golden: Golden
) -> None:
    sql = rendering(dialect).expression(FORMS, types=DOCUMENTED[dialect]).strip()
    golden(f"sql/{dialect}/types.sql", sql)
    read(sql, dialect)


@pytest.mark.parametrize("dialect", NESTED)
def test_the_scan_of_nested_columns_is_as_the_golden_file_shows_it(
    dialect: str, rendering: Callable[[str], Rendering], golden: Golden
) -> None:
    columns = [
        {"column_name": path.split(".")[0], "column_path": path, "depth": depth, "data_type": kind}
        for path, depth, kind in NESTED[dialect]
    ]
    sql = render(rendering(dialect), columns, 100)
    golden(f"sql/{dialect}/scan_statement_nested.sql", sql + ";")
    read(sql, dialect)


@pytest.mark.parametrize("dialect", TYPES)
def test_the_scan_of_a_family_is_as_the_golden_file_shows_it(
    dialect: str, rendering: Callable[[str], Rendering], golden: Golden
) -> None:
    columns = [
        {"column_name": name, "column_path": name, "depth": 0, "data_type": data_type}
        for name, data_type in (("status", TYPES[dialect][2]), ("document", JSON_TYPES[dialect]))
    ]
    sql = render(rendering(dialect), columns, 100, ("orders_2025", "orders_2024"))
    golden(f"sql/{dialect}/scan_statement_family.sql", sql + ";")
    read(sql, dialect)


def test_the_scan_of_small_tables_is_as_the_golden_file_shows_it(
    rendering: Callable[[str], Rendering], golden: Golden
) -> None:
    tables = [described(name, 100, [name]) for name in ("orders", "returns")]
    columns = [
        *plain_columns("duckdb"),
        {"column_name": "day", "column_path": "day", "depth": 0, "data_type": "DATE"},
    ]
    sql = settled(
        rendering("duckdb").expression(
            CELLS, scanned_tables=tables, scanned_columns=columns, hide_columns=["*.orders.api_key"]
        )
    )
    golden("sql/duckdb/cells_statement.sql", sql + ";")
    read(sql, "duckdb")

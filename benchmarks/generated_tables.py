"""
Generates the DuckDB file of the profiling benchmark for a shape and scale.

Columns are mixed: keys, numbers of high and low cardinality, texts, dates, flags, nulls. Values are
digests of row and column, so files are reproducible.
"""

# ruff: noqa: S608 - every name in the SQL is our own

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

import duckdb

SCHEMA = "generated"

# {h} is a digest of the row and the column, {u} a uniform number from 0 to 1 made of it.
KINDS = (
    ("id", "i"),
    ("status", "['new', 'paid', 'sent', 'returned', 'lost'][1 + (5 * {u} * {u})::int % 5]"),
    ("customer_id", "({h} % 150000)::int"),
    ("amount", "(round(exp(2 + 5 * {u}), 2))::decimal(12, 2)"),
    ("created_at", "timestamp '2019-01-01' + to_seconds(({h} % 157680000)::bigint)"),
    ("is_active", "{u} < 0.7"),
    ("code", "chr(65 + ({h} % 26)::int) || '-' || lpad(({h} % 9000)::varchar, 4, '0')"),
    ("quantity", "(40 * {u} * {u} * {u})::smallint"),
    ("score", "if({u} < 0.1, null, ln(1 + {u}) * 100)"),
    ("day", "date '2018-01-01' + ({h} % 2500)::int"),
    ("email", "'person' || ({h} % 400000) || '@example.org'"),
    ("rating", "if({u} < 0.5, null, (10 * {u})::tinyint)"),
    ("token_number", "({h} % 4000000000)::bigint"),
    ("city", "'city ' || (3000 * {u} * {u})::int"),
    ("latitude", "180 * {u} - 90"),
    ("comment", "if({u} < 0.6, null, 'seen at ' || {h} || ' by number ' || ({h} % 977))"),
    ("balance", "(({h} % 100000000) / 100)::decimal(18, 4) - 300000"),
    ("updated_at", "if({u} < 0.95, null, timestamp '2024-01-01' + to_seconds(i))"),
    (
        "country",
        "['DE', 'FR', 'US', 'GB', 'IT', 'ES', 'JP', 'BR'][1 + (8 * {u} * {u} * {u})::int % 8]",
    ),
    ("uuid", "md5(({h})::varchar)"),
)


@dataclass(frozen=True, slots=True)
class Shape:
    """Tables of a benchmark: how many, how long, how wide."""

    name: str
    rows: int
    columns: int
    tables: int = 1


SHAPES = {
    "long": Shape("orders", rows=2_000_000, columns=40),
    "half_rows": Shape("orders", rows=1_000_000, columns=40),
    "half_columns": Shape("orders", rows=2_000_000, columns=20),
    "wide": Shape("measurements", rows=200_000, columns=1_000),
    "many": Shape("entity", rows=1_000, columns=10, tables=1_000),
    "small": Shape("entry", rows=1_000, columns=20, tables=1_000),
    "family": Shape("events", rows=2_000, columns=15, tables=366),
}


def generate(path: Path, shape: Shape, scale: float) -> None:
    """
    Write the tables of a shape; the scale shrinks the rows, and where there are a thousand tables,
    their number.
    """
    with duckdb.connect(str(path)) as connection:
        connection.execute(f"create schema {SCHEMA}")
        for statement in _statements(shape, scale):
            connection.execute(statement)


def _statements(shape: Shape, scale: float) -> Iterator[str]:
    if shape.tables == 1:
        yield statement_of(shape.name, int(shape.rows * scale), shape.columns)
    elif shape.name == "events":
        for number in range(shape.tables):
            day = date(2024, 1, 1) + timedelta(days=number)
            yield statement_of(
                f"{shape.name}_{day:%Y%m%d}",
                shape.rows,
                shape.columns,
                first_row=number * shape.rows,
            )
    elif shape.name == "entry":
        for number in range(int(shape.tables * scale)):
            yield statement_of(
                f"{shape.name}_{number}", shape.rows, shape.columns, prefix=f"e{number}_"
            )
    else:
        # Other columns and rows in each table, so that none looks like a member of a family.
        for number in range(int(shape.tables * scale)):
            rows = 1 + shape.rows * 2 * (number * 7919 % 1000) // 1000
            yield statement_of(
                f"{shape.name}_{number}",
                rows,
                shape.columns // 2 + number % 11,
                prefix=f"e{number}_",
            )


def statement_of(
    table: str, rows: int, columns: int, *, prefix: str = "", first_row: int = 0
) -> str:
    """
    The statement that makes a table of so many rows and columns; a prefix gives the columns names
    of their own.
    """
    select = rows_of(rows, columns, prefix=prefix, first_row=first_row)
    return f"create table {SCHEMA}.{table} as {select}"


def rows_of(rows: int, columns: int, *, prefix: str = "", first_row: int = 0) -> str:
    """The select of these rows."""
    items = []
    for number in range(columns):
        name, expression = KINDS[number % len(KINDS)]
        digest = f"hash(i, {number})"
        value = expression.format(h=digest, u=f"({digest} / 18446744073709551616.0)")
        items.append(f"{value} as {prefix}{name}_{number}")
    numbers = f"range({first_row}, {first_row + rows}) as numbers (i)"
    return f"select {', '.join(items)} from {numbers}"

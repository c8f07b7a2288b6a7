"""Numbers in Postgres profiles keep the warehouse's exact text."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
import yaml

from linker.index.embedded import EmbeddedPostgres
from tests.rendering import Rendering

Profile = dict[str, Any]
LARGEST = "1" + "0" * 400
SMALLEST = "0." + "0" * 399 + "1"
NUMBERS = {
    "key": ("numeric", ["12345678901234567", "12345678901234568", "-98765432109876543"]),
    "price": ("numeric(20,2)", ["12345678901234567.89", "-0.50", "7"]),
    "counter": ("numeric(30,0)", ["NaN", "123456789012345678901234567", "5"]),
    "huge": ("numeric", [LARGEST, SMALLEST, "4"]),
    "endless": ("numeric", ["Infinity", "-Infinity", "NaN"]),
    "rate": ("numeric", ["1.50", "1.5", "2.00"]),
    "share": ("real", ["0.1", "16777216", "-Infinity"]),
    "ratio": ("double precision", ["0.1", "1e300", "NaN"]),
    "document": (
        "jsonb",
        [
            '{"id": 12345678901234567, "size": 1e160, "big": 1e400, "rate": 1.50}',
            '{"id": 12345678901234568, "size": 0.5, "big": 2, "rate": 1.5}',
            '{"id": -98765432109876543, "size": 2}',
        ],
    ),
}
SCAN = """
{%- if execute -%}
{%- set table = var('scanned_table') -%}
{%- set scanned = linker.scan_columns(linker.with_privacy(table, var('scanned_columns')), false) -%}
{%- set portions = [{'attempt_id': 'run.1', 'table': table, 'scanned': scanned}] -%}
{{- linker.scan_statement('scanned_numbers', portions) | join(';') -}}
{%- endif -%}
"""


@pytest.fixture(scope="module")
def connection(embedded_server: EmbeddedPostgres) -> Iterator[psycopg.Connection]:
    """A Postgres with a table of such numbers."""
    with psycopg.connect(embedded_server.url, autocommit=True) as opened:
        columns = ", ".join(f"{name} {kind}" for name, (kind, _) in NUMBERS.items())
        opened.execute(f"create table odd_numbers ({columns})".encode())
        marks = ", ".join(["%s"] * len(NUMBERS))
        for row in zip(*(values for _, values in NUMBERS.values()), strict=True):
            opened.execute(f"insert into odd_numbers values ({marks})".encode(), row)
        yield opened
        opened.execute("drop table odd_numbers")


@pytest.fixture(scope="module")
def profiles(
    connection: psycopg.Connection, rendering: Callable[[str], Rendering], checkout: Path
) -> dict[str, Profile]:
    """What one scan of all these columns measured, by path."""
    [model] = yaml.safe_load(
        (checkout / "models" / "scans" / "linker_scans.yml").read_text("utf-8")
    )["models"]
    spelled = {"string": "text", "double": "double precision"}
    types = {
        column["name"]: spelled.get(column["data_type"], column["data_type"])
        for column in model["columns"]
    }
    created = ", ".join(f"{name} {kind}" for name, kind in types.items())
    connection.execute(f"create temporary table scanned_numbers ({created})".encode())
    database = connection.info.dbname
    table = {
        "database_name": database,
        "schema_name": "public",
        "table_name": "odd_numbers",
        "table_kind": "table",
        "members": ["odd_numbers"],
        "fingerprint": "f",
        "row_count": 3,
        "read_percent": 100,
    }
    columns = [
        {"column_name": name, "column_path": name, "depth": 0, "data_type": kind}
        for name, (kind, _) in NUMBERS.items()
    ]
    statement = rendering("postgres").expression(SCAN, scanned_table=table, scanned_columns=columns)
    connection.execute(statement.encode())
    rows = connection.execute(f"select {', '.join(types)} from scanned_numbers".encode()).fetchall()
    return {
        row[list(types).index("column_path")]: dict(zip(types, row, strict=True)) for row in rows
    }


def values(profile: Profile) -> set[str]:
    return {one["value"] for one in json.loads(profile["top_values"])}


@pytest.mark.parametrize(
    ("path", "smallest", "largest"),
    [
        ("key", "-98765432109876543", "12345678901234568"),
        ("price", "-0.50", "12345678901234567.89"),
        ("counter", "5", "123456789012345678901234567"),
        ("huge", SMALLEST, LARGEST),
        ("endless", None, None),
        ("share", "0.1", "1.6777216e+07"),
        ("ratio", "0.1", "1e+300"),
        ("document.id", "-98765432109876543", "12345678901234568"),
        ("document.size", "0.5", "1" + "0" * 160),
    ],
)
def test_the_smallest_and_the_largest_number_are_written_as_their_rows_are(
    profiles: dict[str, Profile], path: str, smallest: str | None, largest: str | None
) -> None:
    assert (profiles[path]["min_value"], profiles[path]["max_value"]) == (smallest, largest)


def test_each_value_finds_the_row_that_it_was_copied_from(
    connection: psycopg.Connection, profiles: dict[str, Profile]
) -> None:
    for name, (kind, _) in NUMBERS.items():
        if kind == "jsonb":
            continue
        copied = values(profiles[name]) | {
            profiles[name]["min_value"],
            profiles[name]["max_value"],
        } - {None}
        for value in copied:
            found = connection.execute(
                f"select distinct 1 from odd_numbers where {name} = cast(%s as {kind})".encode(),
                [value],
            )
            assert found.fetchall() == [(1,)], (name, value)


def test_a_number_that_no_double_holds_is_left_out_of_mean_and_quantiles_alone(
    profiles: dict[str, Profile],
) -> None:
    huge = profiles["huge"]
    assert (huge["value_count"], huge["distinct_count"], huge["mean"]) == (3, 3, 2)
    assert json.loads(huge["quantiles"])[0::20] == [0, 4]
    assert profiles["document.size"]["mean"] == 1.25
    assert profiles["document.big"]["mean"] == 2


@pytest.mark.parametrize(
    ("path", "counts"), [("rate", {"1.5": 2, "2": 1}), ("document.rate", {"1.5": 2})]
)
def test_zeros_at_the_end_make_no_other_value(
    profiles: dict[str, Profile], path: str, counts: dict[str, int]
) -> None:
    found = {one["value"]: one["count"] for one in json.loads(profiles[path]["top_values"])}
    assert (found, profiles[path]["distinct_count"]) == (counts, len(counts))

"""Every DuckDB type in a real run, against values worked out by hand."""

import json
from pathlib import Path

import pytest
from msgspec import Struct

from linker.catalog.column_metadata import read_facts
from linker.catalog.read_catalog import Artifacts, read_catalog
from linker.config.target import Target
from linker.types import ColumnRef, TableRef
from linker.warehouses import open_warehouse
from tests.profile.runs import Row, Run, Warehouse


class TypedColumn(Struct, frozen=True):
    """Four rows: first value, second value, first again, null; `values` are both as text."""

    data_type: str
    first: str
    second: str
    kind: str
    values: tuple[str, str] | None
    min_value: str | None = None
    max_value: str | None = None


def ordered(data_type: str, kind: str, first: str, second: str) -> TypedColumn:
    """
    A column of which the second value is the smaller one, and both are written as they are shown.
    """
    return TypedColumn(data_type, f"'{first}'", f"'{second}'", kind, (first, second), second, first)


# 9 and 10, -5 and 3: as texts they are in another order.
PLAIN = (
    *(
        ordered(name, "integer", "10", "9")
        for name in ("tinyint", "smallint", "integer", "bigint", "hugeint")
    ),
    *(
        ordered(name, "integer", "10", "9")
        for name in ("utinyint", "usmallint", "uinteger", "ubigint", "uhugeint")
    ),
    ordered("hugeint", "integer", "3", "-170141183460469231731687303715884105728"),
    ordered("uhugeint", "integer", "340282366920938463463374607431768211455", "9"),
    ordered("decimal(12,0)", "integer", "10", "9"),
    ordered("decimal(12,2)", "number", "10.50", "9.00"),
    ordered("decimal(38,4)", "number", "10.0001", "-9.5000"),
    ordered("float", "number", "10.5", "-9.25"),
    ordered("double", "number", "10.5", "9.25"),
    ordered("varchar", "text", "b", "a"),
    ordered(
        "uuid",
        "text",
        "b0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
        "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
    ),
    ordered("date", "date", "2024-02-29", "1969-12-31"),
    ordered("time", "time", "10:00:00", "09:30:00.5"),
    ordered("time_ns", "time", "10:00:00", "09:30:00"),
    ordered("timestamp", "timestamp", "2024-02-29 10:00:00", "1969-12-31 23:59:59"),
    ordered("timestamp_s", "timestamp", "2024-02-29 10:00:00", "1969-12-31 23:59:59"),
    ordered("timestamp_ms", "timestamp", "2024-02-29 10:00:00.5", "1969-12-31 23:59:59"),
    ordered("timestamp_ns", "timestamp", "2024-02-29 10:00:00.123456789", "1969-12-31 23:59:59"),
    ordered("interval", "interval", "10 days", "9 days"),
    ordered("interval", "interval", "1 month", "25:00:00"),
    TypedColumn("boolean", "true", "false", "boolean", ("true", "false")),
    TypedColumn("bit", "'101'", "'0001'", "other", ("101", "0001")),
    TypedColumn("blob", "'ab'", "'c'", "binary", None),
    TypedColumn("geometry", "'POINT (1 2)'", "'POINT (0 0)'", "other", None),
    TypedColumn(
        "map(varchar, integer)", "map {'a': 1}", "map {'b': 2}", "other", ("{a=1}", "{b=2}")
    ),
    TypedColumn("union(n integer, t varchar)", "7", "'x'", "other", ("7", "x")),
)
# Not read as cells: they take a scan of their own.
OTHERS = (
    ordered("bignum", "text", "10", "9"),
    ordered("enum('small', 'Large')", "text", "Large", "small"),
    TypedColumn(
        "timetz",
        "'10:00:00+01'",
        "'09:30:00+00'",
        "time",
        ("10:00:00+01", "09:30:00+00"),
        "10:00:00+01",
        "09:30:00+00",
    ),
    # Values are those at the paths inside, and here of the elements of a list.
    TypedColumn("json", "'[10]'", "'[9]'", "json", ("10", "9")),
    TypedColumn("json", "'{\"n\": 10}'", "'{\"n\": 9}'", "json", None),
    TypedColumn("variant", "[10]::variant", "[9]::variant", "json", ("10", "9")),
    TypedColumn("variant", "{'n': 10}::variant", "{'n': 9}::variant", "json", None),
    TypedColumn("struct(n integer)", "{'n': 10}", "{'n': 9}", "struct", None),
    TypedColumn("integer[]", "[10]", "[9]", "list", ("10", "9")),
    TypedColumn("integer[1]", "[10]", "[9]", "list", ("10", "9")),
    TypedColumn("integer[][]", "[[10]]", "[[9], []]", "list", ("10", "9")),
    TypedColumn("integer[1][1]", "[[10]]", "[[9]]", "list", ("10", "9")),
    TypedColumn("enum('b', 'a')[]", "['b']", "['a']", "list", ("b", "a")),
    TypedColumn(
        "interval[]", "[interval 10 days]", "[interval 9 days]", "list", ("10 days", "9 days")
    ),
    TypedColumn("bit[]", "['101']", "['01']", "list", ("101", "01")),
    TypedColumn("decimal(4,2)[][]", "[[1.5]]", "[[2]]", "list", ("1.50", "2.00")),
)
TABLES = {"as_cells": PLAIN, "alone": (*PLAIN, *OTHERS)}


def named(columns: tuple[TypedColumn, ...]) -> dict[str, TypedColumn]:
    """The columns by name, in their order."""
    return {f"c{place}": column for place, column in enumerate(columns)}


def fill(columns: tuple[TypedColumn, ...], table: str) -> str:
    """The statements that make a table."""
    types = ", ".join(f"{name} {column.data_type}" for name, column in named(columns).items())
    first = ", ".join(f"cast({column.first} as {column.data_type})" for column in columns)
    second = ", ".join(f"cast({column.second} as {column.data_type})" for column in columns)
    nulls = ", ".join(["null"] * len(columns))
    return f"create table {table} ({types}); insert into {table} values ({first}), ({second}), ({first}), ({nulls});"


def worked_out(column: TypedColumn) -> Row:
    """What a profile has to say."""
    kind, values = column.kind, column.values
    return {
        "value_kind": kind,
        "value_count": 3,
        "distinct_count": 2 if values else None,
        "top_values": [{"value": values[0], "count": 2}, {"value": values[1], "count": 1}]
        if values
        else None,
        "min_value": column.min_value,
        "max_value": column.max_value,
    }


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """A file with every type."""
    made = Warehouse(Path(tmp_path_factory.mktemp("types")))
    for table, columns in TABLES.items():
        made.execute(fill(columns, table))
    made.execute(
        "create table parcels (state enum('open', 'Sent', 'it''s lost'), secret enum('a', 'b'), mood enum('x', 'y'));"
        "create table sent as from parcels; insert into sent values ('Sent', 'a', 'x')"
    )
    return made


@pytest.fixture(scope="module")
def profiled(warehouse: Warehouse) -> Run:
    """What a run left there."""
    return warehouse.profile(
        {"show_columns": ["*"], "hide_columns": ["*.secret"], "mask_columns": ["*.mood"]}
    )


@pytest.mark.parametrize("table", TABLES)
def test_every_type_is_profiled_as_worked_out_by_hand(profiled: Run, table: str) -> None:
    wrong = {}
    for name, column in named(TABLES[table]).items():
        scan = profiled.scan(table, name)
        found = {key: scan[key] for key in worked_out(column)}
        found["top_values"] = json.loads(found["top_values"]) if found["top_values"] else None
        if found != worked_out(column):
            wrong[name, column.data_type] = found, worked_out(column)
    assert wrong == {}


def test_labels_that_no_row_holds_are_known_where_values_may_be_shown(
    warehouse: Warehouse, profiled: Run
) -> None:
    assert profiled.report.failures == ()
    opened = open_warehouse(
        Target("shop", "dev", "duckdb", "main", warehouse.folder, {"path": str(warehouse.path)})
    )
    try:
        artifacts = Artifacts(opened, "main_linker")
        facts = read_facts(artifacts, read_catalog(artifacts))
    finally:
        opened.close()
    known = {
        (table, column): facts.get(ColumnRef(TableRef("main", table), column)).values
        for table in ("parcels", "sent")
        for column in ("state", "secret", "mood")
    }
    assert known["parcels", "state"] == ("open", "Sent", "it's lost")
    assert known["sent", "state"] == ("Sent", "open", "it's lost")
    assert not any(
        known[table, column] for table in ("parcels", "sent") for column in ("secret", "mood")
    )

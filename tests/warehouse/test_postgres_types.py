"""Every Postgres type in a real run, against values worked out by hand."""

import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import yaml
from msgspec import Struct

from tests.warehouse.project import run_dbt
from tests.warehouse.servers import start

TYPES = """
create schema shop;
create schema extensions;
-- As the extension makes it, which this server is without.
create type extensions.citext;
create function extensions.citextin(cstring) returns extensions.citext language internal immutable strict as 'textin';
create function extensions.citextout(extensions.citext) returns cstring language internal immutable strict as 'textout';
create type extensions.citext (
    input = extensions.citextin, output = extensions.citextout, internallength = variable, category = 'S'
);
create cast (extensions.citext as text) without function as implicit;
create cast (text as extensions.citext) without function as assignment;
create type shop.size as enum ('small', 'Large', 'it''s (huge)');
create domain shop.zip as integer check (value > 0);
create domain shop.price as numeric(12, 2);
create domain shop.net_price as shop.price not null;
create domain shop.fit as shop.size;
create domain shop.money_back as money;
create domain shop.tags as text[];
create type shop.part as (name text, size shop.fit);
create domain shop.whole as shop.part;
create type shop.span as range (subtype = numeric);
"""


class TypedColumn(Struct, frozen=True):
    """Four rows: first value, second value, first again, null; `values` are both as text."""

    data_type: str
    first: str
    second: str
    kind: str
    values: tuple[str, str] | None
    min_value: str = ""
    max_value: str = ""


def ordered(data_type: str, kind: str, first: str, second: str) -> TypedColumn:
    """
    A column of which the second value is the smaller one, and both are written as they are shown.
    """
    return TypedColumn(data_type, first, second, kind, (first, second), second, first)


def listed(data_type: str, kind: str, first: str, second: str) -> TypedColumn:
    """A column of values without an order."""
    return TypedColumn(data_type, first, second, kind, (first, second))


# 9 and 10, 10.0.0.9 and 10.0.0.10: as texts they are in another order.
COLUMNS = {
    "c_smallint": ordered("smallint", "integer", "10", "9"),
    "c_integer": ordered("integer", "integer", "10", "9"),
    "c_bigint": ordered("bigint", "integer", "9223372036854775807", "9"),
    "c_numeric": TypedColumn("numeric", "10.50", "9", "number", ("10.5", "9"), "9", "10.5"),
    "c_scaled": ordered("numeric(12, 2)", "number", "10.50", "9.00"),
    "c_whole": ordered("numeric(12, 0)", "integer", "10", "9"),
    "c_real": ordered("real", "number", "10.5", "9.25"),
    "c_double": ordered("double precision", "number", "10.5", "9.25"),
    "c_money": TypedColumn(
        "money", "$1,000.50", "$9.00", "number", ("1000.50", "9.00"), "9.00", "1000.50"
    ),
    "c_oid": ordered("oid", "integer", "100", "99"),
    "c_text": ordered("text", "text", "b", "a"),
    "c_varchar": ordered("varchar(9)", "text", "b", "a"),
    "c_character": ordered("character(3)", "text", "b", "a"),
    "c_char": ordered('"char"', "text", "b", "a"),
    "c_name": ordered("name", "text", "b", "a"),
    "c_citext": ordered("extensions.citext", "text", "b", "A"),
    "c_uuid": ordered(
        "uuid",
        "text",
        "b0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
        "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
    ),
    "c_inet": ordered("inet", "text", "10.0.0.10/32", "10.0.0.9/32"),
    "c_cidr": ordered("cidr", "text", "10.10.0.0/16", "10.9.0.0/16"),
    "c_macaddr": ordered("macaddr", "text", "08:00:2b:01:02:0a", "08:00:2b:01:02:03"),
    "c_macaddr8": ordered("macaddr8", "text", "08:00:2b:01:02:03:04:0a", "08:00:2b:01:02:03:04:05"),
    "c_boolean": listed("boolean", "boolean", "true", "false"),
    "c_date": ordered("date", "date", "2024-02-29", "1969-12-31"),
    "c_time": ordered("time(3)", "time", "10:00:00", "09:30:00.5"),
    # By the moment, not by its text: eight o'clock and half past nine.
    "c_timetz": ordered("timetz", "time", "09:30:00+00", "10:00:00+02"),
    "c_timestamp": ordered(
        "timestamp(3)", "timestamp", "2024-02-29 10:00:00", "1969-12-31 23:59:59"
    ),
    "c_interval": ordered("interval", "interval", "10 days", "9 days"),
    "c_hours": ordered("interval day to second", "interval", "10 days", "25:00:00"),
    "c_bit": listed("bit(3)", "other", "101", "001"),
    "c_varbit": listed("bit varying(8)", "other", "101", "0001"),
    "c_int4range": listed("int4range", "other", "[10,12)", "[9,10)"),
    "c_daterange": listed(
        "daterange", "other", "[2024-01-01,2024-02-01)", "[2023-01-01,2023-02-01)"
    ),
    "c_own_range": listed("shop.span", "other", "[1.5,2.5)", "[0.5,1.5)"),
    "c_multirange": listed("int4multirange", "other", "{[1,3),[5,7)}", "{[1,2)}"),
    "c_tsvector": listed("tsvector", "other", "'cat' 'dog'", "'rat':1"),
    "c_point": listed("point", "other", "(1,2)", "(0,0)"),
    "c_lsn": listed("pg_lsn", "other", "16/B374D848", "0/1"),
    "c_regtype": listed("regtype", "other", "integer", "text"),
    "c_bytea": TypedColumn("bytea", "ab", "c", "binary", None),
    "c_jsonb": TypedColumn("jsonb", '{"n": 10}', '{"n": 9}', "json", None),
    # In the order of the labels.
    "c_enum": ordered("shop.size", "text", "Large", "small"),
    "c_domain": ordered("shop.zip", "integer", "10", "9"),
    "c_domain_of_domain": ordered("shop.price", "number", "10.50", "9.00"),
    "c_domain_of_enum": ordered("shop.fit", "text", "Large", "small"),
    "c_domain_of_money": TypedColumn(
        "shop.money_back", "10.5", "9", "number", ("10.50", "9.00"), "9.00", "10.50"
    ),
    "c_domain_of_array": TypedColumn("shop.tags", "{b}", "{a,b}", "list", ("b", "a")),
    "c_composite": TypedColumn("shop.part", "(wheel,Large)", "(bolt,small)", "struct", None),
    "c_domain_of_composite": TypedColumn(
        "shop.whole", "(wheel,Large)", "(bolt,small)", "struct", None
    ),
    "c_integers": TypedColumn("integer[]", "{10}", "{9}", "list", ("10", "9")),
    "c_matrix": TypedColumn("integer[][]", "{{10}}", "{{9}}", "list", ("10", "9")),
    "c_enums": TypedColumn("shop.size[]", "{Large}", "{small}", "list", ("Large", "small")),
    "c_moneys": TypedColumn("money[]", "{$10.50}", "{$9.25}", "list", ("10.5", "9.25")),
    "c_oids": TypedColumn("oid[]", "{100}", "{99}", "list", ("100", "99")),
    "c_inets": TypedColumn(
        "inet[]", "{10.0.0.10}", "{10.0.0.9}", "list", ("10.0.0.10", "10.0.0.9")
    ),
    "c_ranges": TypedColumn(
        "int4range[]", '{"[10,12)"}', '{"[9,10)"}', "list", ("[10,12)", "[9,10)")
    ),
}
MEASURES = ("value_kind", "value_count", "distinct_count", "min_value", "max_value", "top_values")
EMPTY = "create table shop.parcels (size shop.size, sizes shop.size[], fit shop.fit, price shop.net_price);"
# A family of which not all members have all columns.
TRIPS = """
create table shop.trips_2023 (
    id integer, a text, b text, c text, d text, size shop.size, fit shop.fit, sizes shop.size[], part shop.part
);
create table shop.trips_2024 (id integer, a text, b text, c text, d text);
create table shop.trips_2025 (like shop.trips_2023);
insert into shop.trips_2023 (id, size, fit, sizes, part) values (1, 'small', 'small', '{small}', row('a', 'small'));
insert into shop.trips_2024 values (2);
insert into shop.trips_2025 (id, size, fit) values (3, 'Large', 'Large');
"""


# Servers compile long statements by default, which takes longer than running them.
COMPILING = """
alter role postgres set jit = on;
create view shop.settings as select current_setting('jit') as jit from generate_series(1, 3);
"""


def filled() -> str:
    """The statements that make a table of these columns."""
    names = ", ".join(f"{name} {column.data_type}" for name, column in COLUMNS.items())
    rows = []
    for place in ("first", "second", "first"):
        rows.append(
            ", ".join(
                f"cast($q${getattr(column, place)}$q$ as {column.data_type})"
                for column in COLUMNS.values()
            )
        )
    nulls = ", ".join(["null"] * len(COLUMNS))
    values = ", ".join(f"({row})" for row in (*rows, nulls))
    return f"create table shop.types ({names}); insert into shop.types values {values};"


def worked_out(column: TypedColumn) -> dict[str, object]:
    """
    What a profile has to say; an element of a list that another row holds too is counted in each.
    """
    counted = dict.fromkeys(column.values or (), 1)
    if column.values:
        counted[column.values[0]] = 2
    if column.data_type == "shop.tags":
        counted["b"] = 3
    return {
        "value_kind": column.kind,
        "value_count": "3",
        "distinct_count": "2" if column.values else "",
        "min_value": column.min_value,
        "max_value": column.max_value,
        "top_values": counted,
    }


@pytest.fixture(scope="module")
def artifacts(checkout: Path) -> Iterator[dict[str, dict[str, dict[str, str]]]]:
    """Rows for `types` and `parcels` by profile table and column."""
    with TemporaryDirectory(prefix="linker-types-") as own, start("postgres", Path(own)) as server:
        server.execute(TYPES + filled() + EMPTY + TRIPS + COMPILING)
        folder = Path(own)
        _write(folder / "packages.yml", {"packages": [{"local": str(checkout)}]})
        variables = {"linker": {"show_columns": ["*"]}}
        _write(
            folder / "dbt_project.yml",
            {"name": "types", "profile": "types", "config-version": 2, "vars": variables},
        )
        host = next(iter(server.environment.values()))
        target = {
            "type": "postgres",
            "host": host,
            "port": 5432,
            "user": "postgres",
            "password": "",
            "threads": 2,
        }
        target |= {"dbname": "warehouse", "schema": "analytics"}
        _write(folder / "profiles.yml", {"types": {"target": "dev", "outputs": {"dev": target}}})
        run_dbt(folder, "deps")
        run_dbt(folder, "run", "--select", "package:linker")
        found = {}
        for artifact, columns in {
            "linker_scans": MEASURES,
            "linker_columns": ("data_type", "is_nullable"),
        }.items():
            selected = ", ".join(f"cast({column} as text)" for column in columns)
            rows = server.fetch(
                f"select table_name || '.' || column_path, {selected} from analytics_linker.{artifact}"
            )
            found[artifact] = {path: dict(zip(columns, row, strict=True)) for path, *row in rows}
        yield found


def test_every_type_is_profiled_as_worked_out_by_hand(
    artifacts: dict[str, dict[str, dict[str, str]]],
) -> None:
    wrong = {}
    for name, column in COLUMNS.items():
        found: dict[str, object] = dict(artifacts["linker_scans"][f"types.{name}"])
        found["top_values"] = {
            one["value"]: one["count"] for one in json.loads(str(found["top_values"] or "[]"))
        }
        if found != worked_out(column):
            wrong[name] = found, worked_out(column)
    assert wrong == {}


def test_a_scan_is_not_compiled(artifacts: dict[str, dict[str, dict[str, str]]]) -> None:
    assert artifacts["linker_scans"]["settings.jit"]["min_value"] == "off"


def test_columns_of_some_members_of_a_family_are_measured_whatever_their_type(
    artifacts: dict[str, dict[str, dict[str, str]]],
) -> None:
    scans = artifacts["linker_scans"]
    ends = {
        name: (scans[f"trips_*.{name}"]["min_value"], scans[f"trips_*.{name}"]["max_value"])
        for name in ("size", "fit", "part.size")
    }
    assert ends == {
        "size": ("small", "Large"),
        "fit": ("small", "Large"),
        "part.size": ("small", "small"),
    }
    assert json.loads(scans["trips_*.sizes"]["top_values"])[0]["value"] == "small"


def test_an_enumeration_is_spelled_by_its_labels_and_a_domain_by_what_it_is_made_of(
    artifacts: dict[str, dict[str, dict[str, str]]],
) -> None:
    labels = "enum('small', 'Large', 'it''s (huge)')"
    types = {
        path: (row["data_type"], row["is_nullable"])
        for path, row in artifacts["linker_columns"].items()
    }
    assert types["parcels.size"] == types["parcels.fit"] == (labels, "true")
    assert types["parcels.sizes"] == (f"{labels}[]", "true")
    assert types["parcels.price"] == ("numeric(12,2)", "false")
    assert types["types.c_domain_of_composite"][0] == "struct<shop.part>"
    assert types["types.c_domain_of_composite.size"][0] == labels


def _write(path: Path, content: dict[str, object]) -> None:
    path.write_text(yaml.safe_dump(content), "utf-8")

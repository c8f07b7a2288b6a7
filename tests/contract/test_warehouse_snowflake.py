"""Snowflake beyond the common contract, as far as the emulator allows."""

import datetime
from collections.abc import Callable, Iterator
from decimal import Decimal

import pytest
from msgspec.structs import replace

from linker.errors import WarehouseError
from linker.warehouses import Warehouse, open_warehouse
from linker.warehouses.base import Bounds
from tests.contract.recording_proxy import recorded
from tests.contract.warehouses import Running, running

SETUP = """
create table shop.events (happened_at timestamp_ntz, day date, payload variant, share double, is_gift boolean);
insert into shop.events
select '2024-02-29 12:30:00'::timestamp_ntz, '2024-02-29'::date, parse_json('{"a": [1, null]}'), 0.5, true;
create table shop."Mixed Case" (id int);
"""


@pytest.fixture(scope="module")
def place(
    tmp_path_factory: pytest.TempPathFactory,
    artifact_statements: Callable[[str, str], Iterator[str]],
) -> Iterator[Running]:
    with running("snowflake", tmp_path_factory.mktemp("snowflake"), artifact_statements) as started:
        started.server.execute(SETUP)
        yield started


@pytest.fixture(scope="module")
def warehouse(place: Running) -> Iterator[Warehouse]:
    opened = open_warehouse(place.target)
    yield opened
    opened.close()


def test_values_come_back_as_their_python_types(warehouse: Warehouse) -> None:
    [row] = warehouse.query(
        "select happened_at, day, share, is_gift, 1.5::number(3, 1), null from shop.events"
    )
    assert row == (
        datetime.datetime(2024, 2, 29, 12, 30),
        datetime.date(2024, 2, 29),
        0.5,
        True,
        Decimal("1.5"),
        None,
    )
    assert [type(value) for value in row[2:5]] == [float, bool, Decimal]


@pytest.mark.parametrize("seconds", [7, 120])
def test_every_statement_is_signed_and_tells_snowflake_when_to_end_it(
    place: Running, seconds: int
) -> None:
    with recorded(int(str(place.target.options["port"]))) as server:
        options = {**place.target.options, "port": server.server_port, "query_tag": "of the target"}
        opened = open_warehouse(replace(place.target, options=options))
        assert opened.query("select count(*) from shop.events", (), Bounds(seconds=seconds)) == [
            (1,)
        ]
        opened.close()
        [asked] = [body for body in server.bodies if "from shop.events" in str(body.get("sqlText"))]
    assert asked["parameters"]["STATEMENT_TIMEOUT_IN_SECONDS"] == seconds
    assert asked["parameters"]["MULTI_STATEMENT_COUNT"] == 1
    # By its end the history distinguishes it from other statements, whatever the target's own tag
    # is.
    assert asked["sqlText"].endswith("/* dbt-linker */")


def test_paths_into_semi_structured_values_are_read(warehouse: Warehouse) -> None:
    assert warehouse.query("select payload:a[0]::int from shop.events") == [(1,)]


def test_names_are_found_in_lower_case_and_written_as_they_are(warehouse: Warehouse) -> None:
    found = warehouse.relations("shop")
    assert found["orders"] == '"SHOP"."ORDERS"'
    assert found["mixed case"] == '"SHOP"."Mixed Case"'
    assert warehouse.query(f"select count(*) from {found['mixed case']}") == [(0,)]


@pytest.mark.parametrize("options", [{"host": "127.0.0.1"}, {"host": "no-such-host.invalid"}])
def test_what_cannot_be_reached_is_one_line_that_names_the_target_and_no_password(
    place: Running, closed_port: int, options: dict[str, object]
) -> None:
    told = {
        **place.target.options,
        **options,
        "port": closed_port,
        "password": "s3cret",
        "connect_timeout": 1,
    }
    with pytest.raises(WarehouseError, match="target `snowflake` cannot be opened") as caught:
        open_warehouse(replace(place.target, options=told))
    assert "\n" not in caught.value.what
    assert "s3cret" not in f"{caught.value.what} {caught.value.hint}"

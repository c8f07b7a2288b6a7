"""A materialized view that was never populated is left out, and scanned once it is."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from tests.refresh.test_drop_protection import PostgresShop
from tests.warehouse.servers import postgres

SETUP = """
    create role etl login; grant create on database warehouse to etl; create schema stock;
    create table stock.items as select 1 as item_id, 'one' as item_name;
    create materialized view stock.names as select item_name from stock.items with no data;
    grant usage on schema stock to etl;
    grant select on all tables in schema stock to etl
"""
LEFT_OUT = "stock.names was left out: this materialized view was never populated"


def refresh(shop: PostgresShop) -> tuple[dict[str, Any], str]:
    """The record of a refresh without failures, and what it said."""
    done = shop.run("refresh", "--format", "json")
    assert done.returncode == 0, done.stderr
    record: dict[str, Any] = json.loads(done.stdout)
    assert record["failed"] == 0
    return record, done.stderr


def test_it_is_no_failure_in_any_run_and_is_scanned_after_its_first_refresh(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with (
        TemporaryDirectory(prefix="linker-unpopulated-") as folder,
        postgres.start(tmp_path_factory.mktemp("server")) as server,
    ):
        shop = PostgresShop(Path(folder), server.url)
        shop.connect()
        shop.execute(SETUP)
        for number in range(2):
            shop.execute(f"insert into stock.items values ({number}, 'another')")
            record, stderr = refresh(shop)
            assert (record["scanned"], record["left_out"]) == (1, 1)
            assert LEFT_OUT in stderr
        shop.execute("refresh materialized view stock.names")
        record, stderr = refresh(shop)
        assert (record["scanned"], record["left_out"]) == (1, 0)
        assert LEFT_OUT not in stderr

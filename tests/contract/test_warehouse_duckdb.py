"""DuckDB beyond the common contract: a valid file, locking, and no access to other files."""

import datetime
import shutil
import subprocess
import sys
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest

from linker.config.target import Target
from linker.errors import WarehouseError
from linker.warehouses import Warehouse, open_warehouse
from linker.warehouses.base import Bounds

HOLDS_IT_OPEN = """
import sys, duckdb
connection = duckdb.connect(sys.argv[1])
print("open", flush=True)
sys.stdin.readline()
"""

WRITES = """
import sys, duckdb
with duckdb.connect(sys.argv[1]) as connection:
    connection.execute("insert into shop.orders values (4, 40.25, 'written by another process')")
"""

DIES_WHILE_WRITING = """
import os, sys, duckdb
connection = duckdb.connect(sys.argv[1])
connection.execute("insert into shop.orders values (5, 50.25, 'not checkpointed')")
os._exit(0)
"""


def target_of(path: Path, name: str = "production") -> Target:
    return Target("p", name, "duckdb", "shop", path.parent, {"path": str(path)})


def run(script: str, file: Path) -> None:
    subprocess.run([sys.executable, "-c", script, str(file)], check=True)


@pytest.fixture(scope="module")
def pristine_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pristine") / "warehouse.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("create schema shop")
        connection.execute(
            "create table shop.orders (id bigint, amount decimal(10, 2), note varchar)"
        )
        connection.execute(
            "insert into shop.orders values (1, 10.25, 'first'), (2, 20.50, 'größe'), (3, null, null)"
        )
    return path


@pytest.fixture
def file(pristine_file: Path, tmp_path: Path) -> Path:
    """A warehouse of one table, and a file beside it that is none of a session's business."""
    (tmp_path / "beside.csv").write_text("secret\n42\n", "utf-8")
    return Path(shutil.copy(pristine_file, tmp_path / "warehouse.duckdb"))


@pytest.fixture
def warehouse(file: Path) -> Iterator[Warehouse]:
    opened = open_warehouse(target_of(file))
    yield opened
    opened.close()


VALUES = (
    ("true", True),
    ("170141183460469231731687303715884105727::hugeint", 2**127 - 1),
    ("0.5::double", 0.5),
    ("1.10::decimal(5, 2)", Decimal("1.10")),
    ("date '2024-02-29'", datetime.date(2024, 2, 29)),
    ("timestamp '2024-02-29 12:30:00.5'", datetime.datetime(2024, 2, 29, 12, 30, 0, 500_000)),
    ("interval 90 minute", datetime.timedelta(minutes=90)),
    ("'a''b'", "a'b"),
    ("'\\x00\\xFF'::blob", b"\x00\xff"),
    ("[1, 2, null]", [1, 2, None]),
    ("{'a': 1, 'b': {'c': 'x'}}", {"a": 1, "b": {"c": "x"}}),
    ("[{'k': 'v'}]", [{"k": "v"}]),
    ("null", None),
)


def test_values_come_back_as_their_python_types(warehouse: Warehouse) -> None:
    other = {}
    for expression, expected in VALUES:
        [[value]] = warehouse.query(f"select {expression}")
        if (value, type(value)) != (expected, type(expected)):
            other[expression] = value
    assert other == {}


def test_parameters_may_be_lists_and_decimals(warehouse: Warehouse) -> None:
    assert warehouse.query(
        "select ?, ?::date, ?, ?", [None, "2024-01-31", ["a", "b"], Decimal("1.5")]
    ) == [(None, datetime.date(2024, 1, 31), ["a", "b"], Decimal("1.5"))]


@pytest.mark.parametrize(
    "statement",
    [
        "from shop.orders select count(*) - 1",
        "values (2)",
    ],
)
def test_every_way_to_write_a_query_is_answered(warehouse: Warehouse, statement: str) -> None:
    assert warehouse.query(statement) == [(2,)]


def test_a_statement_that_takes_longer_than_its_bounds_is_stopped_and_the_session_answers_on(
    warehouse: Warehouse,
) -> None:
    slow = (
        "select count(*) from range(1000000) as a(x), range(1000000) as b(y) where a.x + b.y = -1"
    )
    with pytest.raises(WarehouseError, match="longer than 1 seconds"):
        warehouse.query(slow, (), Bounds(seconds=1))
    assert warehouse.query("select 1") == [(1,)]


MORE_THAN_READING = (
    "create table shop.more (id int)",
    "create temporary table more (id int)",
    "create temporary view orders as select 1 as id",
    "create or replace temporary macro sum(x) as 0",
    "insert into shop.orders values (9, 9, 'x')",
    "update shop.orders set id = 0",
    "delete from shop.orders",
    "merge into shop.orders using (select 1 as id) as more using (id) when matched then delete",
    "with gone as (select 1) delete from shop.orders",
    "drop table shop.orders",
    "alter table shop.orders add column more int",
    "comment on table shop.orders is 'x'",
    "attach ':memory:' as other",
    "attach '{folder}/warehouse.duckdb' as again",
    "attach '{folder}/other.duckdb' as other",
    "detach warehouse",
    "copy shop.orders to '{folder}/out.csv'",
    "copy (select 1) to '{folder}/out.parquet' (format parquet)",
    "copy shop.orders from '{folder}/beside.csv'",
    "export database '{folder}/out'",
    "import database '{folder}'",
    "set threads = 1",
    "set enable_external_access = true",
    "set lock_configuration = false",
    "reset enable_external_access",
    "set variable x = 1",
    "pragma threads = 1",
    "use main",
    "install httpfs",
    "load httpfs",
    "create secret (type s3)",
    "begin",
    "prepare p as select 1",
    "checkpoint",
    "select 1; create temporary table more (id int)",
    "select 1; select 2",
    "explain analyze insert into shop.orders values (9, 9, 'x')",
    "",
    "-- only a comment",
    "selec 1",
)


def test_a_statement_that_does_more_than_read_is_refused_and_leaves_nothing(
    warehouse: Warehouse, file: Path
) -> None:
    before = {path.name for path in file.parent.iterdir()}
    passed = []
    for statement in MORE_THAN_READING:
        try:
            warehouse.query(statement.replace("{folder}", str(file.parent)))
        except WarehouseError:
            pass
        else:
            passed.append(statement)
        assert {path.name for path in file.parent.iterdir()} == before, statement
        assert warehouse.query("select sum(id), count(*) from shop.orders") == [(6, 3)], statement
        with pytest.raises(WarehouseError):
            warehouse.query("select * from read_text(?)", [str(file.parent / "beside.csv")])
    assert passed == []


@pytest.mark.parametrize(
    "source",
    [
        "read_csv('{folder}/beside.csv')",
        "read_text('{folder}/beside.csv')",
        "read_blob('{folder}/beside.csv')",
        "read_json('{folder}/beside.csv')",
        "read_parquet('{folder}/beside.csv')",
        "sniff_csv('{folder}/beside.csv')",
        "'{folder}/beside.csv'",
        "glob('{folder}/*')",
        "glob('/*')",
        "read_text('/etc/hostname')",
        "'http://127.0.0.1:1/beside.csv'",
    ],
)
def test_files_beside_the_warehouse_cannot_be_read(
    warehouse: Warehouse, file: Path, source: str
) -> None:
    with pytest.raises(WarehouseError) as caught:
        warehouse.query("select * from " + source.replace("{folder}", str(file.parent)))
    assert "42" not in str(caught.value).replace(str(file.parent), "")


def test_a_file_that_another_process_writes_to_is_named(file: Path) -> None:
    command = [sys.executable, "-c", HOLDS_IT_OPEN, str(file)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout
        assert writer.stdout.readline() == "open\n"
        with pytest.raises(WarehouseError, match="open for writing in another process") as caught:
            open_warehouse(target_of(file))
        assert str(file) in str(caught.value)
        writer.communicate("end\n")
    open_warehouse(target_of(file)).close()


def test_a_file_that_this_process_writes_to_is_named(file: Path) -> None:
    with duckdb.connect(str(file)), pytest.raises(WarehouseError) as caught:
        open_warehouse(target_of(file))
    assert str(file) in str(caught.value)


def test_once_it_is_closed_another_process_can_write(file: Path) -> None:
    first = open_warehouse(target_of(file))
    assert first.query("select count(*) from shop.orders") == [(3,)]
    first.close()
    run(WRITES, file)
    second = open_warehouse(target_of(file))
    assert second.query("select note from shop.orders where id = 4") == [
        ("written by another process",)
    ]
    second.close()


def test_what_a_writer_that_died_left_in_its_log_is_read(file: Path) -> None:
    run(DIES_WHILE_WRITING, file)
    assert file.with_name(file.name + ".wal").exists()
    warehouse = open_warehouse(target_of(file))
    assert warehouse.query("select note from shop.orders where id = 5") == [("not checkpointed",)]
    warehouse.close()


@pytest.mark.parametrize(
    ("name", "hint"), [("demo", "linker demo"), ("production", "profiles.yml")]
)
def test_a_file_that_is_missing_is_named_and_not_made(tmp_path: Path, name: str, hint: str) -> None:
    path = tmp_path / "absent.duckdb"
    with pytest.raises(WarehouseError, match="no DuckDB file") as caught:
        open_warehouse(target_of(path, name))
    assert str(path) in str(caught.value)
    assert hint in caught.value.hint
    assert not path.exists()


def test_a_target_without_a_path_is_a_warehouse_error(tmp_path: Path) -> None:
    pathless = Target(
        profile="p", name="n", kind="duckdb", schema="shop", profiles_dir=tmp_path, options={}
    )
    with pytest.raises(WarehouseError):
        open_warehouse(pathless)


@pytest.mark.parametrize("damage", ["text", "empty", "cut short", "one byte wrong"])
def test_a_file_that_is_no_whole_duckdb_file_is_named(file: Path, damage: str) -> None:
    content = file.read_bytes()
    damaged = {
        "text": b"id,amount\n" * 1000,
        "empty": b"",
        "cut short": content[:8000],
        "one byte wrong": content[:12] + bytes([content[12] ^ 1]) + content[13:],
    }
    file.write_bytes(damaged[damage])
    with pytest.raises(WarehouseError, match="cannot be opened") as caught:
        open_warehouse(target_of(file))
    assert str(file) in str(caught.value)
    assert "DuckDB file" in caught.value.hint

"""Suites with rows: SQLite files loaded into DuckDB and profiled."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import duckdb
import pytest
from msgspec.structs import replace

from benchmarks.suites.databases import SuiteColumn, SuiteDatabase, SuiteTable
from benchmarks.suites.environments import FiledDatabase
from benchmarks.suites.rows import ProfiledRows, prepare_rows, profile_rows
from benchmarks.suites.sqlite_rows import copy_database
from linker.catalog.column_metadata import KeyPair
from linker.config.settings import load_settings
from linker.errors import ConfigError
from linker.evaluation import Suite
from linker.types import TableRef
from linker.warehouses import open_warehouse


def sqlite_file(path: Path, *statements: str | tuple[str, Sequence[Sequence[object]]]) -> Path:
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            if isinstance(statement, str):
                connection.execute(statement)
            else:
                connection.executemany(*statement)
        connection.commit()
    return path


def copied(path: Path, *tables: SuiteTable) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    copy_database(connection, SuiteDatabase("shop", "sqlite", tables, (), path), "shop")
    return connection


@pytest.mark.parametrize(
    ("declared", "values", "data_type", "kept"),
    [
        ("INT", [1, None, -3], "BIGINT", [1, None, -3]),
        ("INTEGER", [1, 2.5], "DOUBLE", [1.0, 2.5]),
        ("INTEGER", [1, "many"], "VARCHAR", ["1", "many"]),
        ("INTEGER", [1, ""], "VARCHAR", ["1", ""]),
        ("YEAR", [1999], "BIGINT", [1999]),
        ("REAL", [1.5, 2], "DOUBLE", [1.5, 2.0]),
        ("float", [1e300], "DOUBLE", [1e300]),
        ("bool", [0, 1], "BOOLEAN", [False, True]),
        ("BOOLEAN", [0, 7], "BIGINT", [0, 7]),
        ("DATE", ["2024-02-29", None], "DATE", None),
        ("DATE", ["2024-02-29 10:00:00"], "TIMESTAMP", None),
        ("DATE", ["29 February 2024"], "VARCHAR", ["29 February 2024"]),
        ("datetime", ["2024-02-29 10:00:00", "2024-02-29"], "TIMESTAMP", None),
        ("DECIMAL(8,2)", [1.25], "DECIMAL(8,2)", None),
        ("DECIMAL(8, 1)", [1.25], "DOUBLE", [1.25]),
        ("NUMERIC", [1.25], "DOUBLE", [1.25]),
        ("VARCHAR(9)", ["007", "a\n\"b'", "ü"], "VARCHAR", ["007", "a\n\"b'", "ü"]),
        ("CHAR", [1.0], "VARCHAR", ["1.0"]),
        ("", ["a", 1], "VARCHAR", ["a", "1"]),
        ("BLOB", [b"\x00\xff"], "BLOB", [b"\x00\xff"]),
        ("TEXT", [b"\x01", "a"], "VARCHAR", ["01", "a"]),
        ("JSON", ['{"a": 1}'], "JSON", ['{"a": 1}']),
        ("INT", [], "BIGINT", []),
    ],
)
def test_a_column_gets_the_declared_type_where_all_values_fit_it(
    tmp_path: Path, declared: str, values: list[object], data_type: str, kept: list[object] | None
) -> None:
    path = sqlite_file(
        tmp_path / "shop.sqlite",
        f'create table "a table" (n integer, "a ""column""" {declared})',
        ('insert into "a table" values (?, ?)', list(enumerate(values))),
    )
    connection = copied(path)
    assert connection.execute('describe shop."a table"').fetchall()[1][:2] == (
        'a "column"',
        data_type,
    )
    rows = connection.execute('from shop."a table" order by n').fetchall()
    if kept is not None:
        assert [row[1] for row in rows] == kept
    assert len(rows) == len(values)


def test_text_that_is_not_utf8_is_read_as_western(tmp_path: Path) -> None:
    path = sqlite_file(
        tmp_path / "shop.sqlite",
        "create table t (a text)",
        "insert into t select cast(x'5a6fe9' as text)",
    )
    assert copied(path).execute("from shop.t").fetchall() == [("Zoé",)]


def test_what_the_suite_says_becomes_comments(tmp_path: Path) -> None:
    path = sqlite_file(tmp_path / "shop.sqlite", 'create table Orders (Id int, "a.b" text)')
    columns = (SuiteColumn("id", "int", "the order's number"), SuiteColumn('"a.b"', "text", "odd"))
    connection = copied(path, SuiteTable(TableRef("main", "orders"), columns, "what was bought"))
    found = connection.execute(
        "select column_name, comment from duckdb_columns() where schema_name = 'shop'"
    ).fetchall()
    assert found == [("Id", "the order's number"), ("a.b", "odd")]
    assert connection.execute("select comment from duckdb_tables()").fetchall() == [
        ("what was bought",)
    ]


def test_a_file_that_is_no_sqlite_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "shop.sqlite"
    path.write_bytes(b"no database at all, whatever its name says" * 10)
    with pytest.raises(ConfigError, match=r"shop\.sqlite cannot be read as SQLite"):
        copied(path)


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    folder = tmp_path_factory.mktemp("suite")
    orders = [(f"orders_{year}", [(1, "paid"), (2, "open"), (3, "paid")]) for year in (2023, 2024)]
    path = sqlite_file(
        folder / "shop.sqlite",
        *(f"create table {name} (id integer, state text)" for name, _ in orders),
        *((f"insert into {name} values (?, ?)", rows) for name, rows in orders),
    )
    other = sqlite_file(folder / "other.sqlite", "create table orders_2024 (id integer)")
    columns = (SuiteColumn("id", "integer"), SuiteColumn("State", "text", "paid or open"))
    tables = tuple(
        SuiteTable(TableRef("main", name), columns)
        for name in ("orders_2023", "Orders_2024", "gone")
    )
    key = KeyPair(tables[0].ref, ("id",), tables[1].ref, ("id",))
    return Suite(
        "spider1",
        (
            SuiteDatabase("my.shop", "sqlite", tables, (key,), path),
            SuiteDatabase("my_SHOP", "sqlite", tables[1:2], (), other),
            SuiteDatabase("without rows", "sqlite", tables),
        ),
        (),
    )


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("state")


@pytest.fixture(scope="module")
def profiled(suite: Suite, state: Path) -> ProfiledRows:
    return profile_rows(suite, state)


def test_every_database_with_rows_is_profiled_in_a_schema_of_its_own(
    profiled: ProfiledRows,
) -> None:
    shop, other = profiled.databases
    assert profiled.failures == ()
    assert (shop.name, shop.dialect, other.name) == ("my.shop", "sqlite", "my_SHOP")
    [orders] = shop.catalog.tables
    assert (orders.ref, shop.catalog.physical_table_count) == (TableRef("my_shop", "orders_*"), 2)
    assert [(one.path, one.data_type, one.description) for one in orders.columns] == [
        ("id", "BIGINT", None),
        ("state", "VARCHAR", "paid or open"),
    ]
    assert [table.ref for table in other.catalog.tables] == [TableRef("my_SHOP_2", "orders_2024")]


def test_the_tables_of_the_suite_lead_to_those_of_the_warehouse(profiled: ProfiledRows) -> None:
    shop, _ = profiled.databases
    orders = TableRef("my_shop", "orders_*")
    assert shop.logical == {
        TableRef("main", "orders_2023"): orders,
        TableRef("main", "Orders_2024"): orders,
    }


def test_the_warehouse_can_be_asked(profiled: ProfiledRows) -> None:
    warehouse = open_warehouse(profiled.target)
    assert warehouse.query("select count(*) from my_shop.orders_2023") == [(3,)]
    warehouse.close()


def test_what_was_profiled_is_remembered(suite: Suite, state: Path, profiled: ProfiledRows) -> None:
    file = state / "evals" / "rows" / "spider1" / "warehouse.duckdb"
    before = file.stat().st_mtime_ns
    assert profile_rows(suite, state) == profiled
    assert file.stat().st_mtime_ns == before


def test_a_suite_without_rows_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no database of bird has rows"):
        profile_rows(Suite("bird", (), ()), tmp_path)


def test_a_suite_with_rows_is_linked_in_its_profiled_warehouse(
    suite: Suite, state: Path, profiled: ProfiledRows
) -> None:
    settings = load_settings(
        {"state_dir": state, "target": "prod", "artifacts_schema": "elsewhere"}, {}
    )
    prepared = prepare_rows(suite, settings, lambda _done, _due: None)
    assert prepared.databases == profiled.databases
    assert (prepared.settings.target, prepared.settings.artifacts_schema) == ("spider1", None)
    assert prepared.settings.profiles_dir == state / "evals" / "rows" / "spider1"


def test_where_no_rows_were_fetched_the_files_of_the_suite_are_the_catalogue(
    suite: Suite, state: Path
) -> None:
    settings = load_settings({"state_dir": state, "target": "prod"}, {})
    prepared = prepare_rows(
        replace(suite, databases=suite.databases[2:]), settings, lambda _done, _due: None
    )
    [database] = prepared.databases
    assert isinstance(database, FiledDatabase)
    assert (database.name, prepared.settings.target) == ("without rows", "prod")
    # The two years are a family, spelt as its newest member is.
    assert [str(table.ref) for table in database.catalog.tables] == ["main.Orders_*", "main.gone"]

"""Warehouses from entry points of other packages."""

from pathlib import Path

import pytest

from linker.config.target import Target
from linker.errors import ConfigError, GuardError
from linker.sql_policy.guard import Guard
from linker.sql_policy.visible_tables import KnownTable, KnownTables
from linker.types import TableRef
from linker.warehouses import dialect_of, open_warehouse, warehouse_names

MODULE = """
from pathlib import Path

from linker.warehouses.base.dialect import Dialect, ProbeFunctions, words

DIALECT = Dialect(
    name="redshift",
    unquoted_case="lower",
    probe_functions=ProbeFunctions(Path(__file__).with_name("redshift.yml")),
    pseudo_columns=words("oid"),
)


def open_target(target):
    import driver_of_nobody
"""
ORDERS = KnownTable(
    TableRef("shop", "orders"), ("orders",), {"order_id": "show", "status": "show", "token": "hide"}
)


def package(folder: Path, entry: str) -> None:
    """A package in a folder that Python imports from, with one entry point."""
    described = folder / "some_package-1.dist-info"
    described.mkdir()
    (described / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: some-package\nVersion: 1\n", "utf-8"
    )
    (described / "entry_points.txt").write_text(f"[linker.warehouses]\n{entry}\n", "utf-8")
    (folder / "redshift_for_linker.py").write_text(MODULE, "utf-8")
    (folder / "redshift.yml").write_text("names: count lower\n", "utf-8")


@pytest.fixture
def beside_linker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package(tmp_path, "redshift = redshift_for_linker")
    monkeypatch.syspath_prepend(str(tmp_path))


def target(kind: str) -> Target:
    return Target("p", "prod", kind, "shop", Path(), {"type": kind})


@pytest.mark.usefixtures("beside_linker")
def test_the_guard_knows_the_rules_of_a_warehouse_of_another_package() -> None:
    guard = Guard(KnownTables("redshift", (ORDERS,), "", "shop"))
    assert "count(*)" in guard.check("select Status, count(*) from orders group by 1").sql.lower()
    for sql, code in (
        ("select upper(status) from orders", "forbidden_function"),
        ("select nextval('s') from orders", "forbidden_function"),
        ("select token from orders", "hidden_column"),
    ):
        with pytest.raises(GuardError) as caught:
            guard.check(sql)
        assert caught.value.code == code


@pytest.mark.usefixtures("beside_linker")
def test_it_is_listed_after_those_that_ship_and_its_missing_driver_is_named() -> None:
    assert warehouse_names() == (
        "duckdb",
        "postgres",
        "snowflake",
        "bigquery",
        "spark",
        "databricks",
        "redshift",
    )
    with pytest.raises(ConfigError) as caught:
        open_warehouse(target("redshift"))
    assert (caught.value.what, caught.value.hint) == (
        "target `prod` needs the driver of redshift, which is not installed",
        "pip install driver_of_nobody",
    )


def test_what_ships_with_linker_cannot_be_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package(tmp_path, "duckdb = redshift_for_linker")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert dialect_of("duckdb").name == "duckdb"
    assert warehouse_names() == (
        "duckdb",
        "postgres",
        "snowflake",
        "bigquery",
        "spark",
        "databricks",
    )


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ("broken = nowhere_at_all", "No module named 'nowhere_at_all'"),
        ("broken = pathlib", "has no `DIALECT` and `open_target`"),
    ],
)
def test_a_package_that_is_not_whole_is_named_with_what_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, entry: str, reason: str
) -> None:
    package(tmp_path, entry)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ConfigError, match=reason) as caught:
        open_warehouse(target("broken"))
    assert "some-package" in caught.value.what


def test_a_warehouse_that_nobody_reads_is_named_with_those_that_are_read() -> None:
    with pytest.raises(ConfigError) as caught:
        open_warehouse(target("oracle"))
    assert (
        caught.value.what == "target `prod` is a oracle warehouse, which this version cannot read"
    )
    assert (
        caught.value.hint == "supported: duckdb, postgres, snowflake, bigquery, spark, databricks"
    )

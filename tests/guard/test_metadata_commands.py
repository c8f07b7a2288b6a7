"""Metadata commands pass in all dialects and show only visible objects."""

from collections.abc import Iterator
from contextlib import suppress

import pytest

from linker.errors import GuardError, WarehouseError
from linker.warehouses import Warehouse
from linker.warehouses.base.read_only import only_reading
from tests.guard.corpora import HOSTILE, METADATA_COMMANDS, of_dialect
from tests.guard.shops import duckdb_shop, postgres_shop
from tests.guard.test_guard import GUARDS
from tests.guard.warehouse import DIALECTS


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_statement_that_explores_passes_the_guard_and_the_session(dialect: str) -> None:
    for sql in of_dialect(METADATA_COMMANDS, dialect):
        assert only_reading(GUARDS[dialect].check(sql).sql, dialect), sql


def test_the_corpora_are_as_large_as_they_have_to_be() -> None:
    assert (
        len({sql for dialect in DIALECTS for sql in of_dialect(METADATA_COMMANDS, dialect)}) >= 250
    )
    assert len({sql for dialect in DIALECTS for sql in of_dialect(HOSTILE, dialect)}) >= 500


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_hostile_statement_is_refused_or_is_another_one_that_is_harmless(dialect: str) -> None:
    passed = []
    for sql in of_dialect(HOSTILE, dialect):
        with suppress(GuardError):
            passed.append(GUARDS[dialect].check(sql).sql.lower())
    # A column by a pattern, a row as its marks, a text in double quotes: both worlds show that
    # nothing is revealed.
    assert len(passed) <= 9
    assert not any("steal" in sql or "secrets" in sql or "read_" in sql for sql in passed)


@pytest.fixture(scope="module", params=["duckdb", "postgres"])
def shop(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Warehouse]:
    with (
        duckdb_shop(tmp_path_factory.mktemp("explore"))
        if request.param == "duckdb"
        else postgres_shop() as opened
    ):
        yield opened
        opened.close()


def test_every_statement_that_explores_runs_and_tells_nothing_private(shop: Warehouse) -> None:
    failed = []
    for sql in of_dialect(METADATA_COMMANDS, shop.dialect):
        try:
            told = str(shop.query(GUARDS[shop.dialect].check(sql).sql))
        except WarehouseError as error:
            failed.append((sql, str(error)))
            continue
        assert "SECRET" not in told, sql
        assert "ada@example.com" not in told, sql
    assert failed == []


def test_summarize_shows_marks_and_no_hidden_column() -> None:
    with pytest.raises(GuardError, match="no table secrets"):
        GUARDS["duckdb"].check("summarize secrets")
    assert "password_hash" not in GUARDS["duckdb"].check("summarize customers").sql


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("show tables like 'prod%'", [("products",)]),
        ("select name from (show tables) where name = 'orders' and schema = 'shop'", [("orders",)]),
        ("describe products", [("sku",), ("title",), ("category",), ("price",)]),
        ("show columns from shop.products", [("sku",), ("title",), ("category",), ("price",)]),
    ],
)
def test_names_are_those_of_the_warehouse(
    shop: Warehouse, sql: str, expected: list[tuple[str]]
) -> None:
    if "from (" in sql and shop.dialect == "postgres":
        return
    rows = shop.query(GUARDS[shop.dialect].check(sql).sql)
    assert [(row[2] if sql.startswith("show tables") else row[0],) for row in rows] == expected


@pytest.mark.parametrize(
    "sql",
    [
        "show variables",
        "show tables ->> delete from orders",
        "show tables; drop table orders",
        "describe 'x.csv'",
        "summarize read_csv('x')",
        "summarize orders; drop table orders",
        "show grants",
        "pragma database_list",
        "pivot customers on password_hash using count(*)",
        "unpivot customers on email into name k value v",
        "describe select password_hash from customers",
        "show tables limit 3",
        "show create table orders",
    ],
)
def test_what_only_looks_like_exploring_is_refused(sql: str) -> None:
    for dialect in DIALECTS:
        with pytest.raises(GuardError):
            GUARDS[dialect].check(sql)

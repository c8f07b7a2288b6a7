"""Statements through the guard in DuckDB and Postgres: limits and normalised cells."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from linker.budget import CostTracker
from linker.budget import Limits as Budget
from linker.errors import BudgetExceeded
from linker.linking.result import LinkedColumn, LinkedSchema, LinkedTable
from linker.sql.statements import Statements, used_columns
from linker.sql_policy.guard import Guard, ProbeLimits
from linker.types import Column, Columns, Table, TableRef
from linker.warehouses import Warehouse
from tests.guard.shops import duckdb_shop, postgres_shop
from tests.guard.test_guard import GUARDS


@dataclass
class Shop:
    """The parts that statements need."""

    session: Warehouse

    def guard_within(self, limits: ProbeLimits) -> Guard:
        return Guard(GUARDS[self.session.dialect]._known, limits)


@pytest.fixture(scope="module", params=["duckdb", "postgres"])
def warehouse(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Warehouse]:
    with (
        duckdb_shop(tmp_path_factory.mktemp("sql"))
        if request.param == "duckdb"
        else postgres_shop() as opened
    ):
        yield opened
        opened.close()


def statements(
    warehouse: Warehouse, rows: int = 10, probes: int | None = None, *, is_dry: bool = False
) -> Statements:
    ledger = CostTracker(Budget(max_probes=probes))
    admit = None if is_dry else lambda: ledger.admit_probe("sql")
    return Statements(
        LinkedSchema("?", "p", "none", ()), Shop(warehouse), ProbeLimits(rows=rows), admit
    )


def test_cells_are_plain_and_columns_have_their_names(warehouse: Warehouse) -> None:
    sql = "select order_id, amount as paid, day, ordered_at, customer_id is null from shop.orders order by order_id"
    attempt = statements(warehouse).attempt(sql)
    assert attempt.error == ""
    assert attempt.is_ordered
    assert attempt.result is not None
    assert attempt.result.columns[:4] == ("order_id", "paid", "day", "ordered_at")
    assert attempt.result.rows == (
        (1, 10.5, "2025-01-01", "2025-01-01 10:00:00", False),
        (2, 20.0, "2025-01-02", "2025-01-02 11:30:00", False),
        (3, None, "2025-02-03", "2025-02-03 09:15:00", False),
    )


def test_more_rows_than_are_wanted_are_told_and_not_fetched(warehouse: Warehouse) -> None:
    two = (
        statements(warehouse, rows=2)
        .attempt("select order_id from shop.orders order by order_id")
        .result
    )
    three = (
        statements(warehouse, rows=3)
        .attempt("select order_id from shop.orders order by order_id")
        .result
    )
    assert two is not None
    assert three is not None
    assert (two.rows, two.is_cut) == (((1,), (2,)), True)
    assert (len(three.rows), three.is_cut) == (3, False)


def test_masked_values_are_marks_and_hidden_columns_are_refused(warehouse: Warehouse) -> None:
    masked = statements(warehouse).attempt("select email from shop.customers order by customer_id")
    assert masked.result is not None
    assert masked.result.rows == (("(masked)",), ("(masked)",), (None,))
    assert [str(ref) for ref in masked.masked] == ["shop.customers.email"]
    hidden = statements(warehouse).attempt("select password_hash from shop.customers")
    assert (hidden.result, hidden.runs) == (None, "")
    assert hidden.error.startswith("refused (")


def test_used_columns_are_those_that_a_statement_reads_and_not_their_namesakes() -> None:
    def linked(name: str, *paths: str) -> LinkedTable:
        columns = tuple(
            Column(path, path.split(".")[0], path.count("."), 1, "INT", True, None)
            for path in paths
        )
        table = Table(TableRef("shop", name), "table", None, None, Columns(columns))
        return LinkedTable(table, tuple(LinkedColumn(one, 1.0, "") for one in columns))

    tables = (
        linked("orders", "id", "status", "amount"),
        linked("returns", "id", "status", "item", "item.size"),
    )
    schema = LinkedSchema("?", "p", "none", tables)
    late = "with late as (select id, amount from orders)"
    sql = f"{late} select l.amount, r.item.size from late as l join returns as r using (id)"
    used = list(map(str, used_columns(sql, "duckdb", schema)))
    # Both have an `id` that joins, neither `status` is read; who reads a part of `item` reads
    # `item`.
    names = ("orders.id", "orders.amount", "returns.id", "returns.item", "returns.item.size")
    assert used == [f"shop.{name}" for name in names]
    assert list(map(str, used_columns("select * from shop.orders o", "duckdb", schema))) == [
        f"shop.orders.{name}" for name in ("id", "status", "amount")
    ]


def test_an_error_is_that_of_the_warehouse(warehouse: Warehouse) -> None:
    attempt = statements(warehouse).attempt("select status + 1 from shop.orders")
    assert attempt.result is None
    assert attempt.runs
    assert attempt.error


def test_nothing_runs_in_a_dry_run_or_beyond_the_limit(warehouse: Warehouse) -> None:
    dry = statements(warehouse, is_dry=True).attempt("select status from shop.orders")
    assert dry.runs
    assert dry.result is None
    with pytest.raises(BudgetExceeded):
        statements(warehouse, probes=0).attempt("select status from shop.orders")

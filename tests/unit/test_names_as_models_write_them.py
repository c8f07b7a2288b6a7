"""Names in model replies with kind, type, alias or key."""

import pytest

from linker.identifiers.resolver import Names, Unknown
from linker.types import Catalog, Column, ColumnRef, Columns, Table, TableRef

ORDERS = TableRef("sales", "orders")
PRICES = TableRef("sales", "prices")
AMOUNT = ColumnRef(ORDERS, "amount")


def table(ref: TableRef, **types: str) -> Table:
    columns = tuple(
        Column(path, path, 0, at, kind, is_nullable=True, description=None)
        for at, (path, kind) in enumerate(types.items())
    )
    return Table(ref, "table", None, None, Columns(columns), None)


@pytest.fixture(scope="module")
def names() -> Names:
    prices = table(PRICES, **{"Preis": "bigint", "Preis (text)": "varchar"})
    return Names(Catalog((table(ORDERS, order_id="bigint", amount="bigint"), prices), 2))


@pytest.mark.parametrize(
    "written",
    [
        "sales.orders.amount (number)",
        "sales.orders.amount · BIGINT · money",
        "sales.orders.amount::text",
        "column sales.orders.amount",
        "sales.orders(amount)",
        "sales.orders → amount",
        "sales.orders -> amount",
        "sales.orders.amount as total",
        "sales.orders.amount: decimal(10, 2)",
        "sales.orders.amount varchar(20)",
        "amount::numeric",
        "sales.orders.amount -> sales.prices.Preis",
        '"sales"."orders"."amount" (double precision)',
    ],
)
def test_a_column_is_found_below_what_is_written_around_it(names: Names, written: str) -> None:
    assert names.column(written, (ORDERS,)) == AMOUNT


@pytest.mark.parametrize(
    "written", ["table sales.orders", "view sales.orders", "sales.orders as o"]
)
def test_a_table_is_found_below_what_is_written_around_it(names: Names, written: str) -> None:
    assert names.table(written) == ORDERS


def test_a_name_that_looks_dressed_is_itself_first(names: Names) -> None:
    assert names.column("sales.prices.Preis (text)") == ColumnRef(PRICES, "Preis (text)")


@pytest.mark.parametrize(
    "written", ["sales.orders.amount (net of tax)", "sales.orders.amount by month"]
)
def test_words_that_may_change_the_meaning_are_not_left_out(names: Names, written: str) -> None:
    assert isinstance(names.column(written), Unknown)

"""Columns that a query reads, worked out by hand."""

import pytest

from linker.identifiers.resolver import Names
from linker.sql_analysis.statements import Used, used_by
from linker.types import Catalog, Column, Columns, Table, TableRef


def table(schema: str, name: str, *paths: str) -> Table:
    columns = tuple(
        Column(
            path,
            path.split(".", maxsplit=1)[0],
            path.count("."),
            at,
            "INT",
            is_nullable=True,
            description=None,
        )
        for at, path in enumerate(paths)
    )
    return Table(TableRef(schema, name), "table", None, None, Columns(columns))


CATALOG = Catalog(
    (
        table("sales", "orders", "order_id", "customer_id", "Amount", "placed_on"),
        table("crm", "customers", "customer_id", "country"),
        table("web", "visits", "hits", "hits.page", "hits.page.title", "customer_id"),
    ),
    3,
)


def used(sql: str, dialect: str = "duckdb") -> Used:
    return used_by(sql, dialect, Names(CATALOG), CATALOG)


@pytest.mark.parametrize(
    ("sql", "columns"),
    [
        ("select o.amount from sales.orders as o", {"sales.orders.Amount"}),
        ("select amount as total from SALES.Orders order by total", {"sales.orders.Amount"}),
        ("select count(*) from sales.orders", set[str]()),
        ("select sales.orders.order_id from sales.orders", {"sales.orders.order_id"}),
        # Ambiguous; a warehouse refuses it.
        ("select customer_id from sales.orders, crm.customers", {"sales.orders.customer_id"}),
        (
            "select c.country from sales.orders o join crm.customers c using (customer_id)",
            {"crm.customers.country", "sales.orders.customer_id", "crm.customers.customer_id"},
        ),
        (
            "with paid as (select customer_id, amount as total from orders) "
            "select c.country, sum(p.total) from paid p join customers c on c.customer_id = p.customer_id group by 1",
            {
                "sales.orders.customer_id",
                "sales.orders.Amount",
                "crm.customers.country",
                "crm.customers.customer_id",
            },
        ),
        (
            "select country from crm.customers c where exists "
            "(select 1 from sales.orders o where o.customer_id = c.customer_id and placed_on > '2025-01-01')",
            {
                "crm.customers.country",
                "crm.customers.customer_id",
                "sales.orders.customer_id",
                "sales.orders.placed_on",
            },
        ),
        ("select c.* from crm.customers c", {"crm.customers.customer_id", "crm.customers.country"}),
        ("select * from crm.customers", {"crm.customers.customer_id", "crm.customers.country"}),
        ("select v.hits.page.title from web.visits v", {"web.visits.hits.page.title"}),
        ("select v.hits.page.colour from web.visits v", {"web.visits.hits.page"}),
        (
            "select amount from orders union all select country from customers order by amount",
            {"sales.orders.Amount", "crm.customers.country"},
        ),
    ],
)
def test_columns_are_found_through_aliases_common_tables_and_subqueries(
    sql: str, columns: set[str]
) -> None:
    found = used(sql)
    assert set(map(str, found.columns)) == columns
    assert (found.unknown, found.problem) == ((), "")


def test_what_does_not_exist_is_told_and_the_rest_is_found() -> None:
    found = used(
        "select o.amount, o.colour, x.y from sales.orders o join sales.nothing_like_it x on x.k = o.order_id"
    )
    assert set(map(str, found.columns)) == {"sales.orders.Amount", "sales.orders.order_id"}
    assert set(found.unknown) == {"o.colour", "sales.nothing_like_it"}


def test_a_table_that_is_not_there_is_told_though_a_column_is_called_like_it() -> None:
    found = used("select o.order_id from sales.orders o join amount a on a.x = o.order_id")
    assert (set(map(str, found.columns)), found.unknown) == ({"sales.orders.order_id"}, ("amount",))


@pytest.mark.parametrize(
    ("sql", "columns"),
    [
        # A letter too many, in a column and in a table.
        ("select o.order_idd from sales.orders o", {"sales.orders.order_id"}),
        ("select amount from sales.orderss", {"sales.orders.Amount"}),
        # The right column behind the wrong table.
        (
            "select o.country from sales.orders o join crm.customers c on c.customer_id = o.customer_id",
            {"crm.customers.country", "crm.customers.customer_id", "sales.orders.customer_id"},
        ),
        (
            "select country from sales.orders, (select 1 from crm.customers) as c",
            {"crm.customers.country"},
        ),
    ],
)
def test_a_slip_is_mended_where_one_column_alone_can_be_meant(sql: str, columns: set[str]) -> None:
    found = used(sql)
    assert set(map(str, found.columns)) == columns
    assert (found.unknown, found.problem) == ((), "")


def test_what_may_be_one_of_several_is_not_mended() -> None:
    # Two of the tables at hand have a `customer_id`, and a letter is missing.
    found = used("select x.custmer_id from sales.orders o, crm.customers c, (select 1 as one) as x")
    assert (found.columns, found.unknown) == ((), ("x.custmer_id",))


def test_what_a_query_inside_does_not_show_does_not_exist() -> None:
    found = used("with paid as (select amount from orders) select p.total from paid p")
    assert (list(map(str, found.columns)), found.unknown) == (["sales.orders.Amount"], ("p.total",))


@pytest.mark.parametrize(
    "sql", ["drop table orders", "select 1; select 2", "select from where (", "", "nonsense at all"]
)
def test_what_is_not_one_query_has_a_problem_in_words(sql: str) -> None:
    found = used(sql)
    assert found.problem
    assert (found.tables, found.columns) == ((), ())


@pytest.mark.parametrize("dialect", ["duckdb", "postgres", "snowflake", "bigquery"])
def test_every_dialect_is_read(dialect: str) -> None:
    quote = "`" if dialect == "bigquery" else '"'
    sql = f"select o.{quote}Amount{quote} from {quote}sales{quote}.{quote}orders{quote} as o"
    assert list(map(str, used(sql, dialect).columns)) == ["sales.orders.Amount"]

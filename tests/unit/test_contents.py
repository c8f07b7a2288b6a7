"""Filters and grain of queries."""

import pytest

from linker.sql_analysis import MergedTables, Tables
from linker.sql_analysis.contents import Contents, read_contents
from linker.sql_analysis.views import catalog_of

COLUMNS = {
    "shop.orders": ("id", "status", "placed_on", "product_id", "customer_id"),
    "shop.customers": ("customer_id", "kind", "email"),
}


def contents(sql: str, dialect: str = "duckdb") -> Contents:
    rows = []
    for name, paths in COLUMNS.items():
        schema, table = name.split(".")
        rows += [(schema, table, path, path, "0", "text") for path in paths]
    return read_contents(sql, Tables(MergedTables.create(dialect, catalog_of(rows))))


def filters(sql: str, dialect: str = "duckdb") -> list[str]:
    return [item.text for item in contents(sql, dialect).filters]


def test_filters_of_ctes_and_inner_joins_hold_for_all_rows_and_those_of_outer_joins_do_not() -> (
    None
):
    read = contents(
        """
        with placed as (select * from shop.orders where status <> 'C'),
        business as (select * from shop.customers where kind = 'B2B'),
        counted as (
            select placed.customer_id, count(*) as orders
            from placed
            join business on placed.customer_id = business.customer_id and business.email is not null
            left join (select * from shop.orders where product_id = 7) as sevens on sevens.id = placed.id
            group by 1
        )
        select * from counted
        """
    )
    assert [(item.text, list(map(str, item.columns))) for item in read.filters] == [
        ("status <> 'C'", ["shop.orders.status"]),
        ("kind = 'B2B'", ["shop.customers.kind"]),
        ("email is not null", ["shop.customers.email"]),
    ]
    assert read.grain == ("customer_id",)
    assert not read.is_partial


def test_joins_in_brackets_are_followed_as_those_without() -> None:
    read = contents(
        """create view v as select o.id from (shop.orders as o inner join
        (select * from shop.customers where kind = 'B2B') as c on ((o.customer_id = c.customer_id)
        and (o.product_id = 7))) where (o.status = 'C')"""
    )
    texts = [item.text for item in read.filters]
    assert texts == ["kind = 'B2B'", "product_id = 7", "status = 'C'"]
    assert not read.is_partial


def test_conditions_are_written_alike_whatever_a_warehouse_makes_of_them() -> None:
    of_duckdb = """create view shop.v as select o.id from shop.orders as o
        where ((o.status NOT IN ('C', 'X')) AND (o.placed_on >= CAST('2024-01-01' AS DATE)));"""
    of_postgres = """select o.id from shop.orders o
        where ((o.status)::text <> ALL ((ARRAY['C'::character varying, 'X'::character varying])::text[]))
        and (o.placed_on >= '2024-01-01'::date)"""
    both = ["status not in ('C', 'X')", "placed_on >= '2024-01-01'"]
    assert filters(of_duckdb) == both
    assert filters(of_postgres, "postgres") == both
    among = "select id from shop.orders where (status)::text = ANY (ARRAY['C'::text, 'X'::text])"
    assert filters(among, "postgres") == ["status in ('C', 'X')"]


@pytest.mark.parametrize(
    "sql",
    [
        "select id from shop.orders where id in (select 1)",
        "select * from (select *, row_number() over (partition by customer_id) as n from shop.orders) where n = 1",
        "select id from shop.orders union all select id from shop.orders where status = 'C'",
        "select id from shop.orders where status = 'C' limit 5",
        f"select id from shop.orders where status = '{'x' * 100}'",
    ],
)
def test_what_cannot_be_said_in_a_few_words_makes_the_filters_partial(sql: str) -> None:
    assert contents(sql).is_partial


@pytest.mark.parametrize(
    ("sql", "grain"),
    [
        ("select product_id, count(*) as n from shop.orders group by all", ("product_id",)),
        (
            "select date_trunc('month', placed_on) as month, product_id as p, count(*) as n from shop.orders"
            " group by date_trunc('month', placed_on), product_id",
            ("month", "p"),
        ),
        (
            "select p as q from (select product_id as p from shop.orders group by product_id)",
            ("q",),
        ),
        ("select count(*) as n from shop.orders group by product_id", ()),
        ("select product_id, count(*) as n from shop.orders group by rollup (product_id)", ()),
        ("select id, status from shop.orders", ()),
        (
            "with sold as (select product_id, count(*) as n from shop.orders group by 1)"
            " select sold.*, o.id from sold join shop.orders as o using (product_id)",
            (),
        ),
    ],
)
def test_the_grain_are_the_group_keys_unless_they_are_lost_or_multiplied(
    sql: str, grain: tuple[str, ...]
) -> None:
    assert contents(sql).grain == grain


def test_of_what_is_no_query_nothing_is_known() -> None:
    assert contents("drop table shop.orders") == contents("select from where") == Contents()

"""Glossary proposals from column aliases in queries."""

import pytest
import yaml

from linker.cli.learn import learned_table
from linker.usage.counting import proposed_terms
from linker.usage.sources import UsageSource
from tests.usage.logs import counted, tables


def proposed(text: str) -> list[tuple[str, str]]:
    return [(term, str(ref)) for term, ref in proposed_terms(text, tables())]


def test_the_name_of_a_sum_is_proposed_for_the_column_that_it_sums() -> None:
    assert proposed(
        "select status, sum(o.amount) as net_revenue from sales.orders o group by 1"
    ) == [("net revenue", "sales.orders.amount")]


def test_of_two_tables_the_one_that_has_the_column_is_meant() -> None:
    text = "select max(city) as hometown from orders as o join crm.customers as c on c.customer_id = o.customer_id"
    assert proposed(text) == [("hometown", "crm.customers.city")]


@pytest.mark.parametrize(
    ("text", "term", "column"),
    [
        (
            "with crm as (select placed_on as amount from orders) select max(amount) as latest from crm",
            "latest",
            "sales.orders.placed_on",
        ),
        (
            "with orders as (select city as amount from crm.customers) select min(amount) as first_town from orders",
            "first town",
            "crm.customers.city",
        ),
        (
            "with o(a, b) as (select order_id, amount from orders) select sum(b) as revenue from o",
            "revenue",
            "sales.orders.amount",
        ),
        (
            "select sum(x.amount) as revenue from (select * from orders) as x",
            "revenue",
            "sales.orders.amount",
        ),
        (
            "select sum(amount) as revenue from (orders cross join crm.customers)",
            "revenue",
            "sales.orders.amount",
        ),
        (
            "create table t as select count(distinct o.customer_id) as buyers from orders as o",
            "buyers",
            "sales.orders.customer_id",
        ),
        (
            "select sum(amount) as revenue from (select amount from orders union all select amount from orders) as x",
            "revenue",
            "sales.orders.amount",
        ),
    ],
)
def test_the_column_is_found_behind_queries_in_with_and_in_brackets(
    text: str, term: str, column: str
) -> None:
    assert (term, column) in proposed(text)


def test_a_query_in_with_hides_the_table_of_its_name() -> None:
    text = "with orders as (select 1 as amount) select sum(amount) as revenue from orders"
    assert proposed(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "select sum(amount) as total_amount from orders",
        "select count(*) as volume from orders",
        "select amount - status as rest from orders",
        "select sum(amount) as revenue from elsewhere.bills",
        "select customer_id as who from orders join crm.customers using (customer_id)",
        "select sum(x.a) as revenue from (select amount - status as a from orders) as x",
        "select sum(amount + e.price) as revenue from orders cross join elsewhere.bills as e",
        "select sum(a) as revenue from (select amount from orders union all select city from crm.customers) as x(a)",
    ],
)
def test_nothing_is_proposed_of_a_name_that_says_the_column_or_of_what_is_not_one_column(
    text: str,
) -> None:
    assert proposed(text) == []


def test_terms_of_a_log_are_counted_by_query_the_most_used_first() -> None:
    _, told = counted(
        "select sum(amount) as revenue from orders where status = 'paid'",
        "select sum(amount) as revenue, status as phase from orders group by status",
        "select 'not sql",
    )
    assert [(term, str(ref), count) for (term, ref), count in told.terms] == [
        ("revenue", "sales.orders.amount", 2),
        ("phase", "sales.orders.status", 1),
    ]


def test_the_proposals_are_shown_as_a_block_for_the_settings() -> None:
    _, told = counted("select sum(amount) as revenue from orders")
    shown = learned_table(UsageSource("queries.sql", told, ""))
    assert yaml.safe_load(shown.partition("linker.yml:\n")[2]) == {
        "glossary": {"revenue": ["sales.orders.amount"]}
    }

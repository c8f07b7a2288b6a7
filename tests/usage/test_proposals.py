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
    "text",
    [
        "select sum(amount) as total_amount from orders",
        "select count(*) as volume from orders",
        "select amount - status as rest from orders",
        "select sum(amount) as revenue from elsewhere.bills",
        "select customer_id as who from orders join crm.customers using (customer_id)",
        "select sum(x.amount) as revenue from (select amount from orders) as x",
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

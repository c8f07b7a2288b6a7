"""Usage counts in four dialects, worked out by hand."""

from datetime import date
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linker.catalog.column_metadata import Use, pack, together, unpack
from linker.types import ColumnRef, TableRef
from linker.usage.counting import count_use
from linker.usage.sources import Logged
from tests.usage.logs import columns, counted, joins, tables, use, used_tables

# The same question in the words of each warehouse: customers and orders, a family, a path, a
# condition.
DIALECTS = {
    "duckdb": """
        select c.name, sum(o.amount) as total
        from shop.sales.orders as o inner join crm.customers as c on o.customer_id = c.customer_id
        where o.placed_on >= date '2025-01-01' and c.city = 'Bern' group by all order by total desc limit 5;
        select v.device.kind from web.visits_20250102 as v where v.customer_id = 7
    """,
    "postgres": """
        select c.name, sum(o.amount) filter (where o.placed_on > now() - interval '3 days') as total
        from sales.orders o join crm.customers c on o.customer_id::text = c.customer_id::text
        where c.city ~* 'bern' group by 1 order by 2 desc limit 5;
        select (v.device).kind from web.visits_20250101 v where v.customer_id = $1
    """,
    "snowflake": """
        select c.name, sum(o.amount) as total
        from SHOP.SALES.ORDERS o join CRM.CUSTOMERS c using (customer_id)
        where o.placed_on >= dateadd(day, -3, current_date) and c.city ilike 'bern%'
        group by all qualify row_number() over (order by total desc) <= 5;
        select v.device:kind::varchar from WEB.VISITS_20250102 v where v.customer_id = 7
    """,
    "bigquery": """
        select c.name, sum(o.amount) as total
        from `shop.sales.orders` as o join `shop`.crm.customers as c on c.customer_id = o.customer_id
        where o.placed_on >= date_sub(current_date(), interval 3 day) and c.city = r'Bern'
        group by name order by total desc limit 5;
        select device.kind from `shop.web.visits_*` where _table_suffix between '20250101' and '20250102'
            and customer_id = 7
    """,
}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_each_dialect_tells_the_columns_the_tables_and_the_join(dialect: str) -> None:
    known, told = counted(DIALECTS[dialect], dialect=dialect)
    assert columns(known) == {
        "orders.amount": 1,
        "orders.customer_id": 1,
        "orders.placed_on": 1,
        "customers.customer_id": 1,
        "customers.name": 1,
        "customers.city": 1,
        "visits.device.kind": 1,
        "visits.customer_id": 1,
    }
    assert used_tables(known) == {"sales.orders": 1, "crm.customers": 1, "web.visits": 1}
    assert joins(known) == {"customers.customer_id = orders.customer_id": 1}
    assert (told.read, told.used, told.partly, told.skipped) == (2, 2, 0, 0)


SKIPPED = {
    "broken": ("select from where (", "broken"),
    "an unclosed text": ("select 'never ends", "broken"),
    "brackets without end": ("[" * 100_000, "broken"),
    "nothing": ("", "broken"),
    "a table that is not there": ("select id from sales.nowhere", "other_tables"),
    "a table of another database": ("select amount from other.sales.orders", "other_tables"),
    "the catalogue of the warehouse": (
        "select table_name from information_schema.tables",
        "other_tables",
    ),
    "a number": ("select 1", "no_table"),
    "an insert of nothing": ("insert sales.orders", "no_table"),
    "a setting": ("set threads = 4", "no_table"),
    "rows that change": ("delete from sales.orders where order_id = 3", "no_table"),
}


@pytest.mark.parametrize("name", SKIPPED)
def test_what_tells_nothing_is_counted_by_its_reason_and_spoils_nothing_else(name: str) -> None:
    text, reason = SKIPPED[name]
    known, told = counted(text, "select amount from sales.orders")
    assert getattr(told, reason) == told.skipped == 1
    assert columns(known) == {"orders.amount": 1}


def test_one_broken_statement_of_a_file_leaves_the_others() -> None:
    file = "select amount from sales.orders;\nselect 'it's broken' from x;\nselect city from crm.customers;\n"
    known, told = counted(file)
    assert columns(known) == {"orders.amount": 1, "customers.city": 1}
    assert told.used == 2
    assert told.broken >= 1


def test_what_is_known_of_a_statement_counts_though_a_part_of_it_is_not() -> None:
    known, told = counted(
        "select o.amount, x.rate from sales.orders o join fx.rates x on o.placed_on = x.day"
    )
    assert columns(known) == {"orders.amount": 1, "orders.placed_on": 1}
    assert (told.used, told.partly) == (1, 1)


def test_queries_that_differ_in_literals_alone_are_one_that_ran_more_often() -> None:
    known, told = counted(
        Logged(
            "select amount from sales.orders where status = 'paid'", runs=3, last=date(2025, 1, 2)
        ),
        Logged(
            "SELECT amount\nFROM sales.orders -- again\nWHERE status = 'open'",
            runs=4,
            last=date(2025, 1, 1),
        ),
        "select amount from sales.orders where status in ('a', 'b', 'c')",
        "select amount from sales.orders where status in ('a')",
    )
    assert known.tables == {TableRef("sales", "orders"): Use(2, 9, date(2025, 1, 2))}
    assert (told.read, told.used, told.queries) == (4, 4, 2)


def test_a_literal_that_says_which_path_is_read_makes_another_query() -> None:
    known = use("select device['kind'] from web.visits", "select device['other'] from web.visits")
    assert columns(known)["visits.device.kind"] == 1
    assert used_tables(known) == {"web.visits": 2}


def test_a_star_at_the_top_uses_its_table_and_no_column() -> None:
    known = use(
        "select * from sales.orders", "with o as (select * from sales.orders) select * from o"
    )
    assert (columns(known), used_tables(known)) == ({}, {"sales.orders": 2})


def test_named_queries_are_traced_to_what_they_name() -> None:
    known = use(
        "with o as (select * from sales.orders), f as (select amount as a from o) select * from f"
    )
    assert columns(known) == {"orders.amount": 1}


def test_a_bare_name_means_the_own_schema_first() -> None:
    assert used_tables(use("select order_id from orders")) == {"sales.orders": 1}


def test_a_view_that_the_log_defines_counts_with_the_tables_behind_it_wherever_it_is_defined() -> (
    None
):
    reads = "select order_id from sales.big_orders"
    view = "create view sales.big_orders as select order_id, amount from sales.orders where amount > 1000"
    for log in ((view, reads), (reads, view)):
        known = use(*log)
        assert used_tables(known) == {"sales.big_orders": 1, "sales.orders": 2}
        assert columns(known) == {
            "big_orders.order_id": 1,
            "orders.order_id": 2,
            "orders.amount": 2,
        }


def test_a_table_that_only_the_log_knows_is_what_it_was_made_of() -> None:
    log = "create temp table t as select customer_id as who from sales.orders; "
    log += "select name from t join crm.customers c on c.customer_id = t.who"
    known, told = counted(log)
    assert joins(known) == {"customers.customer_id = orders.customer_id": 1}
    assert (told.used, told.partly) == (2, 0)


def test_a_view_over_itself_ends() -> None:
    known = use("create or replace view sales.big_orders as select order_id from sales.big_orders")
    assert used_tables(known) == {"sales.big_orders": 1}


def test_views_that_stand_on_views_are_read_once_each() -> None:
    # Read at every mention, the last of them would be read sixteen million times.
    log = ["create view v0 as select order_id from sales.orders"]
    log += [
        f"create view v{n} as select a.order_id from v{n - 1} a join v{n - 1} b on a.order_id = b.order_id"
        for n in range(1, 25)
    ]
    assert used_tables(use(*log, "select order_id from v24")) == {"sales.orders": 26}


JOINS = {
    "on": "select 1 from sales.orders o join crm.customers c on o.customer_id = c.customer_id",
    "where": "select 1 from sales.orders o, crm.customers c where c.customer_id = o.customer_id and o.amount = 3",
    "using": "select 1 from sales.orders join crm.customers using (customer_id)",
    "natural": "select 1 from sales.orders natural join crm.customers",
    "a cast": "select 1 from sales.orders o join crm.customers c on cast(o.customer_id as varchar) = c.customer_id",
    "in": "select amount from sales.orders where customer_id in (select customer_id from crm.customers)",
    "exists": "select 1 from sales.orders o "
    "where exists (select 1 from crm.customers c where c.customer_id = o.customer_id)",
    "a named query": "with c as (select customer_id as who from crm.customers) "
    "select 1 from sales.orders, c where who = customer_id",
}


@pytest.mark.parametrize("way", JOINS)
def test_tables_join_however_that_is_written(way: str) -> None:
    assert joins(use(JOINS[way])) == {"customers.customer_id = orders.customer_id": 1}


def test_joins_that_a_key_told_are_not_new() -> None:
    key = (
        ColumnRef(TableRef("sales", "orders"), "customer_id"),
        ColumnRef(TableRef("crm", "customers"), "customer_id"),
    )
    agents = "select 1 from sales.orders o join crm.orders a using (order_id)"
    _, told = count_use([Logged(JOINS["on"]), Logged(agents)], tables(), [key])
    [(pair, found)] = told.new_joins
    assert [str(one) for one in pair] == ["crm.orders.order_id", "sales.orders.order_id"]
    assert found.queries == 1


def test_an_answer_says_with_which_table_one_is_used_mostly() -> None:
    known = use(JOINS["on"], JOINS["exists"], "select amount from sales.orders")
    assert (
        known.summary(TableRef("sales", "orders")) == "used in 3 queries, mostly with crm.customers"
    )
    assert known.summary(ColumnRef(TableRef("sales", "orders"), "amount")) == "used in 1 query"
    assert known.summary(TableRef("web", "visits")) == ""


STATEMENTS = [
    *JOINS.values(),
    *(text for text, _ in SKIPPED.values()),
    *DIALECTS["duckdb"].split(";"),
]
LOGS = st.lists(
    st.builds(
        Logged,
        st.sampled_from(
            [
                *STATEMENTS,
                "create view sales.big_orders as select order_id, amount from sales.orders",
            ]
        ),
        st.integers(1, 9),
        st.none() | st.dates(date(2025, 1, 1), date(2025, 1, 9)),
    ),
    max_size=6,
)


@settings(max_examples=40, deadline=None)
@given(LOGS, st.randoms())
def test_the_order_of_a_log_does_not_matter(log: list[Logged], random: Random) -> None:
    known, told = count_use(log, tables())
    shuffled = list(log)
    random.shuffle(shuffled)
    again, told_again = count_use(shuffled, tables())
    assert (known.queries, pack(known)) == (again.queries, pack(again))
    assert told == told_again


@settings(max_examples=40, deadline=None)
@given(LOGS)
def test_every_statement_is_used_or_skipped_and_nothing_is_lost_in_the_store(
    log: list[Logged],
) -> None:
    known, told = count_use(log, tables())
    assert told.read == told.used + told.skipped
    assert unpack(pack(known)) == known


def test_what_two_sources_tell_is_added_up() -> None:
    one, other = use(JOINS["on"]), use(JOINS["on"], "select city from crm.customers")
    both = together([one, other])
    assert both.queries == 3
    assert used_tables(both) == {"sales.orders": 2, "crm.customers": 3}
    assert joins(both) == {"customers.customer_id = orders.customer_id": 2}


def test_what_another_version_wrote_is_not_read() -> None:
    assert unpack(b'{"format": 0}') is None

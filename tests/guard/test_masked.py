"""Statements on masked columns return correct results or are refused."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from linker.errors import GuardError, WarehouseError
from linker.sql_policy.guard import Guard
from linker.types import ColumnRef, TableRef
from linker.warehouses import Warehouse
from tests.guard.corpora import MASKED, of_dialect
from tests.guard.shops import duckdb_shop, postgres_shop
from tests.guard.test_guard import GUARDS
from tests.guard.warehouse import DIALECTS, guard, known


@pytest.fixture(scope="module", params=["duckdb", "postgres"])
def shop(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Warehouse]:
    with (
        duckdb_shop(tmp_path_factory.mktemp("masked"))
        if request.param == "duckdb"
        else postgres_shop() as opened
    ):
        yield opened
        opened.close()


def told(session: Warehouse, sql: str) -> list[str] | None:
    try:
        return sorted(map(repr, session.query(sql)))
    except WarehouseError:
        return None


def test_every_statement_behind_a_sub_query_answers_right_or_is_refused_with_what_to_write(
    shop: Warehouse,
) -> None:
    right, codes, hints = 0, [], set()
    for sql in of_dialect(MASKED, shop.dialect):
        try:
            probe = GUARDS[shop.dialect].check(sql)
        except GuardError as error:
            codes.append(error.code)
            hints.add(error.hint)
            continue
        # The same without the guard, which sees the values.
        whole = re.sub(r"(from|join|,) (customers|orders)\b", r"\1 shop.\2", sql)
        assert told(shop, probe.sql) == told(shop, whole), sql
        right += 1
    assert right > 100
    assert len(codes) > 100
    assert set(codes) == {"masked_column"}
    assert ["compare it with at most ten given texts" in str(hint) for hint in hints] == [True]


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        (
            "select count(*) from (select email from customers) s where s.email = 'ada@example.com'",
            1,
        ),
        (
            "with c as (select email as e from customers) select count(*) from c where e in ('ada@example.com', 'x')",
            1,
        ),
        (
            "select count(*) from (select * from customers) s where s.email = 'nobody@example.com'",
            0,
        ),
        ("select count(*) from customers as c(a, b, d) where d = 'ada@example.com'", 1),
        ("select count(*) from (select phone as p from customers) s where p = '04915112345'", 1),
        (
            "select count(*) from customers where 'bob@example.com' in (select email from customers)",
            3,
        ),
    ],
)
def test_a_given_text_is_compared_where_the_values_are(
    shop: Warehouse, sql: str, expected: int
) -> None:
    assert shop.query(GUARDS[shop.dialect].check(sql).sql) == [(expected,)]


@pytest.mark.parametrize(
    "sql",
    [
        "with c as (select email from customers) select count(*) from c where email like 'a%'",
        "select count(*) from (select distinct email from customers) s",
        "select count(*) from (select email from customers intersect select 'ada@example.com') s",
        "select count(*) from (select email as e from customers) a join (select email as e from customers) b using (e)",
        "select name from customers order by email limit 1",
        "select count(*) from (select email, count(*) from customers group by 1) s",
        "select row_number() over (order by email) from customers",
        "select * from customers where phone = 1.50",
    ],
)
def test_what_would_work_on_marks_as_if_they_were_values_is_refused(sql: str) -> None:
    for item in GUARDS.values():
        with pytest.raises(GuardError) as caught:
            item.check(sql)
        assert caught.value.code in ("masked_column", "not_parsed")


@pytest.mark.parametrize(
    "sql",
    [
        "select count(distinct email), email from customers",
        "select count(distinct email) from customers where name = 'Ada'",
        "select name, count(distinct email) from customers group by 1",
        "select count(distinct email), * from customers",
        "select count(distinct email) over () from customers",
        "select count(distinct (email, phone)) from customers",
        "select count(distinct lower(email)) from customers",
        "select * from (select count(distinct email) as n from customers) s where n > 1",
        "select count(distinct c.email) from customers c, orders o",
        "select count(distinct email) filter (where name like 'A%') from customers",
        "select max(email), count(distinct email) from customers",
    ],
)
def test_values_of_a_masked_column_are_counted_of_the_whole_table_alone(sql: str) -> None:
    for dialect in DIALECTS:
        with pytest.raises(GuardError) as caught:
            guard(dialect).check(sql)
        assert caught.value.code in ("masked_column", "not_parsed"), (dialect, sql)


def test_the_number_of_values_of_a_masked_column_is_that_of_the_profile(tmp_path: Path) -> None:
    with duckdb_shop(tmp_path) as shop:
        probe, rows = guard("duckdb").run("select count(distinct email) from customers", shop)
        shop.close()
    assert rows == [(2,)]
    assert probe.masked == (ColumnRef(TableRef("shop", "customers"), "email"),)


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("snowflake", "select * from orders at (offset => -60)"),
        ("snowflake", "select * from orders before (statement => 'x')"),
        ("bigquery", "select * from orders for system_time as of timestamp '2020-01-01'"),
    ],
)
def test_the_past_of_a_table_is_read_where_a_setting_says_so(dialect: str, sql: str) -> None:
    with pytest.raises(GuardError, match="as it was in the past") as caught:
        guard(dialect).check(sql)
    assert "time_travel" in caught.value.hint
    assert Guard(replace(known(dialect), time_travel=True)).check(sql)

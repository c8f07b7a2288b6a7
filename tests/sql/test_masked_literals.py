"""Which statements that name a masked column may be shown: those whose literals belong elsewhere."""

import pytest

from linker.sql.statements import has_masked_literal
from linker.types import ColumnRef, TableRef

PHONE = ColumnRef(TableRef("crm", "people"), "phone")
OTHER = "select name from crm.people where city = 'Oslo'"

SHOWN = (
    "select phone from crm.people",
    "select phone, count(*) from crm.people where city = 'Oslo' and age > 3 group by 1 limit 10",
    "select phone from crm.people where born >= date '2020-01-01' and city in ('Oslo', 'Rome')",
    "select date_trunc('month', born), max(phone), sum(paid) / 100 from crm.people group by 1",
    "select p.phone from crm.people as p join crm.calls as c on c.phone = p.phone where c.kind like 'o%'",
)
PRIVATE = (
    "select 1 from crm.people where phone = '555'",
    "select 1 from crm.people where phone = 555",
    "select 1 from crm.people where phone in ('555', '666')",
    "select 1 from crm.people where upper(phone) like '55%'",
    "select 1 from crm.people where '555' = phone",
    "select 1 from crm.people where phone between '5' and '6'",
    "select 1 from crm.people where phone in (select '555')",
    "select 1 from crm.people where phone in (values ('555'))",
    "select 1 from crm.people where exists (select 1 from (select '555' as x) where x = phone)",
    "with t as (select phone as who from crm.people) select 1 from t where who = '555'",
    "with t(who) as (select phone from crm.people) select 1 from t where who = '555'",
    "select case when phone = '555' then 1 end from crm.people",
    "select case phone when '555' then 1 end from crm.people",
    "select starts_with(phone, '555') from crm.people",
    "select phone, '555' from crm.people",
    "select phone from crm.people where city = 'Oslo' or phone = '555'",
    "select nullif(phone, '555') from crm.people",
)


@pytest.mark.parametrize("sql", SHOWN)
def test_a_literal_of_another_column_is_shown(sql: str) -> None:
    assert not has_masked_literal(sql, [PHONE], "duckdb")


@pytest.mark.parametrize("sql", PRIVATE)
def test_a_literal_that_may_be_a_masked_value_is_private(sql: str) -> None:
    assert has_masked_literal(sql, [PHONE], "duckdb")


def test_where_nothing_is_masked_nothing_is_private() -> None:
    assert not has_masked_literal(PRIVATE[0], [], "duckdb")
    assert not has_masked_literal(OTHER, [], "duckdb")

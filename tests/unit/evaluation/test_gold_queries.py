"""Gold columns of plain SQL, worked out by hand."""

import pytest

from linker.evaluation.preparing import MergedDatabase
from tests.gold_databases import (
    LITE,
    MYSQL,
    POSTGRES,
    SHOPS,
    SNOWFLAKE,
    gold,
    gold_tables,
    words,
)

EVERYWHERE = {
    "an alias of a table stands for the table": (
        "select u.name from users as u inner join orders o on u.id = o.user_id where o.total > 3",
        "users.name users.id orders.user_id orders.total",
    ),
    "names are compared without case": (
        "select U.NAME from Users u where CITY = 'x'",
        "users.name users.city",
    ),
    "tables with a comma between them are joined in where": (
        "select name from users, orders where users.id = user_id",
        "users.name users.id orders.user_id",
    ),
    "count(*) counts nothing": ("select count(*) from users where age > 3", "users.age"),
    "count of a column counts it": ("select count(distinct age) from users", "users.age"),
    "a star at the top counts all": (
        "select * from orders",
        "orders.id orders.user_id orders.total orders.city",
    ),
    "a star of one table counts all of that one": (
        "select o.*, u.name from users u join orders o on u.id = o.user_id",
        "users.id users.name orders.id orders.user_id orders.total orders.city",
    ),
    "of a star in a CTE counts what is used later": (
        "with a as (select * from users), b as (select * from a) select name from b where age > 3",
        "users.name users.age",
    ),
    "of a star in a sub-query counts what is used later": (
        "select s.name from (select * from users) s",
        "users.name",
    ),
    "of a star under distinct counts what is used later": (
        "select count(name) from (select distinct * from users) s",
        "users.name",
    ),
    "of a star of a join counts what is used later, on the side it is of": (
        "select total from (select u.name, o.* from users u join orders o on o.user_id = u.id) s",
        "users.name users.id orders.user_id orders.total",
    ),
    "a column selected by name in a CTE counts, used or not": (
        "with a as (select id, name from users) select id from a",
        "users.id users.name",
    ),
    "a CTE that nobody uses is not read": (
        "with a as (select total from orders) select name from users",
        "users.name",
    ),
    "a CTE may be called as a table that it reads": (
        "with users as (select id, name from users where age > 3) select name from users",
        "users.id users.name users.age",
    ),
    "the columns of a CTE may be renamed": (
        "with a(x, y) as (select id, total from orders) select y from a where x = 1",
        "orders.id orders.total",
    ),
    "a CTE inside of a sub-query is seen there alone": (
        "select x from (with a as (select total as x from orders) select x from a) s",
        "orders.total",
    ),
    "a correlated sub-query sees the query around it": (
        "select name from users u where exists (select 1 from orders where user_id = u.id)",
        "users.name users.id orders.user_id",
    ),
    "a name of the inner query goes before one of the outer": (
        "select name from users where id in (select user_id from orders where city = 'x')",
        "users.name users.id orders.user_id orders.city",
    ),
    "a star under exists counts nothing": (
        "select name from users where exists (select * from orders where total > 1)",
        "users.name orders.total",
    ),
    "a scalar sub-query is read": (
        "select (select max(total) from orders) from users where age > (select avg(age) from users)",
        "orders.total users.age",
    ),
    "both sides of a set operation count": (
        "select name from users union all select city from orders order by name",
        "users.name orders.city",
    ),
    "of stars in a set operation counts what is used later, by place": (
        "select s.name from (select * from users union all select * from orders) s",
        "users.name orders.user_id",
    ),
    "using counts both sides": (
        "select total from users join orders using (id)",
        "orders.total users.id orders.id",
    ),
    "aliases of what is selected are no columns": (
        "select city as town, count(*) as n from users group by city having count(*) > 2 order by n desc, town",
        "users.city",
    ),
    "a place in group by or order by is no column": (
        "select city, count(*) from users group by 1 order by 2",
        "users.city",
    ),
    "an alias goes before a column in order by": (
        "select max(age) as city from users order by city",
        "users.age",
    ),
    "a window counts what it divides and sorts by": (
        "select sum(total) over (partition by user_id order by id) from orders",
        "orders.total orders.user_id orders.id",
    ),
    "case, cast, between, in, like and functions count what is in them": (
        "select case when age between 1 and 2 then cast(id as char) else upper(name) end from users "
        "where city like 'x%' and age in (1, 2) and name is not null",
        "users.age users.id users.name users.city",
    ),
    "a literal counts nothing": ("select 1, 'name' from users", ""),
}


@pytest.mark.parametrize("shop", SHOPS, ids=lambda shop: shop.dialect)
@pytest.mark.parametrize(("sql", "expected"), EVERYWHERE.values(), ids=EVERYWHERE)
def test_in_every_dialect(sql: str, expected: str, shop: MergedDatabase) -> None:
    assert gold(sql, shop) == words(expected)


@pytest.mark.parametrize(
    ("shop", "sql"),
    [
        (LITE, "select `First Name`, [Free Meal Count (K-12)] from `odd ones`"),
        (LITE, 'select o."First Name", "Free Meal Count (K-12)" from "odd ones" o'),
        (MYSQL, "select `odd ones`.`First Name`, `free meal count (k-12)` from `odd ones`"),
        (POSTGRES, 'select "First Name", "Free Meal Count (K-12)" from "odd ones"'),
        (SNOWFLAKE, 'select "First Name", "Free Meal Count (K-12)" from "odd ones"'),
    ],
)
def test_names_with_blanks_are_read_as_each_dialect_quotes_them(
    shop: MergedDatabase, sql: str
) -> None:
    assert gold(sql, shop) == {"odd ones.First Name", "odd ones.Free Meal Count (K-12)"}


def test_a_table_counts_though_none_of_its_columns_does() -> None:
    assert gold_tables("select count(*) from users, orders o, orders p", LITE) == {
        "users",
        "orders",
    }


def test_a_condition_of_thousands_of_parts_is_read() -> None:
    parts = " or ".join(f"name = '{number}'" for number in range(3000))
    assert gold(f"select id from users where {parts}", LITE) == {"users.id", "users.name"}

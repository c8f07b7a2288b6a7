"""Gold columns of dialect-specific SQL, worked out by hand."""

import pytest

from linker.evaluation.preparing import MergedDatabase
from tests.gold_databases import (
    BIGQUERY,
    DUCKDB,
    LITE,
    MYSQL,
    POSTGRES,
    SNOWFLAKE,
    gold,
    words,
)

IN_ONE = {
    "a recursive CTE hands on what its first part selects": (
        POSTGRES,
        "with recursive up as (select id, city from users union all "
        "select o.id, u.city from orders o join up u on o.user_id = u.id) select city from up",
        "users.id users.city orders.id orders.user_id",
    ),
    "a recursive CTE may only count": (
        LITE,
        "with recursive n(x) as (select 1 union all select x + 1 from n where x < 9) "
        "select name from users, n where age = x",
        "users.name users.age",
    ),
    "a CTE that names itself recurs without the word": (
        SNOWFLAKE,
        "with up as (select id, city from users union all "
        "select o.id, u.city from orders o join up u on o.user_id = u.id) select city from up",
        "users.id users.city orders.id orders.user_id",
    ),
    "a CTE that names itself in its third part recurs": (
        BIGQUERY,
        "with up as (select id, city from users union all select id, city from orders union all "
        "select o.id, u.city from orders o join up u on o.user_id = u.id) select city from up",
        "users.id users.city orders.id orders.city orders.user_id",
    ),
    "a CTE that names itself by the name of a table reads the table": (
        DUCKDB,
        "with users as (select id from orders union all select age as id from users) select id from users",
        "orders.id users.age",
    ),
    "in a recursive with one may use what comes later": (
        BIGQUERY,
        "with recursive a as (select id from b), b as (select id from users) select id from a",
        "users.id",
    ),
    "natural join counts what both sides have": (
        POSTGRES,
        "select total from users natural join orders",
        "orders.total users.id orders.id users.city orders.city",
    ),
    "a column that using merged is both": (
        SNOWFLAKE,
        "select id from (select * from users join orders using (id)) where id > 1",
        "users.id orders.id",
    ),
    "joins in parentheses are joins": (
        LITE,
        "select name from ((users join orders on users.id = orders.user_id) join orders o on o.id = age)",
        "users.name users.id orders.user_id orders.id users.age",
    ),
    "a lateral sub-query sees what stands on its left": (
        POSTGRES,
        "select l.total from users u cross join lateral (select total from orders where user_id = u.id) l",
        "users.id orders.user_id orders.total",
    ),
    "except leaves out": (
        BIGQUERY,
        "select * except (id, age) from users",
        "users.name users.city",
    ),
    "exclude leaves out": (
        SNOWFLAKE,
        "select u.* exclude (id, age) from users u",
        "users.name users.city",
    ),
    "replace reads what it puts in": (
        BIGQUERY,
        "select id from (select * replace (upper(city) as name) from users)",
        "users.id users.city",
    ),
    "a renamed column is found by its new name": (
        SNOWFLAKE,
        "select n from (select * rename (name as n) from users)",
        "users.name",
    ),
    "ilike chooses columns": (SNOWFLAKE, "select * ilike '%name%' from users", "users.name"),
    "a pattern chooses columns": (
        DUCKDB,
        "select columns('^(id|age)$') from users",
        "users.id users.age",
    ),
    "in BigQuery an alias goes before a column in group by": (
        BIGQUERY,
        "select upper(name) as city, count(*) from users group by city",
        "users.name",
    ),
    "elsewhere a column goes before an alias in group by": (
        POSTGRES,
        "select upper(name) as city, count(*) from users group by city",
        "users.name users.city",
    ),
    "inside of an aggregate a name is a column": (
        MYSQL,
        "select sum(age) as age from users order by sum(age)",
        "users.age",
    ),
    "in SQLite an alias is no part of an expression of order by": (
        LITE,
        "select max(age) as city from users order by city + 1",
        "users.age users.city",
    ),
    "an alias can be used by its neighbours": (
        SNOWFLAKE,
        "select age as x, x + 1 as y from users where y > 2",
        "users.age",
    ),
    "qualify counts": (
        SNOWFLAKE,
        "select name from users qualify row_number() over (partition by city order by age) = 1",
        "users.name users.city users.age",
    ),
    "a window with a name counts": (
        POSTGRES,
        "select rank() over w from users window w as (partition by city order by age)",
        "users.city users.age",
    ),
    "distinct on counts": (
        POSTGRES,
        "select distinct on (city) name from users",
        "users.city users.name",
    ),
    "a filter of an aggregate counts": (
        POSTGRES,
        "select count(*) filter (where age > 3) from users",
        "users.age",
    ),
    "grouping sets count": (
        POSTGRES,
        "select 1 from users group by grouping sets ((city), (age))",
        "users.city users.age",
    ),
    "group by all groups by what is selected": (
        DUCKDB,
        "select city, max(age) from users group by all",
        "users.city users.age",
    ),
    "from may come first": (DUCKDB, "from users select name where age = 3", "users.name users.age"),
    "union by name pairs by name": (
        DUCKDB,
        "select city from (select * from users union by name select * from orders)",
        "users.city orders.city",
    ),
    "a semi join counts both sides": (
        DUCKDB,
        "select name from users semi join orders on users.id = user_id",
        "users.name users.id orders.user_id",
    ),
    "an asof join counts its condition": (
        SNOWFLAKE,
        "select u.name from users u asof join orders o match_condition (u.age >= o.total) on u.id = o.user_id",
        "users.name users.age orders.total users.id orders.user_id",
    ),
    "pivot counts what it adds up and turns": (
        SNOWFLAKE,
        "select * from (select id, city, total from orders) pivot (sum(total) for city in ('a', 'b'))",
        "orders.id orders.city orders.total",
    ),
    "unpivot hands on the columns that it does not turn": (
        DUCKDB,
        "select * exclude (what) from (select id, city, name from users) unpivot (v for what in (name, city))",
        "users.id users.name users.city",
    ),
    "the fields of a list are not taken for columns of others": (
        BIGQUERY,
        "select (select max(id) from unnest(tags)) from web.sessions",
        "sessions.id sessions.tags",
    ),
    "of a table that pivot turns counts what is used": (
        BIGQUERY,
        "select a from orders pivot (sum(total) for city in ('x' as a))",
        "orders.total orders.city",
    ),
    "pivot as a statement counts its parts": (
        DUCKDB,
        "pivot orders on city using sum(total) group by user_id",
        "orders.city orders.total orders.user_id",
    ),
    "unpivot counts the columns that it turns": (
        BIGQUERY,
        "select value from users unpivot (value for what in (name, city))",
        "users.name users.city",
    ),
    "a list of values has columns of its own": (
        POSTGRES,
        "select v.b from (values (1, 2)) as v(a, b) join users u on u.id = v.a",
        "users.id",
    ),
    "a list of values without names has numbered columns": (
        SNOWFLAKE,
        "select column2, name from (values (1, 2)) join users on id = column1",
        "users.id users.name",
    ),
    "a series has a column of its own": (
        POSTGRES,
        "select day from generate_series(1, 9) as s(day) left join users on age = day",
        "users.age",
    ),
    "a series may be called as its column": (
        DUCKDB,
        "select s from generate_series(1, 9) s, users where id = s",
        "users.id",
    ),
    "a table function counts what it is given": (
        LITE,
        "select value from users, json_each(users.city)",
        "users.city",
    ),
    "a generator reads no table": (
        SNOWFLAKE,
        "select seq4() from table(generator(rowcount => 3))",
        "",
    ),
    "in SQLite double quotes around no column are a string": (
        LITE,
        'select name from users where city = "Prague"',
        "users.name users.city",
    ),
    "in SQLite double quotes around a column are the column": (
        LITE,
        'select "Name" from users',
        "users.name",
    ),
    "in MySQL double quotes are a string": (
        MYSQL,
        'select name from users where city = "age"',
        "users.name users.city",
    ),
    "the row number of SQLite is no column": (
        LITE,
        "select name from users order by rowid",
        "users.name",
    ),
    "a schema may stand before the table": (
        LITE,
        "select main.users.name from main.users",
        "users.name",
    ),
    "identifier() names a table": (
        SNOWFLAKE,
        "select name from identifier('main.users')",
        "users.name",
    ),
    "units of time are no columns": (
        BIGQUERY,
        "select date_diff(age, id, isoweek), extract(dayofweek from age), date_trunc(id, week(monday)) from users",
        "users.age users.id",
    ),
    "a comma may stand at the end": (BIGQUERY, "select name, from users", "users.name"),
}


@pytest.mark.parametrize(("shop", "sql", "expected"), IN_ONE.values(), ids=IN_ONE)
def test_in_one_dialect(shop: MergedDatabase, sql: str, expected: str) -> None:
    assert gold(sql, shop) == words(expected)

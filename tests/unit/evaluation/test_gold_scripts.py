"""Gold columns of scripts, and unresolvable statements."""

import pytest

from linker.evaluation.preparing import MergedDatabase
from linker.evaluation.scoring import derive_gold
from tests.gold_databases import BIGQUERY, DUCKDB, LITE, POSTGRES, SNOWFLAKE, gold, problems, words

SCRIPTS = {
    "every query of a script counts": (
        BIGQUERY,
        "select name from users; select total from orders;",
        "users.name orders.total",
    ),
    "a function over its parameters reads nothing": (
        BIGQUERY,
        "create temp function grown(age int64, city int64) as ((age - city) / city); select grown(id, id) from users",
        "users.id",
    ),
    "a function in another language reads nothing": (
        BIGQUERY,
        'create temp function f(x int64) returns int64 language js as """ return x; """; select f(id) from users',
        "users.id",
    ),
    "a variable is no column": (
        BIGQUERY,
        "declare lowest int64 default 3; select name from users where age > lowest",
        "users.name users.age",
    ),
    "a variable reads what it starts with": (
        BIGQUERY,
        "declare highest int64 default (select max(age) from users); select highest",
        "users.age",
    ),
    "set reads what it sets": (
        BIGQUERY,
        "declare n int64; set n = (select count(city) from users); select n",
        "users.city",
    ),
    "a variable of a session is no column": (
        SNOWFLAKE,
        "set n = 3; select name from users where id = $n",
        "users.name users.id",
    ),
    "a temporary table is what it was made of": (
        BIGQUERY,
        "create temp table t as select id, upper(name) as n from users; select n from t",
        "users.id users.name",
    ),
    "what stands between begin and end counts": (
        BIGQUERY,
        "begin select name from users; select total from orders; end;",
        "users.name orders.total",
    ),
    "what is inserted counts": (BIGQUERY, "insert into kept select name from users", "users.name"),
    "dropping reads nothing": (
        BIGQUERY,
        "drop table if exists kept; select name from users",
        "users.name",
    ),
    "comments count nothing": (
        LITE,
        "-- select age\nselect /* city */ name from users; -- the end",
        "users.name",
    ),
}
PROBLEMS = {
    "an unknown table": (LITE, "select name from nope", "unknown table nope"),
    "an unknown column": (LITE, "select nope from users", "unknown column nope"),
    "an unknown column of an alias": (
        POSTGRES,
        "select u.nope from users u",
        "unknown column u.nope",
    ),
    "an unknown alias": (POSTGRES, "select x.name from users u", "unknown column x.name"),
    "an unknown field of a struct": (
        BIGQUERY,
        "select totals.nope from web.sessions",
        "unknown column totals.nope",
    ),
    "an unknown field of a list": (
        BIGQUERY,
        "select h.nope from web.sessions, unnest(hits) h",
        "unknown column h.nope",
    ),
    "an unknown star": (POSTGRES, "select x.* from users", "unknown table x"),
    "an unknown column of a CTE": (
        LITE,
        "with a as (select id from users) select name from a",
        "unknown column name",
    ),
    "an unknown column of using": (
        POSTGRES,
        "select 1 from users join orders using (total)",
        "unknown column total in a join",
    ),
    "in SQLite backticks around no column": (
        LITE,
        "select name from users where city = `Prague`",
        "unknown column Prague",
    ),
    "a file": (DUCKDB, "select a from read_csv('x.csv')", "unknown table READ_CSV('x.csv')"),
    "a stage": (SNOWFLAKE, "select $1 from @stage/x", "unknown table @stage/x"),
    "no query": (LITE, "drop table users", "there is no query in it"),
    "a statement that changes rows": (
        LITE,
        "delete from users where id = 1",
        "cannot read a statement of kind delete",
    ),
    "a query that changes rows": (
        POSTGRES,
        "with gone as (delete from users returning id) select id from gone",
        "cannot read delete",
    ),
    "a table made of no query": (
        BIGQUERY,
        "create table t (x int64); select 1",
        "cannot read a statement that creates a TABLE",
    ),
}


@pytest.mark.parametrize(("shop", "sql", "expected"), SCRIPTS.values(), ids=SCRIPTS)
def test_scripts(shop: MergedDatabase, sql: str, expected: str) -> None:
    assert gold(sql, shop) == words(expected)


@pytest.mark.parametrize(("shop", "sql", "expected"), PROBLEMS.values(), ids=PROBLEMS)
def test_what_cannot_be_told_is_one_clear_line(
    shop: MergedDatabase, sql: str, expected: str
) -> None:
    assert expected in problems(sql, shop)


@pytest.mark.parametrize(
    "sql", ["select (", "select 'x", "this is no SQL at all", "select * from users where"]
)
def test_what_cannot_be_parsed_is_one_line(sql: str) -> None:
    derived = derive_gold(sql, LITE)
    assert derived.fields == ()
    [problem] = derived.problems
    assert problem.startswith("cannot be parsed as sqlite: ")
    assert "\n" not in problem


def test_an_empty_text_is_a_problem() -> None:
    assert problems("  -- nothing", LITE) == ("there is no query in it",)


@pytest.mark.parametrize(
    "sql", ["if true then select name from users; end if", "execute immediate 'select 1'"]
)
def test_a_script_that_decides_what_it_runs_is_a_problem_and_logs_nothing(
    sql: str, caplog: pytest.LogCaptureFixture
) -> None:
    assert "cannot read a statement of kind command" in problems(sql, BIGQUERY)
    assert caplog.records == []


def test_a_problem_keeps_what_could_be_told() -> None:
    derived = derive_gold("select name, nope from users", LITE)
    assert [str(ref) for field in derived.fields for ref in field] == ["main.users.name"]
    assert derived.problems == ("unknown column nope",)


def test_columns_of_a_table_that_is_not_there_are_no_problem_of_their_own() -> None:
    assert problems("select n.a, b from nope n join users on n.id = users.id", LITE) == (
        "unknown table nope",
    )


def test_a_query_nested_too_deep_is_a_problem() -> None:
    sql = "select " + "(" * 4000 + "1" + ")" * 4000
    [problem] = problems(sql, LITE)
    assert problem.startswith("cannot be parsed as sqlite: ")

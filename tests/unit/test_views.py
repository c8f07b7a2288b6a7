"""Column lineage of views."""

import time
from pathlib import Path
from typing import Any

import pytest
import yaml

from linker.sql_analysis.views import REST, Origins, ViewLineage, catalog_of, read_views
from linker.types import ColumnRef, TableRef

VIEW = TableRef("rep", "v")
TABLES = {
    ("crm", "accounts"): ("id", "email", "password", "name"),
    ("crm", "orders"): ("order_id", "account_id", "amount"),
    ("rep", "accounts"): ("id", "token"),
}
NESTED = [
    ("crm", "docs", "body", "body", 0, "JSON"),
    ("crm", "docs", "address", "address", 0, "STRUCT(city VARCHAR)"),
    ("crm", "docs", "address", "address.city", 1, "VARCHAR"),
]


def read(definition: str, columns: str, dialect: str = "duckdb") -> ViewLineage:
    listed = {**TABLES, (VIEW.schema, VIEW.name): tuple(columns.split())}
    rows = [(*table, name, name, 0, "VARCHAR") for table, names in listed.items() for name in names]
    return read_views(
        {VIEW: definition}, catalog_of([*map(_as_texts, rows), *map(_as_texts, NESTED)]), dialect
    )


def _as_texts(row: tuple[object, ...]) -> list[str]:
    return [str(cell) for cell in row]


def told(lineage: ViewLineage) -> dict[str, str]:
    """
    By column `table.path` of what it hands on, and `(table.path)` of what it is computed with.
    """
    assert lineage.unread == ()
    found: dict[str, str] = {}
    for path, origins in lineage.columns[VIEW].items():
        found[path] = " ".join(
            [*map(_short, origins.same), *(f"({_short(ref)})" for ref in origins.made)]
        )
    return found


def _short(ref: ColumnRef) -> str:
    return str(ref).removeprefix("crm.")


CASES = yaml.safe_load((Path(__file__).parent / "views.yml").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES, ids=[case["view"] for case in CASES])
def test_a_column_is_made_of_what_its_query_hands_on_or_computes_with(case: dict[str, Any]) -> None:
    assert told(read(case["view"], case["columns"])) == case["made_of"]


@pytest.mark.parametrize(
    "expression",
    [
        "count(*)",
        "count(password)",
        "count(distinct email)",
        "password is null",
        "email like '%.de'",
        "1",
        "exists(select 1 from crm.accounts where password = 'x')",
        "case when password = 'x' then 1 else 2 end",
        "sum(1) over (partition by email)",
    ],
)
def test_what_tells_no_value_is_made_of_nothing(expression: str) -> None:
    assert told(read(f"select {expression} as a from crm.accounts group by all", "a")) == {}


@pytest.mark.parametrize(
    ("dialect", "definition"),
    [
        ("postgres", " SELECT a.password AS a, concat(a.email, a.name) AS b FROM crm.accounts a;"),
        ("snowflake", "create secure view REP.V(A, B) comment='x' as select password, email || name from crm.accounts"),
        ("bigquery", "SELECT password AS a, CONCAT(email, name) AS b FROM `project.crm.accounts`"),
    ],
)  # fmt: skip
def test_views_of_all_warehouses_are_read(dialect: str, definition: str) -> None:
    assert told(read(definition, "a b", dialect)) == {
        "a": "accounts.password",
        "b": "(accounts.email) (accounts.name)",
    }


def test_quoted_names_of_queries_differ_in_case_where_the_warehouse_says_so() -> None:
    definition = (
        'with "Foo" as (select password as a from crm.accounts), '
        'foo as (select name as a from crm.accounts) select a from "Foo"'
    )
    assert told(read(definition, "a", "postgres")) == {"a": "accounts.password"}


def test_columns_that_a_join_merges_are_found_by_name_as_their_place_differs() -> None:
    # Postgres and BigQuery put them first, others leave them where they are on the left.
    definition = (
        "select * from (select token, id from rep.accounts) as t "
        "join (select id, password from crm.accounts) as a using (id)"
    )
    for dialect in ("postgres", "duckdb", "bigquery", "snowflake"):
        made_of = told(read(definition, "id token password", dialect))
        assert made_of["token"] == "rep.accounts.token"
        assert made_of["password"] == "accounts.password"
        assert set(made_of["id"].split()) == {"accounts.id", "rep.accounts.id"}


def nested_queries(first: str, then: str, last: str) -> str:
    """Fifty named queries, each over the one before."""
    queries = [f"c0 as ({first})"]
    for number in range(1, 50):
        query = then.replace("c_", f"c{number - 1}")
        queries.append(f"c{number} as ({query})")
    return f"with {', '.join(queries)} select {last} as a from c49"


HEAVY = [
    "select id as a from crm.accounts where " + "(" * 40 + "id" + " = 1)" * 40,
    "select " + "list_transform(" * 30 + "[id]" + ", x -> x)" * 30 + " as a from crm.accounts",
    "select columns('(a+)+(a+)+(a+)+(a+)+$') from crm.accounts",
    "select columns('(') from crm.accounts",
    nested_queries("select id as x from crm.accounts", "select * from c_ union all select * from c_", "x"),
    nested_queries("select id as x from crm.accounts", "select * from c_ as l, c_ as r", "1"),
    nested_queries("select t as x, t as y from crm.accounts as t", "select t as x, t as y from c_ as t", "x"),
    nested_queries("select id as x, id as y from crm.accounts", "select x + y as x, y + x as y from c_", "x"),
    nested_queries(
        "select id as x, name as y from crm.accounts",
        "select ifnull(x, y) as x, ifnull(y, x) as y from c_",
        "x",
    ),
]  # fmt: skip


@pytest.mark.parametrize("definition", HEAVY, ids=range(len(HEAVY)))
def test_what_doubles_with_every_step_is_read_in_no_time(definition: str) -> None:
    start = time.process_time()
    read(definition, "a")
    assert time.process_time() - start < 2


@pytest.mark.parametrize(
    ("definition", "reason"),
    [
        ("create view rep.v as select foo( from crm.orders", "it cannot be parsed as duckdb"),
        ("create view rep.v as select amuont as a from crm.orders", "unknown column amuont"),
    ],
)
def test_a_view_that_cannot_be_read_is_made_of_all_columns_of_the_tables_it_names(
    definition: str, reason: str
) -> None:
    lineage = read(definition, "a")
    all_columns = tuple(
        ColumnRef(TableRef("crm", "orders"), name) for name in TABLES["crm", "orders"]
    )
    assert lineage.columns[VIEW] == {REST: Origins(made=all_columns)}
    [unread] = lineage.unread
    assert unread.view == VIEW
    assert unread.reason.startswith(reason)


def test_dbt_gets_places_in_lower_case() -> None:
    rows = [("CRM", "T", "Pw", "Pw", "0", "TEXT"), ("CRM", "V", "A", "A", "0", "TEXT")]
    lineage = read_views(
        {TableRef("CRM", "V"): 'select upper("Pw") as A from T'}, catalog_of(rows), "snowflake"
    )
    assert lineage.as_json() == {"crm.v": {"a": {"same": [], "made": [["crm.t", "pw"]]}}}


@pytest.mark.parametrize(
    ("definition", "inputs"),
    [
        (
            "select id from crm.accounts where exists (select 1 from crm.orders)",
            ["crm.accounts", "crm.orders"],
        ),
        ("with a as (select * from crm.orders) select count(*) from a", ["crm.orders"]),
        (
            "select id from crm.accounts union all select account_id from crm.orders",
            ["crm.accounts", "crm.orders"],
        ),
        ("select upper(email) from crm.accounts", ["crm.accounts"]),
        # Not by tables alone: the moment, chance, a function that somebody wrote, a sample, a file,
        # another database.
        ("select id from crm.accounts where current_date > date '2026-01-01'", None),
        ("select id, random() from crm.accounts", None),
        ("select my_macro(id) from crm.accounts", None),
        ("select id from crm.accounts using sample 10 rows", None),
        ("select * from read_csv('accounts.csv')", None),
        ("select id from other.crm.accounts", None),
        ("select id from crm.accounts, crm.nowhere", None),
        ("select broken from", None),
    ],
)
def test_the_rows_of_a_view_follow_from_those_of_the_tables_that_it_names_or_from_more(
    definition: str, inputs: list[str] | None
) -> None:
    found = read(definition, "a").inputs.get(VIEW)
    assert (found and sorted(map(str, found))) == inputs


def test_the_tables_behind_a_view_are_found_through_others_and_not_where_one_says_more() -> None:
    views = {
        TableRef("rep", "a"): "select id from crm.accounts",
        TableRef("rep", "b"): "select a.id from rep.a inner join crm.orders on a.id = account_id",
        TableRef("rep", "c"): "select id, now() as at from rep.a",
        TableRef("rep", "d"): "select id from rep.c",
        TableRef("rep", "e"): "select 1 as id",
    }
    rows = [(*table, name, name, 0, "VARCHAR") for table, names in TABLES.items() for name in names]
    rows += [(view.schema, view.name, "id", "id", 0, "VARCHAR") for view in views]
    lineage = read_views(views, catalog_of(map(_as_texts, rows)), "duckdb")
    assert lineage.tables_behind(set(views)) == {
        "rep.a": ["crm.accounts"],
        "rep.b": ["crm.accounts", "crm.orders"],
    }

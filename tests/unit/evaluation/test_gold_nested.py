"""Gold of nested columns in BigQuery, DuckDB, Snowflake and Postgres."""

import pytest
from msgspec.structs import replace

from linker.types import Columns
from tests.gold_databases import BIGQUERY, DUCKDB, SNOWFLAKE, database, gold, table, words

STRUCTS = {
    "the leaf of a path counts": ("select totals.visits from web.sessions", "totals.visits"),
    "a path has a name in the query around": (
        "select sum(visits) from (select totals.visits from web.sessions)",
        "totals.visits",
    ),
    "of unnest counts what is used": (
        "select h.page.path from web.sessions, unnest(hits) h where h.type = 'x'",
        "hits.page.path hits.type",
    ),
    "an alias may be called as the column it unnests": (
        "select hits.page.path from web.sessions s, unnest(s.hits) as hits",
        "hits.page.path",
    ),
    "unnest in unnest goes on with the path": (
        "select p.sku from web.sessions, unnest(hits) as h, unnest(h.product) as p where p.price > 1",
        "hits.product.sku hits.product.price",
    ),
    "the fields of unnest are found without an alias": (
        "select sku from web.sessions, unnest(hits), unnest(product)",
        "hits.product.sku",
    ),
    "a list after a comma is unnested": (
        "select id, p.sku from web.sessions s, s.hits h, h.product p",
        "id hits.product.sku",
    ),
    "a list after a comma may be of a CTE": (
        "with c as (select * from web.sessions) select hits.type from c, c.hits",
        "hits.type",
    ),
    "the offset is no column": (
        "select at from web.sessions left join unnest(hits) as h with offset as at where h.type = 'x'",
        "hits.type",
    ),
    "the offset of a list after a comma is no column": (
        "select place, type from web.sessions s, s.hits as h with offset place",
        "hits.type",
    ),
    "the offset is called so by itself": (
        "select offset from web.sessions, unnest(tags) with offset",
        "tags",
    ),
    "an element of a plain list counts as the list": (
        "select tag from web.sessions, unnest(tags) tag where tag like 'x'",
        "tags",
    ),
    "a list that is only counted counts as a whole": (
        "select count(*) from web.sessions, unnest(hits)",
        "hits",
    ),
    "a list of which a function takes the length counts as a whole": (
        "select array_length(hits) from web.sessions",
        "hits",
    ),
    "in unnest reads the list": ("select id in unnest(tags) from web.sessions", "id tags"),
    "a sub-query over a list counts what it uses": (
        "select id from web.sessions where exists (select 1 from unnest(hits) where type = 'a')",
        "id hits.type",
    ),
    "a scalar sub-query over a list counts what it uses": (
        "select (select max(p.price) from unnest(hits) h, h.product p) from web.sessions",
        "hits.product.price",
    ),
    "an array of structs counts its parts": (
        "select array(select as struct h.type, page.path from unnest(hits) h) from web.sessions",
        "hits.type hits.page.path",
    ),
    "a struct built in a CTE is looked into": (
        "with c as (select struct(h.type as kind, h.page as p) as s from web.sessions, unnest(hits) h) "
        "select s.p.path from c",
        "hits.type hits.page.path",
    ),
    "rows put into a list are looked into": (
        "with c as (select any_value(s) as one from web.sessions s group by s.id) select one.totals.visits from c",
        "id date tags js totals.visits hits",
    ),
    "an element taken out of a list goes on with the path": (
        "select hits[safe_offset(0)].page.path from web.sessions",
        "hits.page.path",
    ),
    "a nested column selected in a CTE counts by what is used of it": (
        "with c as (select id, hits from web.sessions) select h.type from c, unnest(c.hits) h",
        "id hits.type",
    ),
    "a nested column selected in a CTE counts as a whole where nothing of it is used": (
        "with c as (select id, hits from web.sessions) select id from c",
        "id hits",
    ),
    "a nested column selected at the top counts as a whole": (
        "select hits from web.sessions",
        "hits",
    ),
    "a star of a struct counts what is right inside": (
        "select totals.* from web.sessions",
        "totals.visits",
    ),
    "a star of unnest counts what is right inside": (
        "select h.* from web.sessions, unnest(hits) h",
        "hits.type hits.page hits.product",
    ),
    "a star at the top counts columns as a whole": (
        "select * from web.sessions",
        "id date tags totals js hits",
    ),
    "a path inside JSON counts as the column": (
        "select json_value(js, '$.a.b'), js.c.d from web.sessions",
        "js",
    ),
    "a generated list reads nothing": (
        "select d from unnest(generate_date_array('2020-01-01', '2020-02-01')) d, web.sessions where date = d",
        "date",
    ),
    "a window over unnest counts": (
        "select sum(p.price) over (partition by h.type) from web.sessions, unnest(hits) h, unnest(h.product) p",
        "hits.product.price hits.type",
    ),
}
DOCUMENTS = {
    "a path counts as far as the catalogue knows it": (
        'select r."language":name::string, payload:a.b[0].c from hub.repos r',
        "language.name payload",
    ),
    "a path that the sample rows did not show counts as the column": (
        "select language:nope from hub.repos",
        "language",
    ),
    "brackets are a path": (
        "select language['bytes'], payload['x']['y'] from hub.repos",
        "language.bytes payload",
    ),
    "get_path is a path": (
        "select get_path(language, 'name'), get(payload, 'a') from hub.repos",
        "language.name payload",
    ),
    "parsed JSON is looked into": (
        "select parse_json(language):name::string from hub.repos",
        "language.name",
    ),
    "a cast to text reads the whole": ("select language::string from hub.repos", "language"),
    "a cast to variant is looked into": ("select name::variant:url::string from hub.repos", "name"),
    "of flatten counts what is used": (
        "select f.value:name from hub.repos, lateral flatten(input => language) f",
        "language.name",
    ),
    "flatten in table() is the same": (
        "select value:bytes from hub.repos r, table(flatten(input => r.language)) f where f.index = 0",
        "language.bytes",
    ),
    "a flattened list of which only the place is used counts as a whole": (
        "select f.index from hub.repos r left join lateral flatten(input => r.language, outer => true) f",
        "language",
    ),
    "flatten of flatten goes on": (
        "select g.value:x from hub.repos, lateral flatten(input => payload:commits) f, "
        "lateral flatten(input => f.value:files) g",
        "payload",
    ),
    "an alias of flatten may be called as the column": (
        'select "language".value:"name" from hub.repos, lateral flatten(input => "language") as "language"',
        "language.name",
    ),
    "the elements of a list in a lambda are looked into": (
        "select transform(language, x -> x:name) from hub.repos",
        "language.name",
    ),
    "object_construct of a star reads all": (
        "select object_construct(*) from hub.repos",
        "id name language payload size",
    ),
}


@pytest.mark.parametrize(("sql", "expected"), STRUCTS.values(), ids=STRUCTS)
def test_structs_and_lists_of_bigquery(sql: str, expected: str) -> None:
    assert gold(sql, BIGQUERY) == {f"sessions.{path}" for path in words(expected)}


@pytest.mark.parametrize(("sql", "expected"), DOCUMENTS.values(), ids=DOCUMENTS)
def test_documents_of_snowflake(sql: str, expected: str) -> None:
    assert gold(sql, SNOWFLAKE) == {f"REPOS.{path}" for path in words(expected)}


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("select page.path from visits", "page.path"),
        ("select page.* from visits", "page.path page.title"),
        ("select i.sku from visits, unnest(items) as t(i)", "items.sku"),
        ("select unnest(items).sku from visits", "items.sku"),
        ("select list_transform(items, x -> x.sku) from visits", "items.sku"),
        ("select [x.sku for x in items if x.price > 1] from visits", "items.sku items.price"),
        ("select {'a': page.title} from visits", "page.title"),
    ],
)
def test_structs_and_lists_of_duckdb(sql: str, expected: str) -> None:
    assert gold(sql, DUCKDB) == {f"visits.{path}" for path in words(expected)}


def test_json_operators_of_postgres_count_as_far_as_the_catalogue_knows_the_path() -> None:
    where = database(
        "postgres", table("t", "id", "data", "data.a", "data.a.b", documents=("data", "data.a"))
    )
    assert gold("select data -> 'a' ->> 'b', id from t", where) == {"t.data.a.b", "t.id"}
    assert gold("select data ->> 'c' from t", where) == {"t.data"}
    assert gold("select e.value from t, jsonb_each(t.data) e", where) == {"t.data"}


def test_a_name_that_holds_a_dot_is_one_step() -> None:
    plain = table("t", "x")
    column = replace(plain.columns[0], path='"a.b"', column_name="a.b")
    where = database("sqlite", replace(plain, columns=Columns((column,))))
    assert gold('select "a.b" from t', where) == {'t."a.b"'}

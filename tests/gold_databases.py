"""Small databases to derive gold in, and the gold of a statement as text."""

from collections.abc import Collection

from linker.evaluation.preparing import MergedDatabase, from_catalog
from linker.evaluation.scoring import derive_gold
from linker.types import Catalog, Column, Columns, Family, Table, TableRef


def table(
    name: str, *paths: str, members: tuple[str, ...] = (), documents: Collection[str] = ()
) -> Table:
    """A logical table; paths with others inside are structs, unless they are documents."""
    schema, _, short = name.rpartition(".")
    columns = tuple(
        Column(
            path,
            path.partition(".")[0],
            path.count("."),
            place,
            _type(path, paths, documents),
            True,
            None,
        )
        for place, path in enumerate(paths, start=1)
    )
    family = Family("date", members[0], members[-1], members, members[-1]) if members else None
    return Table(TableRef(schema or "main", short), "table", None, None, Columns(columns), family)


def _type(path: str, paths: Collection[str], documents: Collection[str]) -> str:
    if path in documents:
        return "JSON"
    return "ARRAY<STRUCT<…>>" if any(other.startswith(f"{path}.") for other in paths) else "STRING"


def database(dialect: str, *tables: Table) -> MergedDatabase:
    """A database of these tables."""
    return from_catalog("test", dialect, Catalog(tables, len(tables)))


def gold(sql: str, where: MergedDatabase) -> set[str]:
    """Columns read by a statement, `table.column`, with `|` between alternatives."""
    derived = derive_gold(sql, where)
    assert derived.problems == ()
    found: set[str] = set()
    for field in derived.fields:
        found.add(" | ".join(f"{ref.table.name}.{ref.path}" for ref in field))
    return found


def gold_tables(sql: str, where: MergedDatabase) -> set[str]:
    """The tables that a statement reads."""
    found: set[str] = set()
    for tables in derive_gold(sql, where).tables:
        found.add(" | ".join(ref.name for ref in tables))
    return found


def problems(sql: str, where: MergedDatabase) -> tuple[str, ...]:
    """Unresolved parts of a statement."""
    return derive_gold(sql, where).problems


def words(text: str) -> set[str]:
    """The words of a text."""
    return set(text.split())


SHOP_TABLES = (
    table("users", "id", "name", "age", "city"),
    table("orders", "id", "user_id", "total", "city"),
    table("odd ones", "First Name", "Free Meal Count (K-12)", "id"),
)
LITE = database("sqlite", *SHOP_TABLES)
POSTGRES = database("postgres", *SHOP_TABLES)
MYSQL = database("mysql", *SHOP_TABLES)
DUCKDB = database(
    "duckdb",
    *SHOP_TABLES,
    table("visits", "id", "page", "page.path", "page.title", "items", "items.sku", "items.price"),
)
BIGQUERY = database(
    "bigquery",
    *SHOP_TABLES,
    table(
        "web.sessions",
        "id",
        "date",
        "tags",
        "totals",
        "totals.visits",
        "js",
        "hits",
        "hits.type",
        "hits.page",
        "hits.page.path",
        "hits.product",
        "hits.product.sku",
        "hits.product.price",
    ),
)
SNOWFLAKE = database(
    "snowflake",
    *SHOP_TABLES,
    table(
        "HUB.REPOS",
        "id",
        "name",
        "language",
        "language.name",
        "language.bytes",
        "payload",
        "size",
        documents=("language", "payload"),
    ),
)
SHOPS = (LITE, POSTGRES, MYSQL, DUCKDB, BIGQUERY, SNOWFLAKE)

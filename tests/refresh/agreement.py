"""Checks that warehouse, profile tables and index agree after a run."""

from collections.abc import Iterable

from linker.config.settings import load_settings
from linker.environment import Environment
from linker.refresh.steps import compare_index
from tests.refresh.shop import Shop

# Members of a family are one table, by the name that its artifacts give it.
FAMILY = ("visits_", "visits_*")
Columns = set[tuple[str, str, str]]


def disagreements(shop: Shop) -> list[str]:
    """In what artifacts and index differ from the warehouse; nothing where they agree."""
    is_there = _in_warehouse(shop)
    settings = load_settings(
        {"profiles_dir": shop.folder, "profile": "shop", "state_dir": shop.folder / "state"}, {}
    )
    with Environment(settings) as environment:
        plan = compare_index(environment)
        catalog = {
            (table.ref.schema, table.ref.name, column.path)
            for table in environment.warehouse.catalog.tables
            for column in table.columns
        }
        indexed = {
            (table.ref.schema, table.ref.name, column.path)
            for table in environment.indexed.catalog.tables
            for column in table.columns
        }
    measured = dict(
        shop.rows(
            "select schema_name || '.' || table_name, max(row_count) from main_linker.linker_profile_l3 group by all"
        )
    )
    found = [
        *_differ("the artifacts", catalog, is_there),
        *_differ("the index", indexed, is_there),
        *([] if plan.in_step else [f"the index is stale: {plan}"]),
    ]
    for name, rows in _row_counts(shop).items():
        if measured.get(name) != rows:
            found.append(f"{name} has {rows} rows, its profile tells of {measured.get(name)}")
    return found


def _differ(what: str, told: Columns, is_there: Columns) -> Iterable[str]:
    for missing in sorted(is_there - told):
        yield f"{what} lack {'.'.join(missing)}"
    for stale in sorted(told - is_there):
        yield f"{what} still hold {'.'.join(stale)}"


def _in_warehouse(shop: Shop) -> Columns:
    rows = shop.rows(
        "select schema_name, table_name, column_name from duckdb_columns() "
        "where schema_name not in ('main_linker', 'information_schema', 'pg_catalog') and not internal"
    )
    return {(schema, _logical(table), column) for schema, table, column in rows}


def _row_counts(shop: Shop) -> dict[str, int]:
    """The rows of every table that is no member of a family: of those a few members are read."""
    names = shop.rows(
        "select schema_name, table_name from duckdb_tables() where schema_name <> 'main_linker'"
    )
    counts = {}
    for schema, table in names:
        if not table.startswith(FAMILY[0]):
            [(counts[f"{schema}.{table}"],)] = shop.rows(
                f'select count(*) from "{schema}"."{table}"'
            )
    return counts


def _logical(table: str) -> str:
    return FAMILY[1] if table.startswith(FAMILY[0]) else table

"""A small catalog, and usage counted from a query log over it."""

from linker.catalog.column_metadata import PriorUse
from linker.sql_analysis import MergedTables
from linker.types import Catalog, Column, ColumnRef, Columns, Family, Table, TableRef
from linker.usage.counting import Counted, TargetTables, count_use
from linker.usage.sources import Logged


def table(name: str, *paths: str, members: tuple[str, ...] = (), kind: str = "table") -> Table:
    schema, _, short = name.partition(".")
    columns = tuple(
        Column(path, path.partition(".")[0], path.count("."), place, _type(path, paths), True, None)
        for place, path in enumerate(paths, start=1)
    )
    family = Family("day", members[0], members[-1], members, members[-1]) if members else None
    return Table(TableRef(schema, short), kind, None, None, Columns(columns), family)


def _type(path: str, paths: tuple[str, ...]) -> str:
    return "STRUCT<…>" if any(other.startswith(f"{path}.") for other in paths) else "STRING"


TABLES = (
    table("sales.orders", "order_id", "customer_id", "amount", "status", "placed_on"),
    table("sales.big_orders", "order_id", "amount", kind="view"),
    table("crm.customers", "customer_id", "name", "city"),
    table("crm.orders", "order_id", "agent"),
    table(
        "web.visits",
        "visit_id",
        "customer_id",
        "device",
        "device.kind",
        members=("visits_20250101", "visits_20250102"),
    ),
)


def tables(dialect: str = "duckdb") -> TargetTables:
    """The tables of a database `shop`, in which a bare name means `sales` first."""
    return TargetTables(
        MergedTables.create(dialect, Catalog(TABLES, len(TABLES))), home="shop", schema="sales"
    )


def counted(*texts: str | Logged, dialect: str = "duckdb") -> tuple[PriorUse, Counted]:
    """Counts from the texts."""
    return count_use(
        [one if isinstance(one, Logged) else Logged(one) for one in texts], tables(dialect)
    )


def use(*texts: str | Logged, dialect: str = "duckdb") -> PriorUse:
    """What the texts use."""
    return counted(*texts, dialect=dialect)[0]


def columns(known: PriorUse) -> dict[str, int]:
    """Queries by column, `table.column`; `orders` of crm has its schema."""
    return {_name(ref): one.queries for ref, one in known.columns.items()}


def used_tables(known: PriorUse) -> dict[str, int]:
    """By table how many queries use it."""
    return {str(ref): one.queries for ref, one in known.tables.items()}


def joins(known: PriorUse) -> dict[str, int]:
    """By join how many queries have it."""
    return {
        f"{_name(one)} = {_name(other)}": found.queries
        for (one, other), found in known.joins.items()
    }


def _name(ref: ColumnRef) -> str:
    return str(ref) if str(ref.table) == "crm.orders" else f"{ref.table.name}.{ref.path}"

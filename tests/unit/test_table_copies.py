"""Detection of table copies and of look-alikes."""

from linker.catalog.column_metadata import Facts, KeyPair
from linker.catalog.snapshot import ProfiledCatalog
from linker.ranking.near_duplicates import originals
from linker.types import Catalog, Column, Columns, Table, TableRef


def table(name: str, *columns: str) -> Table:
    schema, _, short = name.partition(".")
    held = tuple(
        Column(path, path, 0, place, "varchar", is_nullable=True, description=None)
        for place, path in enumerate(columns, 1)
    )
    return Table(TableRef(schema, short), "table", None, 10, Columns(held))


def copies(*tables: Table, key_to: Table) -> dict[str, str]:
    """The copies by name, where a key points to one table."""
    pair = KeyPair(tables[-1].ref, ("id",), key_to.ref, ("id",), confidence=1.0)
    found = originals(ProfiledCatalog(Catalog(tables, len(tables)), Facts({}, (pair,))))
    return {str(copy): str(original) for copy, original in found.items()}


ORDERS = table("sales.orders", "id", "placed_on", "status", "total")


def test_copies_lead_to_the_table_that_keys_point_to() -> None:
    found = copies(
        table("backup_2023.orders", "id", "placed_on", "total", "loaded_at"),
        table("scratch.raw_orders_old", "id", "status"),
        ORDERS,
        key_to=ORDERS,
    )
    assert found == {"backup_2023.orders": "sales.orders", "scratch.raw_orders_old": "sales.orders"}


def test_tables_of_the_same_schema_other_columns_or_another_name_are_no_copies() -> None:
    found = copies(
        table("sales.orders_amer", "id", "placed_on", "total"),
        table("finance.orders", "id", "supplier", "due_on", "total"),
        table("web.carts", "id", "placed_on", "total"),
        ORDERS,
        key_to=ORDERS,
    )
    assert found == {}


def test_a_table_that_no_key_points_to_is_the_original_in_the_schema_that_keys_lead_to() -> None:
    lines = table("sales.order_lines", "id", "order_id", "sku", "pieces")
    found = copies(
        table("backup_2023.order_lines", "id", "order_id", "sku", "pieces", "copied_by"),
        table("dev_ann.order_lines", "id", "order_id", "pieces", "note"),
        lines,
        ORDERS,
        key_to=ORDERS,
    )
    assert found == {
        "backup_2023.order_lines": "sales.order_lines",
        "dev_ann.order_lines": "sales.order_lines",
    }

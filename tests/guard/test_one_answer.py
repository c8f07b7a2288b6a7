"""Masking by the guard and column lineage agree."""

from collections.abc import Iterator

import pytest

from linker.sql_analysis.views import REST, Origins, catalog_of, read_views
from linker.sql_policy.visible_tables import MASKED
from linker.types import Catalog, ColumnRef, TableRef
from linker.warehouses import Warehouse
from tests.guard.shops import duckdb_shop
from tests.guard.test_guard import GUARDS
from tests.guard.warehouse import known

VIEW = TableRef("shop", "asked")
PRIVATE = {ColumnRef(TableRef("shop", "customers"), name) for name in ("email", "phone")}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    with duckdb_shop(tmp_path_factory.mktemp("one-answer")) as opened:
        yield opened
        opened.close()


def catalog(width: int) -> Catalog:
    """The shop, and a view of many columns with unknown names."""
    rows = [
        (table.ref.schema, name, column, column, "0", "VARCHAR")
        for table in known("duckdb").tables
        for name in table.physical
        for column in table.privacy
    ]
    rows += [(VIEW.schema, VIEW.name, f"c{n}", f"c{n}", "0", "VARCHAR") for n in range(width)]
    return catalog_of(rows)


SOURCES = (
    "customers as s",
    "(select * from customers) as s",
    "(select phone, country, name, email from customers) as s",
    "(select * exclude (country) from customers) as s",
    "(select name, email, phone from customers union all select email, name, phone from customers) as s",
    "(select name, email, phone from customers union all by name select phone, email, name from customers) as s",
    "(customers join orders using (customer_id)) as s",
    "orders as o, lateral (select * from customers as c where c.customer_id = o.customer_id) as s",
    "(with c as (select * from customers) select * from c as d(a, name, email, phone)) as s",
    "(select * from range(1) as r(x) union all by name select name, email, phone from customers) as s",
    "customers as s, range(2) as r(x), unnest([1]) as u(y)",
)
ITEMS = (
    "*",
    "s.*",
    "s.name, s.email, s.phone",
    "email as name, name as email",
    "(select s.phone), count(*) over ()",
    "columns('na|em')",
)


def test_every_column_with_marks_is_made_of_a_masked_one(shop: Warehouse) -> None:
    marked = 0
    for source in SOURCES:
        for items in ITEMS:
            sql = f"select {items} from {source}"
            rows = shop.query(GUARDS["duckdb"].check(sql).sql)
            shown = {place for row in rows for place, value in enumerate(row) if value == MASKED}
            lineage = read_views({VIEW: sql}, catalog(len(rows[0])), "duckdb")
            origins = lineage.columns[VIEW]
            for place in shown:
                made_of = origins.get(f"c{place}") or origins.get(REST) or Origins()
                assert PRIVATE & {*made_of.same, *made_of.made}, (sql, place)
            marked += len(shown)
    assert marked > 100

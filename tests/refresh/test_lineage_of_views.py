"""Table lineage in the catalog UI from view definitions."""

import re
from pathlib import Path

from linker import Linker
from linker.serve.explorer.pages import Pages
from linker.types import TableRef
from tests.refresh.shop import Shop

VIEWS = """
    create schema reports;
    create view reports.named_orders as
        select order_id, full_name from sales.orders join sales.customers using (customer_id);
    create view reports.order_counts as
        select full_name, count(*) as orders from reports.named_orders group by full_name;
    create view reports.visits as
        select * from sales.visits_20260101 union all select * from sales.visits_20260102;
    create table sales.lkp_size as select * from (values ('S', 'small'), ('L', 'large')) as v(code, label);
    create table sales.parcels as select range as parcel_id, ['S', 'L'][1 + range % 2] as size_code from range(60);
"""


def lineage(page: str) -> str:
    """The text of that part of a page."""
    found = re.search(r"<h2>Lineage</h2>(.*?)</dl>", page, re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", found[1]).split()) if found else ""


def test_views_are_built_from_tables_and_codes_have_the_labels_of_their_table(
    tmp_path: Path,
) -> None:
    shop = Shop.open(tmp_path)
    shop.execute(VIEWS)
    shop.refresh()
    pages = Pages(is_served=True)
    with Linker.open(profiles_dir=tmp_path, profile="shop", state_dir=tmp_path / "state") as linker:
        environment = linker.environment
        environment.index.reload_if_changed()
        by_name = {
            name: lineage(pages.table(environment, TableRef(*name.split("."))))
            for name in ("reports.named_orders", "reports.visits", "sales.orders", "stock.items")
        }
        column = pages.column(environment, TableRef("sales", "parcels"), "size_code")
    assert by_name == {
        "reports.named_orders": "built from sales.orders , sales.customers feeds reports.order_counts",
        "reports.visits": "built from sales.visits_*",
        "sales.orders": "feeds reports.named_orders and these feed reports.order_counts",
        "stock.items": "",
    }
    assert re.search(r">S</th>\s*<td>small</td>", column)

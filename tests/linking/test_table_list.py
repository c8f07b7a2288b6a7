"""`list_tables` in a warehouse with copies of tables."""

from pathlib import Path

from linker.serve.tools_list import list_tables
from tests.linking.shop import SHOP, ShopEnvironment, build


def test_copies_come_last(tmp_path: Path) -> None:
    copied = SHOP["crm.customers"][:-1]
    copies = {f"archive.customers_{number}": copied for number in range(3)}
    tables = {name: SHOP[name] for name in ("sales.orders", "crm.customers")}
    build(tmp_path, {**copies, **tables})
    with ShopEnvironment(tmp_path) as environment:
        _, *schemas = list_tables(environment, []).lines
        [part] = list_tables(environment, ["%customers%"]).parts
    assert schemas == ["crm: 1 table", "sales: 1 table", "archive: 3 tables"]
    assert [line.split(" - ")[0].split(";")[0] for line in part.lines] == [
        "crm.customers",
        "archive.customers_0",
        "archive.customers_1",
        "archive.customers_2",
    ]

"""`search_values` in a warehouse with copies of a table."""

from pathlib import Path

from linker.serve.value_search import search_values
from tests.linking.shop import SHOP, ShopEnvironment, build

TIERS = ("tier", "VARCHAR", "category", "show", ["gold", "platinum", "gold"])
# More than a search returns.
COPIES = 210


def test_a_value_is_found_in_the_original_however_many_copies_hold_it(tmp_path: Path) -> None:
    customers = [*SHOP["crm.customers"], TIERS]
    copied = [SHOP["crm.customers"][0], TIERS]
    copies = {f"backup.customers_{number}": copied for number in range(COPIES)}
    build(tmp_path, {"sales.orders": SHOP["sales.orders"], **copies, "crm.customers": customers})
    with ShopEnvironment(tmp_path) as environment:
        [line] = search_values(environment, ["platinum"], 4).lines
    assert line.startswith("crm.customers.tier = 'platinum'")

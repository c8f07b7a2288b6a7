"""Detection of copied schemas, case by case."""

import pytest

from tests.families import COLUMNS, OTHER_COLUMNS, Merging

SHOP = {"orders": COLUMNS, "customers": OTHER_COLUMNS, "refunds": f"{COLUMNS}, amount integer"}
# Schemas with the same tables, their common name, and their differences.
SCHEMAS_OF_COPIES = {
    "tenants": (("tenant_a", "tenant_b", "tenant_c"), "tenant_*", "schema"),
    "tenants by number": (("client7", "client12"), "client*", "schema"),
    "tenants in front": (("acme_shop", "globex_shop"), "*_shop", "schema"),
    "regions": (("sales_eu", "sales_us"), "sales_*", "region"),
    "environments": (("shop_staging", "shop_prod"), "shop_*", "environment"),
    "stages": (("raw_shop", "shop_shop"), "*_shop", "environment"),
    "schemas of developers": (("dbt_alice", "dbt_bob"), "dbt_*", "environment"),
}


@pytest.mark.parametrize("case", SCHEMAS_OF_COPIES)
def test_the_same_tables_in_several_schemas_are_siblings_over_them(
    merging: Merging, case: str
) -> None:
    schemas, pattern, kind = SCHEMAS_OF_COPIES[case]
    # One of the columns drifted in one of them.
    drifted = {**SHOP, "refunds": COLUMNS}
    merged = merging.schemas(
        {schema: drifted if schema == schemas[-1] else SHOP for schema in schemas}
    )
    over = {group.name: group for group in merged.siblings if group.schema == pattern}
    assert over.keys() == set(SHOP)
    for name, group in over.items():
        assert group.members == tuple(f"{schema}.{name}" for schema in sorted(schemas))
        assert group.key_kind == kind
    # Nothing is merged.
    assert set(merged.logical_names) == {(schema, name) for schema in schemas for name in SHOP}


def test_schemas_that_have_a_few_lookups_in_common_are_no_copies(merging: Merging) -> None:
    lookups = {"countries": COLUMNS, "currencies": OTHER_COLUMNS}
    sales = {name: f"{name}_id integer, day date" for name in ("orders", "refunds", "carts")}
    marketing = {name: f"{name}_id integer, day date" for name in ("campaigns", "clicks", "leads")}
    merged = merging.schemas({"sales_eu": lookups | sales, "marketing_eu": lookups | marketing})
    assert [group for group in merged.siblings if "*" in group.schema] == []


def test_tenants_by_stage_are_told_apart_by_the_tenant(merging: Merging) -> None:
    schemas = [f"{stage}_{tenant}" for stage in ("prod", "raw") for tenant in ("a", "b", "c")]
    merged = merging.schemas(dict.fromkeys(schemas, SHOP))
    found = {(group.schema, group.key_kind) for group in merged.siblings if "*" in group.schema}
    assert found == {("prod_*", "schema"), ("raw_*", "schema")}

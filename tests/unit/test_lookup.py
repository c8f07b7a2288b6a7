"""Lookup of typed names: one match, or an error with suggestions."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linker.errors import NameLookupError
from linker.identifiers.resolver import find
from linker.types import Catalog, Column, Columns, Family, Table, TableRef


def table(schema: str, name: str, *paths: str, family: Family | None = None) -> Table:
    columns = tuple(
        Column(path, path, path.count("."), 1, "VARCHAR", is_nullable=True, description=None)
        for path in paths
    )
    return Table(TableRef(schema, name), "table", None, 1, Columns(columns), family)


def catalog_of(*tables: Table) -> Catalog:
    return Catalog(tables=tables, physical_table_count=len(tables))


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("sales.orders", "sales.orders"),
        ("customers", "crm.customers"),
        ("CRM.Customers", "crm.customers"),
        ("customers.EMAIL", "crm.customers.email"),
        ("crm.customers.email", "crm.customers.email"),
        ("orders.payload.channel", "sales.orders.payload.channel"),
        ('"crm"."customers"."email"', "crm.customers.email"),
        ("`crm`.`customers`", "crm.customers"),
        ("customers.geburtsjahr (ca.)", 'crm.customers."Geburtsjahr (ca.)"'),
        ('crm.customers."Geburtsjahr (ca.)"', 'crm.customers."Geburtsjahr (ca.)"'),
    ],
)
def test_a_name_is_found_with_and_without_schema_in_any_case_and_in_quotes(
    name: str, meant: str, catalog: Catalog
) -> None:
    assert str(find(name, catalog)) == meant


@pytest.mark.parametrize(
    "name",
    [
        "sessions_20250101",
        "web.SESSIONS_20250103",
        "sessions_*",
        "web.sessions_*",
        "sessions_",
        "sessions",
    ],
)
def test_a_family_is_found_by_its_name_its_members_and_what_they_share(
    name: str, catalog: Catalog
) -> None:
    assert str(find(name, catalog)) == "web.sessions_*"
    assert str(find(f"{name}.hits.page.title", catalog)) == "web.sessions_*.hits.page.title"


def test_a_table_of_that_name_comes_before_a_family_that_shares_it() -> None:
    family = Family(
        "day", "20250101", "20250102", ("visits_20250101", "visits_20250102"), "visits_20250102"
    )
    catalog = catalog_of(table("web", "visits_*", family=family), table("web", "visits"))
    assert str(find("visits", catalog)) == "web.visits"


def test_among_names_that_differ_in_case_alone_the_one_that_was_typed_is_meant(
    catalog: Catalog,
) -> None:
    assert str(find("orders", catalog)) == "sales.orders"
    assert str(find("Orders", catalog)) == "crm.Orders"


def test_an_ambiguous_name_lists_the_choices(catalog: Catalog) -> None:
    with pytest.raises(NameLookupError, match="`ORDERS` may be one of 2") as caught:
        find("ORDERS", catalog)
    assert caught.value.hint == "choose: crm.Orders, sales.orders"


def test_a_schema_named_like_a_table_makes_both_readings_choices() -> None:
    catalog = catalog_of(table("sales", "orders", "id"), table("crm", "sales", "orders"))
    with pytest.raises(NameLookupError, match="one of 2") as caught:
        find("sales.orders", catalog)
    assert caught.value.hint == "choose: crm.sales.orders, sales.orders"
    assert str(find("sales.orders.id", catalog)) == "sales.orders.id"


def test_choices_without_end_are_counted_instead_of_listed() -> None:
    catalog = catalog_of(*(table(f"region_{number:02}", "orders") for number in range(30)))
    with pytest.raises(NameLookupError, match="one of 30") as caught:
        find("orders", catalog)
    assert caught.value.hint.startswith("choose: region_00.orders, region_01.orders")
    assert caught.value.hint.endswith("and 18 more")


@pytest.mark.parametrize(
    ("name", "what", "hint"),
    [
        ("ordres", "no table is called `ordres`", "did you mean crm.Orders, sales.orders?"),
        ("sales.ordrs", "no table is called `sales.ordrs`", "did you mean sales.orders"),
        ("status", "no table is called `status`", "did you mean sales.orders.status?"),
        ("orders.statsu", "sales.orders has no column `statsu`", "did you mean status?"),
        ("customers.xxx", "crm.customers has no column `xxx`", "it has customer_id, email, iban"),
        ("qqqqqqqq", "no table is called `qqqqqqqq`", "write schema.table, or schema.table.column"),
        ("", "no table is called ``", "write schema.table"),
        ("..", "no table is called `..`", "write schema.table"),
    ],
)
def test_an_unknown_name_gets_its_nearest_neighbours(
    name: str, what: str, hint: str, catalog: Catalog
) -> None:
    with pytest.raises(NameLookupError) as caught:
        find(name, catalog)
    assert caught.value.what == what
    assert caught.value.hint.startswith(hint)


def test_a_table_whose_name_holds_dots_and_quotes_is_found() -> None:
    catalog = catalog_of(table("raw", 'v1.2 "final"', "id"))
    assert str(find('raw."v1.2 ""final"""', catalog)) == 'raw.v1.2 "final"'
    assert str(find('"v1.2 ""final""".id', catalog)) == 'raw.v1.2 "final".id'


@given(st.text(max_size=30))
def test_whatever_is_typed_is_found_or_answered_in_words(name: str) -> None:
    catalog = catalog_of(table("sales", "orders", "id", "a.b"), table("crm", "people", '"x.y"'))
    with contextlib.suppress(NameLookupError):
        ref = find(name, catalog)
        assert ref in catalog.table_by_ref if isinstance(ref, TableRef) else catalog.find(ref)

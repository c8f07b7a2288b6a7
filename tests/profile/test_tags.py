"""dbt tags in vars of a project that lists the package."""

from collections.abc import Callable

import pytest

from tests.profile.statements import Scanner

TEMPLATE = "{{ linker.tables_of_patterns([{'tables': ['web.*'], 'tags': ['nightly', 'weekly']}]) | join(' ') }}"


@pytest.fixture
def tagged(make_scanner: Callable[[dict[str, object]], Scanner]) -> Scanner:
    orders = {"name": "orders", "identifier": "Orders_V2", "config": {"tags": ["nightly"]}}
    tables = [orders, {"name": "customers", "config": {"tags": ["other"]}}]
    return make_scanner({"sources": [{"name": "shop", "schema": "Sales", "tables": tables}]})


def test_a_tag_in_the_vars_stands_for_the_tables_that_have_it(tagged: Scanner) -> None:
    [globs] = tagged.rendered(TEMPLATE)
    assert globs.split() == ["web.*", "Sales.Orders_V2"]

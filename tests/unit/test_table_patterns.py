"""Table patterns by schema and name, tag, and dbt path."""

import pytest
from msgspec.structs import replace

from linker.config.settings import Settings
from linker.config.values import WrongError, read_pattern, table_patterns, unmatched
from linker.types import DbtNode, Family, TableRef
from tests.tables import table

ORDERS = replace(
    table("fct_orders", "order_id"),
    ref=TableRef("Marts", "fct_orders"),
    dbt=DbtNode(path="models/marts/core/fct_orders.sql", tags=("certified",)),
)
EVENTS = replace(
    table("events_*", "event_id"),
    ref=TableRef("raw", "events_*"),
    family=Family(
        "day", "20240101", "20240102", ("events_20240101", "events_20240102"), "events_20240102"
    ),
)


@pytest.mark.parametrize(
    "text",
    [
        "marts",
        "MARTS.*",
        "marts.fct_*",
        "*.fct_orders",
        "tag:certified",
        "path:models/marts",
        "path:models/marts/",
        "path:models/*/core",
        "models/marts/core/fct_orders.sql",
        "marts/**",
        "path:marts/core",
        "./models/marts",
        "path:models/marts/core/fct_*.sql",
    ],
)
def test_a_pattern_means_a_table_by_its_names_tags_or_file(text: str) -> None:
    assert read_pattern(text).matches(ORDERS)
    assert not read_pattern(text).matches(EVENTS)


@pytest.mark.parametrize(
    "text", ["mart", "marts.fct_", "tag:cert*", "path:models/mart", "path:core", "path:models/m"]
)
def test_a_pattern_means_no_more_than_it_says(text: str) -> None:
    assert not read_pattern(text).matches(ORDERS)


def test_a_family_is_meant_by_one_of_its_members() -> None:
    assert read_pattern("raw.events_20240101").matches(EVENTS)
    assert not read_pattern("raw.events_20230101").matches(EVENTS)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("tag:", "names nothing"),
        ("older:24h", "is not a way"),
        ("x, ", "list of strings"),
        ("", "list of"),
    ],
)
def test_what_is_no_pattern_is_refused_where_the_setting_is_read(text: str, what: str) -> None:
    with pytest.raises(WrongError, match=what):
        table_patterns(text)


def test_a_pattern_that_means_no_table_is_named() -> None:
    patterns = table_patterns("marts, tag:certifed")
    assert unmatched("prefer", patterns, [ORDERS, EVENTS]) == [
        "prefer: no table matches `tag:certifed`; "
        "a pattern is `sales`, `sales.*`, `*.orders_*`, `tag:nightly` or `path:models/marts`"
    ]
    assert Settings(prefer=patterns).prefer == patterns

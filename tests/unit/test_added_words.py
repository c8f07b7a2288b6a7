"""Vars family_words and join_words: effect and errors."""

from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import pytest

from tests.families import COLUMNS, Group, Merged, Merging
from tests.rendering import Rendering

# The word that is added; tables of the same columns; what they are without the word, and with it.
TABLES: dict[str, tuple[dict[str, Any], tuple[str, ...], str | None, str]] = {
    "a piece": (
        {"piece": ["tranche"]},
        ("loans_tranche_1", "loans_tranche_2"),
        None,
        "loans_tranche_* by shard",
    ),
    "a grade": (
        {"grade": ["EXP"]},
        ("exp_101_control", "exp_102_control"),
        "exp_*_control by number",
        "siblings by nothing",
    ),
    "a week": (
        {"week": ["sem"]},
        ("sales_2024_sem05", "sales_2024_sem06"),
        "sales_2024_sem* by number",
        "sales_* by week",
    ),
    "names of months": (
        {"month_name": {"mai": 5, "okt": 10}},
        ("sales_okt_2024", "sales_mai_2024"),
        None,
        "sales_* by month",
    ),
    "tenants": (
        {"tenant": ["acme", "globex"]},
        ("orders_Globex", "orders_acme"),
        None,
        "orders_* by tenant",
    ),
    "tenants in front": (
        {"tenant": ["acme", "globex"]},
        ("acme_orders", "globex_orders"),
        None,
        "*_orders by tenant",
    ),
    "regions": (
        {"region": ["bayern", "hessen"]},
        ("orders_bayern", "orders_hessen"),
        None,
        "siblings by region",
    ),
}
LETTERS = "a word may only have letters from a to z, digits and `_`: "
WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "no mapping": (
        {"family_words": ["acme"]},
        "the var family_words must map a meaning to words",
    ),
    "no meaning": (
        {"family_words": {"tenants": ["acme"]}},
        "family_words, `tenants`: there are words for corner,",
    ),
    "no list": (
        {"family_words": {"tenant": "acme"}},
        "family_words, `tenant`: not a list of words: acme",
    ),
    "two words": (
        {"family_words": {"piece": ["a part"]}},
        f"family_words, `piece`: {LETTERS}a part",
    ),
    "a pattern": ({"join_words": {"key": ["id|x"]}}, rf"join_words, `key`: {LETTERS}id\|x"),
    "no number": (
        {"family_words": {"month_name": ["mai"]}},
        "`month_name`: each word needs a meaning",
    ),
    "no month": (
        {"family_words": {"month_name": {"mai": 13}}},
        "`month_name`: mai can stand for 1, 2, 3,",
    ),
    "no word": (
        {"join_words": {"abbreviation": {"kd": ["a"]}}},
        "`abbreviation`: kd has to stand for one word",
    ),
}


@pytest.fixture(scope="module")
def merging_with_words(rendering: Callable[[str], Rendering]) -> Iterator[Merging]:
    words: dict[str, Any] = {}
    for added, *_ in TABLES.values():
        words.update(added)
    words["environment"] = ["abnahme", "entw"]
    with closing(Merging(rendering("duckdb"), family_words=words)) as opened:
        yield opened


@pytest.fixture(scope="module")
def without(merging: Merging) -> Merged:
    return merging.schemas(
        {case: dict.fromkeys(names, COLUMNS) for case, (_, names, _, _) in TABLES.items()}
    )


@pytest.fixture(scope="module")
def with_words(merging_with_words: Merging) -> Merged:
    return merging_with_words.schemas(
        {case: dict.fromkeys(names, COLUMNS) for case, (_, names, _, _) in TABLES.items()}
    )


def told(group: Group) -> str:
    return (
        f"{'siblings' if group.kind == 'siblings' else group.name} by {group.key_kind or 'nothing'}"
    )


@pytest.mark.parametrize("case", TABLES)
def test_a_word_that_is_added_counts_as_those_of_the_package(
    case: str, without: Merged, with_words: Merged
) -> None:
    _, _, before, after = TABLES[case]
    assert [told(group) for group in without.groups if group.schema == case] == [
        before or "siblings by nothing"
    ]
    assert [told(group) for group in with_words.groups if group.schema == case] == [after]


def test_months_by_added_names_are_in_the_order_of_the_year(with_words: Merged) -> None:
    [family] = [family for family in with_words.families if family.schema == "names of months"]
    assert (family.members, family.representative) == (
        ("sales_mai_2024", "sales_okt_2024"),
        "sales_okt_2024",
    )


def test_schemas_that_an_added_word_calls_an_environment_hold_the_same_things(
    merging: Merging, merging_with_words: Merging
) -> None:
    tables = {"orders": COLUMNS, "customers": "id integer, name text"}
    schemas = {"shop_abnahme": tables, "shop_entw": tables}
    kinds = {}
    for name, where in (("without", merging), ("with", merging_with_words)):
        kinds[name] = {group.key_kind for group in where.schemas(schemas).siblings}
    assert kinds == {"without": {"schema"}, "with": {"environment"}}


def test_a_table_that_is_called_as_a_tenant_is_no_member_of_all_tables(
    merging_with_words: Merging,
) -> None:
    assert merging_with_words.names("acme", "globex").families == ()


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_value_is_told_in_a_line_before_a_table_is_read(
    case: str, rendering: Callable[[str], Rendering]
) -> None:
    variables, message = WRONG[case]
    with pytest.raises(AssertionError, match=message):
        rendering("duckdb").models("linker_tables", **variables)

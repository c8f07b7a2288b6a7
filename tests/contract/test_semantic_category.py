"""Semantic category of numbers by the words of their names and their range, in every warehouse."""

from tests.expressions import Expressions

# A column of decimals of which nothing else is known.
CATEGORY = """(select {{ linker.category() }} from (
    select value as words, 'number' as value_kind, 90 as value_count, 90 as row_count, 80 as distinct_count,
        0.5 as min_number, 99.5 as max_number, null as personal_data, 0 as key_place, null as known_pointing_origin,
        false as is_unique, 4.0 as mean_length, '[]' as top_values) as keys)"""
AMOUNTS = (
    "tax",
    "order_tax_paid",
    "discount_amount",
    "price_per_unit",
    "revenue_sharing_cost",
    "percentile_price",
)
# A column of integers that are all 0 or 1.
BITS = """(select {{ linker.category() }} from (
    select value as words, 'integer' as value_kind, 90 as value_count, 90 as row_count, 2 as distinct_count,
        0 as min_number, 1 as max_number, null as personal_data, 0 as key_place, null as known_pointing_origin,
        false as is_unique, 1.0 as mean_length, '[]' as top_values) as keys)"""
FLAGS = (
    "active",
    "deleted",
    "vip",
    "is_open",
    "opted_in",
    "abgerechnet",
    "access",
    "terms_accepted",
    "access_before_launch",
)
COUNTS = (
    "error_count",
    "no_of_stops",
    "goals",
    "returned_items",
    "qty",
    "leavers_later",
    "returns_per_order",
    "visits_before_order",
)
RATES = (
    "tax_rate",
    "discount_rate",
    "discount_percent",
    "percent_discount",
    "margin_ratio",
    "vat_percentage",
)


def test_a_rate_of_money_is_no_money(expressions: Expressions) -> None:
    found = expressions.of_each(CATEGORY, [f"_{name}_" for name in (*AMOUNTS, *RATES)])
    assert found == ["money"] * len(AMOUNTS) + ["measure"] * len(RATES)


def test_an_integer_that_is_0_or_1_is_a_flag_unless_its_name_counts(
    expressions: Expressions,
) -> None:
    found = expressions.of_each(BITS, [f"_{name}_" for name in (*FLAGS, *COUNTS)])
    assert found == ["boolean"] * len(FLAGS) + ["measure"] * len(COUNTS)


def test_an_integer_that_is_0_or_1_in_a_handful_of_rows_may_be_anything(
    expressions: Expressions,
) -> None:
    few = BITS.replace("90 as value_count, 90 as row_count", "4 as value_count, 4 as row_count")
    assert expressions.of_each(few, ["_active_"]) == ["measure"]

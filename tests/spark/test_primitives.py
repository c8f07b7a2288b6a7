"""Patterns, casts, names and check digits in a real Spark."""

from tests.contract.test_text_primitives import (
    test_a_pattern_is_found_anywhere_unless_it_is_anchored,
    test_every_match_is_replaced_and_groups_are_kept,
    test_the_first_group_is_extracted,
)
from tests.expressions import Expressions

__all__ = [
    "test_a_pattern_is_found_anywhere_unless_it_is_anchored",
    "test_every_match_is_replaced_and_groups_are_kept",
    "test_the_first_group_is_extracted",
]


def test_a_cast_that_fails_gives_null(expressions: Expressions) -> None:
    # The driver gives dates as texts.
    expected: dict[str, dict[str, object]] = {
        "integer": {"12": 12, "-3": -3, "": None, "twelve": None},
        "number": {"1.5": 1.5, "-1.5e3": -1500.0, ".5": 0.5, "1,5": None, "1e": None},
        "date": {"2024-02-29": "2024-02-29", "2025-02-29": None},
        "boolean": {"true": True, "false": False, "maybe": None},
    }
    for kind, read in expected.items():
        template = f"{{{{ linker.try_cast('value', '{kind}') }}}}"
        assert expressions.of_each(template, read) == list(read.values())


def test_all_groups_of_a_replacement_are_kept(expressions: Expressions) -> None:
    swapped = expressions.of_each(
        r"{{ linker.regex_replace('value', '([a-z])([0-9])', '\\2\\1') }}", ["a1b2", "$1"]
    )
    assert swapped == ["1a2b", "$1"]


def test_underscores_are_trimmed_from_a_name_and_not_the_name_from_them(
    expressions: Expressions,
) -> None:
    named = expressions.of_each(
        "{{ linker.snake_case('value') }}", ["customerId", "_Order No._", "__a__b__", "_"]
    )
    assert named == ["customer_id", "order_no", "a_b", ""]


def test_numbers_are_told_by_their_check_digits(expressions: Expressions) -> None:
    # Published examples, and each with its last digit changed.
    kinds = {
        "4111 1111 1111 1111": "card",
        "4111 1111 1111 1112": None,
        "GB82 WEST 1234 5698 7654 32": "iban",
        "GB82 WEST 1234 5698 7654 33": None,
        "529.982.247-25": "national_id",
        "529.982.247-26": None,
        "mary.smith@sakilacustomer.org": "email",
        "ACADEMY DINOSAUR": None,
    }
    found = expressions.of_each("{{ linker.personal_data('value', 'hint') }}", kinds)
    assert found == list(kinds.values())

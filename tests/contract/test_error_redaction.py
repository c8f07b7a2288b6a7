"""Recorded errors contain no quoted values, in SQL in every warehouse and in Python."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linker.dbt.runner import without_values
from tests.expressions import Expressions

MASKED = "{{ linker._without_values('value') }}"
in_batches = settings(max_examples=40, deadline=None)
values = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30)
words = st.from_regex(r"[a-z]{1,9}( [a-z]{1,9}){0,3}", fullmatch=True)
quotes = st.sampled_from(
    [
        "''",
        '""',
        "``",
        "\u00ab\u00bb",
        "\u201e\u201c",
        "\u2018\u2019",
        "\u2039\u203a",
        "\u300c\u300d",
    ]
)
# Before, quotes, value, after.
quoted = st.tuples(words, quotes, values, words)


def masked_everywhere(expressions: Expressions, messages: Sequence[str]) -> list[str]:
    """As Python and the warehouse mask them: the same."""
    found = [str(masked) for masked in expressions.of_each(MASKED, messages)]
    assert found == [without_values(message) for message in messages]
    return found


@in_batches
@given(st.lists(quoted, min_size=1, max_size=40))
def test_whatever_the_quoted_value_is_the_words_around_it_are_all_that_stays(
    expressions: Expressions, parts: list[tuple[str, str, str, str]]
) -> None:
    messages = [
        f"{before}: {quote[0]}{value}{quote[1]} {after}" for before, quote, value, after in parts
    ]
    assert masked_everywhere(expressions, messages) == [
        f"{before}: ... {after}" for before, _, _, after in parts
    ]


@in_batches
@given(st.lists(st.tuples(quoted, quoted), min_size=1, max_size=40))
def test_between_two_quoted_values_nothing_stays(
    expressions: Expressions,
    pairs: list[tuple[tuple[str, str, str, str], tuple[str, str, str, str]]],
) -> None:
    messages = [
        f"{before} {first[0]}{value}{first[1]} {between} {second[0]}{other}{second[1]} {after}"
        for (before, first, value, between), (_, second, other, after) in pairs
    ]
    assert masked_everywhere(expressions, messages) == [
        f"{one[0]} ... {other[3]}" for one, other in pairs
    ]


@in_batches
@given(
    st.lists(
        st.tuples(
            words, st.decimals(allow_nan=False, allow_infinity=False) | st.dates() | st.times()
        ),
        max_size=40,
    )
)
def test_a_number_a_date_and_a_time_are_values_without_quotes(
    expressions: Expressions, parts: list[tuple[str, object]]
) -> None:
    messages = [f"{before} {value} is out of range" for before, value in parts]
    expected = [
        f"{before} {'-' * str(value).startswith('-')}... is out of range" for before, value in parts
    ]
    assert masked_everywhere(expressions, messages) == expected


# As the warehouses say them.
MESSAGES = {
    'invalid input syntax for type integer: "secret"': "invalid input syntax for type integer: ...",
    'invalid input syntax for type integer: "sec"ret"': "invalid input syntax for type integer: ...",
    'value "99999999999" is out of range for type integer': "value ... is out of range for type integer",
    'relation "shop.orders" does not exist': "relation ... does not exist",
    "permission denied for table orders": "permission denied for table orders",
    "Numeric value 'secret' is not recognized": "Numeric value ... is not recognized",
    'Failed to cast variant value "secret" to FIXED': "Failed to cast variant value ... to FIXED",
    "Number out of representable range: type FIXED[SB4]{not null}, value 12345": (
        "Number out of representable range: type FIXED[SB4]{not null}, value ..."
    ),
    "Bad int64 value: my secret": "Bad int64 value: ...",
    "Division by zero: 5 / 0": "Division by zero: ... / ...",
    "Conversion Error: Could not convert 'it's' to INT32": "Conversion Error: Could not convert ... to INT32",
    "Type INT32 with value 70000 can't be cast because it is out of range": "Type INT32 with value ... can...",
    "Overflow in addition of INT32 (2147483647 + 1)!": "Overflow in addition of INT32 (... + ...",
    "a value that is cut off: 'my sec": "a value that is cut off: ...",
}


@pytest.mark.parametrize("message", MESSAGES)
def test_what_a_warehouse_says_is_recorded_without_the_value(
    expressions: Expressions, message: str
) -> None:
    assert masked_everywhere(expressions, [message]) == [MESSAGES[message]]

"""Patterns and casts behave alike in every warehouse."""

from datetime import date, datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.expressions import Expressions

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30)
looks_like_a_number = st.from_regex(
    r"[ +-]?[0-9]{0,25}[.]?[0-9]{0,25}([eE][+-]?[0-9]{1,4})?", fullmatch=True
)
looks_like_a_date = st.from_regex(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2})?)?", fullmatch=True
)


@settings(max_examples=15, deadline=None)
@given(st.lists(st.one_of(texts, looks_like_a_number, looks_like_a_date), min_size=20, max_size=40))
def test_no_text_makes_a_cast_fail(expressions: Expressions, values: list[str]) -> None:
    for kind in ("integer", "wide_integer", "number", "date", "timestamp", "boolean"):
        assert len(
            expressions.of_each(f"{{{{ linker.try_cast('value', '{kind}') }}}}", values)
        ) == len(values)


@settings(max_examples=15, deadline=None)
@given(st.lists(st.dates(), min_size=20, max_size=40))
def test_every_date_is_read_as_itself(expressions: Expressions, values: list[date]) -> None:
    written = [value.isoformat() for value in values]
    assert expressions.of_each("{{ linker.try_cast('value', 'date') }}", written) == values


def test_what_every_warehouse_reads(expressions: Expressions) -> None:
    expected: dict[str, dict[str, object]] = {
        "integer": {"12": 12, "-3": -3, "": None, "twelve": None, "1" * 18: int("1" * 18)},
        "number": {"1.5": 1.5, "-1.5e3": -1500.0, ".5": 0.5, "1,5": None, "1e": None},
        "date": {
            "2024-02-29": date(2024, 2, 29),
            "2025-02-29": None,
            "2025-04-31": None,
            "1900-02-29": None,
        },
        "timestamp": {
            "2025-01-31 08:15:00": datetime(2025, 1, 31, 8, 15),
            "2025-13-01 00:00:00": None,
        },
        "boolean": {"true": True, "false": False, "maybe": None},
    }
    for kind, read in expected.items():
        assert expressions.of_each(f"{{{{ linker.try_cast('value', '{kind}') }}}}", read) == list(
            read.values()
        )


def test_a_pattern_is_found_anywhere_unless_it_is_anchored(expressions: Expressions) -> None:
    found = expressions.of_each(
        "{{ linker.regex_matches('value', 'b+|^c$') }}", ["abbc", "c", "cc", "", None]
    )
    assert found == [True, True, False, False, None]


def test_every_match_is_replaced_and_groups_are_kept(expressions: Expressions) -> None:
    replaced = expressions.of_each(
        r"{{ linker.regex_replace('value', '([a-z])[0-9]', '<\\1>') }}", ["a1b2c", "", None]
    )
    assert replaced == ["<a><b>c", "", None]


def test_the_first_group_is_extracted(expressions: Expressions) -> None:
    extracted = expressions.of_each(
        "{{ linker.regex_extract('value', '^([a-z]+)_[0-9]+$') }}", ["ab_12", "ab", None]
    )
    assert extracted == ["ab", None, None]

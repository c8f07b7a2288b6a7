"""Abbreviated name lists are unambiguous."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.prompt_lines import names_in
from linker.text.numbers import shortly


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (["a", "b"], "a, b"),
        (["q1", "q2", "q3"], "q1, q2, q3"),
        (["q1", "q2", "q3", "q4"], "q1 … q4"),
        (["q1", "note", "q3", "q2", "q4", "q9"], "q1 … q4, note, q9"),
        # Of several numbers the last counts.
        ([f"v2_q{number}" for number in (8, 9, 10, 11)], "v2_q8 … v2_q11"),
        ([f"code_{number}_text" for number in range(1, 6)], "code_1_text … code_5_text"),
        # First and last do not show which have leading zeros.
        (["m08", "m09", "m10", "m11"], "m08, m09, m10, m11"),
        (["price_net", "price_gross", "price_tax"], "price_{net, gross, tax}"),
        (["price_net", "price_gross"], "price_net, price_gross"),
        (
            ["hits.page.path", "hits.page.title", "hits.page.level_1"],
            "hits.page.{path, title, level_1}",
        ),
        (["id_a", "id_b", "id_c"], "id_a, id_b, id_c"),
        (["Preis_€ a", "Preis_€ b", "Preis_€ c"], "Preis_€ a, Preis_€ b, Preis_€ c"),
    ],
)
def test_a_list_is_written_shortly(names: list[str], text: str) -> None:
    assert shortly(names) == text


NAMES = st.from_regex(r"[a-c]{1,5}(_[a-c]{1,2})?(\.[a-c])?(_?[0-9]{1,2})?(_[a-c])?", fullmatch=True)


@given(st.lists(NAMES, unique=True))
def test_each_name_can_be_read_off_a_short_list(names: list[str]) -> None:
    assert sorted(names_in(shortly(names))) == sorted(names)

"""Value matching despite case, accents, separators and typos."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from linker.text.values import (
    best_match,
    edit_distance,
    grams,
    readings,
    similarity,
    spans,
    spans_by_gram,
)
from linker.text.words import alnum_key

words = st.text("abcdefghijklmnopqrstuvwxyzäéöß", min_size=5, max_size=20)


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("BRAZIL", "Brazil"),
        ("Sao Paulo", "São  Paulo"),
        ("1,200.50", "1200.5"),
        ("1.234.567,5", "1234567.5"),
        ("$ 40", "40.00"),
        ("March 5, 2024", "2024-03-05"),
        ("5th of March 2024", "2024-03-05 00:00:00"),
        ("05/03/2024", "2024-03-05"),
        ("03/05/2024", "2024-03-05"),
    ],
)
def test_two_ways_to_write_a_value_are_the_same(said: str, value: str) -> None:
    assert similarity(said, value) == 1.0
    assert grams(said) & grams(value)


@pytest.mark.parametrize(("said", "value"), [("AB-12", "ab 12"), ("e-mail", "Email")])
def test_a_code_is_found_without_its_separators(said: str, value: str) -> None:
    assert 0.9 < similarity(said, value) < 1
    assert grams(said) & grams(value)


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("A-1001", "A-1002"),
        ("2024-03-05", "2024-03-06"),
        ("12345", "12346"),
        ("cat", "car"),
        ("00123", "123"),
        ("", "x"),
    ],
)
def test_other_numbers_codes_and_short_words_are_no_typos(said: str, value: str) -> None:
    assert similarity(said, value) == 0.0


@given(
    words,
    st.integers(0, 19),
    st.sampled_from("abcxyz"),
    st.sampled_from(["insert", "lose", "change", "swap"]),
)
def test_a_value_with_one_typo_is_found(value: str, place: int, letter: str, how: str) -> None:
    letters = alnum_key(value)
    place %= len(letters) - 1
    typed = {
        "insert": letters[:place] + letter + letters[place:],
        "lose": letters[:place] + letters[place + 1 :],
        "change": letters[:place] + letter + letters[place + 1 :],
        "swap": letters[:place] + letters[place + 1] + letters[place] + letters[place + 2 :],
    }[how]
    assert edit_distance(typed, letters) <= 1
    assert grams(typed) & grams(value)
    assert best_match(value, spans_by_gram(f"which orders have the state {typed}?"))[0] > 0.6


@given(words, words)
def test_what_is_far_away_is_not_found(one: str, other: str) -> None:
    assume(edit_distance(alnum_key(one), alnum_key(other)) > 2)
    assert similarity(one, other) == 0.0


@given(st.text(max_size=12), st.text(max_size=12))
def test_the_edit_distance_is_symmetric_and_nothing_only_between_equals(
    one: str, other: str
) -> None:
    assert edit_distance(one, other) == edit_distance(other, one)
    assert (edit_distance(one, other) == 0) == (one == other)


@given(st.text(max_size=300))
def test_any_text_can_be_read(text: str) -> None:
    assert readings(text)
    assert all(-(2**31) <= gram < 2**31 for gram in grams(text))
    assert spans_by_gram(text) is not None


def test_spans_are_what_is_quoted_and_runs_of_words_that_do_not_begin_or_end_with_empty_ones() -> (
    None
):
    found = spans("Which of 'The North Face' stores in São Paulo's center opened on 2024-03-05?")
    assert found[0] == "The North Face"
    assert {"São Paulo", "2024-03-05", "stores in São Paulo"} <= set(found)
    assert not {"of", "in", "in São", "Which of"} & set(found)

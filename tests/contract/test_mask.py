"""Masked patterns reveal no letters or digits, in every warehouse."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.expressions import Expressions

MASK = "{{ linker.mask('value') }}"
# Postgres holds no zero character, and no warehouse holds half of a surrogate pair.
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=45)
in_batches = settings(max_examples=15, deadline=None)


@in_batches
@given(st.lists(texts, min_size=20, max_size=40))
def test_a_shape_holds_no_letter_and_no_digit_of_the_text(
    expressions: Expressions, values: list[str]
) -> None:
    for value, shape in zip(values, expressions.of_each(MASK, values), strict=True):
        assert isinstance(shape, str)
        assert len(shape) == (35 if len(value) > 32 else len(value))
        for original, shown in zip(value[:32], shape, strict=False):
            assert shown in "Aa9" or (shown == original and not original.isalnum())


@in_batches
@given(
    st.lists(
        st.tuples(st.from_regex("[A-Za-z0-9 ,.@-]{0,40}", fullmatch=True), st.randoms()),
        min_size=20,
        max_size=40,
    )
)
def test_texts_of_one_shape_cannot_be_told_apart(
    expressions: Expressions, pairs: list[tuple[str, Random]]
) -> None:
    alphabets = ("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz", "0123456789")
    swapped = []
    for value, random in pairs:
        text = ""
        for letter in value:
            letters = next((letters for letters in alphabets if letter in letters), letter)
            text += random.choice(letters)
        swapped.append(text)
    assert expressions.of_each(MASK, swapped) == expressions.of_each(
        MASK, [value for value, _ in pairs]
    )


def test_shapes_are_as_one_would_write_them(expressions: Expressions) -> None:
    shapes = {
        "XJK-204": "AAA-999",
        "anna.b@example.com": "aaaa.a@aaaaaaa.aaa",
        "Bernd's": "Aaaaa'a",
        "": "",
        "Größe: 3½ €": "Aaaaa: 99 €",
        "Élodie Łukasz Øyvind Ωμέγα Иван": "Aaaaaa Aaaaaa Aaaaaa Aaaaa Aaaa",
        "李小龙 “ok” – 3": "aaa “aa” – 9",
        "٣٤": "99",
        "a\tb\nc": "a\ta\na",
        "C:\\temp\\[x]^{y}~`z`": "A:\\aaaa\\[a]^{a}~`a`",
        "x" * 32: "a" * 32,
        "x" * 33: "a" * 32 + "...",
    }
    assert expressions.of_each(MASK, shapes) == list(shapes.values())


def test_nothing_has_no_shape(expressions: Expressions) -> None:
    assert expressions.of_each(MASK, [None]) == [None]

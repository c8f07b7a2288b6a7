"""Numbers with check digits, against implementations in Python, in every warehouse."""

import string

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.expressions import Expressions

KIND = "{{ linker.personal_data('value', 'hint') }}"
# Few statements over many values: DuckDB needs as long to begin one as for a hundred values.
in_batches = settings(max_examples=5, deadline=None)


def digits(count: int) -> st.SearchStrategy[str]:
    return st.text(string.digits, min_size=count, max_size=count)


def passes_luhn(number: str) -> bool:
    doubled = [int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(number))]
    return sum(worth // 10 + worth % 10 for worth in doubled) % 10 == 0


def remainder_of_iban(iban: str) -> int:
    return int("".join(str(int(character, 36)) for character in iban[4:] + iban[:4])) % 97


def cpf_digit(start: str) -> str:
    weighted = sum(
        int(digit) * weight
        for digit, weight in zip(start, range(len(start) + 1, 1, -1), strict=True)
    )
    return str(weighted * 10 % 11 % 10)


def in_groups(text: str, separator: str) -> str:
    return separator.join(text[start : start + 4] for start in range(0, len(text), 4))


# Prefix and length, as the issuers publish them.
CARDS = st.sampled_from(
    [
        ("4", 16),
        ("51", 16),
        ("2720", 16),
        ("34", 15),
        ("37", 15),
        ("36", 14),
        ("6011", 16),
        ("3530", 16),
        ("6200", 19),
    ]
)
numbers_like_cards = CARDS.flatmap(
    lambda card: digits(card[1] - len(card[0])).map(lambda rest: card[0] + rest)
)


@in_batches
@given(
    st.lists(
        st.tuples(numbers_like_cards, st.sampled_from(["", " ", "-"])), min_size=20, max_size=40
    )
)
def test_the_number_of_a_card_passes_luhn(
    expressions: Expressions, numbers: list[tuple[str, str]]
) -> None:
    written = [in_groups(number, separator) for number, separator in numbers]
    found = [kind == "card" for kind in expressions.of_each(KIND, written)]
    assert found == [passes_luhn(number) for number, _ in numbers]


@in_batches
@given(st.lists(numbers_like_cards, min_size=20, max_size=40), st.integers(1, 9))
def test_one_of_ten_last_digits_makes_a_card(
    expressions: Expressions, numbers: list[str], error: int
) -> None:
    right = []
    for number in numbers:
        candidates = [number[:-1] + digit for digit in string.digits]
        right.append(next(filter(passes_luhn, candidates)))
    wrong = [number[:-1] + str((int(number[-1]) + error) % 10) for number in right]
    assert set(expressions.of_each(KIND, right)) == {"card"}
    assert "card" not in expressions.of_each(KIND, wrong)


# Country and number of characters, of every third of the registry.
COUNTRIES = [
    ("NO", 15),
    ("BE", 16),
    ("NL", 18),
    ("AT", 20),
    ("CH", 21),
    ("DE", 22),
    ("GB", 22),
    ("ES", 24),
    ("FR", 27),
]
basic_numbers = st.sampled_from(
    [*COUNTRIES, ("PL", 28), ("MT", 31), ("LC", 32), ("RU", 33)]
).flatmap(
    lambda country: st.text(
        string.digits + string.ascii_uppercase, min_size=country[1] - 4, max_size=country[1] - 4
    ).map(lambda rest: (country[0], rest))
)


@in_batches
@given(
    st.lists(st.tuples(basic_numbers, st.sampled_from(["", " "])), min_size=20, max_size=40),
    st.integers(1, 96),
)
def test_an_iban_leaves_the_remainder_1(
    expressions: Expressions, numbers: list[tuple[tuple[str, str], str]], error: int
) -> None:
    right, wrong = [], []
    for (country, rest), separator in numbers:
        check = 98 - remainder_of_iban(f"{country}00{rest}")
        right.append(in_groups(f"{country}{check:02}{rest}", separator))
        wrong.append(in_groups(f"{country}{(check + error) % 97:02}{rest}", separator))
    assert set(expressions.of_each(KIND, right)) == {"iban"}
    assert "iban" not in expressions.of_each(
        KIND, [iban for iban in wrong if remainder_of_iban(iban.replace(" ", "")) != 1]
    )


@in_batches
@given(
    st.lists(digits(9).filter(lambda start: len(set(start)) > 1), min_size=20, max_size=40),
    st.integers(1, 9),
)
def test_a_cpf_has_two_check_digits(
    expressions: Expressions, starts: list[str], error: int
) -> None:
    first = [start + cpf_digit(start) for start in starts]
    right = [start + cpf_digit(start) for start in first]
    wrong = [number[:-1] + str((int(number[-1]) + error) % 10) for number in right]
    dotted = [f"{number[:3]}.{number[3:6]}.{number[6:9]}-{number[9:]}" for number in right]
    assert set(expressions.of_each(KIND, right + dotted)) == {"national_id"}
    assert "national_id" not in expressions.of_each(KIND, wrong)


@in_batches
@given(
    st.lists(
        st.tuples(st.sampled_from(["", "X", "Y", "Z"]), st.integers(0, 10**7 - 1)),
        min_size=20,
        max_size=40,
    )
)
def test_the_letter_of_a_dni_is_that_of_its_remainder(
    expressions: Expressions, numbers: list[tuple[str, int]]
) -> None:
    letters = "TRWAGMYFPDXBNJZSQVHLCKE"
    right, wrong = [], []
    for prefix, number in numbers:
        value = number + {"": 0, "X": 0, "Y": 10**7, "Z": 2 * 10**7}[prefix]
        start = f"{prefix}{number:07}" if prefix else f"{number:08}"
        right.append(start + letters[value % 23])
        wrong.append(start + letters[(value + 1) % 23])
    assert set(expressions.of_each(KIND, right)) == {"national_id"}
    assert set(expressions.of_each(KIND, wrong)) == {None}


@in_batches
@given(
    st.lists(
        st.tuples(
            st.sampled_from("12"),
            st.integers(0, 99),
            st.integers(1, 12),
            st.sampled_from(["75", "2A", "2B"]),
            digits(6),
        ),
        min_size=20,
        max_size=40,
    )
)
def test_a_nir_ends_in_its_key(
    expressions: Expressions, parts: list[tuple[str, int, int, str, str]]
) -> None:
    right, wrong = [], []
    for sex, year, month, department, rest in parts:
        number = f"{sex}{year:02}{month:02}{department}{rest}"
        key = 97 - int(number.replace("2A", "19").replace("2B", "18")) % 97
        right.append(f"{number}{key:02}")
        wrong.append(f"{number}{key % 97 + 1:02}")
    assert set(expressions.of_each(KIND, right)) == {"national_id"}
    assert "national_id" not in expressions.of_each(KIND, wrong)


@in_batches
@given(
    st.lists(st.tuples(st.sampled_from("123456789"), digits(9)), min_size=20, max_size=40),
    st.integers(1, 9),
)
def test_a_german_tax_number_ends_in_its_check_digit(
    expressions: Expressions, starts: list[tuple[str, str]], error: int
) -> None:
    right = [start + rest + iso_7064_digit(start + rest) for start, rest in starts]
    wrong = [number[:-1] + str((int(number[-1]) + error) % 10) for number in right]
    found = expressions.of_each(KIND, right, "number")
    assert {kind for kind in found if kind != "national_id"} <= {"national_id?"}
    passing = {number for number in wrong if number == number[:9] + cpf_digits(number[:9])}
    assert not any(
        expressions.of_each(KIND, [number for number in wrong if number not in passing], "number")
    )


def iso_7064_digit(start: str) -> str:
    product = 10
    for digit in start:
        product = 2 * ((int(digit) + product) % 10 or 10) % 11
    return str((11 - product) % 10)


def cpf_digits(start: str) -> str:
    first = cpf_digit(start)
    return first + cpf_digit(start + first)


@in_batches
@given(
    st.lists(st.tuples(st.sampled_from("23456789"), digits(10)), min_size=20, max_size=40),
    st.integers(1, 9),
)
def test_an_aadhaar_ends_in_its_check_digit(
    expressions: Expressions, starts: list[tuple[str, str]], error: int
) -> None:
    right = [start + rest + verhoeff_digit(start + rest) for start, rest in starts]
    wrong = [number[:-1] + str((int(number[-1]) + error) % 10) for number in right]
    assert set(expressions.of_each(KIND, right)) == {"national_id?"}
    assert set(expressions.of_each(KIND, [in_groups(number, " ") for number in right])) == {
        "national_id?"
    }
    assert set(expressions.of_each(KIND, wrong)) == {None}


def verhoeff_digit(start: str) -> str:
    """Symmetries of the pentagon as (turn, is a reflection), from the last digit to the first."""
    permuted = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4]
    turn, is_reflection = 0, False
    for place, character in enumerate(reversed(start), start=1):
        digit = int(character)
        for _ in range(place):
            digit = permuted[digit]
        turn = (turn - digit if is_reflection else turn + digit) % 5
        is_reflection = is_reflection != (digit >= 5)
    element = turn + 5 * is_reflection
    # A turn is undone by the turn back, a reflection by itself.
    return str(element if is_reflection else -element % 5)

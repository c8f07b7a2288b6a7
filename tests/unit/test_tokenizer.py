"""Tokenisation is the same on every code path."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linker.ranking.table_tokens import WordSimilarity
from linker.text.words import parts, root, stem

CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
PLURAL_ACRONYM = re.compile(r"(?<=[A-Z][A-Z])s(?![A-Za-z])")


@given(st.text(alphabet="aAbBsS zZ019_-.", max_size=12))
def test_camels_and_acronyms_are_cut_wherever_a_text_has_them(text: str) -> None:
    cut = CAMEL.sub(" ", PLURAL_ACRONYM.sub(" ", text))
    assert parts(text) == re.findall(r"[a-z]+|\d+", cut.lower())


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ("rented", "rental"),
        ("paid", "payments"),
        ("bought", "buyer"),
        ("shipped", "shipments"),
        ("deliver", "deliveries"),
        ("enrolled", "enrolment"),
        ("supplied", "suppliers"),
        ("applied", "applications"),
        ("subscribe", "subscriptions"),
        ("registered", "registration"),
        ("uploaders", "uploads"),
    ],
)
def test_a_verb_meets_the_nouns_made_of_it_nearly_as_well_as_itself(said: str, named: str) -> None:
    words = WordSimilarity()
    words.add([stem(named)])

    [(met, likeness)] = words.get(stem(said), {stem(named)})

    assert (met, likeness) == (stem(named), 0.9)


@pytest.mark.parametrize(
    ("word", "stemmed"),
    [
        ("agreed", "agre"),
        ("agrees", "agre"),
        ("speed", "speed"),
        ("needed", "need"),
        ("breeding", "breed"),
        ("species", "species"),
        ("news", "news"),
        ("series", "series"),
        ("countries", "country"),
    ],
)
def test_a_stem_keeps_endings_that_belong_to_the_word(word: str, stemmed: str) -> None:
    assert stem(word) == stemmed


@pytest.mark.parametrize(
    ("british", "american"),
    [
        ("colours", "color"),
        ("coloured", "colored"),
        ("centre", "centers"),
        ("kilometres", "kilometer"),
        ("organisation", "organizations"),
        ("customised", "customized"),
        ("licences", "license"),
        ("catalogues", "catalog"),
        ("labelled", "labeled"),
    ],
)
def test_british_and_american_spellings_have_one_root(british: str, american: str) -> None:
    assert root(stem(british)) == root(stem(american))


@pytest.mark.parametrize("word", ["analysis", "basis", "noise", "rise", "tennis"])
def test_words_that_end_like_a_british_verb_keep_their_spelling(word: str) -> None:
    assert stem(word) == word.removesuffix("e" if len(word) > 4 else "")


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("state", "station"),
        ("count", "country"),
        ("order", "ordinal"),
        ("special", "species"),
        ("party", "partial"),
        ("com", "comment"),
        ("port", "portion"),
        ("product", "produce"),
    ],
)
def test_words_that_only_look_derived_have_roots_of_their_own(word: str, other: str) -> None:
    assert root(stem(word)) != root(stem(other))

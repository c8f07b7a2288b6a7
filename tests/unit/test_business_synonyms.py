"""Business synonyms in questions."""

from importlib.resources import files

import numpy as np
import pytest
import yaml

from linker.ranking.answerability import check_answerable
from linker.ranking.catalog_index import build_catalog_index
from linker.ranking.lexical_match import NO_SIGNALS, TermMatches, expand_term, match
from linker.ranking.query_analysis import analyse, business_words
from linker.ranking.ranker import rank
from linker.ranking.reasons import reasons
from linker.ranking.weights import read_weights
from linker.text.words import words_of_name
from linker.types import Catalog
from tests.tables import table

SHOP = Catalog(
    (
        table("customer", "customer_id", "first_name", "active", "create_date"),
        table("payment", "payment_id", "customer_id", "amount", "payment_date"),
        table("staff", "staff_id", "first_name", "picture"),
        table("film", "film_id", "description", "release_year"),
    ),
    4,
)


def matches_of(question: str, catalog: Catalog = SHOP) -> TermMatches:
    return match(analyse(question), build_catalog_index(catalog).lexicon, NO_SIGNALS)


@pytest.mark.parametrize(
    ("question", "table_name"),
    [
        ("revenue", "payment"),
        ("our clients", "customer"),
        ("Kunden", "customer"),
        ("every employee", "staff"),
        ("Mitarbeiterinnen", "staff"),
        ("movies", "film"),
    ],
)
def test_a_word_of_business_leads_to_the_table_that_says_it_in_another(
    question: str, table_name: str
) -> None:
    ranked = rank(question, build_catalog_index(SHOP), read_weights())
    tables = ranked.index.lexicon.tables
    assert tables[int(ranked.tables.argmax())].ref.name == table_name


def test_revenue_is_an_amount_and_counts_as_one_word_covered() -> None:
    matches = matches_of("revenue")
    assert matches.names.shape[0] == 1
    best = int(matches.names[0].argmax())
    assert matches.lexicon.refs[best].path == "amount"


def test_a_name_that_says_the_word_itself_comes_before_one_that_means_it() -> None:
    sales = Catalog((table("sales", "amount", "revenue"),), 1)
    amount, revenue = matches_of("revenue", sales).names[0]
    assert revenue > amount > 0


def test_a_phrase_stands_for_its_first_word_that_says_something() -> None:
    assert "return" in business_words(words_of_name("orders sent back by customers"))["sent"]
    assert "sent" not in business_words(words_of_name("orders sent to customers"))


def test_a_reason_says_which_word_of_the_question_means_the_column() -> None:
    ranked = rank("Revenue of the shop", build_catalog_index(SHOP), read_weights())
    at = [ref.path for ref in ranked.index.lexicon.refs].index("amount")
    assert reasons(ranked, read_weights().columns, at)[0] == "synonym: revenue ~ amount"


def test_the_list_that_ships_is_yaml_and_every_concept_says_and_means_something() -> None:
    concepts = yaml.safe_load(files("linker.ranking").joinpath("business.yml").read_text("utf-8"))
    assert len(concepts) >= 40
    for name, concept in concepts.items():
        assert sorted(concept) == ["mean", "say"], name
        for words in concept.values():
            assert words
            assert len(set(words)) == len(words), name
        meant = {stem for word in concept["mean"] for stem in words_of_name(word)}
        for phrase in concept["say"]:
            stems = words_of_name(phrase)
            reached = {word for words in business_words(stems).values() for word in words}
            assert meant - set(stems) <= reached, (name, phrase)


def test_a_word_of_business_is_spoken_of_where_a_name_means_it() -> None:
    assert (
        check_answerable(
            rank("revenue of our clients", build_catalog_index(SHOP), read_weights())
        ).phrases
        == ()
    )


def test_a_word_that_is_longer_than_a_synonym_is_another_word() -> None:
    clothes = (
        table("clothes", "garment_id", "pricelst", "amt"),
        table("shelves", "shelf", "room"),
    )
    question = analyse("revenue of clothes")
    lexicon = build_catalog_index(Catalog(clothes, 2)).lexicon
    row = question.words.index("revenu")
    met = {
        lexicon.vocabulary.spelt(np.array([number]))[0]
        for number, _ in expand_term(question, row, lexicon)
    }
    assert met == {"amt"}

"""Near synonyms find names that share no word with a question."""

import numpy as np
import pytest

from linker.embedders import OFFLINE, open_embedder
from linker.ranking.catalog_index import build_catalog_index
from linker.ranking.lexical_match import near_terms
from linker.ranking.query_analysis import analyse
from linker.ranking.ranker import RankingResult, rank
from linker.ranking.reasons import reasons
from linker.ranking.thesaurus import near_synonyms
from linker.ranking.weights import read_weights
from linker.text.words import stem
from linker.types import Catalog, ColumnRef, TableRef
from tests.tables import table

WORLD = Catalog(
    (
        table("airports", "code", "label", "elevation"),
        table("believers", "country", "religion", "share"),
        table("lakes", "label", "depth"),
    ),
    3,
)


def ranked(question: str, catalog: Catalog = WORLD) -> RankingResult:
    return rank(question, build_catalog_index(catalog), read_weights())


def near(question: str, word: str, catalog: Catalog = WORLD) -> list[str]:
    """Words of names that stand for a word of a question."""
    lexicon, analysed = build_catalog_index(catalog).lexicon, analyse(question)
    found = near_terms(analysed, analysed.words.index(stem(word)), lexicon)
    return lexicon.vocabulary.spelt(np.array([number for number, _ in found], dtype=np.int64))


@pytest.mark.parametrize(
    ("word", "synonym"),
    [("faiths", "religion"), ("babies", "infant"), ("deepest", "depth"), ("nation", "country")],
)
def test_words_of_similar_meaning_are_near_in_both_directions(word: str, synonym: str) -> None:
    assert stem(synonym) in dict(near_synonyms(word))
    assert stem(word) in dict(near_synonyms(synonym))


def test_an_unknown_word_has_no_near_synonyms() -> None:
    assert near_synonyms("qwertz") == ()


def test_similarities_are_those_of_the_offline_encoder() -> None:
    words = ["religion", "worship", "depth", "unemployment", "zebra"]
    vectors = open_embedder(OFFLINE).embed(words)
    for word, similarities in zip(words, vectors @ vectors.T, strict=True):
        found = dict(near_synonyms(word))
        for other, similarity in zip(words, similarities.tolist(), strict=True):
            if other != word and similarity >= 0.6:
                # Other forms of the same word may be nearer.
                assert found[stem(other)] >= round(similarity, 3) - 0.001


@pytest.mark.parametrize(
    ("question", "name", "path", "reason"),
    [
        ("most frequent faiths", "believers", "religion", "synonym: faiths ~ religion"),
        ("the deepest ones", "lakes", "depth", "synonym: deepest ~ depth"),
    ],
)
def test_a_word_that_no_name_matches_finds_a_column_by_its_meaning(
    question: str, name: str, path: str, reason: str
) -> None:
    ranking = ranked(question)
    tables, columns = ranking.index.lexicon.tables, ranking.index.lexicon.refs
    column = columns.index(ColumnRef(TableRef("shop", name), path))
    assert tables[int(np.argmax(ranking.tables))].ref.name == name
    assert int(np.argmax(ranking.columns)) == column
    assert reason in reasons(ranking, read_weights().columns, column)


def test_near_synonyms_do_not_count_where_a_name_has_the_word() -> None:
    both = Catalog((table("believers", "country", "faith", "religion"),), 1)
    assert near("most frequent faiths", "faiths") == ["religion", "believer"]
    assert near("most frequent faiths", "faiths", both) == []


def test_proper_names_have_no_near_synonyms() -> None:
    assert near("lakes of the Faith family", "faith") == []

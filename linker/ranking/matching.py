"""
Matches of the words of a question with the columns and tables of a catalogue, each with its
strength.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from linker.ranking.glossary import Meaning
from linker.ranking.lexicon import Lexicon, Postings, TextPlaces
from linker.ranking.question import QuestionWords, analyse
from linker.ranking.table_words import Floats, Ints
from linker.retrieval.retrieved import NO_SCORES, RefScores, Retrieved
from linker.text.words import parts, stem
from linker.types import Record, Ref, TableRef


class Signals(Record, frozen=True):
    """
    The nearness of columns and tables in meaning, and to a value that a column holds.

    Besides terms of the glossary, passages of documents, and the tables that the settings prefer.
    """

    near: RefScores = NO_SCORES
    near_tables: RefScores = NO_SCORES
    values: RefScores = NO_SCORES
    meanings: tuple[Meaning, ...] = ()
    passages: tuple[str, ...] = ()
    preferred: frozenset[TableRef] = frozenset()


NO_SIGNALS = Signals()


def signals_of(retrieved: Retrieved) -> Signals:
    """
    The scores that each way to search gave, as they are: features compare them, ranks would lose
    the distance.
    """
    hits = retrieved.hits
    return Signals(
        hits.found_by("dense"), retrieved.table_hits.found_by("dense"), hits.found_by("value")
    )


# A word that means the same says less than the word itself, least where the catalogue has that.
_OF_SYNONYM = 0.7
_OF_SYNONYM_OF_KNOWN = 0.35
_LEAST_OF_SYNONYM = 0.5
# Names that stand in a passage near the question, if they are no short words.
_IN_PASSAGE = 0.3
_FEWEST_LETTERS = 6


class Matches(Record, frozen=True):
    """One row a word of the question, one column a column or table of the catalogue."""

    question: QuestionWords
    lexicon: Lexicon
    names: Floats
    paths: Floats
    descriptions: Floats
    values: Floats
    table_names: Floats
    table_descriptions: Floats
    near: Floats | None
    near_tables: Floats | None
    named: Floats
    meanings: tuple[Meaning, ...]
    passages: QuestionWords | None
    preferred: frozenset[TableRef]

    def best_in_table(self, of_columns: Floats) -> Floats:
        """The largest of each table, along the last axis."""
        best: Floats = np.maximum.reduceat(of_columns, self.lexicon.starts[:-1], axis=-1)
        return best

    def sum_in_table(self, of_columns: Floats) -> Floats:
        """The sum of each table, along the last axis."""
        total: Floats = np.add.reduceat(of_columns, self.lexicon.starts[:-1], axis=-1)
        return total


def match(question: QuestionWords, lexicon: Lexicon, signals: Signals) -> Matches:
    """Meet the words of the question with the columns and tables."""
    rare, rare_table = lexicon.column_rarity, lexicon.table_rarity
    of_columns, of_tables = rare.__getitem__, rare_table.__getitem__
    names = _met(question, lexicon, lexicon.names, of_columns)
    table_names = _met(question, lexicon, lexicon.table_names, of_tables)
    tables, terms = [table.ref for table in lexicon.tables], signals.meanings
    return Matches(
        question=question,
        lexicon=lexicon,
        names=pointed(question, terms, lexicon.refs, names, _alone(rare)),
        paths=_met(question, lexicon, lexicon.paths, of_columns),
        descriptions=_met(question, lexicon, lexicon.descriptions, of_columns, is_exact=True),
        values=_met(question, lexicon, lexicon.values, lexicon.value_rarity, is_exact=True),
        table_names=pointed(question, terms, tables, table_names, _alone(rare_table)),
        table_descriptions=_met(
            question, lexicon, lexicon.table_descriptions, of_tables, is_exact=True
        ),
        near=_known_or_last(lexicon.keys, signals.near),
        near_tables=_known_or_last(lexicon.table_keys, signals.near_tables),
        named=signals.values.at(lexicon.keys, 0.0),
        meanings=terms,
        passages=analyse("\n".join(signals.passages)) if signals.passages else None,
        preferred=signals.preferred,
    )


def _alone(rare: Floats) -> float:
    """The weight of the rarest word."""
    return float(rare.max(initial=1.0))


def pointed(
    question: QuestionWords,
    meanings: Sequence[Meaning],
    refs: Sequence[Ref],
    met: Floats,
    strength: float,
) -> Floats:
    """The same, with each term of the glossary as if it stood in the names of what it means."""
    for meaning in meanings:
        named = [place for place, ref in enumerate(refs) if ref in meaning.refs]
        if named and meaning.head in question.words:
            row = question.words.index(meaning.head)
            met[row, named] = np.maximum(met[row, named], strength * meaning.weight)
    return met


def _met(
    question: QuestionWords,
    lexicon: Lexicon,
    postings: Postings,
    rare: Callable[[int], Any],
    *,
    is_exact: bool = False,
) -> Floats:
    """
    Word by text: likeness times rarity times the weight of the word in the text; the best of all
    words alike.
    """
    met = np.zeros((len(question.words), postings.size), dtype=np.float32)
    for row, weight in enumerate(question.weights):
        for number, likeness in alike(question, row, lexicon):
            texts, weights = postings.of(number)
            if len(texts) and not (is_exact and likeness < 1):
                met[row, texts] = np.maximum(
                    met[row, texts], weight * likeness * rare(number) * weights
                )
    return met


def alike(
    question: QuestionWords, row: int, lexicon: Lexicon, of_synonym: float = 0.0
) -> Iterator[tuple[int, float]]:
    """
    The words of the catalogue that a word of the question may stand for, with how surely it does.
    """
    similar = lexicon.similar(question.words[row])
    yield from similar
    for word in question.given[row]:
        yield from lexicon.similar(word)
    of_synonym = of_synonym or (
        _OF_SYNONYM_OF_KNOWN if similar and similar[0][1] == 1 else _OF_SYNONYM
    )
    for synonym in question.synonyms[row]:
        for number, likeness in lexicon.similar(synonym):
            if likeness >= _LEAST_OF_SYNONYM:
                yield number, of_synonym * likeness


def synonym_met(question: QuestionWords, name: str) -> str:
    """
    The word of a question that means one of a name without standing in it, such as
    `“revenue” means amount`.
    """
    named = {stem(part): part for part in parts(name)}
    for word, synonyms in zip(question.words, question.synonyms, strict=True):
        meant = next((synonym for synonym in synonyms if synonym in named), None)
        if meant and word not in named:
            spelt = next(part for part in parts(question.text) if stem(part) == word)
            return f"“{spelt}” means {named[meant]}"
    return ""


def _known_or_last(keys: Ints, scores: RefScores) -> Floats | None:
    """
    A score for each; what the retriever did not name lies as far away as the last that it did.
    """
    return scores.at(keys, float(scores.scores.min())) if len(scores) else None


def named(matches: Matches, at: TextPlaces, refs: Sequence[Ref]) -> Floats:
    """
    The columns or tables that the question writes as code does, or a term of the glossary; less, if
    a passage.
    """
    met = spelt_met(matches.question, at, len(refs))
    for meaning in matches.meanings:
        places = [place for place, ref in enumerate(refs) if ref in meaning.refs]
        met[places] = np.maximum(met[places], meaning.weight)
    if passages := matches.passages:
        whole = [
            place
            for span, _ in passages.spans
            if len(span) >= _FEWEST_LETTERS
            for place in at.of(span)
        ]
        written = spelt_met(passages, at, len(refs))
        written[whole] = 1.0
        met = np.maximum(met, _IN_PASSAGE * written)
    return met


def spans_met(question: QuestionWords, named: TextPlaces, size: int) -> Floats:
    """For each text the longest run of words of the question that is its whole name, in words."""
    met = np.zeros(size, dtype=np.float32)
    for span, length in question.spans:
        places = named.of(span)
        met[places] = np.maximum(met[places], float(length))
    return met


def spelt_met(question: QuestionWords, named: TextPlaces, size: int) -> Floats:
    """The texts that the question names as code does."""
    met = np.zeros(size, dtype=np.float32)
    for name in question.spelt:
        met[named.of(name)] = 1.0
    return met


def values_met(question: QuestionWords, lexicon: Lexicon) -> Floats:
    """
    For each column how well a value of it stands in the question: rarer and longer values say more.
    """
    met = np.zeros(len(lexicon.refs), dtype=np.float32)
    for phrase in question.phrases:
        places = lexicon.values_at.of(phrase)
        if not len(places):
            continue
        telling = 1.0 + 0.5 * (phrase.count(" ") > 0) + (phrase in question.quoted)
        telling *= 0.3 if phrase.isdigit() else 1.0
        telling /= 1.0 + np.log(len(places))
        met[places] = np.maximum(met[places], telling)
    return met

"""
Answerability: unmatched terms of a question, and terms that the catalog has in another form (whole
values, initials such as mpg for `miles per gallon`, words in brackets, words with digits).

An answerable question concentrates on one place: a table, or two that join, match its informative
terms or are semantically close. Otherwise it is out of scope.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise

import numpy as np
from msgspec.structs import replace

from linker.embedders.offline import vocabulary
from linker.ranking.inverted_index import InvertedIndex, Postings
from linker.ranking.lexical_match import MatchFeatures, apply_glossary, expand_term, mean_of_best
from linker.ranking.query_analysis import QuestionWords, TermWeights, term_weights
from linker.ranking.ranker import RankingResult
from linker.ranking.table_tokens import Floats, Ints
from linker.text.quoted_and_codes import NUMBER_WORDS
from linker.text.words import alnum_key, casefold_ascii, is_english, parts, stem, word_list
from linker.types import ColumnRef, Record, TableRef

# A name match says more about a column than a value match.
_DESCRIPTION = 0.8
_VALUE = 0.5
_SPOKEN_OF = 0.3
_WEIGHT_OF_NEARNESS = 2.0
_BEST_COLUMNS = 3
_MAX_PAIRED = 10
# Maximum coverage of an unmatched term.
_MIN_UNMATCHED = 0.6
_MIN_OUT_OF_SCOPE = 0.2
_MAX_SHOWN = 5
# Most questions have one word without a match; every third such word is informative.
_WORTH_A_WARNING = 0.34
_ALONE_WORTH_A_WARNING = 0.5
# Thresholds for out of scope (unless a value matches verbatim) and for low confidence.
_OUT_OF_SCOPE = 0.88
_DOUBTFUL = 1.35
_NAMED = 0.95
# Larger warehouses have more chance matches: correction per log of columns beyond a size.
_BY_SIZE = 0.05
_SMALL = 100
# Assumed similarity where nothing was measured.
_USUALLY_NEAR = 0.25

_NAMING_NOTHING = frozenset(
    map(stem, word_list("done_with_things") | word_list("saying_how") | NUMBER_WORDS.keys())
)


class UnmatchedTerms(Record, frozen=True):
    """
    Phrases that no name, description or value matches, most informative first, and whether the
    question is out of scope.

    If it may be out of scope although all words occur, `phrases` are those never matched together.
    `may_be_values`: each phrase has a word that is not English, as names have. `is_far`: no place
    covers many terms, in any language. `nearest` and `nearest_tables` are the closest items.
    """

    phrases: tuple[str, ...]
    is_out_of_scope: bool
    has_low_confidence: bool
    nearest: tuple[ColumnRef, ...]
    nearest_tables: tuple[TableRef, ...]
    is_no_question: bool = False
    may_be_values: bool = False
    is_far: bool = False


class TermCoverage(Record, frozen=True):
    """How well columns and tables match each term (0 to 1), one row per term."""

    term_weights: TermWeights
    columns: Floats
    tables: Floats
    share: Floats
    share_of_column: Floats
    near: Floats
    near_table: float


class NearestPlace(Record, frozen=True):
    """The place nearest to a question: similarity, and coverage of each term."""

    closeness: float
    speaks: Floats


def check_answerable(ranked: RankingResult) -> UnmatchedTerms:
    """Find terms that nothing in a ranking's catalog matches."""
    evidence = ranked.evidence
    if not evidence.matches.question.words:
        return UnmatchedTerms((), False, False, (), ())
    coverage, lexicon = term_coverage(evidence), evidence.index.lexicon
    nearest = nearest_place(evidence, coverage)
    # Correct for chance matches in large warehouses.
    by_chance = _BY_SIZE * max(0.0, float(np.log(len(lexicon.refs) / _SMALL)))
    question = evidence.matches.question
    missing = list(digit_words_missing(question, lexicon))
    if _is_missed(coverage, question.words) or nearest.closeness < _DOUBTFUL + by_chance:
        # Phrases are looked up only for unmatched words.
        phrased = rows_of_phrases(question, lexicon, coverage.tables)
        coverage = replace(coverage, term_weights=coverage.term_weights.with_names(phrased))
        nearest = nearest_place(evidence, coverage)
    # Foreign words match nothing, and unknown names may be unseen values; neither shows that a
    # question is out of scope.
    can_tell = is_english(question.text) and bool((coverage.term_weights.weights == 1).any())
    is_far = nearest.closeness < _OUT_OF_SCOPE and float(evidence.matches.named.max()) < _NAMED
    is_out_of_scope = can_tell and is_far
    # A wrong refusal is worse than a doubt, so it ignores catalog size.
    has_low_confidence = nearest.closeness < _DOUBTFUL + by_chance
    phrases: tuple[str, ...] = ()
    if has_low_confidence or _is_missed(coverage, question.words):
        phrases = _unmatched_phrases(
            coverage,
            coverage.tables.max(axis=1),
            _MIN_OUT_OF_SCOPE if is_out_of_scope else _MIN_UNMATCHED,
        )
    columns = np.argsort(
        -(coverage.share_of_column + _WEIGHT_OF_NEARNESS * coverage.near), kind="stable"
    )
    tables = np.argsort(
        -(coverage.share + _WEIGHT_OF_NEARNESS * _nearness(coverage, lexicon)), kind="stable"
    )
    if has_low_confidence and not phrases:
        phrases = _unmatched_phrases(coverage, nearest.speaks, _MIN_UNMATCHED)
    if is_out_of_scope and not phrases:
        lost = coverage.tables.max(axis=1)
        phrases = _unmatched_phrases(coverage, lost, _MIN_OUT_OF_SCOPE, with_doings=True)
    missing = [word for word in missing if word not in " ".join(phrases).split()]
    shown = (*missing, *phrases)[:_MAX_SHOWN]
    return UnmatchedTerms(
        phrases=shown,
        is_out_of_scope=is_out_of_scope,
        has_low_confidence=has_low_confidence,
        nearest=tuple(lexicon.refs[column] for column in columns[:_MAX_SHOWN]),
        nearest_tables=tuple(lexicon.tables[table].ref for table in tables[:_MAX_SHOWN]),
        is_no_question=_is_no_question(evidence),
        may_be_values=bool(shown) and all(map(_may_be_value, shown)),
        is_far=is_far,
    )


def _may_be_value(phrase: str) -> bool:
    """Whether a word of a phrase is not English; words with digits are codes of things."""
    words = [word for word in parts(phrase) if word.isalpha()]
    return any(stem(word) not in _english_words() for word in words)


def _is_no_question(evidence: MatchFeatures) -> bool:
    """Words that are neither in the catalog nor English."""
    matches = evidence.matches
    is_met = evidence.importance.any() or matches.meanings or matches.named.max() >= _NAMED
    if is_met or not is_english(matches.question.text):
        return False
    return _english_words().isdisjoint(matches.question.words)


@cache
def _english_words() -> frozenset[str]:
    """Stems of whole words in the embedder's vocabulary."""
    return frozenset(stem(word) for word in vocabulary() if word.isalpha())


def term_coverage(evidence: MatchFeatures) -> TermCoverage:
    """Term coverage of each column and table."""
    matches, lexicon = evidence.matches, evidence.index.lexicon
    about = term_weights(matches.question)
    names = _likenesses(matches.question, lexicon, lexicon.names)
    described = np.maximum(
        _likenesses(matches.question, lexicon, lexicon.descriptions, is_exact=True),
        _likenesses(matches.question, lexicon, lexicon.paths),
    )
    held = _likenesses(matches.question, lexicon, lexicon.values, is_exact=True)
    terms, question = matches.meanings, matches.question
    named = apply_glossary(
        question, terms, lexicon.refs, np.maximum(names, _DESCRIPTION * described), 1.0
    )
    # Names are expected among values only.
    worth = np.where(about.is_literal, 1.0, _VALUE)[:, None]
    tables = np.maximum(
        np.maximum(matches.best_in_table(named), worth * matches.best_in_table(held)),
        np.maximum(
            _likenesses(matches.question, lexicon, lexicon.table_names),
            _DESCRIPTION
            * _likenesses(matches.question, lexicon, lexicon.table_descriptions, is_exact=True),
        ),
    )
    columns = np.maximum(named, _VALUE * held)
    return TermCoverage(
        term_weights=about,
        columns=columns,
        tables=tables,
        share=_share(about, tables),
        share_of_column=_share(about, columns),
        near=matches.near
        if matches.near is not None
        else np.full(len(lexicon.refs), _USUALLY_NEAR, dtype=np.float32),
        near_table=float(matches.near_tables.max())
        if matches.near_tables is not None
        else _USUALLY_NEAR,
    )


def _share(about: TermWeights, coverage: Floats) -> Floats:
    """The share of informative terms that each matches."""
    share: Floats = about.weights @ coverage / float(about.weights.sum())
    return share


def _likenesses(
    question: QuestionWords, lexicon: InvertedIndex, postings: Postings, *, is_exact: bool = False
) -> Floats:
    """Best similarity of each term within each text."""
    likenesses = np.zeros((len(question.words), postings.size), dtype=np.float32)
    for row in range(len(question.words)):
        for number, likeness in expand_term(question, row, lexicon, of_synonym=1.0):
            if is_exact and likeness < 1:
                continue
            texts, _ = postings.get(number)
            if len(texts):
                likenesses[row, texts] = np.maximum(likenesses[row, texts], likeness)
    for rows, number in _written_as_one(question, lexicon):
        texts, _ = postings.get(number)
        likenesses[np.array(rows)[:, None], texts] = 1
    return likenesses


def _written_as_one(
    question: QuestionWords, lexicon: InvertedIndex
) -> Iterator[tuple[list[int], int]]:
    """Adjacent words that the catalog joins: `zip code` is `zipcode`."""
    index = {word: row for row, word in enumerate(question.words)}
    for left, right in pairwise(parts(question.text)):
        rows = [index[stem(part)] for part in (left, right) if stem(part) in index]
        number = lexicon.vocabulary.number(stem(left + right))
        if number is not None and len(rows) == 2:
            yield rows, number


def _nearness(coverage: TermCoverage, lexicon: InvertedIndex) -> Floats:
    """Mean similarity of each table's best columns; small tables are not penalised."""
    sizes = np.minimum(np.diff(lexicon.starts), _BEST_COLUMNS)
    means: Floats = mean_of_best(coverage.near, lexicon.starts, _BEST_COLUMNS) * (
        _BEST_COLUMNS / sizes
    )
    return means


def nearest_place(evidence: MatchFeatures, coverage: TermCoverage) -> NearestPlace:
    """
    The place that covers most terms at the highest similarity, with the nearest table.

    A place is a table or two that join: matches far apart do not add up. Unknown names may be
    unseen values, and generic words need not occur: neither counts against a place.
    """
    index, score = evidence.index, coverage.tables.max(axis=1) >= _SPOKEN_OF
    weights = np.where(
        score | (coverage.term_weights.weights == 1), coverage.term_weights.weights, 0
    )
    weights = weights / max(float(weights.sum()), 1e-6)
    nearness = _nearness(coverage, index.lexicon) * (_WEIGHT_OF_NEARNESS / 2)
    best = NearestPlace(0.0, np.zeros(len(weights), dtype=np.float32))
    for table in np.argsort(-coverage.share, kind="stable")[:_MAX_PAIRED]:
        joined = np.append(index.graph.right[index.graph.left == table], table)
        speaks = np.maximum(coverage.tables[:, joined], coverage.tables[:, [table]])
        near = weights @ speaks + nearness[table] + nearness[joined] + coverage.near_table
        if near.max() > best.closeness:
            best = NearestPlace(float(near.max()), speaks[:, near.argmax()])
    return best


def _unmatched_phrases(
    coverage: TermCoverage, speaks: Floats, least: float, *, with_doings: bool = False
) -> tuple[str, ...]:
    """
    Phrases with a term at or below `least` coverage, most informative first. Verbs count only if
    there is nothing else.
    """
    lost = coverage.term_weights.weights * (1 - speaks)
    phrases = list[tuple[float, str]]()
    for text, indexes in coverage.term_weights.phrases:
        # Multi-part words have several indexes; keep the phrase.
        words = text.split(" ")
        pairs = (
            list(zip(words, indexes, strict=True))
            if len(words) == len(indexes)
            else [(text, max(indexes, key=lost.item))]
        )
        left = [
            (word, float(lost[index]))
            for word, index in pairs
            if lost[index] >= least and (with_doings or not _names_nothing(word))
        ]
        if left:
            phrases.append((max(loss for _, loss in left), " ".join(word for word, _ in left)))
    phrases.sort(key=lambda phrase: -phrase[0])
    return tuple(dict.fromkeys(text for _, text in phrases))[:_MAX_SHOWN]


def _is_missed(coverage: TermCoverage, words: Sequence[str]) -> bool:
    """Whether too many informative terms are unmatched; of two, one may be a synonym."""
    is_informative = coverage.term_weights.weights == 1
    names_something = np.array([word not in _NAMING_NOTHING for word in words], dtype=bool)
    lost = is_informative & names_something & (coverage.tables.max(axis=1) <= 1 - _MIN_UNMATCHED)
    share = float(lost.sum() / max(1, is_informative.sum()))
    return share >= _WORTH_A_WARNING and (lost.sum() > 1 or share > _ALONE_WORTH_A_WARNING)


def _names_nothing(text: str) -> bool:
    """Whether it is a verb or adjective only."""
    return all(part.endswith("ly") or stem(part) in _NAMING_NOTHING for part in parts(text))


# Shorter ones match by chance.
_MIN_LETTERS = 5
_MIN_INITIALS = 3
_MAX_INITIALS = 5
_MAX_COLUMNS = 300
_BEFORE_BRACKETS = 3
_EXPLAINING = 0.5
_BRACKETS = re.compile(r"([^().,;:?!]+)\(([^()]+)\)")
# CO2, B2B, MP3: letters around one digit. Longer ones are codes, possibly unseen values.
_WITH_DIGIT = re.compile(r"(?<![\w.-])[A-Za-z]{1,4}\d[A-Za-z]{0,3}(?![\w-]|\.\w)")
_PERIOD = re.compile(r"(?:Q|H|S|T|W|FY|KW|CW|M|Y|P)\d", re.IGNORECASE)


def rows_of_phrases(question: QuestionWords, lexicon: InvertedIndex, coverage: Floats) -> list[int]:
    """
    Indexes of terms that form one phrase in the catalog; `spoken` is the tables' term coverage.
    """
    rows = {word: row for row, word in enumerate(question.words)}
    words = set[str]()
    words.update(*_values(question, lexicon), *_initials(question, lexicon))
    for run, explained_by in _explained(question.text):
        explaining = [rows[word] for word in explained_by if word in rows]
        if explaining and coverage[explaining].max() >= _EXPLAINING:
            words.update(run)
    return [row for word, row in rows.items() if word in words]


def _values(question: QuestionWords, lexicon: InvertedIndex) -> Iterator[list[str]]:
    """Multi-word values that occur whole in the question."""
    letters, words = alnum_key(question.text), f" {' '.join(map(stem, parts(question.text)))} "
    columns = dict[int, None]()
    for word in question.words:
        holding = _holding(word, lexicon, lexicon.values).tolist()
        columns.update(dict.fromkeys(holding[:_MAX_COLUMNS]))
    for column in columns:
        for value in lexicon.facts.get(lexicon.refs[column]).values:
            key = alnum_key(value)
            if len(key) >= _MIN_LETTERS and key in letters:
                spelt = [stem(part) for part in parts(value)]
                if len(spelt) > 1 and f" {' '.join(spelt)} " in words:
                    yield spelt


def _initials(question: QuestionWords, lexicon: InvertedIndex) -> Iterator[list[str]]:
    """Consecutive words whose initials are a word in a name."""
    words = parts(question.text)
    for start in range(len(words)):
        for end in range(start + _MIN_INITIALS, min(start + _MAX_INITIALS, len(words)) + 1):
            run = words[start:end]
            if len(_holding("".join(word[0] for word in run), lexicon, lexicon.names)):
                yield [stem(word) for word in run]


def _explained(text: str) -> Iterator[tuple[list[str], list[str]]]:
    """Words before and inside brackets."""
    for before, inside in _BRACKETS.findall(text):
        words = [stem(part) for part in parts(before)][-_BEFORE_BRACKETS:]
        yield words, [stem(part) for part in parts(inside)]


def digit_words_missing(question: QuestionWords, lexicon: InvertedIndex) -> Iterator[str]:
    """Words with a digit, such as CO2, that are in no name, comment or value."""
    for word in dict.fromkeys(_WITH_DIGIT.findall(question.text)):
        if _PERIOD.fullmatch(word) or casefold_ascii(word) in question.quoted:
            continue
        of_word = [stem(part) for part in parts(word)]
        spelling = [casefold_ascii(word)]
        postings = (
            lexicon.names,
            lexicon.paths,
            lexicon.descriptions,
            lexicon.values,
            lexicon.table_names,
            lexicon.table_descriptions,
        )
        if not any(
            _hold_all(of_word, lexicon, item) or _hold_all(spelling, lexicon, item)
            for item in postings
        ):
            yield word


def _hold_all(words: list[str], lexicon: InvertedIndex, postings: Postings) -> bool:
    """Whether one text contains all words."""
    texts = set(_holding(words[0], lexicon, postings).tolist())
    for word in words[1:]:
        texts &= set(_holding(word, lexicon, postings).tolist())
    return bool(texts)


def _holding(word: str, lexicon: InvertedIndex, postings: Postings) -> Ints:
    number = lexicon.vocabulary.number(word)
    return postings.texts[:0] if number is None else postings.get(number)[0]

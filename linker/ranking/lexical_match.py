"""Lexical matches of question terms with columns and tables, and the scores derived from them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from linker.ranking.catalog_index import CatalogIndex
from linker.ranking.compound_words import name_parts
from linker.ranking.inverted_index import InvertedIndex, Postings, SpanIndex
from linker.ranking.query_analysis import Meaning, QuestionWords, analyse
from linker.ranking.table_tokens import Floats, Ints
from linker.retrieval.hits import NO_SCORES, RefScores, Retrieved
from linker.text.words import parts, stem
from linker.types import Record, Ref, TableRef

# Weights of synonyms, lowest if the catalog has the word itself.
_OF_SYNONYM = 0.7
_OF_SYNONYM_OF_KNOWN = 0.35
_MIN_OF_SYNONYM = 0.5
# Weight of words of similar meaning and how many count, if no name matches the term that well.
_OF_NEAR = 0.6
_MOST_NEAR = 3
_MEANT = 0.5
# Weight of a phrase's initials in names.
_OF_INITIALS = 0.9
# Weight of names in nearby passages, without short words.
_IN_PASSAGE = 0.3
_MIN_LETTERS = 6
_OF_THING = np.float32(0.3)

# Field weights: own name, path, description, values.
_PATH = 0.6
_DESCRIPTION = 0.5
_VALUE = 0.35


class RetrievalSignals(Record, frozen=True):
    """
    Semantic and value scores of columns and tables.

    Also glossary terms, document passages, and preferred tables.
    """

    near: RefScores = NO_SCORES
    near_tables: RefScores = NO_SCORES
    values: RefScores = NO_SCORES
    meanings: tuple[Meaning, ...] = ()
    passages: tuple[str, ...] = ()
    preferred: frozenset[TableRef] = frozenset()


NO_SIGNALS = RetrievalSignals()


def retrieval_signals(retrieved: Retrieved) -> RetrievalSignals:
    """Raw scores by search; ranks would lose distances."""
    hits = retrieved.hits
    return RetrievalSignals(
        hits.found_by("dense"), retrieved.table_hits.found_by("dense"), hits.found_by("value")
    )


class TermMatches(Record, frozen=True):
    """One row per term, one column per column or table of the catalog."""

    question: QuestionWords
    lexicon: InvertedIndex
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
        """Maximum per table along the last axis."""
        best: Floats = np.maximum.reduceat(of_columns, self.lexicon.starts[:-1], axis=-1)
        return best

    def sum_in_table(self, of_columns: Floats) -> Floats:
        """Sum per table along the last axis."""
        total: Floats = np.add.reduceat(of_columns, self.lexicon.starts[:-1], axis=-1)
        return total


def match(
    question: QuestionWords, lexicon: InvertedIndex, signals: RetrievalSignals
) -> TermMatches:
    """Match the terms of a question with columns and tables."""
    rare, rare_table = lexicon.column_rarity, lexicon.table_rarity
    of_columns, of_tables = rare.__getitem__, rare_table.__getitem__
    names = _term_scores(question, lexicon, lexicon.names, of_columns)
    table_names = _term_scores(question, lexicon, lexicon.table_names, of_tables)
    tables, terms = [table.ref for table in lexicon.tables], signals.meanings
    return TermMatches(
        question=question,
        lexicon=lexicon,
        names=apply_glossary(question, terms, lexicon.refs, names, _alone(rare)),
        paths=_term_scores(question, lexicon, lexicon.paths, of_columns),
        descriptions=_term_scores(
            question, lexicon, lexicon.descriptions, of_columns, is_exact=True
        ),
        values=_thing_weights(question, lexicon)
        * _term_scores(question, lexicon, lexicon.values, lexicon.value_rarity, is_exact=True),
        table_names=apply_glossary(question, terms, tables, table_names, _alone(rare_table)),
        table_descriptions=_term_scores(
            question, lexicon, lexicon.table_descriptions, of_tables, is_exact=True
        ),
        near=_known_or_last(lexicon.keys, signals.near),
        near_tables=_known_or_last(lexicon.table_keys, signals.near_tables),
        named=_without_things(question, lexicon, signals.values.at(lexicon.keys, 0.0)),
        meanings=terms,
        passages=analyse("\n".join(signals.passages)) if signals.passages else None,
        preferred=signals.preferred,
    )


def _things(question: QuestionWords, lexicon: InvertedIndex) -> set[str]:
    """Unquoted words of the question that are table topics."""
    written = set(parts(question.text)) - question.quoted
    return {word for word in written if stem(word) in lexicon.things}


def _thing_weights(question: QuestionWords, lexicon: InvertedIndex) -> Floats:
    """Lower weights of table topics among values: `countries` means the table `country`."""
    rows = zip(question.words, question.synonyms, strict=True)
    is_thing = [not lexicon.things.isdisjoint((word, *synonyms)) for word, synonyms in rows]
    weights: Floats = np.where(is_thing, _OF_THING, np.float32(1.0))[:, None]
    return weights


def _without_things(
    question: QuestionWords, lexicon: InvertedIndex, value_scores: Floats
) -> Floats:
    """
    Downweight value matches that are also table topics: where tables are about races, `race` means
    these and not the session `Race`.
    """
    things = _things(question, lexicon)
    little, much = np.zeros((2, len(value_scores)), dtype=bool)
    for phrase in question.phrases:
        marks = little if phrase in things else much
        marks[lexicon.values_at.get(phrase)] = True
    lessened: Floats = np.where(little & ~much, value_scores * _OF_THING, value_scores)
    return lessened


def _alone(rare: Floats) -> float:
    """Weight of the rarest word."""
    return float(rare.max(initial=1.0))


def apply_glossary(
    question: QuestionWords,
    meanings: Sequence[Meaning],
    refs: Sequence[Ref],
    scores: Floats,
    strength: float,
) -> Floats:
    """Scores with glossary terms as if in the names of their items."""
    for meaning in meanings:
        indexes = [index for index, ref in enumerate(refs) if ref in meaning.refs]
        if indexes and meaning.head in question.words:
            row = question.words.index(meaning.head)
            scores[row, indexes] = np.maximum(scores[row, indexes], strength * meaning.weight)
    return scores


def _term_scores(
    question: QuestionWords,
    lexicon: InvertedIndex,
    postings: Postings,
    rare: Callable[[int], Any],
    *,
    is_exact: bool = False,
) -> Floats:
    """Term-by-text scores: similarity × rarity × weight in the text, maximum over similar words."""
    term_scores = np.zeros((len(question.words), postings.size), dtype=np.float32)
    for row, weight in enumerate(question.weights):
        near = [] if is_exact else near_terms(question, row, lexicon)
        for number, likeness in chain(expand_term(question, row, lexicon), near):
            texts, weights = postings.get(number)
            if len(texts) and not (is_exact and likeness < 1):
                term_scores[row, texts] = np.maximum(
                    term_scores[row, texts], weight * likeness * rare(number) * weights
                )
    return term_scores


def expand_term(
    question: QuestionWords, row: int, lexicon: InvertedIndex, of_synonym: float = 0.0
) -> Iterator[tuple[int, float]]:
    """Catalog words that a term may mean, with certainty."""
    similar = lexicon.similar(question.words[row])
    yield from similar
    for word in question.given[row]:
        yield from lexicon.similar(word)
    for initials in question.initials[row]:
        number = lexicon.vocabulary.number(initials)
        if number is not None:
            yield number, _OF_INITIALS
    of_synonym = of_synonym or (
        _OF_SYNONYM_OF_KNOWN if similar and similar[0][1] == 1 else _OF_SYNONYM
    )
    for synonym in question.synonyms[row]:
        for number, likeness in lexicon.similar(synonym):
            # `amt` abbreviates `amount`; a longer word such as `pricelist` is a different one.
            is_short = len(lexicon.vocabulary.spelt(np.array([number]))[0]) <= len(synonym)
            if likeness >= _MIN_OF_SYNONYM and is_short:
                yield number, of_synonym * likeness


def near_terms(
    question: QuestionWords, row: int, lexicon: InvertedIndex
) -> list[tuple[int, float]]:
    """Words of names similar in meaning to a term that no name matches, most similar first."""
    matched = (number for number, degree in expand_term(question, row, lexicon) if degree >= _MEANT)
    if any(lexicon.is_named[number] for number in matched):
        return []
    near = list[tuple[int, float]]()
    for word, degree in question.near_synonyms[row]:
        number = lexicon.vocabulary.number(word)
        if number is not None and lexicon.is_named[number]:
            near.append((number, _OF_NEAR * degree))
    return near[:_MOST_NEAR]


def synonym_match(question: QuestionWords, name: str, lexicon: InvertedIndex) -> str:
    """A term with a synonym in a name that lacks the term itself, such as `revenue ~ amount`."""
    part_by_stem = {stem(part): part for part in name_parts(name)}
    for row, word in enumerate(question.words):
        numbers = [number for number, _ in near_terms(question, row, lexicon)]
        near = lexicon.vocabulary.spelt(np.array(numbers, dtype=np.int64))
        synonyms = (*question.synonyms[row], *near)
        match = next((synonym for synonym in synonyms if synonym in part_by_stem), None)
        if match and word not in part_by_stem:
            return f"{as_written(question, word)} ~ {part_by_stem[match]}"
    return ""


def as_written(question: QuestionWords, word: str) -> str:
    """A stem as spelled in the question."""
    return next((part for part in parts(question.text) if stem(part) == word), word)


def _known_or_last(keys: Ints, scores: RefScores) -> Floats | None:
    """A score for each key; missing ones get the lowest score retrieved."""
    return scores.at(keys, float(scores.scores.min())) if len(scores) else None


def exact_matches(matches: TermMatches, texts: SpanIndex, refs: Sequence[Ref]) -> Floats:
    """Items written as identifiers or named by a glossary term; lower for document passages."""
    scores = identifier_matches(matches.question, texts, len(refs))
    for meaning in matches.meanings:
        indexes = [index for index, ref in enumerate(refs) if ref in meaning.refs]
        scores[indexes] = np.maximum(scores[indexes], meaning.weight)
    if passages := matches.passages:
        written = identifier_matches(passages, texts, len(refs))
        for span, _ in passages.spans:
            if len(span) >= _MIN_LETTERS:
                written[texts.get(span)] = 1.0
        scores = np.maximum(scores, _IN_PASSAGE * written)
    return scores


def span_matches(question: QuestionWords, texts: SpanIndex, size: int) -> Floats:
    """For each text the longest run of question words that equals its full name."""
    scores = np.zeros(size, dtype=np.float32)
    for span, length in question.spans:
        indexes = texts.get(span)
        scores[indexes] = np.maximum(scores[indexes], float(length))
    return scores


def identifier_matches(question: QuestionWords, texts: SpanIndex, size: int) -> Floats:
    """Items that the question writes as identifiers."""
    scores = np.zeros(size, dtype=np.float32)
    for name in question.spelt:
        scores[texts.get(name)] = 1.0
    return scores


def value_matches(question: QuestionWords, lexicon: InvertedIndex) -> Floats:
    """For each column how well a value matches the question; rare and long values score higher."""
    scores = np.zeros(len(lexicon.refs), dtype=np.float32)
    things = _things(question, lexicon)
    for phrase in question.phrases:
        indexes = lexicon.values_at.get(phrase)
        if not len(indexes):
            continue
        weight = 1.0 + 0.5 * (phrase.count(" ") > 0) + (phrase in question.quoted)
        weight *= 0.3 if phrase.isdigit() else 1.0
        weight *= float(_OF_THING) if phrase in things else 1.0
        weight /= 1.0 + np.log(len(indexes))
        scores[indexes] = np.maximum(scores[indexes], weight)
    return scores


def of_best(scores: Floats) -> Floats:
    """Scores divided by the maximum."""
    best = float(scores.max()) if len(scores) else 0.0
    shares: Floats = (scores / best if best > 0 else np.zeros_like(scores)).astype(np.float32)
    return shares


def standard(scores: Floats) -> Floats:
    """Z-scores, clipped at four."""
    spread = float(scores.std()) if len(scores) else 0.0
    if spread < 1e-9:
        return np.zeros(len(scores), dtype=np.float32)
    clipped: Floats = np.clip((scores - scores.mean()) / spread, -4, 4).astype(np.float32)
    return clipped


def lead(scores: Floats) -> Floats:
    """Distance to the best other score, in standard deviations, clipped at six."""
    spread = float(scores.std()) if len(scores) else 0.0
    if spread < 1e-9:
        return np.zeros(len(scores), dtype=np.float32)
    second, best = np.sort(scores)[-2:]
    others = np.where(scores == best, second, best)
    clipped: Floats = np.clip((scores - others) / spread, -6, 6).astype(np.float32)
    return clipped


def log_rank(scores: Floats) -> Floats:
    """Log of the rank from 1, best first; ties share the mean rank."""
    return log_rank_in_table(
        scores, np.zeros(len(scores), dtype=np.int64), np.zeros(1, dtype=np.int64)
    )


def log_rank_in_table(scores: Floats, table_of: Ints, starts: Ints) -> Floats:
    """Log of the rank within the table, best first; ties share the mean rank."""
    order = _best_first(scores, table_of)
    sorted_scores, tables = scores[order], table_of[order]
    is_first = np.ones(len(scores), dtype=bool)
    is_first[1:] = (sorted_scores[1:] != sorted_scores[:-1]) | (tables[1:] != tables[:-1])
    begins = np.flatnonzero(is_first)
    ends = np.append(begins, len(scores))[1:]
    means = (begins + ends + 1) / 2 - starts[tables[begins]]
    shared = np.empty(len(scores), dtype=np.float32)
    shared[order] = np.repeat(np.log(means), ends - begins)
    return shared


def _best_first(scores: Floats, table_of: Ints) -> Ints:
    """Indexes by table, best first; a linear-time sort if 16 bits number the tables."""
    order = np.argsort(-scores)
    tables = table_of[order].astype(np.min_scalar_type(int(table_of.max(initial=0))))
    by_table: Ints = order[np.argsort(tables, kind="stable")]
    return by_table


def mean_of_best(scores: Floats, starts: Ints, count: int = 3) -> Floats:
    """Mean of each table's best scores; tables with fewer are penalised."""
    sizes = np.diff(starts)
    table_of = np.repeat(np.arange(len(sizes)), sizes)
    index = np.arange(len(scores)) - starts[table_of]
    top = np.where(index < count, scores[_best_first(scores, table_of)], 0.0)
    means: Floats = (np.add.reduceat(top, starts[:-1]) / count).astype(np.float32)
    return means


@dataclass(eq=False)
class MatchFeatures:
    """
    Scores of a question in a candidate pool.

    `met` is the maximum over fields, one row per term; `spoken` how far the question contains each
    catalog word.
    """

    index: CatalogIndex
    matches: TermMatches
    term_scores: Floats
    importance: Floats
    lexical: Floats
    name_span: Floats
    table_span: Floats
    column_spelt: Floats
    table_spelt: Floats
    value_hits: Floats
    word_shares: Floats
    name_coverage: Floats
    covered: Floats
    name_covered: Floats
    table_name_score: Floats
    table_name_coverage: Floats
    table_name_unasked: Floats

    @property
    def coverage(self) -> Floats:
        """Share of the question matched by each table's columns and name together."""
        share: Floats = self.covered.sum(axis=0) / max(float(self.importance.sum()), 1e-6)
        return share

    @cached_property
    def rank_in_table(self) -> Floats:
        """Log of each column's rank in its table."""
        return log_rank_in_table(
            self.lexical, self.index.lexicon.table_of, self.index.lexicon.starts
        )

    @cached_property
    def carries(self) -> tuple[Floats, Floats]:
        """Share of the question that each column matches best, in its table and overall."""
        term_scores = self.term_scores
        table_of = self.index.lexicon.table_of
        total = max(float(self.importance.sum()), 1e-6)
        in_table = (term_scores >= self.matches.best_in_table(term_scores)[:, table_of]) & (
            term_scores > 0
        )
        alone = (term_scores >= term_scores.max(axis=1, keepdims=True, initial=0.0)) & (
            term_scores > 0
        )
        # Tied columns share the credit.
        sharing = (
            self.matches.sum_in_table(in_table.astype(np.float32))[:, table_of],
            alone.sum(axis=1, keepdims=True),
        )
        pairs = zip((in_table, alone), sharing, strict=True)
        worth = [
            np.where(is_best, term_scores / np.maximum(count, 1), 0.0).sum(axis=0)
            for is_best, count in pairs
        ]
        return (worth[0] / total).astype(np.float32), (worth[1] / total).astype(np.float32)


def compute_match_features(index: CatalogIndex, matches: TermMatches) -> MatchFeatures:
    lexicon, question = index.lexicon, matches.question
    columns, tables = len(lexicon.refs), len(lexicon.tables)
    term_scores = np.maximum(
        np.maximum(matches.names, _PATH * matches.paths),
        np.maximum(_DESCRIPTION * matches.descriptions, _VALUE * matches.values),
    )
    of_tables = np.maximum(matches.table_names, _DESCRIPTION * matches.table_descriptions)
    in_table = matches.best_in_table(term_scores)
    covered = np.maximum(in_table, of_tables) if columns else term_scores
    importance = covered.max(axis=1, initial=0.0)
    lexical = (
        3.0 * matches.names
        + matches.paths
        + matches.descriptions
        + 0.5 * matches.values
        + (matches.table_names + 0.5 * matches.table_descriptions)[:, lexicon.table_of]
    ).sum(axis=0)
    table_score = matches.table_names.sum(axis=0)
    word_shares = _word_shares(index, matches)
    coverage, unasked = _table_words(index, word_shares)
    return MatchFeatures(
        index=index,
        matches=matches,
        term_scores=term_scores,
        importance=importance,
        lexical=lexical.astype(np.float32),
        name_span=span_matches(question, lexicon.squashed_names, columns),
        table_span=span_matches(question, lexicon.squashed_tables, tables),
        column_spelt=exact_matches(matches, lexicon.squashed_names, lexicon.refs),
        table_spelt=exact_matches(
            matches, lexicon.squashed_tables, [table.ref for table in lexicon.tables]
        ),
        value_hits=value_matches(question, lexicon),
        word_shares=word_shares,
        name_coverage=_name_coverage(index, word_shares),
        covered=covered,
        name_covered=np.maximum(matches.best_in_table(matches.names), of_tables),
        table_name_score=of_best(table_score.astype(np.float32)),
        table_name_coverage=coverage,
        table_name_unasked=unasked,
    )


def _word_shares(index: CatalogIndex, matches: TermMatches) -> Floats:
    """How far the question contains each catalog word."""
    likenesses = np.zeros(len(index.lexicon.vocabulary), dtype=np.float32)
    for row in range(len(matches.question.words)):
        terms = expand_term(matches.question, row, index.lexicon)
        near = near_terms(matches.question, row, index.lexicon)
        for number, likeness in chain(terms, near):
            likenesses[number] = max(likenesses[number], likeness)
    return likenesses


def _name_coverage(index: CatalogIndex, word_shares: Floats) -> Floats:
    """Rarity-weighted share of each column's name in the question."""
    rare = index.lexicon.column_rarity + 0.1
    words, text_numbers = index.lexicon.name_words.words, index.lexicon.name_words.text_of
    size = len(index.lexicon.refs)
    total = np.bincount(text_numbers, weights=rare[words], minlength=size)
    covered = np.bincount(text_numbers, weights=rare[words] * word_shares[words], minlength=size)
    share: Floats = (covered / np.maximum(total, 1e-6)).astype(np.float32)
    return share


def _table_words(index: CatalogIndex, word_shares: Floats) -> tuple[Floats, Floats]:
    """Matched and unmatched weight of each table's name."""
    rare, names = index.lexicon.table_rarity + 0.1, index.lexicon.table_name_words
    coverage, unasked = np.zeros((2, len(names.lengths)), dtype=np.float32)
    # By length, so that sums are bitwise equal to those of single tables.
    begins = np.cumsum(names.lengths) - names.lengths
    for length in set(names.lengths.tolist()) - {0}:
        indexes = np.flatnonzero(names.lengths == length)
        words = names.words[begins[indexes][:, None] + np.arange(length)]
        total = rare[words].sum(axis=1).astype(np.float64)
        term_scores = (rare[words] * word_shares[words]).sum(axis=1).astype(np.float64)
        coverage[indexes], unasked[indexes] = term_scores / total, total - term_scores
    return coverage, unasked

"""
Reasons of a ranked column: its strongest features with their evidence, such as `name match:
customer`, `semantic match (0.71)` or `foreign key to orders`.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.resources import files

import numpy as np

from linker.ranking.inverted_index import InvertedIndex
from linker.ranking.lexical_match import as_written, synonym_match
from linker.ranking.query_analysis import QuestionWords
from linker.ranking.ranker import RankingResult, probability
from linker.ranking.table_tokens import Floats, Texts
from linker.ranking.weights import Regression
from linker.text.values import value_key
from linker.types import ColumnRef, TableRef

_MAX_REASONS = 4
_MIN_SHARE = 0.15
_MAX_WORDS = 3
# Maximum rank in the table for a reason.
_LAST_RANK = 3
WITH_ITS_TABLE = "included because its table is relevant"

# Kinds of evidence by feature; features not listed give no reason.
KINDS: dict[str, list[str]] = json.loads(
    files(__package__).joinpath("reasons.json").read_text("utf-8")
)


def _kind_by_feature() -> dict[str, str]:
    kinds: dict[str, str] = {}
    for kind, features in KINDS.items():
        kinds |= dict.fromkeys(features, kind)
    return kinds


_KIND_OF = _kind_by_feature()


def reasons(ranked: RankingResult, columns: Regression, column: int) -> tuple[str, ...]:
    """Evidence for a column, strongest first."""
    texts = dict.fromkeys(_meant_by(ranked, column))
    for feature, share in columns.shares(ranked.column_features, column):
        if share < _MIN_SHARE or len(texts) == _MAX_REASONS:
            break
        if reason := _reason(ranked, feature, column):
            texts[reason] = None
    return tuple(texts) or (WITH_ITS_TABLE,)


def join_key(lexicon: InvertedIndex, column: int, table: TableRef) -> str:
    """For example `foreign key to orders`."""
    own = lexicon.refs[column]
    points = any(key.table == table for key in lexicon.facts.get(own).points_to)
    name = table.name if table.schema == own.table.schema else str(table)
    return f"{'foreign' if points else 'join'} key to {name}"


def table_match(ranked: RankingResult, table: int) -> str:
    """For example `name match: orders`."""
    words = _words_in(ranked, ranked.index.lexicon.table_name_words, table)
    return _named("name match", words) if words else ""


def _meant_by(ranked: RankingResult, column: int) -> list[str]:
    """The glossary term or synonym that matches a column."""
    matches, ref = ranked.evidence.matches, ranked.index.lexicon.refs[column]
    for meaning in matches.meanings:
        if ref in meaning.refs:
            return [f"{meaning.term.source}: {meaning.term.term}"]
    synonym = synonym_match(matches.question, ref.path, matches.lexicon)
    return [f"synonym: {synonym}"] if synonym else []


def _reason(ranked: RankingResult, feature: str, column: int) -> str:
    """Evidence of a feature; empty if the column has none."""
    kind = _KIND_OF.get(feature, "")
    if find := _EVIDENCE.get(kind):
        return find(ranked, column)
    # An unset flag may contribute, but is no evidence.
    return kind if kind and ranked.column_features[feature][column] > 0 else ""


def _named(kind: str, words: Iterable[str]) -> str:
    shown = list(dict.fromkeys(words))[:_MAX_WORDS]
    return f"{kind}: {', '.join(shown)}" if shown else ""


def _words_in(ranked: RankingResult, texts: Texts, text: int) -> list[str]:
    """Question words in a name as written, without synonyms."""
    question, lexicon = ranked.evidence.matches.question, ranked.index.lexicon
    end = int(texts.lengths[: text + 1].sum())
    held = set(texts.words[end - int(texts.lengths[text]) : end].tolist())
    words = []
    for word in question.words:
        if any(number in held for number, _ in lexicon.similar(word)):
            words.append(as_written(question, word))
    return words


def _name_words(ranked: RankingResult, column: int) -> list[str]:
    return _words_in(ranked, ranked.index.lexicon.name_words, column)


def _strongest(question: QuestionWords, scores: Floats) -> Iterator[str]:
    """Question words by descending score."""
    for row in np.argsort(-scores, kind="stable").tolist():
        if scores[row] > 0:
            yield as_written(question, question.words[row])


def _name_match(ranked: RankingResult, column: int) -> str:
    return _named("name match", _name_words(ranked, column))


def _path_match(ranked: RankingResult, column: int) -> str:
    matches = ranked.evidence.matches
    return _named("path match", _strongest(matches.question, matches.paths[:, column]))


def _description_match(ranked: RankingResult, column: int) -> str:
    matches = ranked.evidence.matches
    words = _strongest(matches.question, matches.descriptions[:, column])
    return _named("description match", words)


def _value_word_match(ranked: RankingResult, column: int) -> str:
    if _held_value(ranked, column):
        return _value_match(ranked, column)
    matches = ranked.evidence.matches
    return _named("value word match", _strongest(matches.question, matches.values[:, column]))


def _keyword_match(ranked: RankingResult, column: int) -> str:
    matches = ranked.evidence.matches
    texts = np.maximum(matches.descriptions[:, column], matches.values[:, column])
    words = [*_name_words(ranked, column), *_strongest(matches.question, texts)]
    if words:
        return _named("keyword match", words)
    lexicon = ranked.index.lexicon
    of_table = _words_in(ranked, lexicon.table_name_words, int(lexicon.table_of[column]))
    return _named("table name match", of_table)


def _best_in_table(ranked: RankingResult, column: int) -> str:
    evidence = ranked.evidence
    score, table = evidence.term_scores, int(ranked.index.lexicon.table_of[column])
    best = np.where(
        score[:, column] >= evidence.matches.best_in_table(score)[:, table], score[:, column], 0
    )
    return _named("best match in table", _strongest(evidence.matches.question, best))


def _best_overall(ranked: RankingResult, column: int) -> str:
    score = ranked.evidence.term_scores
    best = np.where(score[:, column] >= score.max(axis=1, initial=0.0), score[:, column], 0)
    # A word of a value or a description is the best match only because it is rare.
    kind = "best match overall" if _name_words(ranked, column) else "keyword match"
    return _named(kind, _strongest(ranked.evidence.matches.question, best))


def _name_rank(ranked: RankingResult, column: int) -> str:
    if not _name_words(ranked, column):
        return ""
    return _ranked_as("name match", ranked.column_features["name_rank_in_table"][column])


def _keyword_rank(ranked: RankingResult, column: int) -> str:
    if not ranked.evidence.lexical[column] > 0:
        return ""
    return _ranked_as("keyword match", ranked.evidence.rank_in_table[column])


def _ranked_as(kind: str, log_rank: float) -> str:
    rank = round(float(np.exp(log_rank)))
    if rank > _LAST_RANK:
        return ""
    return f"best {kind} in table" if rank <= 1 else f"{kind} {rank} in table"


def _identifier_match(ranked: RankingResult, column: int) -> str:
    is_spelt = ranked.evidence.column_spelt[column] > 0
    return f"exact identifier match: {ranked.index.lexicon.refs[column].path}" if is_spelt else ""


def _held_value(ranked: RankingResult, column: int) -> str:
    """A value of the column that the question contains verbatim."""
    evidence, lexicon = ranked.evidence, ranked.index.lexicon
    if not (evidence.value_hits[column] > 0 or evidence.matches.named[column] > 0):
        return ""
    values = {value_key(value): value for value in lexicon.facts.get(lexicon.refs[column]).values}
    return next(
        (values[phrase] for phrase in evidence.matches.question.phrases if phrase in values), ""
    )


def _value_match(ranked: RankingResult, column: int) -> str:
    if value := _held_value(ranked, column):
        return value_match(value, ranked.index.lexicon.refs[column])
    return "similar value" if ranked.evidence.matches.named[column] > 0 else ""


def value_match(value: str, ref: ColumnRef) -> str:
    """For example `value match: 'Brooklyn' in location_name`."""
    return f"value match: '{value}' in {ref.path}"


def _semantic_match(ranked: RankingResult, column: int) -> str:
    near = ranked.evidence.matches.near
    # Items not retrieved have the lowest score.
    if near is None or near[column] <= near.min():
        return ""
    return f"semantic match ({near[column]:.2f})"


def _shared_join_key(ranked: RankingResult, column: int) -> str:
    """How many tables a key joins, its own included."""
    graph = ranked.index.graph
    joined = np.unique(graph.right[graph.left_column == column])
    return f"shared join key ({len(joined) + 1:,} tables)" if len(joined) > 1 else ""


def _join_key(ranked: RankingResult, column: int) -> str:
    """The most probable table that a key references."""
    graph, lexicon = ranked.index.graph, ranked.index.lexicon
    edges = np.flatnonzero(graph.left_column == column)
    if not len(edges):
        return ""
    worth = graph.confidence[edges] * probability(ranked.tables[graph.right[edges]])
    best = edges[int(np.argmax(worth))]
    return join_key(lexicon, column, lexicon.tables[int(graph.right[best])].ref)


_EVIDENCE: Mapping[str, Callable[[RankingResult, int], str]] = {
    "name match": _name_match,
    "path match": _path_match,
    "description match": _description_match,
    "value word match": _value_word_match,
    "keyword match": _keyword_match,
    "best match in table": _best_in_table,
    "best match overall": _best_overall,
    "name rank in table": _name_rank,
    "keyword rank in table": _keyword_rank,
    "exact identifier match": _identifier_match,
    "value match": _value_match,
    "semantic match": _semantic_match,
    "shared join key": _shared_join_key,
    "join key": _join_key,
}

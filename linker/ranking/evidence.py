"""Scores of columns and tables for one question, of which features are made, and their scales."""

from functools import cached_property

import numpy as np

from linker.ranking.known import Known
from linker.ranking.matching import Matches, alike, named, spans_met, values_met
from linker.ranking.table_words import Floats, Ints
from linker.types import Record


def of_best(scores: Floats) -> Floats:
    """Each score as a share of the best one."""
    best = float(scores.max()) if len(scores) else 0.0
    shares: Floats = (scores / best if best > 0 else np.zeros_like(scores)).astype(np.float32)
    return shares


def standard(scores: Floats) -> Floats:
    """Deviations from the mean in standard deviations, cut at four."""
    spread = float(scores.std()) if len(scores) else 0.0
    if spread < 1e-9:
        return np.zeros(len(scores), dtype=np.float32)
    clipped: Floats = np.clip((scores - scores.mean()) / spread, -4, 4).astype(np.float32)
    return clipped


def log_rank(scores: Floats) -> Floats:
    """The logarithm of the rank from 1, best first; equal scores share the mean of their ranks."""
    return log_rank_in_table(
        scores, np.zeros(len(scores), dtype=np.int64), np.zeros(1, dtype=np.int64)
    )


def log_rank_in_table(scores: Floats, table_of: Ints, starts: Ints) -> Floats:
    """
    The logarithm of the rank inside the table, best first; equal scores share the mean of their
    ranks.
    """
    order = _best_first(scores, table_of)
    at, tables = scores[order], table_of[order]
    is_first = np.ones(len(scores), dtype=bool)
    is_first[1:] = (at[1:] != at[:-1]) | (tables[1:] != tables[:-1])
    begins = np.flatnonzero(is_first)
    ends = np.append(begins, len(scores))[1:]
    means = (begins + ends + 1) / 2 - starts[tables[begins]]
    shared = np.empty(len(scores), dtype=np.float32)
    shared[order] = np.repeat(np.log(means), ends - begins)
    return shared


def _best_first(scores: Floats, table_of: Ints) -> Ints:
    """
    The places table by table, best first; where sixteen bits number the tables, they are sorted in
    linear time.
    """
    order = np.argsort(-scores)
    tables = table_of[order].astype(np.min_scalar_type(int(table_of.max(initial=0))))
    found: Ints = order[np.argsort(tables, kind="stable")]
    return found


def mean_of_best(scores: Floats, starts: Ints, count: int = 3) -> Floats:
    """
    For each table the mean of its best scores; a table that has fewer is marked down for that.
    """
    sizes = np.diff(starts)
    table_of = np.repeat(np.arange(len(sizes)), sizes)
    place = np.arange(len(scores)) - starts[table_of]
    top = np.where(place < count, scores[_best_first(scores, table_of)], 0.0)
    means: Floats = (np.add.reduceat(top, starts[:-1]) / count).astype(np.float32)
    return means


# A word in a column's own name says more than one in the path to it, its description or its values.
_PATH = 0.6
_DESCRIPTION = 0.5
_VALUE = 0.35


class Scores(Record, frozen=True, dict=True):
    """
    Scores of one question in one pool.

    `met` is the best of all fields, a row a word; `spoken` how far the question says each word of
    the catalogue.
    """

    known: Known
    matches: Matches
    met: Floats
    importance: Floats
    lexical: Floats
    name_span: Floats
    table_span: Floats
    column_spelt: Floats
    table_spelt: Floats
    value_hits: Floats
    spoken: Floats
    name_coverage: Floats
    covered: Floats
    name_covered: Floats
    table_name_score: Floats
    table_name_coverage: Floats
    table_name_unasked: Floats

    @property
    def coverage(self) -> Floats:
        """
        For each table how much of the question its columns and its name meet together, from 0 to 1.
        """
        share: Floats = self.covered.sum(axis=0) / max(float(self.importance.sum()), 1e-6)
        return share

    @cached_property
    def rank_in_table(self) -> Floats:
        """The logarithm of each column's rank in its table."""
        return log_rank_in_table(
            self.lexical, self.known.lexicon.table_of, self.known.lexicon.starts
        )

    @cached_property
    def carries(self) -> tuple[Floats, Floats]:
        """The share of the question that each column meets best, in its table and of all."""
        met, of, total = (
            self.met,
            self.known.lexicon.table_of,
            max(float(self.importance.sum()), 1e-6),
        )
        in_table = (met >= self.matches.best_in_table(met)[:, of]) & (met > 0)
        alone = (met >= met.max(axis=1, keepdims=True, initial=0.0)) & (met > 0)
        # Those that share the first place share what it is worth.
        sharing = (
            self.matches.sum_in_table(in_table.astype(np.float32))[:, of],
            alone.sum(axis=1, keepdims=True),
        )
        pairs = zip((in_table, alone), sharing, strict=True)
        worth = [
            np.where(is_best, met / np.maximum(count, 1), 0.0).sum(axis=0)
            for is_best, count in pairs
        ]
        return (worth[0] / total).astype(np.float32), (worth[1] / total).astype(np.float32)


def gather(known: Known, matches: Matches) -> Scores:
    """All scores of one question."""
    lexicon, question = known.lexicon, matches.question
    columns, tables = len(lexicon.refs), len(lexicon.tables)
    met = np.maximum(
        np.maximum(matches.names, _PATH * matches.paths),
        np.maximum(_DESCRIPTION * matches.descriptions, _VALUE * matches.values),
    )
    covered = np.maximum(matches.best_in_table(met), matches.table_names) if columns else met
    importance = covered.max(axis=1, initial=0.0)
    lexical = (
        3.0 * matches.names
        + matches.paths
        + matches.descriptions
        + 0.5 * matches.values
        + (matches.table_names + 0.5 * matches.table_descriptions)[:, lexicon.table_of]
    ).sum(axis=0)
    table_score = matches.table_names.sum(axis=0)
    spoken = _spoken(known, matches)
    coverage, unasked = _table_words(known, spoken)
    return Scores(
        known=known,
        matches=matches,
        met=met,
        importance=importance,
        lexical=lexical.astype(np.float32),
        name_span=spans_met(question, lexicon.squashed_names, columns),
        table_span=spans_met(question, lexicon.squashed_tables, tables),
        column_spelt=named(matches, lexicon.squashed_names, lexicon.refs),
        table_spelt=named(
            matches, lexicon.squashed_tables, [table.ref for table in lexicon.tables]
        ),
        value_hits=values_met(question, lexicon),
        spoken=spoken,
        name_coverage=_name_coverage(known, spoken),
        covered=covered,
        name_covered=np.maximum(matches.best_in_table(matches.names), matches.table_names),
        table_name_score=of_best(table_score.astype(np.float32)),
        table_name_coverage=coverage,
        table_name_unasked=unasked,
    )


def _spoken(known: Known, matches: Matches) -> Floats:
    """For each word of the catalogue how far the question says it."""
    likenesses = np.zeros(len(known.lexicon.vocabulary), dtype=np.float32)
    for row in range(len(matches.question.words)):
        for number, likeness in alike(matches.question, row, known.lexicon):
            likenesses[number] = max(likenesses[number], likeness)
    return likenesses


def _name_coverage(known: Known, spoken: Floats) -> Floats:
    """For each column how much of its own name the question says, by the rarity of its words."""
    rare = known.lexicon.column_rarity + 0.1
    words, at = known.lexicon.name_words.words, known.lexicon.name_words.text_of
    size = len(known.lexicon.refs)
    total = np.bincount(at, weights=rare[words], minlength=size)
    covered = np.bincount(at, weights=rare[words] * spoken[words], minlength=size)
    share: Floats = (covered / np.maximum(total, 1e-6)).astype(np.float32)
    return share


def _table_words(known: Known, spoken: Floats) -> tuple[Floats, Floats]:
    """For each table how much of its name the question says, and how much it does not."""
    rare, named = known.lexicon.table_rarity + 0.1, known.lexicon.table_name_words
    coverage, unasked = np.zeros((2, len(named.lengths)), dtype=np.float32)
    # Tables of as many words at once: their sums are then those of each alone, to the last digit.
    begins = np.cumsum(named.lengths) - named.lengths
    for length in set(named.lengths.tolist()) - {0}:
        places = np.flatnonzero(named.lengths == length)
        words = named.words[begins[places][:, None] + np.arange(length)]
        total = rare[words].sum(axis=1).astype(np.float64)
        met = (rare[words] * spoken[words]).sum(axis=1).astype(np.float64)
        coverage[places], unasked[places] = met / total, total - met
    return coverage, unasked

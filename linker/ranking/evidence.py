"""Scores of columns and tables for one question, of which features are made, and their scales."""

from dataclasses import dataclass

import numpy as np

from linker.ranking.known import Known
from linker.ranking.matching import Matches, alike, named, spans_met, values_met
from linker.ranking.table_words import Floats, Ints


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
    return log_rank_in_table(scores, np.zeros(len(scores), dtype=np.int64), np.zeros(1, dtype=np.int64))


def log_rank_in_table(scores: Floats, table_of: Ints, starts: Ints) -> Floats:
    """The logarithm of the rank inside the table, best first."""
    order = np.lexsort((-scores, table_of))
    ranks = np.empty(len(scores), dtype=np.float32)
    ranks[order] = np.arange(len(scores)) - starts[table_of[order]] + 1
    # Where scores are equal, the better rank of the two is no merit: all share the last.
    at, tables = scores[order], table_of[order]
    new = np.ones(len(scores), dtype=bool)
    new[1:] = (at[1:] != at[:-1]) | (tables[1:] != tables[:-1])
    group = np.cumsum(new) - 1
    means = np.bincount(group, weights=ranks[order]) / np.bincount(group)
    shared = np.empty(len(scores), dtype=np.float32)
    shared[order] = np.log(means[group])
    return shared


def mean_of_best(scores: Floats, starts: Ints, count: int = 3) -> Floats:
    """For each table the mean of its best scores; a table that has fewer is marked down for that."""
    sizes = np.diff(starts)
    table_of = np.repeat(np.arange(len(sizes)), sizes)
    order = np.lexsort((-scores, table_of))
    place = np.arange(len(scores)) - starts[table_of]
    top = np.where(place < count, scores[order], 0.0)
    means: Floats = (np.add.reduceat(top, starts[:-1]) / count).astype(np.float32)
    return means


# A word in a column's own name says more than one in the path to it, its description or its values.
_PATH, _DESCRIPTION, _VALUE = 0.6, 0.5, 0.35


@dataclass(frozen=True)
class Scores:
    """
    Scores of one question in one pool.

    `met` is the best of all fields, a row a word; `spoken` how far the question says each word of the catalogue.
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
        """For each table how much of the question its columns and its name meet together, from 0 to 1."""
        share: Floats = self.covered.sum(axis=0) / max(float(self.importance.sum()), 1e-6)
        return share


def gather(known: Known, matches: Matches) -> Scores:
    """All scores of one question."""
    lexicon, question = known.lexicon, matches.question
    columns, tables = len(lexicon.columns), len(lexicon.tables)
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
        table_spelt=named(matches, lexicon.squashed_tables, [table.ref for table in lexicon.tables]),
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
    size = len(known.lexicon.columns)
    total = np.bincount(at, weights=rare[words], minlength=size)
    covered = np.bincount(at, weights=rare[words] * spoken[words], minlength=size)
    share: Floats = (covered / np.maximum(total, 1e-6)).astype(np.float32)
    return share


def _table_words(known: Known, spoken: Floats) -> tuple[Floats, Floats]:
    """For each table how much of its name the question says, and how much it does not."""
    rare = known.lexicon.table_rarity + 0.1
    coverage = np.zeros(len(known.lexicon.tables), dtype=np.float32)
    unasked = np.zeros(len(known.lexicon.tables), dtype=np.float32)
    for place, words in enumerate(known.lexicon.table_name_words.split()):
        if not words:
            continue
        met = float((rare[words] * spoken[words]).sum())
        total = float(rare[words].sum())
        coverage[place] = met / total
        unasked[place] = total - met
    return coverage, unasked

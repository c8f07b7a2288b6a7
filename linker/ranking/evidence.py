"""What both stages look at: enters the matches, leave the scores of columns and tables that features are made of."""

from dataclasses import dataclass

import numpy as np

from linker.ranking.known import Known
from linker.ranking.matching import Matches, spans_met, spelt_met, values_met
from linker.ranking.postings import Floats, Ints
from linker.ranking.scaling import of_best

# A word in a column's own name says more than one in the path to it, its description or its values.
_PATH, _DESCRIPTION, _VALUE = 0.6, 0.5, 0.35


@dataclass(frozen=True)
class Evidence:
    """Scores of one question in one pool. `met` is the best of all fields, a row a word."""

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


def gather(known: Known, matches: Matches) -> Evidence:
    """All scores of one question."""
    in_pool = _places(matches.columns, len(known.lexicon.columns))
    tables_in_pool = _places(matches.tables, len(known.lexicon.tables))
    met = np.maximum(
        np.maximum(matches.names, _PATH * matches.paths),
        np.maximum(_DESCRIPTION * matches.descriptions, _VALUE * matches.values),
    )
    covered = np.maximum(matches.best_in_table(met), matches.table_names) if len(matches.columns) else met
    importance = covered.max(axis=1, initial=0.0)
    lexical = (
        3.0 * matches.names
        + matches.paths
        + matches.descriptions
        + 0.5 * matches.values
        + (matches.table_names + 0.5 * matches.table_descriptions)[:, matches.table_of]
    ).sum(axis=0)
    table_score = matches.table_names.sum(axis=0)
    asked, unasked = _table_words(known, matches)
    return Evidence(
        known=known,
        matches=matches,
        met=met,
        importance=importance,
        lexical=lexical.astype(np.float32),
        name_span=spans_met(matches.question, known.lexicon.squashed_names, in_pool),
        table_span=spans_met(matches.question, known.lexicon.squashed_tables, tables_in_pool),
        column_spelt=spelt_met(matches.question, known.lexicon.squashed_names, in_pool),
        table_spelt=spelt_met(matches.question, known.lexicon.squashed_tables, tables_in_pool),
        value_hits=values_met(matches.question, known.lexicon, in_pool),
        name_coverage=_name_coverage(known, matches),
        covered=covered,
        name_covered=np.maximum(matches.best_in_table(matches.names), matches.table_names),
        table_name_score=of_best(table_score.astype(np.float32)),
        table_name_coverage=asked,
        table_name_unasked=unasked,
    )


def _likeness(known: Known, matches: Matches) -> Floats:
    """For each word of the catalogue how far the question says it."""
    said = np.zeros(len(known.lexicon.vocabulary), dtype=np.float32)
    for word in matches.question.words:
        for number, likeness in known.lexicon.similar(word):
            said[number] = max(said[number], likeness)
    return said


def _name_coverage(known: Known, matches: Matches) -> Floats:
    """For each column how much of its own name the question says, by the rarity of its words."""
    said, rare = _likeness(known, matches), known.lexicon.column_rarity + 0.1
    words, at, size = known.flat_names(matches.columns)
    total = np.bincount(at, weights=rare[words], minlength=size)
    asked = np.bincount(at, weights=rare[words] * said[words], minlength=size)
    share: Floats = (asked / np.maximum(total, 1e-6)).astype(np.float32)
    return share


def _table_words(known: Known, matches: Matches) -> tuple[Floats, Floats]:
    """For each table how much of its name the question says, and how much it does not."""
    said, rare = _likeness(known, matches), known.lexicon.table_rarity + 0.1
    asked = np.zeros(len(matches.tables), dtype=np.float32)
    unasked = np.zeros(len(matches.tables), dtype=np.float32)
    for place, table in enumerate(matches.tables):
        words = list(known.lexicon.table_name_words[table])
        if not words:
            continue
        told = float((rare[words] * said[words]).sum())
        total = float(rare[words].sum())
        asked[place] = told / total
        unasked[place] = total - told
    return asked, unasked


def _places(chosen: Ints, size: int) -> Ints:
    places = np.full(size, -1, dtype=np.int64)
    places[chosen] = np.arange(len(chosen))
    return places

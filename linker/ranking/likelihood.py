"""
Calibrated likelihoods: enter a ranking, leave how likely each table and column is needed, and an
answer complete.

Fitted on databases that the ranking had not seen: of the columns with 0.3, three in ten are needed.
"""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from linker.ranking.evidence import Scores, log_rank
from linker.ranking.known import Named
from linker.ranking.ranker import Ranked, probability
from linker.ranking.table_words import Floats, Ints
from linker.ranking.weights import Regression, Weights
from linker.types import Record

_ALMOST_SURE = 1 - 1e-4
_HARDLY_ANYTHING = 1e-3
# Log-odds above which a step up says less than below, and a logarithm of what is missed above which
# it says another.
_BEND = -3.0
_MUCH_MISSED = -1.0


class Likelihoods(Record, frozen=True, dict=True):
    """The chances of one ranking's tables and columns to be needed."""

    tables: Floats
    columns: Floats
    evidence: Scores
    completeness: Regression

    @cached_property
    def agreed(self) -> tuple[Floats, Floats]:
        """
        Chances of tables and columns side by side, none likelier than its table: geometric means
        where one was.
        """
        lexicon = self.evidence.known.lexicon
        best = np.zeros_like(self.tables)
        np.maximum.at(best, lexicon.table_of, self.columns)
        tables: Floats = np.where(best > self.tables, np.sqrt(best * self.tables), self.tables)
        return tables, np.minimum(self.columns, tables[lexicon.table_of])

    def complete(self, places: Sequence[int]) -> float:
        """The chance that all that is needed is among these columns, or among copies of them."""
        return float(self.along(np.array(places, dtype=np.int64))[-1]) if len(places) else 0.0

    def along(self, order: Ints) -> Floats:
        """The chance that all is there after each of these columns, one taken after another."""
        chances = probability(
            self.completeness.logits(completeness_features(self, self.gained(order)))
        )
        copies = self.evidence.known.column_copies
        is_whole = np.cumsum(_is_new(copies[order])) == np.count_nonzero(_is_new(copies))
        whole: Floats = np.where(is_whole, 1.0, np.maximum.accumulate(chances))
        return whole

    def gained(self, order: Ints) -> Floats:
        """How much less is missed after each of these columns."""
        copies = self.evidence.known.column_copies[order]
        gained: Floats = np.cumsum(np.where(_is_new(copies), self._missed_without[copies], 0.0))
        return gained

    @cached_property
    def missed(self) -> float:
        """How much is missed where nothing is chosen."""
        return float(self._missed_without.sum())

    @cached_property
    def _missed_without(self) -> Floats:
        """
        How much is missed without each column; of copies without the first, which stands for all of
        them.
        """
        copies = self.evidence.known.column_copies
        best = np.zeros(len(self.columns))
        np.maximum.at(best, copies, self.columns)
        missed: Floats = -np.log1p(-np.minimum(best, _ALMOST_SURE))
        return missed


def likelihoods(ranked: Ranked, weights: Weights) -> Likelihoods:
    """The likelihoods of a ranking."""
    tables = probability(weights.likely_tables.logits(likelihood_features(ranked.tables)))
    columns = probability(weights.likely_columns.logits(likelihood_features(ranked.columns)))
    if "all" in ranked.evidence.matches.question.asks:
        # Where all about something is asked for, a table that is needed is needed whole.
        columns = np.maximum(columns, tables[ranked.known.lexicon.table_of])
    return Likelihoods(tables, columns, ranked.evidence, weights.complete)


def likelihood_features(logits: Floats) -> Named:
    """
    Numbers that calibrate log-odds: those of a large catalogue have a long tail, which ranks cut
    off.
    """
    return {
        "odds": logits,
        "odds_above": np.maximum(logits - _BEND, 0),
        "log_rank": log_rank(logits),
    }


def completeness_features(likely: Likelihoods, gained: Floats) -> Named:
    """Numbers that say how complete an answer is that has gained so much."""
    missed = np.log(np.maximum(likely.missed - gained, 0) + _HARDLY_ANYTHING)
    return {
        "missed": missed,
        "missed_much": np.maximum(missed - _MUCH_MISSED, 0),
        "unspoken": np.full(len(gained), _unspoken(likely.evidence)),
    }


def _is_new(numbers: Ints) -> npt.NDArray[np.bool_]:
    """Flags of the numbers that stand for the first time."""
    is_new = np.zeros(len(numbers), dtype=bool)
    is_new[np.unique(numbers, return_index=True)[1]] = True
    return is_new


def _unspoken(evidence: Scores) -> float:
    """The share of the question's words that nothing in the catalogue meets."""
    weights = np.array(evidence.matches.question.weights)
    if not len(weights):
        return 1.0
    return float(weights[evidence.importance <= 0].sum() / weights.sum())

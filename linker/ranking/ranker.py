"""Ranks a catalogue for a question: enter both and the weights, leaves the odds of every column and table."""

from dataclasses import dataclass

import numpy as np

from linker.ranking.column_features import column_look, second_column_look
from linker.ranking.evidence import Scores, gather
from linker.ranking.known import Known
from linker.ranking.matching import match
from linker.ranking.postings import Floats
from linker.ranking.question import analyse
from linker.ranking.signals import NO_SIGNALS, Signals
from linker.ranking.table_features import Named, first_look, second_look
from linker.ranking.weights import Weights


@dataclass(frozen=True)
class Ranked:
    """The columns of a catalogue, table by table, with log-odds of being needed."""

    evidence: Scores
    first: Floats
    tables: Floats
    columns: Floats
    column_features: Named

    @property
    def known(self) -> Known:
        """The catalogue."""
        return self.evidence.known


def rank(text: str, known: Known, weights: Weights, signals: Signals = NO_SIGNALS) -> Ranked:
    """The ranking of a catalogue for a question."""
    return rank_evidence(gather(known, match(analyse(text), known.lexicon, signals)), weights)


def rank_evidence(evidence: Scores, weights: Weights) -> Ranked:
    """First the tables by themselves, then among their neighbours, then the columns, then those among each other."""
    prior = evidence.known.prior
    first = weights.tables.logits(first_look(evidence))
    tables = weights.neighbours.logits(second_look(evidence, first))
    if prior:
        tables = tables + prior.of_tables(tables)
    features = column_look(evidence, tables)
    alone = weights.columns.logits(features)
    columns = weights.twins.logits(second_column_look(evidence, tables, alone))
    if prior:
        columns = columns + prior.of_columns(tables)
    return Ranked(evidence, first, tables, columns, features)


def probability(logits: Floats) -> Floats:
    """Odds as a number from 0 to 1."""
    chances: Floats = 1 / (1 + np.exp(-np.clip(logits, -30, 30)))
    return chances

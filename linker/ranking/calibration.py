"""
Calibrated probabilities: that a table or column is needed, that an answer is complete, and that a
model left out a column.

Fitted on databases that the ranking had not seen: of columns with 0.3, three in ten are needed.
Columns that a model missed are mostly in tables that it chose, join them, or record the same fact
elsewhere under the same name.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files

import numpy as np
import numpy.typing as npt

from linker.ranking.catalog_index import Named
from linker.ranking.inverted_index import Graph
from linker.ranking.lexical_match import MatchFeatures, log_rank
from linker.ranking.ranker import RankingResult, probability
from linker.ranking.table_tokens import ROLES, Floats, Ints
from linker.ranking.weights import Regression, Weights, read_regression
from linker.types import ColumnRef, Record

_ALMOST_SURE = 1 - 1e-4
_HARDLY_ANYTHING = 1e-3
_HARDLY_A_TABLE = 0.1
# Knot of the piecewise-linear calibration of log-odds.
_BEND = -3.0

_LIKELY_JOIN = 0.5
# Further columns rarely complete an answer.
MAX_COLUMNS = 50


@dataclass(eq=False)
class Likelihoods:
    """Probabilities that a ranking's tables and columns are needed."""

    tables: Floats
    columns: Floats
    evidence: MatchFeatures
    completeness: Regression
    complete_at: tuple[float, ...] = ()

    @cached_property
    def agreed(self) -> tuple[Floats, Floats]:
        """
        Mutually consistent probabilities: a column's is at most its table's (geometric mean
        otherwise).
        """
        lexicon = self.evidence.index.lexicon
        best = np.zeros_like(self.tables)
        np.maximum.at(best, lexicon.table_of, self.columns)
        tables: Floats = np.where(best > self.tables, np.sqrt(best * self.tables), self.tables)
        return tables, np.minimum(self.columns, tables[lexicon.table_of])

    def complete(self, places: Sequence[int]) -> float:
        """Probability that these columns, or duplicates, include everything needed."""
        return float(self.along(np.array(places, dtype=np.int64))[-1]) if len(places) else 0.0

    def along(self, order: Ints) -> Floats:
        """Probability of completeness after each column of an order."""
        chances = conformal(self.claims(order), self.complete_at)
        copies = self.evidence.index.column_copies
        is_whole = np.cumsum(_is_new(copies[order])) == np.count_nonzero(_is_new(copies))
        curve: Floats = np.where(is_whole, 1.0, np.maximum.accumulate(chances))
        return curve

    def claims(self, order: Ints) -> Floats:
        """As `along`, calibrated on databases unseen by the weights."""
        features = completeness_features(self, self.gained(order))
        claims: Floats = np.maximum.accumulate(probability(self.completeness.logits(features)))
        return claims

    def gained(self, order: Ints) -> Floats:
        """Reduction in expected loss after each column."""
        copies = self.evidence.index.column_copies[order]
        gained: Floats = np.cumsum(np.where(_is_new(copies), self._missed_without[copies], 0.0))
        return gained

    @cached_property
    def missed(self) -> float:
        """Expected loss of an empty answer."""
        return float(self._missed_without.sum())

    @cached_property
    def _missed_without(self) -> Floats:
        """
        Expected loss without each column; for duplicates only that of the first, which represents
        them.
        """
        copies = self.evidence.index.column_copies
        best = np.zeros(len(self.columns))
        np.maximum.at(best, copies, self.columns)
        missed: Floats = -np.log1p(-np.minimum(best, _ALMOST_SURE))
        return missed


def likelihoods(ranked: RankingResult, weights: Weights) -> Likelihoods:
    """Calibrated probabilities of a ranking."""
    tables = probability(weights.likely_tables.logits(likelihood_features(ranked.tables)))
    columns = probability(weights.likely_columns.logits(likelihood_features(ranked.columns)))
    if "all" in ranked.evidence.matches.question.asks:
        # If everything about something is requested, tables are needed whole.
        columns = np.maximum(columns, tables[ranked.index.lexicon.table_of])
    return Likelihoods(tables, columns, ranked.evidence, weights.complete, weights.complete_at)


def conformal(claims: Floats, complete_at: Sequence[float]) -> Floats:
    """
    Share of the user's questions complete at each claim; the claims themselves without such
    questions.

    Split conformal prediction: of n questions one counts as always incomplete, so that the share is
    a lower bound for the next question.
    """
    if not complete_at:
        return claims
    complete = np.searchsorted(complete_at, claims, side="right")
    shares: Floats = complete / (len(complete_at) + 1)
    return shares


def likelihood_features(logits: Floats) -> Named:
    """Features that calibrate log-odds; ranks cut off the long tail of large catalogs."""
    return {
        "odds": logits,
        "odds_above": np.maximum(logits - _BEND, 0),
        "log_rank": log_rank(logits),
    }


def completeness_features(likely: Likelihoods, gained: Floats) -> Named:
    """Features of completeness for answers with such gains."""
    missed = np.log(np.maximum(likely.missed - gained, 0) + _HARDLY_ANYTHING)
    return {
        "missed": missed,
        "unspoken": np.full(len(gained), _unmatched_share(likely.evidence)),
        "likely_tables": np.full(len(gained), np.log(likely.tables.sum() + _HARDLY_A_TABLE)),
    }


def _is_new(numbers: Ints) -> npt.NDArray[np.bool_]:
    """First occurrences."""
    is_new = np.zeros(len(numbers), dtype=bool)
    is_new[np.unique(numbers, return_index=True)[1]] = True
    return is_new


def _unmatched_share(evidence: MatchFeatures) -> float:
    """The share of unmatched terms."""
    weights = np.array(evidence.matches.question.weights)
    if not len(weights):
        return 1.0
    return float(weights[evidence.importance <= 0].sum() / weights.sum())


class CompletionWeights(Record, frozen=True):
    """Weights for further columns and for the completeness of answers with them."""

    further: Regression
    complete: Regression


@cache
def read_completion_weights() -> CompletionWeights:
    """The shipped weights."""
    content = json.loads(files("linker.ranking").joinpath("completion.json").read_text("utf-8"))
    return CompletionWeights(
        read_regression(content["further"]), read_regression(content["complete"])
    )


class Completed(Record, frozen=True):
    """Further columns, most probable first, and completeness after none, one, two … of them."""

    columns: tuple[ColumnRef, ...]
    complete: Floats


def enough(complete: Floats, recall: float, chosen: int, most: int = MAX_COLUMNS) -> int:
    """Number of further columns needed for the target recall, within the column limit."""
    return min(int(np.searchsorted(complete, recall)), len(complete) - 1, max(0, most - chosen))


def completion(
    ranked: RankingResult, likely: Likelihoods, chosen: Iterable[ColumnRef]
) -> Completed:
    """Further columns for an answer."""
    candidates, weights = candidates_of(ranked, likely, chosen), read_completion_weights()
    order, features = completed(candidates, weights.further)
    refs = ranked.index.lexicon.refs
    complete = probability(weights.complete.logits(features))
    return Completed(
        tuple(refs[int(index)] for index in candidates.places[order]),
        np.maximum.accumulate(complete),
    )


class Candidates(Record, frozen=True):
    """Possibly omitted columns with features, and the probability that anything else is missing."""

    places: Ints
    features: Named
    chosen: int
    elsewhere: float

    def missed(self, chances: Floats) -> Named:
        """Features of completeness after none, one, two … of the columns."""
        missed = -np.log1p(-np.minimum(chances.astype(np.float64), _ALMOST_SURE))
        left = np.concatenate([[missed.sum()], missed.sum() - np.cumsum(missed)])
        return {
            "missed": np.log(np.maximum(left, 0) + _HARDLY_ANYTHING),
            "elsewhere": np.full(len(left), np.log(self.elsewhere + _HARDLY_ANYTHING)),
            "chosen": np.full(len(left), np.log1p(self.chosen)),
        }


def completed(candidates: Candidates, further: Regression) -> tuple[Ints, Named]:
    """Candidate order, most probable first, and completeness features."""
    chances = probability(further.logits(candidates.features))
    order = np.argsort(-chances, kind="stable")
    return order, candidates.missed(chances[order])


def candidates_of(
    ranked: RankingResult, likely: Likelihoods, chosen: Iterable[ColumnRef]
) -> Candidates:
    """Possibly omitted columns: of chosen tables, or joined to or duplicating a chosen column."""
    lexicon = ranked.index.lexicon
    wanted = frozenset(chosen)
    taken = np.array([ref in wanted for ref in lexicon.refs], dtype=bool)
    table_of, count = lexicon.table_of, len(lexicon.tables)
    of_table = np.bincount(table_of[taken], minlength=count)
    # Any one of identical columns suffices.
    copies = ranked.evidence.index.column_copies
    is_had = np.isin(copies, copies[taken])
    inside = of_table[table_of] > 0
    joined = _joined(ranked.index.graph, taken)
    names = ranked.index.name_groups
    repeated = np.isin(names, names[taken]) & ~inside
    places = np.flatnonzero(~is_had & (inside | joined | repeated))
    elsewhere = float(likely.columns[~is_had & ~inside].sum())
    odds = np.log(np.maximum(likely.columns, 1e-6) / np.maximum(1 - likely.columns, 1e-6))
    tables = np.log(np.maximum(likely.tables, 1e-6) / np.maximum(1 - likely.tables, 1e-6))
    sizes = np.diff(lexicon.starts)
    named: Named = {
        "odds": odds,
        "odds_inside": odds * inside,
        "rank": log_rank(ranked.columns),
        "table": tables[table_of],
        "inside": inside.astype(np.float32),
        "joined": joined.astype(np.float32),
        "repeated": repeated.astype(np.float32),
        "taken_of_table": np.log1p(of_table)[table_of],
        "size_of_table": np.log1p(sizes)[table_of],
        "taken": np.full(len(table_of), np.log1p(taken.sum())),
        **{
            role: lexicon.roles[:, ROLES.index(role)].astype(np.float32)
            for role in ("key", "name", "time", "amount")
        },
    }
    features = {name: values[places].astype(np.float32) for name, values in named.items()}
    return Candidates(places, features, int(taken.sum()), elsewhere)


def _joined(graph: Graph, taken: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Columns that join a chosen one."""
    joined = np.zeros(len(taken), dtype=bool)
    joined[graph.right_column[taken[graph.left_column] & (graph.confidence >= _LIKELY_JOIN)]] = True
    return joined

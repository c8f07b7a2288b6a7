"""
Features and odds from the use that queries of others make of tables and columns.

Where nothing was learned there is nothing here, and ranking is what it is without. The weights were fitted on top of
the ranking's own odds, so they say what prior use adds to what names, values and meaning say already.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files

import numpy as np

from linker.catalog.prior_use import PriorUse
from linker.ranking.lexicon import Floats, Ints, Lexicon

Named = dict[str, Floats]
# So many queries of a table are worth as much as the guess that all of its columns are used alike.
_DOUBT = 2.0


@dataclass(frozen=True)
class PriorWeights:
    """The addition of each feature to the log-odds of tables, and of columns; nothing where it is zero."""

    tables: Mapping[str, float]
    columns: Mapping[str, float]


@lru_cache(maxsize=1)
def read_prior_weights() -> PriorWeights:
    """The weights that ship with linker."""
    content = json.loads(files("linker.ranking").joinpath("prior.json").read_text("utf-8"))
    return PriorWeights(content["tables"], content["columns"])


def _weighed(named: Named, weights: Mapping[str, float]) -> Floats:
    total: Floats = np.zeros(len(next(iter(named.values()))), dtype=np.float32)
    for name, weight in weights.items():
        total += np.float32(weight) * named[name]
    return total


@dataclass(frozen=True)
class Prior:
    """The counts of one catalogue, by the places of its tables and columns."""

    lexicon: Lexicon

    @cached_property
    def _use(self) -> PriorUse:
        return self.lexicon.facts.prior_use

    @cached_property
    def tables(self) -> Floats:
        """The number of queries that use each table."""
        uses = self._use.tables
        counts = [uses[table.ref].queries if table.ref in uses else 0 for table in self.lexicon.tables]
        return np.array(counts, dtype=np.float32)

    @cached_property
    def columns(self) -> Floats:
        """The number of queries that use each column."""
        uses = self._use.columns
        return np.array([uses[ref].queries if ref in uses else 0 for ref in self.lexicon.refs], dtype=np.float32)

    @cached_property
    def _pairs(self) -> tuple[Ints, Ints, Floats]:
        """Tables that are used together, from either side, with how often the second one comes with the first."""
        places = {table.ref: place for place, table in enumerate(self.lexicon.tables)}
        found = [
            (places[left], places[right], use.queries)
            for pair, use in self._use.together.items()
            for left, right in (pair, pair[::-1])
            if left in places and right in places
        ]
        ends = np.array([row[:2] for row in found], dtype=np.int64).reshape(-1, 2)
        counts = np.array([row[2] for row in found], dtype=np.float32)
        share: Floats = counts / (self.tables[ends[:, 0]] + _DOUBT)
        return ends[:, 0], ends[:, 1], share

    def of_tables(self, logits: Floats) -> Floats:
        """The addition of prior use to the log-odds of tables, given those that they have without."""
        return _weighed(self._table_features(logits), read_prior_weights().tables)

    def of_columns(self, table_logits: Floats) -> Floats:
        """The addition of prior use to the log-odds of columns, given those of their tables."""
        return _weighed(self._column_features(table_logits), read_prior_weights().columns)

    @cached_property
    def _table_lift(self) -> Floats:
        """The logarithm of the use of each table over the mean of all; near nothing where there are few queries."""
        return _lift(self.tables, self.tables.mean() if len(self.tables) else np.float32(0))

    @cached_property
    def _column_lift(self) -> Floats:
        """The logarithm of the use of each column over the mean of its table."""
        of, starts = self.lexicon.table_of, self.lexicon.starts
        means = np.add.reduceat(self.columns, starts[:-1]) / np.maximum(np.diff(starts), 1)
        return _lift(self.columns, means.astype(np.float32)[of])

    def _table_features(self, logits: Floats) -> Named:
        """Each table: how much it is used, and whether it is used with the likeliest."""
        chances = np.exp(logits - logits.max(initial=-20)).astype(np.float32)
        left, right, share = self._pairs
        company = np.zeros(len(logits), dtype=np.float32)
        np.maximum.at(company, right, share * chances[left])
        return {"lift": self._table_lift, "company": company}

    def _column_features(self, table_logits: Floats) -> Named:
        """Each column: how much it is used in the queries of its table, and in a likely table."""
        chances = (1 / (1 + np.exp(-table_logits))).astype(np.float32)[self.lexicon.table_of]
        return {"lift": self._column_lift, "lift_in_likely": self._column_lift * chances}


def _lift(counts: Floats, expected: Floats | np.float32) -> Floats:
    lift: Floats = np.log((counts + _DOUBT) / (expected + _DOUBT)).astype(np.float32)
    return lift

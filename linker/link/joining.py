"""
Joins between tables: enter tables and facts, leave the joins of one table, or those that bring
several together.
"""

from collections.abc import Sequence

from linker.catalog.facts import Facts, KeyPair
from linker.environment import Environment
from linker.link.answer import BY_NAME, Join
from linker.ranking.allocation import connected
from linker.ranking.ranker import rank, read_question
from linker.ranking.weights import read_weights
from linker.types import ColumnRef, Record, TableRef


class JoinedTables(Record, frozen=True):
    """Tables, and the joins of the one or between the several."""

    tables: tuple[TableRef, ...]
    joins: tuple[Join, ...]

    @property
    def between(self) -> tuple[TableRef, ...]:
        """Tables that the joins pass besides."""
        passed = {ref for join in self.joins for ref in (join.left, join.right)} - {*self.tables}
        return tuple(sorted(passed)) if len(self.tables) > 1 else ()

    @property
    def apart(self) -> tuple[TableRef, ...]:
        """Tables that nothing joins to the others."""
        reached = {ref for join in self.joins for ref in (join.left, join.right)}
        return tuple(ref for ref in self.tables if ref not in reached)


def join_tables(tables: Sequence[TableRef], environment: Environment) -> JoinedTables:
    """
    Of one table all joins that are known; of several those that bring them together, over others if
    need be.
    """
    facts = environment.indexed.facts
    if len(tables) == 1:
        pairs = (pair for pair in facts.joins if tables[0] in (pair.left, pair.right))
        return JoinedTables(tuple(tables), tuple(map(as_join, pairs)))
    text = " and ".join(map(str, tables))
    read = read_question(text, environment)
    ranked = rank(
        text, read.known, read_weights(environment.settings.ranking_weights), read.signals
    )
    joins = (as_join(key_pair(facts, left, right)) for left, right in connected(ranked, tables))
    return JoinedTables(tuple(tables), tuple(joins))


def key_pair(facts: Facts, left: ColumnRef, right: ColumnRef) -> KeyPair:
    """
    The declared or measured join of two columns; where there is none, a pair without confidence.
    """
    for pair in facts.between(left.table, right.table):
        sides = {*zip(pair.left_columns, pair.right_columns, strict=True)}
        if (pair.left, pair.right) == (left.table, right.table) and (
            left.path,
            right.path,
        ) in sides:
            return pair
        if (pair.left, pair.right) == (right.table, left.table) and (
            right.path,
            left.path,
        ) in sides:
            return pair
    return KeyPair(left.table, (left.path,), right.table, (right.path,), confidence=0.0)


def as_join(pair: KeyPair) -> Join:
    """A key pair as answers have it, with what speaks for it."""
    reason = f"confidence {pair.confidence:.2f}" if pair.confidence else BY_NAME
    measures = (pair.overlap, pair.fan_out, pair.cardinality)
    return Join(pair.left, pair.left_columns, pair.right, pair.right_columns, reason, *measures)

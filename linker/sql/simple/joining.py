"""
Brings tables together: enter the tables that a statement needs, leaves the joins that connect them, rooted at one.

From the root a join leads to at most one row, or to many: then it repeats the root's rows, and sums would be wrong.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from linker.facts import KeyPair
from linker.types import TableRef

# A join that is less sure is told as a doubt.
SURE_JOIN = 0.75
# One that is at least so sure may be meant instead.
_RIVAL = 0.5
_MOST_TABLES = 5
_UNSURE_COSTS = 1.2
_ONE = 1.001


@dataclass(frozen=True, slots=True)
class Step:
    """From a table to another one; `repeats` where one row may lead to many."""

    parent: TableRef
    child: TableRef
    pair: KeyPair

    @property
    def repeats(self) -> bool:
        """The child points to the parent, and as far as it was measured several of its rows share one key."""
        is_pointing = self.pair.left == self.child
        return is_pointing and (self.pair.fan_out is None or self.pair.fan_out > _ONE)


@dataclass(frozen=True, slots=True)
class Tree:
    """Tables that are connected, from a root on; `rivals` are joins that would connect the same tables as well."""

    root: TableRef
    steps: tuple[Step, ...] = ()
    rivals: tuple[KeyPair, ...] = ()

    @property
    def tables(self) -> tuple[TableRef, ...]:
        """All tables, the root first."""
        return (self.root, *(step.child for step in self.steps))

    def leads_to(self, step: Step) -> set[TableRef]:
        """The tables behind a join."""
        found = {step.child}
        for one in self.steps:
            if one.parent in found:
                found.add(one.child)
        return found

    @property
    def repeating(self) -> tuple[Step, ...]:
        """The joins that repeat rows of the root."""
        return tuple(step for step in self.steps if step.repeats)


def _cost(pair: KeyPair) -> float:
    """Two joins that are sure are better than one that is not."""
    return 1.5 - pair.confidence / 2 + (0.0 if pair.confidence >= SURE_JOIN else _UNSURE_COSTS)


class Joins:
    """The ways to join the tables of one linked schema."""

    def __init__(self, pairs: Sequence[KeyPair], tables: Iterable[TableRef], said: Iterable[str]) -> None:
        self._said = tuple(word for word in said if len(word) > 2)
        self._tables = tuple(tables)
        self._between: dict[frozenset[TableRef], list[KeyPair]] = {}
        for pair in pairs:
            if pair.left != pair.right:
                self._between.setdefault(frozenset((pair.left, pair.right)), []).append(pair)
        self.connect = cache(self._connect)

    def best(self, one: TableRef, other: TableRef) -> KeyPair | None:
        """The join of two tables: that whose columns the question speaks of, or else the surest."""
        pairs = self._between.get(frozenset((one, other)))
        return (
            max(pairs, key=lambda pair: (self._spoken(pair), pair.left_columns == pair.right_columns, pair.confidence))
            if pairs
            else None
        )

    def rivals(self, pair: KeyPair) -> list[KeyPair]:
        """Joins of the same tables that are nearly as good."""
        others = self._between[frozenset((pair.left, pair.right))]
        if pair.left_columns == pair.right_columns:
            # What is called the same on both sides is the usual way.
            return []
        return [
            one
            for one in others
            if one != pair and self._spoken(one) == self._spoken(pair) and one.confidence >= _RIVAL
        ]

    def distance(self, table: TableRef, others: Iterable[TableRef]) -> int:
        """How many joins lead from a table to the nearest of others; none where there is nothing to lead to."""
        found = [self.connect(frozenset((table, other))) for other in others]
        return min((len(pairs) for pairs in found if pairs is not None), default=0)

    def rooted(self, tables: frozenset[TableRef], root: TableRef) -> Tree | None:
        """The same connection seen from a root."""
        pairs = self.connect(tables)
        if pairs is None:
            return None
        steps, reached, rest = list[Step](), {root}, list(pairs)
        while rest:
            pair = next((one for one in rest if (one.left in reached) != (one.right in reached)), None)
            if pair is None:
                return None
            rest.remove(pair)
            parent, child = (pair.left, pair.right) if pair.left in reached else (pair.right, pair.left)
            steps.append(Step(parent, child, pair))
            reached.add(child)
        return Tree(root, tuple(steps), tuple(rival for pair in pairs for rival in self.rivals(pair)))

    def _connect(self, tables: frozenset[TableRef]) -> tuple[KeyPair, ...] | None:
        """The fewest and surest joins that connect all; None where nothing does."""
        wanted = sorted(tables)
        reached, found = {wanted[0]}, list[KeyPair]()
        while missing := [one for one in wanted if one not in reached]:
            path = self._shortest(reached, set(missing))
            if path is None or len(reached) + len(path) > _MOST_TABLES:
                return None
            found += path
            reached |= {table for pair in path for table in (pair.left, pair.right)}
        return tuple(dict.fromkeys(found))

    def _shortest(self, reached: set[TableRef], missing: set[TableRef]) -> list[KeyPair] | None:
        costs: dict[TableRef, tuple[float, list[KeyPair]]] = {table: (0.0, []) for table in reached}
        waiting = dict(costs)
        while waiting:
            table = min(waiting, key=lambda one: (waiting[one][0], one))
            cost, path = waiting.pop(table)
            if table in missing:
                return path
            for other in self._tables:
                pair = self.best(table, other)
                if pair is None:
                    continue
                new = (cost + _cost(pair), [*path, pair])
                if other not in costs or new[0] < costs[other][0]:
                    costs[other] = waiting[other] = new
        return None

    def _spoken(self, pair: KeyPair) -> bool:
        """Whether the question has a word that a column of the join begins with: destinations are in `dest_airport`."""
        if len(self._between[frozenset((pair.left, pair.right))]) == 1:
            return False
        letters = "".join(pair.left_columns).lower()
        tables = (pair.left.name.lower(), pair.right.name.lower())
        said = (word[:4] for word in self._said if not any(word[:4] in table for table in tables))
        return any(letters.startswith(word) for word in said)

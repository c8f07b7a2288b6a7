"""
Connects tables: enter a ranking and the tables that an answer needs, leaves the joins that bring them together.

One table after another, the likeliest first, is reached from those that are connected by the cheapest way: few joins,
sure ones, through likely tables. A table that nobody asked for is passed only where both its joins are measured or
declared; names alone would lead through anything.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from heapq import heappop, heappush

import numpy as np

from linker.ranking.ranker import Ranked, probability

_SURE_ENOUGH_TO_PASS = 0.85
_MOST_JOINS = 3
# Longer than the longest way around.
_COST_OF_AVOIDED = 20.0
# More than any way over joins that are measured or declared.
_COST_OF_NAMES = 100.0

Edge = tuple[int, int]


def connect(ranked: Ranked, wanted: Sequence[int], avoided: Collection[Edge] = ()) -> tuple[Edge, ...]:
    """
    Pairs of columns, each of them a join between two tables; a table that nothing leads to stays by itself.

    What is avoided, whichever side is left, is taken only where there is no other way.
    """
    return Connections(ranked).connect(wanted, avoided)


Way = tuple[float, int, Edge]


class Connections:
    """The joins of a ranked catalogue, ready to be asked for several sets of tables."""

    def __init__(self, ranked: Ranked) -> None:
        self._of_pair = _by_pair(ranked)

    def connect(self, wanted: Sequence[int], avoided: Collection[Edge] = ()) -> tuple[Edge, ...]:
        """The joins that bring these tables together."""
        ways = self._ways(frozenset((*avoided, *((other, one) for one, other in avoided))))
        reached, found = {wanted[0]} if wanted else set(), dict[Edge, None]()
        waiting = list(wanted[1:])
        while waiting:
            paths = [(path, table) for table in waiting if (path := _path(ways, reached, table, frozenset(wanted)))]
            if not paths:
                # Nothing that is left can be reached: it begins a group of its own.
                reached.add(waiting.pop(0))
                continue
            path, table = min(paths, key=lambda one: (len(one[0]), waiting.index(one[1])))
            waiting.remove(table)
            for _, entered, edge in path:
                reached.add(entered)
                found[edge] = None
        return tuple(found)

    def _ways(self, avoided: frozenset[Edge]) -> dict[int, list[Way]]:
        """From each table to the others: the best join that is not avoided, else the best."""
        ways: dict[int, list[Way]] = defaultdict(list)
        for (left, right), joins in self._of_pair.items():
            cost, edge = next((one for one in joins if one[1] not in avoided), joins[0])
            ways[left].append((cost + _COST_OF_AVOIDED * (edge in avoided), right, edge))
        return ways


def _by_pair(ranked: Ranked) -> dict[tuple[int, int], list[tuple[float, Edge]]]:
    """For each pair of tables the ways to join them with what each costs, the best first."""
    graph, chances = ranked.known.graph, probability(ranked.tables)
    columns = probability(ranked.columns)
    worth = graph.confidence * (0.2 + columns[graph.left_column] + columns[graph.right_column])
    sure = graph.confidence
    costs = 1 + 2 * (1 - sure) + (1 - chances[graph.right]) + np.where(sure >= _SURE_ENOUGH_TO_PASS, 0, _COST_OF_NAMES)
    pairs: dict[tuple[int, int], list[tuple[float, Edge]]] = defaultdict(list)
    # Of joins that are worth the same the last one in the graph comes first.
    for place in np.argsort(worth, kind="stable")[::-1]:
        edge = (int(graph.left_column[place]), int(graph.right_column[place]))
        pairs[int(graph.left[place]), int(graph.right[place])].append((float(costs[place]), edge))
    return pairs


def _path(ways: dict[int, list[Way]], reached: set[int], goal: int, wanted: frozenset[int]) -> list[Way]:
    """The cheapest way from what is reached to a table; empty where there is none."""
    queue: list[tuple[float, int, list[Way]]] = [(0.0, table, []) for table in sorted(reached)]
    seen: set[int] = set()
    while queue:
        cost, table, path = heappop(queue)
        if table == goal:
            return path
        if table in seen or len(path) == _MOST_JOINS:
            continue
        seen.add(table)
        for way in ways.get(table, ()):
            step, entered, _ = way
            passes = entered not in wanted or (path and path[-1][1] not in wanted)
            if entered not in seen and not (passes and step >= _COST_OF_NAMES):
                heappush(queue, (cost + step, entered, [*path, way]))
    return []

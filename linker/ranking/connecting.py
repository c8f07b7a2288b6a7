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
_MOST_JOINS = 5
# Longer than the longest way around.
_COST_OF_AVOIDED = 20.0
# More than any way over joins that are measured or declared.
_COST_OF_NAMES = 100.0

_NO_WAY = (float("inf"), 0)

Edge = tuple[int, int]


def connect(ranked: Ranked, wanted: Sequence[int], avoided: Collection[Edge] = ()) -> tuple[Edge, ...]:
    """
    Pairs of columns, each of them a join between two tables; a table that nothing leads to stays by itself.

    What is avoided, whichever side is left, is taken only where there is no other way.
    """
    return Connections(ranked).connect(wanted, avoided)


Step = tuple[float, int, Edge]


class Connections:
    """
    The joins of a ranked catalogue, ready to be asked for several sets of tables.

    Those of a table are put in order when a way first comes to it: most tables lie on no way.
    """

    def __init__(self, ranked: Ranked) -> None:
        graph, chances, columns = ranked.known.graph, probability(ranked.tables), probability(ranked.columns)
        sure = graph.confidence
        unsure = np.where(sure >= _SURE_ENOUGH_TO_PASS, 0, _COST_OF_NAMES)
        self._graph = graph
        self._worth = sure * (0.2 + columns[graph.left_column] + columns[graph.right_column])
        self._costs = 1 + 2 * (1 - sure) + (1 - chances[graph.right]) + unsure
        # Edges are sorted by their left column, so those of a table lie together.
        self._starts = np.searchsorted(graph.left, np.arange(len(ranked.tables) + 1))
        self._joins: dict[int, dict[int, list[tuple[float, Edge]]]] = {}
        self._steps: dict[frozenset[Edge], _Steps] = {}

    def connect(self, wanted: Sequence[int], avoided: Collection[Edge] = ()) -> tuple[Edge, ...]:
        """The joins that bring these tables together."""
        either_way = frozenset((*avoided, *((right, left) for left, right in avoided)))
        steps = self._steps.setdefault(either_way, _Steps(self, either_way))
        reached, found = {wanted[0]} if wanted else set(), dict[Edge, None]()
        waiting = list(wanted[1:])
        while waiting:
            paths = _paths(steps, reached, frozenset(waiting), frozenset(wanted))
            if not paths:
                # Nothing that is left can be reached: it begins a group of its own.
                reached.add(waiting.pop(0))
                continue
            table = min(paths, key=lambda goal: (len(paths[goal]), waiting.index(goal)))
            waiting.remove(table)
            for _, entered, edge in paths[table]:
                reached.add(entered)
                found[edge] = None
        return tuple(found)

    def joins_of(self, table: int) -> dict[int, list[tuple[float, Edge]]]:
        """For each table that it joins the ways to do so with what each costs, the best first."""
        if table not in self._joins:
            first, end = int(self._starts[table]), int(self._starts[table + 1])
            joins: dict[int, list[tuple[float, Edge]]] = defaultdict(list)
            # Of joins that are worth the same the last one in the graph comes first.
            places = first + np.argsort(self._worth[first:end], kind="stable")[::-1]
            of = (self._graph.right, self._costs, self._graph.left_column, self._graph.right_column)
            for right, cost, *edge in zip(*(each[places].tolist() for each in of), strict=True):
                joins[right].append((cost, (edge[0], edge[1])))
            self._joins[table] = dict(joins)
        return self._joins[table]


class _Steps(dict[int, list[Step]]):
    """From a table to the others: the best join that is not avoided, else the best."""

    def __init__(self, connections: Connections, avoided: frozenset[Edge]) -> None:
        super().__init__()
        self._connections, self._avoided = connections, avoided

    def __missing__(self, table: int) -> list[Step]:
        steps = []
        for right, joins in self._connections.joins_of(table).items():
            cost, edge = next((join for join in joins if join[1] not in self._avoided), joins[0])
            steps.append((cost + _COST_OF_AVOIDED * (edge in self._avoided), right, edge))
        self[table] = steps
        return steps


def _paths(steps: _Steps, reached: set[int], goals: frozenset[int], wanted: frozenset[int]) -> dict[int, list[Step]]:
    """The cheapest way from what is reached to each table; those to which there is none are left out."""
    queue: list[tuple[float, int, list[Step]]] = [(0.0, table, []) for table in sorted(reached)]
    # By table the cheapest way there so far: one that costs more and has no fewer joins is never gone.
    cheapest: dict[int, tuple[float, int]] = {}
    seen: set[int] = set()
    found: dict[int, list[Step]] = {}
    while queue and len(found) < len(goals):
        cost, table, path = heappop(queue)
        if table in goals:
            found.setdefault(table, path)
        if table in seen or len(path) == _MOST_JOINS:
            continue
        seen.add(table)
        is_passed, joins = bool(path) and path[-1][1] not in wanted, len(path) + 1
        for step in steps[table]:
            step_cost, entered, _ = step
            if entered in seen or (step_cost >= _COST_OF_NAMES and (is_passed or entered not in wanted)):
                continue
            in_all, (least, fewest) = cost + step_cost, cheapest.get(entered, _NO_WAY)
            if in_all <= least:
                cheapest[entered] = (in_all, joins)
            elif joins >= fewest:
                continue
            heappush(queue, (in_all, entered, [*path, step]))
    return found

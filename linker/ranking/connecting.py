"""
Connects tables: enter a ranking and the tables that an answer needs, leaves the joins that bring them together.

One table after another, the likeliest first, is reached from those that are connected by the cheapest way: few joins,
sure ones, through likely tables. A table that nobody asked for is passed only where both its joins are measured or
declared; names alone would lead through anything.
"""

from collections import defaultdict
from collections.abc import Sequence
from heapq import heappop, heappush

import numpy as np

from linker.ranking.ranker import Ranked, probability

_SURE_ENOUGH_TO_PASS = 0.85
_MOST_JOINS = 3

Edge = tuple[int, int]


def connect(ranked: Ranked, wanted: Sequence[int]) -> tuple[Edge, ...]:
    """Pairs of columns, each of them a join between two tables; a table that nothing leads to stays by itself."""
    ways = _ways(ranked)
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


Way = tuple[float, int, Edge]


def _ways(ranked: Ranked) -> dict[int, list[Way]]:
    """From each table to the others: the best join, what it costs, and the columns that it joins."""
    graph, chances = ranked.known.graph, probability(ranked.tables)
    columns = probability(ranked.columns)
    worth = graph.confidence * (0.2 + columns[graph.left_column] + columns[graph.right_column])
    best: dict[tuple[int, int], int] = {}
    for place in np.argsort(worth, kind="stable"):
        best[int(graph.left[place]), int(graph.right[place])] = int(place)
    ways: dict[int, list[Way]] = defaultdict(list)
    for (left, right), place in best.items():
        sure = float(graph.confidence[place])
        edge = (int(graph.left_column[place]), int(graph.right_column[place]))
        cost = 1 + 2 * (1 - sure) + (1 - float(chances[right]))
        ways[left].append((cost if sure >= _SURE_ENOUGH_TO_PASS else cost + 100, right, edge))
    return ways


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
            if entered not in seen and not (passes and step >= 100):
                heappush(queue, (cost + step, entered, [*path, way]))
    return []

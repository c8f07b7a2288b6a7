"""
Connects tables: enter a ranking and the tables that an answer needs, leaves the joins that bring
them together.

One table after another, the likeliest first, is reached from those that are connected by the
cheapest way: few joins, sure ones, through likely tables. A table that nobody asked for is passed
only where both its joins are measured or declared; names alone would lead through anything.
"""

from collections.abc import Iterable, Iterator, Sequence
from heapq import heappop, heappush

import numpy as np

from linker.ranking.graph import Graph
from linker.ranking.ranker import Ranked, probability
from linker.ranking.table_words import Floats, Ints
from linker.types import ColumnRef, TableRef

_SURE_ENOUGH_TO_PASS = 0.85
_MOST_JOINS = 5
# More than any way over joins that are measured or declared.
_COST_OF_NAMES = 100.0

_NOT_REACHED = (float("inf"), 0)

Edge = tuple[int, int]
Step = tuple[float, int, Edge]


def connected(
    ranked: Ranked, tables: Iterable[TableRef]
) -> tuple[tuple[ColumnRef, ColumnRef], ...]:
    """
    Pairs of columns, each of them a join between two tables; one that nothing leads to is left by
    itself.
    """
    lexicon = ranked.known.lexicon
    places = {table.ref: place for place, table in enumerate(lexicon.tables)}
    edges = Connections(ranked).connect([places[ref] for ref in tables if ref in places])
    return tuple((lexicon.refs[left], lexicon.refs[right]) for left, right in edges)


class Connections:
    """
    The joins of a ranked catalogue, ready to be asked for several sets of tables; of two tables the
    best one.
    """

    def __init__(self, ranked: Ranked) -> None:
        graph, chances, columns = (
            ranked.known.graph,
            probability(ranked.tables),
            probability(ranked.columns),
        )
        sure = graph.confidence
        worth = sure * (0.2 + columns[graph.left_column] + columns[graph.right_column])
        unsure = np.where(sure >= _SURE_ENOUGH_TO_PASS, 0, _COST_OF_NAMES)
        costs = 1 + 2 * (1 - sure) + (1 - chances[graph.right]) + unsure
        best = graph.best_of_pairs(worth)
        is_sure = costs[best] < _COST_OF_NAMES
        self._sure, self._by_name = (
            _Steps(graph, best[is_sure], costs),
            _Steps(graph, best[~is_sure], costs),
        )

    def connect(self, wanted: Sequence[int]) -> tuple[Edge, ...]:
        """The joins that bring these tables together."""
        reached, found = {wanted[0]} if wanted else set(), dict[Edge, None]()
        waiting = list(wanted[1:])
        while waiting:
            paths = self._paths(reached, frozenset(waiting), frozenset(wanted))
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

    def _paths(
        self, reached: set[int], goals: frozenset[int], wanted: frozenset[int]
    ) -> dict[int, list[Step]]:
        """
        The cheapest way from what is reached to each table; those to which there is none are left
        out.
        """
        queue: list[tuple[float, int, list[Step]]] = [(0.0, table, []) for table in sorted(reached)]
        # By table the cheapest way there so far: one that costs more and has no fewer joins is
        # never gone.
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
            is_passed, joins = bool(path) and table not in wanted, len(path) + 1
            for step in self._sure[table] if is_passed else self._steps_to(wanted, table):
                step_cost, entered, _ = step
                if entered in seen:
                    continue
                in_all, (least, fewest) = cost + step_cost, cheapest.get(entered, _NOT_REACHED)
                if in_all <= least:
                    cheapest[entered] = (in_all, joins)
                elif joins >= fewest:
                    continue
                heappush(queue, (in_all, entered, [*path, step]))
        return found

    def _steps_to(self, wanted: frozenset[int], table: int) -> Iterator[Step]:
        """
        From a table that is not merely passed: by sure joins anywhere, by names to what is wanted.
        """
        yield from self._sure[table]
        yield from (step for step in self._by_name[table] if step[1] in wanted)


class _Steps(dict[int, list[Step]]):
    """
    From a table to the others by these edges; worked out when a way first comes there: most tables
    lie on none.
    """

    def __init__(self, graph: Graph, edges: Ints, costs: Floats) -> None:
        super().__init__()
        self._parts = tuple(
            each[edges] for each in (costs, graph.right, graph.left_column, graph.right_column)
        )
        self._left = graph.left[edges]

    def __missing__(self, table: int) -> list[Step]:
        here = slice(*np.searchsorted(self._left, (table, table + 1)))
        parts = (each[here].tolist() for each in self._parts)
        self[table] = [
            (cost, right, (own, other)) for cost, right, own, other in zip(*parts, strict=True)
        ]
        return self[table]

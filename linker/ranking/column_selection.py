"""
Selects an answer's columns from a ranking, the joins that connect its tables, and label columns.

Columns have one order and an answer is a prefix of it. Each further table is admitted once the
answer is long enough. Small tables may be included whole, since omitting their few columns saves
little. Of identical tables only the most relevant is selected. If the question asks for everything
about something, tables are included whole.

Join keys come with the second relevant table, through others if needed. A period in the question
adds the event time of relevant tables; requested names or groups add the label column behind a key.

Tables connect in order of relevance, each by its cheapest path: few joins, certain ones, through
relevant tables. An unrequested table is passed only over measured or declared joins.

Label columns name a table's entities. Questions for customers, or for a figure per warehouse, want
names, while relevant tables often hold only keys.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from heapq import heappop, heappush

import numpy as np
import numpy.typing as npt

from linker.catalog.column_metadata import ColumnFacts
from linker.ranking.calibration import Likelihoods
from linker.ranking.compound_words import name_stems
from linker.ranking.features import extra_unasked
from linker.ranking.inverted_index import Graph
from linker.ranking.ranker import RankingResult, probability
from linker.ranking.table_tokens import ROLES, Floats, Ints, is_of_loading, roles_of
from linker.text.words import stem, word_list
from linker.types import Column, ColumnRef, Record, Table, TableRef

_SURE_ENOUGH_TO_PASS = 0.85
_MAX_JOINS = 5
# More than any path over measured or declared joins.
_COST_OF_NAMES = 100.0

Edge = tuple[int, int]

_ASKING = frozenset(("name", "group"))
_OF_PEOPLE = frozenset(map(stem, word_list("naming_people")))
# `first` and `given` are labels only next to that word.
_OF_NAMES = frozenset(map(stem, word_list("naming_names") | word_list("naming_people"))) - {
    *map(stem, ("first", "last", "given", "family"))
}
# Lookup tables with so few columns have one text that labels their rows, whatever its name.
_LOOKUP = 4
_KEYS = frozenset(("id", "key", "uuid", "guid"))
_OF_VALUES = frozenset(map(stem, ("identifier", "value", "text", "description", "meaning")))
_BESIDE_NAMES = frozenset(map(stem, ("full", "display")))
_NAMES_OF_PERSON = 2
_NO_TEXT = [ROLES.index(f"{kind}_type") for kind in ("time", "number", "boolean", "open")]
_LIKELY_TABLES = 3
_MAX_LABELS = 3
# Confident early keys add their label column so many ranks later.
_SURE = 0.85
_EARLY = 40
_TURNS = 6

# Columns per admitted table; three tables are always considered for joins.
_COLUMNS_PER_TABLE = 13
_MIN_TABLES = 3
_COLUMNS_PER_PATH = 8
_MIN_PATHS = 3
# Small tables are included whole, most relevant first, within a share of the answer.
_SMALL_TABLE = 16
_SHARE_FOR_SMALL = 0.3
_TIMED_TABLES = 3
_TURNS_FOR_TIME = 6
# Further tables have a column or two; joining them costs more than it brings.
_JOINED_TABLES = 6
# Score of a verbatim value in a single column; in two columns it is 0.6.
_SURELY_NAMED = 0.9
_MAX_BOUND = 2
# Minimum gain in probability, up to the maximum, that justifies more columns.
_NO_MORE = 0.005
# Cost of an unneeded column, as a probability.
_COST_OF_COLUMN = 0.006
# Bounds of a shortlist: some columns even if all are improbable, and not too many.
_MIN_COLUMNS = 12
_MAX_COLUMNS = 60


def connected(
    ranked: RankingResult, tables: Iterable[TableRef]
) -> tuple[tuple[ColumnRef, ColumnRef], ...]:
    """Column pairs that join the tables; unconnected tables are omitted."""
    lexicon = ranked.index.lexicon
    indexes = {table.ref: index for index, table in enumerate(lexicon.tables)}
    edges = Connections(ranked).connect([indexes[ref] for ref in tables if ref in indexes])
    return tuple((lexicon.refs[left], lexicon.refs[right]) for left, right in edges)


class JoinStep(Record, frozen=True, order=True):
    """A join to a table."""

    cost: float
    table: int
    edge: Edge


class JoinPath(Record, frozen=True, order=True):
    """Joins that lead to a table one after the other; the cheapest path is the least."""

    cost: float
    table: int
    steps: tuple[JoinStep, ...] = ()

    def extended(self, step: JoinStep) -> "JoinPath":
        """With another join."""
        return JoinPath(self.cost + step.cost, step.table, (*self.steps, step))


class Connections:
    """The best join of each pair of tables, for repeated queries."""

    def __init__(self, ranked: RankingResult) -> None:
        graph = ranked.index.graph
        chances = probability(ranked.tables)
        columns = probability(ranked.columns)
        sure = graph.confidence
        worth = sure * (0.2 + columns[graph.left_column] + columns[graph.right_column])
        unsure = np.where(sure >= _SURE_ENOUGH_TO_PASS, 0, _COST_OF_NAMES)
        costs = 1 + 2 * (1 - sure) + (1 - chances[graph.right]) + unsure
        best = graph.best_of_pairs(worth)
        is_sure = costs[best] < _COST_OF_NAMES
        self._sure = _Steps(graph, best[is_sure], costs)
        self._by_name = _Steps(graph, best[~is_sure], costs)

    def connect(self, wanted: Sequence[int]) -> tuple[Edge, ...]:
        """Joins that connect the tables."""
        reached, edges = {wanted[0]} if wanted else set(), dict[Edge, None]()
        waiting = list(wanted[1:])
        while waiting:
            paths = self._paths(reached, frozenset(waiting), frozenset(wanted))
            if not paths:
                # Nothing left is reachable: start a new group.
                reached.add(waiting.pop(0))
                continue
            table = min(paths, key=lambda goal: (len(paths[goal]), waiting.index(goal)))
            waiting.remove(table)
            for step in paths[table]:
                reached.add(step.table)
                edges[step.edge] = None
        return tuple(edges)

    def _paths(
        self, reached: set[int], goals: frozenset[int], wanted: frozenset[int]
    ) -> dict[int, tuple[JoinStep, ...]]:
        """Cheapest paths from the reached tables to each goal; unreachable goals are omitted."""
        queue = [JoinPath(0.0, table) for table in sorted(reached)]
        cheapest: dict[int, JoinPath] = {}
        seen: set[int] = set()
        paths: dict[int, tuple[JoinStep, ...]] = {}
        while queue and len(paths) < len(goals):
            path = heappop(queue)
            if path.table in goals:
                paths.setdefault(path.table, path.steps)
            if path.table in seen or len(path.steps) == _MAX_JOINS:
                continue
            seen.add(path.table)
            for step in self._steps_after(path, wanted):
                if step.table in seen:
                    continue
                longer = path.extended(step)
                best = cheapest.get(step.table)
                if best is None or longer.cost <= best.cost:
                    cheapest[step.table] = longer
                elif len(longer.steps) >= len(best.steps):
                    # A dearer path without fewer joins is never used.
                    continue
                heappush(queue, longer)
        return paths

    def _steps_after(self, path: JoinPath, wanted: frozenset[int]) -> Iterator[JoinStep]:
        """
        Confident joins to anywhere; from an intended table also inferred ones to intended tables.
        """
        yield from self._sure.out_of(path.table)
        if not path.steps or path.table in wanted:
            by_name = self._by_name.out_of(path.table)
            yield from (step for step in by_name if step.table in wanted)


class _Steps:
    """Steps out of each table, read on demand, as most tables are on no path."""

    def __init__(self, graph: Graph, edges: Ints, costs: Floats) -> None:
        self._costs = costs[edges]
        self._left = graph.left[edges]
        self._right = graph.right[edges]
        self._left_column = graph.left_column[edges]
        self._right_column = graph.right_column[edges]
        self._read: dict[int, list[JoinStep]] = {}

    def out_of(self, table: int) -> list[JoinStep]:
        """Steps out of a table."""
        if table not in self._read:
            start, end = np.searchsorted(self._left, (table, table + 1))
            edges = zip(
                self._left_column[start:end].tolist(),
                self._right_column[start:end].tolist(),
                strict=True,
            )
            self._read[table] = list(
                map(
                    JoinStep,
                    self._costs[start:end].tolist(),
                    self._right[start:end].tolist(),
                    edges,
                )
            )
        return self._read[table]


def labels_of(table: Table) -> tuple[int, ...]:
    """Indexes of the columns that label a row: one, or first and last name; often none."""
    own = _OF_NAMES | _BESIDE_NAMES | set(name_stems(table.ref.name))
    entity, person = list[int](), list[int]()
    for index, column in enumerate(table.columns):
        words = set(name_stems(column.path))
        if _is_name(column) and words & _OF_PEOPLE:
            person.append(index)
        elif _is_name(column) and words <= own:
            entity.append(index)
    if labels := entity[:1] or person[:_NAMES_OF_PERSON]:
        return tuple(labels)
    texts = [index for index, column in enumerate(table.columns) if _is_only_text(column, own)]
    return tuple(texts) if len(table.columns) <= _LOOKUP and len(texts) == 1 else ()


def _is_name(column: Column) -> bool:
    return _is_text(column) and not _OF_NAMES.isdisjoint(name_stems(column.path))


def _is_text(column: Column) -> bool:
    """A text column that is no key."""
    words = name_stems(column.path)
    roles = roles_of(column, words, (), ColumnFacts())
    is_key = bool(words) and words[-1] in _KEYS
    return not column.depth and not is_key and not any(roles[kind] for kind in _NO_TEXT)


def _is_only_text(column: Column, own: Set[str]) -> bool:
    """A text that labels a lookup's rows: named like them, or generically."""
    return _is_text(column) and {*name_stems(column.path)} <= own | _OF_VALUES


def labels_behind_keys(ranked: RankingResult, turns: Floats) -> dict[int, float]:
    """
    Label columns behind early keys of the top tables and when to add them, if names or groups are
    requested.
    """
    if _ASKING.isdisjoint(ranked.evidence.matches.question.asks):
        return {}
    graph, lexicon = ranked.index.graph, ranked.index.lexicon
    likeliest = np.argsort(-ranked.tables, kind="stable")[:_LIKELY_TABLES]
    leads = (graph.points > 0) & (graph.confidence >= _SURE) & (turns[graph.left_column] <= _EARLY)
    edges = np.flatnonzero(leads & np.isin(graph.left, likeliest))
    begins: dict[int, float] = {}
    for edge in edges[np.argsort(turns[graph.left_column[edges]], kind="stable")]:
        begins.setdefault(int(graph.right[edge]), float(turns[graph.left_column[edge]]))
    labels: dict[int, float] = {}
    for table, begin in list(begins.items())[:_MAX_LABELS]:
        for index in labels_of(lexicon.tables[table]):
            labels[int(lexicon.starts[table]) + index] = begin + _TURNS
    return labels


class Allocation(Record, frozen=True):
    """Selected columns, best first; those added for joins; and the joins."""

    columns: tuple[int, ...]
    joining: frozenset[int]
    joins: tuple[tuple[int, int], ...]
    complete: float | None = None


def allocate(ranked: RankingResult, budget: int) -> Allocation:
    """`budget` columns, or all if there are fewer."""
    return _beginning(_Order(ranked), budget)


def cut(
    ranked: RankingResult,
    likely: Likelihoods,
    recall: float | None,
    fits: Callable[[Sequence[int]], bool],
) -> Allocation:
    """
    The smallest prefix with the target recall that fits; with a recall of 1, all that fits.

    Without a target, stop when another column adds less than its cost.
    """
    order = _Order(ranked)
    columns = order.columns
    shortest, longest = min(1, len(columns)), len(columns)
    while shortest < longest:
        middle = (shortest + longest + 1) // 2
        if fits(columns[:middle]):
            shortest = middle
        else:
            longest = middle - 1
    if not longest:
        return _beginning(order, 0, 0.0)
    chances = likely.along(np.array(columns[:longest], dtype=np.int64))
    if recall is None:
        worth = (chances - _COST_OF_COLUMN * np.arange(longest))[:_MAX_COLUMNS]
        size = max(int(np.argmax(worth)) + 1, min(longest, _MIN_COLUMNS))
    elif recall >= 1:
        size = longest
    else:
        size = int(np.searchsorted(chances, min(recall, float(chances[-1]) - _NO_MORE))) + 1
    return _beginning(order, size, float(chances[size - 1]))


class _Joins(Record, frozen=True):
    """Joins of the top tables, and when their keys are added."""

    turns: Mapping[int, float]
    pairs: tuple[tuple[int, int], ...]


class _Order:
    """The order of a ranking's columns."""

    def __init__(self, ranked: RankingResult) -> None:
        is_left_out = _is_stood_for(ranked)[ranked.index.lexicon.table_of]
        self._alone = _ranks(_order_without_joins(ranked, is_left_out)).astype(np.float64)
        self._alone[_bound(ranked)] = 0.0
        joins = _joins(ranked, np.where(is_left_out, np.inf, self._alone))
        turns = self._alone.copy()
        for column, turn in (
            *_times(ranked, turns).items(),
            *labels_behind_keys(ranked, turns).items(),
        ):
            turns[column] = min(turns[column], turn)
        for column, turn in joins.turns.items():
            turns[column] = min(turns[column], turn)
        order = np.lexsort((-ranked.columns, turns))
        self.columns = tuple(order[~is_left_out[order]].tolist())
        self.pairs = joins.pairs
        self._keys = frozenset(joins.turns)

    def joining(self, chosen: Sequence[int]) -> frozenset[int]:
        """Columns added only for joins."""
        return frozenset(
            column
            for column in chosen
            if column in self._keys and self._alone[column] >= len(chosen)
        )


def _beginning(order: _Order, size: int, complete: float | None = None) -> Allocation:
    chosen = order.columns[:size]
    shown = set(chosen)
    joins = tuple(pair for pair in order.pairs if shown.issuperset(pair))
    return Allocation(chosen, order.joining(chosen), joins, complete)


def _joins(ranked: RankingResult, turns: Floats) -> _Joins:
    """Joins of the top tables and of bound columns; keys come with the later table."""
    connections = Connections(ranked)
    begins = np.minimum.reduceat(turns, ranked.index.lexicon.starts[:-1]) if len(turns) else turns
    best = [
        int(table)
        for table in np.argsort(-ranked.tables, kind="stable")
        if np.isfinite(begins[table])
    ]
    bound = [
        int(ranked.index.lexicon.table_of[column])
        for column in _bound(ranked)
        if np.isfinite(turns[column])
    ]
    tables = sorted(
        dict.fromkeys((*best[:_JOINED_TABLES], *bound)), key=lambda table: float(begins[table])
    )
    turn_by_column: dict[int, float] = {}
    pairs: dict[tuple[int, int], None] = {}
    for count in range(2, len(tables) + 1):
        turn = float(begins[tables[count - 1]]) + 2 * (count - 1) + 0.5
        for pair in connections.connect(tables[:count]):
            pairs[pair] = None
            for column in pair:
                turn_by_column[column] = min(turn_by_column.get(column, turn), turn)
    return _Joins(turn_by_column, tuple(pairs))


def _times(ranked: RankingResult, turns: Floats) -> dict[int, float]:
    """
    The most probable time column of each top table, soon after its first column, if the question
    has a period.
    """
    question, lexicon = ranked.evidence.matches.question, ranked.index.lexicon
    if not question.years and "time" not in question.asks:
        return {}
    is_time = lexicon.roles[:, ROLES.index("time")].astype(bool)
    turn_of_column: dict[int, float] = {}
    for table in np.argsort(-ranked.tables, kind="stable")[:_TIMED_TABLES]:
        inside = np.arange(lexicon.starts[table], lexicon.starts[table + 1])
        times = inside[is_time[inside]]
        if len(times):
            best = min(
                times,
                key=lambda index: (is_of_loading(lexicon.column(index)), -ranked.columns[index]),
            )
            turn_of_column[int(best)] = float(turns[inside].min()) + _TURNS_FOR_TIME
    return turn_of_column


def _bound(ranked: RankingResult) -> list[int]:
    """Columns with a value of the question that few others have, most certain first."""
    named = ranked.evidence.matches.named
    order = np.argsort(-named, kind="stable")[:_MAX_BOUND]
    return [int(column) for column in order if named[column] >= _SURELY_NAMED]


def _is_stood_for(ranked: RankingResult) -> npt.NDArray[np.bool_]:
    """Tables with a more relevant identical one."""
    numbers = ranked.index.sibling_numbers
    order = np.argsort(-ranked.tables, kind="stable")
    _, first = np.unique(numbers[order], return_index=True)
    is_first = np.zeros(len(numbers), dtype=bool)
    is_first[order[first]] = True
    is_stood_for: npt.NDArray[np.bool_] = (numbers >= 0) & ~is_first
    return is_stood_for


def _order_without_joins(ranked: RankingResult, is_left_out: npt.NDArray[np.bool_]) -> Ints:
    table_of = ranked.index.lexicon.table_of
    table_ranks = _ranks(np.argsort(-ranked.tables, kind="stable"))
    if "all" in ranked.evidence.matches.question.asks:
        # A duplicate named with unrequested words would cost as much as the intended table.
        is_sibling = extra_unasked(ranked.evidence, siblings_only=True)
        full_order: Ints = np.lexsort(
            (-ranked.columns, table_ranks[table_of], is_sibling[table_of], is_left_out)
        )
        return full_order
    by_odds = _ranks(np.argsort(-ranked.columns, kind="stable"))
    waiting = np.where(table_ranks >= _MIN_TABLES, (table_ranks + 1) * _COLUMNS_PER_TABLE, 0)
    waiting_inside = _places_inside(ranked) * _COLUMNS_PER_PATH
    in_turn = _ranks(
        np.lexsort(
            (-ranked.columns, np.maximum(np.maximum(by_odds, waiting[table_of]), waiting_inside))
        )
    )
    is_small = ranked.index.sizes <= _SMALL_TABLE
    by_table = _ranks(np.lexsort((-ranked.columns, table_ranks[table_of], ~is_small[table_of])))
    # Merge both lists: a column is taken when either reaches it.
    turn = np.minimum(in_turn / (1 - _SHARE_FOR_SMALL), by_table / _SHARE_FOR_SMALL)
    order: Ints = np.lexsort((turn, ranked.index.lexicon.trait("is_opened"), is_left_out))
    return order


def _places_inside(ranked: RankingResult) -> Ints:
    """For each nested path, the number of more relevant ones in its column beyond the first few."""
    lexicon, inside = ranked.index.lexicon, ranked.index.lexicon.trait("inside")
    parents = np.where(inside < 0, -1, inside + lexicon.starts[lexicon.table_of])
    order = np.lexsort((-ranked.columns, parents))
    first = np.searchsorted(parents[order], parents)
    likelier: Ints = np.where(parents < 0, 0, np.maximum(_ranks(order) - first - _MIN_PATHS + 1, 0))
    return likelier


def _ranks(order: Ints) -> Ints:
    """Rank of each item, from 0."""
    ranks = np.empty(len(order), dtype=np.int64)
    ranks[order] = np.arange(len(order))
    return ranks

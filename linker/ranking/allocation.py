"""
Spends a column budget: enters a ranking, leaves the columns of the answer.

A catalogue that fits is taken whole. Otherwise tables come first: the columns of the likeliest tables, as many tables
as the budget can tell something of, before those of any other. A part of the budget goes to small tables as a whole:
what a table of few columns leaves out saves little, and a column that is missing costs the answer. Of tables with the
same columns only the likeliest is taken: it stands for the others. Where all about something is asked for, tables are
taken whole, the likeliest first. Then come the keys by which the tables join: both sides of every join of the likeliest
forest over the chosen tables, in the place of the worst columns.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from linker.ranking.connecting import connect
from linker.ranking.lexicon import Ints, distinct
from linker.ranking.ranker import Ranked, probability
from linker.ranking.table_features import extra_unasked

# A table is worth looking at for about that many columns; fewer tables than three are never enough to join.
_COLUMNS_PER_TABLE = 13
_LEAST_TABLES = 3
# Tables of so few columns are taken whole, the likeliest first, with that share of the budget.
_SMALL_TABLE = 16
_SHARE_FOR_SMALL = 0.3
# Tables beyond the likeliest are in the answer for a column or two; their joins would cost more than they bring.
_JOINED_TABLES = 6
# At most that share of the budget goes to keys that would not have been chosen for themselves.
_SHARE_FOR_KEYS = 0.2
# A value that is named letter by letter and that one column alone holds is named with 1, of two columns with 0.6.
_SURELY_NAMED = 0.9
_MOST_BOUND = 2


@dataclass(frozen=True, slots=True)
class Allocation:
    """
    The columns that were chosen, best first, which of them are there to join tables, and the joins.

    `complete` is the chance that nothing that is needed is left out.
    """

    columns: tuple[int, ...]
    joining: frozenset[int]
    joins: tuple[tuple[int, int], ...]
    complete: float = 0.0


def cut(ranked: Ranked, recall: float, most: int) -> Allocation:
    """The fewest columns that are as complete as asked, never more than `most`; as many as that for a recall of 1."""
    left = probability(np.sort(ranked.columns)[::-1])
    missing = 1 - np.exp(np.cumsum(np.log1p(-left[::-1]))[::-1])
    count = most if recall >= 1 else int(np.searchsorted(-missing, recall - 1)) + 1
    allocation = allocate(ranked, max(1, min(most, count)))
    inside = np.isin(np.arange(len(ranked.columns)), allocation.columns)
    complete = float(np.exp(np.log1p(-probability(ranked.columns)[~inside]).sum()))
    return replace(allocation, complete=complete)


def allocate(ranked: Ranked, budget: int) -> Allocation:
    """The columns to answer with, never more than the budget."""
    order = _order(ranked, budget)
    chosen = [int(column) for column in order[:budget]]
    bound = _bound(ranked)
    joins = connect(ranked, _joined_tables(ranked, chosen, bound))
    keys = [column for pair in joins for column in pair]
    if len(order) <= budget:
        return Allocation(tuple(chosen), frozenset(), _inside(joins, chosen))
    inside = set(chosen)
    missing = [column for column in dict.fromkeys((*bound, *keys)) if column not in inside]
    missing = missing[: max(1, int(budget * _SHARE_FOR_KEYS))]
    kept = _without_worst(chosen, len(missing), frozenset(keys) | set(bound)) + missing
    return Allocation(tuple(kept), frozenset(missing) - set(bound), _inside(joins, kept))


def _inside(joins: Sequence[tuple[int, int]], columns: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """The joins of which both sides are in the answer."""
    shown = set(columns)
    return tuple(join for join in joins if shown.issuperset(join))


def _bound(ranked: Ranked) -> list[int]:
    """The columns that hold what the question names, and hardly any other does, the surest first."""
    named = ranked.evidence.matches.named
    order = np.argsort(-named, kind="stable")[:_MOST_BOUND]
    return [int(column) for column in order if named[column] >= _SURELY_NAMED]


def _order(ranked: Ranked, budget: int) -> Ints:
    """The columns in the order in which they are taken, those of tables for which another stands left out."""
    of = ranked.known.lexicon.table_of
    order = _whole_order(ranked, budget)
    return order[~_is_stood_for(ranked)[of[order]]]


def _is_stood_for(ranked: Ranked) -> npt.NDArray[np.bool_]:
    """The tables of which a likelier one has the same columns."""
    numbers = ranked.known.sibling_numbers
    order = np.argsort(-ranked.tables, kind="stable")
    _, first = np.unique(numbers[order], return_index=True)
    is_first = np.zeros(len(numbers), dtype=bool)
    is_first[order[first]] = True
    is_stood_for: npt.NDArray[np.bool_] = (numbers >= 0) & ~is_first
    return is_stood_for


def _whole_order(ranked: Ranked, budget: int) -> Ints:
    of = ranked.known.lexicon.table_of
    table_ranks = _ranks(np.argsort(-ranked.tables, kind="stable"))
    if "all" in ranked.evidence.matches.question.asks:
        # A sibling named with words that nobody asked for would cost as much as the table that is meant.
        is_sibling = extra_unasked(ranked.evidence, siblings_only=True)
        whole: Ints = np.lexsort((-ranked.columns, table_ranks[of], is_sibling[of]))
        return whole
    is_beyond = table_ranks >= max(_LEAST_TABLES, budget // _COLUMNS_PER_TABLE)
    by_odds = np.lexsort((-ranked.columns, is_beyond[of]))
    is_small = ranked.known.sizes <= _SMALL_TABLE
    by_table = np.lexsort((-ranked.columns, table_ranks[of], ~is_small[of]))
    # Each list is read at its own pace; a column is taken when the first of them comes to it.
    turn = np.minimum(_ranks(by_odds) / (1 - _SHARE_FOR_SMALL), _ranks(by_table) / _SHARE_FOR_SMALL)
    order: Ints = np.argsort(turn, kind="stable")
    return order


def _ranks(order: Ints) -> Ints:
    """The place of each in an order, from 0."""
    ranks = np.empty(len(order), dtype=np.int64)
    ranks[order] = np.arange(len(order))
    return ranks


def _without_worst(kept: list[int], count: int, needed: frozenset[int]) -> list[int]:
    """The list without its last columns, those that join tables excepted."""
    dropped = set([column for column in reversed(kept) if column not in needed][:count])
    left = [column for column in kept if column not in dropped]
    return left[: len(kept) - count]


def _joined_tables(ranked: Ranked, chosen: Sequence[int], bound: Sequence[int]) -> list[int]:
    """The likeliest tables of the answer, and those of values that the question names."""
    of = ranked.known.lexicon.table_of
    present = distinct(of[np.array(chosen, dtype=np.int64)])
    best = present[np.argsort(-ranked.tables[present], kind="stable")][:_JOINED_TABLES]
    return list(dict.fromkeys((*(int(table) for table in best), *(int(of[column]) for column in bound))))

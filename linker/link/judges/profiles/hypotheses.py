"""
Hypotheses without a language model: enters a ranked question, leave connected tables, the likeliest first.

The first takes the likeliest tables and those of what the question names, and connects them. The others change one
thing of it where something else is nearly as likely: the column that holds a value, the source of an entity, the grain
of its rows, the path of the joins, the column that a word means. They come in the order of what they cost: how much
less likely their tables and columns are, how many joins they take, how much they repeat.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from linker.link.hypotheses import MOST_HYPOTHESES, Divergence, Hypothesis
from linker.link.judges.profiles.anchors import Anchor, anchors
from linker.link.question import LinkedQuestion
from linker.ranking.connecting import Connections, Edge
from linker.ranking.ranker import Ranked
from linker.types import Catalog, TableRef

_MOST_TABLES = 3
# Odds, as logarithms: what is farther behind is no alternative; a longer path costs about as much as a poorer table.
_NEARLY_AS_LIKELY = 1.0
# A value that is named letter by letter, a table that is named, a release of the same table: each is a sign by itself.
_BEHIND_WITH_A_SIGN = 2.5
_AS_LIKELY_AS_THE_FIRST = 0.7
# The question says all words of a table's name.
_NAMED = 0.99
_COST_OF_A_JOIN = 0.3
_COST_OF_REPETITION = 0.5
_MOST_COST = 2.0
# Tables that meet the same words of the question tell of the same thing.
_SAME_THING = 0.7
_FEWEST_WORDS = 2
# One that has so many times fewer rows sums up what the other lists.
_COARSER = 8.0


@dataclass(frozen=True, slots=True)
class Draft:
    """Connected tables, their joins, the columns that set this draft apart, and its cost above the first."""

    tables: tuple[int, ...]
    joins: tuple[Edge, ...]
    columns: tuple[int, ...] = ()
    diverges: tuple[Divergence, ...] = ()
    cost: float = 0.0


def drafts(question: LinkedQuestion) -> tuple[Draft, ...]:
    """The first draft and its alternatives, at most as many as may vote."""
    alternatives = _Alternatives(question)
    first = alternatives.first()
    waiting = [
        *alternatives.encodings(first),
        *alternatives.sources(first),
        *alternatives.paths(first),
        *alternatives.terms(first),
    ]
    found, structures = [first], {_structure(first)}
    while waiting and len(found) < MOST_HYPOTHESES:
        best = min(waiting, key=lambda draft: (draft.cost + _repetition(draft, found), draft.tables, draft.columns))
        waiting.remove(best)
        if _structure(best) not in structures and best.cost + _repetition(best, found) <= _MOST_COST:
            structures.add(_structure(best))
            found.append(best)
    return tuple(found)


def as_hypothesis(question: LinkedQuestion, draft: Draft, number: int) -> Hypothesis:
    """A draft as the hypothesis that all judges know."""
    lexicon = question.ranked.known.lexicon
    names = [str(lexicon.tables[table].ref) for table in draft.tables]
    # Of a question in which no table stands out, it is what ranking finds likeliest.
    first, others = names[0] if names else "the likeliest columns", names[1:]
    summary = f"{first} with {', '.join(others)}" if others else first
    return Hypothesis(
        number=number,
        summary=summary,
        diverges=draft.diverges,
        tables=tuple(lexicon.tables[table].ref for table in draft.tables),
        joins=tuple((lexicon.refs[column], lexicon.refs[other]) for column, other in draft.joins),
        columns=tuple(lexicon.refs[column] for column in draft.columns),
    )


def _structure(draft: Draft) -> tuple[frozenset[int], frozenset[frozenset[int]], frozenset[int]]:
    return frozenset(draft.tables), frozenset(map(frozenset, draft.joins)), frozenset(draft.columns)


def _repetition(draft: Draft, found: Sequence[Draft]) -> float:
    """The cost of what a draft has in common with those that are there, but for the tables of the first."""
    new = set(draft.tables) - set(found[0].tables)
    repeated = max((len(new & set(other.tables)) for other in found[1:]), default=0)
    same_kind = sum(other.diverges[:1] == draft.diverges[:1] for other in found[1:])
    return _COST_OF_REPETITION * (repeated + same_kind)


class _Alternatives:
    """One question in one catalogue."""

    def __init__(self, question: LinkedQuestion) -> None:
        self._question = question
        self._ranked: Ranked = question.ranked
        self._lexicon = question.ranked.known.lexicon
        self._anchors: tuple[Anchor, ...] = anchors(question)
        self._connections = Connections(question.ranked)

    def first(self) -> Draft:
        """The likeliest tables, and those of all that the question names."""
        odds = np.where(self._is_stood_for, -np.inf, self._ranked.tables)
        order = [int(table) for table in np.argsort(-odds, kind="stable")[:_MOST_TABLES]]
        is_named = self._ranked.evidence.table_name_coverage >= _NAMED
        behind = odds.max() - odds
        tables = [
            table
            for table in order
            if behind[table] <= (_BEHIND_WITH_A_SIGN if is_named[table] else _AS_LIKELY_AS_THE_FIRST)
        ]
        bound = tuple(anchor.columns[0] for anchor in self._anchors)
        return self._connected(tuple(dict.fromkeys((*tables, *map(self._table, bound)))), bound)

    def encodings(self, first: Draft) -> Iterator[Draft]:
        """Drafts for a name that may be a value of another column."""
        for anchor in self._anchors:
            for other in anchor.columns[1:3]:
                behind = float(self._ranked.columns[anchor.columns[0]] - self._ranked.columns[other])
                if behind > _BEHIND_WITH_A_SIGN:
                    continue
                columns = tuple(other if column == anchor.columns[0] else column for column in first.columns)
                text = f"“{anchor.name}” may be a value of {self._name(anchor.columns[0])} or of {self._name(other)}"
                tables = self._swapped(first, self._table(anchor.columns[0]), self._table(other))
                yield self._differing(tables, columns, Divergence("encoding", text), max(behind, 0.0) / 2)

    def sources(self, first: Draft) -> Iterator[Draft]:
        """Drafts with another table that may tell of the same thing, row by row or summed up."""
        covered, odds = self._ranked.evidence.covered, self._ranked.tables
        for table in first.tables:
            words = covered[:, table]
            if np.count_nonzero(words) < _FEWEST_WORDS:
                continue
            alike = (np.minimum(covered, words[:, None]).sum(axis=0)) / words.sum()
            near = (alike >= _SAME_THING) & (odds >= odds[table] - _NEARLY_AS_LIKELY)
            releases = [
                other
                for other in np.flatnonzero(odds >= odds[table] - _BEHIND_WITH_A_SIGN)
                if are_alike(self._question.catalog, self._ref(table), self._ref(int(other)))
            ]
            near[releases] = True
            near &= ~self._is_stood_for
            near[list(first.tables)] = False
            for other in sorted(np.flatnonzero(near), key=lambda place: (-odds[place], place))[:2]:
                divergence = self._of_source(table, int(other))
                tables = self._swapped(first, table, int(other))
                columns = tuple(column for column in first.columns if self._table(column) != table)
                behind = max(float(odds[table] - odds[other]), 0.0)
                cost = behind / 2 if other in releases else behind
                yield self._differing(tables, columns, divergence, cost)

    def paths(self, first: Draft) -> Iterator[Draft]:
        """Drafts that join the same tables by another path."""
        for edge in first.joins:
            other = self._connected(first.tables, first.columns, avoided=[edge])
            if edge in other.joins or edge[::-1] in other.joins or len(other.joins) < len(first.joins):
                continue
            new = next(join for join in other.joins if join not in first.joins)
            text = f"{self._pair(edge)} or {self._pair(new)}"
            yield replace(other, diverges=(Divergence("join_path", text),), cost=self._detour(first, other))

    def terms(self, first: Draft) -> Iterator[Draft]:
        """Drafts for a word that may mean a column of another table as well as one of these."""
        met, of = self._ranked.evidence.matches.names, self._lexicon.table_of
        inside = np.isin(of, first.tables)
        outside = ~inside & ~self._is_stood_for[of]
        for row, word in enumerate(self._ranked.evidence.matches.question.words):
            if word.isdigit():
                continue
            here, there = np.where(inside, met[row], 0), np.where(outside, met[row], 0)
            if here.max(initial=0) <= 0 or there.max(initial=0) < here.max():
                continue
            own = self._likeliest(np.flatnonzero(here == here.max()))
            other = self._likeliest(np.flatnonzero(there == there.max()))
            behind = float(self._ranked.columns[own] - self._ranked.columns[other])
            if behind <= _NEARLY_AS_LIKELY:
                text = f"“{word}” may mean {self._name(own)} or {self._name(other)}"
                tables = tuple(dict.fromkeys((*first.tables, self._table(other))))
                yield self._differing(tables, (*first.columns, other), Divergence("term", text), max(behind, 0.0))

    def _differing(self, tables: Sequence[int], columns: tuple[int, ...], divergence: Divergence, cost: float) -> Draft:
        draft = self._connected(tables, columns)
        return replace(draft, diverges=(divergence,), cost=cost + self._detour(Draft(tuple(tables), ()), draft))

    def _detour(self, direct: Draft, draft: Draft) -> float:
        """The cost of joins, and the tables that are only passed: the less likely one is, the more."""
        odds = self._ranked.tables
        passed = [table for table in draft.tables if table not in direct.tables]
        behind = sum(max(0.0, float(odds.max() - odds[table])) for table in passed)
        return behind / 2 + _COST_OF_A_JOIN * max(0, len(draft.joins) - len(direct.joins))

    def _connected(self, tables: Sequence[int], columns: tuple[int, ...], avoided: Sequence[Edge] = ()) -> Draft:
        joins = self._connections.connect(tables, avoided)
        passed = [self._table(column) for edge in joins for column in edge]
        return Draft(tuple(dict.fromkeys((*tables, *passed))), joins, columns)

    def _swapped(self, draft: Draft, table: int, other: int) -> tuple[int, ...]:
        """The tables that a way wants, one for another; those that only connected it are found anew."""
        odds = self._ranked.tables
        wanted = [place for place in draft.tables if odds[place] >= odds.max() - _AS_LIKELY_AS_THE_FIRST]
        wanted += [self._table(column) for column in draft.columns if self._table(column) != table]
        return tuple(dict.fromkeys(place for place in (*wanted, other) if place != table))

    def _of_source(self, table: int, other: int) -> Divergence:
        source, rival = self._lexicon.tables[table], self._lexicon.tables[other]
        rows = source.row_count_estimate, rival.row_count_estimate
        if rows[0] and rows[1] and max(rows[0] / rows[1], rows[1] / rows[0]) >= _COARSER:
            finer, coarser = (source, rival) if rows[0] > rows[1] else (rival, source)
            return Divergence("granularity", f"the rows of {finer.ref} or the fewer ones of {coarser.ref}")
        return Divergence("source", f"{source.ref} or {rival.ref} tells of it")

    @cached_property
    def _is_stood_for(self) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
        """Tables with the columns of a likelier one: that one stands for them."""
        numbers = self._ranked.known.sibling_numbers
        order = np.argsort(-self._ranked.tables, kind="stable")
        seen: set[int] = set()
        found = np.zeros(len(numbers), dtype=bool)
        for table in order:
            number = int(numbers[table])
            found[table] = number in seen
            seen |= {number} - {-1}
        return found

    def _likeliest(self, columns: Iterable[int]) -> int:
        return int(max(columns, key=lambda column: (self._ranked.columns[column], -column)))

    def _ref(self, table: int) -> TableRef:
        return self._lexicon.tables[table].ref

    def _table(self, column: int) -> int:
        return int(self._lexicon.table_of[column])

    def _name(self, column: int) -> str:
        return str(self._lexicon.refs[column])

    def _pair(self, edge: Edge) -> str:
        return f"{self._name(edge[0])} = {self._name(edge[1])}"


def are_alike(catalog: Catalog, table: TableRef, other: TableRef) -> bool:
    """True if half of the columns of the smaller table stand in the other by name: a copy, an archive, a release."""
    left, right = ({column.path.casefold() for column in catalog.table_by_ref[ref].columns} for ref in (table, other))
    return 2 * len(left & right) >= min(len(left), len(right))


def tables_of(question: LinkedQuestion, hypothesis: Hypothesis) -> frozenset[TableRef]:
    """The tables of a hypothesis, those of its joins and columns among them."""
    ends = (column.table for pair in hypothesis.joins for column in pair)
    named = (*hypothesis.tables, *ends, *(column.table for column in hypothesis.columns))
    return frozenset(ref for ref in named if ref in question.catalog.table_by_ref)

"""
The judge without a language model: profiles, retrieval, the join graph and probes say what a question needs.

For one catalogue and one question it always says the same.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

import numpy as np

from linker.link.actions import Action, Discard, Keep, ProbeSql
from linker.link.hypotheses import Hypothesis, JoinHint, Proposal
from linker.link.judges.base import Pick, Turn, Unknown
from linker.link.judges.profiles.anchors import anchors, unbound_names
from linker.link.judges.profiles.hypotheses import hypothesis as said_as
from linker.link.judges.profiles.hypotheses import tables_of, ways
from linker.link.judges.profiles.lookups import NO_LOOKS, Looks, looks, rivals, searched_columns
from linker.link.question import LinkedQuestion
from linker.link.refinement import ActionResult, Item, Refinement
from linker.link.views import ranked_columns
from linker.ranking.allocation import allocate
from linker.ranking.answerable import assess
from linker.ranking.ranker import reason
from linker.ranking.weights import AnswerableWeights, Weights
from linker.types import ColumnRef, TableRef

# What a table of a way has at least, even if the ranking of the whole catalogue had no room for it.
_COLUMNS_OF_A_TABLE = 4
# The first way is generous; of the others only what is likeliest has a vote, so that not all of it is required.
_COLUMNS_WITH_TWO_VOTES = 12


@dataclass(frozen=True)
class _Thought:
    """One question: the ways to answer it, the columns that fill the budget, and what was said for columns so far."""

    asked: LinkedQuestion
    ways: tuple[Hypothesis, ...]
    likeliest: tuple[ColumnRef, ...]
    answerable: AnswerableWeights | None = None
    reasons: dict[ColumnRef, str] = field(default_factory=dict)

    @cached_property
    def places(self) -> dict[ColumnRef, int]:
        """Where each column stands in the ranking."""
        return {ref: at for at, ref in enumerate(self.asked.ranked.known.lexicon.refs)}

    @cached_property
    def missing(self) -> tuple[str, tuple[TableRef, ...]]:
        """What the warehouse lacks to answer, and the tables that come nearest; nothing where it may answer."""
        return _missing(self.asked, self.answerable)

    @cached_property
    def table_places(self) -> dict[int, int]:
        """The place of each table, from 1."""
        return {int(table): place for place, table in enumerate(np.argsort(-self.asked.ranked.tables), start=1)}


class ProfilesJudge:
    """Alternative connected groundings; what is measured decides between them, then what is likeliest."""

    name = "profiles"

    def __init__(
        self, column_budget: int, dialect: str, weights: Weights, answerable: AnswerableWeights | None = None
    ) -> None:
        self._column_budget, self._dialect, self._weights = column_budget, dialect, weights
        self._answerable = answerable
        self._last: _Thought | None = None
        self._looks = NO_LOOKS

    def propose(self, asked: LinkedQuestion) -> Proposal:
        """The likeliest way, and others that differ in one thing that is nearly as likely; or what is missing."""
        # A name that no shown value holds may be what makes the question look foreign: it is searched first.
        is_searched = bool(unbound_names(asked) and searched_columns(asked))
        missing, nearest = ("", ()) if is_searched else self._thought(asked).missing
        return Proposal(self._ways(asked), missing, nearest)

    def choose_tables(
        self,
        asked: LinkedQuestion,
        hypothesis: Hypothesis,
        unknown: tuple[Unknown, ...] = (),  # noqa: ARG002 - it names what exists
    ) -> tuple[Pick, ...]:
        """The tables of the way; the first takes along those of all columns that ranking would choose."""
        own = tables_of(asked, hypothesis)
        # What sets another way apart has the vote of that way alone.
        elsewhere = {ref for way in self._ways(asked) for ref in tables_of(asked, way)} - own
        likely = (ref.table for ref in self._likeliest(asked)) if hypothesis.number == 1 else ()
        others = [ref for ref in likely if ref not in elsewhere]
        joined = {table for pair in hypothesis.joins for table in (pair[0].table, pair[1].table)}
        picks = {ref: _why_table(asked, ref, is_joined=ref in joined) for ref in sorted(own)}
        return tuple(Pick(str(ref), picks.get(ref, "")) for ref in dict.fromkeys((*sorted(own), *others)))

    def choose_columns(
        self,
        asked: LinkedQuestion,
        hypothesis: Hypothesis,
        tables: tuple[TableRef, ...],
        unknown: tuple[Unknown, ...] = (),  # noqa: ARG002 - it names what exists
    ) -> tuple[Pick, ...]:
        """The columns of these tables that ranking would choose, the keys of the joins, and what is named."""
        likeliest = [ref for ref in self._likeliest(asked) if ref.table in tables]
        if hypothesis.number > 1:
            first = tables_of(asked, self._ways(asked)[0])
            shared = [ref for ref in likeliest if ref.table in first][:_COLUMNS_WITH_TWO_VOTES]
            likeliest = [ref for ref in likeliest if ref.table not in first or ref in shared]
        there = {ref.table for ref in likeliest}
        # Every table of the way can be read from: a key alone would say that it is needed, and not for what.
        scarce = dict.fromkeys((*(table for table in tables if table not in there), *tables_of(asked, hypothesis)))
        new = [ref for table in scarce for ref in ranked_columns(asked, [table])[:_COLUMNS_OF_A_TABLE]]
        keys = {ref: f"joins {other.table}" for pair in hypothesis.joins for ref, other in (pair, pair[::-1])}
        named = {one.ref: one.told for one in asked.mentions.bindings}
        columns = dict.fromkeys((*likeliest, *new, *keys, *hypothesis.columns))
        why = {**self._reasons(asked, columns), **named, **keys}
        return tuple(Pick(str(ref), why.get(ref, "")) for ref in columns if ref.table in tables)

    def decide(self, asked: LinkedQuestion, refinement: Refinement) -> Turn:
        """First a look at what is open, then decisions."""
        if not refinement.turns:
            self._looks = looks(asked, refinement, self._dialect)
            if self._looks.actions:
                return Turn(self._looks.actions)
        outcomes = [outcome for turn in refinement.turns for outcome in turn if outcome.is_done]
        if any(isinstance(outcome.action, Keep | Discard) for outcome in outcomes):
            return Turn()
        found = dict(_found(outcomes, self._looks))
        actions = tuple(self._decisions(asked, refinement, outcomes, found))
        return Turn(actions, "" if found else self._thought(asked).missing[0])

    def _decisions(
        self,
        asked: LinkedQuestion,
        refinement: Refinement,
        outcomes: list[ActionResult],
        found: Mapping[ColumnRef, str],
    ) -> Iterator[Action]:
        tried = self._looks.tried
        out = dict((*_not_joining(asked, refinement, outcomes, tried), *_out_of_time(asked, refinement, outcomes)))
        for table, why in out.items():
            yield Discard(items=[str(table)], reason=why)
        yield from (one for one in _surely_needed(asked, refinement) if not _is_of(one, out))
        for ref, value in found.items():
            yield Keep(items=[str(ref)], reason=f"a probe found “{value}” in it")
        beyond = [ref for ref in self._beyond(asked, refinement) if ref.table not in out]
        empty = _left_empty(refinement, beyond)
        if beyond:
            told = f"among the {self._column_budget} likeliest columns there is none that meets less of the question"
            yield Discard(items=[str(ref) for ref in (*empty, *beyond)][:100], reason=told)

    def _beyond(self, asked: LinkedQuestion, refinement: Refinement) -> list[ColumnRef]:
        """Undecided columns for which the budget has no room: the least likely, keys and named values last."""
        excess = len(_columns(refinement.answer)) - self._column_budget
        if excess <= 0:
            return []
        needed = {ref for one in refinement.hypotheses for pair in one.joins for ref in pair}
        needed |= {ref for one in refinement.hypotheses for ref in one.columns}
        undecided = [ref for ref in _columns(refinement.undecided) if ref not in needed]
        order = ranked_columns(asked, tuple(dict.fromkeys(ref.table for ref in undecided)))
        place = {ref: number for number, ref in enumerate(order)}
        return sorted(undecided, key=lambda ref: -place[ref])[:excess]

    def _ways(self, asked: LinkedQuestion) -> tuple[Hypothesis, ...]:
        return self._thought(asked).ways

    def _likeliest(self, asked: LinkedQuestion) -> tuple[ColumnRef, ...]:
        return self._thought(asked).likeliest

    def _thought(self, asked: LinkedQuestion) -> "_Thought":
        """What was thought of the last question is kept: all steps need it."""
        if self._last is None or self._last.asked is not asked:
            refs = asked.ranked.known.lexicon.refs
            self._last = _Thought(
                asked,
                tuple(said_as(asked, way, number) for number, way in enumerate(ways(asked), start=1)),
                tuple(refs[place] for place in allocate(asked.ranked, self._column_budget).columns),
                self._answerable,
            )
        return self._last

    def _reasons(self, asked: LinkedQuestion, columns: Iterable[ColumnRef]) -> dict[ColumnRef, str]:
        """What the ranking says for columns."""
        thought, ranked = self._thought(asked), asked.ranked
        of = ranked.known.lexicon.table_of
        for ref in columns:
            at = thought.places.get(ref)
            if at is not None and ref not in thought.reasons:
                place = thought.table_places[int(of[at])]
                thought.reasons[ref] = reason(ranked, self._weights.columns, at, place, None, is_joining=False)
        # Several ways are grounded side by side: what another adds meanwhile is not looked at.
        return {ref: thought.reasons[ref] for ref in columns if ref in thought.places}


def _left_empty(refinement: Refinement, out: list[ColumnRef]) -> list[TableRef]:
    """Undecided tables of no way to answer that keep no column."""
    needed = {ref for one in refinement.hypotheses for ref in one.tables}
    kept = {ref.table for ref in _columns(refinement.answer) if ref not in out}
    undecided = (item.ref for item in refinement.undecided if isinstance(item.ref, TableRef))
    return [ref for ref in undecided if ref not in needed and ref not in kept]


def _missing(asked: LinkedQuestion, weights: AnswerableWeights | None) -> tuple[str, tuple[TableRef, ...]]:
    """What the warehouse lacks to answer, and the tables that come nearest; nothing where it may answer."""
    judged = assess(asked.ranked, weights)
    if judged.is_answerable:
        return "", ()
    said = ", ".join(f"“{one}”" for one in judged.missing)
    missing = f"no table seems to tell of {said}" if said else "no table, and no two that join, seem to tell of it"
    return missing, judged.nearest_tables


def _is_of(keep: Keep, tables: Iterable[TableRef]) -> bool:
    return any(keep.items[0].startswith(f"{table}.") for table in tables)


def _not_joining(
    asked: LinkedQuestion, refinement: Refinement, outcomes: list[ActionResult], tried: Mapping[str, JoinHint]
) -> Iterator[tuple[TableRef, str]]:
    """Of two tables that a way joins by names alone, and whose rows never meet, the less likely one."""
    tables = asked.ranked.known.lexicon.tables
    odds = {table.ref: float(chance) for table, chance in zip(tables, asked.ranked.tables, strict=True)}
    undecided = {item.ref for item in refinement.undecided}
    for outcome in outcomes:
        pair = tried.get(outcome.action.sql) if isinstance(outcome.action, ProbeSql) else None
        if pair and not outcome.rows:
            table = min(pair, key=lambda one: odds.get(one.table, 0.0)).table
            if table in undecided:
                yield table, f"no row of it joins the other: {pair[0]} and {pair[1]} share no value"


def _columns(items: tuple[Item, ...]) -> list[ColumnRef]:
    return [item.ref for item in items if isinstance(item.ref, ColumnRef)]


def _surely_needed(asked: LinkedQuestion, refinement: Refinement) -> Iterator[Keep]:
    """Columns that hold what the question names, and the keys of the likeliest way."""
    undecided = {item.ref for item in refinement.undecided}
    lexicon = asked.ranked.known.lexicon
    for anchor in anchors(asked):
        ref = lexicon.refs[anchor.columns[0]]
        if ref in undecided:
            yield Keep(items=[str(ref)], reason=f"“{anchor.said}” is a value of it")
    for pair in refinement.hypotheses[0].joins:
        for ref, other in (pair, pair[::-1]):
            if ref in undecided:
                yield Keep(items=[str(ref)], reason=f"joins {other.table}")


def _why_table(asked: LinkedQuestion, ref: TableRef, *, is_joined: bool) -> str:
    bound = next((one for one in asked.mentions.bindings if one.ref.table == ref), None)
    if bound:
        return f"{bound.ref.path} {bound.told}"
    return "joins others of this way" if is_joined else ""


def _out_of_time(
    asked: LinkedQuestion, refinement: Refinement, outcomes: list[ActionResult]
) -> Iterator[tuple[TableRef, str]]:
    """Of tables that tell of the same thing the one whose days meet no period of the question, if the other's do."""
    days: dict[TableRef, tuple[date, date]] = {}
    for outcome in outcomes:
        for ref, first, last in outcome.days:
            known = days.get(ref.table, (first, last))
            days[ref.table] = min(known[0], first), max(known[1], last)
    meets = {
        table: any(first <= period.last and period.first <= last for period in asked.mentions.periods)
        for table, (first, last) in days.items()
    }
    undecided = {item.ref for item in refinement.undecided}
    for one, other in rivals(asked, refinement.hypotheses):
        for table, rival in ((one, other), (other, one)):
            if table in undecided and meets.get(table) is False and meets.get(rival):
                first, last = days[table]
                asks = " and ".join(f"{one.first} to {one.last}" for one in asked.mentions.periods[:2])
                yield table, f"its days run from {first} to {last}, those of {rival} meet {asks}"


def _found(outcomes: list[ActionResult], looked: Looks) -> Iterator[tuple[ColumnRef, str]]:
    """The columns that a search found a name in, with the value."""
    by_name = {str(ref): ref for ref in looked.searched}
    for outcome in outcomes:
        if isinstance(outcome.action, ProbeSql) and outcome.action.sql not in looked.tried:
            yield from ((by_name[row[0]], row[1]) for row in outcome.rows if row[0] in by_name)

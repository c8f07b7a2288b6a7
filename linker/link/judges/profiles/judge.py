"""
The judge without a language model: profiles, retrieval, the join graph and probes say what a question needs.

For one catalogue and one question it always says the same.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date

import numpy as np

from linker.link.actions import Action, Discard, Keep, ProbeSql
from linker.link.hypotheses import Hypothesis, JoinHint, Proposal
from linker.link.judges.base import Pick, Turn, Unknown
from linker.link.judges.profiles.anchors import anchors, unbound_names
from linker.link.judges.profiles.hypotheses import as_hypothesis, drafts, tables_of
from linker.link.judges.profiles.lookups import Lookups, lookups_for, rivals, searched_columns
from linker.link.question import LinkedQuestion
from linker.link.refinement import ActionResult, Item, Refinement
from linker.link.views import ranked_columns
from linker.ranking.allocation import allocate
from linker.ranking.answerable import assess
from linker.ranking.ranker import Ranked, reason
from linker.ranking.weights import AnswerableWeights, Weights
from linker.types import ColumnRef, TableRef

# What a table of a way has at least, even if the ranking of the whole catalogue had no room for it.
_COLUMNS_OF_A_TABLE = 4
# The first way is generous; of the others only what is likeliest has a vote, so that not all of it is required.
_COLUMNS_WITH_TWO_VOTES = 12


@dataclass(frozen=True, slots=True)
class _Considered:
    """One question: the hypotheses, the columns that fill the budget and why, and what the warehouse lacks."""

    hypotheses: tuple[Hypothesis, ...]
    likeliest: tuple[ColumnRef, ...]
    # Where each column stands in the ranking, and the place of each table, from 1.
    places: Mapping[ColumnRef, int]
    table_places: Mapping[int, int]
    reasons: Mapping[ColumnRef, str]
    missing: str
    nearest: tuple[TableRef, ...]


class ProfilesJudge:
    """
    Alternative connected groundings of one question; what is measured decides between them, then what is likeliest.

    It keeps what follows from the question alone, worked out once, and changes nothing: threads may share it.
    """

    name = "profiles"

    def __init__(
        self,
        question: LinkedQuestion,
        column_budget: int,
        dialect: str,
        weights: Weights,
        answerable: AnswerableWeights | None = None,
    ) -> None:
        self._column_budget, self._dialect, self._weights = column_budget, dialect, weights
        ranked, refs = question.ranked, question.ranked.known.lexicon.refs
        columns = allocate(ranked, column_budget).columns
        table_places = {int(table): place for place, table in enumerate(np.argsort(-ranked.tables), start=1)}
        missing, nearest = _missing(question, answerable)
        self._considered = _Considered(
            hypotheses=tuple(
                as_hypothesis(question, draft, number) for number, draft in enumerate(drafts(question), 1)
            ),
            likeliest=tuple(refs[place] for place in columns),
            places={ref: place for place, ref in enumerate(refs)},
            table_places=table_places,
            reasons={refs[place]: _reason(ranked, weights, place, table_places) for place in columns},
            missing=missing,
            nearest=nearest,
        )

    def propose(self, question: LinkedQuestion) -> Proposal:
        """The likeliest hypothesis, and others that differ in one thing nearly as likely; or what is missing."""
        considered = self._considered
        # A name that no shown value holds may be what makes the question look foreign: it is searched first.
        if unbound_names(question) and searched_columns(question):
            return Proposal(considered.hypotheses, "", ())
        return Proposal(considered.hypotheses, considered.missing, considered.nearest)

    def choose_tables(
        self,
        question: LinkedQuestion,
        hypothesis: Hypothesis,
        unknown: tuple[Unknown, ...] = (),  # noqa: ARG002 - it names what exists
    ) -> tuple[Pick, ...]:
        """The tables of the hypothesis; the first takes along those of all columns that ranking would choose."""
        own = tables_of(question, hypothesis)
        # What sets another hypothesis apart has the vote of that one alone.
        elsewhere = {ref for other in self._considered.hypotheses for ref in tables_of(question, other)} - own
        likely = (ref.table for ref in self._considered.likeliest) if hypothesis.number == 1 else ()
        others = [ref for ref in likely if ref not in elsewhere]
        joined = {column.table for pair in hypothesis.joins for column in pair}
        picks = {ref: _why_table(question, ref, is_joined=ref in joined) for ref in sorted(own)}
        return tuple(Pick(str(ref), picks.get(ref, "")) for ref in dict.fromkeys((*picks, *others)))

    def choose_columns(
        self,
        question: LinkedQuestion,
        hypothesis: Hypothesis,
        tables: tuple[TableRef, ...],
        unknown: tuple[Unknown, ...] = (),  # noqa: ARG002 - it names what exists
    ) -> tuple[Pick, ...]:
        """The columns of these tables that ranking would choose, the keys of the joins, and what is named."""
        likeliest = [ref for ref in self._considered.likeliest if ref.table in tables]
        if hypothesis.number > 1:
            first = tables_of(question, self._considered.hypotheses[0])
            shared = [ref for ref in likeliest if ref.table in first][:_COLUMNS_WITH_TWO_VOTES]
            likeliest = [ref for ref in likeliest if ref.table not in first or ref in shared]
        there = {ref.table for ref in likeliest}
        # Every table of the hypothesis can be read from: a key alone would say that it is needed, and not for what.
        scarce = dict.fromkeys(
            (*(table for table in tables if table not in there), *sorted(tables_of(question, hypothesis)))
        )
        new = [ref for table in scarce for ref in ranked_columns(question, [table])[:_COLUMNS_OF_A_TABLE]]
        keys = {ref: f"joins {other.table}" for pair in hypothesis.joins for ref, other in (pair, pair[::-1])}
        why = {**{binding.ref: binding.told for binding in question.mentions.bindings}, **keys}
        columns = dict.fromkeys((*likeliest, *new, *keys, *hypothesis.columns))
        return tuple(
            Pick(str(ref), why[ref] if ref in why else self._reason(question, ref))
            for ref in columns
            if ref.table in tables
        )

    def decide(self, question: LinkedQuestion, refinement: Refinement) -> Turn:
        """First lookups of what is open, then decisions."""
        outcomes = [outcome for turn in refinement.turns for outcome in turn if outcome.is_done]
        if any(isinstance(outcome.action, Keep | Discard) for outcome in outcomes):
            return Turn()
        # The same for the same hypotheses, in whichever turn.
        lookups = lookups_for(question, refinement.hypotheses, self._dialect)
        if not refinement.turns and lookups.actions:
            return Turn(lookups.actions)
        found = dict(_found(outcomes, lookups))
        actions = tuple(self._decisions(question, refinement, outcomes, lookups.joins, found))
        return Turn(actions, "" if found else self._considered.missing)

    def _decisions(
        self,
        question: LinkedQuestion,
        refinement: Refinement,
        outcomes: list[ActionResult],
        joins: Mapping[str, JoinHint],
        found: Mapping[ColumnRef, str],
    ) -> Iterator[Action]:
        out = dict(
            (*_not_joining(question, refinement, outcomes, joins), *_out_of_time(question, refinement, outcomes))
        )
        for table, why in out.items():
            yield Discard(items=[str(table)], reason=why)
        yield from (keep for keep in _surely_needed(question, refinement) if not _is_of(keep, out))
        for ref, value in found.items():
            yield Keep(items=[str(ref)], reason=f"a probe found “{value}” in it")
        beyond = [ref for ref in self._beyond(question, refinement) if ref.table not in out]
        empty = _left_empty(refinement, beyond)
        if beyond:
            reason = f"among the {self._column_budget} likeliest columns there is none that meets less of the question"
            yield Discard(items=[str(ref) for ref in (*empty, *beyond)][:100], reason=reason)

    def _beyond(self, question: LinkedQuestion, refinement: Refinement) -> list[ColumnRef]:
        """Undecided columns for which the budget has no room: the least likely, keys and named values last."""
        excess = len(_columns(refinement.answer)) - self._column_budget
        if excess <= 0:
            return []
        needed = {ref for hypothesis in refinement.hypotheses for pair in hypothesis.joins for ref in pair}
        needed |= {ref for hypothesis in refinement.hypotheses for ref in hypothesis.columns}
        undecided = [ref for ref in _columns(refinement.undecided) if ref not in needed]
        order = ranked_columns(question, tuple(dict.fromkeys(ref.table for ref in undecided)))
        place = {ref: number for number, ref in enumerate(order)}
        return sorted(undecided, key=lambda ref: -place[ref])[:excess]

    def _reason(self, question: LinkedQuestion, ref: ColumnRef) -> str:
        """The argument of the ranking for a column; none for a column that it leaves out."""
        considered = self._considered
        if ref in considered.reasons or ref not in considered.places:
            return considered.reasons.get(ref, "")
        return _reason(question.ranked, self._weights, considered.places[ref], considered.table_places)


def _reason(ranked: Ranked, weights: Weights, column: int, table_places: Mapping[int, int]) -> str:
    place = table_places[int(ranked.known.lexicon.table_of[column])]
    return reason(ranked, weights.columns, column, place, None, is_joining=False)


def _left_empty(refinement: Refinement, out: list[ColumnRef]) -> list[TableRef]:
    """Undecided tables of no way to answer that keep no column."""
    needed = {ref for hypothesis in refinement.hypotheses for ref in hypothesis.tables}
    kept = {ref.table for ref in _columns(refinement.answer) if ref not in out}
    undecided = (item.ref for item in refinement.undecided if isinstance(item.ref, TableRef))
    return [ref for ref in undecided if ref not in needed and ref not in kept]


def _missing(question: LinkedQuestion, weights: AnswerableWeights | None) -> tuple[str, tuple[TableRef, ...]]:
    """The lack that keeps the warehouse from answering, and the nearest tables; nothing if it may answer."""
    judged = assess(question.ranked, weights)
    if judged.is_answerable:
        return "", ()
    names = ", ".join(f"“{name}”" for name in judged.missing)
    missing = f"no table seems to tell of {names}" if names else "no table, and no two that join, seem to tell of it"
    return missing, judged.nearest_tables


def _is_of(keep: Keep, tables: Iterable[TableRef]) -> bool:
    return any(keep.items[0].startswith(f"{table}.") for table in tables)


def _not_joining(
    question: LinkedQuestion, refinement: Refinement, outcomes: list[ActionResult], tried: Mapping[str, JoinHint]
) -> Iterator[tuple[TableRef, str]]:
    """Of two tables that a way joins by names alone, and whose rows never meet, the less likely one."""
    tables = question.ranked.known.lexicon.tables
    odds = {table.ref: float(chance) for table, chance in zip(tables, question.ranked.tables, strict=True)}
    undecided = {item.ref for item in refinement.undecided}
    for outcome in outcomes:
        pair = tried.get(outcome.action.sql) if isinstance(outcome.action, ProbeSql) else None
        if pair and not outcome.rows:
            table = min(pair, key=lambda column: odds.get(column.table, 0.0)).table
            if table in undecided:
                yield table, f"no row of it joins the other: {pair[0]} and {pair[1]} share no value"


def _columns(items: tuple[Item, ...]) -> list[ColumnRef]:
    return [item.ref for item in items if isinstance(item.ref, ColumnRef)]


def _surely_needed(question: LinkedQuestion, refinement: Refinement) -> Iterator[Keep]:
    """Columns that hold what the question names, and the keys of the likeliest way."""
    undecided = {item.ref for item in refinement.undecided}
    lexicon = question.ranked.known.lexicon
    for anchor in anchors(question):
        ref = lexicon.refs[anchor.columns[0]]
        if ref in undecided:
            yield Keep(items=[str(ref)], reason=f"“{anchor.name}” is a value of it")
    for pair in refinement.hypotheses[0].joins:
        for ref, other in (pair, pair[::-1]):
            if ref in undecided:
                yield Keep(items=[str(ref)], reason=f"joins {other.table}")


def _why_table(question: LinkedQuestion, ref: TableRef, *, is_joined: bool) -> str:
    bound = next((binding for binding in question.mentions.bindings if binding.ref.table == ref), None)
    if bound:
        return f"{bound.ref.path} {bound.told}"
    return "joins others of this way" if is_joined else ""


def _out_of_time(
    question: LinkedQuestion, refinement: Refinement, outcomes: list[ActionResult]
) -> Iterator[tuple[TableRef, str]]:
    """Of tables that tell of the same thing the one whose days meet no period of the question, if the other's do."""
    days: dict[TableRef, tuple[date, date]] = {}
    for outcome in outcomes:
        for ref, first, last in outcome.days:
            known = days.get(ref.table, (first, last))
            days[ref.table] = min(known[0], first), max(known[1], last)
    meets = {
        table: any(first <= period.last and period.first <= last for period in question.mentions.periods)
        for table, (first, last) in days.items()
    }
    undecided = {item.ref for item in refinement.undecided}
    for left, other in rivals(question, refinement.hypotheses):
        for table, rival in ((left, other), (other, left)):
            if table in undecided and meets.get(table) is False and meets.get(rival):
                first, last = days[table]
                asks = " and ".join(f"{period.first} to {period.last}" for period in question.mentions.periods[:2])
                yield table, f"its days run from {first} to {last}, those of {rival} meet {asks}"


def _found(outcomes: list[ActionResult], lookups: Lookups) -> Iterator[tuple[ColumnRef, str]]:
    """The columns that a search found a name in, with the value."""
    by_name = {str(ref): ref for ref in lookups.searched}
    for outcome in outcomes:
        if isinstance(outcome.action, ProbeSql) and outcome.action.sql in lookups.searches:
            yield from ((by_name[row[0]], row[1]) for row in outcome.rows if row[0] in by_name)

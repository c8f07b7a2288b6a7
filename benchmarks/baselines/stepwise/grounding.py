"""
Grounds each hypothesis independently in existing tables and columns.

It includes items that the hypothesis names, and columns of chosen tables that contain values of the
question.
"""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain
from typing import Protocol

from linker.identifiers.resolver import Names, Unknown
from linker.linking.linking_state import Grounding, Hypothesis, RefT
from linker.linking.value_linking import LinkedQuestion
from linker.types import Ref, TableRef


@dataclass(frozen=True, slots=True)
class Pick:
    """A table or column by name, with the reason."""

    name: str
    why: str = ""


class Chooser(Protocol):
    """The part of a judge that grounds."""

    def choose_tables(
        self, question: LinkedQuestion, hypothesis: Hypothesis, unknown: tuple[Unknown, ...] = ()
    ) -> tuple[Pick, ...]:
        """Tables that the hypothesis may need."""

    def choose_columns(
        self,
        question: LinkedQuestion,
        hypothesis: Hypothesis,
        tables: tuple[TableRef, ...],
        unknown: tuple[Unknown, ...] = (),
    ) -> tuple[Pick, ...]:
        """Columns of these tables that the hypothesis may need."""


def ground(
    judge: Chooser, question: LinkedQuestion, hypotheses: Sequence[Hypothesis], names: Names
) -> tuple[Grounding, ...]:
    """All hypotheses, side by side, in their order."""
    with ThreadPoolExecutor(max(1, len(hypotheses))) as pool:
        return tuple(
            pool.map(lambda hypothesis: ground_one(judge, question, hypothesis, names), hypotheses)
        )


def ground_one(
    judge: Chooser, question: LinkedQuestion, hypothesis: Hypothesis, names: Names
) -> Grounding:
    """First the tables, then the columns of these."""
    ends = tuple(chain.from_iterable(hypothesis.joins))
    tables_of_columns = (column.table for column in (*ends, *hypothesis.columns))
    hinted = list(dict.fromkeys((*hypothesis.tables, *tables_of_columns)))
    tables, why_tables, lost_tables = _named(
        lambda unknown: judge.choose_tables(question, hypothesis, unknown), names.table
    )
    chosen = tuple(dict.fromkeys((*tables, *hinted)))
    columns, why_columns, lost_columns = _named(
        lambda unknown: judge.choose_columns(question, hypothesis, chosen, unknown),
        lambda name: names.column(name, chosen),
    )
    bound = {
        binding.ref: binding.fact
        for binding in question.mentions.bindings
        if binding.ref.table in chosen
    }
    why: list[tuple[Ref, str]] = [*why_tables.items(), *{**bound, **why_columns}.items()]
    needed = tuple(dict.fromkeys((*columns, *ends, *hypothesis.columns, *bound)))
    return Grounding(
        hypothesis,
        tuple(dict.fromkeys((*chosen, *(column.table for column in needed)))),
        needed,
        tuple(why),
        tuple(name.name for name in (*lost_tables, *lost_columns)),
    )


def _named(
    choose: Callable[[tuple[Unknown, ...]], Iterable[Pick]], find: Callable[[str], RefT | Unknown]
) -> tuple[list[RefT], dict[RefT, str], list[Unknown]]:
    """Chosen tables or columns, reasons, and names that stay unresolved after a second attempt."""
    found: dict[RefT, str] = {}
    lost = _sort(choose(()), find, found)
    if lost:
        lost = _sort(choose(tuple(lost)), find, found)
    return list(found), {ref: why for ref, why in found.items() if why}, lost


def _sort(
    picks: Iterable[Pick], find: Callable[[str], RefT | Unknown], found: dict[RefT, str]
) -> list[Unknown]:
    """Adds resolved picks to `found`; returns the others."""
    lost = []
    for pick in picks:
        ref = find(pick.name)
        if isinstance(ref, Unknown):
            lost.append(ref)
        else:
            found[ref] = found.get(ref) or pick.why
    return lost

"""
Hypotheses: enter several ways to answer a question, leave those that differ in structure, at most four.

Two are the same when they use the same tables, the same joins and the same columns, however they are worded.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from linker.types import ColumnRef, Ref, TableRef

MOST_HYPOTHESES = 4
# What makes two ways to answer differ: several sources of an entity, several ways to join, several columns that may
# hold a condition or a measure, several grains of a measure, a word that may mean several things.
Signal = Literal["source", "join_path", "encoding", "granularity", "term"]

JoinHint = tuple[ColumnRef, ColumnRef]


@dataclass(frozen=True, slots=True)
class Divergence:
    """A difference between this hypothesis and the others, in a line."""

    signal: Signal
    text: str

    def __str__(self) -> str:
        return f"{self.signal}: {self.text}"


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One way to answer. Tables, joins and columns are hints: grounding may choose others."""

    number: int
    summary: str
    diverges: tuple[Divergence, ...] = ()
    tables: tuple[TableRef, ...] = ()
    joins: tuple[JoinHint, ...] = ()
    columns: tuple[ColumnRef, ...] = ()


@dataclass(frozen=True, slots=True)
class Proposal:
    """Hypotheses of a judge; where the warehouse cannot answer, what is missing and what comes nearest."""

    hypotheses: tuple[Hypothesis, ...]
    missing: str = ""
    nearest: tuple[Ref, ...] = ()


Structure = tuple[frozenset[TableRef], frozenset[frozenset[ColumnRef]], frozenset[ColumnRef]]


def structure(hypothesis: Hypothesis) -> Structure:
    """Parts that tell a hypothesis from others: its tables, its joins whichever side is left, and its columns."""
    joins = frozenset(frozenset(pair) for pair in hypothesis.joins)
    ends = {column for pair in hypothesis.joins for column in pair}
    named = {column.table for column in (*hypothesis.columns, *ends)}
    return frozenset({*hypothesis.tables, *named}), joins, frozenset({*hypothesis.columns} - ends)


def distinct(hypotheses: Iterable[Hypothesis], most: int = MOST_HYPOTHESES) -> tuple[Hypothesis, ...]:
    """The first of each structure, numbered anew; what a paraphrase says of how it differs is not lost."""
    found: dict[Structure, Hypothesis] = {}
    for hypothesis in hypotheses:
        first = found.setdefault(structure(hypothesis), hypothesis)
        if first is not hypothesis:
            diverges = tuple(dict.fromkeys((*first.diverges, *hypothesis.diverges)))
            found[structure(hypothesis)] = replace(first, diverges=diverges)
    return tuple(
        replace(hypothesis, number=number) for number, hypothesis in enumerate(list(found.values())[:most], start=1)
    )

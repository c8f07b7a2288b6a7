"""Hypotheses: the ways to answer a question, at most four, and what is missing where none does."""

from typing import Literal

from linker.types import ColumnRef, Record, Ref, TableRef

MOST_HYPOTHESES = 4
# What makes two ways to answer differ: several sources of an entity, several ways to join, several
# columns that may hold a condition or a measure, several grains of a measure, a word that may mean
# several things.
Signal = Literal["source", "join_path", "encoding", "granularity", "term"]

JoinHint = tuple[ColumnRef, ColumnRef]


class Divergence(Record, frozen=True):
    """A difference between this hypothesis and the others, in a line."""

    signal: Signal
    text: str

    def __str__(self) -> str:
        return f"{self.signal}: {self.text}"


class Hypothesis(Record, frozen=True):
    """One way to answer. Tables, joins and columns are hints: grounding may choose others."""

    number: int
    summary: str
    diverges: tuple[Divergence, ...] = ()
    tables: tuple[TableRef, ...] = ()
    joins: tuple[JoinHint, ...] = ()
    columns: tuple[ColumnRef, ...] = ()


class Proposal(Record, frozen=True):
    """
    Hypotheses of a judge; where the warehouse cannot answer, what is missing and what comes
    nearest.
    """

    hypotheses: tuple[Hypothesis, ...]
    missing: str = ""
    nearest: tuple[Ref, ...] = ()

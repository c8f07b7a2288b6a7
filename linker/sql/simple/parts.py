"""What the builders of a statement share: its frame, what each part stands for and how it is written, and doubts."""

from dataclasses import dataclass, field

from linker.sql.simple.frame import Frame
from linker.sql.simple.joining import SURE_JOIN, Joins, Step
from linker.sql.simple.names import Names
from linker.sql.simple.resolving import Resolved
from linker.sql.simple.writing import Writing
from linker.types import ColumnRef, TableRef


@dataclass(frozen=True)
class Parts:
    """
    The parts of one statement.

    `spoken` are the stems of the question; `doubts` and `readings` grow while it is built.
    """

    frame: Frame
    resolved: Resolved
    names: Names
    joins: Joins
    write: Writing
    spoken: frozenset[str]
    doubts: dict[str, None] = field(default_factory=dict)
    readings: dict[str, str] = field(default_factory=dict)

    def doubt(self, doubt: str) -> None:
        """Note what is not certain."""
        self.doubts[doubt] = None

    def doubt_table(self, table: TableRef) -> None:
        """Note what speaks against reading a table."""
        if table in self.names.set_aside:
            self.doubt(f"{table} looks as if it were out of use")
        if table in self.names.bridges:
            self.doubt(f"{table} is read because it joins the others, and was not linked")

    def doubt_join(self, step: Step) -> None:
        """Note that a join is not sure, where it is not."""
        if step.pair.confidence < SURE_JOIN:
            self.doubt(f"that {step.child} and {step.parent} join is not sure")

    def scale(self, column: ColumnRef) -> int:
        """How many of what a column keeps make a whole unit; that they are not one is told."""
        if not self.names.is_in_cents(column):
            return 1
        self.readings[f"{column.path} / 100"] = "whole units: the column keeps cents"
        return 100

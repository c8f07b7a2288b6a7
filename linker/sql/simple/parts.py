"""What the builders of a statement share: its frame, what each part stands for and how it is written, and doubts."""

from dataclasses import dataclass, field

from linker.sql.simple.frame import Frame
from linker.sql.simple.joining import Joins
from linker.sql.simple.names import Names
from linker.sql.simple.resolving import Resolved
from linker.sql.simple.writing import Writing


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

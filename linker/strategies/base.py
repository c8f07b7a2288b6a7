"""The seam to linking: enter a question and the environment, leaves the linked schema."""

from typing import Protocol

from linker.environment import Environment
from linker.link.answer import LinkedSchema


class Strategy(Protocol):
    """One way to link."""

    def link(self, question: str, environment: Environment) -> LinkedSchema:
        """The tables and columns that the question needs."""

"""
A mind for each step: enters who is to answer which step, leaves one mind, and the one without a model as reserve.

What a model cannot answer is no end of the run: the step is done without it, and the answer says so. A model that
failed twice is not asked again.
"""

from collections.abc import Callable, Mapping
from threading import Lock
from typing import TypeVar

from linker.errors import LimitReached, ModelError
from linker.link.hypotheses import Hypothesis, Proposal
from linker.link.judges.base import Mind, Pick, Step, Turn, Unknown
from linker.link.question import Asked
from linker.link.refinement import Refinement
from linker.types import TableRef

AnswerT = TypeVar("AnswerT")
# (step, what happened)
OnDegraded = Callable[[Step, str], None]
_MOST_FAILURES = 2
_LASTING = ("setup", "unauthorized", "quota", "not_found", "limit")


class MindByStep:
    """Asks the mind of a step, and the reserve where that one cannot answer."""

    name = "by step"

    def __init__(self, minds: Mapping[Step, Mind], reserve: Mind, on_degraded: OnDegraded) -> None:
        self._minds, self._reserve, self._on_degraded = minds, reserve, on_degraded
        self._failures: dict[str, int] = {}
        self._lock = Lock()

    def propose(self, asked: Asked) -> Proposal:
        """Ways to answer, by the mind of that step."""
        return self._ask("hypotheses", lambda mind: mind.propose(asked))

    def choose_tables(
        self, asked: Asked, hypothesis: Hypothesis, unknown: tuple[Unknown, ...] = ()
    ) -> tuple[Pick, ...]:
        """Tables, by the mind of that step."""
        return self._ask("tables", lambda mind: mind.choose_tables(asked, hypothesis, unknown))

    def choose_columns(
        self, asked: Asked, hypothesis: Hypothesis, tables: tuple[TableRef, ...], unknown: tuple[Unknown, ...] = ()
    ) -> tuple[Pick, ...]:
        """Columns, by the mind of that step."""
        return self._ask("columns", lambda mind: mind.choose_columns(asked, hypothesis, tables, unknown))

    def decide(self, asked: Asked, refinement: Refinement) -> Turn:
        """The next turn, by the mind of that step."""
        return self._ask("refinement", lambda mind: mind.decide(asked, refinement))

    def _ask(self, step: Step, question: Callable[[Mind], AnswerT]) -> AnswerT:
        mind = self._minds.get(step, self._reserve)
        if mind is self._reserve or self._failures.get(mind.name, 0) >= _MOST_FAILURES:
            return question(self._reserve)
        try:
            return question(mind)
        except (ModelError, LimitReached) as error:
            is_lasting = isinstance(error, LimitReached) or error.code in _LASTING
            with self._lock:
                failed = self._failures.get(mind.name, 0) + (_MOST_FAILURES if is_lasting else 1)
                self._failures[mind.name] = failed
            self._on_degraded(step, error.what)
            return question(self._reserve)

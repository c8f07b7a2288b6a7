"""
A judge for each step: enters who is to answer which step, leaves one judge, and the one without a model as reserve.

What a model cannot answer is no end of the run: the step is done without it, and the answer says so. A model that
failed twice is not asked again.
"""

from collections.abc import Callable, Mapping
from threading import Lock
from typing import TypeVar

from linker.errors import LimitReached, ModelError
from linker.link.hypotheses import Hypothesis, Proposal
from linker.link.judges.base import Judge, Pick, Step, Turn, Unknown
from linker.link.question import LinkedQuestion
from linker.link.refinement import Refinement
from linker.types import TableRef

AnswerT = TypeVar("AnswerT")
# (step, what happened)
OnDegraded = Callable[[Step, str], None]
_MOST_FAILURES = 2
_LASTING = ("setup", "unauthorized", "quota", "not_found", "limit")


class JudgeByStep:
    """Asks the judge of a step, and the reserve where that one cannot answer."""

    name = "by step"

    def __init__(self, judges: Mapping[Step, Judge], reserve: Judge, on_degraded: OnDegraded) -> None:
        self._minds, self._reserve, self._on_degraded = judges, reserve, on_degraded
        self._failures: dict[str, int] = {}
        self._lock = Lock()

    def propose(self, asked: LinkedQuestion) -> Proposal:
        """Ways to answer, by the judge of that step."""
        return self._ask("hypotheses", lambda judge: judge.propose(asked))

    def choose_tables(
        self, asked: LinkedQuestion, hypothesis: Hypothesis, unknown: tuple[Unknown, ...] = ()
    ) -> tuple[Pick, ...]:
        """Tables, by the judge of that step."""
        return self._ask("tables", lambda judge: judge.choose_tables(asked, hypothesis, unknown))

    def choose_columns(
        self,
        asked: LinkedQuestion,
        hypothesis: Hypothesis,
        tables: tuple[TableRef, ...],
        unknown: tuple[Unknown, ...] = (),
    ) -> tuple[Pick, ...]:
        """Columns, by the judge of that step."""
        return self._ask("columns", lambda judge: judge.choose_columns(asked, hypothesis, tables, unknown))

    def decide(self, asked: LinkedQuestion, refinement: Refinement) -> Turn:
        """The next turn, by the judge of that step."""
        return self._ask("refinement", lambda judge: judge.decide(asked, refinement))

    def _ask(self, step: Step, question: Callable[[Judge], AnswerT]) -> AnswerT:
        judge = self._minds.get(step, self._reserve)
        if judge is self._reserve or self._failures.get(judge.name, 0) >= _MOST_FAILURES:
            return question(self._reserve)
        try:
            return question(judge)
        except (ModelError, LimitReached) as error:
            is_lasting = isinstance(error, LimitReached) or error.code in _LASTING
            with self._lock:
                failed = self._failures.get(judge.name, 0) + (_MOST_FAILURES if is_lasting else 1)
                self._failures[judge.name] = failed
            self._on_degraded(step, error.what)
            return question(self._reserve)

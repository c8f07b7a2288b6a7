"""
The language model as strategies ask it: enters a prompt, leaves the answer, or nothing and a warning that says why.

What fails does not lose what was found before. Where nothing was found and only the user can mend it, the run ends.
"""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import TypeVar

from linker.errors import LimitReached, ModelError
from linker.link.frame import Linking
from linker.link.grounding import Pick, named
from linker.link.traced_model import TracedSession
from linker.models import AnswerT, ModelSession, Prompt
from linker.names.repair import Unknown
from linker.types import ColumnRef, TableRef

RefT = TypeVar("RefT", TableRef, ColumnRef)
ResultT = TypeVar("ResultT")
Unknowns = tuple[Unknown, ...]
# A model that failed so often in a row is not asked again in this run.
_MOST_FAILURES = 2
_FOR_THE_USER = ("setup", "unauthorized", "quota", "not_found", "rejected")


class ModelQuestions:
    """Asks the model of one run; several threads may ask at once."""

    def __init__(self, linking: Linking) -> None:
        environment = linking.environment
        if environment.model is None:
            raise TypeError("a strategy asks a model that it does not say it needs")
        self._linking = linking
        session = ModelSession(
            environment.model, linking.ledger, max_concurrent_calls=environment.settings.model_concurrency
        )
        self._session = TracedSession(session, linking.trace)
        self._lock = Lock()
        self._answers, self._failures, self._is_over = 0, 0, False

    def ask(self, step: str, prompt: Prompt, answer: type[AnswerT]) -> AnswerT | None:
        """The answer; None where there is none, which is said once for each step and reason."""
        if self._is_over:
            return None
        try:
            said = self._session.at(step).complete(prompt, answer).answer
        except (LimitReached, ModelError) as error:
            self._failed(step, error)
            return None
        with self._lock:
            self._answers, self._failures = self._answers + 1, 0
        return said

    def choose(
        self, choose: Callable[[Unknowns], Iterable[str]], find: Callable[[str], RefT | Unknown]
    ) -> tuple[tuple[RefT, ...], tuple[str, ...]]:
        """What names mean; those that lead nowhere are told once, and what leads nowhere then is given back."""
        found, _, lost = named(lambda unknown: map(Pick, choose(unknown)), find)
        return tuple(found), tuple(one.name for one in lost)

    def together(self, *tasks: Callable[[], ResultT]) -> list[ResultT]:
        """Side by side, the results in order."""
        with ThreadPoolExecutor(max(1, min(len(tasks), self._linking.environment.settings.model_concurrency))) as pool:
            return [one.result() for one in [pool.submit(task) for task in tasks]]

    def empty(self, step: str, what: str) -> None:
        """An answer of the right shape that says nothing."""
        self._told(step, f"the answer was empty: {what}")

    def _failed(self, step: str, error: LimitReached | ModelError) -> None:
        is_lasting = isinstance(error, LimitReached) or error.code in (*_FOR_THE_USER, "limit")
        with self._lock:
            self._failures += 1
            self._is_over = self._is_over or is_lasting or self._failures >= _MOST_FAILURES
            has_nothing = not self._answers
        if has_nothing and isinstance(error, ModelError) and error.code in _FOR_THE_USER:
            raise error
        self._told(step, error.what)

    def _told(self, step: str, what: str) -> None:
        self._linking.trace.note("degraded", step=step, what=what)
        self._linking.warn(f"the step `{step}` was not answered by the language model: {what}")

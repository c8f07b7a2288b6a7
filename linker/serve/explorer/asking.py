"""
A question that is thought about: enters a resident environment, leaves the steps as they happen,
and the answer.
"""

from collections.abc import Iterator
from contextvars import copy_context
from queue import SimpleQueue
from threading import Thread
from typing import Any

from linker.errors import LinkerError
from linker.link.answer import LinkedSchema
from linker.link.trace import watched
from linker.render.trace import render_step
from linker.serve.explorer.html import growing_page
from linker.serve.resident import Resident, ask
from linker.types import Record

_WIDTH = 110
# What people call the steps whose names are those of the trace.
_TITLES = {
    "found": "what lies near",
    "ranking": "what is likely",
    "mentions": "what it names",
    "groundings": "columns of each way",
}


class ShownStep(Record, frozen=True):
    """A step, its title and what it says."""

    title: str
    text: str


class AskOutcome(Record, frozen=True):
    """The answer, or what is wrong."""

    schema: LinkedSchema | None = None
    problem: str = ""


def ask_page(resident: Resident, question: str) -> Iterator[str]:
    """The page of a question, piece by piece while it is thought about."""
    live = _Live(resident, question)
    shown: dict[str, Any] = {
        "question": question,
        "steps": live.steps(),
        "answer": live.answer,
        "served": True,
    }
    return growing_page("ask", "ask.html", **shown)


class _Live:
    """One question, answered in a thread of its own, so that its steps can be shown meanwhile."""

    def __init__(self, resident: Resident, question: str) -> None:
        self._resident, self._question = resident, question
        self._events: SimpleQueue[dict[str, Any] | None] = SimpleQueue()
        self._outcome = AskOutcome(problem="it was not answered")

    def steps(self) -> Iterator[ShownStep]:
        """The steps; it is asked when the first one is wanted."""
        Thread(target=copy_context().run, args=(self._think,), daemon=True).start()
        while event := self._events.get():
            title, _, text = render_step(event, width=_WIDTH).partition("\n")
            if title:
                yield ShownStep(_TITLES.get(title, title), text)

    def answer(self) -> AskOutcome:
        """What came of it, after the last step."""
        return self._outcome

    def _think(self) -> None:
        try:
            with self._resident.turn() as environment, watched(self._events.put):
                self._outcome = AskOutcome(ask(self._question, environment))
        except LinkerError as error:
            self._outcome = AskOutcome(problem=f"{error.what}; {error.hint}")
        finally:
            self._events.put(None)

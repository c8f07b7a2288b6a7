"""
Cooperative cancellation of work whose caller disconnected.

Blocking waits register how they are interrupted; loops poll. Threads that work for the same caller
copy its context and so share its cancellation.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock

from linker.errors import CallerGoneError

_CANCELLATION: ContextVar["Cancellation | None"] = ContextVar("cancellation", default=None)


class Cancellation:
    """Cancellation of the work for one caller, callable from another thread."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._is_cancelled = False
        self._ends: list[Callable[[], object]] = []

    def cancel(self) -> None:
        """Interrupt current and future waits."""
        with self._lock:
            self._is_cancelled = True
            for end in self._ends:
                end()

    def check(self) -> None:
        """Raise CallerGoneError if cancelled."""
        if self._is_cancelled:
            raise CallerGoneError("the client has disconnected", hint="ask again")

    @contextmanager
    def current(self) -> Iterator[None]:
        """Make it the current cancellation in the block, and in threads that copy its context."""
        token = _CANCELLATION.set(self)
        try:
            yield
        finally:
            _CANCELLATION.reset(token)

    @contextmanager
    def ending(self, end: Callable[[], object]) -> Iterator[None]:
        """Call `end` on cancellation during the block; `end` must not block."""
        with self._lock:
            self.check()
            self._ends.append(end)
        try:
            yield
        finally:
            with self._lock:
                self._ends.remove(end)


def current_cancellation() -> Cancellation:
    """The cancellation of this context, or one that is never cancelled."""
    return _CANCELLATION.get() or Cancellation()

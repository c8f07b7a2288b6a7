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

_CURRENT: ContextVar["Cancellation | None"] = ContextVar("cancellation", default=None)


class Cancellation:
    """Work for one caller, which may be cancelled from another thread."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._is_cancelled = False
        self._ends: list[Callable[[], object]] = []

    def cancel(self) -> None:
        """End what waits, now and from now on."""
        with self._lock:
            self._is_cancelled = True
            for end in self._ends:
                end()

    def check(self) -> None:
        """CallerGoneError where it was cancelled."""
        if self._is_cancelled:
            raise CallerGoneError("the client has disconnected", hint="ask again")

    @contextmanager
    def current(self) -> Iterator[None]:
        """Make it that of the block, and of the threads that get its context."""
        token = _CURRENT.set(self)
        try:
            yield
        finally:
            _CURRENT.reset(token)

    @contextmanager
    def ending(self, end: Callable[[], object]) -> Iterator[None]:
        """Have the block ended by that call, which must not wait, when it is cancelled."""
        with self._lock:
            self.check()
            self._ends.append(end)
        try:
            yield
        finally:
            with self._lock:
                self._ends.remove(end)


def current_cancellation() -> Cancellation:
    """The one of this context; one that nobody cancels where there is none."""
    return _CURRENT.get() or Cancellation()

"""
What a process that runs for long hears: the clocks, and the signals that ask it to end.

SIGTERM or SIGINT asks for the end: a wait ends at once, a run comes to its own end. A second one ends the run now, and
a third one the process. SIGHUP, which a terminal sends when it is closed, is heard and changes nothing.
"""

import os
import select
import signal
import time
from collections.abc import Callable
from datetime import UTC, datetime
from types import FrameType, TracebackType
from typing import Any, Self

from linker.schedule import EndNow

_ASKING = (signal.SIGTERM, signal.SIGINT)


class SignalAttention:
    """The attention of a process, while it is entered; only the main thread may enter it."""

    def __init__(self, on_asked_in_a_run: Callable[[str], None]) -> None:
        # Called by the handler of a signal, with the name of it: it may interrupt anything.
        self._on_asked_in_a_run = on_asked_in_a_run
        # The signal that asked for the end; 0 until then.
        self.asked_by = 0
        self._is_waiting = False
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Self:
        # A handler may not wake a lock that its own thread may hold, but it may write a byte.
        self._ear, self._mouth = os.pipe()
        os.set_blocking(self._mouth, False)
        self._before = {number: signal.signal(number, self._on_asking) for number in _ASKING}
        self._before[signal.SIGHUP] = signal.signal(signal.SIGHUP, signal.SIG_IGN)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        os.close(self._ear)
        os.close(self._mouth)

    @property
    def should_end(self) -> bool:
        """Whether a signal asked for the end."""
        return self.asked_by != 0

    def now(self) -> datetime:
        """The time in UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Seconds that only go forward."""
        return time.monotonic()

    def wait(self, seconds: float) -> None:
        """Wait so long, or until a signal asks for the end."""
        self._is_waiting = True
        try:
            select.select([self._ear], [], [], seconds)
        finally:
            self._is_waiting = False

    def _on_asking(self, number: int, _frame: FrameType | None) -> None:
        name = signal.Signals(number).name
        if self.asked_by:
            for asking in _ASKING:
                signal.signal(asking, signal.SIG_DFL)
            raise EndNow(f"ended by a second signal, {name}")
        self.asked_by = number
        os.write(self._mouth, b"\0")
        if not self._is_waiting:
            self._on_asked_in_a_run(name)

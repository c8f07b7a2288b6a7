"""Watches how long statements run, where the warehouse does not end them itself."""

import threading
from collections.abc import Callable

# A limit of the warehouse comes first, where there is one.
_SECONDS_MORE = 5

# Is told the model and the id of the invocation.
OnOvertime = Callable[[str, str], None]


class Deadline:
    """A timer for each statement of the models that read tables."""

    def __init__(self, models: tuple[str, ...], on_overtime: OnOvertime) -> None:
        self._seconds = threading.TIMEOUT_MAX
        self._models, self._on_overtime = models, on_overtime
        self._running: dict[str, threading.Timer] = {}

    def limit(self, seconds: float) -> None:
        """Wait so long for each statement that begins from now on, and a moment more."""
        self._seconds = 1.1 * seconds + _SECONDS_MORE

    def begin(self, model: str, invocation_id: str) -> None:
        """Begin to wait for a statement of the model."""
        self.end(model)
        if model in self._models:
            timer = threading.Timer(self._seconds, self._on_overtime, (model, invocation_id))
            timer.daemon = True
            self._running[model] = timer
            timer.start()

    def end(self, model: str) -> None:
        """Wait no longer for the statement of the model."""
        timer = self._running.pop(model, None)
        if timer:
            timer.cancel()

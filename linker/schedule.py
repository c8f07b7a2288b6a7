"""
The loop behind `linker refresh --every 6h --jitter 10m`: runs one thing again and again until it is told to end.

Enters what to run and how far apart, leaves word of each change: a turn that runs, the wait for the next one, a
failure, the end. The first turn comes at once, the others at fixed distances from it, one at a time: a turn that takes
longer than the distance makes others fall out, and one that failed is tried again sooner.

Time is what the monotonic clock says, slice by slice, or UTC where that is far ahead: a machine that slept finds its
turn due when it wakes, and a clock that is set back holds nothing up.
"""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal, Protocol

from linker.durations import duration_text
from linker.errors import BusyError, ConfigError, LinkerError
from linker.run import Run

State = Literal["running", "waiting", "failed", "ended"]
# So often a wait looks at the clocks and says that it is alive.
SLICE_SECONDS = 30.0
_FIRST_RETRY_SECONDS = 60.0
# UTC is put right by little steps all the time; a larger one is a machine that slept, or a clock that was set.
_LEAP_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Schedule:
    """How far apart the turns are, and by how much each but the first may come later."""

    every: timedelta
    jitter: timedelta = timedelta(0)

    def __post_init__(self) -> None:
        if self.every < timedelta(seconds=1):
            raise ConfigError("two runs need a distance of a second or more", hint="--every 6h")
        if self.jitter >= self.every:
            raise ConfigError(
                f"a jitter of {duration_text(self.jitter)} does not fit into {duration_text(self.every)}",
                hint="take a jitter below the distance between two runs",
            )


@dataclass(frozen=True, slots=True)
class Standing:
    """How the loop stands: `waiting` after a run, `failed` while it waits after a failure."""

    state: State
    # The last one that came to an end.
    run: Run | None = None
    # Why the last turn came to nothing, and what to do about it.
    reason: str = ""
    hint: str = ""
    # Another refresh was at work, so the turn came to nothing: that is no failure.
    is_busy: bool = False
    consecutive_failures: int = 0
    # Single tables may have failed in it.
    last_success_at: datetime | None = None
    next_run_at: datetime | None = None
    # Turns that fell out just now.
    missed: int = 0


class Attention(Protocol):
    """The outside: two clocks, and a wait that ends early when the loop should."""

    @property
    def should_end(self) -> bool:
        """Whether somebody asked for the end."""
        ...

    def now(self) -> datetime:
        """The time in UTC."""
        ...

    def monotonic(self) -> float:
        """Seconds that only go forward."""
        ...

    def wait(self, seconds: float) -> None:
        """Wait so long, or until the loop should end."""
        ...


class Listener(Protocol):
    """Who wants to know how the loop stands; what it raises ends the loop."""

    def changed(self, standing: Standing) -> None:
        """It stands otherwise than before."""
        ...

    def alive(self, standing: Standing) -> None:
        """It stands as before, and waits."""
        ...


class EndNow(KeyboardInterrupt):
    """Raised into a run by the second signal; drivers and processes clean up after it as after Ctrl-C."""


def repeat(
    run: Callable[[], Run],
    schedule: Schedule,
    attention: Attention,
    listener: Listener,
    draw: Callable[[], float] = random.random,
) -> None:
    """Run until told to end; a wrong setting in the first run, EndNow and bugs leave by themselves."""
    turns = _Turns(schedule, attention, draw)
    standing = Standing("running")
    while True:
        listener.changed(standing)
        try:
            standing = _one_turn(run, standing, attention)
        except BaseException as error:
            listener.changed(replace(standing, state="ended", reason=str(error) or type(error).__name__))
            raise
        standing = replace(standing, missed=turns.plan_next(is_retry=bool(standing.reason)))
        if not _wait(standing, turns, attention, listener):
            listener.changed(replace(standing, state="ended", reason="", hint="", missed=0))
            return
        standing = replace(standing, state="running", missed=turns.take())


def _one_turn(run: Callable[[], Run], before: Standing, attention: Attention) -> Standing:
    try:
        done = run()
    except BusyError as busy:
        return replace(before, state="waiting", is_busy=True, reason=busy.what, hint=busy.hint)
    except LinkerError as error:
        # A setting that never worked is not mended by waiting.
        if isinstance(error, ConfigError) and before == Standing("running"):
            raise
        return _failed(before, error.what, error.hint)
    if done.outcome in ("failed", "killed"):
        return replace(_failed(before, done.message or f"run {done.number} {done.outcome}", ""), run=done)
    return Standing("waiting", done, last_success_at=done.ended_at or attention.now())


def _failed(before: Standing, reason: str, hint: str) -> Standing:
    failures = before.consecutive_failures + 1
    return replace(before, state="failed", is_busy=False, reason=reason, hint=hint, consecutive_failures=failures)


def _wait(standing: Standing, turns: "_Turns", attention: Attention, listener: Listener) -> bool:
    """Whether the turn came, and not the end."""
    left = turns.seconds_left()
    if attention.should_end:
        listener.changed(standing)
        return False
    listener.changed(replace(standing, next_run_at=_after(left, attention)))
    while left > 0:
        attention.wait(min(left, SLICE_SECONDS))
        if attention.should_end:
            return False
        left = turns.seconds_left()
        listener.alive(replace(standing, next_run_at=_after(left, attention)))
    return True


def _after(seconds: float, attention: Attention) -> datetime:
    return attention.now() + timedelta(seconds=seconds)


class _Turns:
    """When the turns come: number n at n distances from the start, and retries between them."""

    def __init__(self, schedule: Schedule, attention: Attention, draw: Callable[[], float]) -> None:
        self._every, self._jitter = schedule.every.total_seconds(), schedule.jitter.total_seconds()
        self._attention, self._draw = attention, draw
        self._passed = 0.0
        self._monotonic, self._utc = attention.monotonic(), attention.now()
        # The turn that was taken last, and the one that comes next; a retry before that one is no turn of its own.
        self._taken, self._next = 0, 0
        self._due = 0.0
        self._retries = 0

    def plan_next(self, *, is_retry: bool) -> int:
        """Say when it goes on; leaves how many turns the last one took the place of."""
        passed = self._seconds_passed()
        self._next = max(self._taken + 1, math.ceil(passed / self._every))
        self._due = self._next * self._every + self._draw() * self._jitter
        self._retries = self._retries + 1 if is_retry else 0
        if is_retry:
            # Beyond thirty doublings no distance is that long.
            pause = min(_FIRST_RETRY_SECONDS * 2 ** min(self._retries - 1, 30), self._every)
            self._due = min(self._due, passed + pause)
        return self._next - self._taken - 1

    def take(self) -> int:
        """Go on; leaves how many turns fell out while nobody was awake to take them."""
        current = math.floor(self._seconds_passed() / self._every)
        self._taken = max(self._next - 1, current)
        return max(0, current - self._next)

    def seconds_left(self) -> float:
        """Until it goes on."""
        return self._due - self._seconds_passed()

    def _seconds_passed(self) -> float:
        """Since the start."""
        monotonic, utc = self._attention.monotonic(), self._attention.now()
        step, step_of_utc = monotonic - self._monotonic, (utc - self._utc).total_seconds()
        self._passed += step_of_utc if step_of_utc > step + _LEAP_SECONDS else step
        self._monotonic, self._utc = monotonic, utc
        return self._passed

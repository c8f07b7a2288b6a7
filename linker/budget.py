"""
Budget of one question: limits on tokens, calls and probes, and the cost of each step.

Every call reserves its cost before it starts. Thread-safe: a call that could exceed a limit waits
for running calls to release what they do not use; a call that cannot fit is refused.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from operator import add
from threading import Condition

from msgspec.structs import astuple, replace

from linker.cancellation import current_cancellation
from linker.errors import BudgetExceeded, LimitName
from linker.types import NOTHING_USED, Record, Usage

# Enough for an answer of a few lines; a call with less is not worth its prompt.
MIN_COMPLETION_TOKENS = 256
# A typical limit for an answer, reasoning included.
USUAL_COMPLETION_TOKENS = 16_384
# The first answer, one correction, and two failed requests.
MAX_REQUESTS = 4


class Limits(Record, frozen=True):
    """Limits of one question; None means unlimited."""

    max_tokens: int | None = None
    max_calls: int | None = None
    max_probes: int | None = None
    max_bytes: int | None = None
    timeout_seconds: float | None = None


class CallLimit(Record, frozen=True):
    """Limits of one model call; None means unlimited."""

    tokens: int | None = None
    calls: int | None = None
    seconds: float | None = None


UNLIMITED = CallLimit()


class Cost(Record, frozen=True):
    calls: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    probes: int = 0
    bytes: int = 0
    seconds: float = 0.0

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(*map(add, astuple(self), astuple(other)))

    @property
    def tokens(self) -> int:
        """Prompt and completion tokens; prompt tokens include cached ones."""
        return self.prompt_tokens + self.completion_tokens


class Reservation:
    """Permission for one model call; `spend` reports its actual cost."""

    def __init__(self, allowance: CallLimit, *, holds_last_tokens: bool) -> None:
        self.allowance = allowance
        self.holds_last_tokens = holds_last_tokens
        self.usage = NOTHING_USED

    def spend(self, usage: Usage) -> None:
        """Charge the usage of a call, failed or not."""
        self.usage += usage


class CostTracker:
    """Costs and limits of one question; the clock starts when it is created."""

    def __init__(
        self,
        limits: Limits | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        before: Mapping[str, Cost] | None = None,
        seconds_before: float = 0.0,
    ) -> None:
        """
        `before` is the cost of earlier steps of the same question, which counts against its limits.
        """
        self.limits = limits or Limits()
        self._clock = clock
        self._started = clock() - seconds_before
        self._costs: dict[str, Cost] = dict(before or {})
        self._granted_tokens = 0
        self._granted_calls = 0
        self._changed = Condition()

    @property
    def cost_by_step(self) -> Mapping[str, Cost]:
        """Cost of each step so far, in order of first use."""
        with self._changed:
            return dict(self._costs)

    @property
    def total(self) -> Cost:
        """
        Cost of all steps so far; seconds are wall-clock time, also where steps ran in parallel.
        """
        with self._changed:
            return replace(self._spent, seconds=self._clock() - self._started)

    @property
    def seconds_left(self) -> float | None:
        """None without a time limit."""
        limit = self.limits.timeout_seconds
        return None if limit is None else max(0.0, limit - (self._clock() - self._started))

    def check_time(self, step: str) -> None:
        """
        Raise BudgetExceeded when the time is over, CallerGoneError when the caller disconnected.
        """
        current_cancellation().check()
        if self.seconds_left == 0:
            raise self._reached("timeout", step)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Attribute the block's seconds to the step."""
        started = self._clock()
        self._add(name, Cost())
        try:
            yield
        finally:
            self._add(name, Cost(seconds=self._clock() - started))

    @contextmanager
    def call(self, step: str, prompt_tokens: int) -> Iterator[Reservation]:
        """
        Reserve a model call with a prompt of about `prompt_tokens`, or raise BudgetExceeded.

        Do not nest calls: an inner one could wait for its own outer reservation.
        """
        with self._changed:
            grant = self._grant_when_possible(step, prompt_tokens)
            self._granted_tokens += grant.allowance.tokens or 0
            self._granted_calls += grant.allowance.calls or 0
        try:
            yield grant
        finally:
            with self._changed:
                self._granted_tokens -= grant.allowance.tokens or 0
                self._granted_calls -= grant.allowance.calls or 0
                used = grant.usage
                self._add(
                    step,
                    Cost(
                        used.calls, used.prompt_tokens, used.cached_tokens, used.completion_tokens
                    ),
                )
                self._changed.notify_all()

    def admit_probe(self, step: str) -> float | None:
        """Count one probe, or raise BudgetExceeded; returns the seconds it may take."""
        self.check_time(step)
        with self._changed:
            spent = self._spent
            if self.limits.max_probes is not None and spent.probes >= self.limits.max_probes:
                raise self._reached("max_probes", step)
            if self.limits.max_bytes is not None and spent.bytes >= self.limits.max_bytes:
                raise self._reached("max_bytes", step)
            self._add(step, Cost(probes=1))
        return self.seconds_left

    def add_bytes(self, step: str, count: int) -> None:
        """Add the bytes that a probe read, where the warehouse reports them."""
        self._add(step, Cost(bytes=count))

    def _grant_when_possible(self, step: str, prompt_tokens: int) -> Reservation:
        least = prompt_tokens + MIN_COMPLETION_TOKENS
        # Enough for an answer and one correction.
        most = 2 * (prompt_tokens + USUAL_COMPLETION_TOKENS)
        while True:
            self.check_time(step)
            tokens = self._free(
                self.limits.max_tokens, self._spent.tokens + self._granted_tokens, most
            )
            calls = self._free(
                self.limits.max_calls, self._spent.calls + self._granted_calls, MAX_REQUESTS
            )
            if (tokens is None or tokens >= least) and (calls is None or calls >= 1):
                is_less = tokens is not None and tokens < most
                return Reservation(
                    CallLimit(tokens, calls, self.seconds_left), holds_last_tokens=is_less
                )
            if not self._granted_tokens and not self._granted_calls:
                raise self._reached(
                    "max_tokens" if tokens is not None and tokens < least else "max_calls", step
                )
            self._changed.wait(self.seconds_left)

    @staticmethod
    def _free(limit: int | None, taken: int, most: int) -> int | None:
        return None if limit is None else min(limit - taken, most)

    @property
    def _spent(self) -> Cost:
        return sum(self._costs.values(), Cost())

    def _add(self, step: str, cost: Cost) -> None:
        with self._changed:
            self._costs[step] = self._costs.get(step, Cost()) + cost

    def _reached(self, limit: LimitName, step: str) -> BudgetExceeded:
        return limit_reached(self.limits, limit, step)


def limit_reached(limits: Limits, limit: LimitName, step: str) -> BudgetExceeded:
    """The error of an exceeded limit, worded for the user."""
    amounts = {
        "max_tokens": f"{limits.max_tokens or 0:,} tokens",
        "max_calls": f"{limits.max_calls or 0:,} calls",
        "max_probes": f"{limits.max_probes or 0:,} probes",
        "max_bytes": f"{limits.max_bytes or 0:,} bytes",
        "timeout": f"{limits.timeout_seconds or 0:g} seconds",
    }
    flag = f"--{limit.replace('_', '-')}"
    return BudgetExceeded(
        f"the limit of {amounts[limit]} is reached at the step `{step}`",
        hint=f"raise it with {flag}"
        if limit in ("max_tokens", "max_probes", "timeout")
        else f"raise `{limit}`",
        limit=limit,
        step=step,
    )

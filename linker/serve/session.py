"""
Server session: one shared environment, and admission of concurrent requests (running, queued,
rejected).
"""

import os
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from threading import Lock, Timer
from time import monotonic
from typing import Literal, TypeVar

from anyio import CancelScope, CapacityLimiter, create_task_group, to_thread
from anyio.lowlevel import checkpoint_if_cancelled
from msgspec.structs import replace

from linker import pipeline
from linker.cancellation import Cancellation
from linker.catalog.profile import ColumnProfile, TableProfile, column_profile
from linker.environment import Environment
from linker.errors import (
    ArtifactError,
    CallerGoneError,
    LinkerError,
    ServerBusyError,
    StoreError,
)
from linker.identifiers.resolver import find
from linker.linking.result import LinkedSchema
from linker.text.commands import for_others
from linker.types import ColumnRef, Record, Run, TableRef

ResultT = TypeVar("ResultT")
# Kind of a request: read, link, or run statements.
RequestKind = Literal["read", "link", "probe"]

# A reader locks a DuckDB file, which reopens fast.
_RELEASED_SECONDS = 3.0
# Signing in again may take seconds.
_CLOSED_SECONDS = 600.0
_RETRY_SECONDS = 5


class ServerSession:
    """A shared environment: updated before each use, closed when idle."""

    def __init__(self, environment: Environment) -> None:
        self.environment = environment
        self._lock = Lock()
        self._users = 0
        self._used_at = 0.0
        # The next release, and when it is due.
        self._timer: Timer | None = None
        self._due = 0.0
        self._last_run: Run | None = None

    @contextmanager
    def used(self, *, needs_index: bool = True) -> Iterator[Environment]:
        """The environment, for concurrent use."""
        with self._lock:
            self._users += 1
        try:
            if needs_index:
                self._catch_up()
            yield self.environment
        except LinkerError as error:
            error.hint = for_others(error.hint, self.environment.flags)
            raise
        finally:
            with self._lock:
                self._users -= 1
                self._used_at = monotonic()
                is_due = bool(self._timer) and self._due <= self._used_at + _RELEASED_SECONDS
                if self.environment.has_opened_warehouse and not is_due:
                    self._release_in(_RELEASED_SECONDS)

    def _catch_up(self) -> None:
        environment = self.environment
        environment.index.reload_if_changed()
        if not environment.indexed.catalog.tables:
            raise StoreError(
                f"nothing is indexed for target `{environment.target.name}`", hint="linker index"
            )
        [*last] = environment.store.history.runs(environment.target_key, limit=1)
        with self._lock:
            is_new = bool(last) and last[0] != self._last_run
            if is_new:
                self._last_run = last[0]
        if is_new:
            environment.invalidate()

    def _release_in(self, seconds: float) -> None:
        if self._timer:
            self._timer.cancel()
        timer = Timer(seconds, lambda: self._release_when_idle(timer))
        timer.daemon = True
        self._timer, self._due = timer, monotonic() + seconds
        timer.start()

    def _release_when_idle(self, timer: Timer) -> None:
        """Release the warehouse soon after each use, and close it long after the last."""
        with self._lock:
            if timer is not self._timer:
                return
            self._timer = None
            idle = monotonic() - self._used_at
            is_in_use = bool(self._users) or idle < _RELEASED_SECONDS
            is_left = not is_in_use and idle >= _CLOSED_SECONDS
            if not is_left:
                self._release_in(_RELEASED_SECONDS if is_in_use else _CLOSED_SECONDS - idle)
        if is_left:
            self.environment.invalidate()
        elif not is_in_use:
            self.environment.release_warehouse()


class Capacity(Record, frozen=True):
    """Limits on running and queued requests."""

    at_work: int
    waiting: int


# Web clients retry, but a rejected request loses its progress.
WAITING_OF_WEB = 2
WAITING_OF_AGENTS = 24


def usual_capacities(waiting: int, *, asks_model: bool) -> Mapping[RequestKind, Capacity]:
    """
    Defaults: linking uses a CPU or waits for a model; reading is cheap, and statements have their
    own process. `waiting` requests queue per running one.
    """
    at_work: dict[RequestKind, int] = {
        "read": 8,
        "link": 8 if asks_model else max(2, os.cpu_count() or 1),
        "probe": 4,
    }
    return {request_kind: Capacity(most, waiting * most) for request_kind, most in at_work.items()}


class RequestQueues:
    """Queues of a server, one per kind of request."""

    def __init__(self, capacities: Mapping[RequestKind, Capacity]) -> None:
        self._capacities = capacities
        self._limiters = {
            request_kind: CapacityLimiter(capacity.at_work)
            for request_kind, capacity in capacities.items()
        }

    def check(self, request_kind: RequestKind) -> None:
        """Raise ServerBusyError if the queue is full."""
        waiting = self._limiters[request_kind].statistics().tasks_waiting
        if waiting >= self._capacities[request_kind].waiting:
            raise ServerBusyError(
                f"{waiting} requests wait for their turn already",
                hint=f"ask again in {_RETRY_SECONDS} seconds",
                retry_seconds=_RETRY_SECONDS,
            )

    async def run(
        self,
        request_kind: RequestKind,
        work: Callable[[], ResultT],
        gone: Callable[[], Awaitable[None]],
    ) -> ResultT:
        """
        Run work in a thread when admitted. If the caller is `gone` or the await is cancelled, work
        and its statements are cancelled.
        """
        self.check(request_kind)
        cancellation, limiter = Cancellation(), self._limiters[request_kind]
        outcome: ResultT | Exception = CallerGoneError("nobody waits for it", hint="ask again")

        def worked() -> ResultT | Exception:
            with cancellation.current():
                try:
                    return work()
                except Exception as error:  # noqa: BLE001 - raised below, as a group of tasks would wrap it
                    return error

        async def watch(working: CancelScope) -> None:
            try:
                await gone()
            finally:
                cancellation.cancel()
                working.cancel()

        async with create_task_group() as group:
            group.start_soon(watch, group.cancel_scope)
            # Wait for the thread, however late it notices.
            async with limiter:
                outcome = await to_thread.run_sync(worked)
            group.cancel_scope.cancel()
        # The awaiting task may be cancelled.
        await checkpoint_if_cancelled()
        if isinstance(outcome, Exception):
            raise outcome
        return outcome


def ask(question: str, environment: Environment) -> LinkedSchema:
    """Link a question, with warnings for clients of a server."""
    schema = pipeline.ask(question, environment)
    return replace(
        schema,
        warnings=tuple(for_others(warning, environment.flags) for warning in schema.warnings),
    )


def read_card(environment: Environment, name: str) -> tuple[TableProfile, ColumnProfile | None]:
    """The profile of a table, and of a column if the name means one; cached per table."""
    ref = find(name, environment.indexed.catalog)
    profile = profile_of(environment, ref.table)
    if not isinstance(ref, ColumnRef):
        return profile, None
    return profile, column_of(profile, ref.path)


def profile_of(environment: Environment, ref: TableRef) -> TableProfile:
    """The profile of an indexed table."""
    profile = environment.profile_of(ref)
    if profile is None:
        raise ArtifactError(
            f"{ref} has no profile here", hint=environment.warehouse_error or "run: linker refresh"
        )
    # Profiles may be newer than the index.
    columns = tuple(
        column for column in profile.columns if column.path in profile.table.column_by_path
    )
    return profile if len(columns) == len(profile.columns) else replace(profile, columns=columns)


def column_of(profile: TableProfile, path: str) -> ColumnProfile:
    column = column_profile(profile, path)
    if column is None:
        raise ArtifactError(
            f"{profile.table.ref}.{path} has no profile yet", hint="run: linker refresh"
        )
    return column

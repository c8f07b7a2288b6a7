"""
Runs statements in a worker process with limits on time and memory.

Drivers compute in the calling process (DuckDB everything, others the fetched rows). Only a kill
ends every statement in time, and only process limits bound memory. Calls pass through a pipe; the
worker ends with its parent.
"""

import os
import pickle
import resource
import signal
import subprocess
import sys
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread, Timer
from typing import Any, Literal, NoReturn

from linker.cancellation import current_cancellation
from linker.config.target import Target
from linker.errors import LinkerError, WarehouseError
from linker.types import Record
from linker.warehouses import open_here
from linker.warehouses.base import USUAL, Bounds, CancellableSession, Row, Warehouse, too_slow
from linker.warehouses.base.dialect import Dialect


class SessionCall(Record, frozen=True):
    """A method call, or `open` with its target, with limits."""

    method: Literal["open", "query", "relations", "release", "cancel", "close"]
    arguments: tuple[Any, ...] = ()
    bounds: Bounds = USUAL


class SessionReply(Record, frozen=True):
    """Result or exception of a call, bytes read, and whether it is the last reply."""

    value: Any
    bytes_read: int | None = None
    is_last: bool = False


class _Server:
    """Executes calls; the first opens the session."""

    def __init__(self) -> None:
        self._session: Warehouse | None = None
        self._target: Target | None = None
        self._memory_mb = 0

    def reply(self, call: SessionCall) -> bytes:
        """The serialised reply."""
        try:
            reply = pickle.dumps(self._carry_out(call))
        except MemoryError:
            # After hitting the limit a library may crash at any time.
            limit = f"it may take at most {self._memory_mb:,} MB of memory"
            return _error(
                _stopped(limit, "ask for less at once, or raise `session_memory_mb`"), is_last=True
            )
        except Exception as error:  # noqa: BLE001 - raised where the call came from, what is a bug with its traceback
            if not isinstance(error, LinkerError):
                error.add_note(traceback.format_exc())
            return _error(error)
        if len(reply) > call.bounds.reply_bytes:
            limit = f"its result may have at most {call.bounds.reply_bytes // 1_000_000:,} MB"
            return _error(_stopped(limit, "ask for less at once"))
        return reply

    def cancel(self) -> None:
        """Cancel in the warehouse, if it would continue without this process."""
        if isinstance(self._session, CancellableSession):
            # No one is left to receive an error.
            with suppress(Exception):
                self._session.cancel()

    def _carry_out(self, call: SessionCall) -> SessionReply:
        if call.method == "open":
            return self._open(*call.arguments)
        if call.method == "release":
            return self._release()
        if self._session is None:
            self._session = self._opened()
        before = self._session.bytes_read
        value = getattr(self._session, call.method)(*call.arguments)
        after = self._session.bytes_read
        return SessionReply(value, None if after is None else after - (before or 0))

    def _open(self, target: Target) -> SessionReply:
        self._target, self._memory_mb = target, target.session_memory_mb
        _limit_memory(target.session_memory_mb)
        self._session = self._opened()
        return SessionReply(None, self._session.bytes_read)

    def _opened(self) -> Warehouse:
        assert self._target is not None  # noqa: S101 - the first call says which
        return open_here(self._target)

    def _release(self) -> SessionReply:
        if self._session is not None:
            self._session.close()
            self._session = None
        return SessionReply(None)


def _error(error: Exception, *, is_last: bool = False) -> bytes:
    return pickle.dumps(SessionReply(error, is_last=is_last))


def _stopped(limit: str, hint: str) -> WarehouseError:
    return WarehouseError(f"a statement was stopped: {limit}", hint=hint)


def _limit_memory(megabytes: int) -> None:
    """Limit anonymous memory, without mapped libraries; unsupported on macOS."""
    if sys.platform == "linux":
        # Let the kernel kill this process first when memory runs out.
        with suppress(OSError):
            Path("/proc/self/oom_score_adj").write_text("1000", "ascii")
        already = resource.getrlimit(resource.RLIMIT_DATA)[1]
        most = (
            megabytes * 1_000_000
            if already == resource.RLIM_INFINITY
            else min(megabytes * 1_000_000, already)
        )
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


class _Calls:
    """Queue of calls. A cancel call, like the end of the pipe, ends the process at once."""

    def __init__(self, pipe: Connection, server: _Server) -> None:
        self._pipe, self._server, self._sending = pipe, server, Lock()
        self._calls: SimpleQueue[SessionCall] = SimpleQueue()

    def receive(self) -> NoReturn:
        """Receive calls."""
        with suppress(EOFError, ConnectionError):
            while (call := self._pipe.recv()).method != "cancel":
                self._calls.put(call)
            self._send(
                _error(
                    WarehouseError("a statement was cancelled", hint="run it again"), is_last=True
                )
            )
        cancelling = Thread(target=self._server.cancel, daemon=True)
        cancelling.start()
        cancelling.join(_CANCELLING_SECONDS)
        os._exit(0)

    def answer(self) -> None:
        """Execute calls."""
        with suppress(ConnectionError):
            while True:
                call = self._calls.get()
                self._send(self._server.reply(call))
                if call.method == "close":
                    os._exit(0)

    def _send(self, reply: bytes) -> None:
        with self._sending:
            self._pipe.send_bytes(reply)


def main() -> None:
    """Serve a pipe whose number is on the command line."""
    # SIGINT reaches both processes; the parent decides.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    calls = _Calls(Connection(int(sys.argv[1])), _Server())
    Thread(target=calls.receive, daemon=True).start()
    calls.answer()


# Same import path as the parent; secrets go through the pipe.
_STARTS = (
    "import sys; sys.path[:] = sys.argv[2:]; from linker.warehouses.base.session import main; "
    "main()"
)
_CLOSING_SECONDS = 2
# Time for a warehouse to cancel a statement, in the background.
_CANCELLING_SECONDS = 5


class SeparateSession:
    """
    A read-only session in as many processes as there are concurrent statements; killed ones are
    replaced.
    """

    def __init__(self, target: Target, dialect: Dialect) -> None:
        self._target, self._patience_seconds = target, dialect.patience_seconds
        self.dialect, self._is_file = dialect.name, dialect.file is not None
        self._cancels = dialect.cancels_statements
        # Processes kept after a release, as they start slowly.
        self._kept = 0 if dialect.keeps_others_out else 1
        self.bytes_read: int | None = None
        self._lock = Lock()
        self._is_closed = False
        self._killed: list[_Process] = []
        self._idle = [self._opened()]

    def query(
        self, sql: str, parameters: Sequence[object] = (), bounds: Bounds = USUAL
    ) -> list[Row]:
        # Imports the SQL parser, not needed to open a session.
        from linker.warehouses.base.read_only import only_reading

        text = only_reading(sql, self.dialect, len(parameters))
        rows: list[Row] = self._answer(
            SessionCall("query", (text, tuple(parameters), bounds), bounds)
        )
        return rows

    def relations(self, schema: str) -> Mapping[str, str]:
        relations: Mapping[str, str] = self._answer(SessionCall("relations", (schema,)))
        return relations

    def release(self) -> None:
        """Close sessions that block writers; the next statement reopens one."""
        with self._lock:
            while self._idle[self._kept :]:
                self._idle.pop(0).close()
            for process in self._idle if self._is_file else ():
                with suppress(LinkerError):
                    process.reply(SessionCall("release"), _CLOSING_SECONDS)
            self._killed += [process for process in self._idle if process.is_killed]
            self._idle = [process for process in self._idle if not process.is_killed]

    def close(self) -> None:
        """Close after running statements end."""
        with self._lock:
            self._is_closed = True
            while self._idle:
                self._idle.pop().close()
            while self._killed:
                process = self._killed.pop()
                process.end(_CANCELLING_SECONDS if process.is_cancelling else 0)

    def _answer(self, call: SessionCall) -> Any:  # noqa: ANN401 - what the method of that name returns
        with self._borrowed() as process:
            return self._value(process.reply(call, call.bounds.seconds + self._patience_seconds))

    @contextmanager
    def _borrowed(self) -> Iterator["_Process"]:
        """A process for exclusive use."""
        with self._lock:
            idle = self._idle.pop() if self._idle else None
            self._end_killed()
        process = idle or self._opened()
        try:
            yield process
        finally:
            with self._lock:
                if process.is_killed:
                    # Not awaited: freeing much memory takes a while.
                    self._killed.append(process)
                elif self._is_closed:
                    process.close()
                else:
                    self._idle.append(process)

    def _end_killed(self) -> None:
        still_cancelling = [process for process in self._killed if process.is_cancelling]
        for process in self._killed:
            if process not in still_cancelling:
                process.end()
        self._killed = still_cancelling

    def _opened(self) -> "_Process":
        process = _Process(self._target.session_memory_mb, cancels=self._cancels)
        try:
            # Browser sign-in may take a while.
            self._value(process.reply(SessionCall("open", (self._target,)), None))
        except BaseException:
            process.end()
            raise
        return process

    def _value(self, reply: SessionReply) -> Any:  # noqa: ANN401 - the same
        if reply.bytes_read is not None:
            self.bytes_read = (self.bytes_read or 0) + reply.bytes_read
        if isinstance(reply.value, Exception):
            raise reply.value
        return reply.value


class _Process:
    """
    A worker process, which ends with its parent.

    If it `cancels`, it gets a few seconds to cancel its statement when stopped.
    """

    def __init__(self, memory_mb: int, *, cancels: bool = False) -> None:
        self.is_killed, self._memory_mb = False, memory_mb
        self._cancels, self._is_stopped = cancels, False
        self._pipe, other_end = Pipe()
        with other_end:
            number = other_end.fileno()
            command = [sys.executable, "-c", _STARTS, str(number), *sys.path]
            self._process = subprocess.Popen(command, pass_fds=[number])  # noqa: S603 - our own command

    def reply(self, call: SessionCall, seconds: float | None) -> SessionReply:
        """The reply to a call; on timeout or cancellation the process is killed."""
        reply: SessionReply | None = None
        cancellation = current_cancellation()
        try:
            self._pipe.send(call)
            with cancellation.ending(self._stop):
                if not self._pipe.poll(seconds):
                    raise too_slow(call.bounds.seconds)
                reply = self._pipe.recv()
        except (EOFError, ConnectionError):
            cancellation.check()
            raise self._lost() from None
        finally:
            # Late replies must not be taken for the next call's.
            if reply is None or reply.is_last:
                self.is_killed = True
                self._stop()
        cancellation.check()
        return reply

    @property
    def is_cancelling(self) -> bool:
        """Whether it is cancelling its statement."""
        return self._cancels and self._is_stopped and self._process.poll() is None

    def _stop(self) -> None:
        """Cancel the running statement without waiting."""
        if not self._cancels:
            self._process.kill()
        elif not self._is_stopped:
            self._is_stopped = True
            with suppress(OSError):
                self._pipe.send(SessionCall("cancel"))
            killing = Timer(_CANCELLING_SECONDS + 1, self._process.kill)
            killing.daemon = True
            killing.start()

    def _lost(self) -> WarehouseError:
        self.end(_CLOSING_SECONDS)
        code = self._process.returncode
        how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        return WarehouseError(
            f"the process of a statement was ended by {how}: it may take at most"
            f" {self._memory_mb:,} MB of memory",
            hint="ask for less at once, or raise `session_memory_mb`",
        )

    def close(self) -> None:
        """Close the session."""
        with suppress(OSError):
            self._pipe.send(SessionCall("close"))
        self.end(_CLOSING_SECONDS)

    def end(self, patience_seconds: float = 0) -> None:
        """Kill the process unless it exits in time."""
        self.is_killed = True
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(patience_seconds)
        self._process.kill()
        self._process.wait()
        self._pipe.close()

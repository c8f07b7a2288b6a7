"""
The process of a session: answers calls that come over a pipe, with limited memory and limited
bytes.

`linker.warehouses.base.session` starts it, and kills it where a statement takes too long. It ends
with the process that started it, however that ends and whatever statement runs.
"""

import os
import pickle
import signal
import sys
import traceback
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any, Literal, NoReturn

from linker.config.target import Target
from linker.errors import LinkerError, WarehouseError
from linker.types import Record
from linker.warehouses.base import USUAL, Bounds, Warehouse


class SessionCall(Record, frozen=True):
    """
    A method of the session, or `open` with its target, and the bounds within which it replies.
    """

    method: Literal["open", "query", "relations", "release", "close"]
    arguments: tuple[Any, ...] = ()
    bounds: Bounds = USUAL


class SessionReply(Record, frozen=True):
    """
    What a method returned or raised, its bytes where the warehouse says them, and if no other reply
    follows.
    """

    value: Any
    bytes_read: int | None = None
    is_last: bool = False


class _Server:
    """Carries out calls, of which the first opens the session."""

    def __init__(self) -> None:
        self._session: Warehouse | None = None
        self._target: Target | None = None
        self._memory_mb = 0

    def reply(self, call: SessionCall) -> bytes:
        """The reply as it is sent."""
        try:
            reply = pickle.dumps(self._carry_out(call))
        except MemoryError:
            # A library that met the limit in one of its threads may end the process at any moment
            # after it.
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
        from linker.warehouses import open_here

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
    """
    Limit what the process takes for itself; libraries that are mapped do not count. macOS knows no
    such limit.
    """
    if sys.platform == "linux":
        import resource

        # Where the machine itself has too little, this process goes first, and not the one that
        # asks.
        with suppress(OSError):
            Path("/proc/self/oom_score_adj").write_text("1000", "ascii")
        already = resource.getrlimit(resource.RLIMIT_DATA)[1]
        most = (
            megabytes * 1_000_000
            if already == resource.RLIM_INFINITY
            else min(megabytes * 1_000_000, already)
        )
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def _receive(pipe: Connection, calls: "SimpleQueue[SessionCall]") -> NoReturn:
    """Pass calls on, until nobody is there who sends one: then no statement is worth its end."""
    with suppress(EOFError, ConnectionError):
        while True:
            calls.put(pipe.recv())
    os._exit(0)


def main() -> None:
    """Serve the end of a pipe, whose number stands on the command line."""
    # The keyboard reaches both processes, and the other one decides.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    pipe = Connection(int(sys.argv[1]))
    calls: SimpleQueue[SessionCall] = SimpleQueue()
    Thread(target=_receive, args=(pipe, calls), daemon=True).start()
    server = _Server()
    with suppress(ConnectionError):
        while True:
            call = calls.get()
            pipe.send_bytes(server.reply(call))
            if call.method == "close":
                os._exit(0)

"""
One event loop in a thread of its own: enters a coroutine, leaves its result in whichever thread asked.

The clients of the providers keep their connections, and a connection belongs to the loop that opened it. Steps ask from
several threads, and a notebook has a loop of its own already.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from threading import Lock, Thread
from typing import Any, TypeVar

ResultT = TypeVar("ResultT")


class EventLoop:
    """Started when it is first used, and again after it was closed."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = Lock()
        self._running: tuple[asyncio.AbstractEventLoop, Thread] | None = None

    @property
    def is_running(self) -> bool:
        """Whether it was used since it was last closed."""
        return self._running is not None

    def run(self, coroutine: Coroutine[Any, Any, ResultT]) -> ResultT:
        """Wait for the coroutine; when the waiting is interrupted, it is cancelled."""
        future = asyncio.run_coroutine_threadsafe(coroutine, self._started())
        try:
            return future.result()
        finally:
            # What has ended cannot be cancelled: this stops only what nobody waits for any more.
            future.cancel()

    def close(self, let_go: Callable[[], Awaitable[object]]) -> None:
        """Cancel what still runs, then let go of what it used, and stop the thread."""
        with self._lock:
            running, self._running = self._running, None
        if running:
            loop, thread = running
            try:
                asyncio.run_coroutine_threadsafe(_end(let_go), loop).result()
            finally:
                loop.call_soon_threadsafe(loop.stop)
                thread.join()
                loop.close()

    def _started(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if not self._running:
                loop = asyncio.new_event_loop()
                # A daemon: a program that forgot to close it ends all the same.
                thread = Thread(target=loop.run_forever, name=self._name, daemon=True)
                thread.start()
                self._running = (loop, thread)
            return self._running[0]


async def _end(let_go: Callable[[], Awaitable[object]]) -> None:
    """Whoever still waits for an answer is told first: a connection that is gone looks like a server that fails."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    await let_go()

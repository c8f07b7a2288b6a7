"""Latency, processor time and memory of a server process and its clients."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import median, quantiles
from time import perf_counter, process_time, sleep
from types import TracebackType

import psutil


@dataclass
class Memory:
    """Peak memory of a process tree, with shared pages counted once."""

    process: psutil.Process
    most: int = 0

    def __enter__(self) -> "Memory":
        self._going = True
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._going = False
        self._thread.join()

    def _watch(self) -> None:
        while self._going:
            self.most = max(
                self.most,
                sum(self._used(process) for process in [self.process, *self.process.children()]),
            )
            sleep(1.0)

    @staticmethod
    def _used(process: psutil.Process) -> int:
        try:
            return int(process.memory_full_info().pss)
        except psutil.Error:
            return 0


@dataclass
class Clock:
    """
    Seconds on the wall, and of processor: what this process, a server and all that it started have
    used.
    """

    postmaster: psutil.Process
    walls: dict[str, list[float]] = field(default_factory=dict)
    processor: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        """Add what it took."""
        used, started = self._used(), perf_counter()
        yield
        self.walls.setdefault(name, []).append(perf_counter() - started)
        self.processor[name] = self.processor.get(name, 0.0) + self._used() - used

    def line(self, name: str) -> str:
        """Per search."""
        walls = self.walls[name]
        return (
            f"median {median(walls) * 1000:.1f} ms, 99th {quantiles(walls, n=100)[98] * 1000:.1f} "
            f"ms, processor {self.processor[name] / len(walls) * 1000:.1f} ms"
        )

    def _used(self) -> float:
        living = [self.postmaster, *self.postmaster.children()]
        ended = self.postmaster.cpu_times()
        server = sum(_spent(process) for process in living)
        return float(process_time() + server + ended.children_user + ended.children_system)


def _spent(process: psutil.Process) -> float:
    try:
        times = process.cpu_times()
    except psutil.NoSuchProcess:
        # It ended a moment ago, and its parent counts it from the next look on.
        return 0.0
    return float(times.user + times.system)

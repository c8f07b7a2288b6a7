"""
A process that searches a store continuously and records the time of each search.

It shows how long readers wait while an index is written.
"""

import multiprocessing
from collections.abc import Sequence
from multiprocessing.connection import Connection
from time import perf_counter, sleep
from types import TracebackType

from linker.index import Collection, Query, Store

Search = tuple[float, float]


class Reader:
    """Searches from entering to leaving."""

    def __init__(self, url: str, collection: Collection, queries: Sequence[Query]) -> None:
        context = multiprocessing.get_context("spawn")
        self._own, other = context.Pipe()
        self._process = context.Process(target=_search, args=(url, collection, queries, other))
        self.searches: list[Search] = []

    def __enter__(self) -> "Reader":
        self._process.start()
        # It says when it has searched for the first time; a few seconds more show what a search
        # takes without a writer.
        self._own.recv()
        sleep(5)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._own.send("enough")
        self.searches = self._own.recv()
        self._process.join()

    def seconds(self, started: float, ended: float) -> list[float]:
        """Durations of searches that overlap an interval."""
        return [end - start for start, end in self.searches if start < ended and end > started]


def _search(url: str, collection: Collection, queries: Sequence[Query], other: Connection) -> None:
    store, searches = Store(url), list[Search]()
    while not (searches and other.poll()):
        started = perf_counter()
        store.search(collection, queries[len(searches) % len(queries)], limit=200)
        searches.append((started, perf_counter()))
        if len(searches) == 1:
            other.send("ready")
    other.send(searches)
    store.close()

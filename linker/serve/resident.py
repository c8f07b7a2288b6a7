"""A resident environment: what a process keeps open while agents ask, each in its turn."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from linker.environment import Environment
from linker.errors import StoreError


class Resident:
    """One environment for all: before each turn the index is brought up to date, after it the warehouse is let go."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._lock = Lock()

    @contextmanager
    def turn(self) -> Iterator[Environment]:
        """The environment, for one at a time."""
        with self._lock:
            environment = self._environment
            environment.index.catch_up()
            if not environment.indexed.catalog.tables:
                raise StoreError(
                    f"nothing is indexed for target `{environment.target.name}`",
                    hint=f"linker index --target {environment.target.name}",
                )
            try:
                yield environment
            finally:
                # Whoever reads a DuckDB file keeps others from writing it.
                environment.release_warehouse()

"""
Evaluates SQL expressions over texts in a real warehouse.

An expression is rendered once per dialect; texts go into the relation `samples` (place, value,
hint, row_count).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Protocol

import duckdb
import psycopg

from tests.rendering import Rendering

Row = tuple[object, ...]
SAMPLES = (
    "create temporary table samples (place bigint, value varchar, hint varchar, row_count bigint)"
)


class Fetch(Protocol):
    """Fills `samples`, then gives the rows of a query."""

    def __call__(self, query: str, samples: Sequence[Row]) -> list[Row]:
        """The rows."""


class Expressions:
    """Expressions in one warehouse."""

    def __init__(self, dialect: str, rendering: Rendering, fetch: Fetch) -> None:
        self.dialect = dialect
        self._render: Callable[[str], str] = cache(rendering.expression)
        self._fetch = fetch

    def of_each(
        self, template: str, values: Iterable[str | None], hint: str | None = None
    ) -> list[object]:
        """What the expression gives for each value, in their order."""
        samples = [(place, value, hint, 1) for place, value in enumerate(values)]
        rows = self._fetch(f"select {self._render(template)} from samples order by place", samples)
        return [row[0] for row in rows]

    def of_all(self, template: str, inner: str, counts: dict[str, int]) -> object:
        """The aggregate over a column with these value counts; `inner` is its argument `kind`."""
        samples = [
            (place, value, None, count) for place, (value, count) in enumerate(counts.items())
        ]
        # Materialized: the aggregate names its argument many times, and each is long.
        seen = f"select row_count, {self._render(inner)} as kind from samples"
        query = f"with seen as materialized ({seen}) select {self._render(template)} as result from seen"
        [[result]] = self._fetch(query, samples)
        return result


@contextmanager
def in_duckdb(rendering: Rendering) -> Iterator[Expressions]:
    """In memory."""
    with duckdb.connect() as connection:
        connection.execute(SAMPLES)

        # To plan an expression takes longer than to work it out.
        @cache
        def prepared(query: str) -> str:
            name = f"query_{prepared.cache_info().misses}"
            connection.execute(f"prepare {name} as {query}")
            return name

        def fetch(query: str, samples: Sequence[Row]) -> list[Row]:
            connection.execute("delete from samples")
            columns = [list(column) for column in zip(*samples, strict=True)] or [[], [], [], []]
            connection.execute(
                "insert into samples select unnest(?), unnest(?), unnest(?), unnest(?)", columns
            )
            return connection.execute(f"execute {prepared(query)}").fetchall()

        yield Expressions("duckdb", rendering, fetch)


@contextmanager
def in_postgres(rendering: Rendering, url: str) -> Iterator[Expressions]:
    """On that server."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(SAMPLES)

        def fetch(query: str, samples: Sequence[Row]) -> list[Row]:
            connection.execute("truncate samples")
            with connection.cursor().copy("copy samples from stdin") as copy:
                for sample in samples:
                    copy.write_row(sample)
            return connection.execute(query.encode()).fetchall()

        yield Expressions("postgres", rendering, fetch)

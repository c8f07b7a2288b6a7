"""
Metadata as a run saw it before it read the tables: enter the events of dbt, leaves a record that
JSON can hold.

Each query gives a token for each table; the same query later tells whether anything is no longer
so.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from linker.types import Record

# The names of the queries that every run has. Those of `changes` are missing where a DuckDB file
# holds views alone.
_ALWAYS = {"catalogue", "keys", "journal"}

Token = tuple[str, str, str]


class WatchedQuery(Record, frozen=True):
    """A query over metadata, and its rows: schema, table, token."""

    name: str
    sql: str
    rows: tuple[Token, ...]


class DueAgain(Record, frozen=True):
    """A table that is due though nothing changes, and from when on, in seconds since 1970."""

    schema: str
    table: str
    rule: str
    at: float


class Watched(Record, frozen=True):
    """
    Metadata seen before the run, and what ages after it; the stamp is that of a DuckDB file after
    it.

    `profiled` are the tables that the run left with a profile, where it had nothing else to tell of
    any table.
    """

    queries: tuple[WatchedQuery, ...]
    due_again: DueAgain | None = None
    stamp: str | None = None
    profiled: int | None = None

    @property
    def is_whole(self) -> bool:
        """Tell if everything was looked at."""
        return {query.name for query in self.queries} >= _ALWAYS


def read_watched(values: Mapping[str, Any]) -> Watched:
    """Read the record from those plain values."""
    queries = tuple(
        WatchedQuery(query["name"], query["sql"], tokens(query["rows"]))
        for query in values["queries"]
    )
    due = values["due_again"]
    return Watched(queries, DueAgain(**due) if due else None, values["stamp"], values["profiled"])


def tokens(rows: Sequence[Sequence[object]]) -> tuple[Token, ...]:
    """Rows of a query, as they are compared."""
    return tuple(sorted((str(schema), str(table), str(token)) for schema, table, token in rows))

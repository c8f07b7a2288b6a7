"""
Counts of tables, columns and joins in queries that people ran, never a text or a value.

Counts are of different queries, so a dashboard that runs all day counts as one; how often they ran
is kept beside it.
"""

import json
from collections.abc import Iterable, Mapping
from datetime import date
from functools import cached_property
from typing import Any, TypeVar

from msgspec import field

from linker.types import ColumnRef, Record, TableRef

# Raised with every change of the lists below: what another version wrote is not read.
FORMAT = 1

# A join that one query has may be an accident; one that many have is as sure as a measured one.
_UNSURE = 0.2

TablePair = tuple[TableRef, TableRef]
ColumnPair = tuple[ColumnRef, ColumnRef]
KeyT = TypeVar("KeyT")


class Use(Record, frozen=True):
    """
    The number of queries that use something, how often those ran, and the day of the last run if
    known.
    """

    queries: int
    runs: int
    last: date | None = None

    def __add__(self, other: "Use") -> "Use":
        days = [day for day in (self.last, other.last) if day is not None]
        return Use(self.queries + other.queries, self.runs + other.runs, max(days, default=None))

    @property
    def confidence(self) -> float:
        """The confidence of a join of these queries: 0.8 for one, 0.9 for two, 0.98 for ten."""
        return 1 - _UNSURE / self.queries

    def __str__(self) -> str:
        return f"used in {self.queries:,} {'query' if self.queries == 1 else 'queries'}"


class PriorUse(Record, frozen=True, dict=True):
    """Of how many queries, and what they use; of pairs the lesser comes first."""

    queries: int = 0
    tables: Mapping[TableRef, Use] = field(default_factory=dict)
    columns: Mapping[ColumnRef, Use] = field(default_factory=dict)
    together: Mapping[TablePair, Use] = field(default_factory=dict)
    joins: Mapping[ColumnPair, Use] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return self.queries > 0

    def join(self, left: ColumnRef, right: ColumnRef) -> Use | None:
        """The use of a join of two columns, whichever comes first."""
        return self.joins.get((min(left, right), max(left, right)))

    @cached_property
    def companions(self) -> Mapping[TableRef, tuple[TableRef, Use]]:
        """The table that each is used with most, and how often."""
        found: dict[TableRef, tuple[TableRef, Use]] = {}
        for pair, use in sorted(self.together.items()):
            for own, other in (pair, pair[::-1]):
                if own not in found or use.queries > found[own][1].queries:
                    found[own] = (other, use)
        return found

    def of(self, columns: Iterable[ColumnRef]) -> "PriorUse":
        """The part that an answer with these columns needs."""
        wanted = set(columns)
        tables = {ref.table for ref in wanted}
        pairs = [
            (min(ref, other), max(ref, other))
            for ref, (other, _) in self.companions.items()
            if ref in tables
        ]
        return PriorUse(
            self.queries,
            {ref: use for ref, use in self.tables.items() if ref in tables},
            {ref: use for ref, use in self.columns.items() if ref in wanted},
            {pair: self.together[pair] for pair in pairs},
            {pair: use for pair, use in self.joins.items() if wanted.issuperset(pair)},
        )

    def summary(self, ref: TableRef | ColumnRef) -> str:
        """
        A phrase such as `used in 14 queries, mostly with sales.orders`; nothing where it was not
        used.
        """
        use = self.columns.get(ref) if isinstance(ref, ColumnRef) else self.tables.get(ref)
        if use is None:
            return ""
        companion = self.companions.get(ref) if isinstance(ref, TableRef) else None
        if companion and 2 * companion[1].queries > use.queries:
            return f"{use}, mostly with {companion[0]}"
        return str(use)


NO_PRIOR_USE = PriorUse()


def together(parts: Iterable[PriorUse]) -> PriorUse:
    """The counts of several sources, added up."""
    known = list(parts)
    return PriorUse(
        sum(source.queries for source in known),
        _sum(source.tables for source in known),
        _sum(source.columns for source in known),
        _sum(source.together for source in known),
        _sum(source.joins for source in known),
    )


def _sum(counts: Iterable[Mapping[KeyT, Use]]) -> dict[KeyT, Use]:
    total: dict[KeyT, Use] = {}
    for uses in counts:
        for key, use in uses.items():
            total[key] = total[key] + use if key in total else use
    return total


def pack(known: PriorUse) -> bytes:
    """
    The same bytes for the same use, in ASCII: lists, as names would be most of it, with each table
    named once.
    """
    refs = {
        *known.tables,
        *(ref for pair in known.together for ref in pair),
        *(column.table for column in known.columns),
        *(column.table for pair in known.joins for column in pair),
    }
    tables = sorted(refs)
    number = {ref: place for place, ref in enumerate(tables)}
    content = {
        "format": FORMAT,
        "queries": known.queries,
        "names": [[ref.schema, ref.name] for ref in tables],
        "tables": [[number[ref], *_row(use)] for ref, use in sorted(known.tables.items())],
        "columns": [
            [number[ref.table], ref.path, *_row(use)] for ref, use in sorted(known.columns.items())
        ],
        "together": [
            [*map(number.__getitem__, pair), *_row(use)]
            for pair, use in sorted(known.together.items())
        ],
        "joins": [
            [number[left.table], left.path, number[right.table], right.path, *_row(use)]
            for (left, right), use in sorted(known.joins.items())
        ],
    }
    return json.dumps(content, separators=(",", ":")).encode()


def unpack(packed: bytes) -> PriorUse | None:
    """Read what was packed; nothing where another version did that."""
    content = json.loads(packed)
    if content["format"] != FORMAT:
        return None
    names = [TableRef(schema, name) for schema, name in content["names"]]
    return PriorUse(
        content["queries"],
        {names[table]: _use(*use) for table, *use in content["tables"]},
        {ColumnRef(names[table], path): _use(*use) for table, path, *use in content["columns"]},
        {(names[left], names[right]): _use(*use) for left, right, *use in content["together"]},
        {
            (ColumnRef(names[left], path), ColumnRef(names[right], other_path)): _use(*use)
            for left, path, right, other_path, *use in content["joins"]
        },
    )


def _row(use: Use) -> list[Any]:
    return [use.queries, use.runs, use.last.isoformat() if use.last else None]


def _use(queries: int, runs: int, last: str | None) -> Use:
    return Use(queries, runs, date.fromisoformat(last) if last else None)

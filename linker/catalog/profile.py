"""
Reads the profile of one logical table at levels L1 to L3.

The fields of `Structure`, `Semantics`, `Statistics` and `JoinEdge` are the columns of
linker_profile_l1, _l2, _l3 and linker_joins, by name. `None` means not measured, never zero.
"""

import json
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cache
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from linker.catalog.read_catalog import Artifacts, as_text, as_utc, catalog_sql
from linker.types import Record, Table, TableRef

RecordT = TypeVar("RecordT", bound=Struct)
# Statistics that contain values or are derived from them.
_INFORMATIVE_STATISTICS = (
    "min_value",
    "max_value",
    "mean",
    "deviation",
    "quantiles",
    "histogram",
    "first_day",
    "last_day",
)


class ValueCount(Record, frozen=True):
    """A value or shape with its count; of a family the shards that have it, if not all."""

    value: str
    count: int
    members: tuple[str, ...] = ()


class HistogramBin(Record, frozen=True):
    """The share of values from `start` to `end`."""

    start: float
    end: float
    share: float


class Structure(Record, frozen=True):
    data_type: str
    value_kind: str
    category: str
    is_nullable: bool
    is_unique: bool | None
    primary_key_origin: str | None
    foreign_key_origin: str | None


class Semantics(Record, frozen=True):
    description: str | None
    description_origin: str | None
    representative_values: tuple[ValueCount, ...] | None
    null_ratio: float | None
    distinct_count: int | None
    distinct_is_exact: bool | None
    patterns: tuple[ValueCount, ...] | None
    min_length: int | None
    max_length: int | None
    privacy: str | None
    personal_data: str | None
    is_sampled: bool | None
    scanned_at: datetime | None


class Statistics(Record, frozen=True):
    row_count: int
    value_count: int
    min_value: str | None
    max_value: str | None
    mean: float | None
    deviation: float | None
    quantiles: tuple[float, ...] | None
    histogram: tuple[HistogramBin, ...] | None
    top_value_share: float | None
    entropy: float | None
    uniqueness: float | None
    monotonicity: float | None
    first_day: str | None
    last_day: str | None
    day_count: int | None
    day_coverage: float | None
    largest_gap_days: int | None
    sample_row_count: int | None
    is_sampled: bool
    scanned_at: datetime


class ColumnProfile(Record, frozen=True):
    """A column, or a path inside it; without L3 when its table was not scanned."""

    path: str
    position: int
    l1: Structure
    l2: Semantics
    l3: Statistics | None

    @property
    def is_shown(self) -> bool:
        """Whether values may be shown; unprofiled columns show none."""
        return self.l2.privacy == "show"


class JoinEdge(Record, frozen=True):
    """A join from referencing columns to a key."""

    from_schema: str
    from_table: str
    from_columns: tuple[str, ...]
    to_schema: str
    to_table: str
    to_columns: tuple[str, ...]
    origin: str
    name_rule: str | None
    key_uniqueness: float | None
    containment: float | None
    coverage: float | None
    fan_out: float | None
    cardinality: str | None
    sampled_values: int | None
    confidence: float
    evidence: str

    @property
    def source(self) -> TableRef:
        """The referencing table."""
        return TableRef(self.from_schema, self.from_table)

    @property
    def key(self) -> TableRef:
        """The referenced table."""
        return TableRef(self.to_schema, self.to_table)


class ScanPlan(Record, frozen=True):
    """The scan decision of the last run for a table, with its reason and the shards to read."""

    state: str
    reason: str
    members: tuple[str, ...]


class TableProfile(Record, frozen=True):
    """A logical table with its columns and its joins in both directions."""

    table: Table
    columns: tuple[ColumnProfile, ...]
    joins: tuple[JoinEdge, ...]
    plan: ScanPlan | None

    @property
    def statistics(self) -> Statistics | None:
        """
        Statistics of the first scanned column, whose rows, sample and time are those of the table.
        """
        tops = {column.path for column in self.table.columns if column.depth == 0}
        return next(
            (column.l3 for column in self.columns if column.l3 and column.path in tops), None
        )

    def joins_of(self, path: str) -> tuple[JoinEdge, ...]:
        ref = self.table.ref
        return tuple(
            edge
            for edge in self.joins
            if (edge.source == ref and path in edge.from_columns)
            or (edge.key == ref and path in edge.to_columns)
        )


def column_profile(profile: TableProfile | None, path: str) -> ColumnProfile | None:
    columns = profile.columns if profile else ()
    return next((column for column in columns if column.path == path), None)


def shown_part(column: ColumnProfile) -> ColumnProfile:
    """The profile without restricted values: masked columns keep shapes, hidden ones counts."""
    if column.is_shown:
        return column
    l2, l3 = column.l2, column.l3
    if l2.privacy != "mask":
        l2 = replace(l2, representative_values=None, patterns=None)
    if l3 is not None:
        l3 = replace(l3, **dict.fromkeys(_INFORMATIVE_STATISTICS))
    return replace(column, l2=l2, l3=l3)


def read_profile(artifacts: Artifacts, table: Table) -> TableProfile:
    """Everything in the profile tables about one logical table."""
    artifacts.require(
        "linker_profile_l1", "linker_profile_l2", "linker_profile_l3", "linker_joins", "linker_plan"
    )
    name = (table.ref.schema, table.ref.name)
    plans = artifacts.query(catalog_sql("plan"), name)
    columns = _statement("profile", l1=Structure, l2=Semantics, l3=Statistics)
    joins = _statement("profile_joins", joins=JoinEdge)
    return TableProfile(
        table=table,
        columns=tuple(_column(row) for row in artifacts.query(columns, name)),
        joins=tuple(_record(JoinEdge, row) for row in artifacts.query(joins, name + name)),
        plan=_record(ScanPlan, plans[0]) if plans else None,
    )


@cache
def _statement(name: str, **records: type[Struct]) -> str:
    """The SQL file of that name; `l1.*` expands to the fields of the record of `l1`."""
    text = catalog_sql(name)
    for relation, record in records.items():
        columns = ", ".join(f"{relation}.{field}" for field in record.__struct_fields__)
        text = text.replace(f"{relation}.*", columns)
    return text


def _column(row: Sequence[Any]) -> ColumnProfile:
    path, position, *values = row
    end_of_l1 = len(Structure.__struct_fields__)
    end_of_l2 = end_of_l1 + len(Semantics.__struct_fields__)
    l3 = values[end_of_l2:]
    return ColumnProfile(
        path=path,
        position=position,
        l1=_record(Structure, values[:end_of_l1]),
        l2=_record(Semantics, values[end_of_l1:end_of_l2]),
        # The first column of L3 is a count, so null means no scan.
        l3=None if l3[0] is None else _record(Statistics, l3),
    )


def _record(record: type[RecordT], values: Sequence[Any]) -> RecordT:
    """
    A record from the columns of its profile table; JSON lists become tuples, times get a zone.
    """
    read = (
        _READERS[name](value) if value is not None and name in _READERS else value
        for name, value in zip(record.__struct_fields__, values, strict=True)
    )
    return record(*read)


def _value_counts(text: str) -> tuple[ValueCount, ...]:
    entries = json.loads(text)
    return tuple(
        ValueCount(as_text(item["value"]), item["count"], tuple(item.get("members", ())))
        for item in entries
    )


def _bins(text: str) -> tuple[HistogramBin, ...]:
    return tuple(HistogramBin(item["from"], item["to"], item["share"]) for item in json.loads(text))


def _list(text: str) -> tuple[Any, ...]:
    return tuple(json.loads(text))


_READERS: dict[str, Callable[[Any], object]] = {
    "representative_values": _value_counts,
    "patterns": _value_counts,
    "histogram": _bins,
    "quantiles": _list,
    "members": _list,
    "from_columns": _list,
    "to_columns": _list,
    "scanned_at": as_utc,
}

"""
Reads what tables are like now: enter the artifacts and the catalog, leaves the state of every
table.

All columns come in one statement. The profiles hold nothing of hidden columns, and shapes instead
of the values of masked ones, which are not kept here either: only values that may be shown are.
"""

import json
import re
from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime

from linker.catalog.inventory import Artifacts, as_text, as_utc, statement
from linker.runs import ColumnState, TableState
from linker.types import Catalog, Family, Record, Table, TableRef

# A category of that many values fits a line or two of a report, and the profiles keep all of them.
_MOST_VALUES = 25
# A value that stands in fewer rows on average is no category, unless it looks like one by its name.
_LEAST_REPEATS = 5
_CATEGORIES = ("category", "code", "boolean")
_MOMENTS = ("date", "timestamp", "time", "interval")


class _ProfiledColumn(Record, frozen=True):
    """A column as the profiles tell it, in the order of the statement."""

    path: str
    data_type: str
    is_nullable: bool | None
    category: str | None
    value_kind: str | None
    null_ratio: float | None
    distinct_count: int | None
    distinct_is_exact: bool | None
    privacy: str | None
    is_sampled: bool | None
    scanned_at: datetime | None
    values: str | None
    row_count: int | None
    value_count: int | None
    sample_row_count: int | None
    min: str | None
    max: str | None


def read_states(artifacts: Artifacts, catalog: Catalog) -> dict[TableRef, TableState]:
    """The state of every table of the catalog, with the columns that the profiles have of it."""
    artifacts.require("linker_profile_l1", "linker_profile_l2", "linker_profile_l3")
    columns: dict[TableRef, list[_ProfiledColumn]] = defaultdict(list)
    for schema, table, *profile in artifacts.query(statement("states")):
        columns[TableRef(schema, table)].append(_ProfiledColumn(*profile))
    planned = artifacts.query(statement("change_rules")) if artifacts.holds("linker_plan") else []
    rules = {TableRef(schema, table): rule for schema, table, rule in planned}
    return {table.ref: _state(table, columns, rules.get(table.ref)) for table in catalog.tables}


def _state(
    table: Table, columns: Mapping[TableRef, list[_ProfiledColumn]], change_rule: str | None
) -> TableState:
    own = columns.get(table.ref, [])
    tops = {column.path for column in table.columns if column.depth == 0}
    rows_read = next(
        (
            column.row_count
            for column in own
            if column.path in tops and column.row_count is not None
        ),
        None,
    )
    estimate = table.row_count_estimate
    is_cut = (
        any(column.is_sampled for column in own)
        and rows_read is not None
        and 2 * rows_read < (estimate or 0)
    )
    is_partial = (table.family is not None and not table.family.is_snapshots) or is_cut
    row_count = (
        estimate if rows_read is None or (is_partial and estimate is not None) else rows_read
    )
    scanned_at = next((column.scanned_at for column in own if column.scanned_at is not None), None)
    return TableState(
        None if row_count is None else int(row_count),
        as_utc(scanned_at) if scanned_at else None,
        tuple(_column(column, table, is_partial=is_partial) for column in own),
        change_rule,
    )


def _column(profile: _ProfiledColumn, table: Table, *, is_partial: bool) -> ColumnState:
    is_sampled = bool(profile.is_sampled)
    measured = (profile.sample_row_count, profile.row_count) if is_sampled else (profile.row_count,)
    rows = min((int(rows) for rows in measured if rows is not None), default=None)
    values = _values(profile) if _is_small_category(profile) else ()
    return ColumnState(
        path=profile.path,
        data_type=profile.data_type,
        is_nullable=profile.is_nullable,
        category=profile.category,
        null_ratio=None if profile.null_ratio is None else float(profile.null_ratio),
        distinct_count=None if profile.distinct_count is None else int(profile.distinct_count),
        min=profile.min,
        max=profile.max,
        values=() if table.family and _tells_members(values, table.family) else values,
        is_sampled=is_sampled,
        value_kind=profile.value_kind,
        privacy=profile.privacy,
        distinct_is_exact=profile.distinct_is_exact,
        sample_rows=rows if is_sampled or is_partial else None,
        is_partial=is_partial and profile.row_count is not None,
    )


def _is_small_category(profile: _ProfiledColumn) -> bool:
    distinct, count = profile.distinct_count or 0, profile.value_count or 0
    if (
        not profile.values
        or not count
        or not 0 < distinct <= _MOST_VALUES
        or profile.value_kind in _MOMENTS
    ):
        return False
    return profile.category in _CATEGORIES or distinct * _LEAST_REPEATS <= count


def _values(profile: _ProfiledColumn) -> tuple[tuple[str, int], ...]:
    """
    The values as texts, the most frequent first; personal values among others are shapes, some of
    them equal.
    """
    counts: dict[str, int] = defaultdict(int)
    for item in json.loads(profile.values or "[]"):
        counts[as_text(item["value"])] += int(item["count"])
    return tuple(sorted(counts.items(), key=lambda count: (-count[1], count[0])))


def _tells_members(values: tuple[tuple[str, int], ...], family: Family) -> bool:
    """
    Tell if the column says in which member a row lies, which is no category: it is new with every
    member.
    """
    return any(re.sub(r"\D", "", text) == family.last_key for text, _ in values)

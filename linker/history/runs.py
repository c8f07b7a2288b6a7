"""
Runs of a target, as the store keeps them, runs of dbt, as the artifacts do, and what tables are
like now.

A run of `linker profile` repeats dbt where a table fails, and anyone may run dbt alone: one run of
ours may have done several of dbt's, or none.

All columns come in one statement. The profiles hold nothing of hidden columns, and shapes instead
of the values of masked ones, which are not kept here either: only values that may be shown are.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from operator import attrgetter
from typing import TYPE_CHECKING

from msgspec.structs import replace

from linker.catalog.inventory import Artifacts, as_text, as_utc, statement
from linker.environment import Environment
from linker.errors import ConfigError
from linker.runs import ColumnState, Run, TableState, Work
from linker.store import has_store
from linker.types import Catalog, Family, Record, Table, TableRef

if TYPE_CHECKING:
    from linker.store.history import StoredHistory

# More than the history of a target keeps.
_ALL = 1_000_000

# A category of that many values fits a line or two of a report, and the profiles keep all of them.
_MOST_VALUES = 25
# A value that stands in fewer rows on average is no category, unless it looks like one by its name.
_LEAST_REPEATS = 5
_CATEGORIES = ("category", "code", "boolean")
_MOMENTS = ("date", "timestamp", "time", "interval")


class DbtRun(Record, frozen=True):
    """One invocation of dbt, and what it did."""

    run_id: str
    started_at: datetime
    ended_at: datetime
    work: Work


def read_runs(environment: Environment, limit: int | None = None) -> list[Run]:
    """The runs of the target that are kept, the newest first."""
    return history_of(environment).runs(environment.target_key, limit=limit or _ALL)


def find_run(environment: Environment, number: int | None) -> Run:
    """The run of that number, or the newest."""
    return find_among(read_runs(environment), number, environment.target_key)


def history_of(environment: Environment) -> "StoredHistory":
    """The history of the target; where nothing ran it is not made."""
    if not has_store(environment.settings.store_url, environment.settings.state_dir):
        raise _nothing_ran(environment.target_key)
    return environment.store.history


def find_among(runs: Sequence[Run], number: int | None, target: str) -> Run:
    """The run of that number, or the newest, among those that are kept."""
    if not runs:
        raise _nothing_ran(target)
    if number is None:
        return runs[0]
    for run in runs:
        if run.number == number:
            return run
    raise ConfigError(
        f"no run {number} of `{target}` is kept, only {runs[-1].number} to {runs[0].number}",
        hint="linker runs",
    )


def read_dbt_runs(artifacts: Artifacts) -> list[DbtRun]:
    """All runs of which the warehouse keeps the record; none where dbt has not run."""
    if not artifacts.holds("linker_runs"):
        return []
    return [
        DbtRun(run_id, as_utc(started), as_utc(ended), Work(*map(int, counts)))
        for run_id, started, ended, *counts in artifacts.query(statement("runs"))
    ]


def work_of(runs: Iterable[DbtRun]) -> Work:
    """
    Work of several runs together: what was read adds up, what was not is told by the first.

    The runs after it find unchanged what it scanned, and plan once more what it failed at.
    """
    done = [run.work for run in runs]
    if not done:
        return Work()
    total: dict[str, int] = {}
    for name in ("scanned", "failed", "statements", "rows_read", "bytes_read"):
        total[name] = sum(map(attrgetter(name), done))
    return replace(
        done[0], planned=max(done[0].planned, total["scanned"] + total["failed"]), **total
    )


def _nothing_ran(target: str) -> ConfigError:
    return ConfigError(f"no run of `{target}` is recorded", hint="linker refresh")


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

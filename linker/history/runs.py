"""
Run history and schema diff: linker's runs from the store, dbt's from the profile tables, and the
tables and columns that were added, removed, renamed or changed between two runs.

`linker profile` repeats dbt after a failed table and users run dbt alone, so one run may have
several dbt runs or none. The diff needs the store only, not the warehouse. Stored column states
hold no values of hidden or masked columns.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import product
from operator import attrgetter
from typing import TYPE_CHECKING, Literal

from msgspec.structs import replace

from linker.catalog.read_catalog import Artifacts, as_text, as_utc, catalog_sql
from linker.environment import Environment
from linker.errors import ConfigError, RunLookupError
from linker.history.column_changes import MeasureChange, Pair, Thresholds, changes
from linker.index import has_store
from linker.types import (
    Catalog,
    ColumnRef,
    ColumnState,
    Family,
    JoinState,
    Record,
    Run,
    Table,
    TableRef,
    TableState,
    Work,
)

if TYPE_CHECKING:
    from linker.catalog.column_metadata import KeyPair
    from linker.index.history import StoredHistory

# More than any target's history.
_ALL = 1_000_000

# The profiles keep all values of such categories, and they fit a line or two.
_MAX_VALUES = 25
# Values with fewer rows on average are no category, unless the name says so.
_MIN_REPEATS = 5
_CATEGORIES = ("category", "code", "boolean")
_MOMENTS = ("date", "timestamp", "time", "interval")

# Maximum distance of measures for a rename.
_NEAR = 0.05
_NEAR_NULLS = 0.02
# Exact counts of so many distinct values rarely coincide.
_INFORMATIVE_COUNT = 50


class DbtRun(Record, frozen=True):
    """A dbt invocation and its results."""

    run_id: str
    started_at: datetime
    ended_at: datetime
    work: Work


def read_runs(environment: Environment, limit: int | None = None) -> list[Run]:
    """Stored runs of the target, newest first."""
    return history_of(environment).runs(environment.target_key, limit=limit or _ALL)


def find_run(environment: Environment, number: int | None) -> Run:
    """A run by number, or the newest."""
    return find_among(read_runs(environment), number, environment.target_key)


def history_of(environment: Environment) -> "StoredHistory":
    """History of the target; not created if nothing ran."""
    if not has_store(environment.settings.store_url, environment.settings.state_dir):
        raise _nothing_ran(environment.target_key)
    return environment.store.history


def find_among(runs: Sequence[Run], number: int | None, target: str) -> Run:
    """A stored run by number, or the newest."""
    if not runs:
        raise _nothing_ran(target)
    if number is None:
        return runs[0]
    for run in runs:
        if run.number == number:
            return run
    raise RunLookupError(
        f"run {number} of `{target}` is not stored, only {runs[-1].number} to {runs[0].number}",
        hint="linker runs",
    )


def read_dbt_runs(artifacts: Artifacts) -> list[DbtRun]:
    """Runs of dbt recorded in the warehouse; empty before the first."""
    if not artifacts.holds("linker_runs"):
        return []
    return [
        DbtRun(run_id, as_utc(started), as_utc(ended), Work(*map(int, counts)))
        for run_id, started, ended, *counts in artifacts.query(catalog_sql("runs"))
    ]


def work_of(runs: Iterable[DbtRun]) -> Work:
    """
    Combined work of several runs: reads add up, unchanged tables are those of the first.

    Later runs find its scans unchanged, and plan its failures again.
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
    return ConfigError(f"no runs of `{target}` yet", hint="linker refresh")


class _ProfiledColumn(Record, frozen=True):
    """Fields in the order of the statement."""

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


def read_states(
    artifacts: Artifacts, catalog: Catalog, joins: "Iterable[KeyPair]" = ()
) -> dict[TableRef, TableState]:
    """State of each table: profiled columns, and joins that start there."""
    artifacts.require("linker_profile_l1", "linker_profile_l2", "linker_profile_l3")
    columns: dict[TableRef, list[_ProfiledColumn]] = defaultdict(list)
    for schema, table, *profile in artifacts.query(catalog_sql("states")):
        columns[TableRef(schema, table)].append(_ProfiledColumn(*profile))
    planned = artifacts.query(catalog_sql("change_rules")) if artifacts.holds("linker_plan") else []
    rules = {TableRef(schema, table): rule for schema, table, rule in planned}
    joined: dict[TableRef, list[JoinState]] = defaultdict(list)
    for pair in joins:
        state = JoinState(pair.left_columns, pair.right.schema, pair.right.name, pair.right_columns)
        joined[pair.left].append(state)
    return {
        table.ref: replace(
            _state(table, columns, rules.get(table.ref)), joins=tuple(joined.get(table.ref, ()))
        )
        for table in catalog.tables
    }


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
        or not 0 < distinct <= _MAX_VALUES
        or profile.value_kind in _MOMENTS
    ):
        return False
    return profile.category in _CATEGORIES or distinct * _MIN_REPEATS <= count


def _values(profile: _ProfiledColumn) -> tuple[tuple[str, int], ...]:
    """
    Values as text, most frequent first; PII among them is replaced by shapes, which may repeat.
    """
    counts: dict[str, int] = defaultdict(int)
    for item in json.loads(profile.values or "[]"):
        counts[as_text(item["value"])] += int(item["count"])
    return tuple(sorted(counts.items(), key=lambda count: (-count[1], count[0])))


def _tells_members(values: tuple[tuple[str, int], ...], family: Family) -> bool:
    """Whether the column identifies the shard, and so is no category: each shard adds a value."""
    return any(re.sub(r"\D", "", text) == family.last_key for text, _ in values)


class ColumnChange(Record, frozen=True):
    """A column that was added, removed, changed or probably renamed."""

    kind: Literal["came", "gone", "renamed", "changed"]
    before: ColumnState | None
    after: ColumnState | None
    changes: tuple[MeasureChange, ...] = ()

    @property
    def path(self) -> str:
        """Its path, after a rename the new one."""
        state = self.after or self.before
        return state.path if state else ""


class TableChange(Record, frozen=True):
    """A table that was added, removed, or changed."""

    table: TableRef
    kind: Literal["came", "gone", "changed"]
    before: TableState | None
    after: TableState | None
    has_other_row_count: bool = False
    columns: tuple[ColumnChange, ...] = ()


class BrokenJoin(Record, frozen=True):
    """A known join with a column that was removed or changed type."""

    table: TableRef
    join: JoinState
    column: ColumnRef
    # Old and new type; None if removed.
    was: str
    now: str | None


class WarehouseDiff(Record, frozen=True):
    """Changes between two runs; `unchanged` counts the other tables."""

    target: str
    before: Run
    after: Run
    thresholds: Thresholds
    tables: tuple[TableChange, ...]
    unchanged: int
    broken_joins: tuple[BrokenJoin, ...] = ()


def compare_runs(
    environment: Environment, numbers: Sequence[int | None], thresholds: Thresholds
) -> WarehouseDiff:
    """
    Compare two runs; a `None` is the newest.

    One run is compared with the run before. Without any, the last run with changes is compared with
    the one with changes before it.
    """
    target, history = environment.target_key, history_of(environment)
    runs = read_runs(environment)
    if not numbers:
        numbers = _last_two(history, target)
    chosen = [find_among(runs, number, target) for number in numbers]
    if len(chosen) == 1:
        chosen.insert(0, _run_before(runs, chosen[0], target))
    before, after = chosen
    was, now = (history.states(target, run.number) for run in (before, after))
    tables = diff(was, now, thresholds)
    return WarehouseDiff(
        target,
        before,
        after,
        thresholds,
        tables,
        len({*was, *now}) - len(tables),
        find_broken_joins(was, now),
    )


def find_broken_joins(
    before: Mapping[TableRef, TableState], after: Mapping[TableRef, TableState]
) -> tuple[BrokenJoin, ...]:
    """
    Joins with a column that was removed or changed type; a join that is no longer detected is not
    reported, since its evidence may be sampled.
    """
    was, now = _types(before), _types(after)
    broken: list[BrokenJoin] = []
    for table, state in sorted(before.items()):
        for join in state.joins:
            key = TableRef(join.schema, join.table)
            ends = [ColumnRef(table, path) for path in join.columns]
            ends += [ColumnRef(key, path) for path in join.keys]
            broken += [
                BrokenJoin(table, join, end, was[end], now.get(end))
                for end in ends
                if end in was and now.get(end) != was[end]
            ]
    return tuple(broken)


def _types(states: Mapping[TableRef, TableState]) -> dict[ColumnRef, str]:
    types = dict[ColumnRef, str]()
    for table, state in states.items():
        for column in state.columns:
            types[ColumnRef(table, column.path)] = column.data_type
    return types


def diff(
    before: Mapping[TableRef, TableState],
    after: Mapping[TableRef, TableState],
    thresholds: Thresholds,
) -> tuple[TableChange, ...]:
    """Changes by table."""
    compared = (
        _table(ref, before.get(ref), after.get(ref), thresholds)
        for ref in sorted({*before, *after})
    )
    return tuple(change for change in compared if change)


def _table(
    ref: TableRef, before: TableState | None, after: TableState | None, thresholds: Thresholds
) -> TableChange | None:
    if before is None or after is None:
        return TableChange(ref, "came" if before is None else "gone", before, after)
    if before == after:
        return None
    has_other_row_count = _is_beyond(before.row_count, after.row_count, thresholds.rows)
    columns = _columns(before, after, thresholds)
    if not has_other_row_count and not columns:
        return None
    return TableChange(ref, "changed", before, after, has_other_row_count, columns)


def _is_beyond(before: int | None, after: int | None, share: float) -> bool:
    """Whether one exceeds the other by that share of the smaller one."""
    if before is None or after is None:
        return False
    return max(before, after) - min(before, after) > share * min(before, after)


def _columns(
    before: TableState, after: TableState, thresholds: Thresholds
) -> tuple[ColumnChange, ...]:
    was = {column.path: column for column in before.columns}
    now = {column.path: column for column in after.columns}
    removed = [column for path, column in was.items() if path not in now]
    added = [column for path, column in now.items() if path not in was]
    renamed = _renamed(removed, added, before, after)
    old_names = {new.path: old for old, new in renamed}
    column_changes: list[ColumnChange] = []
    for path, column in now.items():
        old = was.get(path) or old_names.get(path)
        if old is None:
            column_changes.append(ColumnChange("came", None, column))
            continue
        changed = changes(Pair(old, column, before, after), thresholds)
        if path in old_names or changed:
            column_changes.append(
                ColumnChange("renamed" if path in old_names else "changed", old, column, changed)
            )
    lost = {old.path for old, _ in renamed}
    column_changes += [
        ColumnChange("gone", column, None) for column in removed if column.path not in lost
    ]
    return tuple(column_changes)


def _renamed(
    removed: Sequence[ColumnState],
    added: Sequence[ColumnState],
    before: TableState,
    after: TableState,
) -> list[tuple[ColumnState, ColumnState]]:
    """Pairs that are mutually nearest, without a tie."""
    distances: dict[tuple[int, int], float] = {}
    for (old, lost), (new, candidate) in product(enumerate(removed), enumerate(added)):
        distance = _distance(Pair(lost, candidate, before, after))
        if distance is not None:
            distances[old, new] = distance

    def is_nearest(old: int, new: int) -> bool:
        rivals = [
            far
            for pair, far in distances.items()
            if pair != (old, new) and (pair[0] == old or pair[1] == new)
        ]
        return all(far > distances[old, new] for far in rivals)

    return [(removed[old], added[new]) for old, new in distances if is_nearest(old, new)]


def _distance(pair: Pair) -> float | None:
    """Distance of two columns; None if they differ, or if the evidence is too weak."""
    before, after = pair.before, pair.after
    if (before.data_type, before.privacy) != (after.data_type, after.privacy):
        return None
    measures = (
        (pair.null_shift(), max(_NEAR_NULLS, pair.null_noise())),
        (pair.distinct_shift(), _NEAR + pair.distinct_noise()),
        (pair.range_shift(), _NEAR),
        (_value_shift(pair), max(_NEAR, pair.value_noise())),
    )
    shifts = [(shift, limit) for shift, limit in measures if shift is not None]
    if any(shift > limit for shift, limit in shifts) or bool(before.values) != bool(after.values):
        return None
    # Texts of the same rows have equal ranges; others are penalised.
    ends = _NEAR * ((before.min != after.min) + (before.max != after.max))
    return sum(shift for shift, _ in shifts) + ends if _is_informative(pair) else None


def _value_shift(pair: Pair) -> float | None:
    shares = pair.value_shares()
    return None if shares is None else sum(abs(now - was) for _, was, now in shares) / 2


def _is_informative(pair: Pair) -> bool:
    """
    Whether the agreement is unlikely by chance: values, range, a large exact count, or type and
    names.
    """
    before, after = pair.before, pair.after
    if before.values or (before.value_kind == "struct" and "STRUCT" in before.data_type.upper()):
        return True
    if before.min is not None and before.min == after.min and before.max == after.max:
        return True
    if pair.range_shift() is not None:
        return True
    is_exact = bool(before.distinct_is_exact and after.distinct_is_exact)
    counts = (before.distinct_count or 0, after.distinct_count or 0)
    return is_exact and min(counts) >= _INFORMATIVE_COUNT and counts[0] == counts[1]


def _run_before(runs: Sequence[Run], run: Run, target: str) -> Run:
    earlier = [other for other in runs if other.number < run.number]
    if not earlier:
        raise ConfigError(
            f"run {run.number} is the first of `{target}` that is kept: there is none before it "
            "to compare it with",
            hint="linker runs",
        )
    return earlier[0]


def _last_two(history: "StoredHistory", target: str) -> list[int | None]:
    changed: list[int | None] = [*history.changed_runs(target, limit=2)]
    if len(changed) < 2:
        raise ConfigError(
            f"fewer than two runs of `{target}` found changes, so there is nothing to compare yet",
            hint=(
                "linker refresh, when something has changed; or name two runs: linker diff RUN1 "
                "RUN2"
            ),
        )
    return changed[::-1]

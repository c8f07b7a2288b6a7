"""
Changes in the warehouse between two runs: tables and columns that came, went, changed or have
another name.

Only the store is asked: the warehouse may be away. What changed the other way round is the same,
mirrored.
"""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Literal

from linker.environment import Environment
from linker.errors import ConfigError
from linker.history.column_changes import MeasureChange, Pair, Thresholds, changes
from linker.history.runs import find_among, history_of, read_runs
from linker.runs import ColumnState, Run, TableState
from linker.types import Record, TableRef

if TYPE_CHECKING:
    from linker.store.history import StoredHistory

# How near the measures of a column that went and of one that came must lie, for one to be the
# other.
_NEAR = 0.05
_NEAR_NULLS = 0.02
# So many distinct values, counted exactly, are hardly the same by chance.
_TELLING_COUNT = 50


class ColumnChange(Record, frozen=True):
    """A column that came, went, changed, or probably has another name now."""

    kind: Literal["came", "gone", "renamed", "changed"]
    before: ColumnState | None
    after: ColumnState | None
    changes: tuple[MeasureChange, ...] = ()

    @property
    def path(self) -> str:
        """Its path, the new one where it has two."""
        state = self.after or self.before
        return state.path if state else ""


class TableChange(Record, frozen=True):
    """A table that came, went, or changed in its rows or columns."""

    table: TableRef
    kind: Literal["came", "gone", "changed"]
    before: TableState | None
    after: TableState | None
    has_other_row_count: bool = False
    columns: tuple[ColumnChange, ...] = ()


class WarehouseDiff(Record, frozen=True):
    """Changes between the ends of two runs; `unchanged` counts the tables without any."""

    target: str
    before: Run
    after: Run
    thresholds: Thresholds
    tables: tuple[TableChange, ...]
    unchanged: int


def compare_runs(
    environment: Environment, numbers: Sequence[int | None], thresholds: Thresholds
) -> WarehouseDiff:
    """
    Compare one run with another; a number that is `None` is the newest run's.

    One run is compared with the one before it. Where none is named, the last that found something
    changed is compared with the last such one before it.
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
    return WarehouseDiff(target, before, after, thresholds, tables, len({*was, *now}) - len(tables))


def diff(
    before: Mapping[TableRef, TableState],
    after: Mapping[TableRef, TableState],
    thresholds: Thresholds,
) -> tuple[TableChange, ...]:
    """Changes, by table."""
    found = (
        _table(ref, before.get(ref), after.get(ref), thresholds)
        for ref in sorted({*before, *after})
    )
    return tuple(change for change in found if change)


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
    """Tell if one is larger than the other by more than that share of the smaller one."""
    if before is None or after is None:
        return False
    return max(before, after) - min(before, after) > share * min(before, after)


def _columns(
    before: TableState, after: TableState, thresholds: Thresholds
) -> tuple[ColumnChange, ...]:
    was = {column.path: column for column in before.columns}
    now = {column.path: column for column in after.columns}
    gone = [column for path, column in was.items() if path not in now]
    came = [column for path, column in now.items() if path not in was]
    renamed = _renamed(gone, came, before, after)
    old_names = {new.path: old for old, new in renamed}
    found: list[ColumnChange] = []
    for path, column in now.items():
        old = was.get(path) or old_names.get(path)
        if old is None:
            found.append(ColumnChange("came", None, column))
            continue
        changed = changes(Pair(old, column, before, after), thresholds)
        if path in old_names or changed:
            found.append(
                ColumnChange("renamed" if path in old_names else "changed", old, column, changed)
            )
    lost = {old.path for old, _ in renamed}
    found += [ColumnChange("gone", column, None) for column in gone if column.path not in lost]
    return tuple(found)


def _renamed(
    gone: Sequence[ColumnState], came: Sequence[ColumnState], before: TableState, after: TableState
) -> list[tuple[ColumnState, ColumnState]]:
    """Pairs of which each is the other's nearest, with no second as near."""
    distances: dict[tuple[int, int], float] = {}
    for (old, lost), (new, found) in product(enumerate(gone), enumerate(came)):
        distance = _distance(Pair(lost, found, before, after))
        if distance is not None:
            distances[old, new] = distance

    def is_nearest(old: int, new: int) -> bool:
        rivals = [
            far
            for pair, far in distances.items()
            if pair != (old, new) and (pair[0] == old or pair[1] == new)
        ]
        return all(far > distances[old, new] for far in rivals)

    return [(gone[old], came[new]) for old, new in distances if is_nearest(old, new)]


def _distance(pair: Pair) -> float | None:
    """Distance of two columns; none where they differ, or where nothing tells that they are one."""
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
    # Texts of the same rows have the same ends; others are further away.
    ends = _NEAR * ((before.min != after.min) + (before.max != after.max))
    return sum(shift for shift, _ in shifts) + ends if _is_telling(pair) else None


def _value_shift(pair: Pair) -> float | None:
    shares = pair.value_shares()
    return None if shares is None else sum(abs(now - was) for _, was, now in shares) / 2


def _is_telling(pair: Pair) -> bool:
    """
    Tell if what agrees would hardly agree by chance: values, ends, a large exact count, or a type
    with names.
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
    return is_exact and min(counts) >= _TELLING_COUNT and counts[0] == counts[1]


def _run_before(runs: Sequence[Run], run: Run, target: str) -> Run:
    earlier = [other for other in runs if other.number < run.number]
    if not earlier:
        raise ConfigError(
            f"run {run.number} is the first of `{target}` that is kept: there is none before it to compare it with",
            hint="linker runs",
        )
    return earlier[0]


def _last_two(history: "StoredHistory", target: str) -> list[int | None]:
    changed: list[int | None] = [*history.changed_runs(target, limit=2)]
    if len(changed) < 2:
        raise ConfigError(
            f"fewer than two runs of `{target}` found something changed, so there is nothing to compare yet",
            hint="linker refresh, when something has changed; or name two runs: linker diff RUN1 RUN2",
        )
    return changed[::-1]

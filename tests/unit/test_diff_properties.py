"""Invariants of the schema diff on generated states."""

import math
import random
from collections import Counter
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from linker.history.column_changes import MeasureChange, Thresholds
from linker.history.runs import ColumnChange, TableChange, diff
from linker.types import ColumnState, TableRef, TableState
from tests.unit.states import ORDERS, RETURNS, STATUS, changed


@pytest.mark.parametrize("rows", [50, 500, 5_000])
@pytest.mark.parametrize("seed", range(5))
def test_two_samples_of_one_population_never_differ(rows: int, seed: int) -> None:
    """A skewed category with rare values, and nulls: drawn twice, as two scans would."""
    draw = random.Random(seed * 100_000 + rows)
    kinds = [f"v{number}" for number in range(20)]
    weights = [draw.random() ** 3 + 0.001 for _ in kinds]
    share_of_nulls = draw.random()

    def sample() -> ColumnState:
        nulls = sum(draw.random() < share_of_nulls for _ in range(rows)) / rows
        counts = Counter(draw.choices(kinds, weights, k=rows))
        return replace(
            STATUS,
            null_ratio=nulls,
            values=tuple(counts.items()),
            distinct_count=len(counts),
            is_sampled=True,
            sample_rows=rows,
        )

    assert changed(sample(), sample(), Thresholds(nulls=0, values=0)) == []


ratios = st.floats(0, 1) | st.none()
counts = st.integers(0, 10**7) | st.none()
texts = (
    st.sampled_from(["-3", "0", "1", "999", "2026-01-01", "2026-03-01 10:00:00", "x", "inf", ""])
    | st.none()
)
column_states = st.builds(
    ColumnState,
    path=st.sampled_from("abcd"),
    data_type=st.sampled_from(["INTEGER", "VARCHAR", "STRUCT(a DATE)"]),
    is_nullable=st.booleans() | st.none(),
    category=st.sampled_from(["measure", "category", "identifier", "date", "struct"]) | st.none(),
    null_ratio=ratios,
    distinct_count=counts,
    min=texts,
    max=texts,
    values=st.dictionaries(st.sampled_from("uvwxyz"), st.integers(1, 10**6)).map(
        lambda held: tuple(held.items())
    ),
    is_sampled=st.booleans(),
    value_kind=st.sampled_from(["integer", "text", "date", "timestamp", "struct"]) | st.none(),
    privacy=st.sampled_from(["show", "mask", "hide"]) | st.none(),
    distinct_is_exact=st.booleans() | st.none(),
    sample_rows=st.integers(0, 10**5) | st.none(),
    is_partial=st.booleans(),
)
table_states = st.builds(
    TableState,
    counts,
    st.datetimes(datetime(2026, 1, 1), datetime(2026, 12, 31), timezones=st.just(UTC)) | st.none(),
    st.lists(column_states, max_size=4, unique_by=lambda column: column.path).map(tuple),
)
warehouses = st.dictionaries(st.sampled_from([ORDERS, RETURNS, TableRef("a", "b")]), table_states)
thresholds = st.builds(Thresholds, *[st.floats(0, 2)] * 5)
MIRRORED = {"came": "gone", "gone": "came"}


def mirrored(found: tuple[TableChange, ...]) -> list[TableChange]:
    """The same changes, seen from the other side."""
    return [
        TableChange(
            one.table,
            MIRRORED.get(one.kind, one.kind),  # type: ignore[arg-type]  # kinds are kinds
            one.after,
            one.before,
            one.has_other_row_count,
            in_order(map(mirrored_column, one.columns)),
        )
        for one in found
    ]


def mirrored_column(column: ColumnChange) -> ColumnChange:
    changes_items = []
    for one in column.changes:
        changes_items.append(
            MeasureChange(
                one.kind,
                one.after,
                one.before,
                one.size,
                one.gone_values,
                one.new_values,
                tuple((value, now, was) for value, was, now in one.shares),
            )
        )
    changes = tuple(changes_items)
    kind = MIRRORED.get(column.kind, column.kind)
    return ColumnChange(kind, column.after, column.before, changes)  # type: ignore[arg-type]  # as above


def in_order(changes: Any) -> tuple[ColumnChange, ...]:
    return tuple(sorted(changes, key=repr))


@given(warehouses, thresholds)
@settings(max_examples=25, deadline=None)
def test_nothing_differs_from_itself(
    states: dict[TableRef, TableState], limits: Thresholds
) -> None:
    assert diff(states, states, limits) == ()


@given(warehouses, warehouses, thresholds)
@settings(max_examples=25, deadline=None)
def test_the_other_way_round_the_same_changed(
    before: dict[TableRef, TableState], after: dict[TableRef, TableState], limits: Thresholds
) -> None:
    there = [replace(one, columns=in_order(one.columns)) for one in diff(before, after, limits)]
    assert there == mirrored(diff(after, before, limits))


@given(warehouses, warehouses, st.floats(0, 2), st.floats(0, 2))
@settings(max_examples=25, deadline=None)
def test_a_higher_threshold_never_tells_more(
    before: dict[TableRef, TableState], after: dict[TableRef, TableState], one: float, other: float
) -> None:
    low, high = (Thresholds(*[limit] * 5) for limit in sorted((one, other)))

    def told(limits: Thresholds) -> set[tuple[object, ...]]:
        return {
            (found.table, column.path, change.kind)
            for found in diff(before, after, limits)
            for column in found.columns
            for change in column.changes
        }

    assert told(high) <= told(low)


@given(warehouses, warehouses)
@settings(max_examples=25, deadline=None)
def test_every_table_and_column_that_is_on_one_side_alone_is_told(
    before: dict[TableRef, TableState], after: dict[TableRef, TableState]
) -> None:
    found = {one.table: one for one in diff(before, after, Thresholds(*[math.inf] * 5))}
    for ref in {*before, *after}:
        if ref not in before or ref not in after:
            assert found[ref].kind == ("came" if ref in after else "gone")
            continue
        paths = []
        for states in (before, after):
            paths.append({column.path for column in states[ref].columns})
        told = found[ref].columns if ref in found else ()
        news = {one.after.path for one in told if one.after and one.kind in ("came", "renamed")}
        olds = {one.before.path for one in told if one.before and one.kind in ("gone", "renamed")}
        assert (news, olds) == (paths[1] - paths[0], paths[0] - paths[1])

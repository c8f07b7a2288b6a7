"""Drift of the demo: reproducible by seed, repeatable, complete or rolled back."""

import shutil
from pathlib import Path

import duckdb
import pytest

from benchmarks.drift import Drift, drift_warehouse
from linker.demo.warehouse import build_warehouse


@pytest.fixture(scope="module")
def small_warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("small") / "warehouse.duckdb"
    build_warehouse(path, scale=0.05)
    return path


@pytest.fixture
def warehouse(small_warehouse: Path, tmp_path: Path) -> Path:
    """A copy that may be changed."""
    return Path(shutil.copy(small_warehouse, tmp_path / "warehouse.duckdb"))


def columns(path: Path) -> dict[str, dict[str, str]]:
    """Every table with its columns and their types."""
    with duckdb.connect(str(path), read_only=True) as connection:
        rows = connection.execute(
            "select schema_name || '.' || table_name, column_name, data_type from duckdb_columns() where not internal"
        ).fetchall()
    found: dict[str, dict[str, str]] = {}
    for table, column, data_type in rows:
        found.setdefault(table, {})[column] = data_type
    return found


def measured(path: Path, table: str, expression: str) -> float:
    with duckdb.connect(str(path), read_only=True) as connection:
        return float(connection.execute(f"select {expression} from {table}").fetchall()[0][0])


@pytest.mark.parametrize("seed", [1])
def test_what_is_said_was_done_and_nothing_else(
    warehouse: Path, small_warehouse: Path, seed: int
) -> None:
    before = columns(warehouse)
    changed = drift_warehouse(warehouse, seed)
    after = columns(warehouse)
    by_kind = {(one.kind, one.column is None): one for one in changed}
    new_column, renamed, retyped = (by_kind[kind, False] for kind in ("came", "renamed", "type"))
    new_table, dropped = by_kind["came", True], by_kind["gone", True]
    assert len({one.table for one in changed}) == len(changed) == 11

    assert before.keys() - after.keys() == {dropped.table}
    assert after.keys() - before.keys() == {new_table.table, "web.sessions_20260101"}
    others = {table for table in before if table in after and before[table] != after[table]}
    assert others == {new_column.table, renamed.table, retyped.table}
    assert after[new_column.table].keys() - before[new_column.table].keys() == {new_column.column}
    assert before[renamed.table].keys() - after[renamed.table].keys() == {renamed.was}
    assert after[renamed.table].keys() - before[renamed.table].keys() == {renamed.column}
    assert before[retyped.table][str(retyped.column)] != after[retyped.table][str(retyped.column)]

    def both(one: Drift, expression: str) -> tuple[float, float]:
        was, now = (measured(path, one.table, expression) for path in (small_warehouse, warehouse))
        return was, now

    was, now = both(by_kind["range", False], f"max({by_kind['range', False].column})")
    assert now == pytest.approx(10 * was)
    was, now = both(
        by_kind["nulls", False], f"1 - count({by_kind['nulls', False].column}) / count(*)"
    )
    assert now - was == pytest.approx((1 - was) / 3, abs=0.12)
    was, now = both(by_kind["rows", True], "count(*)")
    assert now == pytest.approx(was / 2, abs=1)
    new_value, shifted = [one for one in changed if one.kind == "values"]
    was, now = both(new_value, f"count(distinct {new_value.column})")
    assert now == was + 1
    lowest = (
        f"avg(({shifted.column} = (select min({shifted.column}) from {shifted.table}))::integer)"
    )
    was, now = both(shifted, lowest)
    assert now - was > 0.1


def test_the_same_seed_changes_the_same_warehouse_in_the_same_way(
    warehouse: Path, small_warehouse: Path
) -> None:
    twin = Path(shutil.copy(small_warehouse, warehouse.with_name("twin.duckdb")))
    assert drift_warehouse(warehouse, 5) == drift_warehouse(twin, 5)
    assert columns(warehouse) == columns(twin)
    assert drift_warehouse(warehouse, 6) != drift_warehouse(twin, 7)


def test_it_goes_on_for_as_long_as_one_likes(warehouse: Path) -> None:
    """Places that are used up are passed over; a new day comes every time."""
    for seed in range(3):
        drifted = drift_warehouse(warehouse, seed)
        assert drifted[-1].kind == "shard"
        assert len(drifted) > 3
    assert {"web.sessions_20260101", "web.sessions_20260103"} <= columns(warehouse).keys()


def test_a_warehouse_in_other_hands_is_left_as_it_is(warehouse: Path) -> None:
    before = columns(warehouse)
    with duckdb.connect(str(warehouse), read_only=True), pytest.raises(duckdb.ConnectionException):
        drift_warehouse(warehouse, 1)
    assert columns(warehouse) == before

"""
DuckDB tables whose change cannot be determined in time are scanned again, once.

A timeout is simulated by journal rows, since a large enough table takes minutes to create.
"""

import pytest

from tests.profile.runs import Run, Warehouse

WORDS = "took longer than scan_seconds (300)"


def over(table: str | None, seconds: int = 300) -> str:
    """The row of a change check that timed out, at a known or an unknown table."""
    named = f"'warehouse', 'main', '{table}'" if table else "null, null, null"
    return (
        "insert into main_linker.linker_attempts"
        " (run_id, event, database_name, schema_name, table_name, happened_at, table_count, message)"
        f" select 'over', 'untold', {named}, cast(now() at time zone 'utc' as timestamp), 1,"
        f" 'took longer than scan_seconds ({seconds})'"
    )


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    made = Warehouse(tmp_path_factory.mktemp("untold"))
    made.execute(
        "create table large as select range as id from range(50); create table small as select 1 as id"
    )
    made.profile()
    return made


@pytest.fixture(scope="module")
def first(warehouse: Warehouse) -> Run:
    """The run after a look at `large` took too long."""
    warehouse.execute(f"{over(None)}; {over('large')}")
    return warehouse.profile()


def test_it_is_read_again_once_and_all_else_is_told(warehouse: Warehouse, first: Run) -> None:
    assert first.scanned() == {"large"}
    assert warehouse.profile().scanned() == set()
    # Each table was looked at alone, and what was noted for that is gone.
    assert first.events("looking") == []


@pytest.mark.slow
def test_another_number_of_rows_tells_that_it_changed(warehouse: Warehouse, first: Run) -> None:
    warehouse.execute("insert into large values (50); update small set id = 2")
    assert warehouse.profile().scanned() == {"large", "small"}


@pytest.mark.slow
def test_a_limit_that_is_raised_lets_it_be_looked_at_again(
    warehouse: Warehouse, first: Run
) -> None:
    raised: dict[str, object] = {"scan_seconds": 301}
    # By its digest it is another table than by its rows alone.
    assert warehouse.profile(raised).scanned() == {"large"}
    warehouse.execute("update large set id = -1 where id = 3")
    assert warehouse.profile(raised).scanned() == {"large"}
    assert warehouse.profile(raised).scanned() == set()

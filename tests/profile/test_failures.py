"""Unreadable tables: the others are scanned, and the failure is recorded."""

import stat

import pytest

from tests.profile.runs import Run, Warehouse

# `a_first`, which has a time with a zone, has a separate statement, as have wider tables; the other
# three share one.
VARIABLES: dict[str, object] = {"columns_per_statement": 4}


def events(run: Run, table: str) -> list[str]:
    return [event for event, name in run.events("started", "finished", "failed") if name == table]


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """Small tables; two have a computed column that only this session can evaluate."""
    made = Warehouse(tmp_path_factory.mktemp("failures"))
    made.execute(
        "create table a_first as select 1 as a, 2 as b, 3 as c, '10:00:00+00'::timetz as d;"
        " create table b_whole as select 1 as a;"
        " create table c_cracked (api_key varchar, broken integer"
        " generated always as (cast(coalesce(getvariable('number'), api_key) as integer)) virtual);"
        " set variable number = '1'; insert into c_cracked values ('markersecret');"
        " create table d_whole as select 1 as a;"
        " create table e_midway (a integer, b integer, c integer, d varchar, broken integer"
        " generated always as (cast(coalesce(getvariable('number'), d) as integer)) virtual);"
        " insert into e_midway values (1, 2, 3, 'text'); checkpoint"
    )
    return made


@pytest.fixture(scope="module")
def first(warehouse: Warehouse) -> Run:
    return warehouse.profile(VARIABLES)


@pytest.fixture(scope="module")
def full(warehouse: Warehouse, first: Run) -> Run:
    """A full run, after which the failing table is as it was."""
    return warehouse.profile(VARIABLES, full_refresh=True)


def test_of_tables_that_share_a_statement_the_failing_one_is_recorded_alone(first: Run) -> None:
    assert events(first, "a_first") == ["started", "finished"]
    # They failed together at an unknown table; then each was scanned alone.
    assert events(first, "b_whole") == ["started", "started", "finished"]
    assert events(first, "c_cracked") == ["started", "started", "failed"]
    assert events(first, "d_whole") == ["started", "started", "finished"]
    assert [failure.table.name for failure in first.report.failures] == ["c_cracked", "e_midway"]
    assert {row["table_name"] for row in first.artifacts["linker_profile_l3"]} == {
        "a_first",
        "b_whole",
        "d_whole",
    }
    assert first.state("c_cracked")[0] == "left out"


def test_of_a_table_that_fails_midway_no_half_is_left(first: Run, full: Run) -> None:
    assert events(first, "e_midway") == ["started", "failed"]
    for run in (first, full):
        assert {row["table_name"] for row in run.artifacts["linker_scans"]} == {
            "a_first",
            "b_whole",
            "d_whole",
        }


def test_a_table_is_counted_once_though_a_failure_made_dbt_run_again(first: Run, full: Run) -> None:
    assert first.report.numbers == {"scanned": 3, "unchanged": 0, "left_out": 0, "failed": 2}
    assert full.report.numbers == {"scanned": 3, "unchanged": 0, "left_out": 0, "failed": 2}
    assert str(first.report) == "3 tables scanned, 0 unchanged"


def test_the_words_of_an_error_are_recorded_and_the_value_that_it_quotes_is_not(first: Run) -> None:
    failure, _ = first.report.failures
    assert failure.message.startswith("Conversion Error: Could not convert string ... to INT32")
    assert "markersecret" in first.log
    assert "markersecret" not in repr(first.artifacts) + repr(first.report)


def test_what_dbt_logs_is_for_its_owner_alone(warehouse: Warehouse, first: Run) -> None:
    assert first.log
    assert stat.S_IMODE((warehouse.folder / "state" / "dbt").stat().st_mode) == 0o700


def test_a_full_run_that_fails_and_is_repeated_scans_no_finished_table_again(full: Run) -> None:
    assert events(full, "a_first") == ["started", "finished"]
    assert events(full, "c_cracked") == ["started"]
    assert {table for _, table in full.events("finished")} == {"a_first", "b_whole", "d_whole"}
    assert (full.state("a_first")[0], full.state("b_whole")[0]) == ("unchanged", "retry")
    assert full.state("c_cracked")[1].startswith("it failed before: Conversion Error")

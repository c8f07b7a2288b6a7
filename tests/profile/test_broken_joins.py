"""Unmeasurable joins, broken views and concurrent changes fail alone."""

import pytest

from linker.types import TableRef
from tests.profile.runs import Run, Warehouse

# More than may fail with the same words before a run gives up.
VIEWS = ["lengths_0", "lengths_1", "lengths_2", "lengths_3", "visits"]
FOUND = {
    ("orders", "customers"),
    ("reviews", "customers"),
    ("notes", "uses"),
    ("offices", "regions"),
}
# What runs beside this one write: parts of a scan that goes on, and of one that was killed; and a
# pair measured twice.
BESIDE = """
    insert into main_linker.linker_scans select * replace (
        'beside.1' as attempt_id, cast(now() at time zone 'utc' as timestamp) as scanned_at
    ) from main_linker.linker_scans where table_name = 'notes';
    insert into main_linker.linker_scans select * replace (
        'killed.1' as attempt_id, cast(now() at time zone 'utc' as timestamp) - interval 25 hours as scanned_at
    ) from main_linker.linker_scans where attempt_id = 'beside.1';
    insert into main_linker.linker_join_measures select * replace (measured_at + interval 1 second as measured_at)
    from main_linker.linker_join_measures where from_table = 'notes'
"""
VISITS = "select cast(i as bigint) as visit_id, i % 300 as customer_id from range(700) t(i)"


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """Customers, referencing tables and a view; and numbers of one name that exceed every type."""
    made = Warehouse(tmp_path_factory.mktemp("joins"))
    made.execute(
        "create table customers as select cast(i as bigint) as customer_id, 'name ' || i as name from range(300) t(i);"
        " create table orders as select cast(i as bigint) as order_id, i % 300 as customer_id from range(900) t(i);"
        " create table reviews as select cast(i as bigint) as review_id, i % 300 as customer_id from range(600) t(i);"
        f" create table raw_visits as {VISITS}; create view visits as select * from raw_visits;"
        + "".join(
            f" create view {view} as select visit_id % 9 as l from raw_visits;"
            for view in VIEWS[:-1]
        )
        + " create table parts as select cast(i as uhugeint) as part_id from range(300) t(i);"
        " insert into parts values (340282366920938463463374607431768211455);"
        " create table uses as select cast(i % 300 as decimal(18, 2)) as part_id, cast(i as bigint) as use_id"
        " from range(600) t(i);"
        " create table regions as select 'R' || (100 + i) as region_code, i as size from range(60) t(i);"
        " create table offices as select 'R' || (100 + i % 62) as region_code, i as desks from range(200) t(i);"
        " create table sales as select 'the region ' || (100 + i % 50) as region_code, i as amount"
        " from range(200) t(i);"
        " create table notes as select cast(i % 600 as bigint) as use_id, 'note' as note from range(900) t(i)"
    )
    return made


@pytest.fixture(scope="module")
def first(warehouse: Warehouse) -> Run:
    return warehouse.profile()


@pytest.fixture(scope="module")
def after(warehouse: Warehouse, first: Run) -> Run:
    """The run after the view lost a source, customers were added and another run started."""
    warehouse.execute(BESIDE)
    warehouse.execute(
        "drop table raw_visits; insert into customers select 300 + i, 'new' from range(5) t(i)"
    )
    return warehouse.profile()


def joins(warehouse: Warehouse) -> set[tuple[str, ...]]:
    return set(warehouse.fetch("select from_table, to_table from main_linker.linker_joins"))


def test_numbers_that_cannot_be_compared_cost_that_pair_alone(
    warehouse: Warehouse, first: Run
) -> None:
    assert {*FOUND, ("visits", "customers")} <= joins(warehouse)
    assert all(
        "part_id could not be compared with main." in failure.message
        for failure in first.report.failures
    )


def test_as_many_sampled_values_are_found_as_a_join_of_the_tables_finds(
    warehouse: Warehouse, first: Run
) -> None:
    measured = warehouse.fetch(
        "select from_table, from_columns[3:-3], to_table, to_columns[3:-3], sampled_values, found_values"
        " from main_linker.linker_join_measures where sampled_values is not null"
    )
    assert len(measured) >= len(FOUND)
    for source, column, target, key, sampled, found in measured:
        expected = warehouse.fetch(
            f"select count(*), count(*) filter (where v in (select {key} from {target}))"
            f" from (select distinct {column} as v from {source} where {column} is not null)"
        )
        assert [(sampled, found)] == expected, (source, column, target, key)


def test_texts_of_other_lengths_are_not_looked_up(warehouse: Warehouse, first: Run) -> None:
    tried = set(
        warehouse.fetch("select from_table, to_table from main_linker.linker_join_measures")
    )
    assert ("offices", "regions") in tried
    assert ("sales", "regions") not in tried


def test_a_view_that_broke_later_costs_its_own_joins_alone(
    warehouse: Warehouse, after: Run
) -> None:
    assert joins(warehouse) == FOUND


def test_what_a_run_beside_writes_stays_until_it_must_have_been_killed(
    warehouse: Warehouse, after: Run
) -> None:
    attempts = warehouse.fetch(
        "select distinct attempt_id from main_linker.linker_scans where table_name = 'notes'"
    )
    names = {attempt for (attempt,) in attempts}
    # Its own newest one besides.
    assert (len(names), names >= {"beside.1"}, "killed.1" in names) == (2, True, False)
    assert after.state("notes")[0] == "unchanged"


def test_a_pair_that_two_runs_measured_is_one_join(warehouse: Warehouse, after: Run) -> None:
    edges = warehouse.fetch("select from_table, to_table from main_linker.linker_joins")
    assert len(edges) == len(set(edges))


def test_each_broken_view_is_named_once_with_the_words_of_the_warehouse_and_ends_no_run_of_dbt(
    after: Run,
) -> None:
    assert [failure.table for failure in after.report.failures] == [
        TableRef("main", view) for view in VIEWS
    ]
    assert {failure.message.partition(" with name")[0] for failure in after.report.failures} == {
        "Catalog Error: Table"
    }
    assert len(after.report.dbt_runs) == 1
    # What was known of them before stays.
    assert after.column("linker_profile_l3", "visits", "visit_id")["row_count"] == 700


def test_what_stays_broken_is_named_again_whatever_else_changed(
    warehouse: Warehouse, after: Run
) -> None:
    warehouse.execute("insert into notes values (1, 'another')")
    later = warehouse.profile()
    assert later.report.failures == after.report.failures
    assert (later.scanned(), later.report.count("left out")) == ({"notes"}, 0)


def test_a_view_that_is_whole_again_is_profiled_and_compared_and_one_that_is_gone_is_forgotten(
    warehouse: Warehouse, after: Run
) -> None:
    warehouse.execute(
        f"create table raw_visits as {VISITS} union all select 700, 1; drop view lengths_3;"
        " insert into customers values (305, 'newest')"
    )
    whole = warehouse.profile()
    assert whole.report.failures == ()
    assert whole.scanned() == {*VIEWS, "raw_visits", "customers"} - {"lengths_3"}
    assert whole.column("linker_profile_l3", "visits", "visit_id")["row_count"] == 701
    assert joins(warehouse) == {*FOUND, ("visits", "customers"), ("raw_visits", "customers")}

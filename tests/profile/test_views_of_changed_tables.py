"""Freshness of views follows their source tables."""

import pytest

from tests.profile.runs import Run, Warehouse

VARIABLES = {"view_hours": 0}


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    made = Warehouse(tmp_path_factory.mktemp("views"))
    made.execute(
        "create table orders as select range as id, range % 3 as status from range(5);"
        " create table visits as select range as id from range(7);"
        " create view open_orders as select id, status from orders where status <> 2;"
        " create view statuses as select status, count(*) as n from open_orders group by status;"
        " create view pages as select id from visits;"
        " create view recent as select id, current_date as day from visits"
    )
    return made


@pytest.fixture(scope="module")
def first(warehouse: Warehouse) -> Run:
    return warehouse.profile()


def test_what_changed_is_read_again_with_its_views_and_views_of_views_and_nothing_else(
    warehouse: Warehouse, first: Run
) -> None:
    assert first.scanned() == {"orders", "visits", "open_orders", "statuses", "pages", "recent"}
    warehouse.execute("update orders set status = 1 where id = 2")
    second = warehouse.profile()
    assert second.scanned() == {"orders", "open_orders", "statuses"}
    assert second.column("linker_profile_l3", "open_orders", "id")["row_count"] == 5
    assert second.state("pages") == ("unchanged", "unchanged since its scan")


def test_each_table_says_by_which_rule_it_is_called_current(first: Run) -> None:
    rules = {ref.name: state.change_rule for ref, state in first.states.items()}
    views = dict.fromkeys(("open_orders", "statuses", "pages"), "inputs")
    assert rules == {"orders": "token", "visits": "token", **views, "recent": "age"}


def test_time_alone_makes_only_a_view_due_whose_rows_follow_from_more_than_tables(
    warehouse: Warehouse, first: Run
) -> None:
    again = warehouse.profile(VARIABLES)
    assert again.scanned() == {"recent"}
    assert again.state("recent")[0] == "aged"

"""Project vocabulary for joins."""

from typing import Any

import pytest

from tests.profile.runs import Run, Warehouse

# `tests/unit/test_added_words.py` tests the words themselves.
pytestmark = pytest.mark.slow
# Too few values to be found by these alone; `kd` is `Kunde`, and no letters of `customer`.
TABLES = """
    create table customers as select cast(i as bigint) as customer_id, 'name ' || i as name from range(30) t(i);
    create table orders as select cast(i as bigint) as order_id, i % 15 as kd_id from range(60) t(i);
    create table employees as select cast(i as bigint) as employee_id, i * 1.5 as wage from range(30) t(i);
    create table cases as select cast(i as bigint) as case_id, i % 15 as sachbearbeiter from range(60) t(i)
"""
WORDS = {"abbreviation": {"KD": "customer"}, "worker_role": ["sachbearbeiter"]}


def joins_of(run: Run) -> dict[tuple[Any, Any], Any]:
    return {
        (row["from_table"], row["to_table"]): row["name_rule"]
        for row in run.artifacts["linker_joins"]
    }


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    made = Warehouse(tmp_path_factory.mktemp("words"))
    made.execute(TABLES)
    return made


@pytest.fixture(scope="module")
def without(warehouse: Warehouse) -> Run:
    return warehouse.profile()


@pytest.fixture(scope="module")
def with_words(warehouse: Warehouse, without: Run) -> Run:
    return warehouse.profile({"join_words": WORDS})


def test_letters_that_are_no_abbreviation_are_none_without_a_word(without: Run) -> None:
    assert joins_of(without) == {}


def test_an_abbreviation_and_a_role_that_are_added_lead_to_their_keys(with_words: Run) -> None:
    assert joins_of(with_words) == {
        ("orders", "customers"): "abbreviated name",
        ("cases", "employees"): "role of a person",
    }


def test_a_word_that_is_added_scans_no_table_again(with_words: Run) -> None:
    assert with_words.scanned() == set()

"""Whether SQL answers a question, run in a real DuckDB."""

import datetime
import math
from collections.abc import Iterator, Sequence
from decimal import Decimal

import duckdb
import pytest

from benchmarks.execution import Execute, is_executed_right, is_ordered
from linker.errors import WarehouseError
from linker.sql.comparing import same_rows

ORDERS = "select city, total from orders"


@pytest.fixture
def execute() -> Iterator[Execute]:
    with duckdb.connect() as connection:
        connection.execute(
            "create table orders as from (values ('Bern', 0.1), ('Köln', 0.2), ('Köln', 0.3)) t (city, total)"
        )

        def run(sql: str) -> Sequence[Sequence[object]]:
            try:
                return connection.execute(sql).fetchall()
            except duckdb.Error as error:
                raise WarehouseError(str(error), hint="mend it") from error

        yield run


def right(execute: Execute, predicted: str | None, *gold: str) -> bool | None:
    return is_executed_right(predicted, gold, execute, "duckdb")


def test_rows_may_come_in_any_order_where_none_is_asked_for(execute: Execute) -> None:
    assert right(execute, f"{ORDERS} order by total desc", ORDERS)


def test_rows_come_in_order_where_the_right_statement_orders_them(execute: Execute) -> None:
    assert right(execute, f"{ORDERS} order by total", f"{ORDERS} order by total")
    assert not right(execute, f"{ORDERS} order by total desc", f"{ORDERS} order by total")


def test_only_the_order_of_the_whole_counts() -> None:
    assert not is_ordered("select * from (select a from t order by a) s", "duckdb")
    assert not is_ordered("select row_number() over (order by a) from t", "duckdb")
    assert is_ordered("with s as (select a from t) select a from s order by 1 limit 3", "duckdb")
    assert is_ordered("select a from t union all select b from u order by 1", "duckdb")
    assert not is_ordered("select (((", "duckdb")


def test_the_noise_of_floating_point_is_forgiven(execute: Execute) -> None:
    assert right(execute, "select 0.6", "select sum(total::double) from orders")
    assert not right(execute, "select 0.61", "select sum(total::double) from orders")


def test_names_of_columns_do_not_matter_but_their_order_does(execute: Execute) -> None:
    assert right(execute, "select city as town, total as sum from orders", ORDERS)
    assert not right(execute, "select total, city from orders", ORDERS)


def test_a_row_that_is_there_twice_must_be_there_twice(execute: Execute) -> None:
    assert not right(execute, "select distinct city from orders", "select city from orders")


def test_columns_in_excess_are_wrong(execute: Execute) -> None:
    assert not right(execute, "select city, total, 1 from orders", ORDERS)


def test_any_right_statement_will_do(execute: Execute) -> None:
    assert right(execute, "select 2", "select 1", "select 2")


def test_a_statement_that_fails_or_is_missing_is_wrong(execute: Execute) -> None:
    assert right(execute, "select nothing from nowhere", ORDERS) is False
    assert right(execute, None, ORDERS) is False


def test_nothing_is_judged_where_no_right_statement_runs(execute: Execute) -> None:
    assert right(execute, ORDERS, "select nothing from nowhere") is None


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (5, 5.0),
        (Decimal("0.30"), 0.1 + 0.2),
        (True, 1),
        (None, None),
        (math.nan, math.nan),
        (datetime.date(2025, 1, 2), "2025-01-02"),
        (datetime.datetime(2025, 1, 2, 0, 0), datetime.date(2025, 1, 2)),
        ([1, 2], [1, 2]),
    ],
)
def test_values_that_mean_the_same_are_the_same(first: object, second: object) -> None:
    assert same_rows([(first,)], [(second,)], ordered=True)
    assert same_rows([(first,)], [(second,)], ordered=False)


@pytest.mark.parametrize(("first", "second"), [(None, 0), (None, ""), ("5", 5), ("a", "A"), (math.nan, 0.0), (1, 2)])
def test_values_that_differ_are_different(first: object, second: object) -> None:
    assert not same_rows([(first,)], [(second,)], ordered=True)
    assert not same_rows([(first,)], [(second,)], ordered=False)


def test_noise_in_the_first_number_does_not_mix_up_rows() -> None:
    # Sorted by their first number, which is the same but for noise, the rows would stand crosswise.
    noise = 1.0000005 + 1e-9
    first = [(1.0000005 - 1e-9, 5), (noise, 3)]
    second = [(noise, 5), (1.0000005 - 1e-9, 3)]
    assert same_rows(first, second, ordered=False)


def test_results_without_rows_are_the_same() -> None:
    assert same_rows([], [], ordered=False)
    assert not same_rows([], [(1,)], ordered=False)

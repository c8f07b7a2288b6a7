"""Plan and first run: one scan per table, exact and sampled measures, a failing view."""

import json
import re
from collections.abc import Sequence

import duckdb
import pytest

from linker.types import TableRef
from tests.profile.runs import Run, Warehouse

FirstRun = tuple[Run, str]


def values(run: Run, table: str, path: str) -> dict[str, int]:
    return {one["value"]: one["count"] for one in json.loads(run.scan(table, path)["top_values"])}


def truth(warehouse: Warehouse, query: str) -> Sequence[object]:
    with duckdb.connect(str(warehouse.path), read_only=True) as connection:
        [row] = connection.execute(query).fetchall()
        return list(row)


def test_the_plan_lists_what_a_run_would_read_and_reads_no_rows(planned: Run) -> None:
    tables = {table.table: table for table in planned.report.tables}
    assert (tables["big"].rows, tables["big"].state, tables["big"].is_due) == (60_000, "new", True)
    assert (tables["seen"].rows, tables["seen"].bytes) == (None, None)
    assert (tables["huge"].bytes or 0) > (tables["big"].bytes or 0) > 0
    # The view that cannot be read is planned like the others: nothing was read of it.
    assert tables["broken"].is_due
    assert planned.scan_statements() == []


def test_a_plan_before_the_first_run_leaves_nothing_behind(
    planned: Run, first_run: FirstRun
) -> None:
    assert [name for name, rows in planned.artifacts.items() if rows] == []
    assert first_run[0].schemas - planned.schemas == {"main_linker"}


def test_a_view_that_fails_is_left_out_with_its_error_and_the_rest_is_scanned(
    first_run: FirstRun,
) -> None:
    run, _ = first_run
    [failure] = run.report.failures
    assert failure.table == TableRef("main", "broken")
    assert "Conversion Error" in failure.message
    assert run.state("broken")[0] == "left out"
    assert run.state("broken")[1].startswith("it failed before: Conversion Error")
    everything = {table.table for table in run.report.tables}
    assert {table for _, table in run.events("finished")} == everything - {"broken"}
    assert {row["table_name"] for row in run.artifacts["linker_profile_l3"]} == everything - {
        "broken"
    }


def test_small_tables_share_statements_and_a_wide_one_takes_three(first_run: FirstRun) -> None:
    run, _ = first_run
    counts = {
        row["table_name"]: row["statement_count"]
        for row in run.artifacts["linker_attempts"]
        if row["event"] == "finished"
    }
    assert {table for table, count in counts.items() if count == 3} == {"wide"}
    assert {count for table, count in counts.items() if table != "wide"} == {1}
    shared = [
        statement
        for statement in run.scan_statements()
        if '"small_1"' in statement and '"updated"' in statement
    ]
    assert len(shared) == 1
    # Twice for `kept` would be a second scan of it.
    assert [statement.count('"main"."kept"') for statement in shared] == [1]
    assert (
        len(
            {
                row["column_path"]
                for row in run.artifacts["linker_scans"]
                if row["table_name"] == "wide"
            }
        )
        == 250
    )
    assert {
        row["table_name"]: row["rows_read"]
        for row in run.artifacts["linker_attempts"]
        if row["event"] == "finished"
    }["wide"] == 60


def test_texts_that_the_statistics_of_the_file_know_to_be_short_are_not_bounded_one_by_one(
    first_run: FirstRun,
) -> None:
    statements = first_run[0].scan_statements()
    [large] = [statement for statement in statements if '"main"."big"' in statement]
    [view] = [statement for statement in statements if '"main"."seen"' in statement]
    assert "'b3': b3, 'b4': b4, 'b5': b5, 'b6': b6}" in large
    # Unknown for a view.
    assert "case when is_in_sample then left(" in view


def test_a_large_table_is_sampled_and_what_all_rows_tell_is_exact(
    first_run: FirstRun, warehouse: Warehouse
) -> None:
    run, _ = first_run
    scanned = run.scan("big", "amount")
    assert scanned["is_sampled"]
    assert scanned["sample_row_count"] == pytest.approx(2000, rel=0.15)
    query = "select count(*), count(note), min(amount), max(amount), avg(amount), stddev_samp(amount) from big"
    rows, notes, low, high, mean, deviation = truth(warehouse, query)
    assert (scanned["row_count"], run.scan("big", "note")["value_count"]) == (rows, notes)
    assert (float(scanned["min_value"]), float(scanned["max_value"])) == (
        float(str(low)),
        float(str(high)),
    )
    assert scanned["mean"] == pytest.approx(mean, rel=1e-9)
    assert scanned["deviation"] == pytest.approx(deviation, rel=1e-6)


def test_estimates_out_of_a_sample_are_close_to_the_truth(first_run: FirstRun) -> None:
    run, _ = first_run
    quantiles = json.loads(run.scan("big", "amount")["quantiles"])
    # The amounts are 0 to 599.99 in equal steps; one value in a thousand samples of 2,000 is
    # further off than 4 %.
    assert quantiles == pytest.approx([step * 30 for step in range(21)], abs=0.04 * 600)
    code = run.scan("big", "code")
    assert code["distinct_count"] == pytest.approx(50, rel=0.1)
    assert not code["distinct_is_exact"]
    assert code["top_value_share"] == pytest.approx(0.02, abs=0.015)
    assert code["entropy"] == pytest.approx(5.64, abs=0.1)
    assert set(values(run, "big", "code")) <= {f"code {number}" for number in range(50)}
    assert run.scan("big", "day")["distinct_count"] == pytest.approx(900, rel=0.1)
    assert run.scan("big", "day")["largest_gap_days"] < 10
    assert run.scan("big", "id")["monotonicity"] == pytest.approx(1)
    assert abs(run.scan("big", "code")["monotonicity"] or 0) < 0.1


def test_what_may_be_a_key_is_counted_in_one_statement_more_and_nothing_else_is(
    first_run: FirstRun,
) -> None:
    run, _ = first_run
    assert sorted(run.events("confirmed")) == [("confirmed", "big"), ("confirmed", "huge")]
    key = run.scan("big", "id")
    assert (key["distinct_count"], key["distinct_is_exact"]) == (60_000, True)
    almost = run.scan("big", "almost_id")
    assert almost["distinct_count"] == pytest.approx(58_181, rel=0.15)
    assert not almost["distinct_is_exact"]
    # Each in a select of its own, so that the values of one column at a time are held.
    assert set(re.findall(r"select\s+\(select count\(distinct \"([^\"]+)\"\) from", run.log)) == {
        "id"
    }
    added = [
        row
        for row in run.artifacts["linker_scans"]
        if (row["table_name"], row["column_path"]) == ("big", "id")
    ]
    assert sorted(row["distinct_is_exact"] for row in added) == [False, True]
    assert not re.search(r"update \S*linker_scans", run.log)
    counted = [
        row["statement_count"]
        for row in run.artifacts["linker_attempts"]
        if row["event"] == "confirmed"
    ]
    assert counted == [1, 1]
    # The three columns of `huge` share one statement; `almost_id` came twice in the sample.
    assert "almost_id" not in {
        word
        for line in run.log.splitlines()
        if "count(distinct" in line
        for word in line.split('"')
    }
    assert run.column("linker_profile_l1", "big", "id")["is_unique"]
    assert run.column("linker_profile_l1", "big", "almost_id")["is_unique"] is not True


def test_names_that_need_quotes_are_scanned_like_others(first_run: FirstRun) -> None:
    run, _ = first_run
    assert run.scan("select", "a b")["mean"] == 1.5
    assert values(run, "select", "select") == {"from": 1, "where": 1}
    assert values(run, "select", '"q""uote"') == {"q": 1, "r": 1}
    assert run.scan("select", '"d.o.t"')["max_value"] == "1.5"
    assert run.scan("select", "ü's")["value_count"] == 1
    assert values(run, "nested", '"odd ""one"""."a.b"') == {"7": 1, "8": 1}


def test_what_is_nested_is_measured_by_path(first_run: FirstRun) -> None:
    run, _ = first_run
    assert values(run, "nested", "address.city") == {"Bergen": 1, "Oslo": 1}
    assert run.scan("nested", "address.geo.lat")["mean"] == 59.9
    assert values(run, "nested", "tags") == {"a": 2, "b": 1}
    assert run.scan("nested", "tags")["max_length"] == 2
    assert values(run, "nested", "lines.sku") == {"s1": 2, "s2": 1}
    assert values(run, "nested", "lines.parts.no") == {"1": 1, "2": 1, "9": 1, "10": 1}
    assert values(run, "nested", "lines.labels") == {"x": 2, "y": 1}
    # A list of lists of structs: the path names the field of any of them.
    assert values(run, "nested", "grid.x") == {"1": 1, "2": 2}
    assert values(run, "nested", "document.items.sku") == {"j1": 1, "j2": 1}
    age = run.scan("nested", "document.user.age")
    assert (age["is_discovered"], age["value_kind"], age["mean"]) == (True, "number", 35.75)
    assert values(run, "nested", "document.ok") == {"true": 1}
    known = {
        row["column_path"]
        for row in run.artifacts["linker_profile_l3"]
        if row["table_name"] == "nested"
    }
    assert {"lines.parts.no", "grid.x", "document.user.name"} <= known


def test_the_ends_of_numbers_inside_a_list_are_those_of_numbers_and_not_of_texts(
    first_run: FirstRun,
) -> None:
    run, _ = first_run
    inside = run.scan("nested", "lines.parts.no")
    assert (inside["min_value"], inside["max_value"]) == ("1", "10")
    size = run.scan("people", "extra.size")
    assert (size["value_kind"], size["min_value"], size["max_value"]) == ("integer", "0", "59")


def test_an_empty_table_and_columns_of_nulls_have_profiles_without_values(
    first_run: FirstRun,
) -> None:
    run, _ = first_run
    for path in ("a", "b", "c", "c.d", "e", "f"):
        scanned = run.scan("nothing", path)
        assert (scanned["row_count"], scanned["value_count"], scanned["top_values"]) == (0, 0, None)
    for path in ("a", "b", "c"):
        scanned = run.scan("nulls", path)
        assert (scanned["row_count"], scanned["value_count"], scanned["distinct_count"]) == (
            5,
            0,
            0,
        )
        assert (
            scanned["min_value"]
            is scanned["quantiles"]
            is scanned["top_values"]
            is scanned["entropy"]
            is None
        )
        assert scanned["distinct_is_exact"]
        assert run.column("linker_profile_l1", "nulls", path)["is_unique"] is None
        assert run.column("linker_profile_l2", "nulls", path)["null_ratio"] == 1
    assert run.column("linker_profile_l1", "nothing", "a")["is_unique"] is None
    assert run.column("linker_profile_l2", "nothing", "a")["distinct_is_exact"]

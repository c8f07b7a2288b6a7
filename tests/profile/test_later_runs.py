"""Incremental runs scan exactly what changed, within limits."""

import re

import pytest

from linker.dbt.profiling import plan_scans
from linker.errors import ConfigError
from tests.profile.runs import EXCLUDED, PROFILES, Row, Run, Warehouse, tables

FirstRun = tuple[Run, str]
UNTOUCHED = {
    "kept",
    "big",
    "huge",
    "wide",
    "people",
    "select",
    "nested",
    "nothing",
    "seen",
    "small_1",
}


def test_a_run_after_nothing_changed_reads_no_data(second_run: Run, first_run: FirstRun) -> None:
    assert second_run.events("started", "finished", "failed", "confirmed") == []
    assert second_run.scan_statements() == []
    assert "collected" not in second_run.log
    [row] = [
        row
        for row in second_run.artifacts["linker_runs"]
        if row["run_id"] not in second_run.earlier_runs
    ]
    due = len(second_run.report.tables) - 1
    assert (row["planned_tables"], row["unchanged_tables"], row["left_out_tables"]) == (0, due, 1)
    assert (row["scanned_tables"], row["statement_count"], row["rows_read"], row["bytes_read"]) == (
        0,
        0,
        0,
        0,
    )
    assert second_run.artifacts["linker_scans"] == first_run[0].artifacts["linker_scans"]


def test_the_report_tells_what_was_read_as_the_runs_recorded_it(
    first_run: FirstRun, second_run: Run
) -> None:
    """The first took two runs of dbt: a view that could not be read ended one."""
    report = first_run[0].report
    rows = [
        row for row in first_run[0].artifacts["linker_runs"] if row["run_id"] in report.dbt_runs
    ]
    assert len(rows) == len(report.dbt_runs) == 2
    told = (report.statements, report.rows_read, report.bytes_read)
    for name, total in zip(("statement_count", "rows_read", "bytes_read"), told, strict=True):
        assert sum(row[name] for row in rows) == total
    # A wide table takes three statements, and two large ones are confirmed to have a key; the
    # members of four families are compared, of one the values beside its keys too, and the newest
    # of it is scanned once more.
    assert report.statements == report.scanned_count + 2 + 2 + 4 + 1 + 1
    assert report.rows_read >= 60_000 + 400_000
    report = second_run.report
    assert (len(report.dbt_runs), report.statements, report.rows_read, report.bytes_read) == (
        1,
        0,
        0,
        0,
    )


def test_the_profiles_stay_as_they_were(second_run: Run, first_run: FirstRun) -> None:
    for name in ("linker_profile_l1", "linker_profile_l2", "linker_profile_l3", "linker_columns"):
        before = sorted(map(str, first_run[0].artifacts[name]))
        assert sorted(map(str, second_run.artifacts[name])) == before


def test_an_artifact_is_made_anew_by_one_statement_that_leaves_nothing_beside_it(
    second_run: Run,
) -> None:
    made = re.findall(
        r'create or replace table "warehouse"\."main_linker"\."(\w+)"', second_run.log
    )
    assert len(made) == len(set(made)) == 12
    assert {"linker_tables", "linker_plan", "linker_joins", "linker_profile_l3"} <= set(made)
    assert re.findall(r"alter table|describe \(", second_run.log, re.IGNORECASE) == []


def test_candidates_of_joins_are_made_anew_where_the_columns_they_come_from_changed(
    warehouse: Warehouse, first_run: FirstRun, second_run: Run, third_run: Run
) -> None:
    runs = (first_run[0], second_run, third_run)
    assert ["replace table" in _statements_of("linker_join_candidates", run) for run in runs] == [
        True,
        False,
        True,
    ]
    compiled = next(
        (warehouse.folder / "state" / "dbt").glob("target-*/compiled/**/linker_join_candidates.sql")
    )
    kept = warehouse.fetch("from main_linker.linker_join_candidates")
    assert sorted(map(repr, warehouse.fetch(compiled.read_text("utf-8")))) == sorted(
        map(repr, kept)
    )


def _statements_of(model: str, run: Run) -> str:
    """The statements of that model in dbt's log."""
    return "".join(
        re.findall(rf'"node_id": "model\.linker\.{model}"}} \*/(.*?)\n\S*\d\d:', run.log, re.S)
    )


def test_what_a_model_selects_has_the_columns_and_types_of_its_contract(
    warehouse: Warehouse, second_run: Run
) -> None:
    """On DuckDB our materialization does not check contracts, so this test does."""
    assert second_run.report.dbt_runs
    [compiled] = (warehouse.folder / "state" / "dbt").glob("target-*/compiled/linker/models")
    selected = {}
    for path in compiled.rglob("linker_*.sql"):
        selected[path.stem] = [
            (name, data_type)
            for name, data_type, *_ in warehouse.fetch(f"describe ({path.read_text('utf-8')}\n)")
        ]
    contracts: dict[str, list[tuple[str, str]]] = {}
    for table, column, data_type in warehouse.fetch(
        "select table_name, column_name, data_type from duckdb_columns() where schema_name = 'main_linker'"
        " order by column_index"
    ):
        contracts.setdefault(table, []).append((column, data_type))
    assert len(contracts) == 17
    assert {name: selected[name] for name in contracts} == contracts


def test_exactly_what_changed_is_scanned_again(third_run: Run) -> None:
    changed = {"updated", "deleted_from", "inserted_into", "retyped", "extended", "clients_*"}
    assert third_run.scanned() == changed | {"new_name", "added"}
    assert tables(third_run.events("finished")) == changed | {"new_name", "added"}
    states = {table.table: table.state for table in third_run.report.tables}
    assert {table for table, state in states.items() if state == "changed"} == changed
    assert {table for table, state in states.items() if state == "new"} == {"new_name", "added"}
    assert {states[table] for table in UNTOUCHED} == {"unchanged"}
    assert {"old_name", "dropped"} & set(states) == set()


def test_the_new_values_are_in_the_profiles_and_what_is_gone_is_not(third_run: Run) -> None:
    assert third_run.column("linker_profile_l3", "updated", "a")["max_value"] == "1000"
    assert third_run.column("linker_profile_l3", "deleted_from", "a")["row_count"] == 99
    assert third_run.column("linker_profile_l3", "inserted_into", "a")["max_value"] == "100"
    assert third_run.column("linker_profile_l1", "retyped", "a")["data_type"] == "INTEGER"
    assert third_run.column("linker_profile_l2", "extended", "b")["null_ratio"] == 1
    known = {row["table_name"] for row in third_run.artifacts["linker_profile_l1"]}
    assert {"new_name", "added"} <= known
    assert {"old_name", "dropped"} & known == set()


@pytest.mark.parametrize(
    "artifact", ["linker_profile_l1", "linker_profile_l2", "linker_profile_l3"]
)
def test_after_each_run_a_column_has_one_row_in_each_profile(third_run: Run, artifact: str) -> None:
    rows = third_run.artifacts[artifact]
    assert len(
        {(row["schema_name"], row["table_name"], row["column_path"]) for row in rows}
    ) == len(rows)


def test_a_limited_run_says_of_every_table_why_it_is_left_out(limited_run: Run) -> None:
    reasons = {
        table.table: table.reason
        for table in limited_run.report.tables
        if table.state == "left out"
    }
    scope = "excluded by the vars include_tables and exclude_tables"
    assert {table for table, reason in reasons.items() if reason == scope} == EXCLUDED
    assert reasons["huge"].startswith("over the limit of max_bytes, ")
    assert set(reasons) == EXCLUDED | {"huge"}
    assert limited_run.scanned().isdisjoint(reasons)
    assert {"big", "people", "kept"} <= limited_run.scanned()


def test_of_a_table_that_is_read_in_part_only_that_part_counts(
    limited_run: Run, third_run: Run
) -> None:
    whole = {table.table: table.bytes or 0 for table in third_run.report.tables}
    planned = {table.table: table.bytes for table in limited_run.report.tables}
    assert planned["huge"] == round(whole["huge"] * 30_000 / 400_000)
    assert planned["big"] == whole["big"] / 2
    assert planned["people"] == whole["people"] > 0
    [run] = [
        row
        for row in limited_run.artifacts["linker_runs"]
        if row["run_id"] not in limited_run.earlier_runs
    ]
    assert run["bytes_read"] == sum(planned[table] or 0 for table in limited_run.scanned())


def test_above_full_scan_rows_a_part_of_the_table_is_read_and_recorded(limited_run: Run) -> None:
    [statement] = [one for one in limited_run.scan_statements() if '"big"' in one]
    assert 'from "warehouse"."main"."big" tablesample system (50.0%)' in statement
    scanned = limited_run.scan("big", "id")
    assert scanned["is_sampled"]
    assert 0 < scanned["row_count"] < 60_000
    [finished] = [
        row
        for row in limited_run.artifacts["linker_attempts"]
        if (row["event"], row["table_name"]) == ("finished", "big")
        and row["run_id"] not in limited_run.earlier_runs
    ]
    assert finished["rows_read"] == 30_000


def test_what_is_read_in_part_is_not_read_whole_to_confirm_a_key(limited_run: Run) -> None:
    assert limited_run.events("confirmed") == []
    assert (
        limited_run.scan("big", "id")["distinct_count"]
        <= limited_run.scan("big", "id")["value_count"]
    )


def test_what_is_selected_is_scanned_and_nothing_else(selected_run: Run) -> None:
    never_scanned = {
        "small_1",
        "small_2",
        "wide",
        "select",
        "clients_*",
        "log_*",
        "survey_*",
        "coupons_*",
    }
    assert (
        tables(selected_run.events("finished"))
        == selected_run.scanned()
        == never_scanned | {"kept"}
    )
    assert selected_run.state("kept") == ("changed", "full run")
    assert selected_run.state("people") == ("unselected", "not selected in this run")
    assert selected_run.state("huge") == ("unselected", "not selected in this run")
    [row] = [
        row
        for row in selected_run.artifacts["linker_runs"]
        if row["run_id"] not in selected_run.earlier_runs
    ]
    everything = len(selected_run.report.tables)
    assert (row["planned_tables"], row["unselected_tables"]) == (9, everything - 9)
    assert selected_run.report.count("left out") == 0


def test_what_is_not_selected_keeps_its_profile_though_it_changed(
    selected_run: Run, limited_run: Run
) -> None:
    untouched = {"people", "big", "inserted_into", "nested", "nothing"}

    def kept(run: Run, artifact: str) -> list[str]:
        return sorted(
            str(_without_moments(row))
            for row in run.artifacts[artifact]
            if row["table_name"] in untouched
        )

    for artifact in (*PROFILES, "linker_scans"):
        assert kept(selected_run, artifact) == kept(limited_run, artifact) != [], artifact


def test_what_was_dropped_is_noticed_though_it_is_not_selected(
    selected_run: Run, limited_run: Run
) -> None:
    assert "added" in {row["table_name"] for row in limited_run.artifacts["linker_profile_l1"]}
    assert "added" not in {row["table_name"] for row in selected_run.artifacts["linker_profile_l1"]}


def test_a_pattern_that_names_no_table_ends_the_run_and_the_nearest_are_named(
    warehouse: Warehouse, selected_run: Run
) -> None:
    variables: dict[str, object] = {
        "select": [{"pattern": "main.poeple", "tables": ["main.poeple"]}]
    }
    with pytest.raises(ConfigError, match=r"no table matches `main\.poeple`") as caught:
        plan_scans(warehouse.target(variables))
    assert "main.people" in caught.value.hint


def _without_moments(row: Row) -> Row:
    return {name: value for name, value in row.items() if not name.endswith("_at")}

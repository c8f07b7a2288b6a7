"""Families in whole runs: partitions add up, snapshots repeat rows."""

import json

from tests.profile.runs import Row, Run
from tests.profile.statements import ScannedTable, Scanner

FirstRun = tuple[Run, str]


def family(run: Run, name: str) -> Row:
    [found] = [row for row in run.artifacts["linker_families"] if row["group_name"] == name]
    return found


def test_where_a_key_comes_again_in_every_member_the_family_is_snapshots_and_the_newest_stands_for_it(
    first_run: FirstRun,
) -> None:
    run, _ = first_run
    clients = family(run, "clients_*")
    assert (clients["kind"], clients["member_count"]) == ("snapshots", 3)
    assert json.loads(clients["members_read"]) == ["clients_20250103"]
    assert clients["rule"].endswith("; client_id is a key in each, and its values come again")
    key = run.column("linker_profile_l1", "clients_*", "client_id")
    assert (key["is_unique"], key["primary_key_origin"]) == (True, "measured")
    spread = run.column("linker_profile_l3", "clients_*", "day")
    assert (spread["row_count"], spread["first_day"], spread["last_day"]) == (
        22,
        "2025-01-03",
        "2025-01-03",
    )


def test_the_newest_snapshot_is_joined(first_run: FirstRun) -> None:
    [edge] = [
        row for row in first_run[0].artifacts["linker_joins"] if row["from_table"] == "purchases"
    ]
    assert (edge["to_table"], edge["to_columns"], edge["containment"]) == (
        "clients_*",
        '["client_id"]',
        1,
    )


def test_numbers_that_count_the_rows_of_every_member_anew_make_no_snapshots(
    first_run: FirstRun,
) -> None:
    run, _ = first_run
    assert family(run, "log_*")["kind"] == "partitions"
    assert run.column("linker_profile_l3", "log_*", "line")["row_count"] == 50


def test_the_newest_the_oldest_and_one_between_speak_for_a_family_and_it_says_so(
    first_run: FirstRun,
) -> None:
    run, _ = first_run
    coupons = family(run, "coupons_*")
    assert (coupons["kind"], coupons["member_count"]) == ("partitions", 5)
    assert json.loads(coupons["members_read"]) == ["coupons_2024", "coupons_2022", "coupons_2020"]
    meaning = run.column("linker_profile_l2", "coupons_*", "campaign")
    assert (meaning["is_sampled"], meaning["distinct_is_exact"]) == (True, False)
    # A value says in which of the members that were read it was seen.
    assert [
        (found["value"], found["members"]) for found in json.loads(meaning["representative_values"])
    ] == [(f"campaign {year}", [f"coupons_{year}"]) for year in (2020, 2022, 2024)]
    spread = run.column("linker_profile_l3", "coupons_*", "valid_on")
    assert (spread["is_sampled"], spread["first_day"], spread["last_day"]) == (
        True,
        "2020-06-01",
        "2024-06-01",
    )
    assert (
        run.column("linker_profile_l1", "coupons_*", "coupon_id")["primary_key_origin"]
        == "measured"
    )


def test_a_member_has_the_paths_of_documents_that_were_seen_in_it(first_run: FirstRun) -> None:
    holders = {
        row["column_path"]: row["table_name"]
        for row in first_run[0].artifacts["linker_columns"]
        if row["column_path"].startswith("details.of_")
    }
    assert holders == {f"details.of_{year}": f"coupons_{year}" for year in (2020, 2022, 2024)}


def test_documents_are_sampled_from_each_member_that_is_read(scanner: Scanner) -> None:
    scanner.connection.execute("""
        create table logs_2024 as select cast('{"old": 1, "both": 1}' as json) as entry from range(2);
        create table logs_2025 as select cast('{"new": 1, "both": 1}' as json) as entry from range(50);
    """)
    logs = ScannedTable("logs_*", 52, members=("logs_2025", "logs_2024"))
    found = scanner.execute(scanner.statements(logs, json_sample_rows=10))
    seen_in = {path: profile["seen_in"] for (_, path), profile in found.items()}
    assert seen_in == {
        "entry": None,
        "entry.both": None,
        "entry.new": '["logs_2025"]',
        "entry.old": '["logs_2024"]',
    }
    assert (
        found["logs_*", "entry.old"]["row_count"],
        found["logs_*", "entry.new"]["row_count"],
    ) == (2, 8)


def test_a_value_that_all_members_have_names_none_and_a_null_is_no_value(scanner: Scanner) -> None:
    scanner.connection.execute("""
        create table "a ""b""_1" as select unnest(['x', 'y', null]) as code;
        create table "a ""b""_2" as select unnest(['x', null]) as code;
    """)
    family = ScannedTable('a "b"_*', 5, members=('a "b"_2', 'a "b"_1'))
    scanner.execute(scanner.statements(family))
    [[values]] = scanner.connection.execute("select top_values from journal").fetchall()
    assert json.loads(values) == [
        {"value": "x", "count": 2},
        {"value": "y", "count": 1, "members": ['a "b"_1']},
    ]


def test_columns_that_drift_are_all_kept(first_run: FirstRun) -> None:
    run, _ = first_run
    rows = sorted(
        (row["position"], row["column_path"])
        for row in run.artifacts["linker_profile_l1"]
        if row["table_name"] == "survey_*"
    )
    assert rows == [(1, "answer_id"), (2, "channel"), (3, "grade"), (4, "score"), (5, "paper")]
    counts = {
        path: run.column("linker_profile_l3", "survey_*", path)["value_count"]
        for path in ("answer_id", "score", "paper")
    }
    assert counts == {"answer_id": 40, "score": 20, "paper": 20}
    assert (
        run.column("linker_profile_l1", "survey_*", "answer_id")["primary_key_origin"] == "measured"
    )
    assert {
        row["table_name"]
        for row in run.artifacts["linker_columns"]
        if row["column_path"] == "paper"
    } == {"survey_2022"}


def test_what_shows_the_kind_of_a_family_is_counted_and_not_asked_again(
    first_run: FirstRun, second_run: Run
) -> None:
    run, _ = first_run
    compared = {"compared", "partitions", "snapshots"}
    assert set(run.events(*compared)) == {
        ("compared", "clients_*"),
        ("snapshots", "clients_*"),
        ("compared", "log_*"),
        ("partitions", "log_*"),
        ("compared", "survey_*"),
        ("partitions", "survey_*"),
        ("compared", "coupons_*"),
        ("partitions", "coupons_*"),
    }
    assert second_run.events(*compared) == []
    assert family(second_run, "clients_*") == family(run, "clients_*")


def test_a_family_is_judged_alike_in_a_later_full_run(third_run: Run, selected_run: Run) -> None:
    assert selected_run.column("linker_profile_l3", "clients_*", "client_id")["row_count"] == 22
    assert family(selected_run, "clients_*") == family(third_run, "clients_*")
    assert family(selected_run, "log_*") == family(third_run, "log_*")


def test_a_new_snapshot_stands_for_the_family(third_run: Run) -> None:
    clients = family(third_run, "clients_*")
    assert (clients["kind"], clients["member_count"], clients["representative"]) == (
        "snapshots",
        4,
        "clients_20250104",
    )
    assert third_run.column("linker_profile_l3", "clients_*", "client_id")["min_value"] == "600"

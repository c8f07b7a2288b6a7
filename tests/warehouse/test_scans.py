"""Scans and profiles in every warehouse against values worked out by hand from setup/."""

import json

import pytest

from tests.warehouse.cells import agree, differences, key_of
from tests.warehouse.project import Consumer

COLUMN = ("schema_name", "table_name", "column_path")


def test_every_measure_is_as_worked_out_by_hand(consumer: Consumer) -> None:
    assert differences(COLUMN, *consumer.both("linker_scans")) == []


@pytest.mark.parametrize(
    "artifact", ["linker_profile_l1", "linker_profile_l2", "linker_profile_l3"]
)
def test_the_profile_says_what_was_worked_out_by_hand_of_some_columns(
    consumer: Consumer, artifact: str
) -> None:
    expected, actual = consumer.both(artifact)
    listed = {key_of(row, COLUMN) for row in expected}
    assert (
        differences(COLUMN, expected, [row for row in actual if key_of(row, COLUMN) in listed])
        == []
    )


def test_every_column_has_all_three_levels(consumer: Consumer) -> None:
    levels = [consumer.rows(f"linker_profile_l{level}", list(COLUMN)) for level in (1, 2, 3)]
    assert levels[0] == levels[1] == levels[2] == consumer.rows("linker_scans", list(COLUMN))


def test_the_inventory_has_each_path_that_only_values_tell_in_the_members_in_which_it_was_seen(
    consumer: Consumer,
) -> None:
    expected, actual = consumer.both("linker_columns")
    assert (
        differences(COLUMN, expected, [row for row in actual if row["is_discovered"] == "true"])
        == []
    )


def test_values_and_paths_of_a_family_name_the_members_that_have_them_where_not_all_do(
    consumer: Consumer,
) -> None:
    members, seen_in = {}, {}
    columns = ["table_name", "column_path", "top_values", "seen_in"]
    for table, path, values, seen in consumer.rows("linker_scans", columns):
        members[table, path] = {
            value["value"]: value.get("members") for value in json.loads(values or "[]")
        }
        seen_in[table, path] = seen
    first, second = ["visits_20250101"], ["visits_20250102"]
    assert members["visits_*", "id"] == {"1": first, "2": first, "3": second, "4": second}
    assert members["visits_*", "device.kind"] == {"phone": None, "desktop": first}
    assert members["events_*", "payload.type"] == {"click": ["events_9"], "view": ["events_10"]}
    assert (seen_in["events_*", "payload.type"], seen_in["events_*", "payload.old"]) == (
        "",
        '["events_9"]',
    )


def test_values_follow_the_order_of_rows_where_the_warehouse_keeps_one(consumer: Consumer) -> None:
    measured = {
        (table, path): value
        for table, path, value in consumer.rows(
            "linker_profile_l3", ["table_name", "column_path", "monotonicity"]
        )
    }
    keeps_order = consumer.target in ("duckdb", "postgres")
    assert agree("monotonicity", "", "1" if keeps_order else "", measured["orders", "order_id"])
    # The correlation of 1, 2, 3, 4, 5, 7, 8 with 10, 20, 20, 30, 0, -5.5, 135.5 by the textbook.
    total = "Total + VAT" if consumer.target == "bigquery" else "Total (€)"
    assert agree(
        "monotonicity", "", "0.507394179434805" if keeps_order else "", measured["orders", total]
    )

"""Which families hold the same rows again, and which have a row for each day and thing: a whole run over both."""

import json
from pathlib import Path

import pytest

from tests.profile.runs import Row, Run, Warehouse

# By the name before the key: the keys, and what a member holds, in which {place} counts the members from 0. `change` gives
# numbers that are others in each member.
CHANGE = "create macro change(number, place) as (hash(number * 100 + place) % 1000)::integer;"
DAYS = ("20240101", "20240102", "20240103", "20240104")
YEARS = ("2021", "2022", "2023")
SNAPSHOTS = {
    "accounts": (DAYS, "range as account_id, 'u' || range || '@x.org' as email, change(range, {place}) as balance from range(1, 80 + {place})"),
    "orders_backup": (DAYS, "range as order_id, range * 1.5 as total from range(100)"),
    "dim_stores": (YEARS, "range as store_key, 'S' || range as name, (range + {place} // 2) % 9 as manager, change(range, {place}) as staff from range(60)"),
    "price_copy": (YEARS, "'A' || range as sku, change(range, 0) as price, 'G' || change(range, 5) as brand, range % 4 = 0 as is_sold from range(60)"),
    "people": (YEARS, "range as id, 'N' || range as name, change(range, {place}) as points, date '2020-01-01' + {place} as seen_on from range(70)"),
    "ids": (DAYS, "range + 500 as id from range(50)"),
}  # fmt: skip
PARTITIONS = {
    "readings": (DAYS, "range as station_id, change(range, {place}) as heat, change(range, {place} + 50) as rain from range(1, 60)"),
    "weather": (DAYS, "'s' || range as station, 'Station ' || range as name, date '2024-01-01' + {place} as day, change(range, {place}) as heat, change(range, {place} + 50) as rain from range(60)"),
    "flows": (DAYS, "'g' || range as gauge, change(range, {place}) as flow, change(range, {place}) > 20 as is_valid from range(60)"),
    "cust_sales": (YEARS, "range as customer_id, 'ABC'[1 + change(range, {place}) % 3] as segment, change(range, {place} + 9) as amount from range({place} * 5, 90)"),
    "shop_sales": (YEARS, "range as customer_id, 'Customer ' || range as name, change(range, {place}) as orders, change(range, {place} + 9) as amount from range(90)"),
    "claims": (YEARS, "range as claim_id, 'P' || change(range, {place}) as policy, date '2020-01-01' + change(range, {place} + 3) as filed_on, change(range, {place} + 7) as amount from range(1, 90 + {place})"),
    "tickets": (YEARS, "range as ticket_no, case when change(range, {place}) < 700 then 'a' else 'b' end as kind, change(range, {place} + 7) as minutes from range(1, 90)"),
    "visits": (DAYS, "{place} * 1000 + range as visit_id, range % 3 as kind from range(60)"),
}  # fmt: skip
SETS = {**SNAPSHOTS, **PARTITIONS}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    warehouse = Warehouse(Path(tmp_path_factory.mktemp("panels")))
    statements = [CHANGE]
    for name, (keys, select) in SETS.items():
        for place, key in enumerate(keys):
            statements.append(f"create table {name}_{key} as select {select.format(place=place)};")
    # Six members, of which the newest, the oldest and one between are read: the second and its column are not.
    for number in range(6):
        column = ", 1 as tip" if number == 1 else ""
        statements.append(f"create table rides_{2019 + number} as select {number} * 50 + range as ride, 'x' as place{column} from range({number + 10});")
    warehouse.execute("\n".join(statements) + "drop macro change;")
    return warehouse.profile()


def family(run: Run, name: str) -> Row:
    [found] = [row for row in run.artifacts["linker_families"] if row["group_name"] == f"{name}_*"]
    return found


@pytest.mark.parametrize("name", SNAPSHOTS)
def test_the_same_rows_again_are_snapshots(run: Run, name: str) -> None:
    keys, _ = SNAPSHOTS[name]
    found = family(run, name)
    assert (found["kind"], json.loads(found["members_read"])) == ("snapshots", [f"{name}_{keys[-1]}"])


@pytest.mark.parametrize("name", PARTITIONS)
def test_the_same_keys_with_other_values_are_partitions(run: Run, name: str) -> None:
    found = family(run, name)
    assert (found["kind"], len(json.loads(found["members_read"]))) == ("partitions", 3)


def test_a_panel_says_which_key_comes_again_and_how_many_members_were_read(run: Run) -> None:
    assert family(run, "readings")["rule"] == (
        "same columns in the same order; the names differ only in the day; profiled from 3 of 4 members; "
        "station_id is a key in each, and comes again with other values"
    )


def test_the_key_of_a_panel_is_none_of_the_family(run: Run) -> None:
    assert not run.column("linker_profile_l1", "readings_*", "station_id")["is_unique"]
    assert run.column("linker_profile_l3", "readings_*", "station_id")["row_count"] == 3 * 59


def test_rows_and_columns_of_a_family_are_those_of_all_members(run: Run) -> None:
    rides = family(run, "rides")
    assert json.loads(rides["members_read"]) == ["rides_2024", "rides_2021", "rides_2019"]
    assert rides["row_count"] == 10 + 11 + 12 + 13 + 14 + 15
    assert json.loads(rides["column_names"]) == ["ride", "place", "tip"]


def test_the_rows_of_snapshots_are_those_of_the_newest(run: Run) -> None:
    assert family(run, "accounts")["row_count"] == 82

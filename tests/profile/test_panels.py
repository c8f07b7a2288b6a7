"""Snapshot families and panel families in a whole run."""

import json
from pathlib import Path

import pytest
import yaml

from tests.profile.runs import Row, Run, Warehouse

KEYS = {"days": ("20240101", "20240102", "20240103", "20240104"), "years": ("2021", "2022", "2023")}
FAMILIES: list[dict[str, str]] = yaml.safe_load(
    (Path(__file__).parent / "panels.yml").read_text("utf-8")
)
SNAPSHOTS = {found["family"]: found for found in FAMILIES if found["kind"] == "snapshots"}
PARTITIONS = {found["family"]: found for found in FAMILIES if found["kind"] == "partitions"}
CHANGING = "(hash(row * 100 + {place} + {number}) % 1000)::integer"
LASTING = "create temp macro lasting(number) as (hash(number) % 1000)::integer;"


def tables(family: dict[str, str]) -> list[str]:
    """The statements that make the members."""
    statements = []
    for place, key in enumerate(KEYS[family["members"]]):
        numbers = {
            name: CHANGING.format(place=place, number=number)
            for name, number in (("a", 0), ("b", 50))
        }
        columns = family["columns"].format(place=place, **numbers)
        rows = f"range(1, 1 + {family['rows'].format(place=place)}) as counted (row)"
        statements.append(f"create table {family['family']}_{key} as select {columns} from {rows};")
    return statements


def rides() -> list[str]:
    """Six shards, of which three are read; the second one's column is not."""
    statements = []
    for number in range(6):
        column = ", 1 as tip" if number == 1 else ""
        columns = f"{number} * 50 + range as ride, 'x' as place{column}"
        statements.append(
            f"create table rides_{2019 + number} as select {columns} from range({number + 10});"
        )
    return statements


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    warehouse = Warehouse(tmp_path_factory.mktemp("panels"))
    statements = [LASTING, *rides()]
    for found in FAMILIES:
        statements.extend(tables(found))
    warehouse.execute("\n".join(statements))
    return warehouse.profile()


def family(run: Run, name: str) -> Row:
    [found] = [row for row in run.artifacts["linker_families"] if row["group_name"] == f"{name}_*"]
    return found


@pytest.mark.parametrize("name", SNAPSHOTS)
def test_the_same_rows_again_are_snapshots(run: Run, name: str) -> None:
    newest = KEYS[SNAPSHOTS[name]["members"]][-1]
    found = family(run, name)
    assert (found["kind"], json.loads(found["members_read"])) == ("snapshots", [f"{name}_{newest}"])


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
    found = family(run, "rides")
    assert json.loads(found["members_read"]) == ["rides_2024", "rides_2021", "rides_2019"]
    assert found["row_count"] == 10 + 11 + 12 + 13 + 14 + 15
    assert json.loads(found["column_names"]) == ["ride", "place", "tip"]


def test_the_rows_of_snapshots_are_those_of_the_newest(run: Run) -> None:
    assert family(run, "accounts")["row_count"] == 83

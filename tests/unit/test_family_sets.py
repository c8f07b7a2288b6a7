"""Family detection on table sets of real warehouses."""

import itertools
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.families import COLUMNS, Merged, Merging

SETS: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "family_sets.yml").read_text("utf-8")
)
CASES = {one["what"]: one for one in SETS}


def escape_invisible(pattern: str) -> list[str]:
    """Brace expansion, as in a shell."""
    parts = re.split(r"\{(.*?)\}", pattern)
    choices = [[part] for part in parts]
    choices[1::2] = [one_of(part) for part in parts[1::2]]
    return ["".join(chosen) for chosen in itertools.product(*choices)]


def one_of(listed: str) -> list[str]:
    if ".." not in listed:
        return listed.split(",")
    first, last = listed.split("..")
    return [f"{number:0{len(first)}}" for number in range(int(first), int(last) + 1)]


def names_of(case: dict[str, Any]) -> list[str]:
    names = []
    for pattern in case["tables"].split(" "):
        names.extend(escape_invisible(pattern))
    return names


def columns_of(case: dict[str, Any]) -> dict[str, str]:
    names = names_of(case)
    if case.get("same", True):
        return dict.fromkeys(names, COLUMNS)
    return {name: f"a{place} integer, b{place} date" for place, name in enumerate(names)}


@pytest.fixture(scope="module")
def merged(merging: Merging) -> Merged:
    """All sets at once, each in a separate schema."""
    return merging.schemas({what: columns_of(case) for what, case in CASES.items()})


@pytest.mark.parametrize("what", CASES)
def test_the_families_of_a_set_are_those_that_a_reader_makes(merged: Merged, what: str) -> None:
    found = {
        family.name: f"{family.key_kind} {family.member_count} {family.first_key} {family.last_key}"
        for family in merged.families
        if family.schema == what
    }
    assert found == CASES[what].get("families", {})


@pytest.mark.parametrize(
    "what",
    [what for what, case in CASES.items() if not case.get("families") and case.get("same", True)],
)
def test_what_looks_alike_and_is_no_family_is_told(merged: Merged, what: str) -> None:
    [siblings] = [group for group in merged.siblings if group.schema == what]
    # What dbt leaves behind for a moment is not listed.
    assert set(siblings.members) == {name for name in names_of(CASES[what]) if "__dbt_" not in name}

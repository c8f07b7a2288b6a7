"""JSON objects with data as keys are maps with one path; others keep their paths."""

import json
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from random import Random
from typing import Any

import pytest

from tests.profile.statements import Scanner

Make = Callable[[Random, int], Any]
FIRST = ("Anna", "Bo", "Chen", "Dara", "Eva", "Farid", "Gül", "Hans")
LAST = ("Abe", "Braun", "Costa", "Dietz", "Evans", "Fuchs", "García")
NAMES = [f"{first} {last}" for first in FIRST for last in LAST]


def day(number: int) -> str:
    return str(date(2024, 1, 1) + timedelta(days=number))


def uuid(random: Random) -> str:
    digits = f"{random.getrandbits(128):032x}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


MAPS: Mapping[str, tuple[Make, set[str]]] = {
    "addresses": (
        lambda _, row: {"by_user": {f"hans.{row}@mail.example": 1}},
        {"by_user", "by_user.*"},
    ),
    "few addresses": (
        lambda random, _: {"of": {f"{random.choice('ab')}@mail.example": {"n": 1, "at": "x"}}},
        {"of", "of.*", "of.*.n", "of.*.at"},
    ),
    "numbers": (
        lambda random, _: {str(random.randrange(1000, 1100)): random.random() for _ in range(3)},
        {"*"},
    ),
    "days": (
        lambda random, _: {"sold": {day(random.randrange(60)): {"DE": 1, "FR": 2}}},
        {"sold", "sold.*", "sold.*.DE", "sold.*.FR"},
    ),
    "uuids": (
        lambda random, _: {"seen": {uuid(random): True, uuid(random): None}},
        {"seen", "seen.*"},
    ),
    "numbered": (
        lambda random, _: {"stock": {f"SKU-{random.randrange(10000):05}": random.randrange(9)}},
        {"stock", "stock.*"},
    ),
    "people": (
        lambda random, _: {
            "votes": {name: {"of": random.randrange(9)} for name in random.sample(NAMES, 3)}
        },
        {"votes", "votes.*", "votes.*.of"},
    ),
    "lists": (
        lambda random, row: {"tags": {f"user_{row % 40 + 100}": ["a", "b"]}, "kind": "x"},
        {"tags", "tags.*", "kind"},
    ),
    "maps of maps": (
        lambda random, row: {"of": {f"user{row % 30 + 100}": {day(random.randrange(90)): 5}}},
        {"of", "of.*", "of.*.*"},
    ),
    "in a list": (
        lambda random, row: [
            {"id": row, "counts": {day(random.randrange(90)): 5}} for _ in range(2)
        ],
        {"id", "counts", "counts.*"},
    ),
}
STRUCTS: Mapping[str, Make] = {
    "answers": lambda random, _: {f"q{number}": random.randrange(5) for number in range(1, 31)},
    "headers": lambda *_: {
        "Content-Type": "text/html",
        "X-Request-Id": "a",
        "og:title": "b",
        "@type": "c",
        "$id": "d",
    },
    "labels": lambda *_: {
        "app.kubernetes.io/name": "a",
        "app.kubernetes.io/version": "b",
        "helm.sh/chart": "c",
    },
    "years": lambda *_: {"sales": {"2021": 1, "2022": 2, "2023": 3}},
    "lines": lambda *_: {f"address_line_{number}": "x" for number in range(1, 13)},
    "sparse": lambda random, _: {
        f"property{letter}": random.choice(values)
        for letter, values in zip(
            "abcdefghijklmnopqrstuvwxyz", (("x", "y"), (1, 2)) * 13, strict=True
        )
        if letter in "ab" or random.random() < 0.1
    },
    "words": lambda *_: {
        f"field_{chr(97 + first)}{chr(97 + second)}": 1 for first in range(8) for second in range(8)
    },
}


def scanned(scanner: Scanner, make: Make, **variables: Any) -> dict[str, dict[str, Any]]:
    """The paths found in 200 documents."""
    random = Random(7)
    scanner.connection.execute("create table t (d json)")
    rows = [[json.dumps(make(random, row))] for row in range(200)]
    scanner.connection.executemany("insert into t values (?)", rows)
    found = scanner.scan("t", **variables)
    return {path.removeprefix("d."): profile for path, profile in found.items()}


@pytest.mark.parametrize("name", MAPS)
def test_the_values_of_a_map_have_one_path(scanner: Scanner, name: str) -> None:
    make, expected = MAPS[name]
    assert set(scanned(scanner, make)) == expected | {"d"}


@pytest.mark.parametrize("name", STRUCTS)
def test_an_object_of_words_keeps_its_paths(scanner: Scanner, name: str) -> None:
    found = set(scanned(scanner, STRUCTS[name]))
    assert not any(path.endswith("*") for path in found)
    assert len(found) > 3


def test_the_keys_of_a_map_are_values_at_its_path(scanner: Scanner) -> None:
    found = scanned(scanner, lambda _, row: {"stock": {f"SKU-{row % 40 + 100}": row % 3}})
    keys, values = found["stock"], found["stock.*"]
    assert (keys["value_kind"], keys["distinct_count"], keys["value_count"]) == ("text", 40, 200)
    assert (keys["min_value"], keys["max_value"]) == ("SKU-100", "SKU-139")
    assert sorted(values["top_values"]) == [("0", 67), ("1", 67), ("2", 66)]
    assert (values["value_kind"], values["mean"]) == ("integer", pytest.approx((67 + 2 * 66) / 200))


def test_addresses_as_keys_are_masked_and_stand_nowhere(scanner: Scanner) -> None:
    found = scanned(
        scanner, lambda _, row: {"by_user": {f"hans.{row}@mail.example": {"visits": row}}}
    )
    assert (found["by_user"]["personal_data"], found["by_user"]["privacy"]) == ("email", "mask")
    assert found["by_user.*.visits"]["privacy"] == "show"
    assert "mail.example" not in json.dumps(found, default=str)


def test_a_map_with_one_hidden_value_is_hidden(scanner: Scanner) -> None:
    make: Make = lambda _, row: {"of": {f"user{row % 40 + 100}": 7000 + row % 3}}  # noqa: E731 - a line of the table above
    found = scanned(scanner, make, hide_columns=["*.t.d.of.user117"])
    assert {found[path]["privacy"] for path in ("of", "of.*")} == {"hide"}
    assert "7001" not in json.dumps(found, default=str)


def test_an_excluded_value_of_a_map_is_not_read(scanner: Scanner) -> None:
    make: Make = lambda _, row: {"of": {f"user{row % 40 + 100}": 7000 + row % 40}}  # noqa: E731 - a line of the table above
    found = scanned(scanner, make, exclude_columns=["*.t.d.of.user117"])
    assert (found["of"]["distinct_count"], found["of.*"]["value_count"]) == (39, 195)
    assert "7017" not in json.dumps(found, default=str)

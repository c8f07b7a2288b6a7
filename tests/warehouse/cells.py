"""
Compares expected and actual rows of profile tables; numbers compare as numbers, since warehouses
format them differently.
"""

import json
import math
from collections.abc import Mapping, Sequence

FLOATS = frozenset(
    {
        "mean",
        "deviation",
        "mean_length",
        "top_value_share",
        "entropy",
        "null_ratio",
        "uniqueness",
        "monotonicity",
        "day_coverage",
    }
)
VALUES = frozenset({"min_value", "max_value"})
LISTS = frozenset({"top_values", "representative_values", "patterns"})

Row = Mapping[str, str]


def key_of(row: Row, keys: Sequence[str]) -> tuple[str, ...]:
    return tuple(row[key] for key in keys)


def differences(keys: Sequence[str], expected: Sequence[Row], actual: Sequence[Row]) -> list[str]:
    """Missing, additional and different rows by key, one per line."""
    wanted = {key_of(row, keys): row for row in expected}
    found = {key_of(row, keys): row for row in actual}
    assert len(wanted) == len(expected), "two expected rows have the same keys"
    told = [f"missing: {key}" for key in sorted(wanted.keys() - found.keys())]
    told += [f"not expected: {key}" for key in sorted(found.keys() - wanted.keys())]
    told += ["comes twice"] * (len(actual) - len(found))
    for key in sorted(wanted.keys() & found.keys()):
        told += [
            f"{'.'.join(key)} {column}: {wanted[key][column]!r} was expected, and it is {value!r}"
            for column, value in found[key].items()
            if not agree(column, found[key].get("value_kind", ""), wanted[key][column], value)
        ]
    return told


def agree(column: str, kind: str, expected: str, actual: str) -> bool:
    """Whether two values are equal; numbers in any spelling: 20, 20.00, 2e1, and inf, Infinity."""
    if expected == "" or actual == "":
        return expected == actual
    if column in FLOATS:
        return math.isclose(float(expected), float(actual), rel_tol=1e-9, abs_tol=1e-9)
    if column in VALUES and kind in ("integer", "number"):
        return math.isclose(float(expected), float(actual), rel_tol=1e-12)
    if column in LISTS:
        return _counted(kind, expected) == _counted(kind, actual)
    if column == "quantiles":
        return bool(json.loads(expected) == [float(number) for number in json.loads(actual)][::5])
    return expected == actual


def _counted(kind: str, text: str) -> list[tuple[str, int]]:
    return [
        (
            str(float(counted["value"])) if kind in ("integer", "number") else counted["value"],
            counted["count"],
        )
        for counted in json.loads(text)
    ]

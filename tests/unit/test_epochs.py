"""Epoch times are detected by name and range, with unit and days."""

import pytest

from linker.catalog.description import epoch_of

# date -u -d @1735689600: 2025-01-01; @1738368000: 2025-02-01.


@pytest.mark.parametrize(
    ("path", "data_type", "comment", "values", "expected"),
    [
        (
            "created_at",
            "bigint",
            None,
            ("1738368000", "1735689600"),
            "seconds since 1970, 2025-01-01 to 2025-02-01",
        ),
        (
            "event.ts",
            "int64",
            None,
            ("1735689600000",),
            "milliseconds since 1970, 2025-01-01",
        ),
        (
            "event_timestamp",
            "bigint",
            None,
            ("1735689600000000",),
            "microseconds since 1970, 2025-01-01",
        ),
        ("t", "bigint", "unix epoch", ("1735689600",), "seconds since 1970, 2025-01-01"),
        ("updated_at", "double", None, ("1735689600.0",), "seconds since 1970, 2025-01-01"),
        # A number of a thing, a year, a day as a number, a text, and a first value far before.
        ("customer_id", "bigint", None, ("1735689600",), None),
        ("year", "bigint", None, ("2025",), None),
        ("date_key", "integer", None, ("20250101",), None),
        ("created_at", "varchar", None, ("1735689600",), None),
        ("created_at", "bigint", None, ("0", "1735689600"), None),
        ("created_at", "bigint", None, (None,), None),
    ],
)
def test_a_number_is_a_time_by_its_name_and_range(
    path: str,
    data_type: str,
    comment: str | None,
    values: tuple[str | None, ...],
    expected: str | None,
) -> None:
    found = epoch_of(path, data_type, comment, values)
    assert (str(found) if found else None) == expected

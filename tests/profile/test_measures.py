"""Every scan measure against Python on random rows."""

import math
import statistics
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.profile.statements import Profile, ScannedTable, Scanner
from tests.rendering import Rendering

COLUMNS = {
    "whole": ("bigint", st.integers(-(10**6), 10**6) | st.integers(-3, 3)),
    "real": (
        "double",
        st.floats(-1e6, 1e6)
        | st.sampled_from([0.0, -0.0])
        | st.sampled_from([math.nan, math.inf, -math.inf]),
    ),
    "money": (
        "decimal(12, 2)",
        st.integers(-(10**9), 10**9).map(lambda cents: Decimal(cents) / 100),
    ),
    "words": (
        "varchar",
        st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=6),
    ),
    "code": ("varchar", st.sampled_from(["a", "b", "c", "ä", "A", ""])),
    "day": (
        "date",
        st.dates(date(1600, 1, 1), date(2400, 1, 1)) | st.dates(date(2024, 2, 1), date(2024, 3, 9)),
    ),
    "moment": ("timestamp", st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1))),
    "flag": ("boolean", st.booleans()),
    "bytes": ("blob", st.binary(max_size=5)),
}
ROWS = st.lists(st.tuples(*(st.none() | values for _, values in COLUMNS.values())), max_size=40)
Row = tuple[Any, ...]


@pytest.fixture(scope="module")
def measured(
    rendering: Callable[[str], Rendering], checkout: Path
) -> Iterator[Callable[[Sequence[Row]], dict[str, Profile]]]:
    """Measures of rows by a scan, rendered once per set of columns."""
    with duckdb.connect() as connection:
        scanner = Scanner(rendering("duckdb"), connection, checkout)
        connection.execute(
            f"create table facts ({', '.join(f'{name} {kind}' for name, (kind, _) in COLUMNS.items())})"
        )
        statements = scanner.statements(ScannedTable("facts"), show_columns=["*"])

        def scan(rows: Sequence[Row]) -> dict[str, Profile]:
            connection.execute("truncate facts")
            if rows:
                connection.executemany(
                    f"insert into facts values ({', '.join('?' * len(COLUMNS))})", rows
                )
            return {path: profile for (_, path), profile in scanner.execute(statements).items()}

        yield scan


def text_of(value: object) -> str:
    """As DuckDB writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, datetime):
        whole, _, fraction = value.isoformat(" ").partition(".")
        return f"{whole}.{fraction}".rstrip("0") if fraction else whole
    if isinstance(value, float):
        # Zero has one text.
        value += 0.0
    return f"{value:.2f}" if isinstance(value, Decimal) else str(value)


def number_of(value: object) -> float | None:
    """Numbers for averages and sorting: finite ones, and timestamps as seconds since 1970."""
    if isinstance(value, datetime):
        return (value - datetime(1970, 1, 1)) / timedelta(seconds=1)
    if isinstance(value, date):
        return float((value - date(1970, 1, 1)).days * 86400)
    if isinstance(value, (int, float, Decimal)) and not isinstance(value, bool):
        return float(value) if math.isfinite(value) else None
    return None


def close(found: float | None, expected: float | None, tolerance: float = 1e-6) -> bool:
    if found is None or expected is None:
        return found is expected
    return math.isclose(found, expected, rel_tol=tolerance, abs_tol=tolerance)


def correlation(numbers: Sequence[tuple[int, float]]) -> float | None:
    if len({number for _, number in numbers}) < 2:
        return None
    return statistics.correlation(
        [float(place) for place, _ in numbers], [number for _, number in numbers]
    )


def assert_values(profile: Profile, values: Sequence[Any]) -> None:
    """Counts, distinct, top values, share and entropy."""
    known = [value for value in values if value is not None]
    assert profile["row_count"] == profile["sample_row_count"] == len(values)
    assert profile["value_count"] == len(known)
    assert not profile["is_sampled"]
    if profile["value_kind"] == "binary":
        assert profile["top_values"] is profile["distinct_count"] is None
        return
    counts = Counter(map(text_of, known))
    assert profile["distinct_count"] == len(counts)
    assert profile["distinct_is_exact"]
    found = profile["top_values"] or []
    most = 200 if profile["value_kind"] == "text" else 25
    if any(isinstance(value, float) for value in known):
        # 1e16 and 10000000000000000.0 are one number.
        assert {text_of(float(value)): count for value, count in found}.items() <= counts.items()
        assert [count for _, count in found] == sorted(counts.values(), reverse=True)[:most]
    else:
        assert found == sorted(counts.items(), key=lambda item: (-item[1], item[0].encode()))[:most]
    if known:
        shares = [count / len(known) for count in counts.values()]
        assert close(profile["top_value_share"], max(shares))
        assert close(profile["entropy"], -sum(share * math.log2(share) for share in shares), 1e-9)
    else:
        assert profile["top_value_share"] is profile["entropy"] is None


def assert_numbers(profile: Profile, values: Sequence[Any]) -> None:
    """Mean, deviation, quantiles and the correlation with the order of the rows."""
    placed = [(place, number_of(value)) for place, value in enumerate(values) if value is not None]
    numbers = [(place, number) for place, number in placed if number is not None]
    plain = [number for _, number in numbers]
    are_moments = any(isinstance(value, date) for value in values)
    assert close(profile["mean"], statistics.fmean(plain) if plain and not are_moments else None)
    assert close(
        profile["deviation"],
        statistics.stdev(plain) if len(plain) > 1 and not are_moments else None,
        1e-5,
    )
    if not plain:
        assert profile["quantiles"] is None
        assert profile["monotonicity"] is None
        return
    expected = np.quantile(plain, [step / 20 for step in range(21)], method="inverted_cdf")
    assert profile["quantiles"] == pytest.approx(list(expected), rel=1e-12)
    # The square of what lies closer together is no number any more.
    if len(set(plain)) < 2 or (max(plain) - min(plain)) ** 2 > 0:
        assert close(profile["monotonicity"], correlation(numbers), 1e-4)


def assert_ends_and_lengths(profile: Profile, values: Sequence[Any]) -> None:
    """The smallest and the largest value, and how long texts are."""
    known = [value for value in values if value is not None]
    lengths = [len(value) for value in known if isinstance(value, (str, bytes))]
    assert (profile["min_length"], profile["max_length"]) == (
        (min(lengths), max(lengths)) if lengths else (None, None)
    )
    assert close(profile["mean_length"], statistics.fmean(lengths) if lengths else None)
    finite = [value for value in known if not isinstance(value, float) or math.isfinite(value)]
    if not finite or isinstance(finite[0], (bool, bytes)):
        assert profile["min_value"] is profile["max_value"] is None
    elif isinstance(finite[0], str):
        ordered = sorted(finite, key=str.encode)
        assert (profile["min_value"], profile["max_value"]) == (ordered[0], ordered[-1])
    elif isinstance(finite[0], float):
        assert (float(profile["min_value"]), float(profile["max_value"])) == (
            min(finite),
            max(finite),
        )
    else:
        assert (profile["min_value"], profile["max_value"]) == (
            text_of(min(finite)),
            text_of(max(finite)),
        )


def assert_days(profile: Profile, values: Sequence[Any]) -> None:
    """How many days have a value, and the longest stretch from one to the next."""
    days = sorted(
        {
            datetime.min.replace(year=value.year, month=value.month, day=value.day)
            for value in values
            if value
        }
    )
    gaps = [(after - before).days for before, after in pairwise(days)]
    assert profile["day_count"] == (len(days) or None)
    assert profile["largest_gap_days"] == (max(gaps) if gaps else None)


@settings(max_examples=30, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(rows=ROWS)
def test_every_measure_is_what_python_works_out(
    measured: Callable[[Sequence[Row]], dict[str, Profile]], rows: list[Row]
) -> None:
    profiles = measured(rows)
    for place, name in enumerate(COLUMNS):
        values = [row[place] for row in rows]
        assert_values(profiles[name], values)
        assert_numbers(profiles[name], values)
        assert_ends_and_lengths(profiles[name], values)
        if name in ("day", "moment"):
            assert_days(profiles[name], values)

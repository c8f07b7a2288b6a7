"""Durations such as `--max-staleness`."""

import contextlib
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linker.errors import ConfigError
from linker.text.numbers import duration_text, parse_duration


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("90s", 90),
        ("10m", 600),
        ("6h", 21_600),
        ("2d", 172_800),
        ("1h30m", 5_400),
        ("1d1s", 86_401),
        ("0s", 0),
    ],
)
def test_a_length_of_time_is_numbers_with_units(text: str, seconds: int) -> None:
    assert parse_duration(text) == timedelta(seconds=seconds)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "6",
        "h",
        "6 h",
        "-6h",
        "1.5h",
        "6H",
        "6w",
        "30m1h",
        "1h1h",
        "6h!",
        "٦h",
        "99999999s",
        "6h\n2",
    ],
)
def test_anything_else_is_refused_with_what_can_be_written(text: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_duration(text)
    assert "90s, 10m, 6h, 2d" in caught.value.hint


@settings(deadline=None)
@given(st.integers(min_value=0, max_value=9_999_999))
def test_what_is_written_is_read_as_what_it_was(seconds: int) -> None:
    assert parse_duration(duration_text(timedelta(seconds=seconds))) == timedelta(seconds=seconds)


@settings(deadline=None)
@given(st.lists(st.integers(min_value=0, max_value=9_999_999), min_size=4, max_size=4))
def test_the_parts_add_up_and_the_way_to_write_them_stays_short(counts: list[int]) -> None:
    days, hours, minutes, seconds = counts
    meant = timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)
    assert parse_duration(f"{days}d{hours}h{minutes}m{seconds}s") == meant


@settings(deadline=None)
@given(st.text(alphabet="0123456789dhms. -", max_size=12))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(ConfigError):
        assert parse_duration(text) >= timedelta(0)


@pytest.mark.parametrize(
    ("duration", "text"),
    [
        (timedelta(seconds=90), "1m30s"),
        (timedelta(hours=24), "1d"),
        (timedelta(hours=6), "6h"),
        (timedelta(milliseconds=1_499), "1s"),
        (timedelta(milliseconds=400), "0s"),
    ],
)
def test_a_length_of_time_is_written_in_the_largest_units_and_whole_seconds(
    duration: timedelta, text: str
) -> None:
    assert duration_text(duration) == text

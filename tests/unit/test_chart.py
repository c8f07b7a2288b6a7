"""Bars, histograms and figures are proportional and complete."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linker.catalog.profile import HistogramBin
from linker.output.profile_card import bar, gauge, heights_of, histogram
from linker.text.numbers import moment, number, percent, short_count

FULL = "▁▂▃▄▅▆▇█"
shares = st.floats(0, 1)


def height_of(lines: list[str], column: int) -> int:
    """How many eighths high a column of the chart is."""
    cells = [line[column] if column < len(line) else " " for line in lines]
    return sum(0 if cell == " " else FULL.index(cell) + 1 for cell in cells)


@given(shares, st.integers(2, 60))
def test_a_gauge_has_its_width_and_is_empty_or_full_only_at_the_ends(
    share: float, width: int
) -> None:
    drawn = gauge(share, width)
    assert len(drawn) == width
    assert (drawn.count("█") == 0) == (share == 0)
    assert (drawn.count("█") == width) == (share == 1)


@given(shares, shares, st.integers(2, 60))
def test_a_longer_bar_is_a_larger_share(one: float, other: float, width: int) -> None:
    low, high = sorted((one, other))
    assert len(bar(low, width)) <= len(bar(high, width)) <= width
    assert (bar(low, width) == "") == (low == 0)


def test_bars_are_drawn_to_an_eighth_of_a_character() -> None:
    assert bar(0.5, 4) == "██"
    assert bar(0.53125, 4) == "██▏"
    assert bar(0.0001, 4) == "▏"
    assert bar(1, 4) == "████"


def test_a_histogram_has_columns_as_high_as_their_share() -> None:
    bins = [HistogramBin(0, 1, 0.1), HistogramBin(1, 2, 0.4), HistogramBin(2, 4, 0.4)]
    heights = heights_of(bins, 0, 4, 4)
    assert heights == pytest.approx([0.25, 1, 0.5, 0.5])
    assert histogram(heights, 2) == [" █  ", "▄███"]


def test_values_that_repeat_stand_where_they_are() -> None:
    bins = [HistogramBin(5, 5, 0.5), HistogramBin(5, 10, 0.25), HistogramBin(10, 10, 0.25)]
    lines = histogram(heights_of(bins, 5, 10, 5), 1)
    assert [height_of(lines, column) for column in range(5)] == [8, 1, 1, 1, 4]


def test_outliers_beyond_the_bounds_are_cut_off() -> None:
    bins = [HistogramBin(0, 10, 0.5), HistogramBin(10, 20, 0.25), HistogramBin(20, 1000, 0.25)]
    lines = histogram(heights_of(bins, 0, 20, 2), 1)
    assert [height_of(lines, column) for column in range(2)] == [8, 4]


@given(
    st.lists(st.floats(-1e9, 1e9), min_size=21, max_size=21), st.integers(1, 80), st.integers(1, 6)
)
def test_a_histogram_of_any_quantiles_fits_its_frame(
    values: list[float], width: int, height: int
) -> None:
    edges = sorted(values)
    bins = [HistogramBin(low, high, 0.05) for low, high in pairwise(edges)]
    lines = histogram(heights_of(bins, edges[0], edges[-1], width), height)
    assert len(lines) == (height if edges[0] < edges[-1] else 0)
    assert all(len(line) <= width for line in lines)
    if lines:
        assert max(height_of(lines, column) for column in range(width)) == height * 8


@pytest.mark.parametrize(
    ("share", "shown", "rounded"),
    [
        (0, "0 %", "0 %"),
        (0.0004, "<0.1 %", "<1 %"),
        (0.125, "12.5 %", "12 %"),
        (0.9996, ">99.9 %", ">99 %"),
        (1, "100 %", "100 %"),
    ],
)
def test_a_share_is_nothing_or_all_only_where_it_is_exactly_that(
    share: float, shown: str, rounded: str
) -> None:
    assert percent(share) == shown
    assert percent(share, digits=0) == rounded


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0, "0"),
        (-3, "-3"),
        (0.30000000000000004, "0.3"),
        (12.3456, "12.35"),
        (1234.56, "1,234.6"),
        (48210.0, "48,210"),
        (1234567.89, "1,234,568"),
        (2.5e20, "2.5e+20"),
        (1e-7, "1e-07"),
        (float("inf"), "inf"),
    ],
)
def test_a_number_is_short_and_keeps_its_size(value: float, shown: str) -> None:
    assert number(value) == shown


def test_what_names_something_has_no_separators() -> None:
    assert number(2025, grouped=False) == "2025"
    assert number(1234567, grouped=False) == "1234567"


@pytest.mark.parametrize(
    ("count", "shown"),
    [
        (0, "0"),
        (7912, "7,912"),
        (41200, "41.2 k"),
        (155000, "155 k"),
        (2_000_000, "2.0 M"),
        (3_400_000_000, "3.4 G"),
    ],
)
def test_a_large_count_is_shortened(count: int, shown: str) -> None:
    assert short_count(count) == shown


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (0, "1970-01-01 00:00"),
        (1763647191, "2025-11-20 13:59"),
        (-62135596800, "0001-01-01 00:00"),
        (1e20, "1e+20 s"),
        (-1e14, "-100,000,000,000,000 s"),
    ],
)
def test_a_moment_is_a_day_and_a_time_as_far_as_the_calendar_goes(
    seconds: float, shown: str
) -> None:
    assert moment(seconds, with_time=True) == shown

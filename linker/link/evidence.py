"""
Evidence: enters the profile of a column, leaves its statistics (L3) in words.

Values are shown where the profiles say that they may be; of masked and hidden columns only counts
are told.
"""

from collections.abc import Iterator

from linker.catalog.profile import ColumnProfile, Semantics, Statistics, TableProfile
from linker.link.views import name_of
from linker.text.words import readable

_LONGEST_VALUE = 40


def statistics_line(column: ColumnProfile, *, may_show: bool) -> str:
    """Distribution of the values of a column (L3), in a line."""
    return f"{name_of(column.path)}: {'; '.join(_statistics(column, may_show=may_show))}"


def may_show(column: ColumnProfile) -> bool:
    """
    True if values of a column may be shown; those of a column that nobody has looked at may not.
    """
    return column.l2.privacy == "show"


def column_profile(profile: TableProfile | None, path: str) -> ColumnProfile | None:
    """The profile of one column."""
    return (
        next((column for column in profile.columns if column.path == path), None)
        if profile
        else None
    )


def _statistics(column: ColumnProfile, *, may_show: bool) -> Iterator[str]:
    l2, l3 = column.l2, column.l3
    if l3 is None:
        yield "no statistics: its table was not scanned"
        return
    yield f"{l3.row_count} rows, {l3.value_count} values"
    if l2.distinct_count is not None:
        yield f"{l2.distinct_count} distinct"
    if may_show:
        yield from _distribution(l2, l3)
    else:
        yield "its values are not shown"


def _distribution(l2: Semantics, l3: Statistics) -> Iterator[str]:
    if l3.min_value is not None:
        yield f"from {_value(l3.min_value)} to {_value(l3.max_value)}"
    if l3.first_day:
        yield f"days {l3.first_day} to {l3.last_day}"
    if l3.mean is not None:
        yield f"mean {l3.mean:.4g}"
    if l3.quantiles:
        step = max(1, (len(l3.quantiles) - 1) // 4)
        yield f"quantiles {', '.join(f'{quantile:.4g}' for quantile in l3.quantiles[::step])}"
    if l2.representative_values:
        frequent = (
            f"{_value(entry.value)} ({', '.join([str(entry.count), *map(_value, entry.members)])})"
            for entry in l2.representative_values[:5]
        )
        yield f"most frequent {', '.join(frequent)}"
    if l3.is_sampled:
        yield "partly from a sample"


def _value(value: str | None) -> str:
    return readable(value or "")[:_LONGEST_VALUE]

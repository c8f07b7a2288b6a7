"""
Compares two profiles of a column and reports changes beyond sampling noise.

A difference counts if it exceeds both the threshold and what two samples of the same column differ
by once in a million times. The comparison is symmetric.
"""

import math
from datetime import UTC, datetime
from typing import Literal

from linker.types import ColumnState, Record, TableState

ChangeKind = Literal[
    "type", "nullable", "category", "privacy", "nulls", "distinct", "range", "values"
]
Value = str | int | float | bool | tuple[str, str] | None
# One in a million: 20,000 columns compared hourly give at most one false alarm in two days.
_LOG_OF_A_MILLION = math.log(1e6)
# Observed error of approximate distinct counts; see `approx_distinct` in macros/primitives.
_DISTINCT_ERROR = math.log(1.15)
_DAY_SECONDS = 86_400.0
_NUMBERS = ("integer", "number")
_DAYS = ("date", "timestamp")
# Sequential keys, whose range grows with the rows of this or another table.
_KEYS = ("identifier", "foreign_key")
_KEY_GROWTH = 2.0
# Semantic types that depend on values, and so on the sample.
_BY_VALUES = ("category", "code", "constant", "foreign_key", "identifier", "measure", "text")


class Thresholds(Record, frozen=True):
    """Minimum sizes of reported changes: shares of rows, of distinct values, of a range's width."""

    rows: float = 0.1
    nulls: float = 0.05
    distinct: float = 0.2
    range: float = 0.1
    values: float = 0.1


class MeasureChange(Record, frozen=True):
    """
    A change of a column; `size` is in the unit of its threshold.

    `shares` lists values with their shares before and after, largest change first.
    """

    kind: ChangeKind
    before: Value = None
    after: Value = None
    size: float | None = None
    new_values: tuple[str, ...] = ()
    gone_values: tuple[str, ...] = ()
    shares: tuple[tuple[str, float, float], ...] = ()


class Pair(Record, frozen=True):
    """A column and its table before and after."""

    before: ColumnState
    after: ColumnState
    table_before: TableState
    table_after: TableState

    def growth(self) -> float:
        """Growth factor of the number of values that could be distinct."""
        rows = [
            (
                table.row_count
                if column.sample_rows is None or not column.is_partial
                else column.sample_rows
            )
            or 0
            for table, column in ((self.table_before, self.before), (self.table_after, self.after))
        ]
        values = [
            rows[n] * (1 - (side.null_ratio or 0))
            for n, side in enumerate((self.before, self.after))
        ]
        return values[1] / values[0] if min(values) > 0 else 1.0

    def days_between(self) -> float:
        """Seconds between the scans plus a day: the distance by which time alone moves a date."""
        scans = (self.table_before.scanned_at, self.table_after.scanned_at)
        passed = abs((scans[1] - scans[0]).total_seconds()) if scans[0] and scans[1] else 0.0
        return passed + _DAY_SECONDS

    def null_shift(self) -> float | None:
        """Change of the null share."""
        if self.before.null_ratio is None or self.after.null_ratio is None:
            return None
        return abs(self.after.null_ratio - self.before.null_ratio)

    def null_noise(self) -> float:
        """Maximum sampling difference: Bernstein's bound for two shares."""
        spread = _spread(self)
        ratio = ((self.before.null_ratio or 0) + (self.after.null_ratio or 0)) / 2
        return (
            math.sqrt(2 * _LOG_OF_A_MILLION * ratio * (1 - ratio) * spread)
            + _LOG_OF_A_MILLION * spread / 3
        )

    def distinct_shift(self) -> float | None:
        """
        Logarithm of the change in distinct values that the change in rows does not explain.

        When rows double, product names stay and order numbers double; both are expected.
        """
        before, after = self.before.distinct_count, self.after.distinct_count
        if not before or not after or (self.before.values and self.after.values):
            return None
        low, high = sorted((1.0, self.growth()))
        ratio = after / before
        return max(0.0, math.log(ratio / high), math.log(low / ratio))

    def distinct_noise(self) -> float:
        """Error of estimates, and of reading only some shards."""
        noise = sum(
            _DISTINCT_ERROR for side in (self.before, self.after) if side.distinct_is_exact is False
        )
        if self.before.is_partial or self.after.is_partial:
            fewest = min(self.before.distinct_count or 1, self.after.distinct_count or 1)
            noise += math.sqrt(2 * _LOG_OF_A_MILLION / fewest)
        return noise

    def range_shift(self) -> float | None:
        """Movement of a range's end as a share of the wider range; dates may move with time."""
        before, after = (_ends(side) for side in (self.before, self.after))
        if (
            before is None
            or after is None
            or (self.before.value_kind in _DAYS) != (self.after.value_kind in _DAYS)
        ):
            return None
        moved = max(abs(after[0] - before[0]), abs(after[1] - before[1]))
        if self.before.value_kind in _DAYS and moved <= self.days_between():
            return 0.0
        width = max(before[1] - before[0], after[1] - after[0])
        return moved / width if width > 0 else float(moved > 0)

    def value_shares(self) -> list[tuple[str, float, float]] | None:
        """Values with shares before and after; None unless both sides are small categories."""
        before, after = dict(self.before.values), dict(self.after.values)
        if not before or not after:
            return None
        totals = sum(before.values()), sum(after.values())
        return [
            (value, before.get(value, 0) / totals[0], after.get(value, 0) / totals[1])
            for value in sorted({*before, *after})
        ]

    def value_noise(self) -> float:
        """Total variation between two samples: expectation plus McDiarmid's bound."""
        sampled = [side for side in (self.before, self.after) if side.sample_rows is not None]
        sizes = [sum(dict(side.values).values()) for side in sampled]
        spread = sum(1 / size for size in sizes if size)
        shares = self.value_shares() or []
        ratios = [(was + now) / 2 for _, was, now in shares]
        expected = sum(math.sqrt(ratio * (1 - ratio) * spread / (2 * math.pi)) for ratio in ratios)
        return expected + math.sqrt(_LOG_OF_A_MILLION * spread / 2)


def changes(pair: Pair, thresholds: Thresholds) -> tuple[MeasureChange, ...]:
    """Changes of the column, most important first."""
    before, after = pair.before, pair.after
    compared = [
        _plain("type", before.data_type, after.data_type)
        if not _follows_from_paths(pair)
        else None,
        _plain("nullable", before.is_nullable, after.is_nullable),
        _plain("category", before.category, after.category) if not _may_be_chance(pair) else None,
        _plain("privacy", before.privacy, after.privacy),
    ]
    distinct = math.log1p(thresholds.distinct) + pair.distinct_noise()
    measured = (
        (
            "nulls",
            before.null_ratio,
            after.null_ratio,
            pair.null_shift(),
            max(thresholds.nulls, pair.null_noise()),
        ),
        ("distinct", before.distinct_count, after.distinct_count, pair.distinct_shift(), distinct),
        ("range", _range(before), _range(after), _range_shift(pair), thresholds.range),
    )
    for kind, was, now, shift, limit in measured:
        if shift is not None and shift > limit:
            size = math.expm1(shift) if kind == "distinct" else shift
            compared.append(MeasureChange(kind, was, now, round(size, 4)))  # type: ignore[arg-type] # one of the kinds
    compared.append(_values(pair, thresholds))
    return tuple(change for change in compared if change)


def _plain(kind: ChangeKind, before: Value, after: Value) -> MeasureChange | None:
    """Change of a discrete property; None if one side is unknown."""
    if before is None or after is None or before == after:
        return None
    return MeasureChange(kind, before, after)


def _follows_from_paths(pair: Pair) -> bool:
    """Nested before and after: the nested paths describe the change better than the type."""
    return all("STRUCT" in column.data_type.upper() for column in (pair.before, pair.after))


def _may_be_chance(pair: Pair) -> bool:
    sides = (pair.before, pair.after)
    return any(side.sample_rows is not None for side in sides) and all(
        side.category in _BY_VALUES for side in sides
    )


def _spread(pair: Pair) -> float:
    """1/n + 1/m of the samples; a fully read side adds nothing."""
    sizes = (pair.before.sample_rows, pair.after.sample_rows)
    return sum(1 / max(rows, 1) for rows in sizes if rows is not None)


def _range(column: ColumnState) -> tuple[str, str] | None:
    return (column.min, column.max) if column.min is not None and column.max is not None else None


def _range_shift(pair: Pair) -> float | None:
    sides = (pair.before, pair.after)
    if any(side.is_partial for side in sides):
        return None
    is_key = any(side.category in _KEYS for side in sides)
    return 0.0 if is_key and not _outgrows(pair) else pair.range_shift()


def _outgrows(pair: Pair) -> bool:
    """Whether a key's range changed by more than twice what the rows explain."""
    before, after = (_ends(side) for side in (pair.before, pair.after))
    if before is None or after is None:
        return False
    low, high = sorted((1.0, pair.growth()))
    widths = (before[1] - before[0], after[1] - after[0])
    return widths[1] > _KEY_GROWTH * high * widths[0] or widths[0] * low > _KEY_GROWTH * widths[1]


def _ends(column: ColumnState) -> tuple[float, float] | None:
    """The range as numbers, dates as seconds; None for texts and infinite values."""
    if column.min is None or column.max is None or column.value_kind not in (*_NUMBERS, *_DAYS):
        return None
    read = float if column.value_kind in _NUMBERS else _seconds
    try:
        low, high = read(column.min), read(column.max)
    except (ValueError, OverflowError):
        return None
    return (low, high) if math.isfinite(low) and math.isfinite(high) else None


def _seconds(text: str) -> float:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        # Snowflake puts a space before the offset; seconds suffice.
        moment = datetime.fromisoformat(text[:19])
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def _values(pair: Pair, thresholds: Thresholds) -> MeasureChange | None:
    shares = pair.value_shares()
    if shares is None:
        return None
    shift = sum(abs(now - was) for _, was, now in shares) / 2
    counts = [dict(side.values) for side in (pair.before, pair.after)]
    new, removed = _only_in(counts[1], counts[0], pair), _only_in(counts[0], counts[1], pair)
    if not new and not removed and shift <= max(thresholds.values, pair.value_noise()):
        return None
    rounded = [(value, round(was, 4), round(now, 4)) for value, was, now in shares if was != now]
    moved = tuple(
        sorted(rounded, key=lambda share: (-round(abs(share[2] - share[1]), 4), share[0]))
    )
    return MeasureChange(
        "values", size=round(shift, 4), new_values=new, gone_values=removed, shares=moved
    )


def _only_in(here: dict[str, int], there: dict[str, int], pair: Pair) -> tuple[str, ...]:
    """Values of one side only; in samples only those too frequent to be missed by chance."""
    alone = [value for value in here if value not in there]
    if pair.before.sample_rows is not None or pair.after.sample_rows is not None:
        ours, theirs = sum(here.values()), sum(there.values())
        fewest = _LOG_OF_A_MILLION / math.log((ours + theirs) / ours)
        alone = [value for value in alone if here[value] >= fewest]
    return tuple(sorted(alone, key=lambda value: (-here[value], value)))

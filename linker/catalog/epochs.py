"""
Times stored as integers: seconds, milliseconds, microseconds or nanoseconds since 1970.

A column is taken for one by its name or comment and by its numbers: all lie between 1990 and 2100
in one of the units.
"""

import re
from collections.abc import Iterable
from datetime import UTC, datetime

from linker.text.words import parts, word_list
from linker.types import Record

_FIRST, _LAST = datetime(1990, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)
_PER_SECOND = {
    "seconds": 1,
    "milliseconds": 1_000,
    "microseconds": 1_000_000,
    "nanoseconds": 1_000_000_000,
}
_WHOLE = re.compile(r"-?\d{1,20}(?:\.0+)?")
NUMBER_TYPE = re.compile(
    r"\w*int\w*|num\w*|decimal\b.*|double\b.*|float\w*|real|long", re.IGNORECASE
)


class Epoch(Record, frozen=True):
    """Unit, first and last of timestamps stored as numbers."""

    unit: str
    first: str
    last: str

    def __str__(self) -> str:
        return f"{self.unit} since 1970, {' to '.join(dict.fromkeys((self.first, self.last)))}"


def epoch_of(
    path: str, data_type: str, comment: str | None, values: Iterable[str | None]
) -> Epoch | None:
    """The unit, judged by some values; None for other columns."""
    numbers = [int(float(value)) for value in values if value and _WHOLE.fullmatch(value)]
    if not numbers or not NUMBER_TYPE.fullmatch(data_type) or not _names_time(path, comment):
        return None
    for unit, per_second in _PER_SECOND.items():
        low, high = min(numbers) / per_second, max(numbers) / per_second
        if _FIRST.timestamp() <= low and high < _LAST.timestamp():
            return Epoch(unit, _day(low), _day(high))
    return None


def _names_time(path: str, comment: str | None) -> bool:
    """The name or comment says that the numbers are times since 1970."""
    words = set(parts(path.rpartition(".")[2]))
    if words & (word_list("naming_times") | word_list("naming_times_as_numbers")):
        return True
    return not {"epoch", "unix", "1970"}.isdisjoint(parts(comment or ""))


def _day(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d}"

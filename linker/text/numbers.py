"""
Formats numbers, shares, bytes, times, durations and name lists as short text that can be parsed
back.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import groupby
from math import isfinite

from linker.errors import ConfigError

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

_UNITS = {"d": 86_400, "h": 3_600, "m": 60, "s": 1}
# Each unit once, in descending order, up to seven digits.
_PATTERN = re.compile("".join(f"(?:([0-9]{{1,7}}){unit})?" for unit in _UNITS))
_HINT = "write a number and its unit: 90s, 10m, 6h, 2d, or 1h30m"

_LAST_NUMBER = re.compile(r"(.*?)(0|[1-9]\d*)(\D*)")
_SIMPLE = re.compile(r"[\w.]+")
_SHORTEST_RUN = 4
_MIN_SIMILARITY = 3
_SHORTEST_BEGINNING = 4


def counted(count: int, singular: str) -> str:
    """For example `2 tables`."""
    return f"{count:,} {singular}{'' if count == 1 else 's'}"


def percent(share: float, *, digits: int = 1) -> str:
    """A percentage; 0 and 100 only if exact."""
    if share in (0, 1):
        return f"{share * 100:.0f} %"
    least = 10.0**-digits
    if share * 100 < least:
        return f"<{least:.{digits}f} %"
    return (
        f">{100 - least:.{digits}f} %"
        if share * 100 > 100 - least
        else f"{share * 100:.{digits}f} %"
    )


def short_count(count: int) -> str:
    """At most six characters, up to trillions."""
    for size, unit in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if count >= 10 * size or (size > 10**3 and count >= size):
            return f"{count / size:.1f} {unit}" if count < 100 * size else f"{count // size} {unit}"
    return f"{count:,}"


def number(value: float, *, grouped: bool = True) -> str:
    """Integers in full up to a quadrillion, others with four digits."""
    if not isfinite(value):
        return str(value)
    size = abs(value)
    if (value == int(value) or size >= 10_000) and size < 1e15:
        return f"{value:,.0f}" if grouped else f"{value:.0f}"
    if 1000 <= size < 10_000:
        return f"{value:,.1f}" if grouped else f"{value:.1f}"
    return f"{value:.4g}"


def moment(seconds: float, *, with_time: bool) -> str:
    """Epoch seconds as date or date and time; unchanged if out of range."""
    try:
        when = _EPOCH + timedelta(seconds=seconds)
    except OverflowError:
        return f"{number(seconds)} s"
    return when.isoformat(" ", "minutes")[:16] if with_time else when.date().isoformat()


def parse_duration(text: str) -> timedelta:
    """Parse a duration, possibly zero."""
    match = _PATTERN.fullmatch(text.strip())
    if not match or not any(match.groups()):
        raise ConfigError(f"`{text}` is not a length of time", hint=_HINT)
    counts = (int(count or 0) for count in match.groups())
    return timedelta(
        seconds=sum(count * size for count, size in zip(counts, _UNITS.values(), strict=True))
    )


def duration_text(duration: timedelta) -> str:
    """Shortest form in whole seconds."""
    seconds = round(duration.total_seconds())
    parts = []
    for unit, size in _UNITS.items():
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(f"{count}{unit}")
    return "".join(parts) or "0s"


def age_text(age: timedelta) -> str:
    """An age in at most two units."""
    seconds = max(0, int(age.total_seconds()))
    sizes = list(_UNITS.values())
    least = next(
        (sizes[min(position + 1, 3)] for position, size in enumerate(sizes) if seconds >= size), 1
    )
    return duration_text(timedelta(seconds=seconds - seconds % least))


def size_text(count: int) -> str:
    """Bytes with a unit."""
    for unit, least in (("TB", 10**12), ("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if count >= least:
            return f"{count / least:,.1f} {unit}"
    return f"{count} B"


def first_of(names: Iterable[str], most: int) -> str:
    """First names, and the number of the others."""
    shown = [*names]
    more = f" and {len(shown) - most:,} more" if len(shown) > most else ""
    return f"{', '.join(shown[:most])}{more}"


def shortly(names: Sequence[str]) -> str:
    """A short list: `q1 … q24`, `price_{net, gross}`."""
    parts = list[str]()
    for beginning, alike in groupby(_with_runs(names), _beginning):
        group = list(alike)
        if len(group) >= _MIN_SIMILARITY and len(beginning) >= _SHORTEST_BEGINNING:
            group = [f"{beginning}{{{', '.join(name[len(beginning) :] for name in group)}}}"]
        parts += group
    return ", ".join(parts)


def _with_runs(names: Sequence[str]) -> Iterator[str]:
    """Names with consecutive numbers contracted to first and last."""
    numbers = defaultdict[tuple[str, str], dict[int, str]](dict)
    for name in names:
        if match := _LAST_NUMBER.fullmatch(name):
            numbers[match[1], match[3]][int(match[2])] = name
    runs, inside = dict[str, str](), set[str]()
    for names_by_number in numbers.values():
        for _, counted in groupby(
            enumerate(sorted(names_by_number)), lambda position: position[1] - position[0]
        ):
            run = [names_by_number[number] for _, number in counted]
            if len(run) >= _SHORTEST_RUN:
                inside.update(run)
                runs[min(run, key=names.index)] = f"{run[0]} … {run[-1]}"
    yield from (runs.get(name, name) for name in names if name in runs or name not in inside)


def _beginning(name: str) -> str:
    """Prefix up to the last dot, else underscore; empty if ambiguous."""
    last = name.rfind("." if "." in name else "_")
    return name[: last + 1] if _SIMPLE.fullmatch(name) else ""

"""
Lengths of time as people write them: enters `6h` or `1h30m`, leaves a timedelta, and back.

A flag takes one by `type=parse_duration, metavar="DURATION"`.
"""

import re
from datetime import timedelta

from linker.errors import ConfigError

_UNITS = {"d": 86_400, "h": 3_600, "m": 60, "s": 1}
# Each unit at most once, the larger before the smaller. Beyond seven digits nobody means it.
_PATTERN = re.compile("".join(f"(?:([0-9]{{1,7}}){unit})?" for unit in _UNITS))
_HINT = "write a number and its unit: 90s, 10m, 6h, 2d, or 1h30m"


def parse_duration(text: str) -> timedelta:
    """Read a length of time; it may be zero."""
    found = _PATTERN.fullmatch(text.strip())
    if not found or not any(found.groups()):
        raise ConfigError(f"`{text}` is not a length of time", hint=_HINT)
    counts = (int(count or 0) for count in found.groups())
    return timedelta(seconds=sum(count * size for count, size in zip(counts, _UNITS.values(), strict=True)))


def duration_text(duration: timedelta) -> str:
    """The shortest way to write it, in whole seconds."""
    seconds = round(duration.total_seconds())
    parts = []
    for unit, size in _UNITS.items():
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(f"{count}{unit}")
    return "".join(parts) or "0s"


def age_text(age: timedelta) -> str:
    """As people say how old something is: in no more than two units."""
    seconds = max(0, int(age.total_seconds()))
    sizes = list(_UNITS.values())
    least = next((sizes[min(place + 1, 3)] for place, size in enumerate(sizes) if seconds >= size), 1)
    return duration_text(timedelta(seconds=seconds - seconds % least))

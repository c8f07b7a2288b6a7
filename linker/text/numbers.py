"""Numbers, shares, counts and moments as text: enter figures, leave a few characters."""

from datetime import UTC, datetime, timedelta
from math import isfinite

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def counted(count: int, singular: str) -> str:
    """A count with its noun."""
    return f"{count:,} {singular}{'' if count == 1 else 's'}"


def percent(share: float, *, digits: int = 1) -> str:
    """A share in percent; it is 0 or 100 only where it is exactly that."""
    if share in (0, 1):
        return f"{share * 100:.0f} %"
    least = 10.0**-digits
    if share * 100 < least:
        return f"<{least:.{digits}f} %"
    return f">{100 - least:.{digits}f} %" if share * 100 > 100 - least else f"{share * 100:.{digits}f} %"


def short_count(count: int) -> str:
    """A count in at most six characters, as far as a trillion."""
    for size, unit in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if count >= 10 * size or (size > 10**3 and count >= size):
            return f"{count / size:.1f} {unit}" if count < 100 * size else f"{count // size} {unit}"
    return f"{count:,}"


def number(value: float, *, grouped: bool = True) -> str:
    """A number in few characters: whole ones in full up to a quadrillion, others to four digits."""
    if not isfinite(value):
        return str(value)
    size = abs(value)
    if (value == int(value) or size >= 10_000) and size < 1e15:
        return f"{value:,.0f}" if grouped else f"{value:.0f}"
    if 1000 <= size < 10_000:
        return f"{value:,.1f}" if grouped else f"{value:.1f}"
    return f"{value:.4g}"


def moment(seconds: float, *, with_time: bool) -> str:
    """Seconds since 1970 as a day, or as a day and a time; those that no calendar holds, as they are."""
    try:
        when = _EPOCH + timedelta(seconds=seconds)
    except OverflowError:
        return f"{number(seconds)} s"
    return when.isoformat(" ", "minutes")[:16] if with_time else when.date().isoformat()

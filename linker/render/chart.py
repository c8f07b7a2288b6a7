"""Bars, histograms and numbers as text: enter figures, leave characters. Nothing here knows what is measured."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from math import ceil, isfinite

from linker.profile import Bin

_EIGHTHS_ACROSS = " ▏▎▍▌▋▊▉█"
_EIGHTHS_UP = " ▁▂▃▄▅▆▇█"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def bar(share: float, width: int) -> str:
    """A bar as long as the share of the width; what is more than nothing shows."""
    eighths = max(1, round(min(1.0, share) * width * 8)) if share > 0 else 0
    return "█" * (eighths // 8) + (_EIGHTHS_ACROSS[eighths % 8] if eighths % 8 else "")


def gauge(share: float, width: int) -> str:
    """A bar with its whole length in view; it is empty or full only where the share is 0 or 1."""
    filled = 0 if share <= 0 else width if share >= 1 else min(width - 1, max(1, round(share * width)))
    return "█" * filled + "░" * (width - filled)


def histogram(bins: Sequence[Bin], low: float, high: float, *, width: int, height: int) -> list[str]:
    """The bins as columns of equal width between the bounds, the highest as high as the chart; lines from the top."""
    cells = _spread(bins, low, high, width)
    peak = max(cells, default=0.0)
    if peak <= 0:
        return []
    eighths = [max(1, round(cell / peak * height * 8)) if cell > 0 else 0 for cell in cells]
    return [
        "".join(_EIGHTHS_UP[min(8, max(0, filled - 8 * row))] for filled in eighths).rstrip()
        for row in reversed(range(height))
    ]


def _spread(bins: Sequence[Bin], low: float, high: float, width: int) -> list[float]:
    """The share in each cell, as if the values of a bin lay evenly in it."""
    cells = [0.0] * width
    if high <= low:
        return cells
    step = (high - low) / width
    for one in bins:
        if one.end <= one.start:
            if low <= one.start <= high:
                cells[min(width - 1, int((one.start - low) / step))] += one.share
            continue
        first, last = max(0, int((one.start - low) / step)), min(width, ceil((one.end - low) / step))
        for cell in range(first, last):
            overlap = min(one.end, low + (cell + 1) * step) - max(one.start, low + cell * step)
            cells[cell] += one.share * max(0.0, overlap) / (one.end - one.start)
    return cells


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

"""
Bars and histograms as text: enter figures, leave characters. Nothing here knows what is measured.
"""

from collections.abc import Sequence
from math import ceil

from linker.catalog.profile import HistogramBin

_EIGHTHS_ACROSS = " ▏▎▍▌▋▊▉█"
_EIGHTHS_UP = " ▁▂▃▄▅▆▇█"


def bar(share: float, width: int) -> str:
    """A bar as long as the share of the width; what is more than nothing shows."""
    eighths = max(1, round(min(1.0, share) * width * 8)) if share > 0 else 0
    return "█" * (eighths // 8) + (_EIGHTHS_ACROSS[eighths % 8] if eighths % 8 else "")


def gauge(share: float, width: int) -> str:
    """A bar with its whole length in view; it is empty or full only where the share is 0 or 1."""
    filled = (
        0 if share <= 0 else width if share >= 1 else min(width - 1, max(1, round(share * width)))
    )
    return "█" * filled + "░" * (width - filled)


def histogram(
    bins: Sequence[HistogramBin], low: float, high: float, *, width: int, height: int
) -> list[str]:
    """
    The bins as columns of equal width between the bounds, the highest as high as the chart; lines
    from the top.
    """
    cells = spread(bins, low, high, width)
    peak = max(cells, default=0.0)
    if peak <= 0:
        return []
    eighths = [max(1, round(cell / peak * height * 8)) if cell > 0 else 0 for cell in cells]
    return [
        "".join(_EIGHTHS_UP[min(8, max(0, filled - 8 * row))] for filled in eighths).rstrip()
        for row in reversed(range(height))
    ]


def spread(bins: Sequence[HistogramBin], low: float, high: float, width: int) -> list[float]:
    """The share in each cell, as if the values of a bin lay evenly in it."""
    cells = [0.0] * width
    if high <= low:
        return cells
    step = (high - low) / width
    for part in bins:
        if part.end <= part.start:
            if low <= part.start <= high:
                cells[min(width - 1, int((part.start - low) / step))] += part.share
            continue
        first, last = (
            max(0, int((part.start - low) / step)),
            min(width, ceil((part.end - low) / step)),
        )
        for cell in range(first, last):
            overlap = min(part.end, low + (cell + 1) * step) - max(part.start, low + cell * step)
            cells[cell] += part.share * max(0.0, overlap) / (part.end - part.start)
    return cells

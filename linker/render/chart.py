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
    filled = round(share * width)
    if 0 < share < 1:
        filled = min(width - 1, max(1, filled))
    return "█" * filled + "░" * (width - filled)


def histogram(heights: Sequence[float], height: int) -> list[str]:
    """Bars side by side, the highest as high as the chart; lines from the top."""
    eighths = [max(1, round(each * height * 8)) if each > 0 else 0 for each in heights]
    lines = []
    for row in reversed(range(height if heights else 0)):
        cells = (_EIGHTHS_UP[min(8, max(0, each - 8 * row))] for each in eighths)
        lines.append("".join(cells))
    return lines


def heights_of(bins: Sequence[HistogramBin], low: float, high: float, bars: int) -> list[float]:
    """
    The bins as bars of equal width between the bounds, as if the values of a bin lay evenly in it:
    of the highest bar 1; nothing where no value lies there.
    """
    cells = [0.0] * bars
    step = (high - low) / bars
    for part in bins if high > low else ():
        if part.end <= part.start:
            if low <= part.start <= high:
                cells[min(bars - 1, int((part.start - low) / step))] += part.share
            continue
        first = max(0, int((part.start - low) / step))
        last = min(bars, ceil((part.end - low) / step))
        for cell in range(first, last):
            overlap = min(part.end, low + (cell + 1) * step) - max(part.start, low + cell * step)
            cells[cell] += part.share * max(0.0, overlap) / (part.end - part.start)
    peak = max(cells)
    return [cell / peak for cell in cells] if peak > 0 else []

"""
Geometry of the plots: points and ticks of curves and calibrations in SVG units.

The template draws them, so that text is escaped in one place.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain

from benchmarks.figures.curves import Curve
from linker.evaluation.statistics import Estimate
from linker.evaluation.summary import Calibration

COLOURS = 8
TICKS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000)


@dataclass(frozen=True, slots=True)
class PlotFrame:
    """The drawing area inside an SVG, and its margins."""

    width: float = 680
    height: float = 400
    left: float = 56
    right: float = 20
    top: float = 14
    bottom: float = 48

    def x(self, share: float) -> float:
        """A place between left and right."""
        return round(self.left + share * (self.width - self.left - self.right), 1)

    def y(self, share: float) -> float:
        """A place between bottom and top."""
        return round(self.height - self.bottom - share * (self.height - self.top - self.bottom), 1)


SQUARE = PlotFrame(width=360, height=340)


@dataclass(frozen=True, slots=True)
class Tick:
    """A position on an axis, and its label."""

    at: float
    label: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A point with what its tooltip says; `low` and `high` are the ends of its interval."""

    x: float
    y: float
    title: str
    low: float | None = None
    high: float | None = None
    radius: float = 4


@dataclass(frozen=True, slots=True)
class Series:
    """One line of a plot with its place in the legend."""

    name: str
    colour: int
    is_dashed: bool
    line: str
    marks: tuple[Mark, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Chart:
    """A plot, ready to be drawn."""

    frame: PlotFrame
    title: str
    x_title: str
    y_title: str
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    series: tuple[Series, ...]
    has_diagonal: bool = False


def curve_chart(curves: Sequence[Curve], title: str) -> Chart | None:
    """Strict recall against columns returned."""
    points = chain.from_iterable(curve.points for curve in curves)
    columns = [point.columns for point in points]
    if not columns:
        return None
    axis = _Axis.around(columns)
    frame = PlotFrame()
    return Chart(
        frame=frame,
        title=title,
        x_title="columns returned on average (logarithmic)",
        y_title="strict recall, %",
        x_ticks=tuple(Tick(frame.x(axis.share(value)), f"{value:,}") for value in axis.ticks()),
        y_ticks=_percent_ticks(frame.y),
        series=tuple(
            _curve_series(number, curve, axis, frame) for number, curve in enumerate(curves)
        ),
    )


def calibration_chart(calibration: Calibration, name: str, number: int) -> Chart:
    """
    The share that is right against credibility; on the diagonal, credibility means what it says.
    """
    most = max(bin_.columns for bin_ in calibration.bins)
    marks = tuple(
        Mark(
            SQUARE.x(bin_.credibility),
            SQUARE.y(bin_.right.value),
            f"{bin_.columns} columns of credibility {bin_.credibility:.2f}: "
            f"{_percent(bin_.right)} right",
            SQUARE.y(bin_.right.low),
            SQUARE.y(bin_.right.high),
            radius=round(3 + 6 * math.sqrt(bin_.columns / most), 1),
        )
        for bin_ in calibration.bins
    )
    return Chart(
        frame=SQUARE,
        title=f"Credibility of {name} against the share that is right",
        x_title="credibility, %",
        y_title="share right, %",
        x_ticks=_percent_ticks(SQUARE.x),
        y_ticks=_percent_ticks(SQUARE.y),
        series=(_series(number, name, marks),),
        has_diagonal=True,
    )


@dataclass(frozen=True, slots=True)
class _Axis:
    """A logarithmic axis between two ticks."""

    low: int
    high: int

    @classmethod
    def around(cls, values: Sequence[float]) -> "_Axis":
        low = max((tick for tick in TICKS if tick <= min(values)), default=TICKS[0])
        high = min(
            (tick for tick in TICKS if tick >= max(values) and tick > low), default=TICKS[-1]
        )
        return cls(low, high)

    def share(self, value: float) -> float:
        index = math.log(max(value, self.low) / self.low) / math.log(self.high / self.low)
        return min(index, 1.0)

    def ticks(self) -> tuple[int, ...]:
        return tuple(tick for tick in TICKS if self.low <= tick <= self.high)


def _curve_series(number: int, curve: Curve, axis: _Axis, frame: PlotFrame) -> Series:
    marks = tuple(
        Mark(
            frame.x(axis.share(point.columns)),
            frame.y(point.strict_recall.value),
            f"{curve.strategy}{f', budget {point.budget}' if point.budget is not None else ''}: "
            f"{_percent(point.strict_recall)} at {point.columns:.1f} columns",
            frame.y(point.strict_recall.low),
            frame.y(point.strict_recall.high),
        )
        for point in curve.points
    )
    return _series(
        number, curve.strategy, marks, "" if curve.area is None else f"area {curve.area * 100:.1f}"
    )


def _series(number: int, name: str, marks: tuple[Mark, ...], note: str = "") -> Series:
    return Series(
        name=name,
        colour=number % COLOURS + 1,
        is_dashed=number >= COLOURS,
        line=" ".join(f"{mark.x},{mark.y}" for mark in marks),
        marks=marks,
        note=note,
    )


def _percent(estimate: Estimate) -> str:
    return f"{estimate.value:.1%} ({estimate.low:.1%} to {estimate.high:.1%})"


def _percent_ticks(index: Callable[[float], float]) -> tuple[Tick, ...]:
    return tuple(Tick(index(share / 100), str(share)) for share in range(0, 101, 20))

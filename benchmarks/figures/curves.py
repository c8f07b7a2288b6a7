"""
Curves of strict recall against returned columns, and the area under them.

A point is at the mean number of columns actually returned for a budget. All points of a curve cover
the questions that were answered at every budget.

The area is over the logarithm of the columns from one (recall zero) to `LIMIT`, piecewise linear,
constant after the last point, and divided by log(LIMIT). Returning exactly the gold columns, five
on average, gives about 0.85. Logarithmic, since 20 to 40 columns matter as much as 80 to 160. Areas
are comparable for the same limit and similar budgets.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from linker.evaluation import EvaluationRun
from linker.evaluation.statistics import DEFAULT, BootstrapSample, Estimate, share

LIMIT = 200


@dataclass(frozen=True, slots=True)
class Point:
    """One budget of a curve."""

    budget: int | None
    columns: float
    strict_recall: Estimate


@dataclass(frozen=True, slots=True)
class Curve:
    """A strategy on a suite, from few columns to many; no area where there is only one point."""

    suite: str
    strategy: str
    questions: int
    points: tuple[Point, ...]
    area: float | None


def curve(run: EvaluationRun, resampling: BootstrapSample = DEFAULT) -> Curve:
    """The curve of a run over the questions that were answered at every budget."""
    answered = []
    for budget in run.budgets:
        answered.append({outcome.prediction.question_id for outcome in run.at(budget)})
    common = set.intersection(*answered) if answered else set()
    points = _points(run, common, resampling) if common else ()
    area = (
        area_under([(point.columns, point.strict_recall.value) for point in points])
        if len(points) > 1
        else None
    )
    return Curve(run.suite, run.name, len(common), points, area)


def _points(run: EvaluationRun, common: set[str], resampling: BootstrapSample) -> tuple[Point, ...]:
    points = []
    for budget in run.budgets:
        scores = [
            outcome.score for outcome in run.at(budget) if outcome.prediction.question_id in common
        ]
        complete = np.array([float(score.columns.is_complete) for score in scores])
        columns = sum(score.columns.count for score in scores) / len(scores)
        points.append(Point(budget, columns, share(complete, resampling)))
    return tuple(sorted(points, key=lambda point: point.columns))


def area_under(points: Iterable[tuple[float, float]], limit: float = LIMIT) -> float:
    """The area under points of (columns, strict recall), as the head of this module defines it."""
    placed = [
        (0.0, 0.0),
        *sorted((math.log(max(columns, 1.0)), recall) for columns, recall in points),
    ]
    end = math.log(limit)
    placed.append((max(end, placed[-1][0]), placed[-1][1]))
    return sum(_strip(left, right, end) for left, right in pairwise(placed)) / end


def _strip(left: Sequence[float], right: Sequence[float], end: float) -> float:
    """The area between two points, as far as it lies before the end."""
    width = right[0] - left[0]
    inside = min(right[0], end) - left[0]
    if inside <= 0:
        return 0.0
    last = left[1] + (right[1] - left[1]) * inside / width
    return inside * (left[1] + last) / 2

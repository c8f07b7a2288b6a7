"""
The figures of a run: enter its outcomes; leave means with intervals, for all questions and for groups of them.

Groups are by the size of the merged schema in columns (nested paths included), by dialect and by difficulty.
A third of the questions of a benchmark may have a schema so small that all of it fits: size comes first.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from linker.evaluation.calibration import Calibration, calibrate
from linker.evaluation.statistics import DEFAULT, Estimate, Resampling, estimates, widened
from linker.evaluation.types import EvaluationRun, Level, QuestionOutcome, Score

SIZES = ((100, "<100"), (300, "100–299"), (600, "300–599"), (2000, "600–1,999"))
LARGEST = "≥2,000"
DIFFICULTIES = ("easy", "simple", "medium", "moderate", "hard", "challenging", "extra")
NOT_STATED = "not stated"


@dataclass(frozen=True, slots=True)
class LevelMeans:
    """The metrics of appendix B at one level, and how many columns or tables were returned."""

    strict_recall: Estimate
    recall: Estimate
    precision: Estimate
    f1: Estimate
    false_positive_rate: Estimate
    count: Estimate


@dataclass(frozen=True, slots=True)
class Row:
    """The figures of a group of questions."""

    group: str
    questions: int
    columns: LevelMeans
    tables: LevelMeans
    tokens: float
    calls: float
    probes: float
    seconds: float
    cost: float
    errors: int


@dataclass(frozen=True, slots=True)
class Grouping:
    """The same questions in groups: by size, dialect or difficulty."""

    by: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """The figures of one strategy at one budget on one suite."""

    suite: str
    strategy: str
    budget: int | None
    overall: Row
    groupings: tuple[Grouping, ...]
    unscored: int
    calibration: Calibration | None

    @property
    def name(self) -> str:
        """How a table calls it."""
        return self.strategy if self.budget is None else f"{self.strategy} @{self.budget}"


def summarise(run: EvaluationRun, resampling: Resampling = DEFAULT) -> tuple[Summary, ...]:
    """The figures of a run, one summary a budget."""
    return tuple(_summary(run, budget, resampling) for budget in run.budgets)


def size_of(score: Score) -> str:
    """The group of a question by the size of its merged schema."""
    return next((name for limit, name in SIZES if score.schema_size < limit), LARGEST)


def _summary(run: EvaluationRun, budget: int | None, resampling: Resampling) -> Summary:
    outcomes = run.at(budget)
    groupings = (
        _grouping("size", outcomes, size_of, [*(name for _, name in SIZES), LARGEST], resampling),
        _grouping("dialect", outcomes, lambda score: score.dialect, [], resampling),
        _grouping("difficulty", outcomes, lambda score: score.difficulty or NOT_STATED, [*DIFFICULTIES], resampling),
    )
    return Summary(
        suite=run.suite,
        strategy=run.name,
        budget=budget,
        overall=summarise_group("all", outcomes, resampling),
        groupings=tuple(one for one in groupings if {row.group for row in one.rows} != {NOT_STATED}),
        unscored=len(run.unscored),
        calibration=calibrate(outcomes, resampling),
    )


def _grouping(
    by: str,
    outcomes: Sequence[QuestionOutcome],
    of: Callable[[Score], str],
    order: Sequence[str],
    resampling: Resampling,
) -> Grouping:
    groups: dict[str, list[QuestionOutcome]] = {}
    for outcome in outcomes:
        groups.setdefault(of(outcome.score), []).append(outcome)
    place = {name: number for number, name in enumerate(order)}
    names = sorted(groups, key=lambda name: (name == NOT_STATED, place.get(name.lower(), len(place)), name))
    return Grouping(by, tuple(summarise_group(name, groups[name], resampling) for name in names))


def summarise_group(group: str, outcomes: Sequence[QuestionOutcome], resampling: Resampling = DEFAULT) -> Row:
    """The figures of some questions, at least one."""
    scores = [outcome.score for outcome in outcomes]
    clusters = [score.database for score in scores] if resampling.by_database else None
    drawn = len(set(clusters)) if clusters is not None else len(scores)
    matrix = np.array([[*_measures(score.columns), *_measures(score.tables)] for score in scores], dtype=np.float64)
    every = estimates(matrix, resampling, clusters)
    half = len(every) // 2
    predictions = [outcome.prediction for outcome in outcomes]
    return Row(
        group=group,
        questions=len(scores),
        columns=_level_means(every[:half], drawn, resampling),
        tables=_level_means(every[half:], drawn, resampling),
        tokens=_mean([one.tokens for one in predictions]),
        calls=_mean([one.calls for one in predictions]),
        probes=_mean([one.probes for one in predictions]),
        seconds=_mean([one.seconds for one in predictions]),
        cost=_mean([one.cost for one in predictions]),
        errors=sum(1 for one in predictions if one.error),
    )


def _measures(level: Level) -> tuple[float, ...]:
    return (level.is_complete, level.recall, level.precision, level.f1, level.false_positive_rate, level.count)


def _level_means(every: Sequence[Estimate], drawn: int, resampling: Resampling) -> LevelMeans:
    strict_recall, recall, precision, f1, false_positive_rate, count = every
    return LevelMeans(widened(strict_recall, drawn, resampling), recall, precision, f1, false_positive_rate, count)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)

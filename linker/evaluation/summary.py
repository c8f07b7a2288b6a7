"""
Figures of a run: means with intervals for all questions and for groups of them, and how true its
claims are.

Groups are by the size of the merged schema in columns (nested paths included), by dialect and by
difficulty. A third of the questions of a benchmark may have a schema so small that all of it fits:
size comes first.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean

import numpy as np
from msgspec.structs import astuple

from linker.evaluation.claims import Calibration, ClaimedChance, RefusalCounts, score_of
from linker.evaluation.statistics import DEFAULT, Estimate, Resampling, estimates, share
from linker.evaluation.types import EvaluationRun, JudgedSql, Level, QuestionOutcome, Score, Verdict
from linker.types import Record

SIZES = ((100, "<100"), (300, "100–299"), (600, "300–599"), (2000, "600–1,999"))
LARGEST = "≥2,000"
_SIZE_NAMES = (*(name for _, name in SIZES), LARGEST)
DIFFICULTIES = ("easy", "simple", "medium", "moderate", "hard", "challenging", "extra")
NOT_STATED = "not stated"


class LevelMeans(Record, frozen=True):
    """The metrics of appendix B at one level, and how many columns or tables were returned."""

    strict_recall: Estimate
    recall: Estimate
    precision: Estimate
    f1: Estimate
    false_positive_rate: Estimate
    count: Estimate


class Row(Record, frozen=True):
    """The figures of a group of questions."""

    group: str
    questions: int
    columns: LevelMeans
    tables: LevelMeans
    tokens: float
    cached_tokens: float
    calls: float
    probes: float
    seconds: float
    errors: int


class Grouping(Record, frozen=True):
    """The same questions in groups: by size, dialect or difficulty."""

    by: str
    rows: tuple[Row, ...]

    @property
    def is_stated(self) -> bool:
        """False where no question says its group."""
        return any(row.group != NOT_STATED for row in self.rows)


class SqlFigures(Record, frozen=True):
    """
    The SQL that was written for questions: verdicts on it, and shares of the questions whose gold
    ran.

    `right_rows` also have columns more or fewer, or other labels. Tokens and calls are the
    writer's, of one question.
    """

    questions: int
    verdicts: Mapping[Verdict, int]
    right: Estimate | None
    right_rows: Estimate | None
    tokens: float
    calls: float
    confidence: ClaimedChance | None


class Summary(Record, frozen=True):
    """
    The figures of one strategy at one budget on one suite.

    `calibration` is of credibilities, `scores` of scores that are chances, `refusals` of questions
    with an answer. `has_own_size`: without the budget that others have, as a question is asked
    outside of evaluations.
    """

    suite: str
    strategy: str
    budget: int | None
    overall: Row
    groupings: tuple[Grouping, ...]
    unscored: int
    calibration: Calibration | None
    scores: Calibration | None = None
    completeness: ClaimedChance | None = None
    refusals: RefusalCounts | None = None
    refusals_of_unanswerable: RefusalCounts | None = None
    has_own_size: bool = False
    sql: SqlFigures | None = None

    @property
    def name(self) -> str:
        """Name in tables."""
        if self.has_own_size:
            return f"{self.strategy} as asked"
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
        _grouping("size", outcomes, size_of, _SIZE_NAMES, resampling),
        _grouping("dialect", outcomes, lambda score: score.dialect, (), resampling),
        _grouping("difficulty", outcomes, _difficulty, DIFFICULTIES, resampling),
    )
    return Summary(
        suite=run.suite,
        strategy=run.name,
        budget=budget,
        overall=_row("all", outcomes, resampling),
        groupings=tuple(grouping for grouping in groupings if grouping.is_stated),
        unscored=len(run.unscored),
        calibration=Calibration.of(outcomes, resampling),
        scores=Calibration.of(outcomes, resampling, score_of),
        completeness=ClaimedChance.of_completeness(outcomes, resampling),
        refusals=RefusalCounts.of(outcome.prediction for outcome in outcomes),
        refusals_of_unanswerable=RefusalCounts.of(
            prediction for prediction in run.unanswerable if prediction.budget == budget
        ),
        has_own_size=budget is None and len(run.budgets) > 1,
        sql=_sql(
            [outcome.prediction.judged for outcome in outcomes if outcome.prediction.judged],
            resampling,
        ),
    )


def _difficulty(score: Score) -> str:
    return score.difficulty or NOT_STATED


def _sql(judged: Sequence[JudgedSql], resampling: Resampling) -> SqlFigures | None:
    """The figures of the statements; None where no SQL was asked for."""
    if not judged:
        return None
    verdicts = [found.verdict for found in judged if found.verdict != "gold did not run"]

    def among(*good: Verdict) -> Estimate | None:
        return (
            share(np.array([float(verdict in good) for verdict in verdicts]), resampling)
            if verdicts
            else None
        )

    return SqlFigures(
        questions=len(judged),
        verdicts=dict(Counter(found.verdict for found in judged)),
        right=among("right"),
        right_rows=among("right", "more columns", "fewer columns", "other labels"),
        tokens=sum(found.tokens for found in judged) / len(judged),
        calls=sum(found.calls for found in judged) / len(judged),
        confidence=ClaimedChance.of_sql(judged, resampling),
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
    names = sorted(
        groups, key=lambda name: (name == NOT_STATED, place.get(name.lower(), len(place)), name)
    )
    return Grouping(by, tuple(_row(name, groups[name], resampling) for name in names))


def _row(group: str, outcomes: Sequence[QuestionOutcome], resampling: Resampling) -> Row:
    """The figures of some questions, at least one."""
    scores = [outcome.score for outcome in outcomes]
    predictions = [outcome.prediction for outcome in outcomes]
    return Row(
        group=group,
        questions=len(scores),
        columns=_level_means([score.columns for score in scores], resampling),
        tables=_level_means([score.tables for score in scores], resampling),
        tokens=fmean(prediction.tokens for prediction in predictions),
        cached_tokens=fmean(prediction.cached_tokens for prediction in predictions),
        calls=fmean(prediction.calls for prediction in predictions),
        probes=fmean(prediction.probes for prediction in predictions),
        seconds=fmean(prediction.seconds for prediction in predictions),
        errors=sum(1 for prediction in predictions if prediction.error),
    )


def _level_means(levels: Sequence[Level], resampling: Resampling) -> LevelMeans:
    matrix = np.array([astuple(level) for level in levels], dtype=np.float64)
    _, *others = estimates(matrix, resampling)
    return LevelMeans(share(matrix[:, 0], resampling), *others)


def percent(value: float) -> str:
    """A share in per cent, without the sign: the titles and captions say it."""
    return f"{value * 100:.1f}"


def amount(value: float) -> str:
    """An average with three digits or so, large ones in thousands."""
    if value >= 10_000:
        return f"{value / 1000:,.1f}k"
    return f"{value:.1f}" if value >= 1 else f"{value:.2g}"


TITLES = {
    "size": "by size of the merged schema, in columns",
    "dialect": "by dialect",
    "difficulty": "by difficulty",
}


class Pivot(Record, frozen=True):
    """
    Strict recall of every strategy in every group; a strategy may lack a group, where its run was
    cut short.
    """

    title: str
    groups: tuple[str, ...]
    questions: tuple[int, ...]
    lines: tuple[tuple[Summary, tuple[Row | None, ...]], ...]


def pivots(summaries: Sequence[Summary]) -> tuple[Pivot, ...]:
    """One table for each way of grouping that any summary has."""
    found = (_pivot(by, summaries) for by in TITLES)
    return tuple(pivot for pivot in found if pivot.groups)


def _pivot(by: str, summaries: Sequence[Summary]) -> Pivot:
    rows = [_rows(by, summary) for summary in summaries]
    questions: dict[str, int] = {}
    # The summary with most groups has them in order; what others add comes behind.
    for found in sorted(rows, key=len, reverse=True):
        for group, row in found.items():
            questions[group] = max(row.questions, questions.get(group, 0))
    return Pivot(
        title=TITLES[by],
        groups=tuple(questions),
        questions=tuple(questions.values()),
        lines=tuple(
            (summary, tuple(map(found.get, questions)))
            for summary, found in zip(summaries, rows, strict=True)
        ),
    )


def _rows(by: str, summary: Summary) -> dict[str, Row]:
    for grouping in summary.groupings:
        if grouping.by == by:
            return {row.group: row for row in grouping.rows}
    return {}

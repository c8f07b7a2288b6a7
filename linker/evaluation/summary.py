"""
Summary of a run: means with intervals overall and by group, calibration error and refusals.

Groups are schema size in columns (nested paths included, families merged), dialect and difficulty.
Size comes first, since a third of a benchmark's schemas may fit into a prompt whole.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from statistics import fmean

import numpy as np
from msgspec.structs import astuple
from numpy.typing import NDArray

from linker.evaluation import (
    EvaluationRun,
    JudgedSql,
    Level,
    Prediction,
    QuestionOutcome,
    RankedColumn,
    Score,
    Verdict,
)
from linker.evaluation.scoring import Key, column_key
from linker.evaluation.statistics import (
    DEFAULT,
    BootstrapSample,
    Estimate,
    Floats,
    estimates,
    share,
)
from linker.linking.result import UNMATCHED_TERMS
from linker.types import Record

BINS = 10
_MIN_ANSWERS = 10

# Probability that a column is correct, if the answer has one.
ChanceOf = Callable[[Prediction, RankedColumn], float | None]
Places = NDArray[np.int64]

SIZES = ((100, "<100"), (300, "100–299"), (600, "300–599"), (2000, "600–1,999"))
LARGEST = "≥2,000"
_SIZE_NAMES = (*(name for _, name in SIZES), LARGEST)
DIFFICULTIES = ("easy", "simple", "medium", "moderate", "hard", "challenging", "extra")
NOT_STATED = "not stated"

TITLES = {
    "size": "by size of the merged schema, in columns",
    "dialect": "by dialect",
    "difficulty": "by difficulty",
}


def expected_error(chances: Floats, is_right: Floats, bins: Places | None = None) -> float:
    """Expected calibration error over bins; by default ten of equal width."""
    places = equal_bins(chances) if bins is None else bins
    distances = np.abs(np.bincount(places, weights=chances - is_right.astype(np.float64)))
    return float(distances.sum() / len(chances))


def equal_bins(chances: Floats) -> Places:
    """Bin of each chance, ten of equal width; 1.0 is in the last."""
    places: Places = np.minimum((chances * BINS).astype(np.int64), BINS - 1)
    return places


def _even_bins(chances: Floats) -> Places:
    """Bin of each chance, up to ten with equal counts of at least ten."""
    count = min(BINS, max(1, len(chances) // _MIN_ANSWERS))
    ends = [len(chances) * number // count for number in range(1, count + 1)]
    places = np.empty(len(chances), dtype=np.int64)
    places[np.argsort(chances, kind="stable")] = np.searchsorted(
        ends, np.arange(len(chances)), side="right"
    )
    return places


def credibility_of(_: Prediction, column: RankedColumn) -> float | None:
    """The credibility of voting strategies."""
    return column.credibility


def score_of(prediction: Prediction, column: RankedColumn) -> float | None:
    """The score, which is a probability in answers that estimate their completeness."""
    return None if prediction.complete is None else column.score


class CalibrationBin(Record, frozen=True):
    """Columns with a credibility in an interval; only the last bin includes its upper bound."""

    low: float
    high: float
    columns: int
    credibility: float
    right: Estimate


class Calibration(Record, frozen=True):
    """Non-empty bins and their mean error."""

    bins: tuple[CalibrationBin, ...]
    columns: int
    expected_error: float

    @classmethod
    def create(
        cls,
        outcomes: Iterable[QuestionOutcome],
        resampling: BootstrapSample = DEFAULT,
        chance_of: ChanceOf = credibility_of,
    ) -> "Calibration | None":
        """Calibration at one budget; None if the strategy gives no probabilities."""
        by_outcome = (_claims(outcome, chance_of) for outcome in outcomes)
        claims = list(chain.from_iterable(by_outcome))
        if not claims:
            return None
        questions, chances, right = map(np.array, zip(*claims, strict=True))
        places = equal_bins(chances)
        bins = []
        for number in np.unique(places).tolist():
            inside = places == number
            bins.append(
                CalibrationBin(
                    low=number / BINS,
                    high=(number + 1) / BINS,
                    columns=int(inside.sum()),
                    credibility=float(chances[inside].mean()),
                    right=share(right[inside], resampling, questions[inside].tolist()),
                )
            )
        return cls(tuple(bins), len(claims), expected_error(chances, right, places))


def _claims(outcome: QuestionOutcome, chance_of: ChanceOf) -> Iterable[tuple[str, float, float]]:
    """Question, claimed probability, and 1.0 if correct."""
    right: set[Key] = set()
    for gold in outcome.golds:
        for field in gold.fields:
            right.update(map(column_key, field))
    for column in outcome.prediction.columns:
        chance = chance_of(outcome.prediction, column)
        if chance is not None:
            yield outcome.question.id, chance, float(column_key(column.ref) in right)


class ClaimedChance(Record, frozen=True):
    """
    Mean claimed probability of completeness or correctness, and the observed share.

    `error_by_chance` is the expected calibration error of that many answers if every claim were
    true.
    """

    questions: int
    chance: float
    true: Estimate
    expected_error: float
    error_by_chance: float

    @classmethod
    def of_completeness(
        cls, outcomes: Iterable[QuestionOutcome], resampling: BootstrapSample = DEFAULT
    ) -> "ClaimedChance | None":
        """Claimed completeness at one budget; None if none is claimed."""
        claims = [
            (outcome.prediction.complete, outcome.score.columns.is_complete)
            for outcome in outcomes
            if outcome.prediction.complete is not None
        ]
        return cls._of(claims, resampling)

    @classmethod
    def of_sql(
        cls, judged: Iterable[JudgedSql], resampling: BootstrapSample = DEFAULT
    ) -> "ClaimedChance | None":
        """Confidence of SQL against its accuracy; None if none is claimed."""
        claims = [
            (answer.confidence, answer.verdict == "right")
            for answer in judged
            if answer.confidence is not None and answer.verdict != "gold did not run"
        ]
        return cls._of(claims, resampling)

    @classmethod
    def _of(
        cls, claims: Sequence[tuple[float, bool]], resampling: BootstrapSample
    ) -> "ClaimedChance | None":
        if not claims:
            return None
        chances, true = np.array(claims, dtype=np.float64).T
        bins = _even_bins(chances)
        # Approximate mean absolute deviation of a sum of Bernoulli variables.
        deviations = np.sqrt(np.bincount(bins, weights=chances * (1 - chances)))
        return cls(
            questions=len(claims),
            chance=float(chances.mean()),
            true=share(true, resampling),
            expected_error=expected_error(chances, true, bins),
            error_by_chance=math.sqrt(2 / math.pi) * float(deviations.sum()) / len(claims),
        )


class RefusalCounts(Record, frozen=True):
    """Numbers of questions, of refusals, and of refusals or warnings about unmatched terms."""

    questions: int
    refused: int
    warned: int

    @classmethod
    def create(cls, predictions: Iterable[Prediction]) -> "RefusalCounts | None":
        """None if no answer tells."""
        decided = [prediction for prediction in predictions if prediction.refused is not None]
        if not decided:
            return None
        refused = sum(1 for prediction in decided if prediction.refused)
        warned = sum(1 for prediction in decided if prediction.refused or _is_warned(prediction))
        return cls(len(decided), refused, warned)


def _is_warned(prediction: Prediction) -> bool:
    return any(warning.startswith(UNMATCHED_TERMS) for warning in prediction.warnings)


class LevelMeans(Record, frozen=True):
    """Means of the paper's metrics at one level, and the number of items returned."""

    strict_recall: Estimate
    recall: Estimate
    precision: Estimate
    f1: Estimate
    false_positive_rate: Estimate
    count: Estimate


class Row(Record, frozen=True):
    """Figures of a group of questions."""

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
    """Questions grouped by size, dialect or difficulty."""

    by: str
    rows: tuple[Row, ...]

    @property
    def is_stated(self) -> bool:
        """Whether any question states its group."""
        return any(row.group != NOT_STATED for row in self.rows)


class SqlFigures(Record, frozen=True):
    """
    SQL accuracy: verdicts, and shares of the questions with executable gold.

    `right_rows` allows extra or missing columns and other labels. Tokens and calls are the
    writer's, per question.
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
    Figures of a strategy at one budget.

    `calibration` covers credibilities, `scores` probabilities, `refusals` answered questions.
    `has_own_size`: run without a budget, as outside evaluations.
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
        if self.has_own_size:
            return f"{self.strategy} as asked"
        return self.strategy if self.budget is None else f"{self.strategy} @{self.budget}"


def summarise(run: EvaluationRun, resampling: BootstrapSample = DEFAULT) -> tuple[Summary, ...]:
    """One summary per budget."""
    return tuple(_summary(run, budget, resampling) for budget in run.budgets)


def size_of(score: Score) -> str:
    """The size group of a question's schema."""
    return next((name for limit, name in SIZES if score.schema_size < limit), LARGEST)


def _summary(run: EvaluationRun, budget: int | None, resampling: BootstrapSample) -> Summary:
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
        calibration=Calibration.create(outcomes, resampling),
        scores=Calibration.create(outcomes, resampling, score_of),
        completeness=ClaimedChance.of_completeness(outcomes, resampling),
        refusals=RefusalCounts.create(outcome.prediction for outcome in outcomes),
        refusals_of_unanswerable=RefusalCounts.create(
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


def _sql(judged: Sequence[JudgedSql], resampling: BootstrapSample) -> SqlFigures | None:
    """SQL figures; None if no SQL was requested."""
    if not judged:
        return None
    verdicts = [item.verdict for item in judged if item.verdict != "gold did not run"]

    def among(*good: Verdict) -> Estimate | None:
        return (
            share(np.array([float(verdict in good) for verdict in verdicts]), resampling)
            if verdicts
            else None
        )

    return SqlFigures(
        questions=len(judged),
        verdicts=dict(Counter(item.verdict for item in judged)),
        right=among("right"),
        right_rows=among("right", "more columns", "fewer columns", "other labels"),
        tokens=sum(item.tokens for item in judged) / len(judged),
        calls=sum(item.calls for item in judged) / len(judged),
        confidence=ClaimedChance.of_sql(judged, resampling),
    )


def _grouping(
    by: str,
    outcomes: Sequence[QuestionOutcome],
    value_of: Callable[[Score], str],
    order: Sequence[str],
    resampling: BootstrapSample,
) -> Grouping:
    groups: dict[str, list[QuestionOutcome]] = {}
    for outcome in outcomes:
        groups.setdefault(value_of(outcome.score), []).append(outcome)
    index = {name: number for number, name in enumerate(order)}
    names = sorted(
        groups, key=lambda name: (name == NOT_STATED, index.get(name.lower(), len(index)), name)
    )
    return Grouping(by, tuple(_row(name, groups[name], resampling) for name in names))


def _row(group: str, outcomes: Sequence[QuestionOutcome], resampling: BootstrapSample) -> Row:
    """Figures of at least one question."""
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


def _level_means(levels: Sequence[Level], resampling: BootstrapSample) -> LevelMeans:
    matrix = np.array([astuple(level) for level in levels], dtype=np.float64)
    _, *others = estimates(matrix, resampling)
    return LevelMeans(share(matrix[:, 0], resampling), *others)


def percent(value: float) -> str:
    """A share in per cent, without the sign."""
    return f"{value * 100:.1f}"


def amount(value: float) -> str:
    """A mean with about three digits, large ones in thousands."""
    if value >= 10_000:
        return f"{value / 1000:,.1f}k"
    return f"{value:.1f}" if value >= 1 else f"{value:.2g}"


class Pivot(Record, frozen=True):
    """Strict recall by strategy and group; a group may be missing for an aborted run."""

    title: str
    groups: tuple[str, ...]
    questions: tuple[int, ...]
    lines: tuple[tuple[Summary, tuple[Row | None, ...]], ...]


def pivots(summaries: Sequence[Summary]) -> tuple[Pivot, ...]:
    """One table per grouping of any summary."""
    tables = (_pivot(by, summaries) for by in TITLES)
    return tuple(pivot for pivot in tables if pivot.groups)


def _pivot(by: str, summaries: Sequence[Summary]) -> Pivot:
    rows = [_rows(by, summary) for summary in summaries]
    questions: dict[str, int] = {}
    # Order of the summary with most groups, then additional ones.
    for rows_of_summary in sorted(rows, key=len, reverse=True):
        for group, row in rows_of_summary.items():
            questions[group] = max(row.questions, questions.get(group, 0))
    return Pivot(
        title=TITLES[by],
        groups=tuple(questions),
        questions=tuple(questions.values()),
        lines=tuple(
            (summary, tuple(map(rows_of_summary.get, questions)))
            for summary, rows_of_summary in zip(summaries, rows, strict=True)
        ),
    )


def _rows(by: str, summary: Summary) -> dict[str, Row]:
    for grouping in summary.groupings:
        if grouping.by == by:
            return {row.group: row for row in grouping.rows}
    return {}

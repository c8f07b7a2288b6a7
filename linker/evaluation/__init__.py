"""
Evaluation of linking on questions with known answers. Only this package reads gold.

Entries of a suite that cannot be used are listed in `Suite.left_out`.
"""

from pathlib import Path
from typing import Any, Literal

from linker.types import ColumnRef, Record, TableRef


class GoldenQuestion(Record, frozen=True):
    """A question with its gold: alternative correct SQL statements, or columns."""

    id: str
    database: str
    text: str
    gold_sql: tuple[str, ...] = ()
    gold_columns: tuple[str, ...] = ()
    evidence: str | None = None
    document: Path | None = None
    difficulty: str | None = None
    is_answerable: bool = True
    # Excluded from training.
    unsure_columns: tuple[str, ...] = ()


class Suite(Record, frozen=True):
    """
    Databases and questions, and one line per unusable entry.

    A suite whose questions target the profiled warehouse has no databases.
    """

    name: str
    databases: tuple[Any, ...]
    questions: tuple[GoldenQuestion, ...]
    left_out: tuple[str, ...] = ()


class Gold(Record, frozen=True):
    """
    Columns and tables that one correct statement reads.

    A field is a set of alternative columns; several only where a wildcard covers merged tables.
    Tables alike. Gold with `problems` is not scored.
    """

    fields: tuple[tuple[ColumnRef, ...], ...]
    tables: tuple[tuple[TableRef, ...], ...]
    problems: tuple[str, ...] = ()


class RankedColumn(Record, frozen=True):
    """A column of an answer, with the strategy's credibility (0 to 1) if it has one."""

    ref: ColumnRef
    score: float
    credibility: float | None = None


# Verdict on rows against the gold, best first. `right` also allows extra or missing columns and
# equivalent labels, such as a month by number or by first day.
Verdict = Literal[
    "right",
    "more columns",
    "fewer columns",
    "other labels",
    "wrong",
    "failed",
    "none written",
    "gold did not run",
]


class JudgedSql(Record, frozen=True):
    """Verdict on the SQL of a question, the writer's confidence, and the cost."""

    verdict: Verdict
    confidence: float | None = None
    tokens: int = 0
    calls: int = 0


class Prediction(Record, frozen=True):
    """
    A strategy's answer to a question; `seen` lists by step the columns still in view.

    `complete` is the estimated completeness, if given. `refused` is None in old files and after
    errors. `judged` belongs to `sql`, if SQL was requested and the gold is a statement.
    """

    question_id: str
    strategy: str
    budget: int | None
    columns: tuple[RankedColumn, ...]
    tables: tuple[TableRef, ...]
    seen: tuple[tuple[str, tuple[ColumnRef, ...]], ...] = ()
    seconds: float = 0.0
    tokens: int = 0
    cached_tokens: int = 0
    calls: int = 0
    probes: int = 0
    sql: str | None = None
    judged: JudgedSql | None = None
    warnings: tuple[str, ...] = ()
    error: str | None = None
    refused: bool | None = None
    complete: float | None = None


class Level(Record, frozen=True):
    """Measures of one answer for columns or for tables."""

    is_complete: bool
    recall: float
    precision: float
    f1: float
    false_positive_rate: float
    count: int


class Score(Record, frozen=True):
    """Measures of one answer, and its report groups."""

    dialect: str
    difficulty: str | None
    schema_size: int
    columns: Level
    tables: Level


class QuestionOutcome(Record, frozen=True):
    """A question with gold, answer and score."""

    question: GoldenQuestion
    golds: tuple[Gold, ...]
    prediction: Prediction
    score: Score


class EvaluationRun(Record, frozen=True):
    """
    Scored answers of a strategy to a suite, at all budgets.

    `unanswerable` are answers to unanswerable questions; they have no score.
    """

    suite: str
    strategy: str
    outcomes: tuple[QuestionOutcome, ...]
    unscored: tuple[str, ...] = ()
    label: str = ""
    unanswerable: tuple[Prediction, ...] = ()

    @property
    def name(self) -> str:
        """Name in tables and plots; the label distinguishes runs of one strategy."""
        return self.label or self.strategy

    @property
    def budgets(self) -> tuple[int | None, ...]:
        """Budgets, smallest first; None means that the strategy decides."""
        return tuple(
            sorted(
                {outcome.prediction.budget for outcome in self.outcomes},
                key=lambda budget: budget or 0,
            )
        )

    def at(self, budget: int | None) -> tuple[QuestionOutcome, ...]:
        return tuple(outcome for outcome in self.outcomes if outcome.prediction.budget == budget)

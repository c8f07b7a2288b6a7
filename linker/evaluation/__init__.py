"""
Evaluation of linking on questions with known answers: records, and suites by name. Only this
package reads gold.

Other packages add suites by naming a SuiteReader in the entry point group `linker.suites`. Entries
of a suite that cannot be used are listed in `Suite.left_out`.
"""

from importlib.metadata import entry_points
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, Literal

from linker.config.installed import opening
from linker.errors import ConfigError
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


GROUP = "linker.suites"
_PUBLIC = "public suites come with `pip install -e benchmarks` in a checkout"


class SuiteReader(Record, frozen=True):
    """
    A suite's functions as `module:function`, imported when it opens.

    `read` maps the user's path to a Suite. `prepare` maps suite, settings and a progress callback
    to a `linker.evaluation.preparing.Prepared`; without it the target answers the questions.
    """

    description: str
    read: str
    prepare: str = ""


SUITES = {
    "demo": SuiteReader(
        "The demo warehouse and its questions.", "linker.evaluation.golden:read_demo"
    ),
    "golden": SuiteReader(
        "Your questions with gold SQL or columns, against your own warehouse.",
        "linker.evaluation.golden:read",
    ),
    "feedback": SuiteReader(
        "Questions with the feedback of `linker feedback`.",
        "linker.evaluation.golden:read_feedback",
    ),
    "verified": SuiteReader(
        "Your verified questions, each without its own statement as an example.",
        "linker.evaluation.golden:read_verified",
    ),
}


def registered_suites() -> tuple[str, ...]:
    """Suites of plugins."""
    return tuple(sorted(set(entry_points(group=GROUP).names) - set(SUITES)))


def suite_reader(name: str) -> SuiteReader:
    """The reader of a suite; built-in suites cannot be overridden."""
    if name in SUITES:
        return SUITES[name]
    registered = entry_points(group=GROUP)
    if name not in registered.names:
        names = sorted({*SUITES, *registered_suites()})
        raise ConfigError(
            f"no suite is called `{name}`", hint=f"choose one of: {', '.join(names)}; {_PUBLIC}"
        )
    with opening(registered[name], "suite") as what:
        reader = registered[name].load()
    if not isinstance(reader, SuiteReader):
        raise ConfigError(
            f"{what} is not a SuiteReader",
            hint="docs/evaluation.md says how a package brings a suite",
        )
    return reader


def open_suite(name: str, root: Path) -> Suite:
    """Read a suite from a path; for `demo` the state folder."""
    suite: Suite = resolve_name(suite_reader(name).read)(root)
    return suite

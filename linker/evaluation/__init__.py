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
    """
    A question, and what is known to answer it: SQL statements of which each is right, or columns.
    """

    id: str
    database: str
    text: str
    gold_sql: tuple[str, ...] = ()
    gold_columns: tuple[str, ...] = ()
    evidence: str | None = None
    document: Path | None = None
    difficulty: str | None = None
    is_answerable: bool = True
    # Neither right nor wrong to learn from.
    unsure_columns: tuple[str, ...] = ()


class Suite(Record, frozen=True):
    """
    Databases and questions, and what of the files could not be used, one line each.

    The databases are as its `prepare` takes them; a suite whose questions are asked of the target
    has none.
    """

    name: str
    databases: tuple[Any, ...]
    questions: tuple[GoldenQuestion, ...]
    left_out: tuple[str, ...] = ()


class Gold(Record, frozen=True):
    """
    Columns and tables that one right statement reads.

    A field is the columns of which any one counts: more than one only where a wildcard spans
    several merged tables. So are the tables. What could not be derived stands in `problems`; gold
    with problems is not scored.
    """

    fields: tuple[tuple[ColumnRef, ...], ...]
    tables: tuple[tuple[TableRef, ...], ...]
    problems: tuple[str, ...] = ()


class RankedColumn(Record, frozen=True):
    """
    A column of an answer; the credibility is the linker's own, from 0 to 1, where it gives one.
    """

    ref: ColumnRef
    score: float
    credibility: float | None = None


# The rows of a written statement beside those of the gold, best first; right ones may have columns
# more or fewer, or say otherwise what tells them apart, as a month by its number or its first day.
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
    """
    The worth of the SQL that was written for a question, how sure its writer was, and what it cost
    to write.
    """

    verdict: Verdict
    confidence: float | None = None
    tokens: int = 0
    calls: int = 0


class Prediction(Record, frozen=True):
    """
    Answer of a strategy to a question. `seen`: by step of the strategy, the columns that it still
    had.

    `complete` is the chance that nothing is missing, where it says so. `refused` is unknown in
    files of before and where an error was the answer. `judged` is of `sql`, where SQL was asked for
    and the gold is a statement.
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
    """Measures of one answer, at the level of columns or of tables."""

    is_complete: bool
    recall: float
    precision: float
    f1: float
    false_positive_rate: float
    count: int


class Score(Record, frozen=True):
    """Measures of one answer, with the groups that it is reported in."""

    dialect: str
    difficulty: str | None
    schema_size: int
    columns: Level
    tables: Level


class QuestionOutcome(Record, frozen=True):
    """A question, what is right, what was answered to it, and how good that is."""

    question: GoldenQuestion
    golds: tuple[Gold, ...]
    prediction: Prediction
    score: Score


class EvaluationRun(Record, frozen=True):
    """
    Scored answers of one strategy to the questions of one suite, over all its budgets.

    `unanswerable` are its answers to questions that nothing in the database answers; they have no
    score.
    """

    suite: str
    strategy: str
    outcomes: tuple[QuestionOutcome, ...]
    unscored: tuple[str, ...] = ()
    label: str = ""
    unanswerable: tuple[Prediction, ...] = ()

    @property
    def name(self) -> str:
        """Name in tables and plots: the label tells two runs of one strategy apart."""
        return self.label or self.strategy

    @property
    def budgets(self) -> tuple[int | None, ...]:
        """
        The budgets it was asked for, smallest first; None where the strategy decides by itself.
        """
        return tuple(
            sorted(
                {outcome.prediction.budget for outcome in self.outcomes},
                key=lambda budget: budget or 0,
            )
        )

    def at(self, budget: int | None) -> tuple[QuestionOutcome, ...]:
        """The outcomes of one budget."""
        return tuple(outcome for outcome in self.outcomes if outcome.prediction.budget == budget)


GROUP = "linker.suites"
_PUBLIC = "public suites come with `pip install -e benchmarks` in a checkout"


class SuiteReader(Record, frozen=True):
    """
    A suite as it is listed and found; functions are named as `module:function`, and imported when
    it is opened.

    `read` leads from the path that the user gives to the Suite. `prepare` leads from the suite, the
    settings and a callback of progress to what is linked, a `linker.evaluation.preparing.Prepared`;
    without it the questions are asked of the target.
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
        "linker.evaluation.feedback:read_feedback",
    ),
    "verified": SuiteReader(
        "Your verified questions, each without its own statement as an example.",
        "linker.evaluation.golden:read_verified",
    ),
}


def registered_suites() -> tuple[str, ...]:
    """The suites of other packages."""
    return tuple(sorted(set(entry_points(group=GROUP).names) - set(SUITES)))


def suite_reader(name: str) -> SuiteReader:
    """Reader of the suite of that name; those that ship with linker cannot be replaced."""
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
    """Read a suite; the path is that of its files, and for `demo` the state folder."""
    suite: Suite = resolve_name(suite_reader(name).read)(root)
    return suite

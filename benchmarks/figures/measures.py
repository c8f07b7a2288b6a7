"""The measures of a figures page with titles and order."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from linker.evaluation.statistics import Estimate
from linker.evaluation.summary import Row, Summary, amount, percent

Value = float | Estimate | None


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure: its title, meaning, position in a row, and format."""

    title: str
    meaning: str
    of: Callable[[Row], Value]
    written: Callable[[float], str]
    has_interval: bool = False

    def number(self, row: Row) -> float | None:
        """The figure itself."""
        value = self.of(row)
        return value.value if isinstance(value, Estimate) else value

    def text(self, row: Row) -> str:
        """The formatted figure."""
        number = self.number(row)
        return "" if number is None else self.written(number)

    def interval(self, row: Row) -> str:
        """The formatted interval, if it is informative."""
        value = self.of(row)
        if not (self.has_interval and isinstance(value, Estimate)):
            return ""
        return f"{self.written(value.low)}–{self.written(value.high)}"

    def __str__(self) -> str:
        return self.title


def whole(value: float) -> str:
    """A count."""
    return f"{value:,.0f}"


MEASURES = (
    Measure("questions", "questions that could be scored", lambda row: row.questions, whole),
    Measure(
        "strict recall",
        "% of questions with every gold column in the answer, and the 95 % interval",
        lambda row: row.columns.strict_recall,
        percent,
        has_interval=True,
    ),
    Measure(
        "recall",
        "% of the gold columns that are in the answer",
        lambda row: row.columns.recall,
        percent,
    ),
    Measure(
        "precision", "% of the answer that is gold", lambda row: row.columns.precision, percent
    ),
    Measure(
        "F1",
        "harmonic mean of recall and precision, question by question",
        lambda row: row.columns.f1,
        percent,
    ),
    Measure(
        "FPR",
        "false-positive rate: % of the answer that is not gold",
        lambda row: row.columns.false_positive_rate,
        percent,
    ),
    Measure("columns", "columns returned on average", lambda row: row.columns.count, amount),
    Measure(
        "table strict recall",
        "% of questions with every gold table in the answer, and the 95 % interval",
        lambda row: row.tables.strict_recall,
        percent,
        has_interval=True,
    ),
    Measure(
        "table recall",
        "% of the gold tables that are in the answer",
        lambda row: row.tables.recall,
        percent,
    ),
    Measure(
        "table precision",
        "% of the answer's tables that are gold",
        lambda row: row.tables.precision,
        percent,
    ),
    Measure(
        "table F1",
        "harmonic mean of both, question by question",
        lambda row: row.tables.f1,
        percent,
    ),
    Measure("tables", "tables returned on average", lambda row: row.tables.count, amount),
    Measure(
        "tokens", "tokens of language models a question", lambda row: row.tokens or None, amount
    ),
    Measure("calls", "calls of language models a question", lambda row: row.calls or None, amount),
    Measure("probes", "SQL probes a question", lambda row: row.probes or None, amount),
    Measure("seconds", "seconds a question", lambda row: row.seconds or None, amount),
    Measure("errors", "questions that ended in an error", lambda row: row.errors or None, whole),
)


def shown(summaries: Sequence[Summary]) -> tuple[Measure, ...]:
    """
    The measures that have a value in at least one of the summaries: a column of nothing says
    nothing.
    """
    found: list[Measure] = []
    for measure in MEASURES:
        if any(measure.number(summary.overall) is not None for summary in summaries):
            found.append(measure)
    return tuple(found)

"""Per-question results: what each strategy returned and missed."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from linker.evaluation import EvaluationRun, GoldenQuestion, QuestionOutcome
from linker.evaluation.scoring import best_gold, column_key
from linker.evaluation.statistics import Missed, missed
from linker.evaluation.summary import size_of


@dataclass(frozen=True, slots=True)
class Try:
    """
    One answer to the question: at which budget, how many of the gold fields, out of how many
    columns.
    """

    budget: int | None
    is_complete: bool
    found: int
    wanted: int
    columns: int


@dataclass(frozen=True, slots=True)
class Answer:
    """Answers of one strategy to the question: every budget in short, the largest at length."""

    name: str
    tries: tuple[Try, ...]
    ranks: tuple[tuple[str, int], ...]
    missed: tuple[Missed, ...]
    sql: str | None
    warnings: tuple[str, ...]
    error: str | None

    @property
    def is_complete(self) -> bool:
        """Say whether the largest budget has every gold column."""
        return self.tries[-1].is_complete


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question with the answers of all strategies that were asked it."""

    question: GoldenQuestion
    dialect: str
    schema_size: int
    size: str
    answers: tuple[Answer, ...]

    @property
    def complete(self) -> int:
        """Number of strategies that answer it completely at their largest budget."""
        return sum(1 for answer in self.answers if answer.is_complete)

    @property
    def verdict(self) -> str:
        """In a word, for finding questions."""
        if self.complete == len(self.answers):
            return "all"
        return "some" if self.complete else "none"


def asked_questions(runs: Sequence[EvaluationRun]) -> tuple[AskedQuestion, ...]:
    """The questions in the order in which they were first asked."""
    by_question: dict[str, dict[str, list[QuestionOutcome]]] = {}
    for run in runs:
        for outcome in run.outcomes:
            by_question.setdefault(outcome.question.id, {}).setdefault(run.name, []).append(outcome)
    return tuple(_asked(answers) for answers in by_question.values())


def _asked(answers: dict[str, list[QuestionOutcome]]) -> AskedQuestion:
    first = next(iter(answers.values()))[0]
    return AskedQuestion(
        question=first.question,
        dialect=first.score.dialect,
        schema_size=first.score.schema_size,
        size=size_of(first.score),
        answers=tuple(_answer(name, outcomes) for name, outcomes in answers.items()),
    )


def _answer(name: str, outcomes: list[QuestionOutcome]) -> Answer:
    ordered = sorted(outcomes, key=lambda outcome: outcome.prediction.budget or 0)
    last = ordered[-1]
    return Answer(
        name=name,
        tries=tuple(map(_try, ordered)),
        ranks=_ranks(last),
        missed=missed(last),
        sql=last.prediction.sql,
        warnings=last.prediction.warnings,
        error=last.prediction.error,
    )


def _try(outcome: QuestionOutcome) -> Try:
    gold = best_gold(outcome.prediction, outcome.golds)
    return Try(
        budget=outcome.prediction.budget,
        is_complete=outcome.score.columns.is_complete,
        # Recall is exact: a share of so few fields.
        found=round(outcome.score.columns.recall * len(gold.fields)),
        wanted=len(gold.fields),
        columns=outcome.score.columns.count,
    )


def _ranks(outcome: QuestionOutcome) -> tuple[tuple[str, int], ...]:
    """The gold columns that were returned, with their place in the answer."""
    gold = best_gold(outcome.prediction, outcome.golds)
    wanted = set(map(column_key, chain.from_iterable(gold.fields)))
    placed: dict[str, int] = {}
    for index, column in enumerate(outcome.prediction.columns, start=1):
        if column_key(column.ref) in wanted:
            placed.setdefault(str(column.ref), index)
    return tuple(placed.items())


def losses(outcomes: Iterable[QuestionOutcome]) -> tuple[tuple[str, int, int], ...]:
    """
    Gold columns that were lost: the reason, how many fields, in how many questions; the commonest
    first.
    """
    fields: Counter[str] = Counter()
    questions: Counter[str] = Counter()
    for outcome in outcomes:
        reasons = [column.reason for column in missed(outcome)]
        fields.update(reasons)
        questions.update(set(reasons))
    return tuple((reason, count, questions[reason]) for reason, count in fields.most_common())

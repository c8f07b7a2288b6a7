"""
Fits weights of the ranking and says how well they carry over: enter prepared suites, leaves weights and a report.

What is reported is held out: each database is ranked by weights that saw neither it nor any database of its vendor.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from linker.environment import Environment
from linker.evaluation.environment import SuiteEnvironment
from linker.evaluation.metrics import scorable
from linker.evaluation.preparing import Prepared
from linker.evaluation.running import text_of
from linker.evaluation.scoring import golds_of
from linker.evaluation.tuning.examples import Example, example
from linker.evaluation.tuning.folds import folds
from linker.evaluation.tuning.training import TrainingOptions, ranked_example, train
from linker.pipeline import index
from linker.ranking.allocation import allocate
from linker.ranking.reading import read_question
from linker.ranking.signals import signals_of
from linker.ranking.weights import Weights
from linker.types import Catalog

OnProgress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class HeldOut:
    """How well a suite is ranked by weights that never saw its databases."""

    suite: str
    budget: int
    questions: int
    strict_recall: float
    columns: float


def gather_examples(
    prepared: Prepared, most_questions: int | None, on_progress: OnProgress = lambda _done, _due: None
) -> list[Example]:
    """An example of every question whose right answer can be derived, or of as many as asked, spread evenly."""
    usable = [one for one in prepared.questions if one.is_answerable]
    step = 1 if most_questions is None else max(1, -(-len(usable) // most_questions))
    chosen = sorted(usable[::step], key=lambda one: one.database)
    found: list[Example] = []
    environment: SuiteEnvironment | None = None
    opened = ""
    with Environment(prepared.settings) as parts:
        for number, question in enumerate(chosen, start=1):
            database = prepared.database_by_name[question.database]
            golds = golds_of(question, database)
            if any(gold.fields for gold in scorable(golds)):
                # Questions come database by database.
                if environment is None or opened != question.database:
                    environment, opened = prepared.environment(database, parts), question.database
                    index(environment, lambda _done, _due: None)
                read = read_question(text_of(question, with_evidence=True), environment)
                signals = signals_of(read.retrieved)
                found.append(example(prepared.suite.name, question, read.known, golds, signals))
            on_progress(number, len(chosen))
    return found


def fold_of(examples: Sequence[Example], count: int) -> dict[tuple[str, str], int]:
    """The fold of every suite and database."""
    catalogs: dict[str, Catalog] = {}
    questions: dict[str, int] = {}
    keys = {(one.suite, one.database): f"{one.suite}.{one.database}" for one in examples}
    for one in examples:
        name = keys[one.suite, one.database]
        catalogs[name] = one.evidence.known.lexicon.catalog
        questions[name] = questions.get(name, 0) + 1
    found = folds(catalogs, questions, min(count, len(catalogs)))
    return {key: found[name] for key, name in keys.items()}


def held_out(
    examples: Sequence[Example],
    options: TrainingOptions,
    budgets: Sequence[int],
    count: int,
    on_progress: OnProgress = lambda _done, _due: None,
) -> list[HeldOut]:
    """Train without each fold in turn, and rank that fold."""
    fold = fold_of(examples, count)
    numbers = sorted(set(fold.values()))
    results: dict[tuple[str, int], list[tuple[bool, int]]] = {}
    for done, number in enumerate(numbers if len(numbers) > 1 else [], start=1):
        inside = [one for one in examples if fold[one.suite, one.database] == number]
        weights = train([one for one in examples if fold[one.suite, one.database] != number], options)
        for one in inside:
            for budget, answer in answers(one, weights, budgets).items():
                results.setdefault((one.suite, budget), []).append((one.is_complete(answer), len(answer)))
        on_progress(done, len(numbers))
    return [
        HeldOut(
            suite,
            budget,
            len(found),
            sum(complete for complete, _ in found) / len(found),
            sum(columns for _, columns in found) / len(found),
        )
        for (suite, budget), found in sorted(results.items())
    ]


def answers(one: Example, weights: Weights, budgets: Sequence[int]) -> dict[int, frozenset[int]]:
    """By budget the columns that the strategy would answer with."""
    ranked = ranked_example(one, weights)
    return {budget: frozenset(allocate(ranked, budget).columns) for budget in budgets}

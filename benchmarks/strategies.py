"""
Cost and recall of every strategy: `make bench-strategies ROOT=PATH`.

The same random questions go to each strategy, on the demo and on public suites under ROOT. A rule
that matches words replaces the model (keyword_model.py): calls, tokens and probes are realistic,
recall is that of the rule.
"""

import argparse
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from benchmarks.keyword_model import KeywordModel
from benchmarks.progress_line import say
from linker.config.settings import load_settings
from linker.environment import Environment
from linker.errors import LinkerError
from linker.evaluation import GoldenQuestion, QuestionOutcome
from linker.evaluation.preparing import MergedDatabase, Prepared, prepare
from linker.evaluation.running import prediction_of, text_of
from linker.evaluation.scoring import fold, golds_of, groups_of, scorable, score_prediction
from linker.pipeline import link
from linker.refresh.steps import update_index
from linker.strategies import Strategy, open_strategy, strategy_names

SUITES = ("demo", "bird", "spider2-lite")
# The first needs weights that nothing here ships; the others are measured by linking.py.
LEFT_OUT = ("cross_encoder", "bm25", "rank-fusion", "whole-tables")
OnProgress = Callable[[str], None]


@dataclass
class Asked:
    """What one strategy answered to the questions of one suite."""

    outcomes: list[QuestionOutcome] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    @property
    def cells(self) -> tuple[str, ...]:
        """
        Averages: calls, tokens, probes, seconds, columns; then strict recall and precision in per
        cent.
        """
        predictions = [item.prediction for item in self.outcomes]
        levels = [item.score.columns for item in self.outcomes]
        means = np.mean([(item.calls, item.tokens, item.probes) for item in predictions], axis=0)
        return (
            *(f"{mean:,.1f}" if mean < 100 else f"{mean:,.0f}" for mean in means),
            f"{np.median([item.seconds for item in predictions]):.2f}",
            f"{np.mean([item.count for item in levels]):.1f}",
            f"{100 * np.mean([item.is_complete for item in levels]):.1f}",
            f"{100 * np.mean([item.precision for item in levels]):.1f}",
        )


def kinds() -> Iterator[tuple[str, bool]]:
    """Every strategy; one that works with and without a model is listed twice."""
    for name in sorted(set(strategy_names()) - set(LEFT_OUT)):
        needs_model = getattr(open_strategy(name), "needs_model", False)
        if name == "auto":
            yield from ((name, False), (name, True))
        else:
            yield name, needs_model


def drawn(prepared: Prepared, count: int) -> list[GoldenQuestion]:
    """A reproducible sample of questions with scorable gold."""
    known = prepared.database_by_name
    usable = [
        question
        for question in sorted(prepared.questions, key=lambda question: question.id)
        if question.is_answerable and scorable(golds_of(question, known[question.database]))
    ]
    chosen = random.Random(0).sample(usable, min(count, len(usable)))  # noqa: S311 - nothing is kept secret by it
    return sorted(chosen, key=lambda question: question.database)


def ask_all(
    prepared: Prepared, questions: Sequence[GoldenQuestion], say: OnProgress
) -> dict[tuple[str, bool], Asked]:
    """Database by database, strategy by strategy."""
    asked = {kind: Asked() for kind in kinds()}
    rule = KeywordModel(lambda _kind, _stable, _changing, _answer: None)
    with Environment(prepared.settings) as parts:
        for name in dict.fromkeys(item.database for item in questions):
            merged = prepared.database_by_name[name]
            environment = prepared.environment(merged, parts)
            update_index(environment)
            for (strategy_name, has_rule), answers in asked.items():
                strategy = open_strategy(strategy_name)
                thinking = environment.with_model(rule) if has_rule else environment
                for question in (item for item in questions if item.database == name):
                    ask_one(question, strategy, thinking, merged, answers)
                say(f"{prepared.suite.name}: {name}, {strategy_name}")
    return asked


def ask_one(
    question: GoldenQuestion,
    strategy: Strategy,
    environment: Environment,
    merged: MergedDatabase,
    answers: Asked,
) -> None:
    """One question to one strategy, judged."""
    try:
        schema = link(text_of(question, with_evidence=True), environment, strategy)
    except LinkerError as error:
        answers.errors.append(f"{question.id}: {error.what}")
        return
    prediction = prediction_of(question, schema.strategy, None, schema, schema.seconds)
    groups = groups_of(merged.catalog)
    folded = fold(prediction, golds_of(question, merged), groups)
    answers.outcomes.append(score_prediction(*folded, question, merged.catalog, merged.dialect))


def table(suite: str, questions: int, asked: dict[tuple[str, bool], Asked]) -> Iterator[str]:
    """A line a strategy."""
    yield f"\n{suite}, {questions} questions:\n"
    yield (
        "| strategy | model | calls | tokens | probes | seconds | columns | strict recall, % | "
        "precision, % |"
    )
    yield "|---|---|---|---|---|---|---|---|---|"
    for (name, has_rule), answers in asked.items():
        if answers.outcomes:
            yield f"| `{name}` | {'rule' if has_rule else 'none'} | {' | '.join(answers.cells)} |"
        if answers.errors:
            yield f"| `{name}` | {len(answers.errors)} errors, such as {answers.errors[0]} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--root", type=Path, help="folder of the public suites; without it only the demo is asked"
    )
    parser.add_argument("--state-dir", type=Path, default=Path(".linker"))
    parser.add_argument("--suites", nargs="+", default=list(SUITES), choices=SUITES)
    parser.add_argument("--questions", type=int, default=40, help="of each suite")
    options = parser.parse_args()
    # The rule alone answers.
    settings = replace(load_settings({"state_dir": options.state_dir}), model=None)
    for suite in options.suites:
        if suite == "demo" or options.root:
            prepared = prepare(suite, options.root, settings)
            questions = drawn(prepared, options.questions)
            for line in table(suite, len(questions), ask_all(prepared, questions, say)):
                sys.stdout.write(f"{line}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()

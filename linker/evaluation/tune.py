"""
Tunes ranking weights and reports how they generalise to held-out databases.

Databases of one vendor, or with tables in common, are held out together.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from statistics import fmean

from msgspec.structs import replace

from linker.environment import Environment
from linker.evaluation.preparing import MergedDatabase, Prepared
from linker.evaluation.running import for_question, text_of
from linker.evaluation.scoring import golds_of, scorable
from linker.evaluation.training import (
    NO_FEATURES,
    Example,
    HeldOutRanking,
    calibrated,
    complete_at,
    example_of,
    held_out_ranking,
    ranked_example,
    train,
)
from linker.ranking.ranker import read_question
from linker.ranking.weights import Weights, read_weights
from linker.refresh.steps import update_index
from linker.text.words import alnum_key, parts
from linker.types import Catalog, OnProgress, Record, Table

_ALIKE = 0.3


def folds(
    catalogs: Mapping[str, Catalog], questions: Mapping[str, int], count: int
) -> dict[str, int]:
    """
    Fold of each database; databases of one vendor or with common tables share one.

    `questions` are counts per database, which balance the folds.
    """
    sizes = [0] * count
    fold_of_name: dict[str, int] = {}

    def size(group: list[str]) -> int:
        return sum(questions.get(name, 0) for name in group)

    for group in sorted(related(catalogs), key=lambda group: (-size(group), group)):
        fold = sizes.index(min(sizes))
        sizes[fold] += size(group)
        fold_of_name.update(dict.fromkeys(group, fold))
    return fold_of_name


def related(catalogs: Mapping[str, Catalog]) -> list[list[str]]:
    """Groups of databases of one vendor or with common tables."""
    tables = {name: _tables(catalog) for name, catalog in catalogs.items()}

    def are_related(name: str, other: str) -> bool:
        shared = len(tables[name] & tables[other])
        return _vendor(name) == _vendor(other) or shared > _ALIKE * min(
            len(tables[name]), len(tables[other])
        )

    groups: list[list[str]] = []
    for name in sorted(catalogs):
        joined, others = [name], []
        for group in groups:
            if any(are_related(name, other) for other in group):
                joined += group
            else:
                others.append(group)
        groups = [*others, sorted(joined)]
    return groups


def _vendor(name: str) -> str:
    words = parts(name.rpartition(".")[2])
    return next((part for part in words if len(part) > 2 and not part.isdigit()), name)


def _tables(catalog: Catalog) -> set[frozenset[str]]:
    """Tables as sets of column names, without small ones, which are equal by chance."""
    large = (table for table in catalog.tables if len(table.columns) > 3)
    return {_names(table) for table in large}


def _names(table: Table) -> frozenset[str]:
    return frozenset(alnum_key(column.path) for column in table.columns)


class HeldOut(Record, frozen=True):
    """Figures of a suite ranked by weights that never saw its databases."""

    suite: str
    budget: int
    questions: int
    strict_recall: float
    columns: float


def gather_examples(
    prepared: Prepared,
    most_questions: int | None,
    on_progress: OnProgress = lambda _done, _due: None,
) -> list[Example]:
    """Examples of all questions with derivable gold, or an even sample."""
    usable = [question for question in prepared.questions if question.is_answerable]
    step = 1 if most_questions is None else max(1, -(-len(usable) // most_questions))
    chosen = sorted(usable[::step], key=lambda question: question.database)
    examples: list[Example] = []
    environment: Environment | None = None
    opened = ""
    with Environment(prepared.settings) as parts:
        for number, question in enumerate(chosen, start=1):
            database = prepared.database_by_name[question.database]
            golds = golds_of(question, database)
            if any(gold.fields for gold in scorable(golds)):
                # Questions are ordered by database.
                if environment is None or opened != question.database:
                    environment, opened = prepared.environment(database, parts), question.database
                    update_index(environment)
                text = text_of(question, with_evidence=True)
                read = read_question(text, for_question(question, environment))
                labelled = replace(question, database=_own_name(prepared, database))
                examples.append(
                    example_of(prepared.suite.name, labelled, read.index, golds, read.signals)
                )
            on_progress(number, len(chosen))
    return examples


def _own_name(prepared: Prepared, database: MergedDatabase) -> str:
    """Distinguishes targets, which are all named alike as databases."""
    if prepared.is_target:
        return prepared.settings.profile or prepared.suite.name
    return database.name


def fold_of(examples: Sequence[Example], count: int) -> dict[tuple[str, str], int]:
    """Fold of each suite and database."""
    names = [f"{example.suite}.{example.database}" for example in examples]
    catalogs = {
        name: example.evidence.index.lexicon.catalog
        for name, example in zip(names, examples, strict=True)
    }
    assignments = folds(catalogs, Counter(names), min(count, len(catalogs)))
    return {
        (example.suite, example.database): assignments[name]
        for name, example in zip(names, examples, strict=True)
    }


def rank_held_out(
    examples: Sequence[Example],
    count: int,
    on_progress: OnProgress = lambda _done, _due: None,
    *,
    without: frozenset[str] = NO_FEATURES,
) -> list[HeldOutRanking]:
    """Cross-validate: rank each fold with weights of the others; empty with one database only."""
    fold = fold_of(examples, count)
    numbers = sorted(set(fold.values()))
    held_out_rankings: list[HeldOutRanking] = []
    for done, number in enumerate(numbers if len(numbers) > 1 else [], start=1):
        inside = [
            example for example in examples if fold[example.suite, example.database] == number
        ]
        others = [
            example for example in examples if fold[example.suite, example.database] != number
        ]
        weights = train(others, without=without)
        held_out_rankings += [
            held_out_ranking(example, ranked_example(example, weights), number)
            for example in inside
        ]
        on_progress(done, len(numbers))
    return held_out_rankings


def fit_weights(
    examples: Sequence[Example],
    rankings: Sequence[HeldOutRanking],
    command: str,
) -> tuple[Weights, Sequence[HeldOutRanking]]:
    """
    Weights with calibrations, and the held-out rankings.

    With one database the shipped weights stay, which never saw it; only completeness is calibrated
    on its questions.
    """
    weights = calibrated(rankings, train(examples)) if rankings else read_weights()
    unseen = rankings or [
        held_out_ranking(example, ranked_example(example, weights), fold=0) for example in examples
    ]
    return replace(weights, complete_at=complete_at(unseen, weights), command=command), unseen


def held_out(rankings: Sequence[HeldOutRanking], budgets: Sequence[int]) -> list[HeldOut]:
    """Figures by suite and budget."""
    by_suite: dict[str, list[HeldOutRanking]] = defaultdict(list)
    for ranking in rankings:
        by_suite[ranking.example.suite].append(ranking)
    results = []
    for suite, rankings_of_suite in sorted(by_suite.items()):
        for budget in budgets:
            recall = fmean(ranking.smallest_complete <= budget for ranking in rankings_of_suite)
            columns = fmean(min(budget, len(ranking.order)) for ranking in rankings_of_suite)
            results.append(HeldOut(suite, budget, len(rankings_of_suite), recall, columns))
    return results

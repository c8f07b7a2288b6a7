"""Judges what was answered: enters a prepared suite and a file of answers, leaves a Run. Nothing is linked again."""

from collections.abc import Mapping
from pathlib import Path

from linker.evaluation.folding import fold, groups_of
from linker.evaluation.gold import derive_gold
from linker.evaluation.merging import MergedDatabase
from linker.evaluation.metrics import judge, scorable
from linker.evaluation.preparing import Prepared
from linker.evaluation.results import read_results
from linker.evaluation.types import EvaluationRun, Gold, GoldenQuestion
from linker.names.lookup import find
from linker.types import ColumnRef


def golds_of(question: GoldenQuestion, database: MergedDatabase) -> tuple[Gold, ...]:
    """What the question's right statements read, or the columns that the user named."""
    golds = tuple(derive_gold(sql, database) for sql in question.gold_sql)
    if question.gold_columns:
        golds += (_named_gold(question, database),)
    return golds


def _named_gold(question: GoldenQuestion, database: MergedDatabase) -> Gold:
    named = [find(name, database.catalog) for name in question.gold_columns]
    refs = [ref for ref in named if isinstance(ref, ColumnRef)]
    tables = dict.fromkeys(ref.table if isinstance(ref, ColumnRef) else ref for ref in named)
    return Gold(fields=tuple((ref,) for ref in refs), tables=tuple((ref,) for ref in tables))


def all_golds(prepared: Prepared) -> dict[str, tuple[Gold, ...]]:
    """Of every question that can be answered."""
    return {
        question.id: golds_of(question, prepared.database_by_name[question.database])
        for question in prepared.questions
        if question.is_answerable
    }


def score_file(prepared: Prepared, path: Path, golds: Mapping[str, tuple[Gold, ...]], label: str = "") -> EvaluationRun:
    """All answers of a file; what has no gold that can be scored is named."""
    results = read_results(path)
    questions = {question.id: question for question in prepared.questions}
    groups_by_database = {database.name: groups_of(database.catalog) for database in prepared.databases}
    outcomes = []
    for prediction in results.predictions:
        question = questions.get(prediction.question_id)
        if question is None or not scorable(golds.get(question.id, ())):
            continue
        database = prepared.database_by_name[question.database]
        groups = groups_by_database[question.database]
        outcomes.append(
            judge(*fold(prediction, golds[question.id], groups), question, database.catalog, database.dialect)
        )
    answered = {prediction.question_id for prediction in results.predictions}
    return EvaluationRun(
        suite=prepared.suite.name,
        strategy=results.header.strategy,
        outcomes=tuple(outcomes),
        unscored=tuple(_unscored(prepared, golds, answered)),
        label=label,
    )


def _unscored(prepared: Prepared, golds: Mapping[str, tuple[Gold, ...]], answered: set[str]) -> list[str]:
    lines = []
    for question in prepared.questions:
        if question.id in answered and question.id in golds and not scorable(golds[question.id]):
            problems = [problem for gold in golds[question.id] for problem in gold.problems]
            lines.append(f"{question.id}: {problems[0] if problems else 'it has no gold'}")
    return lines

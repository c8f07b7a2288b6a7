"""
Scores answers against gold: the measures of appendix B of the EviLink paper.

docs/evaluation.md defines them.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

from msgspec.structs import replace

from linker.catalog.read_catalog import sibling_groups
from linker.evaluation import (
    EvaluationRun,
    Gold,
    GoldenQuestion,
    Level,
    Prediction,
    QuestionOutcome,
    Score,
)
from linker.evaluation.preparing import MergedDatabase, Prepared
from linker.evaluation.results import Results, read_results
from linker.identifiers.resolver import find
from linker.sql_analysis import MergedTables, Tables, read_sql
from linker.types import Catalog, ColumnRef, TableRef

Key = tuple[str, ...]


def column_key(ref: ColumnRef) -> Key:
    """Case-insensitive key of a column."""
    return (*table_key(ref.table), ref.path.casefold())


def table_key(ref: TableRef) -> Key:
    """Case-insensitive key of a table."""
    return (ref.schema.casefold(), ref.name.casefold())


def scorable(golds: Sequence[Gold]) -> tuple[Gold, ...]:
    """Golds without problems; others are not scored."""
    return tuple(gold for gold in golds if not gold.problems)


def score_prediction(
    prediction: Prediction,
    golds: Sequence[Gold],
    question: GoldenQuestion,
    catalog: Catalog,
    dialect: str,
) -> QuestionOutcome:
    """Score against the best-matching gold; at least one must be scorable."""
    columns, tables, _ = _best(prediction, golds)
    score = Score(dialect, question.difficulty, catalog.column_count, columns, tables)
    return QuestionOutcome(question, scorable(golds), prediction, score)


def best_gold(prediction: Prediction, golds: Sequence[Gold]) -> Gold:
    """
    The gold that the answer matches best: completeness, then recall, then F1; columns before
    tables.
    """
    return _best(prediction, golds)[2]


def returned_columns(prediction: Prediction) -> frozenset[Key]:
    """Columns of an answer without repetitions."""
    return frozenset(column_key(column.ref) for column in prediction.columns)


def returned_tables(prediction: Prediction) -> frozenset[Key]:
    """Tables of an answer, including those of its columns."""
    named = {table_key(ref) for ref in prediction.tables}
    return frozenset(named | {table_key(column.ref.table) for column in prediction.columns})


def missed_fields(prediction: Prediction, gold: Gold) -> tuple[tuple[ColumnRef, ...], ...]:
    """Gold fields without any returned column."""
    returned = returned_columns(prediction)
    return tuple(field for field in gold.fields if returned.isdisjoint(map(column_key, field)))


def _best(prediction: Prediction, golds: Sequence[Gold]) -> tuple[Level, Level, Gold]:
    usable = scorable(golds)
    if not usable:
        raise ValueError(f"no gold of question {prediction.question_id} can be scored")
    columns, tables = returned_columns(prediction), returned_tables(prediction)
    levels = []
    for gold in usable:
        fields = [set(map(column_key, field)) for field in gold.fields]
        choices = [set(map(table_key, choice)) for choice in gold.tables]
        levels.append((level(fields, columns), level(choices, tables), gold))
    return max(levels, key=lambda found: (_rank(found[0]), _rank(found[1])))


def _rank(reached: Level) -> tuple[bool, float, float]:
    return (reached.is_complete, reached.recall, reached.f1)


def level(fields: Sequence[Collection[Key]], returned: Collection[Key]) -> Level:
    """Measures of what was returned; each field is a set of alternatives."""
    choices = set(map(frozenset, fields))
    answer = set(returned)
    hits = sum(1 for choice in choices if choice & answer)
    relevant = len(answer.intersection(frozenset().union(*choices)))
    recall = _ratio(hits, len(choices))
    precision = _ratio(relevant, len(answer))
    return Level(
        is_complete=0 < hits == len(choices),
        recall=recall,
        precision=precision,
        f1=_ratio(2 * precision * recall, precision + recall),
        false_positive_rate=_ratio(len(answer) - relevant, len(answer)),
        count=len(answer),
    )


def _ratio(part: float, total: float) -> float:
    return part / total if total else 0.0


Groups = dict[Key, frozenset[TableRef]]


def groups_of(catalog: Catalog) -> Groups:
    """For each table its identical tables, itself included; omits unique tables."""
    groups: Groups = {}
    for group in sibling_groups(catalog.tables):
        refs = frozenset(catalog.tables[index].ref for index in group)
        groups.update({table_key(ref): refs for ref in refs})
    return groups


def fold(
    prediction: Prediction, golds: Sequence[Gold], groups: Groups
) -> tuple[Prediction, tuple[Gold, ...]]:
    """Answer and golds with one table per group of identical ones."""
    if not groups:
        return prediction, tuple(golds)
    standing: dict[frozenset[TableRef], TableRef] = {}

    def table(ref: TableRef) -> TableRef:
        group = groups.get(table_key(ref))
        return standing.setdefault(group, ref) if group else ref

    def column(ref: ColumnRef) -> ColumnRef:
        return ColumnRef(table(ref.table), ref.path)

    folded = replace(
        prediction,
        columns=tuple(
            replace(returned, ref=column(returned.ref)) for returned in prediction.columns
        ),
        tables=tuple(dict.fromkeys(table(ref) for ref in prediction.tables)),
        seen=tuple(
            (step, tuple(dict.fromkeys(map(column, refs)))) for step, refs in prediction.seen
        ),
    )
    return folded, tuple(_folded_gold(gold, table, column) for gold in golds)


def _folded_gold(
    gold: Gold, table: Callable[[TableRef], TableRef], column: Callable[[ColumnRef], ColumnRef]
) -> Gold:
    return Gold(
        fields=tuple(tuple(dict.fromkeys(map(column, field))) for field in gold.fields),
        tables=tuple(tuple(dict.fromkeys(map(table, choice))) for choice in gold.tables),
        problems=gold.problems,
    )


def derive_gold(sql: str, database: MergedTables) -> Gold:
    """Columns and tables read by correct SQL, possibly a script, as logical tables."""
    reads = read_sql(sql, Tables(database))
    return Gold(reads.fields, reads.tables, reads.problems)


def golds_of(question: GoldenQuestion, database: MergedDatabase) -> tuple[Gold, ...]:
    """Gold of a question: from its SQL, or from the columns given."""
    golds = tuple(derive_gold(sql, database) for sql in question.gold_sql)
    if question.gold_columns:
        golds += (_named_gold(question, database),)
    return golds


def _named_gold(question: GoldenQuestion, database: MergedDatabase) -> Gold:
    named = [find(name, database.catalog) for name in question.gold_columns]
    refs = [ref for ref in named if isinstance(ref, ColumnRef)]
    tables = dict.fromkeys(ref.table for ref in named)
    return Gold(fields=tuple((ref,) for ref in refs), tables=tuple((ref,) for ref in tables))


def all_golds(prepared: Prepared) -> dict[str, tuple[Gold, ...]]:
    """Golds of all answerable questions."""
    return {
        question.id: golds_of(question, prepared.database_by_name[question.database])
        for question in prepared.questions
        if question.is_answerable
    }


def score_file(
    prepared: Prepared, path: Path, golds: Mapping[str, tuple[Gold, ...]], label: str = ""
) -> EvaluationRun:
    """Score all answers of a file; questions without scorable gold are named."""
    results = read_results(path)
    questions = {question.id: question for question in prepared.questions}
    groups_by_database = {
        database.name: groups_of(database.catalog) for database in prepared.databases
    }
    outcomes: list[QuestionOutcome] = []
    unanswerable: list[Prediction] = []
    for prediction in results.predictions:
        question = questions.get(prediction.question_id)
        if question and not question.is_answerable:
            unanswerable.append(prediction)
        if question is None or not scorable(golds.get(question.id, ())):
            continue
        database = prepared.database_by_name[question.database]
        groups = groups_by_database[question.database]
        outcomes.append(
            score_prediction(
                *fold(prediction, golds[question.id], groups),
                question,
                database.catalog,
                database.dialect,
            )
        )
    return EvaluationRun(
        suite=prepared.suite.name,
        strategy=results.header.strategy,
        outcomes=tuple(outcomes),
        unscored=tuple(_unscored(results, golds)),
        label=label,
        unanswerable=tuple(unanswerable),
    )


def _unscored(results: Results, golds: Mapping[str, tuple[Gold, ...]]) -> Iterator[str]:
    answered = {prediction.question_id for prediction in results.predictions}
    for question_id, alternatives in golds.items():
        if question_id in answered and not scorable(alternatives):
            problems = chain.from_iterable(gold.problems for gold in alternatives)
            yield f"{question_id}: {next(problems, 'it has no gold')}"

"""
How good one answer is: enters a prediction with the golds of its question, leaves a score.

The definitions are those of appendix B of the EviLink paper, for columns and for tables alike.
With G the gold items and P the returned ones: recall is |G ∩ P| / |G|, precision |G ∩ P| / |P|, F1 their harmonic mean,
and an answer is complete when its recall is one.
A denominator of zero scores zero, an empty answer counts, and names compare case-insensitively.

The false-positive rate is that of "The Death of Schema Linking?": the share of what was returned that is irrelevant,
so it is one minus precision wherever anything was returned, and zero for an empty answer.
It is not the rate over all irrelevant columns of the schema, which is near zero for every linker on a large one.

Where a wildcard leaves a choice, a gold item is several columns of which any one counts:
it is found when one of them was returned, and each of them is relevant.
"""

from collections.abc import Collection, Sequence

from linker.evaluation.types import Gold, GoldenQuestion, Level, Prediction, QuestionOutcome, Score
from linker.types import Catalog, ColumnRef, TableRef

Key = tuple[str, ...]


def column_key(ref: ColumnRef) -> Key:
    """What two spellings of a column have in common."""
    return (*table_key(ref.table), ref.path.casefold())


def table_key(ref: TableRef) -> Key:
    """What two spellings of a table have in common."""
    return (ref.schema.casefold(), ref.name.casefold())


def scorable(golds: Sequence[Gold]) -> tuple[Gold, ...]:
    """The golds that were derived whole; an answer is scored against no others."""
    return tuple(gold for gold in golds if not gold.problems)


def score(
    prediction: Prediction,
    golds: Sequence[Gold],
    question: GoldenQuestion,
    catalog: Catalog,
    dialect: str,
) -> Score:
    """The score against that gold which the answer meets best; there must be one that can be scored."""
    columns, tables, _ = _best(prediction, golds)
    return Score(
        question_id=question.id,
        database=question.database,
        dialect=dialect,
        difficulty=question.difficulty,
        schema_size=catalog.column_count,
        columns=columns,
        tables=tables,
    )


def judge(
    prediction: Prediction,
    golds: Sequence[Gold],
    question: GoldenQuestion,
    catalog: Catalog,
    dialect: str,
) -> QuestionOutcome:
    """The score together with all that it was made of, for tables, plots and reports."""
    return QuestionOutcome(question, scorable(golds), prediction, score(prediction, golds, question, catalog, dialect))


def best_gold(prediction: Prediction, golds: Sequence[Gold]) -> Gold:
    """The gold that the answer meets best: complete before recall before F1, columns before tables."""
    usable = scorable(golds)
    return usable[0] if len(usable) == 1 else _best(prediction, usable)[2]


def returned_columns(prediction: Prediction) -> frozenset[Key]:
    """The columns of an answer; one that was named twice counts once."""
    return frozenset(column_key(column.ref) for column in prediction.columns)


def returned_tables(prediction: Prediction) -> frozenset[Key]:
    """The tables of an answer: those named, and those of its columns."""
    named = {table_key(ref) for ref in prediction.tables}
    return frozenset(named | {table_key(column.ref.table) for column in prediction.columns})


def missed_fields(prediction: Prediction, gold: Gold) -> tuple[tuple[ColumnRef, ...], ...]:
    """The gold fields of which no column was returned."""
    returned = returned_columns(prediction)
    return tuple(field for field in gold.fields if returned.isdisjoint(column_key(ref) for ref in field))


def _best(prediction: Prediction, golds: Sequence[Gold]) -> tuple[Level, Level, Gold]:
    usable = scorable(golds)
    if not usable:
        raise ValueError(f"no gold of question {prediction.question_id} can be scored")
    columns, tables = returned_columns(prediction), returned_tables(prediction)
    judged = [
        (
            level([[column_key(ref) for ref in field] for field in gold.fields], columns),
            level([[table_key(ref) for ref in choice] for choice in gold.tables], tables),
            gold,
        )
        for gold in usable
    ]
    return max(judged, key=lambda one: (_rank(one[0]), _rank(one[1])))


def _rank(one: Level) -> tuple[bool, float, float]:
    return (one.is_complete, one.recall, one.f1)


def level(fields: Sequence[Collection[Key]], returned: Collection[Key]) -> Level:
    """How good what was returned is, given what is right; each field is a choice of which any one counts."""
    choices = set(map(frozenset, fields))
    answer = set(returned)
    found = sum(1 for choice in choices if choice & answer)
    relevant = len(answer & {key for choice in choices for key in choice})
    recall = _ratio(found, len(choices))
    precision = _ratio(relevant, len(answer))
    return Level(
        is_complete=0 < found == len(choices),
        recall=recall,
        precision=precision,
        f1=_ratio(2 * precision * recall, precision + recall),
        false_positive_rate=_ratio(len(answer) - relevant, len(answer)),
        count=len(answer),
    )


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0

"""A question to learn from: what is known of it, and labels for every table and column."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from linker.evaluation.running import text_of
from linker.evaluation.scoring import column_key, scorable, table_key
from linker.evaluation.types import Gold, GoldenQuestion
from linker.ranking.known import Known
from linker.ranking.matching import Scores, Signals, gather, match
from linker.ranking.question import analyse
from linker.ranking.table_words import Floats
from linker.types import ColumnRef, Record

# Where a wildcard spans more tables than that, which of them was meant cannot be learned.
_MOST_ALTERNATIVES = 3


class Example(Record, frozen=True):
    """Evidence about a question, and the right columns and tables; places are those of the pool."""

    question_id: str
    database: str
    suite: str
    evidence: Scores
    table_labels: Floats
    column_labels: Floats
    table_importance: Floats
    column_importance: Floats
    choices: tuple[tuple[frozenset[int], ...], ...]
    stand_ins: Mapping[int, frozenset[int]]

    def is_complete(self, answer: frozenset[int]) -> bool:
        """
        Say whether an answer holds all that one right statement reads; of copies any one will do.
        """
        shown = answer.union(*(self.stand_ins.get(column, frozenset()) for column in answer))
        return any(_is_met(gold, shown) for gold in self.choices)


def _is_met(gold: Sequence[frozenset[int]], shown: frozenset[int]) -> bool:
    return bool(gold) and not any(choice.isdisjoint(shown) for choice in gold)


def example_of(
    suite: str, question: GoldenQuestion, known: Known, golds: Sequence[Gold], signals: Signals
) -> Example:
    """Everything about one question that does not depend on weights."""
    text = text_of(question, with_evidence=True)
    evidence = gather(known, match(analyse(text), known.lexicon, signals))
    column_at = {column_key(ref): place for place, ref in enumerate(known.lexicon.refs)}
    table_at = {table_key(table.ref): place for place, table in enumerate(known.lexicon.tables)}
    usable = [gold for gold in scorable(golds) if gold.fields]
    fields, tables = [], []
    for gold in usable:
        fields.append([_at(map(column_key, field), column_at) for field in gold.fields])
        tables.append([_at(map(table_key, choice), table_at) for choice in gold.tables])
    column_labels, column_importance = _labels(fields, len(known.lexicon.refs))
    table_labels, table_importance = _labels(tables, len(known.lexicon.tables))
    return Example(
        question_id=question.id,
        database=question.database,
        suite=suite,
        evidence=evidence,
        table_labels=table_labels,
        column_labels=column_labels,
        table_importance=table_importance,
        column_importance=column_importance,
        choices=tuple(tuple(gold) for gold in fields),
        stand_ins=_stand_ins(known, column_at),
    )


def _stand_ins(known: Known, places: Mapping[tuple[str, ...], int]) -> dict[int, frozenset[int]]:
    """By column of the pool the same columns of tables that are siblings of its own."""
    found: dict[int, frozenset[int]] = {}
    tables = known.lexicon.tables
    for group in known.siblings:
        for column in tables[group[0]].columns:
            keys = (column_key(ColumnRef(tables[table].ref, column.path)) for table in group)
            twins = _at(keys, places)
            found.update(dict.fromkeys(twins, twins))
    return found


def _at(keys: Iterable[tuple[str, ...]], places: Mapping[tuple[str, ...], int]) -> frozenset[int]:
    return frozenset(places[key] for key in keys if key in places)


def _labels(golds: Sequence[Sequence[frozenset[int]]], size: int) -> tuple[Floats, Floats]:
    """
    Labels: the first gold is right; what only others read, or many alternatives, is neither right
    nor wrong.
    """
    labels, importance = np.zeros(size, dtype=np.float32), np.ones(size, dtype=np.float32)
    for gold in golds:
        for choice in gold:
            importance[list(choice)] = 0.0
    for choice in golds[0] if golds else ():
        if 0 < len(choice) <= _MOST_ALTERNATIVES:
            labels[list(choice)] = 1.0
            importance[list(choice)] = 1.0
    return labels, importance

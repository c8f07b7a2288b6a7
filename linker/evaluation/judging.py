"""
Verdicts on SQL: how right the rows of a written statement are.

The statement is written as for a person; it and the right ones run in the guarded session. Rows
count as often as they come. Their order counts only where the question asks for one and the right
statement orders, and not among those that it puts in one place. Columns may change places, and
their names do not matter.
"""

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import get_args

import sqlglot
from msgspec.structs import replace
from sqlglot import exp

from linker.budget import Cost
from linker.environment import Environment
from linker.evaluation.types import GoldenQuestion, JudgedSql, Prediction, Verdict
from linker.guard import ProbeLimits
from linker.link.answer import LinkedSchema
from linker.sql.answering import answer_in_sql
from linker.sql.candidates import STEP
from linker.sql.comparing import Row, SameRows, asks_for_order, holds_columns, same_rows
from linker.sql.records import Attempt, SqlAnswer
from linker.sql.statements import Statements

# A right statement that gives more rows is as one that does not run.
MOST_ROWS = 5000


def with_sql(
    prediction: Prediction, question: GoldenQuestion, schema: LinkedSchema, environment: Environment
) -> Prediction:
    """The answer with its statement, and the verdict on that."""
    answer = answer_in_sql(schema, environment)
    limits = ProbeLimits(MOST_ROWS, environment.settings.sql_seconds)
    statements = Statements(schema, environment.warehouse, limits, lambda: None)
    spent = sum((step.cost for step in answer.cost if step.step == STEP), Cost())
    verdict = _verdict(answer, question, statements)
    judged = JudgedSql(verdict, answer.confidence, spent.tokens, spent.calls)
    return replace(prediction, sql=answer.sql or None, judged=judged)


def _verdict(answer: SqlAnswer, question: GoldenQuestion, statements: Statements) -> Verdict:
    golds = [
        gold
        for gold in map(statements.attempt, question.gold_sql)
        if gold.result and not gold.result.is_cut
    ]
    if not asks_for_order(question.text):
        golds = [replace(gold, is_ordered=False) for gold in golds]
    if not golds:
        return "gold did not run"
    if not answer.sql:
        has_tried = any(candidate.attempts for candidate in answer.candidates)
        return "failed" if has_tried else "none written"
    written = statements.attempt(answer.sql).result
    if written is None:
        return "failed"
    found = {compare_rows(written.rows, gold, statements.dialect) for gold in golds}
    return next(verdict for verdict in get_args(Verdict) if verdict in found)


def compare_rows(written: Sequence[Row], gold: Attempt, dialect: str) -> Verdict:
    """The verdict on rows beside those of one right statement, which ran."""
    right = gold.result.rows if gold.result else ()
    same = partial(
        _same_place_by_place, ends=_ends_of_places(right, _sorting_columns(gold, dialect))
    )
    if len(written) != len(right):
        return "wrong"
    if same(written, right):
        return "right"
    if holds_columns(written, right, same):
        return "right" if len(written[0]) == len(right[0]) else "more columns"
    if holds_columns(right, written, same):
        return "fewer columns"
    is_told_otherwise = any(
        _differ_in_one_column(written, right, label, same) for label in _labels(gold, dialect)
    )
    return "other labels" if is_told_otherwise else "wrong"


def _differ_in_one_column(
    written: Sequence[Row], right: Sequence[Row], label: int, same: SameRows
) -> bool:
    """
    True if rows are the same without a label, which is another one in each row of either side.
    """
    labels, rest = _apart(right, label)
    if not len(written[0]) == len(right[0]) > 1 or len(labels) != len(right):
        return False
    others = (_apart(written, at) for at in range(len(written[0])))
    return any(len(found) == len(right) and same(bare, rest) for found, bare in others)


def _apart(rows: Sequence[Row], place: int) -> tuple[set[object], list[Row]]:
    return {row[place] for row in rows}, [(*row[:place], *row[place + 1 :]) for row in rows]


def _labels(gold: Attempt, dialect: str) -> list[int]:
    """Places of what a statement groups by and works out, as the month of a day."""
    tree = sqlglot.parse_one(gold.sql, read=dialect)
    if not isinstance(tree, exp.Query) or not tree.args.get("group"):
        return []
    places = _places(tree)
    found = [places.get(key.sql().casefold(), -1) for key in tree.args["group"].expressions]
    return [
        at for at in found if at >= 0 and not isinstance(tree.selects[at].unalias(), exp.Column)
    ]


def _same_place_by_place(first: Sequence[Row], second: Sequence[Row], ends: Sequence[int]) -> bool:
    return all(
        same_rows(first[start:end], second[start:end], ordered=False)
        for start, end in pairwise(ends)
    )


def _ends_of_places(rows: Sequence[Row], columns: Sequence[int]) -> list[int]:
    """
    The bounds of the runs of rows that an order does not tell apart; all are one run without an
    order.
    """
    keys = [_only(row, columns) for row in rows]
    differ = [
        at for at in range(1, len(rows)) if not same_rows([keys[at - 1]], [keys[at]], ordered=True)
    ]
    return [0, *differ, len(rows)]


def _only(row: Row, columns: Sequence[int]) -> Row:
    return tuple(row[column] for column in columns)


def _sorting_columns(gold: Attempt, dialect: str) -> Sequence[int]:
    """
    Places of the columns that a statement orders by, none without an order; all where it orders by
    another thing.
    """
    tree = sqlglot.parse_one(gold.sql, read=dialect)
    if (
        not gold.is_ordered
        or not isinstance(tree, exp.Query)
        or not gold.result
        or not gold.result.rows
    ):
        return ()
    places = _places(tree)
    found = [places.get(key.this.sql().casefold(), -1) for key in tree.args["order"].expressions]
    width = len(gold.result.rows[0])
    return range(width) if -1 in found or len(tree.selects) != width else found


def _places(tree: exp.Query) -> dict[str, int]:
    """The places of what a statement selects, by number, name and words."""
    places: dict[str, int] = {}
    for place, select in enumerate(tree.selects):
        for key in (place + 1, select.alias_or_name, select.unalias().sql()):
            places[str(key).casefold()] = place
    return places

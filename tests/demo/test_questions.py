"""
Every question of the demo can be answered by its gold SQL, and the kinds that are hard are all
there.
"""

from collections import Counter

import duckdb
import pytest

from linker.demo.prepare import DemoQuestion, demo_questions, tour_questions

QUESTIONS = demo_questions()
STATEMENTS = [
    (question, number) for question in QUESTIONS for number in range(len(question.gold_sql))
]


def test_there_are_forty_questions_of_all_kinds_with_names_of_their_own() -> None:
    assert len(QUESTIONS) >= 40
    assert len({question.key for question in QUESTIONS}) == len(QUESTIONS)
    kinds = Counter(question.kind for question in QUESTIONS)
    assert set(kinds) == {"plain", "value", "bridge", "two_answers", "unanswerable"}
    assert min(kinds.values()) >= 4


@pytest.mark.parametrize(
    ("question", "number"), STATEMENTS, ids=lambda one: getattr(one, "key", str(one))
)
def test_the_gold_statement_returns_rows(
    question: DemoQuestion, number: int, connection: duckdb.DuckDBPyConnection
) -> None:
    rows = connection.execute(question.gold_sql[number]).fetchall()
    assert rows
    assert any(value is not None for row in rows for value in row)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.key)
def test_a_question_has_as_many_gold_statements_as_its_kind_says(question: DemoQuestion) -> None:
    if question.kind == "unanswerable":
        assert question.gold_sql == ()
        assert question.missing
    else:
        assert len(question.gold_sql) >= (2 if question.kind == "two_answers" else 1)
        assert question.missing is None


def test_the_tour_has_three_questions_and_each_can_be_answered() -> None:
    assert len(tour_questions()) == 3
    assert all(question.gold_sql for question in tour_questions())

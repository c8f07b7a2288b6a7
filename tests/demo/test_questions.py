"""Every demo question is answerable by its gold SQL, and all hard kinds occur."""

from collections import Counter

import duckdb

from linker.demo.questions import demo_questions, tour_questions

QUESTIONS = demo_questions()


def test_there_are_forty_questions_of_all_kinds_with_names_of_their_own() -> None:
    assert len(QUESTIONS) >= 40
    assert len({question.key for question in QUESTIONS}) == len(QUESTIONS)
    kinds = Counter(question.kind for question in QUESTIONS)
    assert set(kinds) == {"plain", "value", "bridge", "two_answers", "unanswerable"}
    assert min(kinds.values()) >= 4


def test_every_gold_statement_returns_rows(connection: duckdb.DuckDBPyConnection) -> None:
    empty = []
    for question in QUESTIONS:
        for sql in question.gold_sql:
            rows = connection.execute(sql).fetchall()
            if all(value is None for row in rows for value in row):
                empty.append((question.key, sql))
    assert empty == []


def test_a_question_has_as_many_gold_statements_as_its_kind_says() -> None:
    fewest = {"two_answers": 2, "unanswerable": 0}
    for question in QUESTIONS:
        count = len(question.gold_sql)
        assert count >= fewest.get(question.kind, 1), question.key
        assert (count == 0) == (question.kind == "unanswerable"), question.key
        assert (question.missing is not None) == (question.kind == "unanswerable"), question.key
        assert question.missing != "", question.key


def test_the_tour_has_three_questions_and_each_can_be_answered() -> None:
    assert len(tour_questions()) == 3
    assert all(question.gold_sql for question in tour_questions())

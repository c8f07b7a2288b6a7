"""Metrics on examples worked out by hand, and their invariants."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linker.evaluation import Gold, Level, Prediction
from linker.evaluation.scoring import best_gold, level, missed_fields, score_prediction
from tests.evaluations import answer, asked, catalog, column, gold, table


def scored(prediction: Prediction, *golds: Gold) -> Level:
    return score_prediction(prediction, golds, asked(), catalog(), "sqlite").score.columns


def test_half_of_the_gold_and_a_third_of_the_answer_is_right() -> None:
    # Gold a, b; answer a, x, y: one of two found, one of three right, F1 = 2 · 1/2 · 1/3 / (5/6) =
    # 2/5.
    found = scored(answer("t.a", "t.x", "t.y"), gold("t.a", "t.b"))
    assert not found.is_complete
    assert (found.recall, found.precision, found.count) == pytest.approx((1 / 2, 1 / 3, 3))
    assert found.f1 == pytest.approx(0.4)
    assert found.false_positive_rate == pytest.approx(2 / 3)


def test_an_answer_with_all_gold_columns_is_complete_however_much_else_it_has() -> None:
    found = scored(answer("t.b", "t.x", "t.a", "u.y"), gold("t.a", "t.b"))
    assert found.is_complete
    assert (found.recall, found.precision) == (1.0, 0.5)
    assert found.f1 == pytest.approx(2 / 3)


def test_an_empty_answer_counts_and_scores_zero() -> None:
    assert scored(answer(), gold("t.a")) == Level(False, 0.0, 0.0, 0.0, 0.0, 0)


def test_a_gold_of_no_columns_scores_zero_as_its_denominator_is_zero() -> None:
    assert scored(answer("t.a"), Gold((), ())) == Level(False, 0.0, 0.0, 0.0, 1.0, 1)


def test_an_answer_without_any_gold_column_has_an_f1_of_zero() -> None:
    assert scored(answer("t.x"), gold("t.a")).f1 == 0.0


def test_names_compare_case_insensitively() -> None:
    assert scored(answer("Orders.CITY"), gold("orders.City")).is_complete


def test_a_column_that_is_returned_twice_counts_once() -> None:
    found = scored(answer("t.a", "T.A"), gold("t.a"))
    assert (found.precision, found.count) == (1.0, 1)


def test_one_alternative_is_enough_and_each_is_right() -> None:
    # Gold: (p.x or q.x), p.y. Both alternatives and y returned, with one wrong column: 2 of 2
    # found, 3 of 4 right.
    found = scored(answer("p.x", "q.x", "p.y", "p.z"), gold("p.x|q.x", "p.y"))
    assert found.is_complete
    assert found.precision == 0.75
    assert scored(answer("q.x", "p.y"), gold("p.x|q.x", "p.y")).is_complete


def test_the_level_of_tables_counts_tables_and_their_alternatives() -> None:
    # Gold tables: orders, and one of (p, q). Answer: orders, q, r.
    tables = score_prediction(
        answer("orders.a", "q.x", "r.y"),
        [gold("orders.a", "p.x|q.x")],
        asked(),
        catalog(),
        "sqlite",
    ).score.tables
    assert tables.is_complete
    assert (tables.recall, tables.precision, tables.count) == pytest.approx((1, 2 / 3, 3))


def test_a_table_that_is_named_without_columns_counts_as_returned() -> None:
    named = answer("a.x", tables=(table("a"), table("b")))
    assert score_prediction(
        named, [gold("a.x", "b.y")], asked(), catalog(), "sqlite"
    ).score.tables.is_complete


def test_a_question_with_several_right_statements_takes_the_best_of_them() -> None:
    far, near = gold("t.a", "t.b", "t.c"), gold("t.a", "t.d")
    prediction = answer("t.a", "t.d")
    assert scored(prediction, far, near).is_complete
    assert best_gold(prediction, [far, near]) == near


def test_a_complete_answer_to_a_small_gold_beats_a_nearly_complete_one_to_a_large_gold() -> None:
    large, small = gold(*(f"t.c{number}" for number in range(10))), gold("t.c0")
    prediction = answer(*(f"t.c{number}" for number in range(9)))
    assert best_gold(prediction, [large, small]) == small


def test_a_gold_with_problems_is_not_scored_against() -> None:
    broken = gold("t.a", problems=["cannot be parsed"])
    assert not scored(answer("t.a"), broken, gold("t.a", "t.b")).is_complete
    with pytest.raises(ValueError, match="no gold of question q1"):
        scored(answer("t.a"), broken)


def test_the_score_says_where_the_question_belongs() -> None:
    question = asked("q7", database="bank", difficulty="hard")
    found = score_prediction(
        answer("t.a", question="q7"), [gold("t.a")], question, catalog(12), "snowflake"
    ).score
    assert (found.dialect, found.difficulty, found.schema_size) == ("snowflake", "hard", 12)


def test_missed_fields_are_those_of_which_no_alternative_was_returned() -> None:
    wanted = gold("t.a", "p.x|q.x", "t.b")
    assert missed_fields(answer("t.A", "t.c"), wanted) == (
        (column("p.x"), column("q.x")),
        (column("t.b"),),
    )


NAMES = st.integers(0, 9).map(lambda number: (f"c{number}",))
FIELDS = st.lists(st.frozensets(NAMES, min_size=1, max_size=3), max_size=6)
ANSWERS = st.lists(NAMES, max_size=10)


@given(FIELDS, ANSWERS)
def test_every_metric_lies_between_zero_and_one(
    fields: list[frozenset[tuple[str]]], returned: list[tuple[str]]
) -> None:
    found = level(fields, returned)
    for value in (found.recall, found.precision, found.f1, found.false_positive_rate):
        assert 0 <= value <= 1
    assert found.is_complete == (found.recall == 1)
    assert found.count == 0 or found.precision + found.false_positive_rate == pytest.approx(1)


@given(FIELDS, ANSWERS)
def test_adding_a_wrong_column_raises_nothing(
    fields: list[frozenset[tuple[str]]], returned: list[tuple[str]]
) -> None:
    before, after = level(fields, returned), level(fields, [*returned, ("wrong",)])
    assert after.precision <= before.precision
    assert after.f1 <= before.f1
    assert after.recall == before.recall
    assert after.false_positive_rate >= before.false_positive_rate


@given(FIELDS, ANSWERS, NAMES)
def test_adding_any_column_never_lowers_recall(
    fields: list[frozenset[tuple[str]]], returned: list[tuple[str]], more: tuple[str]
) -> None:
    assert level(fields, [*returned, more]).recall >= level(fields, returned).recall


@given(FIELDS, ANSWERS, st.randoms())
def test_the_order_of_answer_and_gold_does_not_matter(
    fields: list[frozenset[tuple[str]]], returned: list[tuple[str]], random: object
) -> None:
    mixed_fields, mixed = list(fields), list(returned)
    random.shuffle(mixed_fields)  # type: ignore[attr-defined]
    random.shuffle(mixed)  # type: ignore[attr-defined]
    assert level(mixed_fields, mixed) == level(fields, returned)

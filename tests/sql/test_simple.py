"""Simple questions without a language model, on the rows of the shop; the values are worked out by hand."""

from pathlib import Path

import pytest

from linker.sql.answering import answer_in_sql
from linker.sql.records import Cells, SqlAnswer
from linker.strategies.evilink import EvilinkStrategy
from tests.linking.shop import ShopEnvironment


def answered(shop: Path, question: str) -> SqlAnswer:
    with ShopEnvironment(shop) as environment:
        return answer_in_sql(EvilinkStrategy().link(question, environment), environment)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("How many customers are there in Denmark?", {(2,)}),
        ("How many paid orders are there?", {(2,)}),
        ("What is the total amount of orders with status paid?", {(17.75,)}),
        # Ada paid 10.5 and left 20 open, Cyd cancelled 99.
        ("What is the total amount of orders of customers in Denmark?", {(129.5,)}),
        ("What is the total amount of orders for each country of customers?", {("Denmark", 129.5), ("France", 7.25)}),
        ("Average amount of orders per status", {("paid", 8.875), ("open", 20.0), ("cancelled", 99.0)}),
        ("What is the highest amount of orders?", {(99.0,)}),
        ("Which customer has the most orders?", {("Ada",)}),
        ("How many orders have an amount of more than 15?", {(2,)}),
        # The order of Cyd is one of four; joined, the customer is counted once.
        ("How many customers have cancelled orders?", {(1,)}),
    ],
)
def test_a_question_that_is_accounted_for_is_answered(shop: Path, question: str, rows: set[Cells]) -> None:
    answer = answered(shop, question)
    assert (answer.outcome, answer.writer, answer.doubts, answer.open_words) == ("answered", "rules", (), ())
    assert answer.result is not None
    assert set(answer.result.rows) == rows
    assert len(answer.result.rows) == len(rows)
    assert answer.used


def test_a_word_without_a_meaning_is_named_and_nothing_is_certain(shop: Path) -> None:
    answer = answered(shop, "What is the total amount of glorious orders with status paid?")
    assert answer.open_words == ("glorious",)
    assert answer.outcome in ("draft", "needs_model")


@pytest.mark.parametrize(
    "question", ["What share of customers is in Denmark?", "Which customers are both in Denmark and in France?"]
)
def test_what_no_rule_covers_is_left_to_a_model_and_not_guessed(shop: Path, question: str) -> None:
    answer = answered(shop, question)
    assert (answer.outcome, answer.sql, answer.result) == ("needs_model", "", None)
    assert "a language model is needed" in answer.missing


def test_the_first_row_is_not_certain_where_others_share_its_place(shop: Path) -> None:
    # Bob and Cyd have one order each.
    answer = answered(shop, "Which customer has the least orders?")
    assert (answer.outcome, answer.doubts) == ("draft", ("others share the last place",))


def test_groups_that_what_is_shown_beside_them_splits_into_single_rows_are_not_certain(shop: Path) -> None:
    answer = answered(shop, "List the status, the order id and the number of orders for each status.")
    assert answer.result is not None
    assert set(answer.result.rows) == {("paid", 1, 1), ("open", 2, 1), ("paid", 3, 1), ("cancelled", 4, 1)}
    assert (answer.outcome, answer.doubts) == ("draft", ("every group has one row",))


def test_masked_values_stay_masked_and_hidden_columns_do_not_exist(shop: Path) -> None:
    masked = answered(shop, "What is the email of customers in France?")
    assert masked.result is not None
    assert masked.result.rows == (("(masked)",),)
    assert [str(ref) for ref in masked.masked] == ["crm.customers.email"]
    assert (masked.outcome, masked.doubts) == ("draft", ("crm.customers.email: the values are masked",))
    hidden = answered(shop, "What is the password hash of customers?")
    assert hidden.result is None
    assert "SECRET" not in repr(masked) + repr(hidden)

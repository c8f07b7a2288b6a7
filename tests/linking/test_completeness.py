"""The target recall setting: requests to the model and additional columns."""

from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from linker.linking.result import LinkedSchema
from linker.models import Prompt
from tests.linking.rules import shown
from tests.linking.test_size import asked, generated, prompts

ORDERS = "department_0.orders"
CUSTOMERS = "department_0.customers"


def one(*columns: str, maybe: tuple[str, ...] = ()) -> Any:
    """A model with a single hypothesis."""

    def answer(prompt: Prompt, kind: type[BaseModel]) -> Any:
        named = [{"table": ORDERS, "columns": list(maybe)}] if maybe else []
        return {
            "hypotheses": [
                {"summary": "amounts", "tables": [{"table": ORDERS, "columns": list(columns)}]}
            ],
            "maybe": named,
        }

    return answer


def two(prompt: Prompt, kind: type[BaseModel]) -> Any:
    """A model with two hypotheses, which decides nothing."""
    if "disputed" in shown(prompt):
        return {}
    ways = [
        [{"table": ORDERS, "columns": ["order_amount"]}],
        [{"table": CUSTOMERS, "columns": ["customer_amount"]}],
    ]
    return {
        "hypotheses": [{"summary": f"way {at}", "tables": tables} for at, tables in enumerate(ways)]
    }


def columns_of(schema: LinkedSchema) -> Counter[str]:
    """The columns of an answer by what became of them."""
    return Counter(str(column.status) for linked in schema.tables for column in linked.columns)


def test_hypotheses_alone_are_the_answer_where_nothing_besides_is_asked_for(tmp_path: Path) -> None:
    schema = asked(tmp_path, one("order_amount"), 5_000, recall=0.0)
    assert [str(linked.table.ref) for linked in schema.tables] == [ORDERS]
    assert [column.column.path for column in schema.tables[0].columns] == ["order_amount"]
    assert schema.complete is None
    assert "Leave `maybe` empty" in prompts(tmp_path, schema)[0]


def test_a_wish_for_completeness_brings_further_columns_as_undecided_and_says_how_complete_it_is(
    tmp_path: Path,
) -> None:
    schema = asked(tmp_path, one("order_amount", maybe=("order_price",)), 5_000, recall=0.97)
    found = columns_of(schema)
    assert found["pending"] > 1
    assert sum(found.values()) - found["pending"] == 1
    assert 0 < (schema.complete or 0) < 1
    assert "generously" in prompts(tmp_path, schema)[0]


@pytest.mark.parametrize("budget", [5, 20])
def test_further_columns_keep_to_the_budget(tmp_path: Path, budget: int) -> None:
    schema = asked(tmp_path, one("order_amount"), 5_000, recall=1.0, column_budget=budget)
    assert sum(columns_of(schema).values()) == budget


def test_a_more_complete_answer_holds_all_of_a_less_complete_one(tmp_path: Path) -> None:
    answers = []
    for recall in (0.0, 0.5, 0.9, 1.0):
        schema = asked(tmp_path, one("order_amount"), 5_000, recall=recall)
        answers.append(
            {
                (linked.table.ref, column.column.path)
                for linked in schema.tables
                for column in linked.columns
            }
        )
    assert all(less <= more for less, more in pairwise(answers))


@pytest.mark.parametrize("recall", [None, 0.0, 0.9])
def test_what_hypotheses_disagree_about_is_kept_without_a_turn_where_nothing_new_can_be_shown(
    tmp_path: Path, recall: float | None
) -> None:
    """Nothing of this catalogue was measured."""
    schema = asked(tmp_path, two, 5_000, recall=recall)
    assert len(prompts(tmp_path, schema)) == 1
    assert {"order_amount", "customer_amount"} <= {
        column.column.path for linked in schema.tables for column in linked.columns
    }


def test_a_star_stands_for_all_columns_of_its_table(tmp_path: Path) -> None:
    schema = asked(tmp_path, one("*"), 5_000, recall=0.0)
    table = next(table for table in generated(5_000).tables if str(table.ref) == ORDERS)
    assert {column.column.path for column in schema.tables[0].columns} == {
        column.path for column in table.columns
    }

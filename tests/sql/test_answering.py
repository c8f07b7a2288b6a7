"""The whole way to an answer in SQL with a model that answers by a rule: votes, corrections, ties, limits, dry runs."""

from pathlib import Path
from threading import Lock
from typing import Any

import pytest
from pydantic import BaseModel

from linker.errors import ModelError
from linker.models import Prompt
from linker.replay import read_trace
from linker.sql.answering import answer_in_sql
from linker.sql.candidates import SaidChoice, SaidSql
from linker.sql.records import SqlAnswer
from linker.sql.traced import sql_of
from linker.strategies.evilink import EvilinkStrategy
from tests.linking.rules import careful
from tests.linking.shop import QUESTION, ShopEnvironment

RIGHT = """select sum(orders.amount) from sales.orders join crm.customers using (customer_id)
where orders.status = 'paid' and customers.country = 'Denmark'"""
SAME = "select sum(amount) as total from sales.orders where status = 'paid' and customer_id in (1, 3)"
OTHER = "select sum(amount) from sales.orders"
BROKEN = "select sum(amount) / nothing from sales.orders"
SECRET = "select password_hash from crm.customers"


class Writer:
    """Links as `careful` does, and writes the statements of a script in turn; keeps the prompts about SQL."""

    def __init__(self, *statements: str, corrected: str = RIGHT, better: str = "second") -> None:
        self._statements, self._corrected, self._better = iter(statements), corrected, better
        self._lock = Lock()
        self.prompts: list[Prompt] = []

    def __call__(self, prompt: Prompt, answer: type[BaseModel]) -> object:
        if answer not in (SaidSql, SaidChoice):
            return careful(prompt, answer)
        with self._lock:
            self.prompts.append(prompt)
            if answer is SaidChoice:
                return {"better": self._better}
            is_correction = prompt.instructions.startswith("You mend")
            return {"sql": self._corrected if is_correction else next(self._statements)}


def answered(shop: Path, rule: Any, *, is_dry: bool = False, **settings: Any) -> SqlAnswer:
    with ShopEnvironment(shop, rule, **settings) as environment:
        return answer_in_sql(EvilinkStrategy().link(QUESTION, environment), environment, is_dry=is_dry)


def test_the_rows_that_most_candidates_give_are_the_answer(shop: Path) -> None:
    writer = Writer(RIGHT, OTHER, SAME, RIGHT, SAME)
    answer = answered(shop, writer)
    assert (answer.outcome, answer.writer, answer.votes, answer.of) == ("answered", "model", 4, 5)
    assert answer.confidence == pytest.approx(57 / 64)
    assert answer.result is not None
    # Of the paid orders Ada's of 10.5 is from Denmark, Bob's is not.
    assert answer.result.rows == ((10.5,),)
    assert {"sales.orders.amount", "sales.orders.status"} <= {str(ref) for ref in answer.used}
    # The first is what the model finds likeliest, the others are drawn.
    assert sorted(one.temperature for one in writer.prompts) == [0.0, 0.8, 0.8, 0.8, 0.8]


def test_what_fails_is_corrected_with_the_words_of_the_warehouse_at_most_five_times_in_all(shop: Path) -> None:
    writer = Writer(*[BROKEN] * 5, corrected=BROKEN)
    answer = answered(shop, writer)
    corrections = [one for one in writer.prompts if one.instructions.startswith("You mend")]
    assert len(corrections) == 5
    assert all("nothing" in one.content for one in corrections)
    # Nothing that the model wrote ran; the rules know this question.
    assert answer.writer == "rules"
    assert any("simple one was tried" in warning for warning in answer.warnings)


def test_a_corrected_candidate_votes(shop: Path) -> None:
    answer = answered(shop, Writer(BROKEN, RIGHT, SAME), sql_candidates=3)
    assert (answer.votes, answer.of) == (3, 3)
    assert sorted(len(one.attempts) for one in answer.candidates) == [1, 1, 2]


def test_the_guard_refuses_hidden_columns_and_the_refusal_is_told_to_the_model(shop: Path) -> None:
    writer = Writer(SECRET, RIGHT)
    answer = answered(shop, writer, sql_candidates=2)
    [correction] = [one for one in writer.prompts if one.instructions.startswith("You mend")]
    assert "refused" in correction.content
    assert "SECRET-" not in repr(answer)
    assert answer.votes == 2


def test_between_equally_many_votes_the_model_chooses_and_the_answer_stays_a_draft(shop: Path) -> None:
    answer = answered(shop, Writer(OTHER, RIGHT, OTHER, RIGHT, better="second"), sql_candidates=4)
    assert (answer.outcome, answer.votes, answer.of) == ("draft", 2, 4)
    assert answer.result is not None
    shown = [one for one in answer.candidates if one.last and one.last.sql == answer.sql]
    # Numbers follow who asked first; whichever came second among the groups was called better.
    assert min(one.number for one in shown) > 1


def test_a_dry_run_executes_nothing(shop: Path) -> None:
    for rule in (Writer(RIGHT), None):
        answer = answered(shop, rule, is_dry=True, max_probes=0)
        assert (answer.outcome, answer.result) == ("written", None)
        assert answer.runs
        assert sum(one.cost.probes for one in answer.cost) == 0


def test_the_cost_of_linking_counts_against_the_same_limits(shop: Path) -> None:
    answer = answered(shop, Writer(*[RIGHT] * 5), max_calls=9)
    assert sum(one.cost.calls for one in answer.cost) <= 9
    assert any("9 calls" in warning for warning in answer.warnings)


def test_a_model_that_fails_leaves_the_question_to_the_rules_and_says_so(shop: Path) -> None:
    def failing(prompt: Prompt, answer: type[BaseModel]) -> object:
        if answer is SaidSql:
            raise ModelError("the model is away", hint="try later", code="unavailable")
        return careful(prompt, answer)

    answer = answered(shop, failing)
    assert answer.writer == "rules"
    assert any("5 of 5 candidates are missing: the model is away" in warning for warning in answer.warnings)


def test_the_trace_holds_the_linking_the_candidates_and_the_answer(shop: Path) -> None:
    answer = answered(shop, Writer(RIGHT, SAME, OTHER), sql_candidates=3)
    record = read_trace(shop / "state", answer.trace)
    events = {one["event"] for one in record.events}
    assert {"begin", "groundings", "call", "end", "candidates", "groups", "sql"} <= events
    assert sql_of(record) == answer


def test_the_words_of_the_warehouse_are_fenced_as_data(shop: Path) -> None:
    writer = Writer(RIGHT)
    answered(shop, writer, sql_candidates=1)
    [prompt] = writer.prompts
    assert '<data name="schema">' in prompt.content
    assert "The warehouse is DuckDB" in prompt.instructions
    assert QUESTION not in prompt.instructions

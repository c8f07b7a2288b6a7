"""SQL answers end to end with a rule as model, and without a model."""

from pathlib import Path
from threading import Lock
from typing import Any, cast

import pytest
from msgspec.structs import replace
from pydantic import BaseModel

from linker.errors import ModelError
from linker.linking.actions import PanoramaReply
from linker.linking.assemble_result import read_trace
from linker.linking.result import Alternative, Discarded, LinkedSchema, Unanswerable
from linker.models import Prompt
from linker.pipeline import link
from linker.sql import SqlAnswer, sql_of
from linker.sql.answering import answer_in_sql
from linker.sql.candidates import CandidateRequest, ChoiceReply, SqlReply
from linker.strategies import AutoStrategy
from linker.types import ColumnRef, TableRef
from tests.linking.rules import careful
from tests.linking.shop import QUESTION, ShopEnvironment

RIGHT = """select sum(orders.amount) from sales.orders join crm.customers using (customer_id)
where orders.status = 'paid' and customers.country = 'Denmark'"""
SAME = (
    "select sum(amount) as total from sales.orders where status = 'paid' and customer_id in (1, 3)"
)
OTHER = "select sum(amount) from sales.orders"
BROKEN = "select sum(amount) / nothing from sales.orders"
SECRET = "select password_hash from crm.customers"


class Writer:
    """Links as `careful`, returns scripted statements, and records SQL prompts."""

    def __init__(self, *statements: str, corrected: str = RIGHT, better: str = "second") -> None:
        self._statements, self._corrected, self._better = iter(statements), corrected, better
        self._lock = Lock()
        self.prompts: list[Prompt] = []

    def __call__(self, prompt: Prompt, answer: type[BaseModel]) -> object:
        if answer not in (SqlReply, ChoiceReply):
            return careful(prompt, answer)
        with self._lock:
            self.prompts.append(prompt)
            if answer is ChoiceReply:
                return {"better": self._better}
            is_correction = prompt.instructions.startswith("You mend")
            return {"sql": self._corrected if is_correction else next(self._statements)}


def answered(shop: Path, rule: Any, *, is_dry: bool = False, **settings: Any) -> SqlAnswer:
    with ShopEnvironment(shop, rule, **settings) as environment:
        return answer_in_sql(
            link(QUESTION, environment, AutoStrategy()), environment, is_dry=is_dry
        )


def test_the_rows_that_most_candidates_give_are_the_answer(shop: Path) -> None:
    writer = Writer(RIGHT, OTHER, SAME, RIGHT, SAME)
    answer = answered(shop, writer)
    assert (answer.outcome, answer.votes, answer.of) == ("answered", 4, 5)
    # Three statements, of which two give these rows: of four throws at most two show heads.
    assert answer.confidence == pytest.approx(11 / 16)
    assert answer.result is not None
    # Of the paid orders Ada's of 10.5 is from Denmark, Bob's is not.
    assert answer.result.rows == ((10.5,),)
    assert {"sales.orders.amount", "sales.orders.status"} <= {str(ref) for ref in answer.used}
    # The first is what the model finds likeliest, the others are drawn.
    assert sorted(one.temperature for one in writer.prompts) == [0.0, 0.8, 0.8, 0.8, 0.8]


def test_what_fails_is_corrected_with_the_words_of_the_warehouse_at_most_five_times_in_all(
    shop: Path,
) -> None:
    writer = Writer(*[BROKEN] * 5, corrected=BROKEN)
    answer = answered(shop, writer)
    corrections = [one for one in writer.prompts if one.instructions.startswith("You mend")]
    assert len(corrections) == 5
    assert all("nothing" in one.content for one in corrections)
    assert (answer.outcome, answer.sql, answer.result) == ("failed", "", None)
    assert answer.missing.startswith("the language model gave no statement that runs: ")
    assert "nothing" in answer.missing


def test_no_more_than_three_candidates_are_written_where_those_give_the_same_rows(
    shop: Path,
) -> None:
    writer = Writer(RIGHT, SAME, RIGHT)
    answer = answered(shop, writer)
    assert (answer.outcome, answer.votes, answer.of) == ("answered", 3, 3)
    # Two of them are one text: P(Beta(3, 1) > 1/2) = 7/8.
    assert answer.confidence == pytest.approx(7 / 8)
    assert len(writer.prompts) == 3


def test_a_candidate_that_does_not_run_agrees_with_none(shop: Path) -> None:
    answer = answered(shop, Writer(RIGHT, BROKEN, SAME, RIGHT, SAME, corrected=BROKEN))
    assert (answer.votes, answer.of) == (4, 5)


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


def test_between_equally_many_votes_the_model_chooses_and_the_answer_stays_a_draft(
    shop: Path,
) -> None:
    answer = answered(shop, Writer(OTHER, RIGHT, OTHER, RIGHT, better="second"), sql_candidates=4)
    assert (answer.outcome, answer.votes, answer.of) == ("draft", 2, 4)
    assert answer.result is not None
    shown = [one for one in answer.candidates if one.last and one.last.sql == answer.sql]
    # Numbers follow who asked first; whichever came second among the groups was called better.
    assert min(one.number for one in shown) > 1


def test_a_result_of_nothing_is_looked_at_once_with_the_condition_that_empties_it(
    shop: Path,
) -> None:
    misspelt = "select sum(amount) from sales.orders where status = 'Paid' and amount > 1"
    writer = Writer(misspelt, misspelt, RIGHT, corrected=SAME)
    answer = answered(shop, writer, sql_candidates=3)
    [look] = [one for one in writer.prompts if one.instructions.startswith("You mend")]
    assert "It ran, and gave no row, or nothing but nulls." in look.content
    assert "Without status = 'Paid' it gives rows." in look.content
    assert "Without amount > 1" not in look.content
    assert (answer.outcome, answer.votes, answer.of) == ("answered", 3, 3)
    assert answer.result is not None
    assert answer.result.rows == ((10.5,),)


@pytest.mark.parametrize(
    ("counting", "is_looked_at"),
    [
        ("select count(*) from sales.orders where status = 'Paid'", True),
        ("select status, 0 as none from sales.orders", False),
        ("select count(*) > 100 as many from sales.orders", False),
    ],
)
def test_a_count_of_zero_is_looked_at_as_nothing_is_and_other_zeros_are_not(
    shop: Path, counting: str, *, is_looked_at: bool
) -> None:
    writer = Writer(counting, corrected=RIGHT)
    answered(shop, writer, sql_candidates=1)
    looks = [one.content for one in writer.prompts if one.instructions.startswith("You mend")]
    assert [
        ("gave nothing but zero" in look, "Without status = 'Paid' it gives" in look)
        for look in looks
    ] == ([(True, True)] if is_looked_at else [])


@pytest.mark.parametrize(
    ("compared", "near"),
    [
        ("o.status = 'canceled'", ["Near to o.status = 'canceled' there is cancelled."]),
        ("o.status = 'Paid'", ["Near to o.status = 'Paid' there is paid."]),
        ("o.status = 'open'", []),
        ("c.country like '%mark%'", ["Near to c.country LIKE '%mark%' there is Denmark."]),
        ("c.full_name = 'Xyz'", []),
        # Masked or hidden values are never looked up.
        ("c.email = 'ada@example.co'", []),
        ("o.ordered_on = '2025-01-09'", []),
    ],
)
def test_values_of_the_warehouse_near_a_text_that_none_has_are_shown(
    shop: Path, compared: str, near: list[str]
) -> None:
    joined = (
        "select sum(o.amount) as total from sales.orders o join crm.customers c using (customer_id)"
    )
    wrong = f"{joined} where {compared} and o.amount > 1000 group by o.status having count(*) > 0 order by total"
    writer = Writer(wrong, corrected=RIGHT)
    answered(shop, writer, sql_candidates=1)
    [look] = [one.content for one in writer.prompts if one.instructions.startswith("You mend")]
    assert [line for line in look.splitlines() if line.startswith("Near to")] == near


def test_what_is_truly_nothing_stays_the_answer_also_where_its_correction_does_not_run(
    shop: Path,
) -> None:
    nothing = "select order_id from sales.orders where status = 'lost'"
    for corrected in (nothing, BROKEN):
        answer = answered(shop, Writer(nothing, corrected=corrected), sql_candidates=1)
        assert (answer.outcome, answer.result and answer.result.rows) == ("answered", ())


def test_candidates_follow_another_plan_each_and_see_what_linking_found(shop: Path) -> None:
    writer = Writer(RIGHT, SAME, RIGHT)
    answered(shop, writer, sql_candidates=3)
    contents = sorted(one.content for one in writer.prompts)
    assert len(set(contents)) == 3
    assert sum("Work step by step" in content for content in contents) == 1
    assert sum("goes into `exists` or `in`" in content for content in contents) == 1
    assert all("crm.customers.country: holds Denmark" in content for content in contents)
    assert all(
        "“paid” may be the value paid of sales.orders.status" in content for content in contents
    )


def test_who_writes_sees_every_row_that_a_probe_of_linking_gave(shop: Path) -> None:
    probe = {
        "tool": "probe_sql",
        "sql": "select status, count(*) from sales.orders group by status order by status",
    }

    class Prober(Writer):
        def __call__(self, prompt: Prompt, answer: type[BaseModel]) -> object:
            reply = super().__call__(prompt, answer)
            return (
                {**reply, "look": [probe]}
                if isinstance(reply, dict) and reply.get("look")
                else reply
            )

    writer = Prober(RIGHT, RIGHT, RIGHT)
    answered(shop, writer)
    assert (
        f"Probe: {probe['sql']} -> 3 rows: cancelled | 1; open | 1; paid | 2\n"
        in writer.prompts[0].content
    )


def test_a_dry_run_executes_nothing(shop: Path) -> None:
    answer = answered(shop, Writer(RIGHT), is_dry=True, max_probes=0)
    assert (answer.outcome, answer.result) == ("written", None)
    assert answer.runs
    assert sum(one.cost.probes for one in answer.cost) == 0


def test_an_answer_that_shows_masked_values_is_a_draft(shop: Path) -> None:
    answer = answered(
        shop, Writer("select email from crm.customers where country = 'France'"), sql_candidates=1
    )
    assert answer.result is not None
    assert answer.result.rows == (("(masked)",),)
    assert [str(ref) for ref in answer.masked] == ["crm.customers.email"]
    assert (answer.outcome, answer.doubts) == (
        "draft",
        ("crm.customers.email: the values are masked",),
    )


def test_the_cost_of_linking_counts_against_the_same_limits(shop: Path) -> None:
    answer = answered(shop, Writer(*[RIGHT] * 5), max_calls=4)
    assert sum(one.cost.calls for one in answer.cost) <= 4
    assert any("4 calls" in warning for warning in answer.warnings)


def test_a_model_that_fails_gives_no_answer_and_says_why(shop: Path) -> None:
    def failing(prompt: Prompt, answer: type[BaseModel]) -> object:
        if answer is SqlReply:
            raise ModelError("the model is away", hint="try later", code="unavailable")
        return careful(prompt, answer)

    answer = answered(shop, failing)
    assert (answer.outcome, answer.sql) == ("failed", "")
    assert answer.missing == "the language model gave no statement that runs: the model is away"
    assert any(
        "3 of 3 candidates are missing: the model is away" in warning for warning in answer.warnings
    )


@pytest.mark.parametrize("is_dry", [False, True])
def test_without_a_model_there_is_no_statement_and_the_answer_says_that_one_is_needed(
    shop: Path, is_dry: bool
) -> None:
    answer = answered(shop, None, is_dry=is_dry)
    assert (answer.outcome, answer.sql, answer.result, answer.candidates) == (
        "needs_model",
        "",
        None,
        (),
    )
    assert "SQL needs a language model" in answer.missing
    assert sql_of(read_trace(shop / "state", answer.trace)) == answer


def test_what_the_warehouse_lacks_is_said_without_a_model_too(shop: Path) -> None:
    schema = LinkedSchema(
        "Does it rain?", "shop.dev", "evilink", (), unanswerable=Unanswerable("no table of weather")
    )
    with ShopEnvironment(shop) as environment:
        answer = answer_in_sql(schema, environment)
    assert (answer.outcome, answer.unanswerable, answer.missing) == (
        "unanswerable",
        schema.unanswerable,
        "",
    )


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


class Hypotheses(Writer):
    """Gives these hypotheses, and discards this column when it is asked to decide."""

    def __init__(self, *ways: tuple[str, str, str], discarded: str = "") -> None:
        super().__init__(*[RIGHT] * 5)
        self._ways, self._discarded = ways, discarded
        self.decisions: list[Prompt] = []

    def __call__(self, prompt: Prompt, answer: type[BaseModel]) -> object:
        if answer is not PanoramaReply:
            return super().__call__(prompt, answer)
        if "In `decide`:" in prompt.content:
            self.decisions.append(prompt)
            discard = {"tool": "discard", "items": [self._discarded], "reason": "not that one"}
            return {"decide": [discard]}
        hypotheses = []
        for summary, table, column in self._ways:
            columns = ["amount", "customer_id", column]
            hypotheses.append(
                {"summary": summary, "tables": [{"table": table, "columns": columns}]}
            )
        return {"hypotheses": hypotheses}


def test_a_single_hypothesis_reaches_who_writes_the_statement(shop: Path) -> None:
    writer = Hypotheses(("net amounts of paid orders", "sales.orders", "status"))
    answered(shop, writer)
    assert writer.prompts
    assert all("net amounts of paid orders" in prompt.content for prompt in writer.prompts)


def test_what_the_model_discarded_reaches_no_prompt_about_sql(shop: Path) -> None:
    archive = "sales.orders_archive"
    writer = Hypotheses(
        ("by the orders of today", "sales.orders", "status"),
        ("by the day in the archive", archive, "ordered_on"),
        discarded=f"{archive}.ordered_on",
    )
    with ShopEnvironment(shop, writer) as environment:
        schema = link("Total amount of orders in March 2025?", environment, AutoStrategy())
        answer_in_sql(schema, environment)
    [decision] = writer.decisions
    assert f"hypothesis 2, of {archive}: by the day in the archive" in decision.content
    assert f"{archive}.ordered_on" in decision.content
    assert "needed by hypothesis 2" in decision.content
    assert archive in {str(linked.table.ref) for linked in schema.tables}
    assert all("the archive" not in prompt.content for prompt in writer.prompts)
    assert all("by the orders of today" in prompt.content for prompt in writer.prompts)


def approaches(**changes: Any) -> tuple[list[dict[str, str]], LinkedSchema]:
    ref = TableRef("sales", "orders")
    status, amount = ColumnRef(ref, "status"), ColumnRef(ref, "amount")
    ways = (
        Alternative(1, "by status", tables=(ref,), columns=(status,)),
        Alternative(2, "by amount", tables=(ref,), columns=(amount,)),
    )
    schema = replace(
        LinkedSchema("Which?", "shop.dev", "evilink", (), alternatives=ways), **changes
    )
    asking = CandidateRequest(schema, cast("Any", None), cast("Any", None), cast("Any", None))
    return [asking.approach(number) for number in (1, 2, 3)], schema


def test_a_hypothesis_whose_column_was_discarded_is_followed_by_no_candidate() -> None:
    shown, schema = approaches()
    assert shown == [{"way": "by status"}, {"way": "by amount"}, {"way": "by status"}]
    lost = Discarded(ColumnRef(TableRef("sales", "orders"), "status"), "not that one")
    assert approaches(discarded=(lost,))[0] == [{"way": "by amount"}] * 3
    out = (replace(schema.alternatives[0], ruled_out="without it"), schema.alternatives[1])
    assert approaches(alternatives=out)[0] == [{"way": "by amount"}] * 3
    both = (lost, Discarded(ColumnRef(TableRef("sales", "orders"), "amount"), "nor that"))
    assert approaches(discarded=both)[0] == [{}] * 3

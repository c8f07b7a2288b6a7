"""The stepwise strategy end to end over real rows, with a rule as model."""

import json
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import duckdb
import pytest
from pydantic import BaseModel

from benchmarks.baselines.stepwise.judge import HypothesesReply, TurnReply
from benchmarks.baselines.stepwise.strategy import StepwiseStrategy
from linker.catalog.index_session import Index
from linker.catalog.warehouse import ProfiledWarehouse
from linker.environment import SharedPart
from linker.errors import ConfigError, ModelError, WarehouseError
from linker.linking.actions import ColumnsReply, TablesReply
from linker.linking.assemble_result import LinkRecord, list_traces, read_trace, replay
from linker.linking.result import LinkedSchema
from linker.models import Prompt
from linker.pipeline import link
from linker.warehouses import Warehouse
from tests.linking.rules import careful
from tests.linking.shop import QUESTION, Rule, ShopEnvironment, WordRetriever, build


def asked(shop: Path, rule: Rule, question: str = QUESTION, **settings: Any) -> LinkedSchema:
    with ShopEnvironment(shop, rule, **settings) as environment:
        return link(question, environment, StepwiseStrategy())


def names(schema: LinkedSchema) -> set[str]:
    return {
        f"{one.table.ref}.{linked.column.path}" for one in schema.tables for linked in one.columns
    }


def test_a_model_and_evidence_lead_to_an_explained_answer(shop: Path) -> None:
    schema = asked(shop, careful)
    assert schema.warnings == ()
    assert names(schema) >= {
        "sales.orders.amount",
        "sales.orders.status",
        "sales.orders.customer_id",
        "crm.customers.customer_id",
        "crm.customers.country",
    }
    assert "sales.orders.etl_batch" not in names(schema)
    assert {one.status for table in schema.tables for one in table.columns} <= {
        "required",
        "kept",
        "pending",
    }
    assert all(one.reason for table in schema.tables for one in table.columns)
    [join] = [
        one
        for one in schema.joins
        if {str(one.left), str(one.right)} == {"sales.orders", "crm.customers"}
    ]
    assert (join.overlap, join.fan_out) == (1.0, 1.33)
    assert [one.summary for one in schema.alternatives] == [
        "the orders of today",
        "with the archive",
    ]
    assert {one.reason for one in schema.discarded} == {"the number of a loading job"}
    assert sum(one.cost.calls for one in schema.cost) >= 6


def test_without_a_model_it_says_that_it_needs_one(shop: Path) -> None:
    with (
        ShopEnvironment(shop) as environment,
        pytest.raises(ConfigError, match="needs a language model") as caught,
    ):
        link(QUESTION, environment, StepwiseStrategy())
    assert "`shortlist`" in caught.value.hint


def test_a_run_can_be_replayed_with_no_model_and_no_warehouse(shop: Path) -> None:
    schema = asked(shop, careful)
    record = read_trace(shop / "state", schema.trace)
    assert replay(record) == schema
    assert {"begin", "mentions", "hypotheses", "call", "groundings", "vote", "turns", "end"} == {
        one["event"] for one in record.events
    }
    assert list_traces(shop / "state")[0].question == QUESTION


def broken(at: type[BaseModel], error: Exception) -> Rule:
    def rule(prompt: Prompt, answer: type[BaseModel]) -> object:
        if answer is at:
            raise error
        return careful(prompt, answer)

    return rule


def failures() -> Iterator[Any]:
    for at in (HypothesesReply, TablesReply, ColumnsReply, TurnReply):
        # A quota that is used up before anything was answered is the user's to mend.
        for code in ("malformed", "timeout", *(["quota"] if at is not HypothesesReply else [])):
            yield pytest.param(at, code, id=f"{at.__name__}-{code}")


@pytest.mark.parametrize(("at", "code"), list(failures()))
def test_what_a_model_cannot_answer_is_done_without_it_and_said(
    shop: Path, at: type[BaseModel], code: Any
) -> None:
    schema = asked(shop, broken(at, ModelError("it failed", hint="", code=code)))
    assert names(schema) >= {"sales.orders.amount", "crm.customers.country"}
    assert any("without the language model: it failed" in one for one in schema.warnings)
    events = read_trace(shop / "state", schema.trace).events
    assert "degraded" in {one["event"] for one in events}


@pytest.mark.parametrize(
    "limits", [{"max_tokens": 2_500}, {"max_calls": 1}, {"max_calls": 4}, {"timeout": 0.001}]
)
def test_at_a_limit_the_answer_is_what_is_known_so_far(shop: Path, limits: dict[str, Any]) -> None:
    schema = asked(shop, careful, **limits)
    assert names(schema) >= {"sales.orders.amount", "crm.customers.country"}
    assert any("limit" in one for one in schema.warnings)
    total = sum(one.cost.tokens for one in schema.cost)
    assert total <= limits.get("max_tokens", total)


def test_no_probe_runs_beyond_the_limit(shop: Path) -> None:
    def probing(prompt: Prompt, answer: type[BaseModel]) -> object:
        if answer is not TurnReply:
            return careful(prompt, answer)
        turn = prompt.content.split("Turn ")[1][0]
        return {
            "actions": [
                {"tool": "probe_sql", "sql": f"select {turn}{n} from sales.orders"}
                for n in range(4)
            ]
        }

    schema = asked(shop, probing, max_probes=3)
    assert sum(one.cost.probes for one in schema.cost) == 3


def acting(*turns: list[dict[str, Any]]) -> Rule:
    """A rule that takes these turns, one after another, and then is done."""

    def rule(prompt: Prompt, answer: type[BaseModel]) -> object:
        if answer is not TurnReply:
            return careful(prompt, answer)
        number = int(prompt.content.split("Turn ")[1].split(" ")[0])
        return {"actions": turns[number - 1] if number <= len(turns) else []}

    return rule


def outcomes(shop: Path, schema: LinkedSchema) -> list[tuple[str, bool, str]]:
    record = read_trace(shop / "state", schema.trace)
    assert isinstance(record.run, LinkRecord)
    return [(one.action.tool, one.is_done, one.text) for turn in record.run.turns for one in turn]


def test_what_probes_read_is_estimated_where_the_warehouse_does_not_say_it(shop: Path) -> None:
    turn: list[dict[str, Any]] = [
        {"tool": "probe_sql", "sql": "select max(amount) from sales.orders where status = 'paid'"},
        {"tool": "probe_sql", "sql": "select count(*) from crm.visits"},
    ]
    [cost] = [one.cost for one in asked(shop, acting(turn)).cost if one.step == "refinement"]
    # Four orders with a number and a text, two visits with two numbers and a day.
    assert (cost.probes, cost.bytes) == (2, 4 * (8 + 16) + 2 * (8 + 8 + 8))


def test_a_probe_that_misses_a_column_says_that_the_warehouse_changed(tmp_path: Path) -> None:
    build(tmp_path)
    with duckdb.connect(str(tmp_path / "shop.duckdb")) as connection:
        connection.execute("alter table sales.orders drop column etl_batch")
    turn: list[dict[str, Any]] = [
        {"tool": "probe_sql", "sql": "select max(etl_batch) from sales.orders"}
    ]
    schema = asked(tmp_path, acting(turn))
    [warning] = [one for one in schema.warnings if "no longer has" in one]
    assert "etl_batch" in warning
    assert warning.endswith("run: linker refresh")
    assert replay(read_trace(tmp_path / "state", schema.trace)).warnings == schema.warnings


def test_a_wrong_tool_is_answered_and_does_not_spoil_the_others(shop: Path) -> None:
    turn: list[dict[str, Any]] = [
        {"tool": "drop_table", "name": "sales.orders"},
        {"tool": "discard", "items": ["sales.orders.etl_batch"]},
        {"tool": "keep", "items": ["sales.orders.amount"]},
    ]
    schema = asked(shop, acting(turn))
    (one, two, three) = outcomes(shop, schema)
    assert one[:2] == two[:2] == ("malformed", False)
    assert "the tools are keep, discard" in one[2]
    assert "reason" in two[2]
    assert three[0] == "keep"


def test_the_same_question_twice_is_not_asked_again_and_a_loop_ends(shop: Path) -> None:
    turn = [{"tool": "get_field_stats", "columns": ["sales.orders.status"]}]
    schema = asked(shop, acting(*[turn] * 8))
    told = outcomes(shop, schema)
    assert [done for _, done, _ in told] == [True, False, False]
    assert "asked in turn 1 already" in told[1][2]
    assert any("took no action for two turns" in one for one in schema.warnings)


def test_columns_that_do_not_exist_are_told_once_and_then_left_out_with_a_warning(
    shop: Path,
) -> None:
    tellings = list[str]()

    def inventing(prompt: Prompt, answer: type[BaseModel]) -> object:
        if answer is ColumnsReply:
            if "does not exist" in prompt.content:
                tellings.append(prompt.content.split("does not exist")[1])
            return {
                "tables": [
                    {"table": "sales.orders", "columns": ["Amount", "colour", "statsu_code"]}
                ]
            }
        return careful(prompt, answer)

    schema = asked(shop, inventing)
    assert "sales.orders.amount" in names(schema)
    assert not any("colour" in one for one in names(schema))
    assert len(tellings) == 2
    assert "colour" in tellings[0]
    assert any(
        "named unknown tables or columns" in one and "colour" in one for one in schema.warnings
    )


def test_a_correction_of_what_was_told_is_taken(shop: Path) -> None:
    def correcting(prompt: Prompt, answer: type[BaseModel]) -> object:
        if answer is ColumnsReply:
            told = "does not exist" in prompt.content
            return {
                "tables": [
                    {
                        "table": "sales.orders",
                        "columns": ["ordered_on" if told else "purchase_moment"],
                    }
                ]
            }
        return careful(prompt, answer)

    schema = asked(shop, correcting)
    assert "sales.orders.ordered_on" in names(schema)
    assert schema.warnings == ()


def test_an_empty_choice_is_no_choice(shop: Path) -> None:
    def silent(prompt: Prompt, answer: type[BaseModel]) -> object:
        return {"tables": []} if answer is TablesReply else careful(prompt, answer)

    schema = asked(shop, silent)
    assert names(schema) >= {"sales.orders.amount", "crm.customers.country"}
    assert any("empty answer" in one for one in schema.warnings)


def test_what_is_missing_is_told_with_what_comes_nearest(shop: Path) -> None:
    def missing(prompt: Prompt, answer: type[BaseModel]) -> object:
        said: Any = careful(prompt, answer)
        return (
            {**said, "missing": "nothing tells of the weather"}
            if answer is HypothesesReply
            else said
        )

    schema = asked(shop, missing)
    assert schema.unanswerable is not None
    assert schema.unanswerable.missing == "nothing tells of the weather"
    assert "sales.orders" in map(str, schema.unanswerable.nearest)
    assert schema.tables


def test_hidden_and_masked_values_reach_no_prompt_and_no_trace(shop: Path) -> None:
    turn: list[dict[str, Any]] = [
        {
            "tool": "get_field_stats",
            "columns": ["crm.customers.email", "crm.customers.password_hash"],
        },
        {"tool": "probe_sql", "sql": "select email from crm.customers"},
        {"tool": "probe_sql", "sql": "select password_hash from crm.customers"},
        {"tool": "probe_sql", "sql": "select * from crm.customers"},
    ]
    schema = asked(shop, acting(turn))
    text = json.dumps(read_trace(shop / "state", schema.trace).events, ensure_ascii=False)
    assert len(outcomes(shop, schema)) == 4
    assert "SECRET" not in text
    assert "ada@example.com" not in text


def test_traces_are_kept_up_to_their_number_and_only_their_owner_reads_them(
    tmp_path: Path, shop: Path
) -> None:
    (tmp_path / "shop.duckdb").symlink_to(shop / "shop.duckdb")
    for _ in range(4):
        schema = asked(tmp_path, careful, kept_traces=3)
    files = sorted((tmp_path / "state" / "traces").iterdir())
    assert len(files) == 3
    assert files[-1].name == f"{schema.trace}.jsonl.gz"
    assert {file.stat().st_mode & 0o077 for file in files} == {0}
    assert asked(tmp_path, careful, kept_traces=0).trace == ""


class AwayWarehouse(ProfiledWarehouse):
    """No session can be had."""

    @property
    def session(self) -> Warehouse:
        raise WarehouseError("the file is in other hands", hint="")


def test_a_warehouse_that_is_away_costs_the_evidence_and_not_the_answer(shop: Path) -> None:
    class Away(ShopEnvironment):
        """What was indexed is known; nothing else can be had."""

        @cached_property
        def index(self) -> Index:
            with ShopEnvironment(shop) as here:
                return here.index

        @cached_property
        def retriever(self) -> Any:
            values = {ref: facts.values for ref, facts in self.indexed.facts.columns.items()}
            return WordRetriever(self.indexed.catalog, values)

        @SharedPart
        def warehouse(self) -> ProfiledWarehouse:
            return AwayWarehouse(lambda: self.target, self.settings)

    turn: list[dict[str, Any]] = [
        {"tool": "probe_sql", "sql": "select 1 from sales.orders"},
        {"tool": "get_field_stats", "columns": ["sales.orders.status"]},
    ]
    with Away(shop, acting(turn)) as environment:
        schema = link(QUESTION, environment, StepwiseStrategy())
    assert names(schema) >= {"sales.orders.amount", "crm.customers.country"}
    assert schema.warnings == ("no lookups or probes: the file is in other hands",)
    told = outcomes(shop, schema)
    assert [text for _, _, text in told] == [
        "there are no rows to probe",
        "sales.orders.status: nothing was measured",
    ]
    assert replay(read_trace(shop / "state", schema.trace)) == schema

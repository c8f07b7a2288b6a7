"""Contract of all registered strategies: complete, explained answers, traces, limits and errors."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

import pytest
from pydantic import BaseModel

from linker.errors import ConfigError, ModelError
from linker.linking.assemble_result import replay
from linker.linking.result import LinkedSchema
from linker.models import Prompt
from linker.output.json import render as as_json
from linker.strategies import STRATEGIES, open_strategy, strategy_names
from tests.linking.scripted_linkers import (
    LINKERS,
    NEEDED,
    WITH_EITHER,
    WITH_MODEL,
    WITHOUT_MODEL,
    Asked,
    calls,
    linked,
    names,
    record,
    trace,
)
from tests.linking.shop import build

# `auto` would give the whole schema of the shop, and ask nothing.
ASKING = (*WITH_MODEL, "evilink")
# Calls for one question in the shop: 14 columns of which no table has another's, six of them named
# by no word.
CALLS = {
    # Three plans and one of them, two ways to prune, each of three tables, and the synthesis.
    "apex_sql": 10,
    "autolink": 1,
    "bidirectional": 6,
    "c3_sql": 10,
    # Keywords, each column, tables, columns.
    "chess": 17,
    "din_sql": 1,
    # Three drafts, small queries, what they say, and a query.
    "dsr_sql": 6,
    "e_sql": 3,
    # A round, irrelevant columns, needed columns.
    "linkalign": 3,
    # Two remarks in a round and in one more, a discussion of four, and needed columns.
    "linkalign_agent": 9,
    # An overview and lookups; no evidence contradicts the columns that two hypotheses disagree
    # about.
    "evilink": 2,
    "auto": 2,
    # Ways, tables and columns of two of them, and three turns.
    "evilink_stepwise": 8,
    "mac_sql": 1,
    "mcs": 5,
    # Each of three tables, the form of the answer, small queries, and a query.
    "reforce": 6,
    "rsl": 2,
    "solid_sql": 4,
    "sql_to_schema": 5,
    "single_column": 14,
    "single_column_hybrid": 6,
    "ta_sql": 1,
    "table_then_column": 2,
    "table_then_column_hybrid": 2,
}


KINDS = [
    *((name, False) for name in (*WITHOUT_MODEL, *WITH_EITHER)),
    *((name, True) for name in (*WITH_MODEL, *WITH_EITHER)),
]


@pytest.fixture(scope="module")
def answered(
    tmp_path_factory: pytest.TempPathFactory,
) -> Callable[..., tuple[LinkedSchema, Asked, Path]]:
    """
    The answer of a strategy, asked once for all tests; no other test leaves traces in its folder.
    """
    folder = tmp_path_factory.mktemp("answered")
    build(folder)

    @cache
    def answer(name: str, has_model: bool) -> tuple[LinkedSchema, Asked, Path]:
        asked = Asked()
        return linked(folder, name, asked if has_model else None), asked, folder

    return answer


@pytest.mark.parametrize(("name", "has_model"), KINDS)
def test_the_answer_is_closed_explained_counted_and_can_be_replayed(
    answered: Callable[..., tuple[LinkedSchema, Asked, Path]], name: str, has_model: bool
) -> None:
    schema, asked, folder = answered(name, has_model)
    assert schema.strategy == {"auto": "evilink" if has_model else "shortlist"}.get(name, name)
    assert schema.warnings == ()
    # By words alone nothing leads to the amount paid: schema completion adds columns that the
    # question names with a capital.
    assert names(schema) >= NEEDED - (
        {"sales.orders.status"} if name == "retrieval_lexical" else set()
    )
    for table in schema.tables:
        assert table.reason
        assert all(column.reason for column in table.columns)
    for join in schema.joins:
        assert {f"{join.left}.{path}" for path in join.left_columns} <= names(schema)
        assert {f"{join.right}.{path}" for path in join.right_columns} <= names(schema)
    assert {"sales.orders", "crm.customers"} in [
        {str(one.left), str(one.right)} for one in schema.joins
    ]
    assert calls(schema) == len(asked.prompts) == (CALLS.get(name, 0) if has_model else 0)
    steps = [step for step, _ in schema.seen]
    assert (steps[0], steps[-1]) == (
        "retrieval",
        "shortlist" if schema.strategy == "shortlist" else "answer",
    )
    kept = record(folder, schema)
    assert replay(kept) == schema
    told = {"found", "ranking"} if schema.strategy == "shortlist" else {"mentions", "groundings"}
    assert {"begin", "end", *told} <= {one["event"] for one in kept.events}


@pytest.mark.parametrize(("name", "has_model"), KINDS)
def test_its_trace_is_shown_and_replayed(
    answered: Callable[..., tuple[LinkedSchema, Asked, Path]], name: str, has_model: bool
) -> None:
    schema, _, folder = answered(name, has_model)
    told = trace(folder, "show", schema.trace)
    assert told.exit_code == 0
    assert f"strategy {schema.strategy}" in told.stdout
    assert told.stdout.count("asked scripted") == calls(schema)
    again = trace(folder, "replay", schema.trace, "--format", "json")
    assert json.loads(again.stdout) == json.loads(as_json(schema))


def test_all_traces_are_listed(answered: Callable[..., tuple[LinkedSchema, Asked, Path]]) -> None:
    schemas = [answered(*kind) for kind in KINDS]
    folder = schemas[0][2]
    listed = json.loads(trace(folder, "list", "--format", "json", "--limit", "100").stdout)
    told = {(one["id"], one["strategy"], one["columns"], one["cost"]["calls"]) for one in listed}
    assert told == {
        (one.trace, one.strategy, one.column_count, calls(one)) for one, _, _ in schemas
    }


@pytest.mark.parametrize("name", WITH_MODEL)
def test_without_a_model_a_strategy_that_needs_one_says_so(shop: Path, name: str) -> None:
    with pytest.raises(
        ConfigError, match=f"`{name}` needs a language model, and none is configured"
    ) as caught:
        linked(shop, name, None)
    assert "`model`" in caught.value.hint


@pytest.mark.parametrize("name", WITH_MODEL)
def test_what_only_the_user_can_mend_ends_the_run_where_nothing_was_answered(
    shop: Path, name: str
) -> None:
    def refused(_prompt: Any, _answer: Any) -> Any:
        raise ModelError("the key is not valid", hint="check it", code="unauthorized")

    with pytest.raises(ModelError, match="the key is not valid"):
        linked(shop, name, refused)


@pytest.mark.parametrize("name", ASKING)
def test_where_a_model_does_not_answer_the_ranking_does_and_it_is_said(
    shop: Path, name: str
) -> None:
    def silent(_prompt: Any, _answer: Any) -> Any:
        raise ModelError("no answer within 120 seconds", hint="try later", code="timeout")

    schema = linked(shop, name, silent)
    assert names(schema) >= NEEDED
    assert any("no answer within 120 seconds" in one for one in schema.warnings)
    assert replay(record(shop, schema)) == schema
    assert "degraded" in {one["event"] for one in record(shop, schema).events}


# An agent that does not stop by itself.
TURNS = {"StepReply": {"actions": [{"tool": "retrieve", "like": "visits"}]}}
# What asks once and no more ends within the limits of the others.
ONCE = tuple(name for name in WITH_MODEL if CALLS.get(name) == 1 and name != "autolink")
LIMITS = [{"max_calls": 1}, {"max_tokens": 1_000}, {"timeout": 0.001}]
OF_ONE = [{"max_calls": 0}, {"max_tokens": 10}, {"timeout": 0.001}]
LIMITED = [(name, limits) for name in ASKING for limits in (OF_ONE if name in ONCE else LIMITS)]


@pytest.mark.parametrize(
    ("name", "limits"), LIMITED, ids=lambda one: one if isinstance(one, str) else next(iter(one))
)
def test_a_limit_is_held_and_the_answer_is_what_is_known_so_far(
    shop: Path, name: str, limits: dict[str, Any]
) -> None:
    schema = linked(shop, name, Asked(**TURNS), **limits)
    assert schema.tables
    assert any("limit" in one for one in schema.warnings)
    assert calls(schema) <= limits.get("max_calls", 99)
    assert sum(one.cost.tokens for one in schema.cost) <= limits.get("max_tokens", 99_999)
    assert replay(record(shop, schema)) == schema


@pytest.mark.parametrize("name", [*WITHOUT_MODEL, *WITH_EITHER])
def test_what_asks_no_model_answers_within_the_tightest_limits_too(shop: Path, name: str) -> None:
    schema = linked(shop, name, None, max_calls=0, max_probes=0, timeout=0.001)
    assert schema.tables
    assert not any(one.cost.calls + one.cost.probes for one in schema.cost)


class FailingLater:
    """Answers so many prompts, and none after them."""

    def __init__(self, count: int) -> None:
        self.asked, self._left, self._lock = Asked(**TURNS), count, Lock()

    def __call__(self, prompt: Prompt, answer: type[BaseModel]) -> Any:
        with self._lock:
            self._left -= 1
            is_over = self._left < 0
        if is_over:
            raise ModelError("it is down", hint="try later", code="unavailable")
        return self.asked(prompt, answer)


@pytest.mark.parametrize("name", [name for name in ASKING if name not in ONCE])
def test_a_model_that_fails_in_the_middle_loses_nothing_of_what_it_said(
    shop: Path, name: str
) -> None:
    # The agent goes on after its first turn here.
    assert name in CALLS, f"say in CALLS how often `{name}` asks a model"
    rule = FailingLater(max(1, CALLS[name] // 2))
    schema = linked(shop, name, rule)
    assert {str(one.table.ref) for one in schema.tables} >= {"sales.orders", "crm.customers"}
    assert any("it is down" in one for one in schema.warnings)
    kept = record(shop, schema)
    assert replay(kept) == schema
    assert len([one for one in kept.events if one["event"] == "call" and "answer" in one]) == len(
        rule.asked.prompts
    )
    assert "degraded" in {one["event"] for one in kept.events}


def test_a_model_that_failed_twice_in_a_row_is_not_asked_again(shop: Path) -> None:
    asked = Asked(ColumnReply=ModelError("it is down", hint="", code="unavailable"))
    schema = linked(shop, "single_column", asked, model_concurrency=1)
    assert len(asked.prompts) == 2
    assert any("14 of 14 columns were not judged" in one for one in schema.warnings)


@pytest.mark.parametrize("name", ["table_then_column", "bidirectional", "mcs", "rsl"])
def test_names_that_do_not_exist_are_told_once_and_then_left_out_with_a_warning(
    shop: Path, name: str
) -> None:
    said = {"tables": [{"table": "sales.orders", "columns": ["Amount", "colour"]}]}
    asked = Asked(
        ColumnsReply=lambda _prompt: said,
        SqlReply={"sql": "select o.amount, o.colour from sales.orders o"},
    )
    schema = linked(shop, name, asked)
    # Another case is mended, a word that is near nothing is not.
    assert "sales.orders.amount" in names(schema)
    assert not any("colour" in one for one in names(schema))
    again = [
        one for one in asked.get("ColumnsReply") if "You named what does not exist" in one.content
    ]
    assert 0 < len(again) <= len(asked.get("ColumnsReply")) / 2
    assert "colour" in again[0].content.split("You named what does not exist")[1]
    assert any(
        "named unknown tables or columns" in one and "colour" in one for one in schema.warnings
    )


def test_an_empty_choice_is_said(shop: Path) -> None:
    schema = linked(shop, "table_then_column", Asked(TablesReply={"tables": []}))
    assert any("it chooses no table" in one for one in schema.warnings)
    assert any("the answer falls back to the ranking" in one for one in schema.warnings)
    assert names(schema) >= NEEDED


def test_nothing_of_masked_or_hidden_columns_reaches_a_prompt(shop: Path) -> None:
    looks = [
        {"tool": "explore", "sql": "select * from crm.customers"},
        {"tool": "retrieve", "like": "password email"},
    ]
    asked = Asked(StepReply={"actions": looks})
    for name in (*ASKING, "full_schema", "shortlist"):
        schema = linked(shop, name, asked)
        told = json.dumps(record(shop, schema).events, ensure_ascii=False)
        assert "SECRET" not in told
        assert "@example" not in told
    assert not [
        prompt
        for _, prompt in asked.prompts
        if "SECRET" in prompt.content or "@example" in prompt.content
    ]


def test_an_unknown_strategy_lists_all_that_there_are() -> None:
    with pytest.raises(ConfigError, match="there is no strategy `best`") as caught:
        open_strategy("best")
    assert {*STRATEGIES, *LINKERS} <= set(strategy_names())
    assert all(name in caught.value.hint for name in strategy_names())


def test_each_name_opens_a_strategy_of_that_name() -> None:
    for name in set(strategy_names()) - {"auto"}:
        assert getattr(open_strategy(name), "name") == name  # noqa: B009 - the protocol has none


def test_the_whole_schema_is_cut_where_it_does_not_fit_and_it_is_said(shop: Path) -> None:
    schema = linked(shop, "full_schema", None, max_tokens=200)
    assert 4 <= schema.column_count < 20
    [warning] = schema.warnings
    assert "the whole schema has about 330 tokens, and `schema_tokens` allows 200" in warning

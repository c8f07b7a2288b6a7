"""The agent evaluation with a scripted model through each interface."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import pytest

from benchmarks.agents.command import answer
from benchmarks.agents.conversation import AgentInterface, Answered, converse
from benchmarks.agents.distractors import build_distractors
from benchmarks.agents.interfaces import SqlInterface, mcp_interface
from benchmarks.agents.judging import Judge, keep_answer, read_answers, table
from linker.models import open_model
from tests.contract.model_server import ModelServer, serve_model
from tests.contract.wires.openai import OpenAI

COMMAND = str(Path(sys.executable).with_name("linker"))


@pytest.fixture(scope="module")
def state(demo: "subprocess.CompletedProcess[str]", linker_folder: Path) -> Path:
    """The state folder of the demo."""
    assert demo.returncode == 0, demo.stderr
    return linker_folder / ".linker"


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with serve_model() as server:
        yield server


def answered(interface: AgentInterface, endpoint: ModelServer, *turns: dict[str, Any]) -> Answered:
    """The answer of a model that replies like this, turn by turn."""
    endpoint.forget()
    endpoint.replies = [OpenAI().by_tool(turn) for turn in turns]
    with closing(open_model("openai:test-model", f"{endpoint.url}/v1")) as model:
        return asyncio.run(converse("q", "Which carrier is late?", interface, model))


def texts(request: dict[str, Any]) -> list[str]:
    return [message["content"] for message in request["messages"]]


def test_an_agent_sees_the_words_of_the_server_alone_and_all_that_it_reads_is_counted(
    state: Path, endpoint: ModelServer
) -> None:
    endpoint.replies = [
        OpenAI().by_tool(turn)
        for turn in (
            {
                "calls": [
                    {"tool": "search_schema", "arguments": {"questions": ["late carriers"]}},
                    {"tool": "status"},
                ]
            },
            {"columns": ["logistics.carriers.carrier_name"]},
        )
    ]

    async def talk() -> Answered:
        with closing(open_model("openai:test-model", f"{endpoint.url}/v1")) as model:
            async with mcp_interface(COMMAND, state) as interface:
                return await converse("q", "Which carrier is late?", interface, model)

    answer = asyncio.run(talk())
    first, second = map(texts, endpoint.requests)
    assert "## search_schema\nFind the tables and columns" in first[0]
    assert "Which carrier is late?" in first[1]
    # The conversation goes on word for word, with both results in the order of the calls.
    assert second[:2] == first
    assert "logistics.carriers" in second[-1].partition("2. status:")[0]
    assert (answer.turns, answer.calls, answer.columns) == (
        2,
        2,
        ("logistics.carriers.carrier_name",),
    )
    assert answer.characters == len(second[-1]) - len("1. search_schema:\n\n\n2. status:\n")


def test_a_query_tool_reads_cuts_and_never_writes(tmp_path: Path, endpoint: ModelServer) -> None:
    with duckdb.connect(str(tmp_path / "shop.duckdb")) as connection:
        connection.execute(
            "create table orders as select range as id, repeat('x', 100) as note from range(1000)"
        )
    statements = (
        "select count(*) from orders",
        "drop table orders",
        "select * from orders",
        "selec 1",
    )
    calls = [{"tool": "query", "arguments": {"statement": statement}} for statement in statements]
    with closing(SqlInterface(tmp_path / "shop.duckdb")) as interface:
        answer = answered(
            interface, endpoint, {"calls": calls}, {"columns": ["orders.id"], "note": "all"}
        )
    count, refused, cut, wrong = texts(endpoint.requests[1])[-1].split("\n\n")[:4]
    assert count == "1. query:\ncount_star()\n1000"
    assert "read-only" in refused
    assert 5_900 < len(cut) < 6_100
    assert cut.endswith(" more rows")
    assert "syntax error" in wrong
    assert (answer.calls, answer.note) == (4, "all")


def test_answers_are_kept_and_judged_against_what_is_right(state: Path, tmp_path: Path) -> None:
    judge, file = Judge(state), tmp_path / "agent.jsonl"
    right, wrong = judge.questions[:2]
    [gold, *_] = judge.outcome(Answered(right.id, (), 1, 0, 0, 0.0)).golds
    names = (*(str(refs[0]) for refs in gold.fields), "no_such_schema.orders.id")
    keep_answer(file, Answered(right.id, names, 3, 4, 1_000, 1.0))
    keep_answer(file, Answered(wrong.id, (), 1, 0, 0, 1.0))
    assert read_answers(file)[0].columns == names
    first = judge.outcome(read_answers(file)[0]).score.columns
    assert first.is_complete
    assert first.precision == pytest.approx(len(gold.fields) / (len(gold.fields) + 1))
    assert list(table(judge, [file]))[-1].startswith("| agent | 2 | 1 |")
    assert len({question.id for question in judge.questions}) == len(judge.questions) > 20


def test_look_alikes_are_tables_that_can_be_read_with_profiles_of_their_own(
    state: Path, tmp_path: Path
) -> None:
    assert build_distractors(state, tmp_path, 620) == 620
    with duckdb.connect(str(tmp_path / "demo" / "warehouse.duckdb"), read_only=True) as connection:
        # The inventory says of each what the warehouse has.
        listed = "select schema_name, table_name, column_name from main_linker.linker_columns where depth = 0"
        there = (
            "select schema_name, table_name, column_name from duckdb_columns() "
            "where not internal and schema_name not in ('main', 'main_linker')"
        )
        assert (
            connection.execute(
                f"({listed} except {there}) union all ({there} except {listed})"
            ).fetchall()
            == []
        )
        views = connection.execute(
            "select schema_name, view_name from duckdb_views() where not internal"
        ).fetchall()
        assert len(views) == 40
        for schema, view in views:
            profiled = connection.execute(
                "select count(*) from main_linker.linker_profile_l1 where schema_name = ? and table_name = ?",
                (schema, view),
            ).fetchone()
            assert profiled
            assert profiled[0] in (3, 4, 5)
            connection.execute(f'from "{schema}"."{view}" limit 1')


def test_the_agent_of_a_command_writes_sql_with_the_tools_of_a_configuration(
    state: Path, endpoint: ModelServer, tmp_path: Path
) -> None:
    config = tmp_path / "mcp.json"
    arguments = ["mcp", "--target", "demo", "--state-dir", str(state), "--tool", "run_query"]
    config.write_text(
        json.dumps({"mcpServers": {"linker": {"command": COMMAND, "args": arguments}}}), "utf-8"
    )
    statement = "select count(*) as n from logistics.carriers"
    call = {"tool": "run_query", "arguments": {"statements": [statement]}}
    endpoint.replies = [OpenAI().by_tool(turn) for turn in ({"calls": [call]}, {"sql": statement})]
    with closing(open_model("openai:test-model", f"{endpoint.url}/v1")) as model:
        sql, tokens = asyncio.run(answer("How many carriers are there?", config, model))
    first, second = map(texts, endpoint.requests)
    assert "## run_query\n" in first[0]
    assert "## describe\n" not in first[0]
    assert second[-1].startswith("1. run_query:\n")
    assert sql == statement
    assert tokens > 0

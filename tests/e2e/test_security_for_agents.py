"""Security of MCP over stdio and HTTP: masked values, writes, foreign origins."""

import asyncio
import json
import re
import subprocess
from collections.abc import Callable

import httpx
from mcp.client import Client
from mcp_types import Tool

from linker.models import estimate_tokens
from tests.e2e.agents import called, failure, text
from tests.e2e.conftest import Run
from tests.messages import messages

QUESTION = "Which carrier delivers late most often?"


def test_masked_values_are_not_shown_in_any_way(client: Callable[[], Client]) -> None:
    values, described, probed = called(
        client,
        ("column_values", {"columns": ["sales.customers.email"], "statistics": True}),
        ("describe", {"tables": ["sales.customers"], "pattern": "email"}),
        (
            "run_query",
            {"statements": ["select email from sales.customers where email is not null"]},
        ),
    )
    assert "its values are not shown" in text(values)
    assert re.findall(r"[\w.]+@[\w.]+\w", text(values) + text(described) + text(probed)) == []


def test_what_is_wrong_is_said_in_words_and_the_server_goes_on(
    client: Callable[[], Client],
) -> None:
    refused, unknown, wrong, after = called(
        client,
        ("run_query", {"statements": ["drop table sales.orders", "select 1 as one"]}),
        ("describe", {"tables": ["sales.ordrs_x"]}),
        ("search_schema", {"questions": []}),
        ("status", {}),
    )
    lines = text(refused).splitlines()
    assert lines[1].startswith("refused (not_a_query): ")
    assert lines[-2:] == ["1 row", "1"]
    assert failure(unknown).startswith("there is no table sales.ordrs_x; did you mean sales.orders")
    assert failure(wrong) == "`search_schema`: `questions` needs at least 1 of them"
    assert "target linker.demo: " in text(after)


def test_tools_only_read_have_schemas_and_the_prompt_names_them(
    client: Callable[[], Client],
) -> None:
    async def session() -> tuple[list[Tool], str, str]:
        async with client() as opened:
            tools = (await opened.list_tools()).tools
            prompt = await opened.get_prompt("link-question", {"question": QUESTION})
            card = await opened.read_resource("table://logistics.carriers")
            return tools, str(prompt.messages[0].content), str(card.contents[0])

    tools, prompt, card = asyncio.run(session())
    names = [
        "search_schema",
        "list_tables",
        "describe",
        "search_values",
        "column_values",
        "join_path",
        "run_query",
        "link",
        "schema_diff",
        "status",
    ]
    assert [tool.name for tool in tools] == names
    assert all(
        tool.annotations and tool.annotations.read_only_hint and tool.output_schema
        for tool in tools
    )
    assert QUESTION in prompt
    assert [name for name in names[:7] if f"`{name}" not in prompt] == ["column_values"]
    assert "carrier_name varchar" in card


def test_a_page_from_elsewhere_is_refused(mcp_address: str) -> None:
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    accepted = {"Accept": "application/json, text/event-stream"}
    rebound = httpx.post(mcp_address, json=call, headers={**accepted, "Host": "evil.example:80"})
    foreign = httpx.post(
        mcp_address, json=call, headers={**accepted, "Origin": "http://evil.example"}
    )
    assert (rebound.status_code, foreign.status_code) == (421, 403)


def test_another_address_needs_a_token(
    demo: "subprocess.CompletedProcess[str]", linker_command: Run
) -> None:
    assert demo.returncode == 0, demo.stderr
    done = linker_command("mcp", "--target", "demo", "--http", "--host", "0.0.0.0")
    assert done.returncode == 2
    assert messages(done.stderr) == [
        "error: other machines can reach the address 0.0.0.0",
        "   →   set LINKER_MCP_TOKEN, or omit --host",
    ]


def test_definitions_are_short_have_an_example_each_and_say_of_when_the_counts_are(
    client: Callable[[], Client],
) -> None:
    async def session() -> tuple[list[Tool], str]:
        async with client() as opened:
            return (await opened.list_tools()).tools, str(opened.instructions)

    tools, instructions = asyncio.run(session())
    definitions = json.dumps([(item.name, item.description, item.input_schema) for item in tools])
    # By the usual rule of thumb, and by the estimate that prompts are sized with.
    assert len(definitions) / 4 < 2_000
    assert estimate_tokens(definitions) < 2_000
    for tool in tools:
        _, _, example = str(tool.description).partition("Example:")
        arguments = json.loads(example)
        assert arguments.keys() <= tool.input_schema["properties"].keys()
        assert set(tool.input_schema["required"]) <= arguments.keys()
    assert re.search(r"those of the last scan \(20\d\d-\d\d-\d\d \d\d:\d\d UTC", instructions)
    assert "put no figure into an answer that no query (`run_query`) gave" in instructions


def test_the_examples_of_the_tools_can_be_called(client: Callable[[], Client]) -> None:
    async def session() -> list[str]:
        async with client() as opened:
            wrong = []
            for tool in (await opened.list_tools()).tools:
                example = json.loads(str(tool.description).partition("Example:")[2])
                if (await opened.call_tool(tool.name, example)).is_error:
                    wrong.append(tool.name)
            return wrong

    assert asyncio.run(session()) == []

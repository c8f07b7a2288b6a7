"""Sampling: `link` with the client's model, in old and new protocol versions."""

import asyncio
import json
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import CreateMessageRequestParams, CreateMessageResult, TextContent

from tests.e2e.serving import COMMAND, serving

QUESTIONS = ["Which carrier delivers late most often?", "How many carriers deliver on Saturdays?"]
WAY = {"table": "logistics.carriers", "columns": ["carrier_name", "delivers_saturday"]}
ANSWER = json.dumps({"hypotheses": [{"summary": "by carrier", "tables": [WAY]}]})


class LentModel:
    """The client's model: replies in order, the last one repeated; records requests."""

    def __init__(self, *replies: str, seconds: float = 0.0) -> None:
        self._replies, self._seconds = list(replies), seconds
        self.asked: list[CreateMessageRequestParams] = []

    async def __call__(
        self, context: object, params: CreateMessageRequestParams
    ) -> CreateMessageResult:
        self.asked.append(params)
        await asyncio.sleep(self._seconds)
        text = self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]
        return CreateMessageResult(
            role="assistant", content=TextContent(type="text", text=text), model="lent"
        )


@pytest.fixture(scope="module")
def folder(demo: "subprocess.CompletedProcess[str]", linker_folder: Path) -> Path:
    assert demo.returncode == 0, demo.stderr
    return linker_folder


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    """The server over HTTP."""
    with serving(folder, "mcp", "--target", "demo", "--http") as server:
        yield f"{server}/mcp"


def over_stdio(folder: Path, **variables: str) -> Any:
    """The transport to a separate server."""
    env = {**os.environ, "HOME": str(folder), **variables}
    words = ["mcp", "--target", "demo"]
    return stdio_client(StdioServerParameters(command=COMMAND, args=words, cwd=folder, env=env))


def linked(transport: Any, mode: Any, model: LentModel | None) -> str:
    """The result of `link` for a client with these capabilities."""

    async def session() -> str:
        async with Client(transport, mode=mode, sampling_callback=model) as client:
            result = await client.call_tool("link", {"questions": QUESTIONS})
            assert not result.is_error, result.content
            [content] = result.content
            return str(getattr(content, "text", ""))

    return asyncio.run(session())


@pytest.mark.parametrize("mode", ["legacy", "auto"])
@pytest.mark.parametrize("way", ["stdio", "http"])
def test_link_thinks_with_the_model_of_a_client_that_lends_it(
    folder: Path, way: str, mode: str, request: pytest.FixtureRequest
) -> None:
    model = LentModel("I would take the carriers.", ANSWER)
    transport = request.getfixturevalue("address") if way == "http" else over_stdio(folder)
    lines = linked(transport, mode, model).splitlines()
    # Two questions, and one reply that was no answer and was sent back.
    assert lines[0] == "thought with your model, asked 3 times"
    assert len([line for line in lines if line.startswith("strategy evilink")]) == 2
    assert [line for line in lines if line.startswith("  delivers_saturday")]
    assert [line for line in lines if line.startswith("  tracking_url_pattern")] == []
    [corrected] = [item.messages for item in model.asked if len(item.messages) == 3]
    texts = [str(getattr(message.content, "text", "")) for message in corrected]
    assert texts[1] == "I would take the carriers."
    assert "could not be used" in texts[2]
    assert all("JSON schema" in (item.system_prompt or "") for item in model.asked)


def test_link_gives_the_shortlist_to_a_client_that_lends_no_model(folder: Path) -> None:
    found = linked(over_stdio(folder), "auto", None)
    assert "thought with your model" not in found
    assert found.count("strategy shortlist (no language model configured") == 2


def test_link_waits_for_a_lent_model_no_longer_than_a_question_may_take(folder: Path) -> None:
    began = time.monotonic()
    found = linked(over_stdio(folder, LINKER_TIMEOUT="2"), "legacy", LentModel(ANSWER, seconds=60))
    assert time.monotonic() - began < 30
    assert "thought with your model" not in found
    assert "logistics.carriers" in found

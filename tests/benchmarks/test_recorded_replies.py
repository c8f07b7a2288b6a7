"""Recorded replies are replayed for identical prompts and recorded for new ones."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from benchmarks.recorded_replies.__main__ import ReplayServer, serve
from benchmarks.recorded_replies.cassette import Cassette
from tests.contract.model_server import serve_model
from tests.contract.model_wires import OpenAI

TOOL = {"type": "function", "function": {"name": "final_result", "parameters": {"type": "object"}}}
Start = Callable[[ReplayServer], str]


@pytest.fixture
def start() -> Iterator[Start]:
    """Serves replies on a free port."""
    with ExitStack() as running:

        def serving(replies: ReplayServer) -> str:
            server = serve(replies, 0)
            running.callback(server.server_close)
            running.callback(server.shutdown)
            threading.Thread(target=server.serve_forever, daemon=True).start()
            return f"http://127.0.0.1:{server.server_port}/v1"

        yield serving


def ask(url: str, text: str, model: str = "strong") -> httpx.Response:
    request = {"model": model, "messages": [{"role": "user", "content": text}], "tools": [TOOL]}
    return httpx.post(f"{url}/chat/completions", json=request)


def reply(response: httpx.Response) -> str:
    message = response.raise_for_status().json()["choices"][0]["message"]
    arguments: str = message["tool_calls"][0]["function"]["arguments"]
    return arguments


def test_a_reply_is_asked_for_once_kept_and_given_again_to_another_model(
    start: Start, tmp_path: Path
) -> None:
    known = Cassette(tmp_path / "known.jsonl")
    known.record(
        {"messages": [{"role": "user", "content": "total?"}], "tools": [TOOL]},
        '{"table": "Bücher"}',
    )
    upstream = ReplayServer(known)
    first = start(ReplayServer(Cassette(tmp_path / "new.jsonl"), start(upstream)))
    assert reply(ask(first, "total?")) == reply(ask(first, "total?")) == '{"table": "Bücher"}'
    assert upstream.played == 1
    alone = start(ReplayServer(Cassette(tmp_path / "new.jsonl")))
    assert reply(ask(alone, "total?", model="cheap")) == '{"table": "Bücher"}'


def test_without_a_record_and_anybody_to_ask_the_prompt_is_named(
    start: Start, tmp_path: Path
) -> None:
    refused = ask(start(ReplayServer(Cassette(tmp_path / "none.jsonl"))), "total?")
    assert refused.status_code == 404
    assert refused.json()["error"]["message"].startswith("no reply is recorded for the prompt ")


def test_a_prompt_without_a_reply_is_kept_by_its_text_and_replies_that_nothing_asks_for_are_forgotten(
    start: Start, tmp_path: Path
) -> None:
    path = tmp_path / "known.jsonl"
    cassette = Cassette(path)
    for text in ("total?", "mean?"):
        cassette.record(
            {"messages": [{"role": "user", "content": text}], "tools": [TOOL]},
            f'{{"asked": "{text}"}}',
        )
    replies = ReplayServer(Cassette(path))
    url = start(replies)
    assert reply(ask(url, "mean?")) == '{"asked": "mean?"}'
    ask(url, "median?")
    assert replies.unknown == ["median?"]
    replies.keep_used()
    assert len(Cassette(path)) == 1
    assert "mean?" in path.read_text("utf-8")


def test_a_reply_that_is_asked_for_elsewhere_comes_whole_though_it_was_to_be_streamed(
    tmp_path: Path,
) -> None:
    wire = OpenAI()
    with serve_model() as server:
        server.replies = [wire.by_tool({"table": "orders"})]
        replies = ReplayServer(Cassette(tmp_path / "new.jsonl"), f"{server.url}/v1")
        request = {
            "model": "m",
            "messages": [],
            "tools": [TOOL],
            "stream": True,
            "stream_options": {"a": True},
        }
        assert json.loads(replies.reply(request, {})) == {"table": "orders"}
    assert "stream" not in json.dumps(server.requests)

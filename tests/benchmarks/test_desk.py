"""Recorded replies: given again where the prompt is the same, asked for and kept where it is not."""

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from benchmarks.desk.__main__ import Desk, serve
from benchmarks.desk.cassette import Cassette

TOOL = {"type": "function", "function": {"name": "final_result", "parameters": {"type": "object"}}}
Start = Callable[[Desk], str]


@pytest.fixture
def start() -> Iterator[Start]:
    """Serves a desk on a free port."""
    with ExitStack() as running:

        def serving(desk: Desk) -> str:
            server = serve(desk, 0)
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


def test_a_reply_is_asked_for_once_kept_and_given_again_to_another_model(start: Start, tmp_path: Path) -> None:
    known = Cassette(tmp_path / "known.jsonl")
    known.record({"messages": [{"role": "user", "content": "total?"}], "tools": [TOOL]}, '{"table": "Bücher"}')
    upstream = Desk(known)
    first = start(Desk(Cassette(tmp_path / "new.jsonl"), start(upstream)))
    assert reply(ask(first, "total?")) == reply(ask(first, "total?")) == '{"table": "Bücher"}'
    assert upstream.played == 1
    alone = start(Desk(Cassette(tmp_path / "new.jsonl")))
    assert reply(ask(alone, "total?", model="cheap")) == '{"table": "Bücher"}'


def test_without_a_record_and_anybody_to_ask_the_prompt_is_named(start: Start, tmp_path: Path) -> None:
    refused = ask(start(Desk(Cassette(tmp_path / "none.jsonl"))), "total?")
    assert refused.status_code == 404
    assert refused.json()["error"]["message"].startswith("no reply is recorded for the prompt ")

"""What every language model promises: the scripted one, and pydantic-ai against a server that speaks like OpenAI."""

import json
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from pydantic import BaseModel, Field

from linker.errors import ModelError
from linker.models import Completion, LanguageModel, Prompt, Usage, open_model
from linker.models.scripted import ScriptedModel

KEY = "sk-hidden-word-0123456789"
PROMPT = Prompt(instructions="Choose the tables.", content="How many orders were returned?")


class Choice(BaseModel):
    """The answer that is asked for."""

    tables: list[str]
    confidence: float = Field(ge=0, le=1)


GOOD = {"tables": ["shop.orders", "shop.returns"], "confidence": 0.75}
BAD = [
    pytest.param({"tables": ["shop.orders"]}, id="a field is missing"),
    pytest.param({"tables": "shop.orders", "confidence": 0.5}, id="a field has another type"),
    pytest.param({"tables": [], "confidence": 1.5}, id="a value is out of range"),
    pytest.param([], id="no object at all"),
]


@dataclass(frozen=True)
class Reply:
    """What the server says to one request."""

    body: object
    status: int = 200


@dataclass
class Server:
    """A server on this machine that gives its replies in order and keeps what it was asked."""

    url: str = ""
    replies: list[Reply] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)


def completion(message: dict[str, object], usage: tuple[int, int, int] = (120, 64, 30)) -> Reply:
    prompt_tokens, cached_tokens, completion_tokens = usage
    finish_reason = "tool_calls" if "tool_calls" in message else "stop"
    return Reply(
        {
            "id": "completion-1",
            "object": "chat.completion",
            "created": 1_700_000_000,
            "model": "test-model",
            "choices": [
                {
                    "index": 0,
                    "finish_reason": finish_reason,
                    "message": {"role": "assistant", "content": None} | message,
                }
            ],
            "usage": {
                "prompt_tokens": prompt_tokens,
                "completion_tokens": completion_tokens,
                "total_tokens": prompt_tokens + completion_tokens,
                "prompt_tokens_details": {"cached_tokens": cached_tokens},
            },
        }
    )


def by_tool(arguments: str, usage: tuple[int, int, int] = (120, 64, 30)) -> Reply:
    call = {"id": "call-1", "type": "function", "function": {"name": "final_result", "arguments": arguments}}
    return completion({"tool_calls": [call]}, usage)


def by_text(content: str) -> Reply:
    return completion({"content": content})


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    script = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            script.requests.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            script.keys.append(self.headers["authorization"])
            reply = script.replies.pop(0)
            body = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
            self.send_response(reply.status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.send_header("x-should-retry", "false")  # spares the client's pauses between its own retries
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name in http.server
            """Says nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http_server:
        thread = threading.Thread(target=http_server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        script.url = f"http://127.0.0.1:{http_server.server_port}/v1"
        yield script
        http_server.shutdown()
        thread.join()


@dataclass(frozen=True)
class Variant:
    """A way to have a model that gives these answers, and to see what it was asked: instructions, then content."""

    model: Callable[[Sequence[object]], LanguageModel]
    heard: Callable[[], list[tuple[str, str]]]


@pytest.fixture(params=["scripted", "by tool", "by text"])
def variant(request: pytest.FixtureRequest, server: Server) -> Variant:
    if request.param == "scripted":
        opened: list[ScriptedModel] = []

        def with_script(answers: Sequence[object]) -> LanguageModel:
            opened.append(ScriptedModel(answers))
            return opened[-1]

        return Variant(with_script, lambda: [(asked.instructions, asked.content) for asked in opened[-1].prompts])

    reply = by_tool if request.param == "by tool" else by_text

    def with_server(answers: Sequence[object]) -> LanguageModel:
        # A model that answers badly is asked once more, and answers the same.
        server.replies = [reply(json.dumps(answer)) for answer in answers for _ in range(1 if answer == GOOD else 2)]
        return open_model("openai:test-model", server.url)

    def heard() -> list[tuple[str, str]]:
        asked = [request["messages"] for request in server.requests]
        assert all([message["role"] for message in messages] == ["system", "user"] for messages in asked)
        return [(messages[0]["content"], messages[1]["content"]) for messages in asked]

    return Variant(with_server, heard)


def answer_of(server: Server) -> Completion[Choice]:
    return open_model("openai:test-model", server.url).complete(PROMPT, Choice)


def refusal_of(server: Server) -> ModelError:
    with pytest.raises(ModelError) as caught:
        answer_of(server)
    return caught.value


def test_the_answer_comes_back_as_the_type_that_was_asked_for(variant: Variant) -> None:
    answer = variant.model([GOOD]).complete(PROMPT, Choice).answer
    assert type(answer) is Choice
    assert answer == Choice(tables=["shop.orders", "shop.returns"], confidence=0.75)


def test_one_call_hears_the_instructions_before_the_content(variant: Variant) -> None:
    variant.model([GOOD]).complete(PROMPT, Choice)
    assert variant.heard() == [("Choose the tables.", "How many orders were returned?")]


def test_calls_know_nothing_of_each_other(variant: Variant) -> None:
    model = variant.model([GOOD, GOOD])
    model.complete(PROMPT, Choice)
    model.complete(Prompt("Judge.", "Is that all?"), Choice)
    assert variant.heard() == [("Choose the tables.", "How many orders were returned?"), ("Judge.", "Is that all?")]


@pytest.mark.parametrize("answer", BAD)
def test_an_answer_of_another_shape_is_a_model_error(variant: Variant, answer: object) -> None:
    model = variant.model([answer])
    with pytest.raises(ModelError) as caught:
        model.complete(PROMPT, Choice)
    assert caught.value.hint


def test_the_name_says_provider_and_model(variant: Variant) -> None:
    assert variant.model([]).name in ("scripted:script", "openai:test-model")


def test_a_script_that_has_ended_is_a_model_error() -> None:
    model = ScriptedModel([GOOD])
    model.complete(PROMPT, Choice)
    with pytest.raises(ModelError, match="no answer left"):
        model.complete(PROMPT, Choice)


def test_the_scripted_model_costs_nothing() -> None:
    assert ScriptedModel([GOOD]).complete(PROMPT, Choice).usage == Usage(0, 0, 0)


def test_the_request_names_the_model_asks_for_its_fields_and_carries_the_key(server: Server) -> None:
    server.replies = [by_tool(json.dumps(GOOD))]
    answer_of(server)
    [request] = server.requests
    [tool] = request["tools"]
    assert request["model"] == "test-model"
    assert request["temperature"] == 0
    assert set(tool["function"]["parameters"]["properties"]) == {"tables", "confidence"}
    assert server.keys == [f"Bearer {KEY}"]


def test_a_server_without_a_key_is_asked_without_one(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    server.replies = [by_tool(json.dumps(GOOD))]
    assert answer_of(server).answer.confidence == 0.75
    assert KEY not in server.keys[0]


def test_tokens_are_counted_as_the_server_counts_them(server: Server) -> None:
    server.replies = [by_tool(json.dumps(GOOD), usage=(1500, 1024, 42))]
    assert answer_of(server).usage == Usage(prompt_tokens=1500, cached_tokens=1024, completion_tokens=42)


def test_a_bad_answer_is_sent_back_once_and_both_calls_are_paid(server: Server) -> None:
    server.replies = [by_tool('{"tables": 1}', usage=(100, 0, 10)), by_tool(json.dumps(GOOD), usage=(150, 90, 20))]
    completion = answer_of(server)
    assert completion.answer == Choice.model_validate(GOOD)
    assert completion.usage == Usage(prompt_tokens=250, cached_tokens=90, completion_tokens=30)
    assert [message["role"] for message in server.requests[1]["messages"]] == ["system", "user", "assistant", "tool"]


@pytest.mark.parametrize("arguments", ['{"tables": [', "", "null", "tables: none"])
def test_an_answer_that_is_no_json_is_a_model_error(server: Server, arguments: str) -> None:
    server.replies = [by_tool(arguments), by_tool(arguments)]
    assert "openai:test-model" in str(refusal_of(server))


@pytest.mark.parametrize(
    "body",
    [b"<html>busy</html>", b"", b"{}", {"choices": []}, {"id": "x", "object": "chat.completion", "choices": None}],
)
def test_a_body_that_is_no_completion_is_a_model_error(server: Server, body: object) -> None:
    server.replies = [Reply(body), Reply(body)]
    assert "openai:test-model" in str(refusal_of(server))


def test_an_answer_that_the_model_refuses_to_give_is_a_model_error(server: Server) -> None:
    server.replies = [completion({"refusal": "I cannot help with that."})] * 2
    assert refusal_of(server).hint


@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_key_is_a_model_error_that_does_not_show_it(server: Server, status: int) -> None:
    server.replies = [Reply({"error": {"message": f"Incorrect API key provided: {KEY}"}}, status)]
    error = refusal_of(server)
    assert f"HTTP {status}" in str(error)
    assert KEY not in str(error) + error.hint


@pytest.mark.parametrize(
    ("status", "message"),
    [(400, "the context is too long"), (404, "no such model"), (429, "quota used up"), (500, "out of memory")],
)
def test_what_the_server_objects_to_is_a_model_error_that_repeats_it(server: Server, status: int, message: str) -> None:
    server.replies = [Reply({"error": {"message": message}}, status)]
    error = refusal_of(server)
    assert str(status) in str(error)
    assert message in str(error)
    assert KEY not in "".join(traceback.format_exception(error))


def test_a_server_that_nobody_runs_is_a_model_error(closed_port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    model = open_model("openai:test-model", f"http://127.0.0.1:{closed_port}/v1")
    with pytest.raises(ModelError, match="openai:test-model") as caught:
        model.complete(PROMPT, Choice)
    assert KEY not in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize("name", ["nobody:model", "gpt-5", ":model", ""])
def test_a_provider_that_does_not_exist_is_a_model_error_with_a_hint(name: str) -> None:
    with pytest.raises(ModelError, match=f"`{name}`") as caught:
        open_model(name)
    assert "provider:name" in caught.value.hint


def test_a_provider_without_its_key_is_a_model_error_that_names_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ModelError, match="OPENAI_API_KEY"):
        open_model("openai:test-model")

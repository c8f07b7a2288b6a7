"""What comes of everything that a provider may do, each over HTTP in its own wire format; docs/models.md lists it."""

import asyncio
import json
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import BaseModel, Field

from linker.budget import Allowance, Ledger
from linker.errors import ModelError, ModelErrorCode
from linker.models import Completion, ModelSession, Prompt, Usage, open_model
from linker.models.pydantic_ai import PydanticAIModel
from tests.contract.model_server import ModelServer, Reply, serve_model
from tests.contract.model_wires import WIRES, OpenAI, Wire

KEY = "sk-hidden-word-0123456789"
PROMPT = Prompt(instructions="Choose the tables.", content="How many orders were returned?")
GOOD = {"tables": ["shop.orders"], "confidence": 0.75}
TEXT = json.dumps(GOOD)


class Choice(BaseModel):
    """The answer that is asked for."""

    tables: list[str]
    confidence: float = Field(ge=0, le=1)


class Asking:
    """A model at a scripted server, with pauses that are noted instead of slept."""

    def __init__(self, wire: Wire, server: ModelServer, **options: Any) -> None:
        self.pauses: list[float] = []
        self.server = server
        self.model = PydanticAIModel.open(
            wire.name, server.url + wire.base_path, **{"sleep": self._sleep, "request_seconds": 20.0} | options
        )

    async def _sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)

    def answer(self, *replies: Reply, allowance: Allowance | None = None) -> Completion[Choice]:
        self.server.replies = list(replies)
        return self.model.complete(PROMPT, Choice, allowance or Allowance())

    def error(self, *replies: Reply, allowance: Allowance | None = None) -> ModelError:
        with pytest.raises(ModelError) as caught:
            self.answer(*replies, allowance=allowance)
        assert self.server.replies == []
        assert self.model.name in caught.value.what
        assert caught.value.hint
        assert KEY not in "".join(traceback.format_exception(caught.value)) + caught.value.hint
        return caught.value


@pytest.fixture(scope="module")
def running() -> Iterator[ModelServer]:
    with serve_model() as running:
        yield running


@pytest.fixture
def server(running: ModelServer) -> ModelServer:
    running.forget()
    return running


@pytest.fixture(scope="module")
def opened(running: ModelServer) -> Iterator[Callable[[Wire], Asking]]:
    """Each model is opened once: a client reads all certificates of the machine first."""
    askings: dict[str, Asking] = {}

    def opening(wire: Wire) -> Asking:
        if wire.name not in askings:
            askings[wire.name] = Asking(wire, running)
        return askings[wire.name]

    yield opening
    for asking in askings.values():
        asking.model.close()


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for wire in WIRES:
        monkeypatch.setenv(wire.key_variable, KEY)


@pytest.fixture(params=WIRES, ids=lambda wire: wire.name.partition(":")[0])
def wire(request: pytest.FixtureRequest) -> Wire:
    wire: Wire = request.param
    return wire


@pytest.fixture
def asking(wire: Wire, opened: Callable[[Wire], Asking], server: ModelServer) -> Asking:
    asking = opened(wire)
    asking.pauses.clear()
    return asking


@pytest.fixture
def open_asking(server: ModelServer) -> Iterator[Callable[..., Asking]]:
    """A model of one's own, with options."""
    askings: list[Asking] = []

    def opening(wire: Wire, **options: Any) -> Asking:
        askings.append(Asking(wire, server, **options))
        return askings[-1]

    yield opening
    for asking in askings:
        asking.model.close()


# What is asked


def test_the_request_offers_one_tool_with_the_fields_of_the_answer_and_carries_the_key(
    wire: Wire, asking: Asking
) -> None:
    asking.answer(wire.by_tool(GOOD))
    assert asking.server.paths[0].partition("?")[0] == wire.path
    assert wire.tools(asking.server.requests[0]) == {"final_result": {"tables", "confidence"}}
    assert wire.key(asking.server.headers[0]) == KEY


def test_a_server_of_ones_own_is_asked_without_a_key(
    wire: Wire, open_asking: Callable[..., Asking], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(wire.key_variable)
    asking = open_asking(wire)
    assert asking.answer(wire.by_tool(GOOD)).answer.confidence == 0.75
    assert KEY not in json.dumps(asking.server.headers)


def test_anthropic_is_told_to_cache_the_instructions(server: ModelServer, open_asking: Callable[..., Asking]) -> None:
    wire = WIRES[1]
    open_asking(wire).answer(wire.by_tool(GOOD))
    assert server.requests[0]["system"][0]["cache_control"]["type"] == "ephemeral"


def test_what_comes_first_is_the_same_in_every_request_of_a_step(wire: Wire, asking: Asking) -> None:
    asking.server.replies = [wire.by_tool(GOOD)] * 2
    for content in ("one", "two"):
        asking.model.complete(Prompt(PROMPT.instructions, content), Choice)
    first, second = asking.server.requests
    assert json.dumps(first).replace("one", "two") == json.dumps(second)


# What is paid


def test_tokens_are_counted_as_the_server_counts_them(wire: Wire, asking: Asking) -> None:
    usage = asking.answer(wire.by_tool(GOOD, usage=(1500, 1024, 42))).usage
    assert usage == Usage(prompt_tokens=1500, cached_tokens=1024, completion_tokens=42, calls=1)


def test_the_tokens_of_an_answer_that_was_of_no_use_are_counted_too(wire: Wire, asking: Asking) -> None:
    completion = asking.answer(wire.by_text("Hm.", usage=(100, 0, 10)), wire.by_tool(GOOD, usage=(150, 90, 20)))
    assert completion.usage == Usage(prompt_tokens=250, cached_tokens=90, completion_tokens=30, calls=2)


def test_the_tokens_of_all_answers_are_told_when_none_was_of_use(wire: Wire, asking: Asking) -> None:
    error = asking.error(wire.by_text("Hm.", usage=(100, 0, 10)), wire.by_text("Hm.", usage=(150, 90, 20)))
    assert error.usage == Usage(prompt_tokens=250, cached_tokens=90, completion_tokens=30, calls=2)


def test_a_request_that_failed_is_a_call_without_tokens(wire: Wire, asking: Asking) -> None:
    completion = asking.answer(wire.error(500, "out of memory"), wire.by_tool(GOOD, usage=(100, 0, 10)))
    assert completion.usage == Usage(100, 0, 10, calls=2)


# What is mended


def test_a_bad_answer_is_sent_back_once_with_what_is_wrong(wire: Wire, asking: Asking) -> None:
    bad = {"tables": 1, "confidence": 0.5}
    assert asking.answer(wire.by_tool(bad), wire.by_tool(GOOD)).answer == Choice.model_validate(GOOD)
    instructions, [content, correction] = wire.heard(asking.server.requests[1])
    assert (instructions, content) == (PROMPT.instructions, PROMPT.content)
    assert "tables: Input should be a valid array" in correction
    assert '"tables"' in correction


@pytest.mark.parametrize(
    "text",
    [
        f"Sure, here it is:\n\n```json\n{TEXT}\n```\nAnything else?",
        f"I looked at {{several}} tables. {TEXT}",
        f"{TEXT}\n\nAgain: {TEXT}",
        f'An example: {{"tables": "no list"}}. My answer: {TEXT}',
        json.dumps({"name": "final_result", "arguments": GOOD}),
        json.dumps({"name": "final_result", "parameters": GOOD}),
        f"<think>{{}}</think>{TEXT}",
    ],
)
def test_the_one_fitting_object_in_prose_is_the_answer(wire: Wire, asking: Asking, text: str) -> None:
    completion = asking.answer(wire.by_text(text))
    assert completion.answer == Choice.model_validate(GOOD)
    assert completion.usage.calls == 1


def test_prose_around_the_arguments_of_the_tool_is_left_out(open_asking: Callable[..., Asking]) -> None:
    asking = open_asking(OpenAI())
    assert asking.answer(OpenAI().by_arguments(f"```json\n{TEXT}\n```")).usage.calls == 1


def test_of_several_answers_by_the_tool_the_first_that_fits_is_taken(open_asking: Callable[..., Asking]) -> None:
    other = json.dumps({"tables": [], "confidence": 0.0})
    completion = open_asking(OpenAI()).answer(OpenAI().by_arguments('{"tables": ', TEXT, other))
    assert completion.answer == Choice.model_validate(GOOD)


def test_a_server_that_takes_no_tools_is_asked_for_text_from_then_on(
    wire: Wire, open_asking: Callable[..., Asking]
) -> None:
    asking = open_asking(wire)
    refusal = wire.error(400, "registry.ollama.ai/library/test-model:latest does not support tools")
    assert asking.answer(refusal, wire.by_text(TEXT)).usage.calls == 2
    assert asking.answer(wire.by_text(TEXT)).usage.calls == 1
    assert [bool(wire.tools(request)) for request in asking.server.requests] == [True, False, False]
    instructions, _ = wire.heard(asking.server.requests[1])
    assert instructions.startswith(PROMPT.instructions)
    assert '"confidence"' in instructions


# What fails because of the answer


@pytest.mark.parametrize(
    "text",
    ['{"tables": [', "null", "tables: none", f"{TEXT} or {json.dumps(GOOD | {'confidence': 0.5})}", f"[{TEXT}"],
    ids=["broken", "null", "prose", "two answers", "inside a broken list"],
)
def test_an_answer_that_is_no_json_of_that_shape_is_malformed(wire: Wire, asking: Asking, text: str) -> None:
    assert asking.error(wire.by_text(text), wire.by_text(text)).code == "malformed"


@pytest.mark.parametrize("arguments", ['{"tables": [', "null", "tables: none"])
def test_arguments_that_are_no_json_are_malformed(open_asking: Callable[..., Asking], arguments: str) -> None:
    reply = OpenAI().by_arguments(arguments)
    assert open_asking(OpenAI()).error(reply, reply).code == "malformed"


def test_a_model_that_calls_its_tool_wrongly_again_and_again_is_asked_twice(wire: Wire, asking: Asking) -> None:
    bad = wire.by_tool({"tables": "all"})
    assert asking.error(bad, bad).code == "malformed"
    assert len(asking.server.requests) == 2


def test_a_tool_that_was_not_offered_is_answered_once_and_then_an_error(wire: Wire, asking: Asking) -> None:
    other = wire.by_tool({"statement": "drop table orders"}, tool="run_sql")
    assert asking.answer(other, wire.by_tool(GOOD)).usage.calls == 2
    assert "`run_sql`" in wire.heard(asking.server.requests[1])[1][1]
    error = asking.error(other, other)
    assert error.code == "wrong_tool"
    assert "`run_sql`" in error.what


def test_an_empty_answer_is_asked_for_once_more(wire: Wire, asking: Asking) -> None:
    assert asking.answer(wire.empty(), wire.by_tool(GOOD)).usage.calls == 2
    assert asking.error(wire.empty(), wire.empty()).code == "empty"


def test_a_refusal_is_taken_at_its_word(wire: Wire, asking: Asking) -> None:
    assert asking.error(wire.refusal("I cannot help with that.")).code == "refused"


def test_an_answer_that_was_cut_off_is_truncated_and_not_asked_for_again(wire: Wire, asking: Asking) -> None:
    error = asking.error(wire.cut_off('{"tables": ["shop.orders", "shop.ret'))
    assert error.code == "truncated"
    assert error.usage.completion_tokens == 30


def test_an_object_inside_an_answer_that_was_cut_off_is_no_answer(wire: Wire, asking: Asking) -> None:
    assert asking.error(wire.cut_off(f'{{"answers": [{TEXT}, {{"tables"')).code == "truncated"


def test_an_answer_that_is_whole_counts_even_where_the_length_was_reached(wire: Wire, asking: Asking) -> None:
    assert asking.answer(wire.cut_off(TEXT)).answer == Choice.model_validate(GOOD)


# What fails because of the request


def test_a_context_that_is_too_long_is_told_at_once(wire: Wire, asking: Asking) -> None:
    error = asking.error(wire.too_long)
    assert error.code == "too_long"
    assert error.usage == Usage(0, 0, 0, calls=1)
    assert asking.pauses == []


@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_key_is_told_at_once_without_showing_it(wire: Wire, asking: Asking, status: int) -> None:
    error = asking.error(wire.error(status, f"Incorrect API key provided: {KEY}"))
    assert error.code == "unauthorized"
    assert f"HTTP {status}" in error.what


@pytest.mark.parametrize(
    ("status", "message", "code"),
    [(400, "temperature is out of range", "rejected"), (404, "no such model", "not_found")],
)
def test_what_the_server_objects_to_is_told_at_once_in_its_words(
    wire: Wire, asking: Asking, status: int, message: str, code: str
) -> None:
    error = asking.error(wire.error(status, message))
    assert error.code == code
    assert f"HTTP {status}" in error.what
    assert message in error.what


def test_a_key_in_the_words_of_a_server_is_left_out(wire: Wire, asking: Asking) -> None:
    error = asking.error(wire.error(400, f"bad header Bearer {KEY} of AIzaSyA-0123456789, sk-ant-abcdefgh12345"))
    assert "bad header … of …, …" in error.what


@pytest.mark.parametrize(("asked", "seconds"), [("0", 0), ("7", 7)])
def test_a_rate_limit_waits_as_long_as_the_server_asks(wire: Wire, asking: Asking, asked: str, seconds: float) -> None:
    busy = wire.error(429, "too many requests", {"retry-after": asked})
    assert asking.answer(busy, wire.by_tool(GOOD)).usage.calls == 2
    assert asking.pauses == [seconds]


def test_a_rate_limit_that_stays_is_told_after_three_requests(wire: Wire, asking: Asking) -> None:
    busy = wire.error(429, "too many requests", {"retry-after": "1"})
    error = asking.error(busy, busy, busy)
    assert error.code == "rate_limited"
    assert error.usage.calls == 3
    assert asking.pauses == [1, 1]


def test_a_rate_limit_that_asks_for_more_time_than_there_is_is_told_at_once(wire: Wire, asking: Asking) -> None:
    busy = wire.error(429, "too many requests", {"retry-after": "60"})
    assert asking.error(busy, allowance=Allowance(seconds=30)).code == "rate_limited"
    assert asking.pauses == []


def test_credit_that_is_used_up_is_no_rate_limit(open_asking: Callable[..., Asking]) -> None:
    body = {
        "error": {"message": "You exceeded your quota.", "type": "insufficient_quota", "code": "insufficient_quota"}
    }
    assert open_asking(OpenAI()).error(Reply(body, 429)).code == "quota"


@pytest.mark.parametrize("status", [500, 502, 503, 529])
def test_an_error_of_the_server_is_tried_again_with_longer_pauses(wire: Wire, asking: Asking, status: int) -> None:
    broken = wire.error(status, "internal")
    assert asking.answer(broken, broken, wire.by_tool(GOOD)).usage.calls == 3
    assert asking.pauses == [1, 2]


def test_an_error_of_the_server_that_stays_is_unavailable(wire: Wire, asking: Asking) -> None:
    broken = wire.error(500, "out of memory")
    error = asking.error(broken, broken, broken)
    assert error.code == "unavailable"
    assert "out of memory" in error.what
    assert error.usage == Usage(0, 0, 0, calls=3)


def test_retries_are_counted_over_the_whole_answer(wire: Wire, asking: Asking) -> None:
    broken = wire.error(500, "out of memory")
    error = asking.error(broken, wire.by_text("Hm."), broken, broken)
    assert error.code == "unavailable"
    assert error.usage == Usage(120, 64, 30, calls=4)


def test_a_connection_dropped_in_mid_answer_is_tried_again_and_its_prompt_is_counted(
    wire: Wire, asking: Asking
) -> None:
    whole = wire.by_tool(GOOD, usage=(100, 0, 10))
    dropped = Reply(whole.body, is_dropped=True)
    usage = asking.answer(dropped, whole).usage
    assert usage.calls == 2
    # The estimate of the prompt and its schema stands for what nobody counted.
    assert 40 <= usage.prompt_tokens - 100 <= 120
    assert asking.error(dropped, dropped, dropped).code == "unavailable"


def test_a_server_that_does_not_answer_in_time_is_a_timeout(wire: Wire, open_asking: Callable[..., Asking]) -> None:
    asking = open_asking(wire, request_seconds=0.2)
    error = asking.error(Reply({}, is_silent=True))
    assert error.code == "timeout"
    assert error.usage.calls == 1
    assert 40 <= error.usage.prompt_tokens <= 120


def test_the_time_that_is_allowed_ends_a_request(wire: Wire, asking: Asking) -> None:
    assert asking.error(Reply({}, is_silent=True), allowance=Allowance(seconds=0.2)).code == "timeout"


@pytest.mark.parametrize("body", [b"<html>busy</html>", b"", b"{}", b"[]"])
def test_a_body_that_is_no_completion_is_malformed_or_empty(wire: Wire, asking: Asking, body: bytes) -> None:
    asking.server.replies = [Reply(body)] * 4
    with pytest.raises(ModelError, match=wire.name) as caught:
        asking.model.complete(PROMPT, Choice)
    assert caught.value.code in ("malformed", "empty", "unavailable")


def test_a_server_that_nobody_runs_is_unavailable(wire: Wire, closed_port: int) -> None:
    async def no_pause(_seconds: float) -> None: ...

    model = PydanticAIModel.open(wire.name, f"http://127.0.0.1:{closed_port}{wire.base_path}", sleep=no_pause)
    with pytest.raises(ModelError, match=wire.name) as caught:
        model.complete(PROMPT, Choice)
    model.close()
    assert caught.value.code == "unavailable"
    assert caught.value.usage == Usage(0, 0, 0, calls=3)
    assert KEY not in "".join(traceback.format_exception(caught.value))


# What the allowance ends


def test_an_answer_may_be_as_long_as_the_tokens_that_are_left(wire: Wire, asking: Asking) -> None:
    asking.answer(wire.by_tool(GOOD), allowance=Allowance(tokens=1000))
    most = wire.most_tokens(asking.server.requests[0])
    assert most is not None
    assert 880 <= most <= 960


def test_an_answer_that_was_cut_off_for_the_allowance_says_so(wire: Wire, asking: Asking) -> None:
    assert asking.error(wire.cut_off('{"tab'), allowance=Allowance(tokens=1000)).code == "limit"


def test_no_request_is_sent_beyond_the_tokens_or_calls_that_are_allowed(wire: Wire, asking: Asking) -> None:
    bad = wire.by_text("Hm.", usage=(600, 0, 100))
    error = asking.error(bad, allowance=Allowance(tokens=1000))
    assert (error.code, error.usage.tokens) == ("limit", 700)
    error = asking.error(bad, allowance=Allowance(calls=1))
    assert (error.code, error.usage.calls) == ("limit", 1)
    assert asking.error(allowance=Allowance(tokens=200)).usage.calls == 0


# Several threads


def test_several_threads_ask_one_model_at_once(wire: Wire, asking: Asking) -> None:
    asking.server.replies = [wire.by_tool(GOOD, usage=(100, 0, 10))] * 8
    # Each request is answered only when four are there.
    asking.server.meeting = threading.Barrier(4)
    ledger = Ledger()
    step = ModelSession(asking.model, ledger, max_concurrent_calls=4).at("grounding")
    with ThreadPoolExecutor(8) as threads:
        calls = [threads.submit(step.complete, PROMPT, Choice) for _ in range(8)]
        assert [call.result(timeout=30).answer.confidence for call in calls] == [0.75] * 8
    assert asking.server.most_at_once == 4
    assert (ledger.total.calls, ledger.total.tokens) == (8, 880)


def test_a_thread_that_has_an_event_loop_of_its_own_may_ask(wire: Wire, asking: Asking) -> None:
    async def in_a_notebook() -> float:
        return asking.answer(wire.by_tool(GOOD)).answer.confidence

    assert asyncio.run(in_a_notebook()) == 0.75


def test_a_model_that_was_closed_opens_again(wire: Wire, asking: Asking) -> None:
    asking.answer(wire.by_tool(GOOD))
    asking.model.close()
    asking.model.close()
    assert asking.answer(wire.by_tool(GOOD)).answer.confidence == 0.75


def test_closing_a_model_ends_the_wait_of_those_who_ask(
    open_asking: Callable[..., Asking], server: ModelServer
) -> None:
    asking = open_asking(OpenAI())
    asking.server.replies = [Reply({}, is_silent=True)]
    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(asking.model.complete, PROMPT, Choice)
        while not server.requests:
            threading.Event().wait(0.01)
        asking.model.close()
        assert isinstance(waiting.exception(timeout=20), CancelledError)


# What cannot be opened


@pytest.mark.parametrize(("name", "package"), [("anthropic:model", "anthropic"), ("google:model", "google.genai")])
def test_a_provider_whose_package_is_missing_is_one_line_with_the_command(name: str, package: str) -> None:
    code = f"""
import sys
sys.modules["{package}"] = sys.modules["{package}.client"] = None
from linker.errors import ModelError
from linker.models import open_model
try:
    open_model("{name}", "http://127.0.0.1:1")
except ModelError as error:
    print(error.code, error.what, error.hint, sep="|")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    provider = name.partition(":")[0]
    assert done.stdout == (
        f"setup|model `{name}` needs a package that is not installed|pip install 'dbt-linker[{provider}]'\n"
    )


@pytest.mark.parametrize("name", ["nobody:model", "gpt-5", ":model", "openai:", ""])
def test_a_provider_that_does_not_exist_is_a_model_error_with_a_hint(name: str) -> None:
    with pytest.raises(ModelError, match=f"`{name}`") as caught:
        open_model(name)
    assert caught.value.code == "setup"
    assert "provider:name" in caught.value.hint


@pytest.mark.parametrize("wire", WIRES[:3], ids=lambda wire: wire.name)
def test_a_provider_without_its_key_is_a_model_error_that_names_the_variable(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(wire.key_variable, raising=False)
    monkeypatch.delenv("GEMINI_API_KEY", raising=False)
    with pytest.raises(ModelError, match=wire.key_variable) as caught:
        open_model(wire.name)
    assert caught.value.code == "setup"


@pytest.mark.parametrize("url", ["localhost:11434", "ftp://host/v1", "http://", "just words"])
def test_a_base_url_that_is_none_is_a_model_error_that_does_not_repeat_it(url: str) -> None:
    with pytest.raises(ModelError, match="model_base_url") as caught:
        open_model("openai:test-model", url)
    assert url not in caught.value.what


def test_a_base_url_goes_with_the_providers_whose_format_is_known() -> None:
    with pytest.raises(ModelError, match="model_base_url") as caught:
        open_model("mistral:large", "http://localhost:1234/v1")
    assert "`openai:…`" in caught.value.hint


def test_every_outcome_stands_in_the_documentation(checkout: Path) -> None:
    page = (checkout / "docs" / "models.md").read_text("utf-8")
    codes = [code for part in get_args(ModelErrorCode) for code in (get_args(part) or [part])]
    assert [code for code in codes if f"| `{code}` |" not in page] == []

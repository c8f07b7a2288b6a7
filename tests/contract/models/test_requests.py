"""Requests in each wire format, and their counted cost."""

import json
from collections.abc import Callable

import pytest

from linker.models import Prompt
from linker.types import Usage
from tests.contract.model_server import ModelServer
from tests.contract.model_wires import WIRES, Wire
from tests.contract.models.scripted_provider import GOOD, KEY, OWN_KEY, PROMPT, Asking, Choice

# Requests


def test_the_request_offers_one_tool_with_the_fields_of_the_answer_and_carries_the_key(
    wire: Wire, asking: Asking
) -> None:
    asking.answer(wire.by_tool(GOOD))
    assert asking.server.paths[0].partition("?")[0].endswith(wire.path)
    assert wire.tools(asking.server.requests[0]) == {"final_result": {"tables", "confidence"}}
    assert wire.key(asking.server.headers[0]) == KEY


def test_a_server_of_ones_own_is_asked_without_a_key(
    wire: Wire, open_asking: Callable[..., Asking], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LINKER_MODEL_API_KEY")
    asking = open_asking(wire)
    assert asking.answer(wire.by_tool(GOOD)).answer.confidence == 0.75
    assert KEY not in json.dumps(asking.server.headers)
    assert OWN_KEY not in json.dumps(asking.server.headers)


def test_anthropic_is_told_to_cache_the_instructions(
    server: ModelServer, open_asking: Callable[..., Asking]
) -> None:
    wire = WIRES[1]
    open_asking(wire).answer(wire.by_tool(GOOD))
    assert server.requests[0]["system"][0]["cache_control"]["type"] == "ephemeral"


def test_what_comes_first_is_the_same_in_every_request_of_a_step(
    wire: Wire, asking: Asking
) -> None:
    asking.server.replies = [wire.by_tool(GOOD)] * 2
    for content in ("one", "two"):
        asking.model.complete(Prompt(PROMPT.instructions, content), Choice)
    first, second = asking.server.requests
    assert json.dumps(first).replace("one", "two") == json.dumps(second)


# Costs


def test_tokens_are_counted_as_the_server_counts_them(wire: Wire, asking: Asking) -> None:
    usage = asking.answer(wire.by_tool(GOOD, usage=(1500, 1024, 42))).usage
    assert usage == Usage(prompt_tokens=1500, cached_tokens=1024, completion_tokens=42, calls=1)


def test_the_tokens_of_an_answer_that_was_of_no_use_are_counted_too(
    wire: Wire, asking: Asking
) -> None:
    completion = asking.answer(
        wire.by_text("Hm.", usage=(100, 0, 10)), wire.by_tool(GOOD, usage=(150, 90, 20))
    )
    assert completion.usage == Usage(
        prompt_tokens=250, cached_tokens=90, completion_tokens=30, calls=2
    )


def test_the_tokens_of_all_answers_are_told_when_none_was_of_use(
    wire: Wire, asking: Asking
) -> None:
    error = asking.error(
        wire.by_text("Hm.", usage=(100, 0, 10)), wire.by_text("Hm.", usage=(150, 90, 20))
    )
    assert error.usage == Usage(prompt_tokens=250, cached_tokens=90, completion_tokens=30, calls=2)


def test_a_request_that_failed_is_a_call_without_tokens(wire: Wire, asking: Asking) -> None:
    completion = asking.answer(
        wire.error(500, "out of memory"), wire.by_tool(GOOD, usage=(100, 0, 10))
    )
    assert completion.usage == Usage(100, 0, 10, calls=2)

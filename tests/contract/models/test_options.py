"""Effort and temperature as sent to each provider, and rejected options."""

from collections.abc import Callable
from typing import Any

import pytest

from linker.budget import CallLimit
from linker.errors import ModelError
from linker.models import open_model
from linker.models.pydantic_ai.model import ModelOptions
from tests.contract.model_wires import WIRES
from tests.contract.models.scripted_provider import GOOD, Asking

OPENAI, ANTHROPIC, GOOGLE, OLLAMA = WIRES
# Fields of a request that say how a model is to answer.
_FIELDS = ("temperature", "reasoning_effort", "thinking", "output_config", "max_tokens")


def sent(
    open_asking: Callable[..., Asking],
    name: str,
    allowance: CallLimit | None = None,
    **options: Any,
) -> Any:
    """What a request says of effort, temperature and length."""
    wire = next(wire for wire in WIRES if wire.name.partition(":")[0] == name.partition(":")[0])
    asking = open_asking(wire, name=name, options=ModelOptions(**options))
    asking.answer(wire.by_tool(GOOD), allowance=allowance)
    request = asking.server.requests[-1]
    request |= request.get("generationConfig", {})
    return {key: request[key] for key in (*_FIELDS, "thinkingConfig") if key in request}


def test_what_nobody_set_is_a_temperature_of_0_and_the_effort_of_the_model(
    open_asking: Callable[..., Asking],
) -> None:
    assert sent(open_asking, "openai:any-model") == {"temperature": 0}
    assert sent(open_asking, "openai:gpt-5") == {}
    assert sent(open_asking, "anthropic:claude-haiku-4-5") == {
        "temperature": 0,
        "max_tokens": 16_384,
    }
    assert sent(open_asking, "google:gemini-2.5-flash") == {"temperature": 0}
    assert sent(open_asking, "ollama:qwen3:8b") == {"temperature": 0}


def test_a_temperature_that_is_set_is_sent_to_each_provider(
    open_asking: Callable[..., Asking],
) -> None:
    for wire in WIRES:
        assert sent(open_asking, wire.name, temperature=0.6)["temperature"] == 0.6


@pytest.mark.parametrize(
    ("name", "effort", "expected"),
    [
        ("openai:gpt-5", "low", {"reasoning_effort": "low"}),
        ("openai:gpt-5.1", "none", {"reasoning_effort": "none", "temperature": 0}),
        ("openai:what-I-serve", "high", {"reasoning_effort": "high", "temperature": 0}),
        ("ollama:qwen3:8b", "none", {"reasoning_effort": "none", "temperature": 0}),
        ("ollama:gpt-oss:20b", "low", {"reasoning_effort": "low", "temperature": 0}),
        (
            "anthropic:claude-haiku-4-5",
            "low",
            # The budget comes on top of what a reply may need: Anthropic counts it as part of the
            # reply.
            {"thinking": {"type": "enabled", "budget_tokens": 2_048}, "max_tokens": 2_048 + 16_384},
        ),
        ("anthropic:claude-haiku-4-5", "none", {"temperature": 0, "max_tokens": 16_384}),
        (
            "anthropic:claude-opus-4-8",
            "high",
            {
                "thinking": {"type": "adaptive"},
                "output_config": {"effort": "high"},
                "max_tokens": 16_384,
            },
        ),
        (
            "google:gemini-2.5-flash",
            "low",
            {
                "temperature": 0,
                "thinkingConfig": {"include_thoughts": True, "thinking_budget": 2_048},
            },
        ),
        (
            "google:gemini-2.5-flash",
            "none",
            {"temperature": 0, "thinkingConfig": {"thinking_budget": 0}},
        ),
    ],
)
def test_the_effort_is_sent_by_the_name_that_it_has_there(
    open_asking: Callable[..., Asking], name: str, effort: str, expected: dict[str, object]
) -> None:
    assert sent(open_asking, name, effort=effort) == expected


def test_the_budget_of_reasoning_leaves_half_of_what_is_left_to_the_reply(
    open_asking: Callable[..., Asking],
) -> None:
    found = sent(open_asking, "anthropic:claude-haiku-4-5", CallLimit(tokens=8_000), effort="high")
    assert found["thinking"]["budget_tokens"] == found["max_tokens"] // 2
    assert found["max_tokens"] < 8_000


def test_nothing_is_reasoned_where_too_little_is_left_for_it(
    open_asking: Callable[..., Asking],
) -> None:
    assert "thinking" not in sent(
        open_asking, "anthropic:claude-haiku-4-5", CallLimit(tokens=1_500), effort="high"
    )


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("openai:gpt-4o", {"effort": "low"}, "takes no `model_effort`"),
        ("google:gemini-2.0-flash", {"effort": "low"}, "takes no `model_effort`"),
        ("openai:o3", {"effort": "none"}, "always reasons"),
        ("openai:o3", {"temperature": 0.5}, "takes no `model_temperature`"),
        ("anthropic:claude-opus-4-8", {"temperature": 0.5}, "takes no `model_temperature`"),
        (
            "anthropic:claude-haiku-4-5",
            {"temperature": 0.5, "effort": "low"},
            "takes no `model_temperature`",
        ),
        ("anthropic:claude-haiku-4-5", {"temperature": 1.5}, "from 0 to 1"),
    ],
)
def test_what_a_model_refuses_is_told_when_it_is_opened(
    name: str, options: dict[str, Any], words: str
) -> None:
    with pytest.raises(ModelError, match=words) as caught:
        open_model(name, **options)
    assert (caught.value.code, f"`{name}`" in caught.value.what, bool(caught.value.hint)) == (
        "setup",
        True,
        True,
    )

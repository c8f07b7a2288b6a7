"""Streamed replies, and servers that cannot stream."""

from collections.abc import Callable

from linker.models import MessagePair, Prompt, ReplyLength, listening
from tests.contract.model_server import Reply
from tests.contract.model_wires import WIRES, OpenAI, Wire
from tests.contract.models.scripted_provider import GOOD, PROMPT, TEXT, Asking, Choice


def test_every_provider_is_asked_to_stream(wire: Wire, asking: Asking) -> None:
    asking.answer(wire.by_tool(GOOD))
    assert (
        asking.server.requests[0].get("stream")
        or ":streamGenerateContent" in asking.server.paths[0]
    )


def test_who_listens_hears_how_much_of_a_reply_is_there(wire: Wire, asking: Asking) -> None:
    heard: list[ReplyLength] = []
    with listening(heard.append):
        asking.answer(wire.by_text(TEXT))
    assert heard[0] == ReplyLength()
    assert heard[-1] == ReplyLength(written=len(TEXT))
    lengths = [item.written for item in heard]
    assert lengths == sorted(lengths)
    asking.answer(wire.by_text(TEXT))
    assert len(heard) == len(lengths)


def test_a_server_that_refuses_to_stream_is_asked_for_all_at_once_from_then_on(
    wire: Wire, open_asking: Callable[..., Asking]
) -> None:
    asking = open_asking(wire)
    refused = wire.error(400, "Your organization must be verified to stream this model.")
    assert asking.answer(refused, wire.by_tool(GOOD)).usage.calls == 2
    assert asking.answer(wire.by_tool(GOOD)).usage.calls == 1
    assert [bool(request.get("stream")) for request in asking.server.requests[1:]] == [False, False]
    assert ["stream" in path for path in asking.server.paths[1:]] == [False, False]


def test_a_server_that_answers_whole_though_it_was_to_stream_is_read_at_once(
    open_asking: Callable[..., Asking],
) -> None:
    asking = open_asking(OpenAI())
    asking.server.is_whole = True
    for reply in (OpenAI().by_tool(GOOD), OpenAI().by_text(TEXT)):
        completion = asking.answer(reply)
        assert completion.answer == Choice.model_validate(GOOD)
        assert (
            completion.usage.prompt_tokens,
            completion.usage.cached_tokens,
            completion.usage.calls,
        ) == (120, 64, 1)


def test_tokens_that_a_server_does_not_count_where_it_streams_are_estimated(
    open_asking: Callable[..., Asking],
) -> None:
    body = {name: value for name, value in OpenAI().by_text(TEXT).body.items() if name != "usage"}  # type: ignore[attr-defined]
    usage = open_asking(OpenAI()).answer(Reply(body)).usage
    assert 40 <= usage.prompt_tokens <= 120
    # Seven words and signs between: tables, shop.orders, confidence, 0.75.
    assert 10 <= usage.completion_tokens <= 30


def test_anthropic_caches_a_conversation_once_it_has_several_turns(
    open_asking: Callable[..., Asking],
) -> None:
    asking = open_asking(WIRES[1])
    asking.server.replies = [WIRES[1].by_tool(GOOD)] * 2
    for earlier in ((), (MessagePair("Which tables?", TEXT),)):
        asking.model.complete(Prompt(PROMPT.instructions, PROMPT.content, earlier=earlier), Choice)
    first, second = asking.server.requests
    assert [request["system"][0]["cache_control"]["type"] for request in (first, second)] == [
        "ephemeral"
    ] * 2
    assert "cache_control" not in first
    assert second["cache_control"]["type"] == "ephemeral"

"""Replies as streamed events of each provider, as documented."""

import json
from collections.abc import Iterator
from typing import Any


def events_of(path: str, asked: dict[str, Any], body: object) -> list[bytes]:
    """The events of a reply; none without streaming, or if it is no completion."""
    if not isinstance(body, dict):
        return []
    if ":streamGenerateContent" in path and "candidates" in body:
        return [*map(_event, _parts(body))]
    if asked.get("stream") and "choices" in body:
        return [*map(_event, _chunks(body)), b"data: [DONE]\n\n"]
    if asked.get("stream") and body.get("type") == "message":
        return [f"event: {event['type']}\n".encode() + _event(event) for event in _steps(body)]
    return []


def _event(content: dict[str, Any]) -> bytes:
    return b"data: " + json.dumps(content).encode() + b"\n\n"


def _halves(text: str) -> tuple[str, str]:
    return text[: len(text) // 2], text[len(text) // 2 :]


def _chunks(body: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """
    https://platform.openai.com/docs/api-reference/chat-streaming: deltas, the reason of the end, then usage.
    """
    base = {name: value for name, value in body.items() if name not in ("choices", "usage")}
    base["object"] = "chat.completion.chunk"
    [choice] = body["choices"]
    message = choice["message"]

    def chunk(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
        return {**base, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}

    yield chunk({"role": "assistant", "content": ""})
    for part in _halves(message.get("content") or ""):
        yield chunk({"content": part})
    if message.get("refusal"):
        yield chunk({"refusal": message["refusal"]})
    for place, call in enumerate(message.get("tool_calls") or ()):
        first, second = _halves(call["function"]["arguments"])
        function = {"name": call["function"]["name"], "arguments": first}
        yield chunk(
            {
                "tool_calls": [
                    {"index": place, "id": call["id"], "type": "function", "function": function}
                ]
            }
        )
        yield chunk({"tool_calls": [{"index": place, "function": {"arguments": second}}]})
    yield chunk({}, choice["finish_reason"])
    if "usage" in body:
        yield {**base, "choices": [], "usage": body["usage"]}


def _parts(body: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """
    https://ai.google.dev/api/generate-content: whole responses, whose parts follow each other.
    """
    [candidate] = body["candidates"]
    whole: list[dict[str, Any]] = candidate["content"]["parts"]
    for parts in (whole[:0], whole):
        yield {"candidates": [{"index": 0, "content": {"role": "model", "parts": parts}}]}
    yield {**body, "candidates": [{**candidate, "content": {"role": "model", "parts": []}}]}


def _steps(body: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """
    https://docs.anthropic.com/en/docs/build-with-claude/streaming: blocks that begin, grow and end.
    """
    written = body["usage"]["output_tokens"]
    begun = {
        **body,
        "content": [],
        "stop_reason": None,
        "usage": {**body["usage"], "output_tokens": 1},
    }
    yield {"type": "message_start", "message": begun}
    for place, block in enumerate(body["content"]):
        is_text = block["type"] == "text"
        yield {
            "type": "content_block_start",
            "index": place,
            "content_block": {**block, "text": ""} if is_text else {**block, "input": {}},
        }
        for part in _halves(block["text"] if is_text else json.dumps(block["input"])):
            delta = (
                {"type": "text_delta", "text": part}
                if is_text
                else {"type": "input_json_delta", "partial_json": part}
            )
            yield {"type": "content_block_delta", "index": place, "delta": delta}
        yield {"type": "content_block_stop", "index": place}
    yield {
        "type": "message_delta",
        "delta": {"stop_reason": body["stop_reason"], "stop_sequence": None},
        "usage": {"output_tokens": written},
    }
    yield {"type": "message_stop"}

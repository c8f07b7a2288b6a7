"""
https://platform.openai.com/docs/api-reference/chat, and https://docs.ollama.com/api/openai-compatibility.
"""

import json
from typing import Any

from tests.contract.model_server import Reply
from tests.contract.wires.base import USAGE, Usage


class OpenAI:
    """Chat completions."""

    name = "openai:test-model"
    path = "/v1/chat/completions"
    base_path = "/v1"
    key_variable = "OPENAI_API_KEY"
    too_long = Reply(
        {
            "error": {
                "message": "This model's maximum context length is 128000 tokens. However, your messages resulted in "
                "160000 tokens. Please reduce the length of the messages.",
                "type": "invalid_request_error",
                "param": "messages",
                "code": "context_length_exceeded",
            }
        },
        400,
    )

    def completion(
        self, message: dict[str, Any], usage: Usage = USAGE, finish: str = "stop"
    ) -> Reply:
        prompt_tokens, cached_tokens, completion_tokens = usage
        choice = {
            "index": 0,
            "finish_reason": finish,
            "message": {"role": "assistant", "content": None} | message,
        }
        return Reply(
            {
                "id": "completion-1",
                "object": "chat.completion",
                "created": 1_700_000_000,
                "model": "test-model",
                "choices": [choice],
                "usage": {
                    "prompt_tokens": prompt_tokens,
                    "completion_tokens": completion_tokens,
                    "total_tokens": prompt_tokens + completion_tokens,
                    "prompt_tokens_details": {"cached_tokens": cached_tokens},
                },
            }
        )

    def by_arguments(
        self, *arguments: str, tool: str = "final_result", usage: Usage = USAGE
    ) -> Reply:
        """The arguments as a model writes them, JSON or not; one call each."""
        calls = [
            {
                "id": f"call-{number}",
                "type": "function",
                "function": {"name": tool, "arguments": text},
            }
            for number, text in enumerate(arguments)
        ]
        return self.completion({"tool_calls": calls}, usage, "tool_calls")

    def by_tool(
        self, arguments: dict[str, Any], tool: str = "final_result", usage: Usage = USAGE
    ) -> Reply:
        return self.by_arguments(json.dumps(arguments), tool=tool, usage=usage)

    def by_text(self, text: str, usage: Usage = USAGE) -> Reply:
        return self.completion({"content": text}, usage)

    def empty(self) -> Reply:
        return self.completion({"content": ""})

    def cut_off(self, text: str) -> Reply:
        return self.completion({"content": text}, finish="length")

    def refusal(self, words: str) -> Reply:
        return self.completion({"refusal": words})

    def error(self, status: int, message: str, headers: dict[str, str] | None = None) -> Reply:
        return Reply(
            {"error": {"message": message, "type": "error", "code": None}}, status, headers or {}
        )

    def heard(self, request: dict[str, Any]) -> tuple[str, list[str]]:
        system, *others = request["messages"]
        assert system["role"] == "system"
        assert [message["role"] for message in others] == ["user"] * len(others)
        return system["content"], [message["content"] for message in others]

    def tools(self, request: dict[str, Any]) -> dict[str, set[str]]:
        tools = [tool["function"] for tool in request.get("tools", [])]
        return {tool["name"]: set(tool["parameters"]["properties"]) for tool in tools}

    def key(self, headers: dict[str, str]) -> str:
        return headers["authorization"].removeprefix("Bearer ")

    def most_tokens(self, request: dict[str, Any]) -> int | None:
        return request.get("max_completion_tokens", request.get("max_tokens"))


class Ollama(OpenAI):
    """The same, without refusals and without cached tokens."""

    name = "ollama:test-model"
    key_variable = "OLLAMA_API_KEY"
    base_path = ""
    too_long = Reply(
        {
            "error": {
                "message": "the input length exceeds the context length",
                "type": "invalid_request_error",
                "param": None,
                "code": None,
            }
        },
        400,
    )

    def completion(
        self, message: dict[str, Any], usage: Usage = USAGE, finish: str = "stop"
    ) -> Reply:
        reply = super().completion(message, usage, finish)
        assert isinstance(reply.body, dict)
        if not usage[1]:
            del reply.body["usage"]["prompt_tokens_details"]
        return Reply(reply.body | {"system_fingerprint": "fp_ollama"})

    def refusal(self, words: str) -> Reply:
        return self.completion({"content": words}, finish="content_filter")

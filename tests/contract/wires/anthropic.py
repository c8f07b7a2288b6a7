"""https://docs.anthropic.com/en/api/messages."""

from typing import Any, ClassVar

from tests.contract.model_server import Reply
from tests.contract.wires.base import USAGE, Usage


class Anthropic:
    """Messages."""

    name = "anthropic:test-model"
    path = "/v1/messages"
    base_path = ""
    key_variable = "ANTHROPIC_API_KEY"
    too_long = Reply(
        {
            "type": "error",
            "error": {
                "type": "invalid_request_error",
                "message": "prompt is too long: 212345 tokens > 200000 maximum",
            },
        },
        400,
    )
    _KINDS: ClassVar = {
        400: "invalid_request_error",
        401: "authentication_error",
        403: "permission_error",
        404: "not_found_error",
        429: "rate_limit_error",
        529: "overloaded_error",
    }

    def message(
        self, content: list[dict[str, Any]], usage: Usage = USAGE, stop: str = "end_turn"
    ) -> Reply:
        prompt_tokens, cached_tokens, completion_tokens = usage
        return Reply(
            {
                "id": "msg_1",
                "type": "message",
                "role": "assistant",
                "model": "test-model",
                "content": content,
                "stop_reason": stop,
                "stop_sequence": None,
                "usage": {
                    # Anthropic counts what it read from its cache apart.
                    "input_tokens": prompt_tokens - cached_tokens,
                    "cache_read_input_tokens": cached_tokens,
                    "cache_creation_input_tokens": 0,
                    "output_tokens": completion_tokens,
                },
            }
        )

    def by_tool(
        self, arguments: dict[str, Any], tool: str = "final_result", usage: Usage = USAGE
    ) -> Reply:
        return self.message(
            [{"type": "tool_use", "id": "toolu_1", "name": tool, "input": arguments}],
            usage,
            "tool_use",
        )

    def by_text(self, text: str, usage: Usage = USAGE) -> Reply:
        return self.message([{"type": "text", "text": text}], usage)

    def empty(self) -> Reply:
        return self.message([])

    def cut_off(self, text: str) -> Reply:
        return self.message([{"type": "text", "text": text}], stop="max_tokens")

    def refusal(self, words: str) -> Reply:
        return self.message([{"type": "text", "text": words}], stop="refusal")

    def error(self, status: int, message: str, headers: dict[str, str] | None = None) -> Reply:
        error = {"type": self._KINDS.get(status, "api_error"), "message": message}
        return Reply({"type": "error", "error": error}, status, headers or {})

    def heard(self, request: dict[str, Any]) -> tuple[str, list[str]]:
        assert [message["role"] for message in request["messages"]] == ["user"]
        [system] = request["system"]
        content = request["messages"][0]["content"]
        return system["text"], [content] if isinstance(content, str) else [
            block["text"] for block in content
        ]

    def tools(self, request: dict[str, Any]) -> dict[str, set[str]]:
        return {
            tool["name"]: set(tool["input_schema"]["properties"])
            for tool in request.get("tools", [])
        }

    def key(self, headers: dict[str, str]) -> str:
        # Which header carries it is the client's choice: older ones write x-api-key.
        return headers.get("x-api-key") or headers["authorization"].removeprefix("Bearer ")

    def most_tokens(self, request: dict[str, Any]) -> int | None:
        return int(request["max_tokens"])

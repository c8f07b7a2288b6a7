"""
The wire formats of the providers, as their documentation gives them.

OpenAI: https://platform.openai.com/docs/api-reference/chat, Anthropic: https://docs.anthropic.com/en/api/messages,
Google: https://ai.google.dev/api/generate-content, Ollama: https://docs.ollama.com/api/openai-compatibility.
"""

import json
from typing import Any, ClassVar, Protocol

from tests.contract.model_server import Reply

Usage = tuple[int, int, int]
USAGE: Usage = (120, 64, 30)


class Wire(Protocol):
    """How one provider speaks; usage is prompt (the cached part included), cached and completion tokens."""

    name: str
    path: str
    base_path: str
    key_variable: str
    too_long: Reply

    def by_tool(self, arguments: dict[str, Any], tool: str = "final_result", usage: Usage = USAGE) -> Reply: ...
    def by_text(self, text: str, usage: Usage = USAGE) -> Reply: ...
    def empty(self) -> Reply: ...
    def cut_off(self, text: str) -> Reply: ...
    def refusal(self, words: str) -> Reply: ...
    def error(self, status: int, message: str, headers: dict[str, str] | None = None) -> Reply: ...
    def heard(self, request: dict[str, Any]) -> tuple[str, list[str]]: ...
    def tools(self, request: dict[str, Any]) -> dict[str, set[str]]: ...
    def key(self, headers: dict[str, str]) -> str: ...
    def most_tokens(self, request: dict[str, Any]) -> int | None: ...


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

    def completion(self, message: dict[str, Any], usage: Usage = USAGE, finish: str = "stop") -> Reply:
        prompt_tokens, cached_tokens, completion_tokens = usage
        choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": None} | message}
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

    def by_arguments(self, *arguments: str, tool: str = "final_result", usage: Usage = USAGE) -> Reply:
        """The arguments as a model writes them, JSON or not; one call each."""
        calls = [
            {"id": f"call-{number}", "type": "function", "function": {"name": tool, "arguments": text}}
            for number, text in enumerate(arguments)
        ]
        return self.completion({"tool_calls": calls}, usage, "tool_calls")

    def by_tool(self, arguments: dict[str, Any], tool: str = "final_result", usage: Usage = USAGE) -> Reply:
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
        return Reply({"error": {"message": message, "type": "error", "code": None}}, status, headers or {})

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
    """The same, without a refusal of its own, and without cached tokens."""

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

    def completion(self, message: dict[str, Any], usage: Usage = USAGE, finish: str = "stop") -> Reply:
        reply = super().completion(message, usage, finish)
        assert isinstance(reply.body, dict)
        if not usage[1]:
            del reply.body["usage"]["prompt_tokens_details"]
        return Reply(reply.body | {"system_fingerprint": "fp_ollama"})

    def refusal(self, words: str) -> Reply:
        return self.completion({"content": words}, finish="content_filter")


class Anthropic:
    """Messages."""

    name = "anthropic:test-model"
    path = "/v1/messages"
    base_path = ""
    key_variable = "ANTHROPIC_API_KEY"
    too_long = Reply(
        {
            "type": "error",
            "error": {"type": "invalid_request_error", "message": "prompt is too long: 212345 tokens > 200000 maximum"},
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

    def message(self, content: list[dict[str, Any]], usage: Usage = USAGE, stop: str = "end_turn") -> Reply:
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

    def by_tool(self, arguments: dict[str, Any], tool: str = "final_result", usage: Usage = USAGE) -> Reply:
        return self.message(
            [{"type": "tool_use", "id": "toolu_1", "name": tool, "input": arguments}], usage, "tool_use"
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
        return system["text"], [content] if isinstance(content, str) else [block["text"] for block in content]

    def tools(self, request: dict[str, Any]) -> dict[str, set[str]]:
        return {tool["name"]: set(tool["input_schema"]["properties"]) for tool in request.get("tools", [])}

    def key(self, headers: dict[str, str]) -> str:
        # Which header carries it is the client's choice: older ones write x-api-key.
        return headers.get("x-api-key") or headers["authorization"].removeprefix("Bearer ")

    def most_tokens(self, request: dict[str, Any]) -> int | None:
        return int(request["max_tokens"])


class Google:
    """generateContent."""

    name = "google:test-model"
    path = "/v1beta/models/test-model:generateContent"
    base_path = ""
    key_variable = "GOOGLE_API_KEY"
    too_long = Reply(
        {
            "error": {
                "code": 400,
                "message": "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
                "status": "INVALID_ARGUMENT",
            }
        },
        400,
    )
    _STATUSES: ClassVar = {
        400: "INVALID_ARGUMENT",
        401: "UNAUTHENTICATED",
        403: "PERMISSION_DENIED",
        404: "NOT_FOUND",
        429: "RESOURCE_EXHAUSTED",
        500: "INTERNAL",
        503: "UNAVAILABLE",
    }

    def candidate(self, parts: list[dict[str, Any]], usage: Usage = USAGE, finish: str = "STOP") -> Reply:
        prompt_tokens, cached_tokens, completion_tokens = usage
        return Reply(
            {
                "candidates": [{"index": 0, "content": {"role": "model", "parts": parts}, "finishReason": finish}],
                "usageMetadata": {
                    "promptTokenCount": prompt_tokens,
                    "cachedContentTokenCount": cached_tokens,
                    "candidatesTokenCount": completion_tokens,
                    "totalTokenCount": prompt_tokens + completion_tokens,
                },
                "modelVersion": "test-model",
                "responseId": "response-1",
            }
        )

    def by_tool(self, arguments: dict[str, Any], tool: str = "final_result", usage: Usage = USAGE) -> Reply:
        return self.candidate([{"functionCall": {"name": tool, "args": arguments}}], usage)

    def by_text(self, text: str, usage: Usage = USAGE) -> Reply:
        return self.candidate([{"text": text}], usage)

    def empty(self) -> Reply:
        return self.candidate([])

    def cut_off(self, text: str) -> Reply:
        return self.candidate([{"text": text}], finish="MAX_TOKENS")

    def refusal(self, words: str) -> Reply:
        return self.candidate([], finish="SAFETY")

    def error(self, status: int, message: str, headers: dict[str, str] | None = None) -> Reply:
        error = {"code": status, "message": message, "status": self._STATUSES.get(status, "UNKNOWN")}
        return Reply({"error": error}, status, headers or {})

    def heard(self, request: dict[str, Any]) -> tuple[str, list[str]]:
        assert [content["role"] for content in request["contents"]] == ["user"]
        [instructions] = request["systemInstruction"]["parts"]
        return instructions["text"], [part["text"] for part in request["contents"][0]["parts"]]

    def tools(self, request: dict[str, Any]) -> dict[str, set[str]]:
        declared = [tool for each in request.get("tools", []) for tool in each["functionDeclarations"]]
        return {tool["name"]: set(tool["parameters_json_schema"]["properties"]) for tool in declared}

    def key(self, headers: dict[str, str]) -> str:
        return headers["x-goog-api-key"]

    def most_tokens(self, request: dict[str, Any]) -> int | None:
        most = request["generationConfig"].get("maxOutputTokens")
        return None if most is None else int(most)


WIRES: tuple[Wire, ...] = (OpenAI(), Anthropic(), Google(), Ollama())

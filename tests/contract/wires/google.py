"""https://ai.google.dev/api/generate-content."""

from typing import Any, ClassVar

from tests.contract.model_server import Reply
from tests.contract.wires.base import USAGE, Usage


class Google:
    """generateContent."""

    name = "google:test-model"
    # Behind the version of the API, which differs by release of google-genai.
    path = "/models/test-model:streamGenerateContent"
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

    def candidate(
        self, parts: list[dict[str, Any]], usage: Usage = USAGE, finish: str = "STOP"
    ) -> Reply:
        prompt_tokens, cached_tokens, completion_tokens = usage
        return Reply(
            {
                "candidates": [
                    {
                        "index": 0,
                        "content": {"role": "model", "parts": parts},
                        "finishReason": finish,
                    }
                ],
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

    def by_tool(
        self, arguments: dict[str, Any], tool: str = "final_result", usage: Usage = USAGE
    ) -> Reply:
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
        error = {
            "code": status,
            "message": message,
            "status": self._STATUSES.get(status, "UNKNOWN"),
        }
        return Reply({"error": error}, status, headers or {})

    def heard(self, request: dict[str, Any]) -> tuple[str, list[str]]:
        assert [content["role"] for content in request["contents"]] == ["user"]
        [instructions] = request["systemInstruction"]["parts"]
        return instructions["text"], [part["text"] for part in request["contents"][0]["parts"]]

    def tools(self, request: dict[str, Any]) -> dict[str, set[str]]:
        declared = [
            tool for item in request.get("tools", []) for tool in item["functionDeclarations"]
        ]
        return {
            tool["name"]: set(tool["parameters_json_schema"]["properties"]) for tool in declared
        }

    def key(self, headers: dict[str, str]) -> str:
        return headers["x-goog-api-key"]

    def most_tokens(self, request: dict[str, Any]) -> int | None:
        most = request["generationConfig"].get("maxOutputTokens")
        return None if most is None else int(most)

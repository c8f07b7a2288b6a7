"""Interface of wire formats."""

from typing import Any, Protocol

from tests.contract.model_server import Reply

Usage = tuple[int, int, int]
USAGE: Usage = (120, 64, 30)


class Wire(Protocol):
    """
    How one provider speaks; usage is prompt (the cached part included), cached and completion
    tokens.
    """

    name: str
    path: str
    base_path: str
    key_variable: str
    too_long: Reply

    def by_tool(
        self, arguments: dict[str, Any], tool: str = "final_result", usage: Usage = USAGE
    ) -> Reply: ...
    def by_text(self, text: str, usage: Usage = USAGE) -> Reply: ...
    def empty(self) -> Reply: ...
    def cut_off(self, text: str) -> Reply: ...
    def refusal(self, words: str) -> Reply: ...
    def error(self, status: int, message: str, headers: dict[str, str] | None = None) -> Reply: ...
    def heard(self, request: dict[str, Any]) -> tuple[str, list[str]]: ...
    def tools(self, request: dict[str, Any]) -> dict[str, set[str]]: ...
    def key(self, headers: dict[str, str]) -> str: ...
    def most_tokens(self, request: dict[str, Any]) -> int | None: ...

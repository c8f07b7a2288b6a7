"""MCP server that reports invalid arguments in one sentence."""

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from difflib import get_close_matches
from time import perf_counter
from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp_types import CallToolResult, InputRequiredResult, TextContent, Tool
from pydantic import ValidationError
from pydantic_core import ErrorDetails

from linker.text.escaping import shortened
from linker.text.words import readable

# The session of a call; None if its transport keeps none.
SESSION = ContextVar[str | None]("session", default=None)

_LONGEST_GIVEN = 60
_MAX_SAID = 3
_NEAR = 0.5
# Messages by error type, with its details.
_RULES = {
    "missing": "is missing",
    "too_short": "needs at least {min_length} of them",
    "too_long": "takes at most {max_length}; there are {actual_length}",
    "greater_than_equal": "is at least {ge}",
    "less_than_equal": "is at most {le}",
    "list_type": "takes a list of texts",
    "string_type": "takes text",
    "int_type": "takes a whole number",
    "int_parsing": "takes a whole number",
    "int_from_float": "takes a whole number",
    "bool_type": "is true or false",
    "bool_parsing": "is true or false",
}
_WITHOUT_INPUT = ("missing", "too_short", "too_long")


class ToolServer(MCPServer[Any]):
    """The SDK's server with readable errors; `on_call` receives tool, seconds, text and failure."""

    on_call: Callable[[str, float, str, bool], None] | None = None

    async def list_tools(self) -> list[Tool]:
        """Tools without argument titles, which only repeat names."""
        tools = await super().list_tools()
        return [
            tool.model_copy(update={"input_schema": _untitled(tool.input_schema)}) for tool in tools
        ]

    async def call_tool(
        self,
        name: str,
        arguments: dict[str, Any],
        context: Context[Any, Any] | None = None,
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool; errors omit the SDK's wording."""
        schemas = {tool.name: tool.input_schema for tool in await self.list_tools()}
        if name not in schemas:
            raise ToolError(f"there is no tool `{_given(name)}`; there are {', '.join(schemas)}")
        arguments_there = schemas[name].get("properties", {})
        for given in arguments:
            # Clients may send arguments with a leading underscore.
            if given not in arguments_there and not given.startswith("_"):
                raise ToolError(_no_argument(name, given, arguments_there))
        SESSION.set(_session(context))
        began = perf_counter()
        try:
            result = await super().call_tool(name, arguments, context)
        except UnexpectedToolError:
            raise
        except ToolError as error:
            self._note(name, began, str(error), failed=True)
            cause = error.__cause__
            if isinstance(cause, ValidationError):
                raise ToolError(_wrong(name, cause)) from cause
            raise ToolError(str(cause or error).removesuffix("; ")) from cause
        self._note(name, began, _text_in(result))
        return result

    def _note(self, name: str, began: float, text: str, *, failed: bool = False) -> None:
        if self.on_call:
            self.on_call(name, perf_counter() - began, text, failed)


def _session(context: Context[Any, Any] | None) -> str | None:
    """Stdio has one session without a name."""
    headers = context.headers if context else None
    return "" if headers is None else headers.get("mcp-session-id")


def _text_in(result: CallToolResult | InputRequiredResult) -> str:
    """The text of a result."""
    content = result.content if isinstance(result, CallToolResult) else ()
    return "\n".join(item.text for item in content if isinstance(item, TextContent))


def _untitled(schema: Mapping[str, Any]) -> dict[str, Any]:
    properties = dict[str, dict[str, Any]]()
    for name, argument in schema["properties"].items():
        properties[name] = {key: value for key, value in argument.items() if key != "title"}
    return {"type": "object", "properties": properties, "required": schema.get("required", [])}


def _no_argument(name: str, given: str, arguments: Mapping[str, object]) -> str:
    near = get_close_matches(given, arguments, n=1, cutoff=_NEAR)
    hint = f"did you mean `{near[0]}`?" if near else f"it takes {', '.join(arguments)}"
    return f"`{name}` has no argument `{_given(given)}`; {hint}"


def _wrong(name: str, error: ValidationError) -> str:
    """Problems of each argument, once."""
    wrong = [_rule(item) for item in error.errors(include_url=False)]
    sentence = "; ".join([*dict.fromkeys(wrong)][:_MAX_SAID])
    return f"`{name}`: {sentence}"


def _rule(error: ErrorDetails) -> str:
    rule = _RULES.get(error["type"], "is wrong").format_map(error.get("ctx", {}))
    given = "" if error["type"] in _WITHOUT_INPUT else f", not {_given(repr(error['input']))}"
    return f"`{error['loc'][0]}` {rule}{given}"


def _given(text: str) -> str:
    return shortened(readable(text), _LONGEST_GIVEN)

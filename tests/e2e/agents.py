"""Helpers that call MCP tools with the official client."""

import asyncio
from collections.abc import Callable
from typing import Any

from mcp.client import Client
from mcp_types import CallToolResult


def called(
    client: Callable[[], Client], *calls: tuple[str, dict[str, Any]]
) -> list[CallToolResult]:
    """The results of calls in one session."""

    async def session() -> list[CallToolResult]:
        async with client() as opened:
            return [await opened.call_tool(name, arguments) for name, arguments in calls]

    return asyncio.run(session())


def text(result: CallToolResult) -> str:
    assert not result.is_error, result.content
    [content] = result.content
    assert result.structured_content
    assert result.structured_content["text"] == getattr(content, "text", None)
    found: str = result.structured_content["text"]
    return found


def failure(result: CallToolResult) -> str:
    """The error text of a failed call, without text of the SDK."""
    assert result.is_error, result.content
    [content] = result.content
    found: str = getattr(content, "text", "")
    assert "Error executing" not in found
    assert "pydantic" not in found
    return found

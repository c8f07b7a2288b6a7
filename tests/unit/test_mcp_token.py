"""Servers beyond localhost require their token."""

import asyncio

import httpx
import pytest
from mcp.server.mcpserver import MCPServer

from linker.serve.mcp import application
from linker.serve.security_middleware import Address


def post(given: str) -> int:
    transport = httpx.ASGITransport(
        application(MCPServer("linker"), Address("10.0.0.5", 8765, "secret"))
    )

    async def posted() -> httpx.Response:
        async with httpx.AsyncClient(
            transport=transport, base_url="http://10.0.0.5:8765"
        ) as client:
            return await client.post("/mcp", json={}, headers={"Authorization": given})

    return asyncio.run(posted()).status_code


@pytest.mark.parametrize("given", ["", "Bearer wrong", "secret", "Bearer secret2"])
def test_who_does_not_know_the_token_is_refused(given: str) -> None:
    assert post(given) == 401


def test_who_knows_the_token_comes_through_to_the_server() -> None:
    # It was never started, and says so.
    with pytest.raises(RuntimeError, match="Task group is not initialized"):
        post("Bearer secret")

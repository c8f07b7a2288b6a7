"""Serves the MCP server over streamable HTTP: enters the server and an address; Host, Origin and token are checked."""

import hmac
from typing import Any

import uvicorn
from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send


def serve_http(server: MCPServer[Any], host: str, port: int, token: str) -> None:
    """Serve until the process is ended."""
    uvicorn.run(application(server, host, port, token), host=host, port=port, log_level="warning")


def application(server: MCPServer[Any], host: str, port: int, token: str) -> ASGIApp:
    """The application of that address; with a token nothing is answered without it."""
    names = ["127.0.0.1", "localhost", "[::1]", host]
    # A page that lies elsewhere may point a name of its own at this machine: then Host and Origin are its own.
    checked = TransportSecuritySettings(
        allowed_hosts=[f"{name}:{port}" for name in names],
        allowed_origins=[f"http://{name}:{port}" for name in names],
    )
    app: ASGIApp = server.streamable_http_app(host=host, transport_security=checked)
    return _WithToken(app, token) if token else app


class _WithToken:
    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app, self._expected = app, f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            given = Request(scope).headers.get("authorization", "").encode()
            if not hmac.compare_digest(given, self._expected):
                refusal = PlainTextResponse("the token is missing or wrong\n", status_code=401)
                await refusal(scope, receive, send)
                return
        await self._app(scope, receive, send)

"""
Serves the MCP server over streamable HTTP: enters the server and an address, which its gate checks.
"""

from typing import Any

import uvicorn
from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from starlette.types import ASGIApp

from linker.serve.gate import Address, Gate


def serve_http(server: MCPServer[Any], address: Address) -> None:
    """Serve until the process is ended."""
    uvicorn.run(
        application(server, address), host=address.host, port=address.port, log_level="warning"
    )


def application(server: MCPServer[Any], address: Address) -> ASGIApp:
    """The application of that address; with a token nothing is answered without it."""
    # The gate checks what the official SDK would check.
    unchecked = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    app = server.streamable_http_app(host=address.host, transport_security=unchecked)
    return Gate(app, address, methods=("GET", "HEAD", "POST", "DELETE"))

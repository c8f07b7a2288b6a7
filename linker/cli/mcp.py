"""`linker mcp`: the tools of an agent, over stdio or HTTP."""

import os
from typing import Any

import click

from linker.cli.options import settings_options
from linker.cli.output import UserError, opened

_TOKEN = "LINKER_MCP_TOKEN"  # noqa: S105 - the name of a variable
_HERE = ("127.0.0.1", "localhost", "::1")


@click.command()
@click.option("--http", "is_http", is_flag=True, help="Serve streamable HTTP instead of stdio.")
@click.option("--host", default="127.0.0.1", show_default=True, help="With --http: the address.")
@click.option("--port", type=click.IntRange(0, 65_535), default=8765, show_default=True, help="With --http: the port.")
@settings_options
def mcp(is_http: bool, host: str, port: int, **flags: Any) -> None:  # noqa: ANN401 - the flags of settings_options
    """
    Let an agent find tables, columns, values and joins, and probe: a server of the Model Context Protocol.

    The agent is the model; no key is needed. Over stdio the client starts this command itself. Over HTTP it listens on
    this machine alone; any other address needs a secret of yours in LINKER_MCP_TOKEN, which clients send as
    `Authorization: Bearer …`.

    \b
    Examples:
      claude mcp add linker -- linker mcp --target prod
      linker mcp --http --port 8765
    """
    token = os.environ.get(_TOKEN, "")
    if is_http and host not in _HERE and not token:
        raise UserError(f"the address {host} can be reached by others", hint=f"set {_TOKEN}, or leave --host away")
    try:
        from linker.serve.gate import Address
        from linker.serve.http import serve_http
        from linker.serve.mcp import make_server
    except ModuleNotFoundError as error:
        raise UserError(
            f"`linker mcp` needs the package {error.name}", hint="pip install 'dbt-linker[mcp]', in a checkout '.[mcp]'"
        ) from None
    with opened(flags) as environment:
        server = make_server(environment)
        if is_http:
            serve_http(server, Address(host, port, token))
        else:
            server.run("stdio")

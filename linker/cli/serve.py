"""
`linker serve` (catalog UI and HTTP API) and `linker mcp` (tools for agents over stdio or HTTP).
"""

from pathlib import Path
from typing import Any

import click

from linker.cli.options import settings_options
from linker.cli.output import (
    UserError,
    needing,
    opened,
    suggest,
    token_for,
    warn_of_external_servers,
)
from linker.cli.progress import stop_progress


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(1, 65_535),
    default=8766,
    show_default=True,
    help="Port to listen on.",
)
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="HOST",
    help="Additional name of the server, `host` or `host:port`; repeatable.",
)
@settings_options
def serve(host: str, port: int, names: tuple[str, ...], **flags: Any) -> None:  # noqa: ANN401 - the flags of settings_options
    """
    Serve the catalog UI to browsers, and a read-only HTTP API.

    Pages are at /, the API is at /api, and its description at /api/openapi.json. The server listens
    on this machine only; any other address requires a secret in LINKER_SERVE_TOKEN, which programs
    send as `Authorization: Bearer …` and people type as password. Behind a proxy, set --name to the
    public host name.

    \b
    Examples:
      linker serve --target prod
      LINKER_SERVE_TOKEN=… linker serve --host 0.0.0.0 --name linker.example.com
    """
    token = token_for(host, "LINKER_SERVE_TOKEN")
    with needing("serve"):
        from linker.serve.security_middleware import Address
        from linker.serve.web import serve_web
    with opened(flags) as environment:
        # Reject a wrong target before listening.
        _ = environment.target
        warn_of_external_servers(environment.settings)
        stop_progress()
        suggest(f"open http://{host}:{port}/")
        serve_web(environment, Address(host, port, token, names))


@click.command()
@click.option("--http", "is_http", is_flag=True, help="Serve streamable HTTP instead of stdio.")
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="With --http: address to listen on."
)
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=8765,
    show_default=True,
    help="With --http: port to listen on.",
)
@click.option(
    "--tool",
    "only",
    multiple=True,
    metavar="NAME",
    help="Offer only this tool; repeatable [default: all].",
)
@click.option(
    "--log",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Append a JSON line per tool call: tool, seconds, characters, failed, bytes_read.",
)
@click.option("--hold-out", "held_out", default="", hidden=True)
@settings_options
def mcp(
    is_http: bool,
    host: str,
    port: int,
    only: tuple[str, ...],
    log: Path | None,
    held_out: str,
    **flags: Any,  # noqa: ANN401 - the flags of settings_options
) -> None:
    """
    Serve tables, columns, values and joins to agents over the Model Context Protocol (MCP).

    The agent is the language model, so no key is needed. Over stdio the client starts this command.
    Over HTTP it listens on this machine only; any other address requires a secret in
    LINKER_MCP_TOKEN, which clients send as `Authorization: Bearer …`.

    \b
    Examples:
      claude mcp add linker -- linker mcp --target prod
      linker mcp --http --port 8765
    """
    token = token_for(host, "LINKER_MCP_TOKEN") if is_http else ""
    with needing("mcp"):
        from linker.serve.mcp import TOOL_NAMES, make_server, serve_http
        from linker.serve.security_middleware import Address
    unknown = [name for name in only if name not in TOOL_NAMES]
    if unknown:
        raise UserError(f"no tool is called `{unknown[0]}`", f"choose of {', '.join(TOOL_NAMES)}")
    with opened(flags) as environment:
        server = make_server(environment.without_verified(held_out), only, log)
        warn_of_external_servers(environment.settings)
        stop_progress()
        if is_http:
            serve_http(server, Address(host, port, token))
        else:
            server.run("stdio")

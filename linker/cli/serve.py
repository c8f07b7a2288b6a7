"""`linker serve`: the explorer for people and the API for programs, over HTTP."""

import os
from typing import Any

import click

from linker.cli.options import settings_options
from linker.cli.output import UserError, opened, suggest

_TOKEN = "LINKER_SERVE_TOKEN"  # noqa: S105 - the name of a variable
_HERE = ("127.0.0.1", "localhost", "::1")


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(1, 65_535), default=8766, show_default=True, help="The port.")
@click.option(
    "--name", "names", multiple=True, metavar="HOST", help="Another name, as `host` or `host:port`; may be repeated."
)
@settings_options
def serve(host: str, port: int, names: tuple[str, ...], **flags: Any) -> None:  # noqa: ANN401 - the flags of settings_options
    """
    Show the warehouse in a browser, and answer programs over HTTP.

    Pages for people at /, an API for programs at /api, described in /api/openapi.json. All of it only reads. It
    listens on this machine alone; any other address needs a secret of yours in LINKER_SERVE_TOKEN, which programs send
    as `Authorization: Bearer …` and people type as password. Behind a proxy, say by --name what others call it.

    \b
    Examples:
      linker serve --target prod
      LINKER_SERVE_TOKEN=… linker serve --host 0.0.0.0 --name linker.example.com
    """
    token = os.environ.get(_TOKEN, "")
    if host not in _HERE and not token:
        raise UserError(f"the address {host} can be reached by others", hint=f"set {_TOKEN}, or leave --host away")
    try:
        from linker.serve.gate import Address
        from linker.serve.web import serve_web
    except ModuleNotFoundError as error:
        from linker.config.installed import install_command

        raise UserError(f"`linker serve` needs the package {error.name}", hint=install_command("serve")) from None
    with opened(flags) as environment:
        # A wrong target is told before anything listens.
        _ = environment.target
        suggest(f"open http://{host}:{port}/")
        serve_web(environment, Address(host, port, token, names))

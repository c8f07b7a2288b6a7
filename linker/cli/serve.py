"""`linker serve`: the explorer for people and the API for programs, over HTTP."""

from typing import Any

import click

from linker.cli.options import settings_options
from linker.cli.output import needing, opened, suggest, token_for
from linker.cli.progress import at_rest


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port", type=click.IntRange(1, 65_535), default=8766, show_default=True, help="The port."
)
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="HOST",
    help="Another name, as `host` or `host:port`; may be repeated.",
)
@settings_options
def serve(host: str, port: int, names: tuple[str, ...], **flags: Any) -> None:  # noqa: ANN401 - the flags of settings_options
    """
    Show the warehouse in a browser, and answer programs over HTTP.

    Pages for people at /, an API for programs at /api, described in /api/openapi.json. All of it
    only reads. It listens on this machine alone; any other address needs a secret of yours in
    LINKER_SERVE_TOKEN, which programs send as `Authorization: Bearer …` and people type as
    password. Behind a proxy, say by --name what others call it.

    \b
    Examples:
      linker serve --target prod
      LINKER_SERVE_TOKEN=… linker serve --host 0.0.0.0 --name linker.example.com
    """
    token = token_for(host, "LINKER_SERVE_TOKEN")
    with needing("serve"):
        from linker.serve.gate import Address
        from linker.serve.web import serve_web
    with opened(flags) as environment:
        # A wrong target is told before anything listens.
        _ = environment.target
        at_rest()
        suggest(f"open http://{host}:{port}/")
        serve_web(environment, Address(host, port, token, names))

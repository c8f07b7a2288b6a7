"""`linker index`: brings the index in step with the artifacts."""

from typing import Any

import click

from linker.cli.log import log_format_option
from linker.cli.options import report_format, settings_options
from linker.cli.output import opened, suggest
from linker.cli.progress import stage


@click.command()
@settings_options
@click.option(
    "--accept-empty", is_flag=True, help="Take schemas that have no profiles any more for dropped."
)
@report_format
@log_format_option
def index(accept_empty: bool, form: str, **flags: Any) -> None:  # noqa: ANN401 - the flags of settings_options
    """
    Bring the index in step with what `linker profile` found.

    Only columns whose text changed are embedded, and those that are gone are removed.
    `linker refresh` does this too.

    \b
    Examples:
      linker index
      linker index --target demo --format json
    """
    from linker.refresh.flows import index as bring_in_step
    from linker.render.runs import run_json, run_line

    with opened(flags) as environment:
        run = bring_in_step(environment, stage, accept_empty=accept_empty).run
        click.echo(run_json(run) if form == "json" else run_line(run))
        suggest('linker ask "…"')

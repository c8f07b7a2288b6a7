"""`linker runs`: what earlier runs did."""

from typing import Any

import click

from linker.cli.options import RunNumber, report_format, settings_options
from linker.cli.output import opened, screen, warn


@click.command()
@click.argument("numbers", metavar="[RUN]", type=RunNumber(), nargs=-1)
@click.option(
    "--limit",
    type=click.IntRange(1),
    default=20,
    show_default=True,
    metavar="N",
    help="Only the newest.",
)
@report_format
@settings_options
def runs(numbers: tuple[int | None, ...], limit: int, form: str, **flags: Any) -> None:  # noqa: ANN401 - click's
    """
    List the runs of `linker refresh` and `linker index`, or show the one of the number RUN.

    Each with its duration, the tables that it scanned, found unchanged, left out and failed at,
    what it read, and the documents that it embedded and removed. Only the store is asked: the
    warehouse may be away.

    \b
    Examples:
      linker runs
      linker runs 12
      linker runs last
      linker runs --limit 100 --format json
    """
    if len(numbers) > 1:
        raise click.UsageError("name one run at most; two are compared by `linker diff`")
    from linker.history.runs import find_run, read_runs
    from linker.render.runs import render_run, render_runs, render_runs_json

    with opened(flags) as environment:
        target = environment.target_key
        found = (
            [find_run(environment, numbers[0])] if numbers else read_runs(environment, limit + 1)
        )
    if form == "json":
        click.echo(render_runs_json(target, found[:limit]))
    elif numbers:
        click.echo(render_run(found[0], **screen()))
    else:
        click.echo(render_runs(found[:limit], **screen()))
    if len(found) > limit:
        warn("older ones are not listed; see --limit")

"""`linker refresh`: brings profiles and index in step with the warehouse; made to be scheduled."""

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import click

from linker.cli.options import report_format, selection_options, settings_options
from linker.cli.output import stage, warn_of_tables
from linker.durations import duration_text, parse_duration

if TYPE_CHECKING:
    from linker.run import Run

# Some tables could not be read; the rest is current.
PARTLY_FAILED = 1


@click.command()
@click.option("--plan", "only_plan", is_flag=True, help="Only say what would be done, and why; read no row.")
@selection_options
@click.option(
    "--if-older-than", type=parse_duration, metavar="DURATION", help="Do nothing if the last run is younger, as in 6h."
)
@click.option("--max-bytes", type=click.IntRange(0), metavar="N", help="Read at most so many bytes, by estimate.")
@click.option("--full", is_flag=True, help="Scan everything again, also what did not change or failed before.")
@report_format
@settings_options
def refresh(only_plan: bool, if_older_than: timedelta | None, form: str, **flags: Any) -> None:  # noqa: ANN401 - click's
    """
    Bring profiles and index in step with the warehouse.

    Only what is new or changed is read, and only columns whose text changed are embedded. Run again, it finds nothing
    to do and is done in seconds. It may be killed at any moment: what it had finished stays, and the next run goes on.

    \b
    Exit codes:
      0   done, or nothing to do
      1   some tables could not be read; they are named, and the rest is current
      2   wrong usage or configuration, or a warehouse or store that is away
      4   another refresh of this target is at work

    \b
    Examples:
      linker refresh
      linker refresh --plan
      linker refresh --select 'sales.*' --if-older-than 6h --max-bytes 50000000000
    """
    select, exclude, max_bytes = flags.pop("select"), flags.pop("exclude"), flags.pop("max_bytes")
    full = flags.pop("full")
    if only_plan and full:
        raise click.UsageError("--plan says what is due; with --full every table is")
    from linker.config import load_settings
    from linker.environment import Environment
    from linker.refresh import is_younger, last_good_refresh, plan_refresh
    from linker.refresh import refresh as bring_in_step
    from linker.render.refresh_plan import refresh_plan
    from linker.render.run import run_line
    from linker.selection import read_selection

    selection = read_selection(select, exclude)
    with Environment(load_settings(flags)) as environment:
        dbt = environment.dbt_target(selection, max_bytes=max_bytes, full_refresh=full)
        last = last_good_refresh(environment) if if_older_than is not None else None
        if if_older_than is not None and last and is_younger(last, if_older_than):
            _print(last, form, f"nothing to do: run {last.number} ended less than {duration_text(if_older_than)} ago")
            return
        if only_plan:
            click.echo(refresh_plan(*plan_refresh(environment, dbt), form=form))
            return
        done = bring_in_step(environment, dbt, stage)
    if done.scans:
        warn_of_tables(done.scans)
    _print(done.run, form, run_line(done.run))
    if done.run.errors:
        raise click.exceptions.Exit(PARTLY_FAILED)


def _print(run: "Run", form: str, line: str) -> None:
    from linker.render.run import run_json

    click.echo(run_json(run) if form == "json" else line)

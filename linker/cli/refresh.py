"""`linker refresh`: brings profiles and index in step with the warehouse; made to be scheduled."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import click

from linker.cli.log import is_json, log_format_option, run_fields, say
from linker.cli.options import report_format, selection_options, settings_options
from linker.cli.output import stage, warn_of_tables
from linker.cli.repeating import check_together, repeating_options, run_repeatedly, with_metrics
from linker.durations import duration_text, parse_duration
from linker.run import Run

# Some tables could not be read; the rest is current.
PARTLY_FAILED = 1
_SCOPE = ("select", "exclude", "max_bytes", "full", "if_older_than")


@dataclass(frozen=True, slots=True)
class _Scope:
    """How much one run does, and when it need not run."""

    select: tuple[str, ...]
    exclude: tuple[str, ...]
    max_bytes: int | None
    full: bool
    if_older_than: timedelta | None


@click.command()
@click.option("--plan", "only_plan", is_flag=True, help="Only say what would be done, and why; read no row.")
@selection_options
@click.option(
    "--if-older-than", type=parse_duration, metavar="DURATION", help="Do nothing if the last run is younger, as in 6h."
)
@click.option("--max-bytes", type=click.IntRange(0), metavar="N", help="Read at most so many bytes, by estimate.")
@click.option("--full", is_flag=True, help="Scan everything again, also what did not change or failed before.")
@repeating_options
@report_format
@log_format_option
@settings_options
def refresh(only_plan: bool, form: str, **flags: Any) -> None:  # noqa: ANN401 - click's own
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
      linker refresh --every 6h --jitter 10m --health-file /run/linker/health.json
    """
    scope = _Scope(**{name: flags.pop(name) for name in _SCOPE})
    every, jitter, health_file, metrics_file = (
        flags.pop(name) for name in ("every", "jitter", "health_file", "metrics_file")
    )
    check_together(every=every, jitter=jitter, health_file=health_file)
    if only_plan and scope.full:
        raise click.UsageError("--plan says what is due; with --full every table is")
    if only_plan:
        _plan(flags, scope, form)
        return
    from linker.config import load_settings
    from linker.targets import target_key

    run = with_metrics(lambda: _run(flags, scope, form), metrics_file, target_key(load_settings(flags)))
    if every:
        run_repeatedly(run, every=every, jitter=jitter, health_file=health_file)
    elif run().errors:
        raise click.exceptions.Exit(PARTLY_FAILED)


def _plan(flags: dict[str, Any], scope: _Scope, form: str) -> None:
    from linker.config import load_settings
    from linker.environment import Environment
    from linker.refresh import plan_refresh
    from linker.render.refresh_plan import refresh_plan
    from linker.selection import read_selection

    selection = read_selection(scope.select, scope.exclude)
    with Environment(load_settings(flags)) as environment:
        dbt = environment.dbt_target(selection, max_bytes=scope.max_bytes)
        click.echo(refresh_plan(*plan_refresh(environment, dbt), form=form))


def _run(flags: dict[str, Any], scope: _Scope, form: str) -> Run:
    """One run; with nothing left open, whoever waits for the next one."""
    from linker.config import load_settings
    from linker.environment import Environment
    from linker.refresh import is_younger, last_good_refresh
    from linker.refresh import refresh as bring_in_step
    from linker.render.run import run_line
    from linker.selection import read_selection

    selection = read_selection(scope.select, scope.exclude)
    with Environment(load_settings(flags)) as environment:
        age = scope.if_older_than
        last = last_good_refresh(environment, str(selection)) if age is not None else None
        if age is not None and last and is_younger(last, age):
            _tell(last, form, f"nothing to do: run {last.number} ended less than {duration_text(age)} ago")
            return last
        dbt = environment.dbt_target(selection, max_bytes=scope.max_bytes, full_refresh=scope.full)
        done = bring_in_step(environment, dbt, stage, selection=str(selection))
        target = environment.target_key
    if done.scans:
        warn_of_tables(done.scans)
    if is_json():
        say("run_done", run_line(done.run), target=target, **run_fields(done.run))
    _tell(done.run, form, run_line(done.run))
    return done.run


def _tell(run: Run, form: str, line: str) -> None:
    from linker.render.run import run_json

    click.echo(run_json(run) if form == "json" else line)

"""
`linker refresh`, meant to be scheduled, and its halves `linker profile` (runs the dbt package) and
`linker index` (updates the index from the profile tables).
"""

import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import replace

from linker.cli.options import (
    check_full,
    full_options,
    max_bytes_option,
    report_format,
    selection_options,
    settings_options,
)
from linker.cli.output import (
    opened,
    print_record,
    read_settings,
    suggest,
    warn,
    warn_of_tables,
)
from linker.cli.progress import emit, is_json, log_format_option, run_fields, stage, stop_progress
from linker.config.target import target_key
from linker.dbt.selection import read_selection
from linker.errors import BusyError, ConfigError, LinkerError
from linker.history.metrics import write_metrics
from linker.text.numbers import counted, duration_text, parse_duration
from linker.types import Record, Run

if TYPE_CHECKING:
    from linker.config.settings import Settings
    from linker.dbt.selection import Selection
    from linker.environment import Environment

# Exit code if tables or sources of `usage_sources` failed.
PARTLY_FAILED = 1


@click.command()
@settings_options
@click.option(
    "--plan",
    "only_plan",
    is_flag=True,
    help="Show what would be scanned and why, and read no rows.",
)
@selection_options
@max_bytes_option
@full_options
@report_format
@log_format_option
def profile(
    only_plan: bool,
    select: tuple[str, ...],
    exclude: tuple[str, ...],
    max_bytes: int | None,
    full: bool,
    allow_empty_schemas: bool,
    **flags: Any,  # noqa: ANN401 - the flags of settings_options
) -> None:
    """
    Profile the warehouse with dbt; all statistics are computed in the warehouse.

    Only new and changed tables are scanned; without any, dbt does not start. Finished profiles are
    kept if a later one fails, and unselected tables keep theirs. The profile tables are in the
    schema `<schema of the target>_linker`; `linker show` prints them. In a dbt project that lists
    linker under `packages:`, `dbt run --select package:linker` does the same.

    \b
    Examples:
      linker profile --plan
      linker profile
      linker profile --profile shop --target prod --select 'sales.*' --max-bytes 50000000000
    """
    form = flags.pop("form")
    check_full(full, only_plan=only_plan, allow_empty_schemas=allow_empty_schemas)
    from linker.dbt.profiling import ProfileReport, plan_scans
    from linker.output.status import scan_plan
    from linker.refresh.drop_protection import guard_against_drops
    from linker.refresh.pipelines import problems_of_settings
    from linker.refresh.pipelines import profile as bring_in_step

    selection = read_selection(select, exclude)
    with opened(flags) as environment:
        dbt = environment.dbt_target(selection, max_bytes=max_bytes, full_refresh=full)
        if only_plan:
            with stage("plan", "checks the warehouse") as running:
                guard_against_drops(environment.settings, environment.target)
                planned = plan_scans(dbt, running)
                running.summary = counted(planned.due, "table") + " to scan"
            click.echo(scan_plan(planned, form=form))
            return
        done = bring_in_step(environment, dbt, stage, allow_empty_schemas=allow_empty_schemas)
        if isinstance(done, ProfileReport):
            warn_of_tables(done)
        for problem in problems_of_settings(environment):
            warn(problem)
        if form == "json":
            numbers = {"scanned": 0, "unchanged": done, "left_out": 0, "failed": 0}
            print_record(**(done.numbers if isinstance(done, ProfileReport) else numbers))
        suggest("linker index")


@click.command()
@settings_options
@click.option(
    "--allow-empty-schemas", is_flag=True, help="Treat schemas without profiles as dropped."
)
@report_format
@log_format_option
def index(allow_empty_schemas: bool, form: str, **flags: Any) -> None:  # noqa: ANN401 - the flags of settings_options
    """
    Update the index from the profiles.

    Embeds only columns whose text changed, and removes those that no longer exist. `linker refresh`
    does this too.

    \b
    Examples:
      linker index
      linker index --target demo --format json
    """
    from linker.output.runs import run_json, run_line
    from linker.refresh.pipelines import index as bring_in_step

    with opened(flags) as environment:
        run = bring_in_step(environment, stage, allow_empty_schemas=allow_empty_schemas).run
        click.echo(run_json(run) if form == "json" else run_line(run))
        suggest('linker ask "…"')


@click.command()
@click.option(
    "--plan", "only_plan", is_flag=True, help="Show what would be done and why, and read no rows."
)
@selection_options
@click.option(
    "--max-staleness",
    type=parse_duration,
    metavar="DURATION",
    help="Skip if the last run is more recent, such as 6h.",
)
@max_bytes_option
@full_options
@click.option(
    "--metrics-file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write metrics of the last run in the Prometheus text format.",
)
@report_format
@log_format_option
@settings_options
def refresh(only_plan: bool, **flags: Any) -> None:  # noqa: ANN401 - click's own
    """
    Update profiles and index from the warehouse.

    Scans only new and changed tables, embeds only columns whose text changed, and reads the query
    logs of the setting `usage_sources`. If nothing changed, it exits within seconds. An interrupted
    run keeps what it finished, and the next run resumes.

    \b
    Exit codes:
      0   done, or up to date
      1   some tables or sources could not be read; the output names them, the rest is up to date
      2   usage or configuration error, or warehouse or store unavailable
      4   another refresh of this target is running

    \b
    Examples:
      linker refresh
      linker refresh --plan
      linker refresh --select 'sales.*' --max-staleness 6h --max-bytes 50000000000
    """
    names = (
        "select",
        "exclude",
        "max_bytes",
        "full",
        "allow_empty_schemas",
        "max_staleness",
        "form",
    )
    given = {name: flags.pop(name) for name in names}
    metrics_file = flags.pop("metrics_file")
    check_full(given["full"], only_plan=only_plan, allow_empty_schemas=given["allow_empty_schemas"])
    if only_plan and metrics_file:
        raise click.UsageError("--metrics-file requires a run, and --plan runs nothing")
    wanted = _RefreshOptions(read_selection(given.pop("select"), given.pop("exclude")), **given)
    settings = read_settings(flags)
    if only_plan:
        _plan(settings, wanted)
        return
    done = run_with_metrics(lambda: _run(settings, wanted), metrics_file, target_key(settings))
    if done.outcome == "partly failed":
        raise click.exceptions.Exit(PARTLY_FAILED)


class _RefreshOptions(Record, frozen=True):
    """Limits of a run, and its output format."""

    selection: "Selection"
    max_bytes: int | None
    full: bool
    allow_empty_schemas: bool
    max_staleness: timedelta | None
    form: str


def _plan(settings: "Settings", wanted: _RefreshOptions) -> None:
    from linker.environment import Environment
    from linker.output.status import refresh_plan
    from linker.refresh.pipelines import plan_refresh

    with Environment(settings) as environment:
        if not _young_run(environment, wanted):
            dbt = environment.dbt_target(wanted.selection, max_bytes=wanted.max_bytes)
            with stage("plan", "checks store and warehouse") as running:
                planned = plan_refresh(environment, dbt, running)
                running.summary = counted(planned[0].due, "table") + " to scan"
            click.echo(refresh_plan(*planned, form=wanted.form))


def _run(settings: "Settings", wanted: _RefreshOptions) -> Run:
    from linker.environment import Environment
    from linker.output.runs import run_line
    from linker.refresh.pipelines import problems_of_settings
    from linker.refresh.pipelines import refresh as bring_in_step

    with Environment(settings) as environment:
        if young := _young_run(environment, wanted):
            return young
        dbt = environment.dbt_target(
            wanted.selection, max_bytes=wanted.max_bytes, full_refresh=wanted.full
        )
        done = bring_in_step(
            environment,
            dbt,
            stage,
            selection=str(wanted.selection),
            allow_empty_schemas=wanted.allow_empty_schemas,
        )
        if done.scans:
            warn_of_tables(done.scans)
            for problem in problems_of_settings(environment):
                warn(problem)
        for failure in done.lessons.failures:
            emit("source_failed", failure)
        for check in done.failed_questions:
            emit("verified_failed", f"verified question “{check.question}”: {check.reason}")
        stop_progress()
        if is_json():
            emit(
                "run_done",
                run_line(done.run),
                target=environment.target_key,
                **run_fields(done.run),
            )
    _print(done.run, wanted.form, run_line(done.run))
    return done.run


def _young_run(environment: "Environment", wanted: _RefreshOptions) -> Run | None:
    """The last run if it is younger than `--max-staleness`."""
    from linker.refresh.pipelines import last_good_refresh

    age = wanted.max_staleness
    last = last_good_refresh(environment, str(wanted.selection)) if age is not None else None
    if age is None or last is None or not last.ended_at:
        return None
    # An end in the future means that the clock was wrong.
    if not timedelta() <= datetime.now(UTC) - last.ended_at < age:
        return None
    _print(
        last,
        wanted.form,
        f"up to date: run {last.number} ended less than {duration_text(age)} ago",
    )
    return replace(last, outcome="unchanged", errors=())


def _print(run: Run, form: str, line: str) -> None:
    from linker.output.runs import run_json

    click.echo(run_json(run) if form == "json" else line)


def run_with_metrics(run: Callable[[], Run], metrics_file: Path | None, target: str) -> Run:
    """Run and write the metrics, also on failure; if another run holds the lock, its metrics."""
    if metrics_file is None:
        return run()
    # Reject a wrong path before the run.
    folder = metrics_file.resolve().parent
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        hint = f"make {folder} writable for this user"
        raise ConfigError(f"cannot write --metrics-file {metrics_file}", hint=hint)
    started_at = datetime.now(UTC)
    try:
        done = run()
    except BusyError:
        raise
    except LinkerError:
        _write_metrics(
            metrics_file, target, Run(0, "refresh", "failed", started_at, datetime.now(UTC))
        )
        raise
    _write_metrics(metrics_file, target, done)
    return done


def _write_metrics(path: Path, target: str, run: Run) -> None:
    try:
        write_metrics(path, target, run)
    except OSError as error:
        emit("warning", f"cannot write the metrics to {path}: {error.strerror}")

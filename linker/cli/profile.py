"""`linker profile`: runs the shipped dbt project against the target."""

from typing import Any

import click

from linker.cli.log import log_format_option
from linker.cli.options import (
    check_full,
    full_options,
    report_format,
    selection_options,
    settings_options,
)
from linker.cli.output import opened, print_record, suggest, warn_of_project, warn_of_tables
from linker.cli.progress import stage
from linker.text.numbers import counted


@click.command()
@settings_options
@click.option(
    "--plan",
    "only_plan",
    is_flag=True,
    help="Only say what would be scanned, and why; read no row.",
)
@selection_options
@click.option(
    "--max-bytes",
    type=click.IntRange(0),
    metavar="N",
    help="Read at most so many bytes, by estimate.",
)
@full_options
@report_format
@log_format_option
def profile(
    only_plan: bool,
    select: tuple[str, ...],
    exclude: tuple[str, ...],
    max_bytes: int | None,
    full: bool,
    accept_empty: bool,
    **flags: Any,  # noqa: ANN401 - the flags of settings_options
) -> None:
    """
    Profile the warehouse, inside the warehouse, with dbt.

    Each table is read once, and only if it is new or changed; where none is, dbt does not begin.
    What is finished stays, whatever comes later.
    The artifacts lie in the schema `<schema of the target>_linker`; `linker show` prints them.
    What is not selected keeps its profile.
    In a dbt project that lists linker under `packages:`, `dbt run --select package:linker` does the
    same.

    \b
    Examples:
      linker profile --plan
      linker profile
      linker profile --profile shop --target prod --select 'sales.*' --max-bytes 50000000000
    """
    form = flags.pop("form")
    check_full(full, only_plan=only_plan, accept_empty=accept_empty)
    from linker.dbt.profiling import ProfileReport, plan_scans
    from linker.dbt.selection import read_selection
    from linker.refresh.flows import profile as bring_in_step
    from linker.refresh.losses import refuse_losses
    from linker.render.plans import scan_plan

    selection = read_selection(select, exclude)
    with opened(flags) as environment:
        dbt = environment.dbt_target(selection, max_bytes=max_bytes, full_refresh=full)
        if only_plan:
            with stage("plan", "looks at the warehouse") as running:
                refuse_losses(environment.settings, environment.target)
                planned = plan_scans(dbt, running.on_phase)
                running.summary = counted(planned.due, "table") + " to scan"
            click.echo(scan_plan(planned, form=form))
            return
        done = bring_in_step(environment, dbt, stage, accept_empty=accept_empty)
        if isinstance(done, ProfileReport):
            warn_of_tables(done)
        warn_of_project(environment)
        if form == "json":
            numbers = {"scanned": 0, "unchanged": done, "left_out": 0, "failed": 0}
            print_record(**(done.numbers if isinstance(done, ProfileReport) else numbers))
        suggest("linker index")

"""`linker profile`: runs the shipped dbt project against the target."""

from typing import Any

import click

from linker.cli.log import log_format_option
from linker.cli.options import check_full, full_options, report_format, selection_options, settings_options
from linker.cli.output import opened, print_record, stage, suggest, warn_of_project, warn_of_tables


@click.command()
@settings_options
@click.option("--plan", "only_plan", is_flag=True, help="Only say what would be scanned, and why; read no row.")
@selection_options
@click.option("--max-bytes", type=click.IntRange(0), metavar="N", help="Read at most so many bytes, by estimate.")
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

    Each table is read once, and only if it is new or changed. What is finished stays, whatever comes later.
    The artifacts lie in the schema `<schema of the target>_linker`; `linker show` prints them.
    What is not selected keeps its profile.
    In a dbt project that lists linker under `packages:`, `dbt run --select package:linker` does the same.

    \b
    Examples:
      linker profile --plan
      linker profile
      linker profile --profile shop --target prod --select 'sales.*' --max-bytes 50000000000
    """
    form = flags.pop("form")
    check_full(full, only_plan=only_plan, accept_empty=accept_empty)
    from linker.dbt.profiling import plan_scans, profile_warehouse
    from linker.dbt.selection import read_selection
    from linker.refresh.losses import refuse_losses
    from linker.render.plans import scan_plan

    selection = read_selection(select, exclude)
    with opened(flags) as environment:
        settings, target = environment.settings, environment.target
        dbt = environment.dbt_target(selection, max_bytes=max_bytes, full_refresh=full)
        if only_plan:
            refuse_losses(settings, target)
            click.echo(scan_plan(plan_scans(dbt), form=form))
            return
        with stage("profile") as running:
            refuse_losses(settings, target, on_wait=running.on_wait, accept_empty=accept_empty)
            report = profile_warehouse(dbt, running.on_progress, running.on_wait)
            running.summary, running.numbers = str(report), report.numbers
        warn_of_tables(report)
        warn_of_project(environment)
        if form == "json":
            print_record(**report.numbers)
        suggest("linker index")

"""`linker profile`: runs the shipped dbt project against the target."""

from typing import Any

import click

from linker.cli.options import settings_options
from linker.cli.output import stage


@click.command()
@settings_options
def profile(**flags: Any) -> None:  # noqa: ANN401 - the flags of settings_options
    """
    Take stock of the warehouse, inside the warehouse, with dbt.

    Leaves linker_tables, linker_columns and linker_families in the schema `<schema of the target>_linker`.
    In a dbt project that lists linker under `packages:`, `dbt run --select package:linker` does the same.

    \b
    Examples:
      linker profile
      linker profile --profile shop --target prod
    """
    from linker.config import load_settings
    from linker.profiling import run_dbt
    from linker.targets import load_target

    settings = load_settings(flags)
    target = load_target(settings)
    with stage("profile") as running:
        count = run_dbt(
            profiles_dir=target.profiles_dir, profile=target.profile, target=target.name, state_dir=settings.state_dir
        )
        running.summary = f"{count} relations in {target.artifacts_schema(settings)} of target {target.name}"
    click.echo(f"next: linker index --target {target.name}", err=True)

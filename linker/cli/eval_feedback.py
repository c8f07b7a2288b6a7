"""`linker feedback`: records whether an answer was right, or which columns it lacked."""

from typing import Any

import click

from linker.cli.options import report_format, settings_options
from linker.cli.output import opened, print_record
from linker.text.numbers import counted


@click.command()
@click.argument("name", metavar="[ID]", default="last")
@click.option(
    "--missing",
    multiple=True,
    metavar="COLUMN",
    help="Column that the answer lacks, as schema.table.column; repeatable.",
)
@click.option("--right", "is_right", is_flag=True, help="The answer was right and complete.")
@report_format
@settings_options
def feedback(name: str, missing: tuple[str, ...], is_right: bool, form: str, **flags: Any) -> None:  # noqa: ANN401 - the flags of settings_options
    """
    Record whether an earlier answer was right, or what it lacked.

    ID is the id of a trace or its beginning (`linker trace list`); the default is the newest.
    Feedback stays in the data directory; `linker tune` and `linker eval feedback` use it as golden
    questions. Feedback on the same answer replaces the earlier one.

    \b
    Examples:
      linker feedback --right
      linker feedback 20251121-1015 --missing sales.orders.delivered_at
    """
    from linker.errors import ConfigError
    from linker.evaluation.feedback import feedback_on, keep_feedback
    from linker.linking.assemble_result import read_trace, replay

    if bool(missing) == is_right:
        raise click.UsageError("give either --missing or --right")
    with opened(flags) as environment:
        settings = environment.settings
        record = read_trace(settings.state_dir, name)
        if (target := replay(record).target) != environment.target_key:
            raise ConfigError(
                f"the answer is about target {target}, not {environment.target_key}",
                hint="name its --profile and --target",
            )
        given = feedback_on(record, missing, environment.indexed.catalog)
        count = keep_feedback(settings, given)
    if form == "json":
        print_record(answers=count, feedback=given.entry)
    else:
        standing = "right" if is_right else f"lacked {', '.join(missing)}"
        click.echo(f"kept: {given.id} {standing}; feedback on {counted(count, 'answer')}")

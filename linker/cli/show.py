"""`linker show`: the profile card of a table or a column."""

from typing import Any

import click

from linker.cli.options import report_format, settings_options
from linker.cli.output import opened, screen


@click.command()
@click.argument("name")
@report_format
@click.option(
    "--explain",
    is_flag=True,
    help="In the JSON of a table: distributions, shapes and all values, too.",
)
@settings_options
def show(name: str, form: str, explain: bool, **flags: Any) -> None:  # noqa: ANN401 - the flags of settings_options
    """
    Show what is known of the table or column NAME.

    NAME is `table`, `schema.table`, or one of these with `.column`, or a path inside it, behind.
    Case does not matter; a member of a family leads to its family.

    \b
    Examples:
      linker show orders
      linker show sales.orders.status
      linker show --format json web.sessions_20250101.device.category
    """
    from linker.pipeline import show as read_card
    from linker.render.card import render_card

    with opened(flags) as environment:
        profile, column = read_card(name, environment)
    click.echo(render_card(profile, column, form, **screen(), explain=explain))

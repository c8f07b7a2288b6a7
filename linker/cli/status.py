"""
`linker show` and `linker status`: the profile card of a table or a column, and how current the
profiles of the target are, and whether the index is in step with them.
"""

from datetime import timedelta
from typing import Any

import click

from linker.cli.options import report_format, settings_options
from linker.cli.output import opened, screen, warn
from linker.text.numbers import parse_duration

# Something is older than was asked for, or the last run did not read everything.
STALE = 1


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


@click.command()
@click.option(
    "--max-age",
    type=parse_duration,
    metavar="DURATION",
    help="For monitors: end with 1 when anything was refreshed longer ago, as in 24h, or the last run failed.",
)
@report_format
@settings_options
def status(max_age: timedelta | None, form: str, **flags: Any) -> None:  # noqa: ANN401 - the flags of settings_options
    """
    Show how current what is known of the target is, schema by schema.

    Where the warehouse is away it is told from the store, and what could not be seen is named.

    \b
    Exit codes:
      0   nothing is older than --max-age, or none was given
      1   something is, or the last run failed; what it is, is said
      2   wrong usage or configuration, a store that is away, or nothing is known yet

    \b
    Examples:
      linker status
      linker status --max-age 24h
      linker status --target demo --format json
    """
    from linker.refresh.status import read_status
    from linker.render.status import render_status, status_json

    with opened(flags) as environment:
        found = read_status(environment)
    click.echo(status_json(found, max_age) if form == "json" else render_status(found, **screen()))
    for unseen in found.unseen:
        warn(f"not seen: {unseen}")
    stale = found.stale(max_age) if max_age is not None else ()
    for reason in stale:
        warn(f"stale: {reason}")
    if stale:
        raise click.exceptions.Exit(STALE)

"""`linker status`: what is known of the target, and whether the index is in step."""

import json
from typing import Any

import click

from linker.cli.options import report_format, settings_options


@click.command()
@report_format
@settings_options
def status(form: str, **flags: Any) -> None:  # noqa: ANN401 - the flags of settings_options
    """
    Show what is known of the target, and whether the index is in step with it.

    \b
    Examples:
      linker status
      linker status --target demo --format json
    """
    from linker.config import load_settings
    from linker.environment import Environment
    from linker.status import read_status

    with Environment(load_settings(flags)) as environment:
        facts = read_status(environment)
    if form == "json":
        click.echo(json.dumps(facts, ensure_ascii=False, indent=2))
        return
    for name, value in facts.items():
        click.echo(f"{name.replace('_', ' '):<18} {_shown(value)}")


def _shown(value: str | int | bool) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no; run: linker index"
    return f"{value:,}" if isinstance(value, int) else value

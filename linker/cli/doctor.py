"""`linker doctor`: checks every part, and names the one thing to do for what does not work."""

from typing import Any

import click
from msgspec.structs import replace

from linker.cli.options import report_format, settings_options
from linker.cli.output import opened
from linker.render import as_json
from linker.text.commands import pasted
from linker.types import as_dict

_MARKS = {
    "ok": click.style("✓", fg="green"),
    "failed": click.style("✗", fg="red"),
    "unused": click.style("–", dim=True),
}


@click.command()
@report_format
@settings_options
def doctor(form: str, **flags: Any) -> None:  # noqa: ANN401 - the flags of settings_options
    """
    Check warehouse, artifacts, store, settings, embedder and language model, one by one.

    Exit code 1 when one of them does not work.

    \b
    Examples:
      linker doctor
      linker doctor --target demo --format json
    """
    from linker.doctor import run_checks

    checks = []
    with opened(flags) as environment:
        for found in run_checks(environment):
            check = replace(found, hint=pasted(found.hint))
            checks.append(check)
            if form == "table":
                click.echo(
                    f"{_MARKS[check.state]} {check.part:<10} {check.seconds:5.1f} s   {check.detail}"
                )
                if check.hint:
                    click.echo(f"                       → {check.hint}")
    if form == "json":
        click.echo(as_json([as_dict(check) for check in checks]))
    if any(check.state == "failed" for check in checks):
        raise click.exceptions.Exit(1)

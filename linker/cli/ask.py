"""`linker ask`: a question in, a linked schema out."""

import gc
import sys
from typing import Any

import click

from linker.cli.options import settings_options
from linker.cli.output import terminal_width, warn
from linker.render import FORMATS


@click.command()
@click.argument("question")
@click.option(
    "--format", "form", type=click.Choice(FORMATS), default="table", show_default=True, help="Form of the answer."
)
@click.option("--column-budget", type=int, metavar="N", help="How many columns the answer may have [default: 30].")
@click.option("--strategy", metavar="NAME", help="How to link [default: retrieval].")
@click.option("--max-tokens", type=int, metavar="N", help="Tokens that a language model may use [default: 200000].")
@click.option("--max-probes", type=int, metavar="N", help="SQL probes that may run [default: 40].")
@click.option("--timeout", type=float, metavar="SECONDS", help="Time that the answer may take [default: 300].")
@settings_options
def ask(question: str, form: str, **flags: Any) -> None:  # noqa: ANN401 - the flags of settings_options
    """
    Link QUESTION to the tables and columns that it needs.

    \b
    Examples:
      linker ask "Which carrier delivers late most often?"
      linker ask --format mschema "Revenue by month" > prompt.txt
      linker ask --target demo --format json "How many tickets are open?"
    """
    # The process ends with this answer, and what it reads is used to its end: to look for garbage took a quarter of it.
    gc.disable()
    from linker.config import load_settings
    from linker.environment import Environment
    from linker.pipeline import ask as ask_question
    from linker.render import render

    with Environment(load_settings(flags)) as environment:
        schema = ask_question(question, environment)
        for warning in schema.warnings:
            warn(warning)
        # Before the embedded store is let go, which may take a tenth of a second.
        click.echo(render(schema, form, width=terminal_width(), color=sys.stdout.isatty()))
        if not environment.has_open_warehouse:
            # Nor at the end; but drivers want to be let go in order.
            gc.freeze()

"""Prints an answer, whether it was just found or comes from a trace: the same words, the same exit code."""

import sys

import click

from linker.cli.output import terminal_width, warn
from linker.link.answer import LinkedSchema

# Everything works, and the warehouse does not hold what is asked for.
UNANSWERABLE = 3


def print_answer(schema: LinkedSchema, form: str, *, explain: bool) -> None:
    """The answer on stdout, what is degraded on stderr."""
    from linker.render import render

    for warning in schema.warnings:
        warn(warning)
    click.echo(render(schema, form, width=terminal_width(), color=sys.stdout.isatty(), explain=explain))


def leave_with(schema: LinkedSchema) -> None:
    """End the command with an exit code of its own where there is no answer."""
    if schema.unanswerable:
        raise click.exceptions.Exit(UNANSWERABLE)

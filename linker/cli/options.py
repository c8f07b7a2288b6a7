"""
The flags that every command has: each is a setting of the same name.

The URL of the store has none: it may hold a password, and flags are seen by everybody on the
machine.
"""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from linker.render import FORMATS

CommandT = TypeVar("CommandT", bound=Callable[..., Any])


class Amount(click.FloatRange):
    """A number between two bounds; what is no number, which compares with none, is refused too."""

    def convert(
        self,
        value: Any,  # noqa: ANN401
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> float:
        """The number of a word."""
        number: float = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value!r} is no number.", param, ctx)
        return number


def together(*options: Callable[[Any], Any]) -> Callable[[CommandT], CommandT]:
    """A decorator that adds these options to a command, in their order in its help."""

    def add(command: CommandT) -> CommandT:
        for option in reversed(options):
            command = option(command)
        return command

    return add


state_dir_option = click.option(
    "--state-dir",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder of store, traces and dbt's logs [default: .linker].",
)
config_option = click.option(
    "--config",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Settings file [default: linker.yml].",
)

# Settings that every command takes.
settings_options = together(
    click.option(
        "--target", metavar="NAME", help="Target of the dbt profile; `demo` is the demo warehouse."
    ),
    click.option("--profile", metavar="NAME", help="Profile in profiles.yml."),
    click.option(
        "--profiles-dir",
        type=click.Path(path_type=Path),
        metavar="DIR",
        help="Folder of profiles.yml.",
    ),
    state_dir_option,
    click.option(
        "--artifacts-schema",
        metavar="NAME",
        help="Where dbt left the artifacts [default: <schema of the target>_linker].",
    ),
    click.option(
        "--embedder",
        metavar="NAME",
        help="Encoder: `offline`, `openai:MODEL`, or a sentence-transformers name or path.",
    ),
    click.option(
        "--model", metavar="PROVIDER:NAME", help="Language model; linking needs none, SQL does."
    ),
    config_option,
)

# The form of a linked schema.
answer_options = together(
    click.option(
        "--format",
        "form",
        type=click.Choice(FORMATS),
        default="table",
        show_default=True,
        help="Form of the answer.",
    ),
    click.option(
        "--explain",
        is_flag=True,
        help="In table and JSON: all evidence, what was left out; in the table descriptions and cost by step, too.",
    ),
)

strict_option = click.option(
    "--strict",
    is_flag=True,
    help="End with exit code 4 where the language model failed at a part of the answer.",
)

# Settings of commands that answer a question.
question_options = together(
    click.option(
        "--recall",
        type=float,
        metavar="SHARE",
        help="How complete a shortlist must be, as in 0.95.",
    ),
    click.option(
        "--column-budget",
        type=int,
        metavar="N",
        help="How many columns a shortlist may have at most.",
    ),
    click.option("--strategy", metavar="NAME", help="How to link [default: auto]."),
    click.option(
        "--document",
        "documents",
        multiple=True,
        type=click.Path(),
        metavar="FILE",
        callback=lambda _context, _option, files: files or None,
        help="A text file that says what words mean; may be repeated.",
    ),
    click.option(
        "--max-tokens",
        type=int,
        metavar="N",
        help="Tokens that a language model may use [default: 200000].",
    ),
    click.option(
        "--max-probes", type=int, metavar="N", help="Statements that may run [default: 40]."
    ),
    click.option(
        "--timeout",
        type=float,
        metavar="SECONDS",
        help="Time that the answer may take [default: 300].",
    ),
)

# Limits of a run to some tables.
selection_options = together(
    click.option(
        "--select",
        multiple=True,
        metavar="PATTERN",
        help="Look only at a schema, at tables like `sales.*`, `tag:…`, `path:…` or `older:24h`; may be repeated.",
    ),
    click.option(
        "--exclude",
        multiple=True,
        metavar="PATTERN",
        help="Do not look at what such a pattern means; may be repeated.",
    ),
)

max_bytes_option = click.option(
    "--max-bytes",
    type=click.IntRange(0),
    metavar="N",
    help="Read at most so many bytes, by estimate.",
)

# Runs of dbt that take nothing from those before.
full_options = together(
    click.option(
        "--full",
        is_flag=True,
        help="Scan everything again, also what did not change or failed before.",
    ),
    click.option(
        "--accept-empty",
        is_flag=True,
        help="With --full: take schemas that show no table for dropped.",
    ),
)


def check_full(full: bool, *, only_plan: bool, accept_empty: bool) -> None:
    """
    Refuse a schedule that would forget whatever is away for a night, and a plan that says nothing.
    """
    if accept_empty and not full:
        raise click.UsageError("--accept-empty goes with --full")
    if only_plan and full:
        raise click.UsageError("--plan says what is due; with --full every table is")


newest = click.option(
    "--limit",
    type=click.IntRange(1),
    default=20,
    show_default=True,
    metavar="N",
    help="Only the newest.",
)
report_format = click.option(
    "--format",
    "form",
    type=click.Choice(("table", "json")),
    default="table",
    show_default=True,
    help="Form of the report.",
)


class RunNumber(click.ParamType):  # type: ignore[type-arg]  # generic in newer releases alone
    """A run on the command line, by its number; `last` leaves None, for the newest."""

    name = "run"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> int | None:
        """Read it."""
        text = str(value)
        if text == "last":
            return None
        if not text.isdecimal() or not int(text):
            self.fail(f"`{text}` is no run: give its number, or `last`", param, ctx)
        return int(text)

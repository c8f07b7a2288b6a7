"""
Flags that all commands share, each a setting of the same name.

The store URL has no flag: it may hold a password, and process arguments are visible to every user.
"""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from linker.output import FORMATS

CommandT = TypeVar("CommandT", bound=Callable[..., Any])


class Amount(click.FloatRange):
    """A number within bounds; NaN is rejected too."""

    def convert(
        self,
        value: Any,  # noqa: ANN401
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> float:
        number: float = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value!r} is not a number.", param, ctx)
        return number


def together(*options: Callable[[Any], Any]) -> Callable[[CommandT], CommandT]:
    """A decorator that adds options in the order of their help."""

    def add(command: CommandT) -> CommandT:
        for option in reversed(options):
            command = option(command)
        return command

    return add


state_dir_option = click.option(
    "--state-dir",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder of the store, traces and dbt logs [default: .linker].",
)
config_option = click.option(
    "--config",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Settings file [default: linker.yml].",
)

# Settings of every command.
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
        help="Schema of the profile tables [default: <schema of the target>_linker].",
    ),
    click.option(
        "--embedder",
        metavar="NAME",
        help="Embedding model: `offline`, `openai:MODEL`, or a sentence-transformers name or path.",
    ),
    click.option(
        "--model",
        metavar="PROVIDER:NAME",
        help="Language model; optional for linking, required for SQL.",
    ),
    config_option,
)

# Output of a linked schema.
answer_options = together(
    click.option(
        "--format",
        "form",
        type=click.Choice(FORMATS),
        default="table",
        show_default=True,
        help="Output format.",
    ),
    click.option(
        "--explain",
        is_flag=True,
        help=(
            "Add all evidence and discarded items to table and JSON, and descriptions and cost by "
            "step to the table."
        ),
    ),
)

strict_option = click.option(
    "--strict",
    is_flag=True,
    help="Exit with 4 if the language model failed in some step.",
)

# Settings of commands that answer a question.
question_options = together(
    click.option(
        "--recall",
        type=float,
        metavar="SHARE",
        help="Target completeness of a shortlist, such as 0.95.",
    ),
    click.option(
        "--column-budget",
        type=int,
        metavar="N",
        help="Maximum number of columns of a shortlist.",
    ),
    click.option("--strategy", metavar="NAME", help="Linking strategy [default: auto]."),
    click.option(
        "--document",
        "documents",
        multiple=True,
        type=click.Path(),
        metavar="FILE",
        callback=lambda _context, _option, files: files or None,
        help="Text file with domain definitions; repeatable.",
    ),
    click.option(
        "--max-tokens",
        type=int,
        metavar="N",
        help="Maximum tokens for the language model [default: 200000].",
    ),
    click.option(
        "--max-probes",
        type=int,
        metavar="N",
        help="Maximum number of SQL statements to run [default: 40].",
    ),
    click.option(
        "--timeout",
        type=float,
        metavar="SECONDS",
        help="Time limit of the answer [default: 300].",
    ),
)

# Table selection of a run.
selection_options = together(
    click.option(
        "--select",
        multiple=True,
        metavar="PATTERN",
        help=(
            "Only these tables: a schema, `sales.*`, `tag:…`, `path:…` or `older:24h`; repeatable."
        ),
    ),
    click.option(
        "--exclude",
        multiple=True,
        metavar="PATTERN",
        help="Skip the tables of such a pattern; repeatable.",
    ),
)

max_bytes_option = click.option(
    "--max-bytes",
    type=click.IntRange(0),
    metavar="N",
    help="Maximum bytes to read, estimated.",
)

# Full refresh.
full_options = together(
    click.option(
        "--full",
        is_flag=True,
        help="Scan every table again, including unchanged and failed ones.",
    ),
    click.option(
        "--allow-empty-schemas",
        is_flag=True,
        help="With --full: treat empty schemas as dropped.",
    ),
)


def check_full(full: bool, *, only_plan: bool, allow_empty_schemas: bool) -> None:
    """Reject `--full` on a schedule that would drop unavailable tables, and with `--plan`."""
    if allow_empty_schemas and not full:
        raise click.UsageError("--allow-empty-schemas requires --full")
    if only_plan and full:
        raise click.UsageError(
            "--plan and --full exclude each other: with --full every table is scanned"
        )


sample_options = together(
    click.option(
        "--limit", type=click.IntRange(1), metavar="N", help="Only the first N questions."
    ),
    click.option(
        "--sample", type=click.IntRange(1), metavar="N", help="Only a random sample of N questions."
    ),
    click.option(
        "--seed", type=int, default=0, show_default=True, help="Random seed of the sample."
    ),
)

newest = click.option(
    "--limit",
    type=click.IntRange(1),
    default=20,
    show_default=True,
    metavar="N",
    help="Maximum number of entries, newest first.",
)
report_format = click.option(
    "--format",
    "form",
    type=click.Choice(("table", "json")),
    default="table",
    show_default=True,
    help="Output format.",
)


class RunNumber(click.ParamType):  # type: ignore[type-arg]  # generic in newer releases alone
    """A run number argument; `last` gives None, the newest."""

    name = "run"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> int | None:
        text = str(value)
        if text == "last":
            return None
        if not text.isdecimal() or not int(text):
            self.fail(f"`{text}` is not a run: give a run number, or `last`", param, ctx)
        return int(text)

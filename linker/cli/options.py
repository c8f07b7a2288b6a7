"""The flags that every command has: each is a setting of the same name."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

CommandT = TypeVar("CommandT", bound=Callable[..., Any])

_OPTIONS = (
    click.option("--target", metavar="NAME", help="Target of the dbt profile; `demo` is the demo warehouse."),
    click.option("--profile", metavar="NAME", help="Profile in profiles.yml."),
    click.option("--profiles-dir", type=click.Path(path_type=Path), metavar="DIR", help="Folder of profiles.yml."),
    click.option(
        "--state-dir",
        type=click.Path(path_type=Path),
        metavar="DIR",
        help="Folder of the store and of dbt's logs [default: .linker].",
    ),
    click.option(
        "--config", type=click.Path(path_type=Path), metavar="FILE", help="Settings file [default: linker.yml]."
    ),
)


def settings_options(command: CommandT) -> CommandT:
    """Add the common flags to a command."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command

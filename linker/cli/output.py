"""Output of commands: results on stdout, warnings and errors on stderr."""

import os
import shlex
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypedDict

import click
from msgspec.structs import replace

from linker.cli.progress import emit, is_json, json_line, keep_warnings, stop_progress
from linker.config.installed import install_command
from linker.config.servers import external_hosts
from linker.config.settings import load_settings
from linker.output import as_json, render
from linker.text.commands import CONNECTION_FLAGS, pasted
from linker.text.escaping import escape_invisible, one_line

if TYPE_CHECKING:
    from linker.config.settings import Settings
    from linker.dbt.profiling import ProfileReport
    from linker.environment import Environment
    from linker.linking.result import LinkedSchema

# Exit code if the warehouse lacks what the question needs.
UNANSWERABLE = 3
# Exit code under `--strict` if the language model failed in some step.
DEGRADED = 4
# Loopback hosts.
_HERE = ("127.0.0.1", "localhost", "::1")
# No layout below this width.
_NARROWEST = 40


class UserError(click.ClickException):
    """A LinkerError on stderr: what failed, and the fix; exit code 2."""

    exit_code = 2

    def __init__(self, what: str, hint: str) -> None:
        super().__init__(what)
        self.hint = pasted(hint)
        # Shown after the command, which knows the format, has exited.
        self._is_json = is_json()

    def show(self, file: IO[Any] | None = None) -> None:
        """Escapes control characters, since messages may quote names from the warehouse."""
        if self._is_json:
            click.echo(
                json_line("error", self.message, hint=one_line(self.hint)), err=True, file=file
            )
            return
        # Shown after the command, whose context knows about colours, has exited.
        click.secho(
            f"error: {one_line(self.message)}", fg="red", err=True, file=file, color=self.show_color
        )
        click.echo(f"   →   {one_line(self.hint)}", err=True, file=file)


class BusyUserError(UserError):
    """Another run holds the lock; exit code 4."""

    exit_code = 4


@contextmanager
def needing(extra: str) -> Iterator[None]:
    """Name the extra to install if a package is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        command = click.get_current_context().command_path
        raise UserError(
            f"`{command}` needs the package {error.name}", install_command(extra)
        ) from None


def token_for(host: str, variable: str) -> str:
    """
    The server's secret from the environment; required if other machines can reach the address.
    """
    token = os.environ.get(variable, "")
    if host not in _HERE and not token:
        raise UserError(
            f"other machines can reach the address {host}",
            hint=f"set {variable}, or omit --host",
        )
    return token


def warn_of_external_servers(settings: "Settings") -> None:
    """Name on stderr the servers that receive data and are not the providers' own."""
    for host, what in external_hosts(settings).items():
        emit("asked_elsewhere", f"{what} asked at {host}", host=host)


def warn(message: str) -> None:
    """A warning on stderr; control characters in warehouse names are escaped."""
    emit("warning", pasted(message))


def suggest(command: str, before: str = "next: ") -> None:
    """Print the next command on stderr, for people only."""
    if not is_json():
        words = pasted(command)
        if command.startswith("linker "):
            words = _program() + words.removeprefix("linker")
        click.echo(f"{before}{words}", err=True)


def _program() -> str:
    """The running command, as it can be called again."""
    # uvx installs no command; uv names itself in its processes, and uvx uses no environment.
    if "UV" in os.environ and "VIRTUAL_ENV" not in os.environ:
        return "uvx dbt-linker"
    called, on_path = Path(sys.argv[0]), shutil.which("linker")
    is_on_path = on_path is not None and called.exists() and called.samefile(on_path)
    return "linker" if is_on_path or called.stem != "linker" else shlex.quote(sys.argv[0])


def warn_of_tables(report: "ProfileReport") -> None:
    """Warn of unreadable and skipped tables, and of views that may hide too much."""
    for view in report.unread:
        message = (
            f"{view.table} inherits the strictest privacy of its source tables: {view.message}"
        )
        emit("view_not_understood", message, table=str(view.table))
    for failure in report.failures:
        name = escape_invisible(failure.table)
        what = ": " if failure.was_scanned else " could not be scanned: "
        emit("table_failed", name + what + failure.message, table=name)
    for table in report.tables:
        if table.state == "left out":
            name = escape_invisible(f"{table.schema}.{table.table}")
            emit("table_left_out", f"{name} was left out: {table.reason}", table=name)


def print_record(**fields: object) -> None:
    """Print a report as JSON; its version rises when a field is removed or changes meaning."""
    click.echo(as_json({"version": 1, **fields}))


def terminal_width() -> int:
    """`COLUMNS` or the terminal's width; 100 for files, so that output is reproducible."""
    if (columns := os.environ.get("COLUMNS", "")).isdecimal() and int(columns):
        return max(_NARROWEST, int(columns))
    return min(shutil.get_terminal_size((100, 24)).columns, 160) if sys.stdout.isatty() else 100


class Screen(TypedDict):
    """Width and colour of stdout."""

    width: int
    color: bool


def screen() -> Screen:
    return Screen(width=terminal_width(), color=sys.stdout.isatty() and not has_no_color())


def has_no_color() -> bool:
    """`NO_COLOR` is set: https://no-color.org."""
    return bool(os.environ.get("NO_COLOR"))


def read_settings(flags: Mapping[str, object], **given: object) -> "Settings":
    """Settings of a command; also sets its log file and the flags that messages repeat."""
    if context := click.get_current_context(silent=True):
        # Only after errors that end the command were shown.
        context.find_root().call_on_close(
            partial(CONNECTION_FLAGS.reset, CONNECTION_FLAGS.set(flags))
        )
    settings = load_settings({**flags, **given})
    keep_warnings(settings.state_dir)
    return settings


@contextmanager
def opened(flags: Mapping[str, object]) -> "Iterator[Environment]":
    """Open the environment of a command; heavy imports happen here."""
    from linker.environment import Environment

    with Environment(read_settings(flags), flags) as environment:
        yield environment


def print_answer(schema: "LinkedSchema", form: str, *, explain: bool) -> None:
    """A new or recorded answer on stdout, warnings on stderr."""
    stop_progress()
    schema = replace(schema, warnings=tuple(map(pasted, schema.warnings)))
    for warning in schema.warnings:
        emit("warning", warning)
    click.echo(render(schema, form, **screen(), explain=explain))


def exit_with(schema: "LinkedSchema", *, strict: bool = False) -> None:
    """
    Exit with 3 if the question is unanswerable, with 4 for a degraded answer under `--strict`.
    """
    if strict and schema.degraded:
        raise click.exceptions.Exit(DEGRADED)
    if schema.unanswerable:
        raise click.exceptions.Exit(UNANSWERABLE)

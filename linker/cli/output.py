"""Output of commands: results on stdout, warnings and errors on stderr."""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import IO, TYPE_CHECKING, Any, TypedDict

import click
from msgspec.structs import replace

from linker.cli.progress import at_rest, emit, is_json, json_line, keep_warnings
from linker.text.commands import GIVEN, pasted
from linker.text.escaping import escape_invisible, one_line

if TYPE_CHECKING:
    from linker.config import Settings
    from linker.dbt.profiling import ProfileReport
    from linker.environment import Environment
    from linker.linking.result import LinkedSchema

# Everything works, and the warehouse does not hold what is asked for.
UNANSWERABLE = 3
# With `--strict`: there is an answer, and the language model failed at a part of it.
DEGRADED = 4
# Where nobody else can reach a server.
_HERE = ("127.0.0.1", "localhost", "::1")
# Below it nothing is laid out any more.
_NARROWEST = 40


class UserError(click.ClickException):
    """One line of what and where, one of what to do; exit code 2."""

    exit_code = 2

    def __init__(self, what: str, hint: str) -> None:
        super().__init__(what)
        self.hint = pasted(hint)
        # It is shown after the command, which knows the format, is left.
        self._is_json = is_json()

    def show(self, file: IO[Any] | None = None) -> None:
        """Write it to stderr; it may quote names from the warehouse."""
        if self._is_json:
            click.echo(
                json_line("error", self.message, hint=one_line(self.hint)), err=True, file=file
            )
            return
        # Shown after the command, whose context knows of colours, is left.
        click.secho(
            f"error: {one_line(self.message)}", fg="red", err=True, file=file, color=self.show_color
        )
        click.echo(f"   →   {one_line(self.hint)}", err=True, file=file)


class BusyUserError(UserError):
    """Another run is at work: nothing is wrong, and nothing is to be done; exit code 4."""

    exit_code = 4


@contextmanager
def needing(extra: str) -> Iterator[None]:
    """Say what to install where a package of an extra is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        from linker.config.installed import install_command

        command = click.get_current_context().command_path
        raise UserError(
            f"`{command}` needs the package {error.name}", install_command(extra)
        ) from None


def token_for(host: str, variable: str) -> str:
    """
    The secret of a server, from the environment; where others can reach its address there has to be
    one.
    """
    token = os.environ.get(variable, "")
    if host not in _HERE and not token:
        raise UserError(
            f"other machines can reach the address {host}",
            hint=f"set {variable}, or omit --host",
        )
    return token


def say_where_questions_go(settings: "Settings") -> None:
    """Name on stderr the servers that are asked and are not the providers' own."""
    from linker.config.servers import external_hosts

    for host, what in external_hosts(settings).items():
        emit("asked_elsewhere", f"{what} asked at {host}", host=host)


def warn(message: str) -> None:
    """Say on stderr what is degraded; it may quote names from the warehouse."""
    emit("warning", pasted(message))


def suggest(command: str, before: str = "next: ") -> None:
    """Say on stderr what people do next; a machine knows."""
    if not is_json():
        click.echo(f"{before}{pasted(command)}", err=True)


def warn_of_tables(report: "ProfileReport") -> None:
    """
    Name the tables that could not be read, or were left out, and views of which too much may be
    hidden.
    """
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


def warn_of_project(environment: "Environment") -> None:
    """
    Name the patterns of the settings that mean no column, and the tables that lie where nobody
    looks.
    """
    from linker.catalog.privacy import patterns_of, unmatched
    from linker.config.values import unmatched as unmatched_tables
    from linker.dbt.manifest import relations_elsewhere
    from linker.dbt.ossie_import import read_documents

    for problem in read_documents(environment.settings, environment.target.key).problems:
        warn(problem)
    if elsewhere := relations_elsewhere(environment.settings, environment.target):
        warn(elsewhere)
    if any(patterns_of(environment.settings).values()):
        for problem in unmatched(environment.settings, environment.warehouse.catalog):
            warn(problem)
    for setting in ("prefer", "exclude"):
        patterns = getattr(environment.settings, setting)
        for problem in (
            unmatched_tables(setting, patterns, environment.warehouse.catalog.tables)
            if patterns
            else ()
        ):
            warn(problem)


def print_record(**fields: object) -> None:
    """A report for programs; its version is raised when a field changes its meaning or goes."""
    from linker.output import as_json

    click.echo(as_json({"version": 1, **fields}))


def terminal_width() -> int:
    """
    The width that `COLUMNS` says, or that of the terminal; 100 elsewhere, so that files look the
    same everywhere.
    """
    import shutil

    if (columns := os.environ.get("COLUMNS", "")).isdecimal() and int(columns):
        return max(_NARROWEST, int(columns))
    return min(shutil.get_terminal_size((100, 24)).columns, 160) if sys.stdout.isatty() else 100


class Screen(TypedDict):
    """What a text for stdout fits."""

    width: int
    color: bool


def screen() -> Screen:
    """The width of stdout, and whether it shows colours."""
    return Screen(width=terminal_width(), color=sys.stdout.isatty() and not has_no_color())


def has_no_color() -> bool:
    """True where the user wants no colours anywhere: https://no-color.org."""
    return bool(os.environ.get("NO_COLOR"))


def read_settings(flags: Mapping[str, object], **given: object) -> "Settings":
    """
    The settings of a command; from then on its log has a place, and its messages repeat the flags
    that it has.
    """
    from linker.config import load_settings

    if context := click.get_current_context(silent=True):
        # Not before an error that leaves the command is shown, too.
        context.find_root().call_on_close(partial(GIVEN.reset, GIVEN.set(flags)))
    settings = load_settings({**flags, **given})
    keep_warnings(settings.state_dir)
    return settings


@contextmanager
def opened(flags: Mapping[str, object]) -> "Iterator[Environment]":
    """
    Open the parts under the settings of a command's flags; nothing of them is imported before.
    """
    from linker.environment import Environment

    with Environment(read_settings(flags), flags) as environment:
        yield environment


def print_answer(schema: "LinkedSchema", form: str, *, explain: bool) -> None:
    """An answer on stdout, just found or from a trace; what is degraded on stderr."""
    from linker.output import render

    at_rest()
    schema = replace(schema, warnings=tuple(map(pasted, schema.warnings)))
    for warning in schema.warnings:
        emit("warning", warning)
    click.echo(render(schema, form, **screen(), explain=explain))


def exit_with(schema: "LinkedSchema", *, strict: bool = False) -> None:
    """
    End the command with an exit code of its own where there is no answer, or a degraded one that is
    not to be taken for a whole one.
    """
    if strict and schema.degraded:
        raise click.exceptions.Exit(DEGRADED)
    if schema.unanswerable:
        raise click.exceptions.Exit(UNANSWERABLE)

"""
The command `linker`.

Its modules import nothing heavy before a command runs, so that help is immediate.
"""

from errno import ENAMETOOLONG
from importlib import import_module

import click

from linker import __version__
from linker.cli.output import BusyUserError, UserError, has_no_color
from linker.cli.progress import show_lines, silence_warnings
from linker.errors import BusyError, LinkerError
from linker.text.escaping import is_utf8

# Module of each command, imported on use, and the activity to report if that is slow.
_COMMANDS = {
    "ask": ("ask", "links the question"),
    "completion": ("installation", "writes the script"),
    "demo": ("installation", "builds the demo"),
    "diff": ("status", "compares two runs"),
    "doctor": ("installation", "checks the setup"),
    "eval": ("eval", "evaluates linking"),
    "export": ("export", "reads the profiles"),
    "feedback": ("eval", "reads the trace"),
    "init": ("init", "checks the warehouse"),
    "index": ("refresh", "updates the index"),
    "learn": ("learn", "reads query logs"),
    "mcp": ("serve", "starts the server"),
    "profile": ("refresh", "updates the profiles"),
    "refresh": ("refresh", "updates profiles and index"),
    "runs": ("status", "reads the run history"),
    "serve": ("serve", "starts the server"),
    "show": ("status", "reads the profiles"),
    "sql": ("ask", "answers the question"),
    "status": ("status", "checks store and warehouse"),
    "trace": ("trace", "reads the traces"),
    "tune": ("eval", "fits the weights"),
    "uninstall": ("installation", "finds what to remove"),
    "verified": ("verified", "reads verified questions"),
}
_LONGEST_SHOWN = 60
_NAME = "linker.command"


class _Commands(click.Group):
    """Prints LinkerError as one line, without a traceback."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - the same
        if cmd_name not in _COMMANDS:
            return None
        module, _ = _COMMANDS[cmd_name]
        # `eval` is a Python builtin.
        function = "evaluate" if cmd_name == "eval" else cmd_name
        command: click.Command = getattr(import_module(f"linker.cli.{module}"), function)
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Reject bytes that are not valid text."""
        if wrong := next((word for word in args if not is_utf8(word)), None):
            shown = wrong.encode("utf-8", "backslashreplace").decode()
            raise UserError(f"`{shown[:_LONGEST_SHOWN]}` is not text in UTF-8", "write it in UTF-8")
        # The group has no options with values.
        ctx.meta[_NAME] = next(iter(args), "")
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        silence_warnings()
        if has_no_color():
            ctx.color = False
        name = ctx.meta[_NAME]
        try:
            with show_lines(name, _COMMANDS[name][1] if name in _COMMANDS else ""):
                return super().invoke(ctx)
        except BusyError as error:
            raise BusyUserError(error.what, error.hint) from error
        except LinkerError as error:
            raise UserError(error.what, error.hint) from error
        except OSError as error:
            # ENAMETOOLONG comes from user input; other OSErrors are bugs or already reported.
            if error.errno != ENAMETOOLONG:
                raise
            raise UserError(
                f"`{str(error.filename)[:_LONGEST_SHOWN]}…` is too long for a file", "name a file"
            ) from error


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="linker")
def main() -> None:
    """
    Find the tables and columns that a question needs.

    \b
    Try it on a generated warehouse:
      linker demo
    \b
    Then on your own warehouse, with the connection that dbt uses:
      linker init
      linker refresh
      linker show customers
      linker ask "Which customers returned more than they kept?"
      linker sql "How many customers are there by country?"
    \b
    Keep profiles and index up to date, on a schedule:
      linker refresh

    Settings are read from linker.yml, LINKER_… variables and flags; later sources override earlier
    ones.
    """

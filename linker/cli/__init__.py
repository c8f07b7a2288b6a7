"""The command `linker`. Its modules import nothing heavy before a command runs: help must answer at once."""

import click

from linker import __version__
from linker.cli.ask import ask
from linker.cli.demo import demo
from linker.cli.doctor import doctor
from linker.cli.eval import evaluate
from linker.cli.index import index
from linker.cli.output import UserError
from linker.cli.profile import profile
from linker.cli.show import show
from linker.cli.status import status
from linker.cli.tune import tune
from linker.errors import LinkerError


class _Group(click.Group):
    """Shows what the user can mend as one line, without a traceback."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except LinkerError as error:
            raise UserError(error.what, error.hint) from error


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="linker")
def main() -> None:
    """
    Find the few tables and columns that a question needs.

    \b
    Try it on a generated warehouse:
      linker demo
    \b
    Then on your own, with the connection that dbt uses:
      linker profile
      linker show customers
      linker index
      linker ask "Which customers returned more than they kept?"

    Settings stand in linker.yml, in LINKER_… variables or in flags; a later one overrides an earlier one.
    """


for _command in (demo, profile, show, index, ask, status, doctor, evaluate, tune):
    main.add_command(_command)

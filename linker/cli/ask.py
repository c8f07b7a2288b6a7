"""`linker ask`: a question in, a linked schema out."""

import gc
from typing import Any

import click

from linker.cli.options import answer_options, question_options, settings_options
from linker.cli.output import UserError, leave_with, opened, print_answer
from linker.cli.thinking import shown_thinking


@click.command()
@click.argument("question")
@answer_options
@click.option(
    "--sql", "in_sql", is_flag=True, help="Answer with SQL instead, as `linker sql` does."
)
@question_options
@settings_options
def ask(question: str, form: str, explain: bool, in_sql: bool, **flags: Any) -> None:  # noqa: ANN401 - the flags of settings_options
    """
    Link QUESTION to the tables and columns that it needs.

    Without a language model the answer is a shortlist: tables and columns by how likely they are
    needed, and how complete the list probably is. Nothing in it is certain.

    \b
    With a language model each table and column says where it stands:
      ● required   most ways to answer need it
      ◐ kept       evidence spoke for it
      ○ pending    nothing was decided, so it stays
    and how surely it is needed, from 0 to 1.

    \b
    Exit codes:
      0   there is an answer
      2   something is wrong; one line says what, one what to do
      3   nothing of the question is in this warehouse: what is missing is said, and what comes nearest

    \b
    Examples:
      linker ask "Which carrier delivers late most often?"
      linker ask --recall 0.95 "Revenue per month"
      linker ask --explain "How many customers came back?"
      linker ask --sql "How many customers came back in 2025?"
      linker ask --format mschema "Revenue by month" > prompt.txt
      linker ask --target demo --format json "How many tickets are open?"
    """
    # The process ends with this answer, and what it reads is used to its end: to look for garbage
    # took a quarter of it.
    gc.disable()
    if in_sql:
        _answer_in_sql(question, form, flags)
        return
    from linker.pipeline import ask as ask_question

    with opened(flags) as environment:
        with shown_thinking(environment.settings):
            schema = ask_question(question, environment)
        # Before the embedded store is let go, which may take a tenth of a second.
        print_answer(schema, form, explain=explain)
        if not environment.has_opened_warehouse:
            # Nor at the end; but drivers want to be let go in order.
            gc.freeze()
    leave_with(schema)


def _answer_in_sql(question: str, form: str, flags: dict[str, Any]) -> None:
    from linker.cli.sql import answer_in_sql
    from linker.render import SQL_FORMS

    if form not in SQL_FORMS:
        raise UserError(
            f"`--sql` has no form `{form}`", hint=f"choose one of: {', '.join(SQL_FORMS)}"
        )
    answer_in_sql(question, form, dry_run=False, flags=flags)

"""`linker ask` and `linker sql`: link a question to tables and columns, or answer it in SQL."""

import gc
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import replace

from linker.cli.options import answer_options, question_options, settings_options, strict_option
from linker.cli.output import (
    DEGRADED,
    UNANSWERABLE,
    UserError,
    exit_with,
    opened,
    print_answer,
    screen,
    warn,
    warn_of_external_servers,
)
from linker.cli.progress import emit, show_model_calls, stop_progress
from linker.linking.result import no_answer
from linker.output import SQL_FORMS, render_answer
from linker.text.commands import pasted

if TYPE_CHECKING:
    from linker.linking.result import LinkedSchema
    from linker.sql import SqlAnswer


@click.command()
@click.argument("question")
@click.option(
    "--format",
    "form",
    type=click.Choice(SQL_FORMS),
    default="table",
    show_default=True,
    help="Output format.",
)
@click.option(
    "--dry-run",
    is_flag=True,
    help="Write and check the statement; run nothing, not even probes.",
)
@click.option(
    "--candidates",
    "sql_candidates",
    type=int,
    metavar="N",
    help="Maximum number of candidate statements [default: 5].",
)
@click.option(
    "--rows",
    "sql_rows",
    type=int,
    metavar="N",
    help="Maximum number of rows to fetch [default: 100].",
)
@strict_option
@question_options
@settings_options
def sql(question: str, form: str, dry_run: bool, strict: bool, **flags: Any) -> None:  # noqa: ANN401 - the flags of settings_options
    """
    Answer QUESTION with SQL over the linked tables and columns.

    A language model writes several candidates, which run and vote by their results. Without a
    language model you get the linked schema only. `linker ask --sql` does the same.

    \b
    Exit codes:
      0   a statement was written; a draft says why it is unverified
      2   error (message and hint on stderr)
      3   no statement: no language model is configured, no candidate runs, or the warehouse cannot
          answer the question
      4   with --strict: the language model failed in some step; the answer is printed anyway

    \b
    Examples:
      linker sql "How many tickets were opened in 2025, by channel?"
      linker sql --dry-run "Average list price per brand"
      linker sql --format sql "How many open invoices are there?" > invoices.sql
    """
    answer_in_sql(question, form, dry_run=dry_run, strict=strict, flags=flags)


def answer_in_sql(
    question: str, form: str, *, dry_run: bool, strict: bool, flags: dict[str, Any]
) -> None:
    """Answer, print, and exit with 3 if there is no statement."""
    from linker.pipeline import ask
    from linker.pipeline import sql as answer_with_sql

    # A probe is executed, too.
    with opened({**flags, "max_probes": 0} if dry_run else flags) as environment:
        warn_of_external_servers(environment.settings)
        with show_model_calls(environment.settings):
            schema = ask(question, environment)
            answer = answer_with_sql(schema, environment, is_dry=dry_run)
        print_sql(answer, schema, form)
    exit_with_sql(answer, strict=strict)


def print_sql(answer: "SqlAnswer", schema: "LinkedSchema", form: str) -> None:
    """The answer on stdout; warnings, unmatched terms and uncertainty on stderr."""
    stop_progress()
    answer = replace(answer, warnings=tuple(map(pasted, answer.warnings)))
    for warning in answer.warnings:
        emit("warning", warning)
    text = render_answer(answer, schema, form, **screen())
    if text:
        click.echo(text)
    if form == "sql":
        for doubt in answer.doubts:
            warn(doubt)
    if form == "sql" and answer.unanswerable:
        warn(no_answer(answer.unanswerable))
    elif answer.missing and (form == "sql" or answer.outcome == "needs_model"):
        warn(answer.missing)


def exit_with_sql(answer: "SqlAnswer", *, strict: bool = False) -> None:
    """Exit with 3 without a statement, with 4 for a degraded one under `--strict`."""
    if strict and answer.degraded:
        raise click.exceptions.Exit(DEGRADED)
    if not answer.is_answer:
        raise click.exceptions.Exit(UNANSWERABLE)


@click.command()
@click.argument("question")
@answer_options
@click.option(
    "--sql", "in_sql", is_flag=True, help="Answer with SQL instead, as `linker sql` does."
)
@strict_option
@question_options
@settings_options
def ask(question: str, form: str, explain: bool, in_sql: bool, strict: bool, **flags: Any) -> None:  # noqa: ANN401 - the flags of settings_options
    """
    Link QUESTION to the tables and columns that it needs.

    Without a language model the answer is a ranked shortlist of tables and columns, each with its
    relevance from 0 to 1. Estimated completeness is the share of comparable questions for which
    such a list contained every needed column; no language model verified the list.

    \b
    With a language model each table and column has a status, and a confidence from 0 to 1:
      ● required   most hypotheses need it
      ◐ kept       supported by evidence
      ○ pending    undecided, and therefore kept

    \b
    Exit codes:
      0   the question was linked
      2   error (message and hint on stderr)
      3   the warehouse cannot answer the question; the answer names what is missing, and the nearest
          tables and columns
      4   with --strict: the language model failed in some step; the answer is printed anyway

    \b
    Examples:
      linker ask "Which carrier delivers late most often?"
      linker ask --recall 0.95 "Revenue per month"
      linker ask --explain "How many customers came back?"
      linker ask --sql "How many customers came back in 2025?"
      linker ask --format mschema "Revenue by month" > prompt.txt
      linker ask --target demo --format json "How many tickets are open?"
    """  # noqa: E501 - lines that users copy
    # The process exits after this answer; garbage collection took a quarter of its time.
    gc.disable()
    if in_sql:
        _answer_in_sql(question, form, strict, flags)
        return
    from linker.pipeline import ask as ask_question

    with opened(flags) as environment:
        warn_of_external_servers(environment.settings)
        with show_model_calls(environment.settings):
            schema = ask_question(question, environment)
        # Print before stopping the embedded store, which may take 0.1 s.
        print_answer(schema, form, explain=explain)
        if not environment.has_opened_warehouse:
            # Skip collection at exit, but close drivers in order.
            gc.freeze()
    exit_with(schema, strict=strict)


def _answer_in_sql(question: str, form: str, strict: bool, flags: dict[str, Any]) -> None:
    if form not in SQL_FORMS:
        raise UserError(
            f"`--sql` has no format `{form}`", hint=f"choose one of: {', '.join(SQL_FORMS)}"
        )
    answer_in_sql(question, form, dry_run=False, strict=strict, flags=flags)

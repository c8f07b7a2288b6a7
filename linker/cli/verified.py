"""
`linker verified`: keeps questions with the SQL that answers them in a file of the project, and
checks that the statements still run.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from linker.cli.options import report_format, settings_options
from linker.cli.output import UserError, opened, print_record, suggest
from linker.cli.progress import stage
from linker.text.escaping import lines_of, one_line
from linker.text.numbers import counted
from linker.types import as_dict

if TYPE_CHECKING:
    from collections.abc import Iterable

    from linker.sql.verified import VerifiedCheck

# Exit code if a verified question fails.
FAILED = 1
_question = click.argument("question")
_NOT_CHECKED = "not checked yet"


@click.group()
def verified() -> None:
    """
    Keep questions with the SQL that answers them.

    The file is verified.yml, or the setting `verified_questions`. Each refresh runs the statements
    and reports which fail. Near ones are shown to agents and to the writer of SQL as examples, and
    all are questions of `linker eval verified` and `linker tune`.

    \b
    Examples:
      linker verified add "How many orders were late?" --sql late.sql
      linker verified list
      linker verified check
    """


@verified.command()
@_question
@click.option(
    "--sql",
    "source",
    type=click.File("r", encoding="utf-8"),
    required=True,
    metavar="FILE",
    help="File with the statement that answers the question; `-` reads stdin.",
)
@report_format
@settings_options
def add(question: str, source: Any, form: str, **flags: Any) -> None:  # noqa: ANN401 - click's own
    """
    Run the statement, and add it with its question to the file.

    A statement that the SQL policy refuses, that fails, or that gives nothing is not added.

    \b
    Examples:
      linker verified add "How many orders were late?" --sql late.sql
      echo "select count(*) from sales.orders" | linker verified add "How many orders?" --sql -
    """
    from linker.sql.verification import check_question
    from linker.sql.verified import (
        VerifiedQuestion,
        add_question,
        keep_checks,
        read_checks,
        read_questions,
    )

    item = VerifiedQuestion(question.strip(), _text_of(source))
    if not item.question or not item.sql:
        raise UserError("the question or the statement is empty", "linker verified add --help")
    with opened(flags) as environment:
        path = environment.settings.verified_questions
        check = check_question(environment, item)
        if check.outcome != "valid":
            raise UserError(f"not added: {check.reason}", "correct the statement, and add it again")
        add_question(path, item.question, item.sql)
        others = [known for known in read_checks(environment) if known.digest != item.digest]
        keep_checks(environment, [*others, check])
        count = len(read_questions(path))
    if form == "json":
        print_record(file=str(path), questions=count, **_record(item.question, item.sql, check))
    else:
        click.echo(f"added; {path} has {counted(count, 'verified question')}")


@verified.command("list")
@report_format
@settings_options
def list_(form: str, **flags: Any) -> None:  # noqa: ANN401 - the flags of settings_options
    """
    List the questions of the file, with what the last check found.

    \b
    Examples:
      linker verified list
      linker verified list --format json
    """
    from linker.sql.verified import read_checks, read_questions

    with opened(flags) as environment:
        path = environment.settings.verified_questions
        questions = read_questions(path)
        checks = {check.digest: check for check in read_checks(environment)}
    if form == "json":
        records = [_record(item.question, item.sql, checks.get(item.digest)) for item in questions]
        print_record(file=str(path), questions=records)
        return
    for item in questions:
        check = checks.get(item.digest)
        click.echo(f"{one_line(item.question)}   {_standing(check)}")
        click.echo("\n".join(f"    {line}" for line in lines_of(item.sql).splitlines()))
    if not questions:
        suggest('linker verified add "…" --sql FILE', before=f"no questions in {path} yet; add: ")


@verified.command()
@_question
@report_format
@settings_options
def remove(question: str, form: str, **flags: Any) -> None:  # noqa: ANN401 - the flags of settings_options
    """
    Remove a question from the file.

    \b
    Example:
      linker verified remove "How many orders were late?"
    """
    from linker.sql.verified import forget_check, read_questions, remove_question

    with opened(flags) as environment:
        path = environment.settings.verified_questions
        remove_question(path, question)
        forget_check(environment, question)
        count = len(read_questions(path))
    if form == "json":
        print_record(file=str(path), questions=count)
    else:
        click.echo(f"removed; {path} has {counted(count, 'verified question')}")


@verified.command()
@report_format
@settings_options
def check(form: str, **flags: Any) -> None:  # noqa: ANN401 - the flags of settings_options
    """
    Run the statements of all questions, and say which fail and why.

    \b
    Exit codes:
      0   all statements run and give rows
      1   some fail, give nothing, or were not run within `timeout`
      2   error (message and hint on stderr)

    \b
    Examples:
      linker verified check
      linker verified check --format json
    """
    from linker.sql.verification import check_file

    with opened(flags) as environment:
        path = environment.settings.verified_questions
        with stage("verified", "runs verified questions") as running:
            report = check_file(environment, running.on_progress)
            running.summary = str(report)
    if form == "json":
        print_record(
            file=str(path),
            unchecked=report.unchecked,
            questions=[_check_record(item) for item in report.checks],
        )
    else:
        _print_failed(report.failed)
    if report.failed or report.unchecked:
        raise click.exceptions.Exit(FAILED)


def _text_of(source: Any) -> str:  # noqa: ANN401 - an open file
    try:
        text: str = source.read()
    except UnicodeDecodeError:
        raise UserError(f"{Path(source.name)} is not text in UTF-8", "write it as UTF-8") from None
    return text.strip().removesuffix(";").strip()


def _print_failed(failed: "Iterable[VerifiedCheck]") -> None:
    for item in failed:
        click.echo(f"{one_line(item.question)}   {_standing(item)}")


def _standing(check: "VerifiedCheck | None") -> str:
    if check is None:
        return _NOT_CHECKED
    if check.outcome == "valid":
        return f"valid, checked {check.checked_at}"
    return f"{check.outcome}: {one_line(check.reason)}"


def _record(question: str, sql: str, check: "VerifiedCheck | None") -> dict[str, Any]:
    return {"question": question, "sql": sql, "check": check and _check_record(check)}


def _check_record(check: "VerifiedCheck") -> dict[str, Any]:
    record = as_dict(check)
    del record["digest"]
    return record

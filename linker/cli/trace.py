"""`linker trace`: lists, shows and replays the traces of earlier questions."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from linker.budget import Cost
from linker.cli.ask import exit_with_sql, print_sql
from linker.cli.options import (
    answer_options,
    config_option,
    newest,
    report_format,
    state_dir_option,
    together,
)
from linker.cli.output import exit_with, print_answer, read_settings, screen, warn
from linker.errors import ConfigError
from linker.linking.trace import names
from linker.output import SQL_FORMS, as_json
from linker.sql import sql_of

if TYPE_CHECKING:
    from linker.linking.assemble_result import TraceSummary
    from linker.output.trace import TraceLine

_where = together(state_dir_option, config_option)
_name = click.argument("name", metavar="[ID]", default="last")


@click.group()
def trace() -> None:
    """
    List, show and replay earlier runs of `linker ask`.

    ID is the id of a run or its beginning; the default is the newest. A trace holds the question,
    what was found and decided, and values as the privacy rules allow. Traces stay in the state
    folder.

    \b
    Examples:
      linker trace list
      linker trace show
      linker trace show 20251121-1015 --prompts
      linker trace replay 20251121-1015 --format mschema
    """


@trace.command("list")
@newest
@report_format
@_where
def list_(limit: int, form: str, **flags: Any) -> None:  # noqa: ANN401 - the flags of _where
    """
    List the traces, newest first.

    \b
    Examples:
      linker trace list
      linker trace list --limit 100 --format json
    """
    from linker.linking.assemble_result import list_traces
    from linker.output.trace import render_json, render_list

    folder = _state_dir(flags)
    summaries = list_traces(folder)
    read = {summary.id: _kept(folder, summary) for summary in summaries[:limit]}
    kept = [summary for summary in read.values() if summary]
    damaged = {*names(folder)} - {summary.id for summary in summaries} | {
        name for name, summary in read.items() if not summary
    }
    if damaged:
        warn(f"damaged, or from another version: {', '.join(sorted(damaged))}")
    click.echo(render_json(kept) if form == "json" else render_list(kept, **screen()))
    if older := len(summaries) - len(read):
        warn(f"{older:,} older traces are not listed; see --limit")


@trace.command()
@_name
@click.option("--prompts", is_flag=True, help="Add the prompts and replies of the language model.")
@report_format
@_where
def show(name: str, prompts: bool, form: str, **flags: Any) -> None:  # noqa: ANN401 - the flags of _where
    """
    Show a run step by step.

    \b
    Examples:
      linker trace show
      linker trace show 20251121-1015 --prompts
      linker trace show --format json 20251121-1015
    """
    from linker.linking.assemble_result import read_trace
    from linker.output.trace import render_trace

    record = read_trace(_state_dir(flags), name)
    click.echo(
        as_json(record.events)
        if form == "json"
        else render_trace(record, **screen(), prompts=prompts)
    )


@trace.command()
@_name
@answer_options
@_where
def replay(name: str, form: str, explain: bool, **flags: Any) -> None:  # noqa: ANN401 - the flags of _where
    """
    Print the answer of a run again, without language model and warehouse.

    Answers of `evilink` are recomputed from the recorded steps; answers of other strategies were
    recorded whole. The exit code is that of the run. For a run of `linker sql`, `table` and `json`
    print the recorded SQL answer.

    \b
    Examples:
      linker trace replay
      linker trace replay 20251121-1015 --format json
    """
    from linker.linking.assemble_result import read_trace
    from linker.linking.assemble_result import replay as replayed

    record = read_trace(_state_dir(flags), name)
    answer = sql_of(record) if form in SQL_FORMS else None
    schema = replayed(record)
    if answer:
        print_sql(answer, schema, form)
        exit_with_sql(answer)
        return
    print_answer(schema, form, explain=explain)
    exit_with(schema)


def _kept(folder: Path, summary: "TraceSummary") -> "TraceLine | None":
    """One line of the trace list; None if the trace is unreadable."""
    from linker.linking.assemble_result import read_trace
    from linker.linking.assemble_result import replay as replayed
    from linker.output.trace import TraceLine

    heading = (summary.id, summary.started, summary.question, summary.strategy)
    try:
        record = read_trace(folder, summary.id)
    except ConfigError:
        return None
    if record.run is None:
        return TraceLine(*heading, columns=None, is_answered=False, cost=Cost())
    answer = replayed(record)
    is_answered = answer.unanswerable is None
    return TraceLine(
        *heading, columns=answer.column_count, is_answered=is_answered, cost=answer.bill.total
    )


def _state_dir(flags: dict[str, Any]) -> Path:
    """The state folder; an error if it has no trace."""
    folder = read_settings(flags).state_dir
    if not names(folder):
        raise ConfigError(f"no traces in {folder}", hint='linker ask "…" writes one')
    return folder

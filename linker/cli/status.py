"""
`linker show`, `status`, `runs` and `diff`: profile cards, freshness, run history and schema diff.
"""

from datetime import timedelta
from typing import Any

import click

from linker.cli.options import Amount, RunNumber, newest, report_format, settings_options, together
from linker.cli.output import opened, screen, warn
from linker.history.column_changes import Thresholds
from linker.text.numbers import parse_duration

# Exit code for stale profiles or an incomplete last run.
STALE = 1

# Exit code, as of `git diff --exit-code`.
SOMETHING_CHANGED = 1
_THRESHOLDS = {
    "rows": "Threshold of a change in rows.",
    "nulls": "Threshold of a change in the share of nulls.",
    "distinct": "Threshold of a change in distinct values beyond the change in rows.",
    "range": "Threshold of a move of minimum or maximum, as a share of the range.",
    "values": "Threshold of rows that moved between values of a small category.",
}
_thresholds = together(
    *(
        click.option(
            f"--{name}",
            type=Amount(0),
            default=getattr(Thresholds(), name),
            show_default=True,
            metavar="SHARE",
            help=words,
        )
        for name, words in _THRESHOLDS.items()
    )
)


@click.command()
@click.argument("name")
@report_format
@click.option(
    "--explain",
    is_flag=True,
    help="Add distributions, shapes and all values to the JSON of a table.",
)
@settings_options
def show(name: str, form: str, explain: bool, **flags: Any) -> None:  # noqa: ANN401 - the flags of settings_options
    """
    Show the profile of the table or column NAME.

    NAME is `table` or `schema.table`, optionally followed by `.column` or a path inside a column.
    Case is ignored; a shard leads to its sharded table family.

    \b
    Examples:
      linker show orders
      linker show sales.orders.status
      linker show --format json web.sessions_20250101.device.category
    """
    from linker.output.card import render_card
    from linker.pipeline import show as read_card

    with opened(flags) as environment:
        profile, column = read_card(name, environment)
    click.echo(render_card(profile, column, form, **screen(), explain=explain))


@click.command()
@click.option(
    "--max-age",
    type=parse_duration,
    metavar="DURATION",
    help=(
        "Exit with 1 if anything was last refreshed longer ago, such as 24h, or the last run "
        "failed."
    ),
)
@report_format
@settings_options
def status(max_age: timedelta | None, form: str, **flags: Any) -> None:  # noqa: ANN401 - the flags of settings_options
    """
    Show how up to date profiles and index are, by schema.

    If the warehouse is unavailable, the status comes from the store, and the output names what is
    missing.

    \b
    Exit codes:
      0   nothing is older than --max-age, or --max-age is not given
      1   something is older, or the last run failed; the output names it
      2   usage or configuration error, store unavailable, or no profiles yet

    \b
    Examples:
      linker status
      linker status --max-age 24h
      linker status --target demo --format json
    """
    from linker.output.status import render_status, status_json
    from linker.refresh.status import read_status

    with opened(flags) as environment:
        current = read_status(environment)
    click.echo(
        status_json(current, max_age) if form == "json" else render_status(current, **screen())
    )
    for unseen in current.unseen:
        warn(unseen)
    stale = current.stale(max_age) if max_age is not None else ()
    for reason in stale:
        warn(f"stale: {reason}")
    if stale:
        raise click.exceptions.Exit(STALE)


@click.command()
@click.argument("numbers", metavar="[RUN]", type=RunNumber(), nargs=-1)
@newest
@report_format
@settings_options
def runs(numbers: tuple[int | None, ...], limit: int, form: str, **flags: Any) -> None:  # noqa: ANN401 - click's
    """
    List the runs of `linker refresh` and `linker index`, or show run number RUN.

    For each run: duration, tables scanned, unchanged, left out and failed, bytes read, and
    documents embedded and removed. Works without the warehouse.

    \b
    Examples:
      linker runs
      linker runs 12
      linker runs last
      linker runs --limit 100 --format json
    """
    if len(numbers) > 1:
        raise click.UsageError("name at most one run; `linker diff` compares two")
    from linker.history.runs import find_run, read_runs
    from linker.output.runs import render_run, render_runs, render_runs_json

    with opened(flags) as environment:
        target = environment.target_key
        shown = (
            [find_run(environment, numbers[0])] if numbers else read_runs(environment, limit + 1)
        )
    if form == "json":
        click.echo(render_runs_json(target, shown[:limit]))
    elif numbers:
        click.echo(render_run(shown[0], **screen()))
    else:
        click.echo(render_runs(shown[:limit], **screen()))
    if len(shown) > limit:
        warn("older runs are not listed; see --limit")


@click.command()
@click.argument("numbers", metavar="[RUN1] [RUN2]", type=RunNumber(), nargs=-1)
@_thresholds
@click.option("--exit-code", is_flag=True, help="Exit with 1 if anything changed.")
@click.option(
    "--format",
    "form",
    type=click.Choice(("table", "json", "markdown")),
    default="table",
    show_default=True,
    help="Report format; `markdown` is a pull request comment.",
)
@settings_options
def diff(numbers: tuple[int | None, ...], exit_code: bool, form: str, **flags: Any) -> None:  # noqa: ANN401 - click's
    """
    Show what changed in the warehouse between two runs.

    Shows added, removed and probably renamed tables and columns; types, nullability and categories;
    and changes beyond thresholds in rows, nulls, distinct values, ranges and the values of small
    categories. Differences within sampling error are ignored. Works without the warehouse, from
    stored runs.

    With one run, it is compared with the run before. Without any, the last two runs that found
    changes are compared. `last` is the newest run.

    \b
    Examples:
      linker diff
      linker diff 12
      linker diff 12 19 --nulls 0.01
      linker diff last --exit-code --format json
      linker diff last --format markdown
    """
    if len(numbers) > 2:
        raise click.UsageError("name at most two runs")
    from linker.history.runs import compare_runs
    from linker.output.runs import render_changes, render_changes_json, render_changes_markdown

    thresholds = Thresholds(**{name: flags.pop(name) for name in _THRESHOLDS})
    with opened(flags) as environment:
        comparison = compare_runs(environment, numbers, thresholds)
    if form == "markdown":
        click.echo(render_changes_markdown(comparison))
    elif form == "json":
        click.echo(render_changes_json(comparison))
    else:
        click.echo(render_changes(comparison, **screen()))
    if exit_code and comparison.tables:
        raise SystemExit(SOMETHING_CHANGED)

"""
`linker runs` and `linker diff`: what earlier runs did, and what changed in the warehouse between
two of them.
"""

from typing import Any

import click

from linker.cli.options import Amount, RunNumber, report_format, settings_options, together
from linker.cli.output import opened, screen, warn
from linker.history.column_changes import Thresholds

# As `git diff --exit-code` has it.
SOMETHING_CHANGED = 1
_THRESHOLDS = {
    "rows": "Tell of a table with so much more or fewer rows.",
    "nulls": "Tell of a share of nulls that moved so far.",
    "distinct": "Tell of so many more or fewer distinct values than rows explain.",
    "range": "Tell of a smallest or largest value that moved by so much of the range.",
    "values": "Tell of a small category of which so many rows have another value.",
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
@click.argument("numbers", metavar="[RUN]", type=RunNumber(), nargs=-1)
@click.option(
    "--limit",
    type=click.IntRange(1),
    default=20,
    show_default=True,
    metavar="N",
    help="Only the newest.",
)
@report_format
@settings_options
def runs(numbers: tuple[int | None, ...], limit: int, form: str, **flags: Any) -> None:  # noqa: ANN401 - click's
    """
    List the runs of `linker refresh` and `linker index`, or show the one of the number RUN.

    Each with its duration, the tables that it scanned, found unchanged, left out and failed at,
    what it read, and the documents that it embedded and removed. Only the store is asked: the
    warehouse may be away.

    \b
    Examples:
      linker runs
      linker runs 12
      linker runs last
      linker runs --limit 100 --format json
    """
    if len(numbers) > 1:
        raise click.UsageError("name one run at most; two are compared by `linker diff`")
    from linker.history.runs import find_run, read_runs
    from linker.render.runs import render_run, render_runs, render_runs_json

    with opened(flags) as environment:
        target = environment.target_key
        found = (
            [find_run(environment, numbers[0])] if numbers else read_runs(environment, limit + 1)
        )
    if form == "json":
        click.echo(render_runs_json(target, found[:limit]))
    elif numbers:
        click.echo(render_run(found[0], **screen()))
    else:
        click.echo(render_runs(found[:limit], **screen()))
    if len(found) > limit:
        warn("older ones are not listed; see --limit")


@click.command()
@click.argument("numbers", metavar="[RUN1] [RUN2]", type=RunNumber(), nargs=-1)
@_thresholds
@click.option("--exit-code", is_flag=True, help="Exit with 1 if something changed.")
@report_format
@settings_options
def diff(numbers: tuple[int | None, ...], exit_code: bool, form: str, **flags: Any) -> None:  # noqa: ANN401 - click's
    """
    Say what changed in the warehouse between two runs.

    Tables and columns that came, went or were probably renamed; types, nullability and categories;
    rows, nulls, distinct values, ranges, and the values of small categories, beyond thresholds.
    What two samples of one column may differ by is never told. Only the store is asked: the
    warehouse may be away.

    With one run, what it found is compared with the run before. With none, the last run that found
    something changed is compared with the last such one before it. `last` is the newest run.

    \b
    Examples:
      linker diff
      linker diff 12
      linker diff 12 19 --nulls 0.01
      linker diff last --exit-code --format json
    """
    if len(numbers) > 2:
        raise click.UsageError("name two runs at most")
    from linker.history.runs import compare_runs
    from linker.render.runs import render_changes, render_changes_json

    thresholds = Thresholds(**{name: flags.pop(name) for name in _THRESHOLDS})
    with opened(flags) as environment:
        comparison = compare_runs(environment, numbers, thresholds)
    click.echo(
        render_changes_json(comparison)
        if form == "json"
        else render_changes(comparison, **screen())
    )
    if exit_code and comparison.tables:
        raise SystemExit(SOMETHING_CHANGED)

"""
`linker tune`: fits the weights of linking without a language model to questions whose answer is
known.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import replace

from linker.cli.options import report_format, settings_options
from linker.cli.output import print_record, read_settings
from linker.cli.progress import stage
from linker.types import as_dict

if TYPE_CHECKING:
    from linker.config import Settings
    from linker.evaluation.tuning.tune import HeldOut

_BUDGETS = (12, 25, 40, 80, 120, 160)
# The other options are settings.
_OF_THE_RUN = ("suites", "roots", "out", "folds", "limit", "form")


@click.command()
@click.option(
    "--suite",
    "suites",
    multiple=True,
    required=True,
    metavar="NAME",
    help="As in `linker eval`, or NAME@PROFILE; repeatable.",
)
@click.option(
    "--root",
    "roots",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="Of each suite, in order.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FILE",
    help="Where to write them.",
)
@click.option(
    "--folds",
    type=click.IntRange(2),
    default=5,
    show_default=True,
    help="Parts to hold out in turn.",
)
@click.option(
    "--limit", type=click.IntRange(1), metavar="N", help="At most so many questions of each suite."
)
@report_format
@settings_options
def tune(**options: Any) -> None:  # noqa: ANN401 - click's own
    """
    Fit the weights of the ranking to questions whose answer is known.

    What it prints is held out: each database is ranked by weights that never saw it or others of
    its vendor. The setting `ranking_weights` then names the file.

    \b
    Examples:
      linker tune --suite golden --root questions.yml --out weights.json
      linker ask "Which customers returned most?" (with `ranking_weights: weights.json` in linker.yml)
    """
    run_flags = {key: options.pop(key) for key in _OF_THE_RUN}
    _tune_ranking(run_flags, read_settings(options))


def _tune_ranking(run_flags: dict[str, Any], settings: "Settings") -> None:
    from linker.errors import ConfigError
    from linker.evaluation.preparing import prepare
    from linker.evaluation.tuning.calibrating import calibrated
    from linker.evaluation.tuning.training import train
    from linker.evaluation.tuning.tune import gather_examples, held_out, rank_held_out
    from linker.ranking.weights import write_weights

    roots = [*run_flags["roots"], *[None] * len(run_flags["suites"])]
    examples = []
    for name, root in zip(run_flags["suites"], roots, strict=False):
        with stage(name, "asks the questions") as running:
            suite, _, profile = name.partition("@")
            chosen = replace(settings, profile=profile) if profile else settings
            prepared = prepare(suite, root, chosen, running.on_progress)
            found = gather_examples(prepared, run_flags["limit"], running.on_progress)
            running.summary = f"{len(found):,} questions"
        examples += found
    if not examples:
        raise ConfigError(
            "no question has a known answer", hint="see `linker eval --help` for what a suite needs"
        )
    with stage("held out", "ranks by weights that saw nothing of it") as running:
        rankings = rank_held_out(examples, run_flags["folds"], running.on_progress)
        running.summary = f"{run_flags['folds']} folds"
    with stage("weights", "fits the weights") as running:
        weights = train(examples, _command(run_flags))
        if rankings:
            weights = calibrated(rankings, weights)
        write_weights(run_flags["out"], weights)
        running.summary = str(run_flags["out"])
    results = held_out(rankings, _BUDGETS)
    if run_flags["form"] == "json":
        print_record(
            file=str(run_flags["out"]),
            questions=len(examples),
            held_out=[as_dict(each) for each in results],
        )
    else:
        click.echo("\n".join(_lines(results)))


def _lines(results: "list[HeldOut]") -> list[str]:
    if not results:
        return ["nothing could be held out: all questions are about one database"]
    return [
        f"{result.suite}: {100 * result.strict_recall:.1f} % complete at a budget of {result.budget}"
        f" ({result.columns:.1f} columns on average, {result.questions:,} questions)"
        for result in results
    ]


def _command(run_flags: dict[str, Any]) -> str:
    """Command as it was typed, without the folders of the suites."""
    suites = " ".join(f"--suite {name}" for name in run_flags["suites"])
    limit = f" --limit {run_flags['limit']}" if run_flags["limit"] else ""
    return f"linker tune {suites}{limit}"

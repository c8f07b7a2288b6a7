"""
`linker eval`, `linker tune` and `linker feedback`: measure strategies on golden questions and
suites, fit ranking weights to them, and record whether an answer was right.
"""

from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import replace

from linker.cli.eval_agent import agent, chosen_questions
from linker.cli.options import report_format, sample_options, settings_options
from linker.cli.output import (
    opened,
    print_record,
    read_settings,
    screen,
    warn,
    warn_of_external_servers,
)
from linker.cli.progress import stage
from linker.errors import ConfigError
from linker.evaluation.results import read_results
from linker.evaluation.suites import SUITES, registered_suites, suite_reader
from linker.text.numbers import counted
from linker.types import as_dict

if TYPE_CHECKING:
    from linker.config.settings import Settings
    from linker.evaluation import EvaluationRun
    from linker.evaluation.preparing import Prepared
    from linker.evaluation.tune import HeldOut


# All other options are settings.
_OF_THE_RUN = (
    "root",
    "strategies",
    "budgets",
    "only",
    "limit",
    "sample",
    "seed",
    "no_evidence",
    "workers",
    "retry_errors",
    "with_sql",
    "out",
    "form",
)
_root = click.option(
    "--root", type=click.Path(path_type=Path), metavar="PATH", help="Path of the suite."
)

_BUDGETS = (12, 25, 40, 80, 120, 160)
# All other options are settings.
_OF_THE_TUNING = ("suites", "roots", "out", "folds", "limit", "form")


class _Suites(click.Group):
    """Built-in suites and those of plugins, each a command."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """`commands` holds the built-in ones only."""
        return sorted({*super().list_commands(ctx), *registered_suites()})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        """The command of a suite; the help of a broken plugin shows its error."""
        if command := super().get_command(ctx, cmd_name):
            return command
        try:
            return _suite_command(cmd_name, suite_reader(cmd_name).description)
        except ConfigError as error:
            if cmd_name not in registered_suites():
                raise
            return _suite_command(cmd_name, error.what)


@click.group("eval", cls=_Suites)
def evaluate() -> None:
    """
    Evaluate linking on questions with known answers.

    Answers are appended to one file per strategy, so an interrupted run resumes.

    \b
    Examples:
      linker eval demo
      linker eval golden --root questions.yml --target prod
      linker eval golden --root questions.yml --strategy shortlist --strategy evilink
      linker eval agent --command 'claude -p {prompt} --mcp-config {mcp_config}'
      linker eval compare before.jsonl after.jsonl
    """


def _suite_command(name: str, what: str) -> click.Command:
    @_root
    @click.option(
        "--strategy",
        "strategies",
        multiple=True,
        metavar="NAME",
        help="Strategy to evaluate; repeatable [default: the setting `strategy`].",
    )
    @click.option(
        "--budget",
        "budgets",
        multiple=True,
        type=click.IntRange(1, 10_000),
        metavar="N",
        help="Number of columns; repeatable [default: 40, 80, 120, 160].",
    )
    @click.option(
        "--only",
        multiple=True,
        metavar="ID",
        help="Only this question or database; repeatable.",
    )
    @sample_options
    @click.option(
        "--no-evidence", is_flag=True, help="Omit the hints that come with the questions."
    )
    @click.option(
        "--workers",
        type=click.IntRange(1, 64),
        default=1,
        show_default=True,
        help="Number of questions answered in parallel.",
    )
    @click.option(
        "--sql",
        "with_sql",
        is_flag=True,
        help="Also write SQL, and compare its rows with those of the gold SQL.",
    )
    @click.option(
        "--retry-errors", is_flag=True, help="Answer questions again that ended in an error."
    )
    @click.option(
        "--out", type=click.Path(path_type=Path), metavar="DIR", help="Folder for the answers."
    )
    @report_format
    @settings_options
    def command(**options: Any) -> None:  # noqa: ANN401 - click's own
        _evaluate(name, options)

    return click.command(name, help=what, short_help=what)(command)


evaluate.add_command(agent)
for _name, _reader in SUITES.items():
    evaluate.add_command(_suite_command(_name, _reader.description))


def _evaluate(name: str, options: dict[str, Any]) -> None:
    from linker.evaluation.preparing import prepare
    from linker.evaluation.running import RunOptions, run
    from linker.evaluation.scoring import all_golds, score_file

    run_flags = {key: options.pop(key) for key in _OF_THE_RUN}
    settings = read_settings(options)
    warn_of_external_servers(settings)
    with stage("suite", "reads questions and databases") as running:
        prepared = prepare(name, run_flags["root"], settings, running.on_progress)
        running.summary = _suite_summary(prepared)
    for line in prepared.suite.left_out:
        warn(line)
    golds = all_golds(prepared)
    chosen = chosen_questions(prepared.questions, run_flags)
    runs = []
    for strategy in run_flags["strategies"] or (settings.strategy,):
        run_options = RunOptions(
            strategy=strategy,
            budgets=run_flags["budgets"],
            with_evidence=not run_flags["no_evidence"],
            workers=run_flags["workers"],
            retry_errors=run_flags["retry_errors"],
            with_sql=run_flags["with_sql"],
        )
        path = (
            run_flags["out"] or settings.state_dir / "evals" / "answers" / name
        ) / f"{strategy}.jsonl"
        with stage(strategy, "answers the questions") as running:
            progress = run(prepared, chosen, run_options, path, running.on_progress)
            running.summary = f"{progress.done:,} answers, {progress.errors:,} errors; {path}"
        runs.append(score_file(prepared, path, golds))
    _report(runs, run_flags)


def _suite_summary(prepared: "Prepared") -> str:
    tables = sum(len(database.catalog.tables) for database in prepared.databases)
    columns = sum(database.catalog.column_count for database in prepared.databases)
    return (
        f"{len(prepared.questions):,} questions, {len(prepared.databases):,} databases, "
        f"{tables:,} tables, {columns:,} columns"
    )


def _report(runs: Sequence["EvaluationRun"], run_flags: dict[str, Any]) -> None:
    from linker.evaluation.report import render_figures, render_json
    from linker.evaluation.summary import summarise

    summaries = list(chain.from_iterable(map(summarise, runs)))
    for run in runs:
        for line in run.unscored:
            warn(f"not scored: {line}")
    click.echo(
        render_json(summaries)
        if run_flags["form"] == "json"
        else render_figures(summaries, **screen())
    )


@evaluate.command()
@click.argument("first", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("second", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--budget",
    type=int,
    metavar="N",
    help="Column budget to compare [default: the largest of both].",
)
@_root
@report_format
@settings_options
def compare(
    first: Path,
    second: Path,
    budget: int | None,
    root: Path | None,
    form: str,
    **flags: Any,  # noqa: ANN401 - the flags of settings_options
) -> None:
    """
    Compare two files of answers: questions won and lost, and the last step that had each lost
    column.

    \b
    Example:
      linker eval compare old/shortlist.jsonl new/shortlist.jsonl --root questions.yml
    """
    from linker.evaluation.preparing import prepare
    from linker.evaluation.report import render_comparison, render_comparison_json
    from linker.evaluation.scoring import all_golds, score_file
    from linker.evaluation.statistics import compare as compared

    prepared = prepare(read_results(first).header.suite, root, read_settings(flags))
    golds = all_golds(prepared)
    runs = [score_file(prepared, path, golds, label=str(path)) for path in (first, second)]
    comparison = compared(runs[0], runs[1], budget=budget)
    click.echo(
        render_comparison_json(comparison)
        if form == "json"
        else render_comparison(comparison, **screen())
    )


@click.command()
@click.option(
    "--suite",
    "suites",
    multiple=True,
    metavar="NAME",
    help="Suite as in `linker eval`, or NAME@PROFILE; repeatable [default: verified and feedback].",
)
@click.option(
    "--root",
    "roots",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="Path of each suite, in the order of the suites.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FILE",
    help="File for the fitted weights.",
)
@click.option(
    "--folds",
    type=click.IntRange(2),
    default=5,
    show_default=True,
    help="Number of cross-validation folds.",
)
@click.option(
    "--limit", type=click.IntRange(1), metavar="N", help="Maximum number of questions per suite."
)
@report_format
@settings_options
def tune(**options: Any) -> None:  # noqa: ANN401 - click's own
    """
    Fit the ranking weights to questions with known answers, by default your verified questions and
    the feedback on answers.

    The printed results are held out: each database is ranked with weights fitted without it and
    without databases of the same vendor. If all questions are about one database, the shipped
    ranking stays. With 20 golden questions or more, `--recall` holds for further such questions
    with the stated probability. Set `ranking_weights` to use the file.

    \b
    Examples:
      linker tune --suite golden --root questions.yml --out weights.json
      linker ask "Which customers returned most?" (with `ranking_weights: weights.json` in linker.yml)
    """  # noqa: E501 - lines that users copy
    run_flags = {key: options.pop(key) for key in _OF_THE_TUNING}
    _tune_ranking(run_flags, read_settings(options))


def _tune_ranking(run_flags: dict[str, Any], settings: "Settings") -> None:
    from linker.evaluation.preparing import own_suites, prepare
    from linker.evaluation.tune import fit_weights, gather_examples, held_out, rank_held_out
    from linker.ranking.weights import write_weights

    if not run_flags["suites"]:
        run_flags["suites"] = own_suites(settings)
    roots = [*run_flags["roots"], *[None] * len(run_flags["suites"])]
    examples = []
    for name, root in zip(run_flags["suites"], roots, strict=False):
        with stage(name, "answers the questions") as running:
            suite, _, profile = name.partition("@")
            chosen = replace(settings, profile=profile) if profile else settings
            prepared = prepare(suite, root, chosen, running.on_progress)
            training = gather_examples(prepared, run_flags["limit"], running.on_progress)
            running.summary = f"{len(training):,} questions"
        examples += training
    if not examples:
        raise ConfigError(
            "no question has a gold answer", hint="see `linker eval --help` for what a suite needs"
        )
    with stage("held out", "ranks with weights fitted on the other folds") as running:
        rankings = rank_held_out(examples, run_flags["folds"], running.on_progress)
        running.summary = f"{run_flags['folds']} folds"
    with stage("weights", "fits the weights") as running:
        weights, unseen = fit_weights(examples, rankings, _command(run_flags))
        write_weights(run_flags["out"], weights)
        running.summary = str(run_flags["out"])
    results = held_out(unseen, _BUDGETS)
    if run_flags["form"] == "json":
        print_record(
            file=str(run_flags["out"]),
            questions=len(examples),
            held_out=[as_dict(item) for item in results],
        )
    else:
        if not rankings:
            click.echo("all questions are about one database: the shipped ranking weights stay")
        click.echo("\n".join(_lines(results)))


def _lines(results: "list[HeldOut]") -> list[str]:
    return [
        f"{result.suite}: {100 * result.strict_recall:.1f} % complete at a budget of "
        f"{result.budget} ({result.columns:.1f} columns on average, {result.questions:,} "
        "questions)"
        for result in results
    ]


def _command(run_flags: dict[str, Any]) -> str:
    """The command line without the folders of suites."""
    suites = " ".join(f"--suite {name}" for name in run_flags["suites"])
    limit = f" --limit {run_flags['limit']}" if run_flags["limit"] else ""
    return f"linker tune {suites}{limit}"


@click.command()
@click.argument("name", metavar="[ID]", default="last")
@click.option(
    "--missing",
    multiple=True,
    metavar="COLUMN",
    help="Column that the answer lacks, as schema.table.column; repeatable.",
)
@click.option("--right", "is_right", is_flag=True, help="The answer was right and complete.")
@report_format
@settings_options
def feedback(name: str, missing: tuple[str, ...], is_right: bool, form: str, **flags: Any) -> None:  # noqa: ANN401 - the flags of settings_options
    """
    Record whether an earlier answer was right, or what it lacked.

    ID is the id of a trace or its beginning (`linker trace list`); the default is the newest.
    Feedback stays in the data directory; `linker tune` and `linker eval feedback` use it as golden
    questions. Feedback on the same answer replaces the earlier one.

    \b
    Examples:
      linker feedback --right
      linker feedback 20251121-1015 --missing sales.orders.delivered_at
    """
    from linker.evaluation.golden import feedback_on, keep_feedback
    from linker.linking.assemble_result import read_trace, replay

    if bool(missing) == is_right:
        raise click.UsageError("give either --missing or --right")
    with opened(flags) as environment:
        settings = environment.settings
        record = read_trace(settings.state_dir, name)
        if (target := replay(record).target) != environment.target_key:
            raise ConfigError(
                f"the answer is about target {target}, not {environment.target_key}",
                hint="name its --profile and --target",
            )
        given = feedback_on(record, missing, environment.indexed.catalog)
        count = keep_feedback(settings, given)
    if form == "json":
        print_record(answers=count, feedback=given.entry)
    else:
        standing = "right" if is_right else f"lacked {', '.join(missing)}"
        click.echo(f"kept: {given.id} {standing}; feedback on {counted(count, 'answer')}")

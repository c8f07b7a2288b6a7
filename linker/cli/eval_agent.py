"""`linker eval agent`: an agent of the user on golden questions, with and without linker."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from linker.cli.options import Amount, report_format, sample_options, settings_options
from linker.cli.output import print_record, read_settings, warn
from linker.cli.progress import stage
from linker.errors import ConfigError
from linker.text.escaping import one_line
from linker.text.numbers import percent
from linker.types import as_dict

if TYPE_CHECKING:
    from linker.evaluation import GoldenQuestion
    from linker.evaluation.agents import AgentAnswer, AgentSummary

# All other options are settings.
_OF_THE_RUN = ("suite", "root", "only", "limit", "sample", "seed", "form")
_OF_THE_AGENT = ("command", "time_limit", "workers", "baseline_config", "out")
_HEADS = (
    "",
    "right",
    "of",
    "accuracy",
    "failed",
    "calls",
    "characters",
    "tokens",
    "bytes",
    "seconds",
)


def chosen_questions(
    questions: Sequence["GoldenQuestion"], run_flags: dict[str, Any]
) -> list["GoldenQuestion"]:
    """The selected questions; a seed gives the same sample in any order of the file."""
    only = set(run_flags["only"])
    chosen = [
        question
        for question in questions
        if not only or question.id in only or question.database in only
    ]
    if only and not chosen:
        raise click.UsageError(f"no question or database is called {' or '.join(sorted(only))}")
    if run_flags["sample"]:
        by_id = sorted(chosen, key=lambda question: question.id)
        chance = random.Random(run_flags["seed"])  # noqa: S311 - nothing is kept secret by it
        drawn = {
            question.id for question in chance.sample(by_id, min(run_flags["sample"], len(by_id)))
        }
        chosen = [question for question in chosen if question.id in drawn]
    return chosen[: run_flags["limit"]]


@click.command()
@click.option(
    "--command",
    required=True,
    metavar="COMMAND",
    help=(
        "Command of the agent, with {mcp_config}, and {prompt} or {prompt_file} unless it reads "
        "stdin."
    ),
)
@click.option(
    "--suite",
    metavar="NAME",
    help="Suite of questions with gold SQL [default: golden with --root, else verified].",
)
@click.option(
    "--root", type=click.Path(path_type=Path), metavar="PATH", help="File of golden questions."
)
@click.option(
    "--baseline-config",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help=(
        "MCP configuration of the runs without linker [default: a server that runs read-only SQL]."
    ),
)
@click.option(
    "--time-limit",
    type=Amount(1),
    default=300.0,
    show_default=True,
    metavar="SECONDS",
    help="Time limit per question.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="Number of agents at a time.",
)
@click.option("--only", multiple=True, metavar="ID", help="Only this question; repeatable.")
@sample_options
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Folder for prompt, output and tool calls of each run [default: not kept].",
)
@report_format
@settings_options
def agent(**options: Any) -> None:  # noqa: ANN401 - click's own
    """
    Evaluate your own agent on golden questions, with and without linker.

    The agent runs twice per question: with `linker mcp`, and with the baseline. It prints SQL in a
    ```sql block, as text or JSON; its result is compared with that of the gold SQL. Tokens are read
    from the usage in JSON output, calls from the log of the server, and bytes are those of the
    statements that the warehouse billed.

    \b
    Examples:
      linker eval agent --command 'claude -p {prompt} --mcp-config {mcp_config} --output-format json'
      linker eval agent --command './agent.sh {prompt_file} {mcp_config}' --root questions.yml --sample 20
    """  # noqa: E501 - lines that users copy
    from linker.evaluation.agents import AgentOptions, run_agent, summaries
    from linker.evaluation.preparing import prepare

    run_flags = {name: options.pop(name) for name in _OF_THE_RUN}
    config = options.get("config")
    of_agent = {name: options.pop(name) for name in _OF_THE_AGENT}
    agent_options = AgentOptions(**of_agent, config=str(config) if config else None)
    settings = read_settings(options)
    suite = run_flags["suite"] or ("golden" if run_flags["root"] else "verified")
    with stage("suite", "reads questions") as running:
        prepared = prepare(suite, run_flags["root"], settings, running.on_progress)
        chosen = chosen_questions(prepared.questions, run_flags)
        usable = [question for question in chosen if question.gold_sql]
        running.summary = f"{len(usable):,} questions with gold SQL"
    if not usable or not prepared.is_target:
        raise ConfigError(
            f"suite {suite} has no questions with gold SQL on the target",
            hint="docs/evaluation.md shows how to write them",
        )
    with stage("agent", "asks the agent") as running:
        answers = run_agent(prepared, usable, agent_options, running.on_progress)
        running.summary = f"{len(answers):,} answers"
    figures = summaries(answers)
    if run_flags["form"] == "json":
        print_record(
            suite=suite,
            summaries=[as_dict(item) for item in figures],
            answers=[as_dict(item) for item in answers],
        )
        return
    for answer in answers:
        if answer.error:
            warn(one_line(f"{answer.question_id}, {answer.arm}: {answer.error}"))
    click.echo("\n".join(_lines(figures, answers)))


def _lines(figures: "Sequence[AgentSummary]", answers: "Sequence[AgentAnswer]") -> list[str]:
    rows = [_HEADS, *map(_cells, figures)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [_line(row, widths) for row in rows]
    lines.append(
        "calls, characters, tokens, bytes and seconds are means per question; ? is unknown"
    )
    by_question: dict[str, list[bool]] = {}
    for answer in answers:
        by_question.setdefault(answer.question_id, []).append(answer.verdict == "right")
    gained = [name for name, right in by_question.items() if right == [True, False]]
    lost = [name for name, right in by_question.items() if right == [False, True]]
    lines.append(f"right only with linker: {', '.join(map(one_line, gained)) or 'none'}")
    lines.append(f"right only without linker: {', '.join(map(one_line, lost)) or 'none'}")
    return lines


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    cells = [row[0].ljust(widths[0])]
    cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
    return "   ".join(cells).rstrip()


def _cells(figures: "AgentSummary") -> Sequence[str]:
    means = (figures.calls, figures.characters, figures.tokens, figures.bytes_read)
    return (
        figures.arm,
        f"{figures.right:,}",
        f"{figures.questions:,}",
        "?" if figures.accuracy is None else percent(figures.accuracy),
        f"{figures.failed:,}",
        *("?" if mean is None else f"{mean:,.0f}" for mean in means),
        "?" if figures.seconds is None else f"{figures.seconds:,.1f}",
    )

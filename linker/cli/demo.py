"""`linker demo`: from nothing to three linked schemas."""

from pathlib import Path

import click

from linker.cli.options import Amount, report_format, state_dir_option
from linker.cli.output import read_settings, screen, suggest
from linker.cli.progress import stage


@click.command()
@click.option(
    "--scale",
    type=Amount(0.05, 100),
    default=1.0,
    show_default=True,
    help="Scale factor for the rows of the demo warehouse.",
)
@report_format
@state_dir_option
def demo(scale: float, form: str, state_dir: Path | None) -> None:
    """
    Build a demo warehouse, profile it, index it and link three questions.

    Everything is written to the state folder, and a second run reuses it. With --format json, each
    answer is one line.

    \b
    Examples:
      linker demo
      linker demo --scale 10
    """
    from linker.config.installed import dbt_project_dir
    from linker.config.target import DEMO, SHIPPED_PROFILE
    from linker.demo.prepare import DemoState, prepare_artifacts, prepare_warehouse, tour_questions
    from linker.environment import Environment
    from linker.pipeline import ask
    from linker.refresh.flows import index
    from linker.render import render

    connection = {"profile": SHIPPED_PROFILE, "profiles_dir": dbt_project_dir() / "profiles"}
    settings = read_settings({"target": DEMO, "state_dir": state_dir}, **connection)
    state = DemoState(settings.state_dir)
    with stage("warehouse", "builds the tables") as running:
        summary, built = prepare_warehouse(state, scale=scale)
        running.summary = f"{summary.tables:,} tables in {summary.schemas} schemas{'' if built else ', already built'}"
    with Environment(settings) as environment:
        with stage("profile", "checks whether dbt has run") as running:
            ran = prepare_artifacts(
                state, environment.target, running.on_progress, running.on_phase
            )
            running.summary = (
                f"dbt {'ran' if ran else 'ran before'}: inventory, families, profiles and joins"
            )
        with stage("store", "opens the store") as running:
            running.summary = environment.store.describe()
        index(environment, stage)
        schemas = []
        for question in tour_questions():
            with stage("ask", "links a question") as running:
                schemas.append(ask(question.question, environment))
                running.summary = question.question
    for schema in schemas:
        shown = render(schema, form, **screen())
        click.echo(f"\n{shown}" if form == "table" else shown)
    suggest('linker ask "…"', before="\nask your own:  ")

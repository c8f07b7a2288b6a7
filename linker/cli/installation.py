"""`linker demo`, `linker doctor`, `linker completion` and `linker uninstall`."""

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import get_completion_class
from msgspec.structs import replace

from linker.cli.options import Amount, report_format, settings_options, state_dir_option
from linker.cli.output import (
    opened,
    print_record,
    read_settings,
    screen,
    suggest,
    warn,
    warn_of_external_servers,
)
from linker.cli.progress import stage, stop_progress
from linker.config.installed import dbt_project_dir
from linker.config.target import DEMO, SHIPPED_PROFILE
from linker.output import as_json, render
from linker.text.commands import pasted
from linker.text.numbers import counted, size_text
from linker.types import as_dict

if TYPE_CHECKING:
    from linker.doctor import Check
    from linker.environment import Environment
    from linker.refresh.uninstall import Removal


_MARKS = {
    "ok": click.style("✓", fg="green"),
    "failed": click.style("✗", fg="red"),
    "unused": click.style("–", dim=True),
}

# Exit code if something could not be removed.
_PARTLY_REMOVED = 1


@click.command()
@report_format
@settings_options
def doctor(form: str, **flags: Any) -> None:  # noqa: ANN401 - the flags of settings_options
    """
    Check warehouse, profile tables, store, settings, embedding model and language model.

    Exits with 1 if a check fails.

    \b
    Examples:
      linker doctor
      linker doctor --target demo --format json
    """
    with opened(flags) as environment:
        checks = print_checks(environment, form)
    if form == "json":
        click.echo(as_json([as_dict(check) for check in checks]))
    if any(check.state == "failed" for check in checks):
        raise click.exceptions.Exit(1)


def print_checks(
    environment: "Environment", form: str, only: Collection[str] = ()
) -> "list[Check]":
    """Run checks, and print each as it ends, with the fix if it failed; none for JSON."""
    from linker.doctor import run_checks

    warn_of_external_servers(environment.settings)
    checks = []
    for result in run_checks(environment, only=only):
        check = replace(result, hint=pasted(result.hint))
        checks.append(check)
        if form == "table":
            click.echo(
                f"{_MARKS[check.state]} {check.part:<10} {check.seconds:5.1f} s   {check.detail}"
            )
            if check.hint:
                click.echo(f"                       → {check.hint}")
    return checks


@click.command()
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """
    Print the shell completion script of SHELL.

    \b
    Examples:
      linker completion bash > ~/.local/share/bash-completion/completions/linker
      linker completion zsh > "${fpath[1]}/_linker"
      linker completion fish > ~/.config/fish/completions/linker.fish
    """
    complete = get_completion_class(shell)
    if complete:
        click.echo(complete(ctx.find_root().command, {}, "linker", "_LINKER_COMPLETE").source())


@click.command()
@click.option(
    "--plan", "only_plan", is_flag=True, help="Show what would be removed, and remove nothing."
)
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@report_format
@settings_options
def uninstall(only_plan: bool, yes: bool, form: str, **flags: Any) -> None:  # noqa: ANN401 - the flags of settings_options
    """
    Remove everything that linker created: profile tables, index and state folder.

    Only profile tables are dropped from their schema, and the schema itself if nothing else is in
    it. The embedded Postgres is stopped and removed with the state folder; on your own Postgres
    server only the data of this target is removed. The command lists what it will remove and asks
    for confirmation. Afterwards remove the package from packages.yml of your dbt project, and its
    variables from dbt_project.yml.

    \b
    Exit codes:
      0   removed, or nothing to remove
      1   something could not be removed; the output names it
      2   usage or configuration error
      4   a refresh of this target is running

    \b
    Examples:
      linker uninstall --plan
      linker uninstall --target prod --yes
    """
    from linker.refresh.uninstall import find_remains, remove

    with opened(flags) as environment:
        with stage("check", "checks warehouse, store and disk") as running:
            removal = find_remains(environment)
            running.summary = counted(len(removal.tables), "profile table")
        if form != "json":
            click.echo("\n".join(_lines(removal)))
        for what in removal.unseen:
            warn(f"could not check {what}")
        if not removal or only_plan:
            _print_json(removal, form, is_removed=False)
            return
        if not yes:
            stop_progress()
            click.confirm("remove all of this?", abort=True, err=True)
        with stage("remove", "drops tables by dbt") as running:
            failed = remove(environment, removal)
            running.summary = "done" if not failed else counted(len(failed), "part") + " left"
    _print_json(removal, form, is_removed=True, not_removed=failed)
    for what in failed:
        warn(f"not removed: {what}")
    if failed:
        raise click.exceptions.Exit(_PARTLY_REMOVED)


def _print_json(
    removal: "Removal", form: str, *, is_removed: bool, not_removed: tuple[str, ...] = ()
) -> None:
    if form == "json":
        record = as_dict(removal) | {"state_dir": str(removal.state_dir)}
        print_record(**record, removed=is_removed, not_removed=list(not_removed))


def _lines(removal: "Removal") -> list[str]:
    if not removal:
        return ["nothing to remove"]
    lines: list[str] = []
    if removal.tables:
        lines.append(
            f"warehouse   {counted(len(removal.tables), 'table')} in schema {removal.schema}:"
        )
        lines += [f"              {table}" for table in removal.tables]
    if removal.store:
        lines.append(f"store       data of this target in {removal.store}")
    if removal.state_entries:
        size = size_text(removal.state_bytes)
        lines.append(
            f"disk        {removal.state_dir}/ ({size}): {', '.join(removal.state_entries)}"
        )
        if not removal.store and removal.targets:
            lines.append(f"              with the index of {', '.join(removal.targets)}")
    return lines


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
    from linker.demo.questions import tour_questions
    from linker.demo.warehouse import DemoState, prepare_artifacts, prepare_warehouse
    from linker.environment import Environment
    from linker.pipeline import ask
    from linker.refresh.pipelines import index

    connection = {"profile": SHIPPED_PROFILE, "profiles_dir": dbt_project_dir() / "profiles"}
    settings = read_settings({"target": DEMO, "state_dir": state_dir}, **connection)
    state = DemoState(settings.state_dir)
    with stage("warehouse", "builds the tables") as running:
        summary, built = prepare_warehouse(state, scale=scale)
        running.summary = (
            f"{summary.tables:,} tables in {summary.schemas} "
            f"schemas{'' if built else ', already built'}"
        )
    with Environment(settings) as environment:
        with stage("profile", "checks whether dbt has run") as running:
            ran = prepare_artifacts(state, environment.target, running)
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

"""
`linker init`: writes linker.yml for a dbt profile, checks the connection, and previews the first
refresh.
"""

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from linker.cli.installation import print_checks
from linker.cli.options import report_format, settings_options
from linker.cli.output import UserError, opened, print_record, suggest
from linker.cli.progress import stage, stop_progress
from linker.config.settings import CONFIG_FILE, changed_settings, load_settings
from linker.config.target import load_target, profile_names, profile_of_project
from linker.files import write_atomically
from linker.text.commands import with_links
from linker.text.escaping import one_line
from linker.text.numbers import counted, size_text
from linker.types import as_dict

if TYPE_CHECKING:
    from linker.config.settings import Settings
    from linker.dbt.profiling import PlannedTable, ProfileReport
    from linker.doctor import Check

# Checks that work before profiling.
_PARTS = ("warehouse", "store", "embedder", "model")
# Settings of a first file with comments, and examples for those not given.
_TEMPLATE = (
    ("The connection: a profile of dbt's profiles.yml.", "profile", "shop"),
    (
        "The folder that holds profiles.yml, if dbt does not find it by itself.",
        "profiles_dir",
        "dbt",
    ),
    ("The target of the profile, if not its default one.", "target", "prod"),
    (
        "The schema of the profile tables; by default that of the target with _linker behind it.",
        "artifacts_schema",
        "linker",
    ),
    (
        "The language model, as provider:name. `linker ask` works without one, "
        "`linker sql` needs one.\n"
        "Its API key belongs in a variable such as OPENAI_API_KEY, never here.",
        "model",
        "openai:gpt-5",
    ),
    ("The embedding model; the offline one needs no network.", "embedder", "offline"),
    ("The folder for index, traces and logs.", "state_dir", ".linker"),
    (
        "Privacy, by column: exclude_columns are not read at all, hide_columns are only "
        "counted, and\n"
        "mask_columns show only the shape of values. By default PII is masked, credentials are "
        "hidden.",
        "exclude_columns",
        ["hr.reviews.*"],
    ),
    ("", "hide_columns", ["hr.*.salary"]),
    ("", "mask_columns", ["*.customers.name"]),
    ("Tables that never appear in an answer.", "exclude", ["*.tmp_*"]),
    (
        (
            "Target completeness of an answer without a language model; a higher one returns more "
            "columns."
        ),
        "recall",
        0.9,
    ),
)
_HEAD = (
    "# Settings of linker, one per line; docs/settings.md lists all of them.\n"
    "# A variable such as LINKER_TARGET, or a flag such as --target, overrides a line.\n"
    "# A team shares one index in a Postgres with pgvector: set LINKER_STORE_URL, which may hold a "
    "password.\n"
)


@click.command()
@click.option("--yes", is_flag=True, help="Do not ask, and replace a file that is there.")
@report_format
@settings_options
def init(yes: bool, form: str, **flags: Any) -> None:  # noqa: ANN401 - the flags of settings_options
    """
    Write linker.yml, check that the warehouse can be read, and say what would be.

    The connection is a profile of dbt's profiles.yml: the one of --profile, of dbt_project.yml, or
    the only one there; of several it asks. Settings that are given as flags go into the file. No
    row is read, and nothing is written to the warehouse.

    \b
    Exit codes:
      0   the file is written, and everything works
      1   the file is written, and something does not work; what to do is said
      2   wrong usage or configuration, a right that is missing, or a file that is there already

    \b
    Examples:
      linker init
      linker init --profile shop --target prod --yes
    """
    file = Path(flags.pop("config") or "linker.yml")
    settings = _chosen(flags, is_interactive=not yes and sys.stdin.isatty())
    _write(file, settings, flags, may_replace=yes)
    if form == "table":
        click.echo(f"wrote {file}")
    checks, planned = _check(file, form)
    if form == "json":
        _print_json(file, settings.profile, checks, planned)
    elif planned:
        click.echo(_lines(planned))
    if not planned:
        raise click.exceptions.Exit(1)
    suggest("linker refresh")


def _chosen(flags: Mapping[str, object], *, is_interactive: bool) -> "Settings":
    """Settings from flags and prompts; profile and target exist."""
    # Ignore the file to be written.
    settings = load_settings({**flags, "config": os.devnull})
    profile = settings.profile or profile_of_project(Path("dbt_project.yml"))
    if not profile:
        names = profile_names(settings)
        profile = names[0] if len(names) == 1 else _ask(names, is_interactive=is_interactive)
    settings = changed_settings(settings, {"profile": profile})
    # Fail before the file is written.
    load_target(settings)
    return settings


def _ask(names: tuple[str, ...], *, is_interactive: bool) -> str:
    if not is_interactive:
        raise UserError(
            f"profiles.yml has {counted(len(names), 'profile')}: {', '.join(names)}",
            "linker init --profile NAME",
        )
    stop_progress()
    chosen: str = click.prompt("profile", type=click.Choice(names), err=True)
    return chosen


def _write(
    file: Path, settings: "Settings", flags: Mapping[str, object], *, may_replace: bool
) -> None:
    if file.exists() and not may_replace:
        if not sys.stdin.isatty():
            raise UserError(f"{file} is there already", "linker init --yes replaces it")
        stop_progress()
        click.confirm(f"replace {file}?", abort=True, err=True)
    given = {name: value for name, value in flags.items() if value is not None}
    given["profile"] = settings.profile
    try:
        write_atomically(file, _text(given))
    except OSError as error:
        raise UserError(
            f"cannot write {file}: {error.strerror}", "name a file by --config"
        ) from None


def _text(given: Mapping[str, object]) -> str:
    """The settings file: given settings, and examples as comments."""
    import yaml

    lines = [with_links(_HEAD)]
    for words, name, example in _TEMPLATE:
        if words:
            lines += ["", *(f"# {line}" for line in words.split("\n"))]
        value = given.get(name, example)
        value = str(value) if isinstance(value, Path) else value
        line = f"{name}: {yaml.safe_dump(value, default_flow_style=True).splitlines()[0]}"
        lines.append(line if name in given else f"# {line}")
    return "\n".join(lines) + "\n"


def _check(file: Path, form: str) -> "tuple[list[Check], ProfileReport | None]":
    """The checks of `linker doctor` that apply before a first refresh, and its plan."""
    from linker.refresh.pipelines import plan_refresh

    with opened({} if file == CONFIG_FILE else {"config": file}) as environment:
        checks = print_checks(environment, form, _PARTS)
        if any(check.state == "failed" for check in checks):
            return checks, None
        environment.release_warehouse()
        with stage("plan", "reads metadata of the warehouse") as running:
            planned, _, _ = plan_refresh(environment, environment.dbt_target(), running)
            running.summary = counted(planned.due, "table") + " to scan"
    return checks, planned


def _lines(planned: "ProfileReport") -> str:
    """The plan of a first refresh, by schema."""
    by_schema: dict[str, list[PlannedTable]] = {}
    for table in planned.tables:
        if table.is_due:
            by_schema.setdefault(table.schema, []).append(table)
    lines = [f"a refresh would read {_amount([table for table in planned.tables if table.is_due])}"]
    lines += [f"  {one_line(name)}: {_amount(tables)}" for name, tables in by_schema.items()]
    return "\n".join(lines)


def _amount(tables: "Sequence[PlannedTable]") -> str:
    rows = sum(table.rows or 0 for table in tables)
    size = sum(table.bytes or 0 for table in tables)
    about = f", about {counted(rows, 'row')}" if rows else ""
    return counted(len(tables), "table") + about + (f", {size_text(size)}" if size else "")


def _print_json(
    file: Path, profile: str | None, checks: "Sequence[Check]", planned: "ProfileReport | None"
) -> None:
    print_record(
        file=str(file.resolve()),
        profile=profile,
        checks=[as_dict(check) for check in checks],
        tables=[as_dict(table) for table in planned.tables] if planned else [],
    )

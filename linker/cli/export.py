"""`linker export`: writes profiles and catalog in the formats of other tools."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import replace

from linker.cli.options import report_format, settings_options, together
from linker.cli.output import needing, opened, print_record, suggest, warn
from linker.cli.progress import stage
from linker.dbt.ossie_document import RELEASED, read_metrics_of, write_document
from linker.text.numbers import counted
from linker.types import as_dict
from linker.warehouses import dialect_of

if TYPE_CHECKING:
    from linker.dbt.proposals import SchemaPatch

# Exit code of `--check` if proposals exist.
_PROPOSED = 1
# dbt reads semantic models in the entries of models from this version on.
_CURRENT_SPECIFICATION = (1, 12)

_project_options = together(
    click.argument("tables", nargs=-1, metavar="[TABLE]..."),
    click.option(
        "--project-dir",
        type=click.Path(path_type=Path, file_okay=False),
        default=Path(),
        metavar="DIR",
        help="Folder of dbt_project.yml [default: the current folder].",
    ),
    report_format,
)


@click.group()
def export() -> None:
    """
    Export profiles to other tools.

    \b
    Examples:
      linker export dbt > proposals.patch
      linker export semantic-models > drafts.patch
      linker export ossie semantics
      linker export site public
    """


@export.command()
@click.option("--check", is_flag=True, help="End with 1 where something is proposed.")
@_project_options
@settings_options
def dbt(
    check: bool,
    tables: tuple[str, ...],
    project_dir: Path,
    form: str,
    **flags: Any,  # noqa: ANN401 - click's
) -> None:
    """
    Propose descriptions and tests for your dbt project, as a patch of its YAML files on stdout.

    Descriptions come from comments in the warehouse, where your files have none. Tests come from
    measurements: `unique`, `not_null`, `relationships` and `accepted_values`, each with its
    evidence in a comment; a test that new rows may well break has severity `warn`. The patch adds
    lines, and changes only empty descriptions. Masked and hidden values are omitted. With TABLEs,
    only these are described. Run `dbt parse` before: the command reads its manifest. If
    `explorer_url` is set, the patch adds one exposure of all tables that links to the catalog UI.

    \b
    Examples:
      linker export dbt > proposals.patch && git apply proposals.patch
      linker export dbt sales.orders --project-dir ../shop
      linker export dbt --check > /dev/null     # in CI, or before a commit
    """
    from linker.dbt.proposals import SchemaPatch, expose_explorer, propose, write_patch
    from linker.pipeline import profile_project

    with opened(flags) as environment:
        project, profiles = profile_project(project_dir, tables, environment)
        is_bare = dialect_of(environment.dialect).is_bare
        address = environment.settings.explorer_url
    exposed = [table for table, _ in profiles] if address and not tables else []
    exposure = expose_explorer(address, exposed, project) if address else SchemaPatch("")
    patch = write_patch(
        (propose(profile, table, project, is_bare) for table, profile in profiles), project
    )
    patch = replace(
        patch, text=patch.text + exposure.text, left_out=(*patch.left_out, *exposure.left_out)
    )
    _print(patch, form, tables=len(profiles), descriptions=patch.descriptions, tests=patch.tests)
    what = (
        f"{patch.tests:,} tests and {patch.descriptions:,} descriptions for {len(profiles):,} "
        "tables of the project"
    )
    what += ", and an exposure with a link to the catalog UI" if exposure.text else ""
    click.echo(f"{what}{'; apply with: git apply' if patch.text else ''}", err=True)
    if check and patch.text:
        raise click.exceptions.Exit(_PROPOSED)


@export.command("semantic-models")
@click.option(
    "--legacy", is_flag=True, help="Write measures in `semantic_models:`, as dbt before 1.12 reads."
)
@_project_options
@settings_options
def semantic_models(
    legacy: bool,
    tables: tuple[str, ...],
    project_dir: Path,
    form: str,
    **flags: Any,  # noqa: ANN401 - click's
) -> None:
    """
    Draft semantic models for MetricFlow, as a patch that adds them to your dbt project.

    Keys become entities, categories and times become dimensions, amounts become metrics, in the
    entry of each model. A project that dbt before 1.12 parsed gets measures in a file of their own,
    as with --legacy. Skipped are models that have a semantic model, masked and hidden columns, and,
    unless TABLEs are given, models that only feed one with a semantic model or draft, such as
    staging models. A time spine is added if the project has none.

    \b
    Examples:
      linker export semantic-models > drafts.patch && git apply drafts.patch
    """
    from linker.dbt.semantic_models import draft_semantic_models
    from linker.pipeline import profile_project

    with opened(flags) as environment:
        project, profiles = profile_project(project_dir, tables, environment)
        is_bare = dialect_of(environment.dialect).is_bare
    is_legacy = legacy or project.dbt_version < _CURRENT_SPECIFICATION
    patch = draft_semantic_models(
        profiles, project, is_bare, is_chosen=bool(tables), is_legacy=is_legacy
    )
    _print(patch, form, tables=len(profiles), prepared=list(patch.prepared))
    if patch.prepared:
        names = ", ".join(patch.prepared)
        click.echo(
            f"no draft for models that only feed another: {names}; name a model to draft it",
            err=True,
        )
    elif not patch.text:
        click.echo("no model to draft: all have a semantic model", err=True)


@export.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), metavar="DIR")
@_project_options
@click.option(
    "--spec-version",
    type=click.Choice(["0.1.1", "0.2.0.dev0"]),
    default="0.2.0.dev0",
    show_default=True,
    help="Version of the specification.",
)
@click.option(
    "--for-dbt",
    is_flag=True,
    help="Only models with a key and no semantic model, as dbt 1.12 reads them: version 0.1.1.",
)
@settings_options
def ossie(
    folder: Path,
    tables: tuple[str, ...],
    project_dir: Path,
    form: str,
    spec_version: str,
    for_dbt: bool,
    **flags: Any,  # noqa: ANN401 - click's
) -> None:
    """
    Write an Apache Ossie document into DIR: datasets, fields, verified joins, synonyms, values.

    Joins are declared, tested or measured, each with its cardinality and evidence. Values of masked
    and hidden columns are omitted. Metrics are those of the dbt project; a metric that is no
    aggregation is named on stderr. With TABLEs, only these are written. The file is
    `linker.osi.yaml`, or `linker.json` in version 0.1.1, which dbt 1.12 reads in the folder osi.

    \b
    Examples:
      linker export ossie semantics
      linker export ossie osi --for-dbt && dbt parse
    """
    from linker.pipeline import describe_for_ossie

    with opened(flags) as environment:
        source = describe_for_ossie(tables, environment, project_dir if for_dbt else None)
        source = replace(source, version=RELEASED if for_dbt else spec_version)
        if not for_dbt:
            settings, target = environment.settings, environment.target
            source = replace(source, metrics=read_metrics_of(project_dir, settings, target, source))
    written = write_document(folder, source)
    left_out = [f"metric {item.name}: {item.reason}" for item in source.metrics if item.reason]
    if form == "json":
        print_record(**as_dict(written), left_out=left_out)
    for reason in left_out:
        warn(f"omitted: {reason}")
    if source.lacks_time_spine:
        warn("dbt requires a time spine, which the project lacks: linker export semantic-models")
    if form != "json":
        counts = f"{counted(written.datasets, 'dataset')}, {counted(written.relationships, 'join')}"
        click.echo(f"{counts} and {counted(written.metrics, 'metric')} in {written.file}", err=True)


@export.command()
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@report_format
@settings_options
def site(folder: Path, form: str, **flags: Any) -> None:  # noqa: ANN401 - the flags of settings_options
    """
    Write the pages of `linker serve` as files into DIR, for any web server.

    Links are relative. The pages to ask and to search are omitted; masked and hidden values are as
    on a server. An existing site is replaced once the new one is complete; any other folder is left
    unchanged.

    \b
    Examples:
      linker export site public && python -m http.server --directory public
    """
    with needing("serve"):
        from linker.serve.explorer.pages import export_site
    with opened(flags) as environment, stage("site", "writes the pages") as running:
        pages = export_site(environment, folder, running.on_progress)
        running.summary = f"{pages:,} pages in {folder}"
    if form == "json":
        print_record(
            target=environment.target_key,
            folder=str(folder.resolve()),
            pages=pages,
            seconds=running.seconds,
        )
    suggest(f"python -m http.server --directory {folder}")


def _print(patch: "SchemaPatch", form: str, **facts: object) -> None:
    """The patch on stdout, skipped items on stderr."""
    if form == "json":
        print_record(**facts, left_out=list(patch.left_out), patch=patch.text)
    else:
        click.echo(patch.text, nl=False)
    for odd in patch.left_out:
        warn(f"unchanged: {odd}")

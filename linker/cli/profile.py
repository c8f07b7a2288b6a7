"""`linker profile`: runs the shipped dbt project against the target."""

from typing import TYPE_CHECKING, Any

import click

from linker.cli.log import log_format_option, say
from linker.cli.options import settings_options
from linker.cli.output import stage, suggest

if TYPE_CHECKING:
    from linker.profiling import ProfileReport


@click.command()
@settings_options
@click.option("--plan", "only_plan", is_flag=True, help="Only say what would be scanned, and why; read no row.")
@click.option("--include", multiple=True, metavar="PATTERN", help="Scan only tables like `sales.*`; may be repeated.")
@click.option("--exclude", multiple=True, metavar="PATTERN", help="Leave out tables like `*.tmp_*`; may be repeated.")
@click.option("--max-bytes", type=click.IntRange(0), metavar="N", help="Read at most so many bytes, by estimate.")
@click.option("--full", is_flag=True, help="Scan everything again, also what did not change or failed before.")
@log_format_option
def profile(
    only_plan: bool,
    include: tuple[str, ...],
    exclude: tuple[str, ...],
    max_bytes: int | None,
    full: bool,
    **flags: Any,  # noqa: ANN401 - the flags of settings_options
) -> None:
    """
    Profile the warehouse, inside the warehouse, with dbt.

    Each table is read once, and only if it is new or changed. What is finished stays, whatever comes later.
    The artifacts lie in the schema `<schema of the target>_linker`; `linker show` prints them.
    In a dbt project that lists linker under `packages:`, `dbt run --select package:linker` does the same.

    \b
    Examples:
      linker profile --plan
      linker profile
      linker profile --profile shop --target prod --include 'sales.*' --max-bytes 50000000000
    """
    if only_plan and full:
        raise click.UsageError("--plan says what is due; with --full every table is")
    from linker.config import load_settings
    from linker.profiling import DbtTarget, plan_scans, profile_warehouse
    from linker.targets import load_target

    settings = load_settings(flags)
    target = load_target(settings)
    variables: dict[str, object] = {"include_tables": list(include), "exclude_tables": list(exclude)}
    given = {name: value for name, value in {**variables, "max_bytes": max_bytes}.items() if value or value == 0}
    dbt_target = DbtTarget(target.profiles_dir, target.profile, target.name, settings.state_dir, given, full)
    if only_plan:
        click.echo(_plan_table(plan_scans(dbt_target)))
        return
    with stage("profile") as running:
        report = profile_warehouse(dbt_target, running.on_progress)
        running.summary = _summary(report)
        running.numbers = _numbers(report)
    for failure in report.failures:
        name = f"{failure.schema}.{failure.table}"
        say("table_failed", f"{name} could not be scanned: {failure.message}", table=name)
    for table in report.tables:
        if table.state == "left out":
            name = f"{table.schema}.{table.table}"
            say("table_left_out", f"{name} was left out: {table.reason}", table=name)
    suggest(f"linker index --target {target.name}")


def _summary(report: "ProfileReport") -> str:
    parts = [f"{report.scanned_count:,} tables scanned", f"{report.count('unchanged'):,} unchanged"]
    if left_out := report.count("left out"):
        parts.append(f"{left_out:,} left out")
    return ", ".join(parts)


def _numbers(report: "ProfileReport") -> dict[str, int]:
    return {
        "scanned": report.scanned_count,
        "unchanged": report.count("unchanged"),
        "left_out": report.count("left out"),
        "failed": len(report.failures),
    }


def _plan_table(report: "ProfileReport") -> str:
    """What would be scanned, one line a table, and the totals."""
    due = [table for table in report.tables if table.is_due]
    left_out = [table for table in report.tables if table.state == "left out"]
    lines = [f"{'table':<44} {'rows':>14} {'bytes':>10}  why"]
    for table in sorted(due, key=lambda table: -(table.bytes or 0)) + left_out:
        name = f"{table.schema}.{table.table}" + (f" ({table.members} members)" if table.members > 1 else "")
        rows = "unknown" if table.rows is None else f"{table.rows:,}"
        why = table.reason if table.is_due else f"left out: {table.reason}"
        lines.append(f"{name:<44} {rows:>14} {_bytes(table.bytes):>10}  {why}")
    total = sum(table.bytes or 0 for table in due)
    unknown = sum(1 for table in due if table.bytes is None)
    lines.append("")
    lines.append(
        f"{len(due):,} tables to scan, about {_bytes(total)}"
        + (f" and {unknown:,} of unknown size" if unknown else "")
        + f"; {report.count('unchanged'):,} unchanged, {len(left_out):,} left out"
    )
    return "\n".join(lines)


def _bytes(count: int | None) -> str:
    if count is None:
        return "unknown"
    size = float(count)
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if size < 1000 or unit == "TB":
            return f"{size:,.0f} {unit}" if unit == "B" else f"{size:,.1f} {unit}"
        size /= 1000
    raise AssertionError

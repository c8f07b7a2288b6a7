"""What a run would scan, for people: enters the plan, leaves one line a table, and the totals."""

from linker.dbt.profiling import ProfileReport
from linker.text.numbers import counted, size_text


def scan_plan(report: ProfileReport) -> str:
    """What would be scanned, one line a table, and the totals."""
    due = [table for table in report.tables if table.is_due]
    left_out = [table for table in report.tables if table.state == "left out"]
    lines = []
    for table in sorted(due, key=lambda table: -(table.bytes or 0)) + left_out:
        name = f"{table.schema}.{table.table}" + (f" ({table.members} members)" if table.members > 1 else "")
        rows = "unknown" if table.rows is None else f"{table.rows:,}"
        size = "unknown" if table.bytes is None else size_text(table.bytes)
        why = table.reason if table.is_due else f"left out: {table.reason}"
        lines.append(f"{name:<44} {rows:>14} {size:>10}  {why}")
    total = sum(table.bytes or 0 for table in due)
    unknown = sum(1 for table in due if table.bytes is None)
    if lines:
        lines = [f"{'table':<44} {'rows':>14} {'bytes':>10}  why", *lines, ""]
    lines.append(
        f"{counted(len(due), 'table')} to scan, about {size_text(total)}"
        + (f" and {unknown:,} of unknown size" if unknown else "")
        + f"; {report.count('unchanged'):,} unchanged, "
        + (f"{unselected:,} unselected, " if (unselected := report.count("unselected")) else "")
        + f"{len(left_out):,} left out"
    )
    return "\n".join(lines)

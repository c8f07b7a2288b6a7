"""
Plans of a refresh: the tables that would be scanned, then index and sources, for people and
programs.
"""

from collections.abc import Sequence
from typing import Any

from linker.catalog.indexing import IndexPlan
from linker.dbt.profiling import ProfileReport
from linker.learn.sources import DueSource
from linker.render import as_json
from linker.render.runs import VERSION
from linker.text.numbers import counted, size_text
from linker.text.safe import one_line
from linker.types import as_dict


def scan_plan(report: ProfileReport, *, form: str = "table") -> str:
    """Tables that would be scanned, one line each, and the totals."""
    if form == "json":
        return as_json({"version": VERSION, "tables": list(map(as_dict, report.tables))})
    due = [table for table in report.tables if table.is_due]
    left_out = [table for table in report.tables if table.state == "left out"]
    lines = []
    for table in sorted(due, key=lambda table: -(table.bytes or 0)) + left_out:
        name = f"{table.schema}.{table.table}" + (
            f" ({table.members} members)" if table.members > 1 else ""
        )
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


def refresh_plan(
    scans: ProfileReport, index: IndexPlan | None, sources: Sequence[DueSource], *, form: str
) -> str:
    """
    Scans with their reasons, the index before them, if anything was profiled, and the sources to
    learn from.
    """
    if form == "json":
        return as_json(_plan_record(scans, index, sources))
    due = sum(table.is_due for table in scans.tables)
    return "\n".join([scan_plan(scans), _of_index(index, due), *map(_of_source, sources)])


def _of_source(source: DueSource) -> str:
    verb = "leaves"
    if source.is_due:
        verb = "learns from" if source.made_of else "cannot learn from"
    return one_line(f"{verb} {source.name}: {source.reason}")


def _of_index(index: IndexPlan | None, due: int) -> str:
    if index is None:
        return "this is the first run: nothing is profiled and indexed yet"
    if index.in_step:
        now = f"the index is in step with the last profiles ({index.unchanged_count:,} documents)"
    else:
        now = f"the index is behind the last profiles: {index}"
    return f"{now}; of {counted(due, 'table')} the documents are compared anew" if due else now


def _plan_record(
    scans: ProfileReport, index: IndexPlan | None, sources: Sequence[DueSource]
) -> dict[str, Any]:
    return {
        "version": VERSION,
        "tables": list(map(as_dict, scans.tables)),
        "index": index
        and {
            "in_step": index.in_step,
            "to_embed": len(index.changed),
            "to_remove": len(index.gone),
            "unchanged": index.unchanged_count,
        },
        "sources": [
            {"source": source.name, "due": source.is_due, "reason": source.reason}
            for source in sources
        ],
    }

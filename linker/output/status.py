"""Freshness of a target (table and JSON document, docs/status.md) and the plan of a refresh."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from rich.text import Text

from linker.catalog.documents import IndexPlan
from linker.dbt.profiling import ProfileReport
from linker.output import as_json
from linker.output.layout import facts_grid, figures_grid, page
from linker.output.runs import VERSION as RUNS_VERSION
from linker.output.runs import run_line, run_record
from linker.refresh.status import IndexStatus, SchemaStatus, Status
from linker.sql.verified import VerifiedCheck
from linker.text.commands import command
from linker.text.escaping import one_line
from linker.text.numbers import age_text, counted, size_text
from linker.types import as_dict
from linker.usage.sources import DueSource

# Raise when a field is removed or changes meaning; adding is fine.
VERSION = 1
_HEADS = ("schema", "refreshed", "tables", "changed", "failed", "hidden", "sampled", "index")
_MAX_NAMED = 3
_LEFT = ("schema", "refreshed", "index")
_SPARE = ("sampled", "hidden", "changed")


def render_status(status: Status, *, width: int, color: bool) -> str:
    """A row per schema, totals, and facts about the target."""
    rows = (
        *(_cells(schema, status.at) for schema in status.schemas),
        _cells(status.total, status.at, name="all"),
    )
    facts = facts_grid((name, one_line(fact)) for name, fact in _facts(status))
    return page(
        [figures_grid(_HEADS, rows, _LEFT, _SPARE, width, 2), "", facts], width=width, color=color
    )


def status_json(status: Status, max_age: timedelta | None) -> str:
    """The document of docs/status.md."""
    stale = status.stale(max_age) if max_age is not None else ()
    return as_json(
        {
            "version": VERSION,
            "target": status.target,
            "artifacts_schema": status.artifacts_schema,
            "store": status.store,
            "encoder": status.encoder,
            "at": status.at,
            "max_age_seconds": None if max_age is None else max_age.total_seconds(),
            "is_stale": None if max_age is None else bool(stale),
            "stale": stale,
            "unseen": status.unseen,
            **as_dict(status.index),
            "last_run": run_record(status.last_run) if status.last_run else None,
            "verified": [_verified_record(check) for check in status.verified],
            "schemas": [schema_record(schema, status.at) for schema in status.schemas],
            "total": schema_record(status.total, status.at),
        }
    )


def _verified_record(check: VerifiedCheck) -> dict[str, Any]:
    return {
        "question": check.question,
        "outcome": check.outcome,
        "reason": check.reason,
        "checked_at": check.checked_at,
    }


def schema_record(schema: SchemaStatus, at: datetime) -> dict[str, Any]:
    """Freshness of a schema, or of all."""
    return {
        "schema": schema.schema,
        "last_refresh": schema.last_refresh,
        "age_seconds": round((at - schema.last_refresh).total_seconds(), 3)
        if schema.last_refresh
        else None,
        "last_scan": schema.last_scan,
        "tables": schema.tables,
        "covered": schema.covered,
        "changed": None if schema.changed is None else len(schema.changed),
        "changed_tables": schema.changed,
        "failed": len(schema.failed),
        "failed_tables": [
            {"table": str(error.table), "message": error.message} for error in schema.failed
        ],
        "hidden_columns": schema.hidden_columns,
        "masked_columns": schema.masked_columns,
        "excluded_columns": schema.excluded_columns,
        "refused_columns": schema.refused_columns,
        "sampled_tables": schema.sampled_tables,
        "in_step": schema.in_step,
        "current_by": schema.current_by,
    }


def _cells(schema: SchemaStatus, at: datetime, name: str = "") -> Iterator[Text]:
    yield Text(name or one_line(schema.schema), style="bold")
    yield Text(f"{age_text(at - schema.last_refresh)} ago" if schema.last_refresh else "never")
    covered = (
        f"{schema.tables:,}"
        if schema.covered == schema.tables
        else f"{schema.covered:,} of {schema.tables:,}"
    )
    yield Text(covered, style="" if schema.covered == schema.tables else "yellow")
    yield _count(None if schema.changed is None else len(schema.changed), style="yellow")
    yield _count(len(schema.failed), style="red")
    yield _count(schema.hidden_columns)
    yield _count(schema.sampled_tables)
    standing = {True: "up to date", False: "stale", None: "?"}[schema.in_step]
    yield Text(standing, style="yellow" if schema.in_step is False else "")


def _count(count: int | None, style: str = "") -> Text:
    return Text("?" if count is None else f"{count:,}", style=style if count else "")


def _facts(status: Status) -> Iterator[tuple[str, str]]:
    index = status.index
    yield "target", status.target
    if status.last_run:
        yield "last run", run_line(status.last_run)
    for error in status.total.failed:
        yield "failed", f"{error.table}: {error.message}"
    failed = [check for check in status.verified if check.outcome != "valid"]
    if status.verified:
        valid = len(status.verified) - len(failed)
        yield "verified", f"{valid:,} of {counted(len(status.verified), 'question')} valid"
    for check in failed:
        yield "failed", f"“{check.question}”: {check.reason}"
    if status.total.current_by:
        yield "current by", _rules(status.total)
    yield "profile schema", status.artifacts_schema
    families = "1 family" if index.families == 1 else f"{index.families:,} families"
    yield (
        "tables",
        f"{index.physical_tables:,} physical, {index.logical_tables:,} logical, {families}",
    )
    yield "columns", "; ".join((f"{index.columns:,}", *_unread(status.total)))
    yield "store", status.store
    yield "embedding model", status.encoder
    yield "index", _index_words(index)


def _rules(schema: SchemaStatus) -> str:
    """Tables by change detection rule; those detected by age are named, as they may be stale."""
    parts = []
    for rule, tables in schema.current_by.items():
        part = f"{rule}: {counted(len(tables), 'table')}"
        if rule == "age":
            more = ["…"] if len(tables) > _MAX_NAMED else []
            part += f" ({', '.join([*tables[:_MAX_NAMED], *more])})"
        parts.append(part)
    return "; ".join(parts)


def _unread(schema: SchemaStatus) -> Iterator[str]:
    """Columns that are never read."""
    if schema.refused_columns:
        yield f"{counted(schema.refused_columns, 'column')} without permission"
    if schema.excluded_columns:
        are = "is" if schema.excluded_columns == 1 else "are"
        yield f"{counted(schema.excluded_columns, 'column')} {are} excluded by the settings"


def _index_words(index: IndexStatus) -> str:
    if index.in_step is None:
        return f"{index.indexed:,} documents"
    if index.in_step:
        return f"{index.indexed:,} documents, up to date"
    missing = f"{index.to_embed:,} to embed, {index.to_remove:,} to remove"
    return f"{index.indexed:,} documents, {missing}; run: {command('index')}"


def scan_plan(report: ProfileReport, *, form: str = "table") -> str:
    """Planned scans, one per line, with totals."""
    if form == "json":
        return as_json({"version": RUNS_VERSION, "tables": list(map(as_dict, report.tables))})
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
    """Planned scans with reasons, index differences if profiled, and usage sources to read."""
    if form == "json":
        return as_json(_plan_record(scans, index, sources))
    due = sum(table.is_due for table in scans.tables)
    return "\n".join([scan_plan(scans), _of_index(index, due), *map(_of_source, sources)])


def _of_source(source: DueSource) -> str:
    verb = "skips"
    if source.is_due:
        verb = "reads" if source.made_of else "cannot read"
    return one_line(f"{verb} {source.name}: {source.reason}")


def _of_index(index: IndexPlan | None, due: int) -> str:
    if index is None:
        return "first run: no profiles and no index yet"
    if index.in_step:
        now = f"the index is up to date ({index.unchanged_count:,} documents)"
    else:
        now = f"the index is older than the profiles: {index}"
    return f"{now}; documents of {counted(due, 'table')} will be compared" if due else now


def _plan_record(
    scans: ProfileReport, index: IndexPlan | None, sources: Sequence[DueSource]
) -> dict[str, Any]:
    return {
        "version": RUNS_VERSION,
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

"""Freshness of a target: a table for people, a document for monitors (docs/status.md)."""

from collections.abc import Iterator
from dataclasses import fields
from datetime import datetime, timedelta
from typing import Any

from rich.table import Table as Grid
from rich.text import Text

from linker.refresh.status import IndexStatus, SchemaStatus, Status
from linker.render import as_json
from linker.render.page import Page, facts_grid
from linker.render.runs import run_line, run_record
from linker.text.numbers import age_text
from linker.text.safe import one_line

# Raised when a field changes its meaning or goes; new ones may come.
VERSION = 1
# What each field holds, as docs/status.md tells it; where nothing could be seen it is null.
FIELDS = {
    "version": "of this document: a field that is added does not change it",
    "target": "`profile.target` of dbt",
    "artifacts_schema": "where dbt left what it measured",
    "store": "where the index and the history of runs are",
    "encoder": "what embeds documents and questions",
    "at": "when this was found out, in UTC like all times",
    "max_age_seconds": "what `--max-age` asked for; null without it",
    "is_stale": "whether there is a reason to speak up; null without `--max-age`",
    "stale": "the reasons: what is older than `--max-age`, and a last run that did not read everything",
    "unseen": "what could not be seen, and why: the warehouse is away, or its file is in the hands of a writer",
    "physical_tables": "tables and views of the warehouse",
    "logical_tables": "the same, with each family as one",
    "families": "groups of tables that are one logical table",
    "columns": "columns and nested paths of logical tables",
    "indexed": "documents of the index that are as they should be",
    "to_embed": "documents that the index lacks, or has in another text",
    "to_remove": "documents of what is gone",
    "in_step": "whether the index is in step with what dbt left",
    "last_run": "the last run that ended, as `linker refresh --format json` prints it; null before the first",
    "schemas": "a record a schema",
    "total": "the same over all of them; its `schema` is empty",
}
SCHEMA_FIELDS = {
    "schema": "its name",
    "last_refresh": "end of the last run that ended well, or the last scan, if that was later; null before the first",
    "age_seconds": "how long that is ago",
    "last_scan": "when a table of it was last read; what does not change is not read again",
    "tables": "logical tables",
    "covered": "those of them that have profiles",
    "changed": "tables and views that came, went or are no longer as the last run saw them",
    "changed_tables": "their names",
    "failed": "tables that could not be read, and were not since",
    "failed_tables": "their names, with what the warehouse said",
    "hidden_columns": "columns that are only counted",
    "masked_columns": "columns of which shapes are kept instead of values",
    "sampled_tables": "tables in which something was measured on a part of the rows",
    "in_step": "whether the index is in step with what dbt left of it",
}
_HEADS = ("schema", "refreshed", "tables", "changed", "failed", "hidden", "sampled", "index")


def render_status(status: Status, *, width: int, color: bool) -> str:
    """A row a schema, all together, and the facts of the whole."""
    page = Page(width=width, color=color)
    grid = Grid.grid(padding=(0, 2, 0, 0))
    for head in _HEADS:
        grid.add_column(justify="left" if head in ("schema", "refreshed", "index") else "right")
    grid.add_row(*(Text(head, style="dim") for head in _HEADS))
    for schema in status.schemas:
        grid.add_row(*_cells(schema, status.at))
    grid.add_row(*_cells(status.total, status.at, name="all"))
    page.console.print(grid)
    page.console.print()
    page.console.print(facts_grid((name, one_line(fact)) for name, fact in _facts(status)))
    return str(page)


def status_json(status: Status, max_age: timedelta | None) -> str:
    """The document that docs/status.md describes."""
    stale = status.stale(max_age) if max_age is not None else ()
    index = {field.name: getattr(status.index, field.name) for field in fields(IndexStatus)}
    values: dict[str, Any] = {
        "version": VERSION,
        **{name: getattr(status, name) for name in ("target", "artifacts_schema", "store", "encoder")},
        "at": _time(status.at),
        "max_age_seconds": None if max_age is None else max_age.total_seconds(),
        "is_stale": None if max_age is None else bool(stale),
        "stale": list(stale),
        "unseen": list(status.unseen),
        **index,
        "last_run": run_record(status.last_run) if status.last_run else None,
        "schemas": [_record(schema, status.at) for schema in status.schemas],
        "total": _record(status.total, status.at),
    }
    return as_json({name: values[name] for name in FIELDS})


def _record(schema: SchemaStatus, at: datetime) -> dict[str, Any]:
    values = {
        "schema": schema.schema,
        "last_refresh": _time(schema.last_refresh),
        "age_seconds": round((at - schema.last_refresh).total_seconds(), 3) if schema.last_refresh else None,
        "last_scan": _time(schema.last_scan),
        "tables": schema.tables,
        "covered": schema.covered,
        "changed": None if schema.changed is None else len(schema.changed),
        "changed_tables": None if schema.changed is None else list(schema.changed),
        "failed": len(schema.failed),
        "failed_tables": [{"table": str(error.table), "message": error.message} for error in schema.failed],
        "hidden_columns": schema.hidden_columns,
        "masked_columns": schema.masked_columns,
        "sampled_tables": schema.sampled_tables,
        "in_step": schema.in_step,
    }
    return {name: values[name] for name in SCHEMA_FIELDS}


def _cells(schema: SchemaStatus, at: datetime, name: str = "") -> Iterator[Text]:
    yield Text(name or one_line(schema.schema), style="bold")
    yield Text(f"{age_text(at - schema.last_refresh)} ago" if schema.last_refresh else "never")
    covered = f"{schema.tables:,}" if schema.covered == schema.tables else f"{schema.covered:,} of {schema.tables:,}"
    yield Text(covered, style="" if schema.covered == schema.tables else "yellow")
    yield _count(None if schema.changed is None else len(schema.changed), style="yellow")
    yield _count(len(schema.failed), style="red")
    yield _count(schema.hidden_columns)
    yield _count(schema.sampled_tables)
    standing = {True: "in step", False: "not in step", None: "?"}[schema.in_step]
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
    yield "artifacts schema", status.artifacts_schema
    families = "1 family" if index.families == 1 else f"{index.families:,} families"
    yield "tables", f"{index.physical_tables:,} physical, {index.logical_tables:,} logical, {families}"
    yield "columns", f"{index.columns:,}"
    yield "store", status.store
    yield "encoder", status.encoder
    yield "index", _index_words(index)


def _index_words(index: IndexStatus) -> str:
    if index.in_step is None:
        return f"{index.indexed:,} documents"
    if index.in_step:
        return f"{index.indexed:,} documents, in step"
    return f"{index.indexed:,} documents, {index.to_embed:,} to embed, {index.to_remove:,} to remove; run: linker index"


def _time(when: datetime | None) -> str | None:
    return when.isoformat() if when else None

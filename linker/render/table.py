"""The linked schema for people: one small table for every linked table."""

from dataclasses import dataclass

from rich import box
from rich.table import Table as RichTable
from rich.text import Text

from linker.linked import LinkedSchema, LinkedTable
from linker.render.page import Page
from linker.render.standing import standing
from linker.render.text import one_line
from linker.types import Table


def render_table(schema: LinkedSchema, *, width: int, color: bool) -> str:
    """The linked schema as tables of `width` characters."""
    page = Page(width=width, color=color)
    console = page.console
    console.print(Text(one_line(schema.question), style="bold"))
    widths = _Widths.of(schema)
    for linked in schema.tables:
        console.print()
        console.print(_heading(linked))
        if linked.table.description:
            console.print(Text(f"  {one_line(linked.table.description)}", style="italic"))
        if linked.stands_for:
            console.print(Text(f"  {standing(linked)}", style="dim"))
        console.print(_columns(linked, widths))
    console.print()
    for join in schema.joins:
        console.print(Text(f"join {one_line(str(join))}"), Text(f"({one_line(join.reason)})", style="dim"))
    tables = len(schema.tables)
    console.print(
        Text(
            f"{schema.column_count} column{'s' * (schema.column_count != 1)} of "
            f"{tables} table{'s' * (tables != 1)} · target {schema.target} · "
            f"strategy {schema.strategy} · {schema.seconds:.1f} s",
            style="dim",
        )
    )
    return str(page)


def _heading(linked: LinkedTable) -> Text:
    heading = Text(one_line(str(linked.table.ref)), style="bold cyan")
    heading.append(f"   {size_of(linked.table)}", style="not bold dim")
    return heading


def size_of(table: Table) -> str:
    """What a table is, in a few words: family, rows."""
    parts = [str(table.family)] if table.family else [table.kind] if table.kind != "table" else []
    if table.row_count_estimate is not None:
        parts.append(f"{table.row_count_estimate:,} rows")
    return " · ".join(parts)


@dataclass(frozen=True, slots=True)
class _Widths:
    """Widths shared by all tables of an answer, so that its columns stand under each other."""

    path: int
    type: int
    reason: int

    @classmethod
    def of(cls, schema: LinkedSchema) -> "_Widths":
        columns = [column for table in schema.tables for column in table.columns]
        return cls(
            path=min(40, max((len(column.column.path) + 2 for column in columns), default=0)),
            type=min(16, max((len(column.column.short_type) for column in columns), default=0)),
            reason=min(32, max((len(column.reason) for column in columns), default=0)),
        )


def _columns(linked: LinkedTable, widths: _Widths) -> RichTable:
    table = RichTable(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, expand=True, padding=(0, 1))
    table.add_column("  column", overflow="fold", width=widths.path)
    table.add_column("type", overflow="fold", width=widths.type)
    table.add_column("description", overflow="fold", ratio=1)
    table.add_column("why", overflow="fold", width=widths.reason)
    for linked_column in linked.columns:
        column = linked_column.column
        table.add_row(
            Text(f"  {one_line(column.path)}", style="green"),
            Text(column.short_type, style="dim"),
            Text(one_line(column.description or "")),
            Text(linked_column.reason, style="dim"),
        )
    return table

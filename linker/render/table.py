"""The linked schema for people: whether there is an answer, its tables and joins, what was weighed, what it cost."""

from collections.abc import Iterable, Iterator, Sequence

from rich.console import RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from linker.link.answer import Alternative, Discarded, Join, LinkedSchema, Unanswerable
from linker.link.phrases import measures
from linker.render.costs import cost_by_step, spent
from linker.render.linked_tables import Layout, linked_table
from linker.render.page import Page
from linker.text.numbers import counted
from linker.text.safe import one_line
from linker.types import ColumnRef, TableRef

_Section = tuple[str, Iterable[RenderableType]]


def render_table(schema: LinkedSchema, *, width: int, color: bool, explain: bool = False) -> str:
    """The linked schema on a page of `width` characters; `explain` adds all evidence and what was discarded."""
    page = Page(width=width, color=color)
    console = page.console
    console.print(Text(one_line(schema.question), style="bold"))
    if schema.unanswerable:
        console.print()
        console.print(_unanswerable(schema.unanswerable))
    layout = Layout.of(schema, width, explains=explain)
    for linked in schema.tables:
        console.print()
        for part in linked_table(linked, layout):
            console.print(part)
    for heading, parts in _sections(schema, explain=explain):
        console.print()
        console.print(Text(heading, style="bold"))
        for part in parts:
            console.print(Padding(part, (0, 0, 0, 2)))
    console.print()
    console.print(_footer(schema, explain=explain))
    return str(page)


def _unanswerable(told: Unanswerable) -> Panel:
    grid = _pairs()
    grid.add_row("missing", Text(one_line(told.missing)))
    nearest = "\n".join(one_line(str(ref)) for ref in told.nearest)
    grid.add_row("nearest", Text(nearest or "nothing comes near", style="green" if nearest else ""))
    return Panel(grid, title="this warehouse cannot answer the question", title_align="left", border_style="yellow")


def _sections(schema: LinkedSchema, *, explain: bool) -> Iterator[_Section]:
    if schema.joins:
        yield "joins", map(_join, schema.joins)
    if schema.alternatives:
        yield "ways to answer", [_alternatives(schema.alternatives)]
    if schema.discarded and explain:
        yield "left out", [_discarded(schema.discarded)]
    if schema.cost and explain:
        yield "cost", [cost_by_step(schema.cost)]


def _join(join: Join) -> Text:
    said = Text(one_line(str(join)), style="green")
    return said.append(f"\n  {measures(join)}; {one_line(join.reason)}", style="not bold dim default")


def _alternatives(alternatives: Iterable[Alternative]) -> Grid:
    grid = _pairs()
    for one in alternatives:
        said = Text(one_line(one.summary))
        if one.diverges:
            said.append(f" ({'; '.join(one_line(reason) for reason in one.diverges)})", style="dim")
        if one.ruled_out:
            said.append(f" \u2013 ruled out: {one_line(one.ruled_out)}", style="yellow")
        grid.add_row(str(one.number), said)
    return grid


def _discarded(discarded: Iterable[Discarded]) -> Grid:
    grid = Grid.grid(padding=(0, 2, 0, 0), expand=True)
    grid.add_column(ratio=2, overflow="fold")
    grid.add_column(width=4, style="dim")
    grid.add_column(ratio=3, overflow="fold")
    for one in discarded:
        credibility = "" if one.credibility is None else f"{one.credibility:.2f}"
        grid.add_row(Text(one_line(str(one.ref)), style="green"), credibility, Text(one_line(one.reason)))
    return grid


def _footer(schema: LinkedSchema, *, explain: bool) -> Text:
    size = f"{counted(schema.column_count, 'column')} of {counted(len(schema.tables), 'table')}"
    lines = [f"{size} · target {schema.target} · strategy {schema.strategy} · {schema.seconds:.1f} s"]
    if schema.chosen_because:
        lines.append(one_line(schema.chosen_because))
    if schema.cost and not explain:
        lines.append(f"cost: {' · '.join(f'{one_line(one.step)} {spent(one.cost)}' for one in schema.cost)}")
    if schema.discarded and not explain:
        lines.append(f"{_left_out(schema.discarded)} left out; --explain says which and why")
    if schema.trace:
        lines.append(f"linker trace show {schema.trace}")
    return Text("\n".join(lines), style="dim")


def _left_out(discarded: Sequence[Discarded]) -> str:
    tables = sum(isinstance(one.ref, TableRef) for one in discarded)
    columns = sum(isinstance(one.ref, ColumnRef) for one in discarded)
    counts = ((tables, "table"), (columns, "column"))
    return " and ".join(counted(count, what) for count, what in counts if count)


def _pairs() -> Grid:
    grid = Grid.grid(padding=(0, 2, 0, 0), expand=True)
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(ratio=1, overflow="fold")
    return grid

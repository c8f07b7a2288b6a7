"""
The linked schema for people: its tables and joins, what was weighed and left out, what it cost.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set

from rich.console import RenderableType
from rich.panel import Panel
from rich.table import Column
from rich.table import Table as Grid
from rich.text import Text

from linker.link.answer import (
    Alternative,
    Discarded,
    Join,
    LinkedSchema,
    Unanswerable,
    completeness,
    measures,
    named_shortly,
)
from linker.render.linked_table import Layout, linked_table
from linker.render.page import cost_by_step, grid_of, indented, page, spent
from linker.text.commands import command
from linker.text.numbers import counted, percent
from linker.text.safe import one_line, spelled
from linker.types import TableRef

_Section = tuple[str, Iterable[RenderableType]]
# Of more joins a page has one less, and says how many there are.
_MOST_JOINS = 3


def render_table(schema: LinkedSchema, *, width: int, color: bool, explain: bool = False) -> str:
    """
    The linked schema on a page of `width` characters; `explain` adds all evidence and what was
    discarded.
    """
    return page(
        _parts(schema, Layout.of(schema, width, explains=explain)), width=width, color=color
    )


def _parts(schema: LinkedSchema, layout: Layout) -> Iterator[RenderableType]:
    yield Text(one_line(schema.question), style="bold")
    if schema.unanswerable:
        yield ""
        yield _unanswerable(schema.unanswerable)
    opened = [linked for linked in schema.tables if linked.table.ref in layout.opened]
    for number, linked in enumerate(opened):
        if number == 0 or not layout.is_page:
            yield ""
        yield from linked_table(linked, layout)
    yield from _besides(schema, layout) if layout.is_page else _sections(schema, layout)
    yield _footer(schema, layout)


def _besides(schema: LinkedSchema, layout: Layout) -> Iterator[RenderableType]:
    """
    The end of a page that is read at a glance: joins, other tables in a line, how complete it is.
    """
    yield ""
    grid = grid_of(
        Column(style="dim", no_wrap=True),
        Column(ratio=1, no_wrap=True, overflow="ellipsis"),
        expand=True,
    )
    joins = _nearest(_leading(schema, layout.opened.keys()), layout.opened.keys())
    shown = len(joins) if len(joins) <= _MOST_JOINS else _MOST_JOINS - 1
    for number, join in enumerate(joins[:shown]):
        grid.add_row("" if number else "joins", _join(join, explain=False))
    if shown < len(joins):
        grid.add_row("", Text(f"and {len(joins) - shown} more", style="dim"))
    folded = [linked for linked in schema.tables if linked.table.ref not in layout.opened]
    likely = [f"{spelled(it.table.ref)} {percent(it.score or 0.0, digits=0)}" for it in folded]
    if likely:
        grid.add_row("other tables", Text(", ", style="dim").join(map(Text, likely)))
    if schema.further_tables:
        grid.add_row("also there", Text(named_shortly(schema.further_tables), style="dim"))
    if grid.row_count:
        yield grid
    yield _completeness(schema)


def _sections(schema: LinkedSchema, layout: Layout) -> Iterator[RenderableType]:
    """The end of any other page, part by part."""
    if schema.complete is not None:
        yield ""
        yield _completeness(schema)
        if schema.further_tables:
            yield Text(f"also there: {named_shortly(schema.further_tables)}", style="dim")
    for heading, parts in _headed(schema, layout):
        yield ""
        yield Text(heading, style="bold")
        yield from map(indented, parts)
    yield ""


def _completeness(schema: LinkedSchema) -> Text:
    """How complete an answer probably is."""
    is_voted = any(table.status for table in schema.tables)
    text = completeness(schema.complete or 0.0)
    return Text(text if is_voted else f"{text}; nothing here is certain")


def _unanswerable(refusal: Unanswerable) -> Panel:
    grid = _pairs()
    grid.add_row("missing", Text(one_line(refusal.missing)))
    nearest = "\n".join(spelled(ref) for ref in refusal.nearest)
    grid.add_row("nearest", Text(nearest or "nothing comes near", style="green" if nearest else ""))
    return Panel(
        grid,
        title="this warehouse cannot answer the question",
        title_align="left",
        border_style="yellow",
    )


def _headed(schema: LinkedSchema, layout: Layout) -> Iterator[_Section]:
    if joins := _leading(schema, layout.opened.keys()):
        yield "joins", [_join(join, explain=layout.explains) for join in joins]
    if schema.alternatives:
        yield "ways to answer", [_alternatives(schema.alternatives)]
    if schema.discarded and layout.explains:
        yield "left out", [_discarded(schema.discarded)]
    if schema.cost and layout.explains:
        yield "cost", [cost_by_step(schema.cost)]


def _leading(schema: LinkedSchema, opened: Set[TableRef]) -> Sequence[Join]:
    """The joins of the answer that bring opened tables together, over others if need be."""
    shown = {linked.table.ref for linked in schema.tables}
    joins = [join for join in schema.joins if {join.left, join.right} <= shown]
    while True:
        ends = Counter(ref for join in joins for ref in (join.left, join.right))
        # A table that is not opened and that one join alone reaches is no way to another.
        kept_ends = {ref for ref, count in ends.items() if ref in opened or count > 1}
        kept = [join for join in joins if {join.left, join.right} <= kept_ends]
        if kept == joins:
            return joins
        joins = kept


def _nearest(joins: Sequence[Join], opened: Set[TableRef]) -> Sequence[Join]:
    """
    The joins between opened tables, and the others after them where those do not bring all
    together.
    """
    direct = [join for join in joins if {join.left, join.right} <= opened]
    together = [{ref} for ref in opened]
    for join in direct:
        met = [group for group in together if not group.isdisjoint((join.left, join.right))]
        together = [*(group for group in together if group not in met), set().union(*met)]
    others = [join for join in joins if join not in direct]
    return direct if len(together) <= 1 else direct + others


def _join(join: Join, *, explain: bool) -> Text:
    # Half a join says nothing: of long names it takes two lines.
    line = Text(spelled(join), style="green", no_wrap=False, overflow="fold")
    return line.append(
        f"\n  {measures(join)}; {one_line(join.reason)}" if explain else "",
        style="not bold dim default",
    )


def _alternatives(alternatives: Iterable[Alternative]) -> Grid:
    grid = _pairs()
    for alternative in alternatives:
        line = Text(one_line(alternative.summary))
        if alternative.diverges:
            line.append(f" ({'; '.join(map(one_line, alternative.diverges))})", style="dim")
        if alternative.ruled_out:
            line.append(f" \u2013 ruled out: {one_line(alternative.ruled_out)}", style="yellow")
        grid.add_row(str(alternative.number), line)
    return grid


def _discarded(discarded: Iterable[Discarded]) -> Grid:
    grid = grid_of(
        Column(ratio=2, overflow="fold", style="green"),
        Column(width=4, style="dim"),
        Column(ratio=3, overflow="fold"),
        expand=True,
    )
    for item in discarded:
        credibility = "" if item.credibility is None else f"{item.credibility:.2f}"
        grid.add_row(Text(spelled(item.ref)), credibility, Text(one_line(item.reason)))
    return grid


def _footer(schema: LinkedSchema, layout: Layout) -> Text:
    size = f"{counted(schema.column_count, 'column')} of {counted(len(schema.tables), 'table')}"
    lines = [
        f"{size} · target {schema.target} · strategy {schema.strategy} · {schema.seconds:.1f} s"
    ]
    if schema.chosen_because:
        lines.append(one_line(schema.chosen_because))
    if schema.cost and not layout.explains:
        costs = (f"{one_line(step.step)} {spent(step.cost)}" for step in schema.cost)
        lines.append(f"cost: {' · '.join(costs)}")
    if schema.discarded and not layout.explains:
        lines.append(f"{_left_out(schema.discarded)} left out; --explain says which and why")
    is_cut = sum(map(len, layout.opened.values())) < schema.column_count
    more = ["--explain shows all of it"] if is_cut else []
    if schema.trace:
        more.append(f"{command('trace show')} {schema.trace}")
    return Text("\n".join(filter(None, (*lines, " · ".join(more)))), style="dim")


def _left_out(discarded: Sequence[Discarded]) -> str:
    tables = sum(isinstance(item.ref, TableRef) for item in discarded)
    counts = ((tables, "table"), (len(discarded) - tables, "column"))
    return " and ".join(counted(count, what) for count, what in counts if count)


def _pairs() -> Grid:
    return grid_of(Column(style="dim", no_wrap=True), Column(ratio=1, overflow="fold"), expand=True)

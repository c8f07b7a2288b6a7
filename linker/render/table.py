"""The linked schema for people: its tables and joins, what was weighed and left out, what it cost."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rich.console import OverflowMethod, RenderableType
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from linker.link.answer import (
    Alternative,
    Discarded,
    Join,
    LinkedColumn,
    LinkedSchema,
    LinkedTable,
    Status,
    Unanswerable,
)
from linker.link.phrases import MARKS, completeness, evidence_lines, measures, named_shortly, size_of, standing, why
from linker.render.page import Page, cost_by_step, indented, spent
from linker.text.numbers import counted, percent
from linker.text.safe import one_line, spelled
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
    if schema.complete is not None:
        console.print()
        console.print(_completeness(schema))
    for heading, parts in _sections(schema, explain=explain):
        console.print()
        console.print(Text(heading, style="bold"))
        for part in parts:
            console.print(indented(part))
    console.print()
    console.print(_footer(schema, explain=explain))
    return str(page)


def _completeness(schema: LinkedSchema) -> Text:
    """How complete an answer probably is, and the tables that are unlikely."""
    is_voted = any(table.status for table in schema.tables)
    line = Text(f"{completeness(schema.complete or 0.0)}{'' if is_voted else '; nothing here is certain'}")
    if schema.further_tables:
        line.append(f"\nalso there: {named_shortly(schema.further_tables)}", style="dim")
    return line


def _unanswerable(refusal: Unanswerable) -> Panel:
    grid = _pairs()
    grid.add_row("missing", Text(one_line(refusal.missing)))
    nearest = "\n".join(spelled(ref) for ref in refusal.nearest)
    grid.add_row("nearest", Text(nearest or "nothing comes near", style="green" if nearest else ""))
    return Panel(grid, title="this warehouse cannot answer the question", title_align="left", border_style="yellow")


def _sections(schema: LinkedSchema, *, explain: bool) -> Iterator[_Section]:
    shown = {linked.table.ref for linked in schema.tables}
    if joins := [join for join in schema.joins if {join.left, join.right} <= shown]:
        yield "joins", [_join(join, explain=explain) for join in joins]
    if schema.alternatives:
        yield "ways to answer", [_alternatives(schema.alternatives)]
    if schema.discarded and explain:
        yield "left out", [_discarded(schema.discarded)]
    if schema.cost and explain:
        yield "cost", [cost_by_step(schema.cost)]


def _join(join: Join, *, explain: bool) -> Text:
    line = Text(spelled(join), style="green")
    return line.append(
        f"\n  {measures(join)}; {one_line(join.reason)}" if explain else "", style="not bold dim default"
    )


def _alternatives(alternatives: Iterable[Alternative]) -> Grid:
    grid = _pairs()
    for alternative in alternatives:
        line = Text(one_line(alternative.summary))
        if alternative.diverges:
            line.append(f" ({'; '.join(one_line(reason) for reason in alternative.diverges)})", style="dim")
        if alternative.ruled_out:
            line.append(f" \u2013 ruled out: {one_line(alternative.ruled_out)}", style="yellow")
        grid.add_row(str(alternative.number), line)
    return grid


def _discarded(discarded: Iterable[Discarded]) -> Grid:
    grid = Grid.grid(padding=(0, 2, 0, 0), expand=True)
    grid.add_column(ratio=2, overflow="fold")
    grid.add_column(width=4, style="dim")
    grid.add_column(ratio=3, overflow="fold")
    for item in discarded:
        credibility = "" if item.credibility is None else f"{item.credibility:.2f}"
        grid.add_row(Text(spelled(item.ref), style="green"), credibility, Text(one_line(item.reason)))
    return grid


def _footer(schema: LinkedSchema, *, explain: bool) -> Text:
    size = f"{counted(schema.column_count, 'column')} of {counted(len(schema.tables), 'table')}"
    lines = [f"{size} · target {schema.target} · strategy {schema.strategy} · {schema.seconds:.1f} s"]
    if schema.chosen_because:
        lines.append(one_line(schema.chosen_because))
    if schema.cost and not explain:
        lines.append(f"cost: {' · '.join(f'{one_line(step.step)} {spent(step.cost)}' for step in schema.cost)}")
    if schema.discarded and not explain:
        lines.append(f"{_left_out(schema.discarded)} left out; --explain says which and why")
    if schema.trace:
        lines.append(f"linker trace show {schema.trace}")
    return Text("\n".join(lines), style="dim")


def _left_out(discarded: Sequence[Discarded]) -> str:
    tables = sum(isinstance(item.ref, TableRef) for item in discarded)
    columns = sum(isinstance(item.ref, ColumnRef) for item in discarded)
    counts = ((tables, "table"), (columns, "column"))
    return " and ".join(counted(count, what) for count, what in counts if count)


def _pairs() -> Grid:
    grid = Grid.grid(padding=(0, 2, 0, 0), expand=True)
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(ratio=1, overflow="fold")
    return grid


# Below this width a type stands under its column where all is explained, and is left out elsewhere.
_NARROW = 100
_STYLES: dict[Status, str] = {"required": "green", "kept": "cyan", "pending": "yellow"}
_LONGEST_STATUS = 10
# Below that a column of a shortlist is named in the fold of its table.
_LIKELY = 0.05


@dataclass(frozen=True, slots=True)
class Layout:
    """Widths that all tables of an answer share, so that their columns stand under each other."""

    is_narrow: bool
    path: int
    type: int
    standing: int
    explains: bool
    is_shortlist: bool

    @classmethod
    def of(cls, schema: LinkedSchema, width: int, *, explains: bool) -> "Layout":
        """The widths that the columns of a schema need."""
        columns = [column for table in schema.tables for column in table.columns]
        paths = [len(spelled(column.column.path)) for column in columns]
        types = [len(column.column.short_type) for column in columns]
        has_status = any(column.status for column in columns)
        is_shortlist = schema.complete is not None and not has_status
        return cls(
            is_narrow=width < _NARROW,
            path=min(width // 3, max([6, *paths])),
            type=min(16, max([4, *types])),
            standing=_LONGEST_STATUS + 5 if has_status else 5 * is_shortlist,
            explains=explains,
            is_shortlist=is_shortlist,
        )


def linked_table(linked: LinkedTable, layout: Layout) -> Iterator[RenderableType]:
    """Heading, notes and columns of a table of the answer."""
    heading = Text(spelled(linked.table.ref), style="bold cyan")
    likelihood = f" · {percent(linked.score, digits=0)} likely" if layout.is_shortlist and linked.score else ""
    yield heading.append(f"   {size_of(linked.table)}{likelihood}", style="not bold dim")
    for note in _notes(linked, layout):
        yield indented(note)
    shown = _shown(linked, layout)
    if shown:
        yield indented(_columns(shown, layout))
    folded = [column for column in linked.columns if column not in shown]
    if rest := (*folded, *linked.further):
        count = f"and {counted(len(rest), 'column')} more" if shown else counted(len(rest), "column")
        text = f"{count}: {', '.join(_names_by_parent(rest))}"
        yield indented(Text(text, style="dim", no_wrap=True, overflow="ellipsis"))


def _by_parent(columns: Iterable[LinkedColumn]) -> Mapping[str, Sequence[LinkedColumn]]:
    """The columns by the one that they are or lie in, groups in the order of their first."""
    found: dict[str, list[LinkedColumn]] = defaultdict(list)
    for column in columns:
        found[column.column.column_name].append(column)
    return found


def _names_by_parent(columns: Iterable[LinkedColumn]) -> Iterator[str]:
    """Each column, and of paths inside one how many there are."""
    for parent, inside in _by_parent(columns).items():
        yield spelled(inside[0].column.path) if len(inside) == 1 else f"{spelled(parent)}.* ({len(inside)})"


def _notes(linked: LinkedTable, layout: Layout) -> Iterator[Text]:
    if linked.table.description and layout.explains:
        yield Text(one_line(linked.table.description), style="italic")
    if linked.stands_for:
        yield Text(standing(linked), style="dim")
    if linked.status:
        note = _status(linked.status, linked.credibility)
        yield note.append(f"  {_why(linked, layout)}" if _why(linked, layout) else "", style="dim")


def _shown(linked: LinkedTable, layout: Layout) -> Sequence[LinkedColumn]:
    """The columns that have a line of their own: of a shortlist the likely ones."""
    if layout.explains or not layout.is_shortlist:
        return linked.columns
    return [column for column in linked.columns if column.score >= _LIKELY]


def _columns(shown: Sequence[LinkedColumn], layout: Layout) -> Grid:
    # A line a column, unless all is explained.
    fold: OverflowMethod = "fold" if layout.explains else "ellipsis"
    is_one_line = not layout.explains
    grid = Grid.grid(expand=True, padding=(0, 2, 0, 0))
    grid.add_column(overflow="fold", width=layout.path)
    if not layout.is_narrow:
        grid.add_column(overflow=fold, width=layout.type, no_wrap=is_one_line)
    if layout.standing:
        grid.add_column(width=layout.standing)
    grid.add_column(overflow=fold, ratio=1, no_wrap=is_one_line)
    for column, name in _named(shown, layout):
        if column:
            grid.add_row(*_row(column, name, layout))
        else:
            grid.add_row(name)
    return grid


def _named(shown: Sequence[LinkedColumn], layout: Layout) -> Iterator[tuple[LinkedColumn | None, Text]]:
    """Each column with its name: under the name of their parent, paths inside it go on from there."""
    for parent, inside in _by_parent(shown).items():
        is_whole = layout.explains or len(inside) == 1
        if not is_whole and all(column.column.depth for column in inside):
            yield None, Text(spelled(parent), style="dim")
        for column in sorted(inside, key=lambda column: bool(column.column.depth)):
            path = column.column.path
            name = path if is_whole or not column.column.depth else path.removeprefix(parent)
            yield column, Text(spelled(name), style="green")


def _row(linked: LinkedColumn, name: Text, layout: Layout) -> Iterator[Text]:
    data_type = Text(one_line(linked.column.short_type), style="dim")
    if layout.is_narrow:
        yield Text("\n").join([name, data_type]) if layout.explains else name
    else:
        yield from (name, data_type)
    if layout.standing:
        yield _status(linked.status, linked.credibility) if linked.status else Text(percent(linked.score, digits=0))
    has_text = linked.column.description and layout.explains
    texts = [Text(one_line(linked.column.description or ""))] if has_text else []
    reason = _why(linked, layout)
    yield Text("\n").join([*texts, Text(reason, style="dim")] if reason else texts)


def _why(linked: LinkedColumn | LinkedTable, layout: Layout) -> str:
    if not layout.explains:
        return why(linked)
    # A reason that is some evidence is told once.
    reason = linked.reason if linked.reason not in [item.text for item in linked.evidence] else ""
    return "\n".join([*([one_line(reason)] if reason else []), *evidence_lines(linked.evidence)])


def _status(status: Status, credibility: float | None) -> Text:
    line = Text(f"{MARKS[status]} {status}", style=_STYLES[status])
    # No votes leave no credibility: what was brought in later has none.
    if credibility:
        line.append(f"{' ' * (_LONGEST_STATUS - len(line))} {credibility:.2f}", style="not bold dim")
    return line

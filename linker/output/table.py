"""Linked schemas and SQL answers as pages for the terminal."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain

from rich import box
from rich.console import OverflowMethod, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Column
from rich.table import Table as Grid
from rich.text import Text

from linker.linking.result import (
    MARKS,
    Alternative,
    Discarded,
    Join,
    LinkedColumn,
    LinkedSchema,
    LinkedTable,
    Status,
    Unanswerable,
    completeness,
    evidence_lines,
    measures,
    named_shortly,
    no_answer,
    relevance,
    size_of,
    standing,
    why,
)
from linker.output.layout import cost_by_step, grid_of, indented, page, spent
from linker.sql import Cell, Result, SqlAnswer
from linker.text.commands import command
from linker.text.escaping import escape_invisible, lines_of, one_line, shortened
from linker.text.numbers import counted
from linker.types import Record, TableRef

# Below this width types go on their own line, or are omitted.
_NARROW = 100
_STYLES: dict[Status, str] = {"required": "green", "kept": "cyan", "pending": "yellow"}
_LONGEST_STATUS = 10
# Less relevant columns and tables are only named.
_LIKELY = 0.05
_LIKELY_TABLE = 0.1
# Number of nested paths named.
_FEW_PATHS = 3
# Of a 25-line screen, lines for tables and columns.
_MAX_LINES = 13

_Section = tuple[str, Iterable[RenderableType]]
# Maximum joins shown; beyond, the last line counts the others.
_MAX_JOINS = 3


class Layout(Record, frozen=True):
    """Column widths shared by all tables of an answer."""

    is_narrow: bool
    path: int
    type: int
    standing: int
    explains: bool
    is_shortlist: bool
    opened: Mapping[TableRef, Sequence[LinkedColumn]]

    @property
    def is_page(self) -> bool:
        """Whether it is the one-screen form of a shortlist."""
        return self.is_shortlist and not self.explains

    @classmethod
    def create(cls, schema: LinkedSchema, width: int, *, explains: bool) -> "Layout":
        """The columns with a line of their own, and their widths."""
        columns_of = {linked.table.ref: linked.columns for linked in schema.tables}
        has_status = any(column.status for column in chain.from_iterable(columns_of.values()))
        is_shortlist = schema.complete is not None and not has_status
        opened = _likely(schema) if is_shortlist and not explains else columns_of
        columns = [linked.column for linked in chain.from_iterable(opened.values())]
        return cls(
            is_narrow=width < _NARROW,
            path=min(
                width // 3, max([6, *(len(escape_invisible(column.path)) for column in columns)])
            ),
            type=min(16, max([4, *(len(column.short_type) for column in columns)])),
            standing=_LONGEST_STATUS + 5 if has_status else 5 * is_shortlist,
            explains=explains,
            is_shortlist=is_shortlist,
            opened=opened,
        )


def _likely(schema: LinkedSchema) -> dict[TableRef, Sequence[LinkedColumn]]:
    """By relevant table its relevant columns, as many as fit on a screen; at least one."""
    tables = [linked for linked in schema.tables if (linked.score or 0.0) >= _LIKELY_TABLE]
    tables = tables or list(schema.tables[:1])
    columns: list[tuple[LinkedTable, LinkedColumn]] = []
    for table in tables:
        columns += [(table, column) for column in table.columns]
    columns.sort(key=lambda pair: -_shown_relevance(*pair))
    likely = [pair for pair in columns if pair[1].score >= _LIKELY]
    opened: dict[TableRef, list[LinkedColumn]] = {table.table.ref: [] for table in tables}
    left = _MAX_LINES
    for table, column in likely or columns[:1]:
        before = opened[table.table.ref]
        # In answer order.
        after = [entry for entry in table.columns if entry is column or entry in before]
        more = _lines(table, after) - _lines(table, before)
        if more <= left or left == _MAX_LINES:
            opened[table.table.ref], left = after, left - more
    return {ref: columns for ref, columns in opened.items() if columns}


def _shown_relevance(table: LinkedTable, column: LinkedColumn) -> float:
    """A column is at most as relevant as its table, and the best one stands for it."""
    if table.score is None:
        return column.score
    best = max(other.score for other in table.columns)
    return table.score if column.score == best else min(column.score, table.score)


def _lines(linked: LinkedTable, opened: Sequence[LinkedColumn]) -> int:
    """Lines of a table: heading, duplicates, columns with parents, and the rest."""
    if not opened:
        return 0
    has_others = len(opened) < len(linked.columns) + len(linked.further)
    parents = sum(map(_has_line, _by_parent(opened).values()))
    return 1 + bool(linked.stands_for) + parents + len(opened) + has_others


def linked_table(linked: LinkedTable, layout: Layout) -> Iterator[RenderableType]:
    """Heading, notes and columns of a table."""
    about = size_of(linked.table)
    if layout.is_shortlist and linked.score:
        about += f" · relevance {relevance(linked.score)}"
    heading = Text(escape_invisible(linked.table.ref), style="bold cyan")
    yield heading.append(f"   {about}", style="not bold dim")
    for note in _notes(linked, layout):
        yield indented(note)
    shown = layout.opened.get(linked.table.ref, ())
    if shown:
        yield indented(_columns(shown, layout))
    rest = [column for column in linked.columns if column not in shown] + [*linked.further]
    if rest:
        text = f"{counted(len(rest), 'more column')}: {', '.join(_names_by_parent(rest))}"
        yield indented(Text(text, style="dim", no_wrap=True, overflow="ellipsis"))


def _by_parent(columns: Iterable[LinkedColumn]) -> Mapping[str, Sequence[LinkedColumn]]:
    """Columns by themselves or their parent, in order of appearance."""
    groups: dict[str, list[LinkedColumn]] = defaultdict(list)
    for column in columns:
        groups[column.column.column_name].append(column)
    return groups


def _has_line(inside: Sequence[LinkedColumn]) -> bool:
    """Whether paths need a line for their unselected parent."""
    return len(inside) > 1 and all(column.column.depth for column in inside)


def _names_by_parent(columns: Iterable[LinkedColumn]) -> Iterator[str]:
    """Column names; many paths in one column are counted."""
    for parent, inside in _by_parent(columns).items():
        if len(inside) <= _FEW_PATHS:
            yield from (escape_invisible(column.column.path) for column in inside)
        else:
            yield f"{escape_invisible(parent)}.* ({len(inside)})"


def _notes(linked: LinkedTable, layout: Layout) -> Iterator[Text]:
    if linked.table.description and layout.explains:
        yield Text(one_line(linked.table.description), style="italic")
    if linked.stands_for:
        yield Text(standing(linked), style="dim")
    if linked.status:
        note, reason = _status(linked.status, linked.credibility), _why(linked, layout)
        yield note.append(f"  {reason}" if reason else "", style="dim")


def _columns(shown: Sequence[LinkedColumn], layout: Layout) -> Grid:
    # One line per column unless explaining.
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


def _named(
    shown: Sequence[LinkedColumn], layout: Layout
) -> Iterator[tuple[LinkedColumn | None, Text]]:
    """Columns with names; nested paths continue below their parent."""
    for parent, inside in _by_parent(shown).items():
        is_whole = layout.explains or len(inside) == 1
        if not layout.explains and _has_line(inside):
            yield None, Text(escape_invisible(parent), style="dim")
        for column in sorted(inside, key=lambda column: bool(column.column.depth)):
            path = column.column.path
            name = path if is_whole or not column.column.depth else path.removeprefix(parent)
            yield column, Text(escape_invisible(name), style="green")


def _row(linked: LinkedColumn, name: Text, layout: Layout) -> Iterator[Text]:
    data_type = Text(one_line(linked.column.short_type), style="dim")
    if layout.is_narrow:
        yield Text("\n").join([name, data_type]) if layout.explains else name
    else:
        yield from (name, data_type)
    if layout.standing and linked.status:
        yield _status(linked.status, linked.credibility)
    elif layout.standing:
        yield Text(relevance(linked.score))
    about, reason = one_line(linked.column.description or ""), _why(linked, layout)
    texts = [Text(about)] if about and layout.explains else []
    texts += [Text(reason, style="dim")] if reason else []
    yield Text("\n").join(texts)


def _why(linked: LinkedColumn | LinkedTable, layout: Layout) -> str:
    if not layout.explains:
        return why(linked)
    # Show a reason once if it is also evidence.
    is_evidence = linked.reason in [item.text for item in linked.evidence]
    reason = "" if is_evidence else one_line(linked.reason)
    return "\n".join(filter(None, (reason, *evidence_lines(linked.evidence))))


def _status(status: Status, credibility: float | None) -> Text:
    line = Text(f"{MARKS[status]} {status}", style=_STYLES[status])
    # Columns added later have no credibility.
    if credibility:
        line.append(
            f"{' ' * (_LONGEST_STATUS - len(line))} {credibility:.2f}", style="not bold dim"
        )
    return line


def render_table(
    schema: LinkedSchema,
    *,
    width: int,
    color: bool,
    explain: bool = False,
    explain_by: str = "--explain",
) -> str:
    """
    A linked schema; `explain` adds evidence and discarded candidates, `explain_by` names the option
    that does.
    """
    layout = Layout.create(schema, width, explains=explain)
    return page(_parts(schema, layout, explain_by), width=width, color=color)


def _parts(schema: LinkedSchema, layout: Layout, explain_by: str) -> Iterator[RenderableType]:
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
    yield _footer(schema, layout, explain_by)


def _besides(schema: LinkedSchema, layout: Layout) -> Iterator[RenderableType]:
    """End of the one-screen form: joins, other tables in one line, completeness."""
    yield ""
    grid = grid_of(
        Column(style="dim", no_wrap=True),
        Column(ratio=1, no_wrap=True, overflow="ellipsis"),
        expand=True,
    )
    joins = _nearest(_leading(schema, layout.opened.keys()), layout.opened.keys())
    shown = len(joins) if len(joins) <= _MAX_JOINS else _MAX_JOINS - 1
    for number, join in enumerate(joins[:shown]):
        grid.add_row("" if number else "joins", _join(join, explain=False))
    if shown < len(joins):
        grid.add_row("", Text(f"{len(joins) - shown} more", style="dim"))
    folded = [linked for linked in schema.tables if linked.table.ref not in layout.opened]
    likely = [f"{escape_invisible(it.table.ref)} {relevance(it.score or 0.0)}" for it in folded]
    if likely:
        grid.add_row("other tables", Text(", ", style="dim").join(map(Text, likely)))
    if schema.further_tables:
        grid.add_row("not selected", Text(named_shortly(schema.further_tables), style="dim"))
    if grid.row_count:
        yield grid
    yield _completeness(schema)


def _sections(schema: LinkedSchema, layout: Layout) -> Iterator[RenderableType]:
    """End of the long form, by section."""
    if schema.complete is not None:
        yield ""
        yield _completeness(schema)
        if schema.further_tables:
            yield Text(f"not selected: {named_shortly(schema.further_tables)}", style="dim")
    for heading, parts in _headed(schema, layout):
        yield ""
        yield Text(heading, style="bold")
        yield from map(indented, parts)
    yield ""


def _completeness(schema: LinkedSchema) -> Text:
    """The estimated completeness."""
    return Text(completeness(schema.complete or 0.0))


def _unanswerable(refusal: Unanswerable) -> Panel:
    grid = _pairs()
    grid.add_row("missing", Text(one_line(refusal.missing)))
    nearest = "\n".join(escape_invisible(ref) for ref in refusal.nearest)
    grid.add_row(
        "nearest", Text(nearest or "no similar tables or columns", style="green" if nearest else "")
    )
    return Panel(
        grid,
        title="the warehouse cannot answer this question",
        title_align="left",
        border_style="yellow",
    )


def _headed(schema: LinkedSchema, layout: Layout) -> Iterator[_Section]:
    if joins := _leading(schema, layout.opened.keys()):
        yield "joins", [_join(join, explain=layout.explains) for join in joins]
    if schema.alternatives:
        yield "hypotheses", [_alternatives(schema.alternatives)]
    if schema.discarded and layout.explains:
        yield "discarded", [_discarded(schema.discarded)]
    if schema.cost and layout.explains:
        yield "cost", [cost_by_step(schema.cost)]


def _leading(schema: LinkedSchema, opened: Set[TableRef]) -> Sequence[Join]:
    """Joins that connect the shown tables, through others if needed."""
    shown = {linked.table.ref for linked in schema.tables}
    joins = [join for join in schema.joins if {join.left, join.right} <= shown]
    while True:
        ends = Counter([join.left for join in joins] + [join.right for join in joins])
        # A table with a single join connects nothing.
        kept_ends = {ref for ref, count in ends.items() if ref in opened or count > 1}
        kept = [join for join in joins if {join.left, join.right} <= kept_ends]
        if kept == joins:
            return joins
        joins = kept


def _nearest(joins: Sequence[Join], opened: Set[TableRef]) -> Sequence[Join]:
    """Joins between shown tables, then others if these do not connect all."""
    direct = [join for join in joins if {join.left, join.right} <= opened]
    together = [{ref} for ref in opened]
    for join in direct:
        joined = [group for group in together if not group.isdisjoint((join.left, join.right))]
        together = [*(group for group in together if group not in joined), set().union(*joined)]
    others = [join for join in joins if join not in direct]
    return direct if len(together) <= 1 else direct + others


def _join(join: Join, *, explain: bool) -> Text:
    # A join is not split over lines.
    line = Text(escape_invisible(join), style="green", no_wrap=False, overflow="fold")
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
        grid.add_row(Text(escape_invisible(item.ref)), credibility, Text(one_line(item.reason)))
    return grid


def _footer(schema: LinkedSchema, layout: Layout, explain_by: str) -> Text:
    size = f"{counted(schema.column_count, 'column')} of {counted(len(schema.tables), 'table')}"
    because = f" ({one_line(schema.chosen_because)})" if schema.chosen_because else ""
    lines = [
        (
            f"{size} · target {schema.target} · strategy {schema.strategy}{because} · "
            f"{schema.seconds:.1f} s"
        )
    ]
    if schema.cost and not layout.explains:
        costs = (f"{one_line(step.step)} {spent(step.cost)}" for step in schema.cost)
        lines.append(f"cost: {' · '.join(costs)}")
    if schema.discarded and not layout.explains:
        lines.append(f"{_left_out(schema.discarded)} discarded; {explain_by} shows which and why")
    is_cut = sum(map(len, layout.opened.values())) < schema.column_count
    more = [f"{explain_by} shows all columns"] if is_cut else []
    if schema.trace:
        more.append(f"{command('trace show')} {schema.trace}")
    return Text("\n".join(filter(None, (*lines, " · ".join(more)))), style="dim")


def _left_out(discarded: Sequence[Discarded]) -> str:
    tables = sum(isinstance(item.ref, TableRef) for item in discarded)
    counts = ((tables, "table"), (len(discarded) - tables, "column"))
    return " and ".join(counted(count, what) for count, what in counts if count)


def _pairs() -> Grid:
    return grid_of(Column(style="dim", no_wrap=True), Column(ratio=1, overflow="fold"), expand=True)


ROWS_SHOWN = 20
_LONGEST_CELL = 60
_HEADINGS = {
    "answered": ("● answered", "green"),
    "draft": ("◐ draft, unverified", "yellow"),
    "written": ("○ not run", "cyan"),
    "failed": ("no answer", "yellow"),
    "unanswerable": ("the warehouse cannot answer this question", "yellow"),
}


def sql_table(answer: SqlAnswer, *, width: int, color: bool) -> str:
    return page(_answer_parts(answer), width=width, color=color)


def _answer_parts(answer: SqlAnswer) -> Iterator[RenderableType]:
    yield Text(one_line(answer.question), style="bold")
    heading, style = _HEADINGS[answer.outcome]
    yield Text(f"{heading}{_how_sure(answer)}", style=style)
    if answer.unanswerable:
        yield Text(no_answer(answer.unanswerable))
    elif not answer.is_answer:
        yield Text(one_line(answer.missing))
    if answer.sql:
        yield Padding(Text(lines_of(answer.sql)), (1, 0, 1, 2))
    if answer.result:
        yield from _result(answer.result)
    yield from _answer_notes(answer)
    yield Text(
        f"\n{spent(answer.bill.total)}{f' · trace {answer.trace}' if answer.trace else ''}",
        style="dim",
    )


def _how_sure(answer: SqlAnswer) -> str:
    if answer.confidence is None:
        return ""
    return f" · {answer.votes} of {answer.of} candidates agree, confidence {answer.confidence:.2f}"


def _result(result: Result) -> Iterator[RenderableType]:
    if not result.rows:
        yield Text("no rows")
        return
    grid = Grid(box=box.SIMPLE_HEAD, pad_edge=False)
    for index, name in enumerate(result.columns):
        are_numbers = all(
            isinstance(row[index], int | float) or row[index] is None for row in result.rows
        )
        grid.add_column(
            escape_invisible(name), justify="right" if are_numbers else "left", overflow="fold"
        )
    for row in result.rows[:ROWS_SHOWN]:
        grid.add_row(*(_cell(cell) for cell in row))
    yield grid
    if result.is_cut:
        yield Text(
            f"the first {min(ROWS_SHOWN, len(result.rows))} of more than "
            f"{counted(len(result.rows), 'row')}",
            "dim",
        )
    elif len(result.rows) > ROWS_SHOWN:
        yield Text(f"the first {ROWS_SHOWN} of {counted(len(result.rows), 'row')}", style="dim")


def _answer_notes(answer: SqlAnswer) -> Iterator[RenderableType]:
    """Doubts, and columns used."""
    for doubt in answer.doubts:
        yield Text(f"unverified: {one_line(doubt)}", style="yellow")
    if answer.used:
        yield Text(f"uses {escape_invisible(', '.join(map(str, answer.used)))}", style="dim")
    if answer.masked:
        masked = escape_invisible(", ".join(map(str, answer.masked)))
        yield Text(f"masked, null or not null only: {masked}", style="dim")


def _cell(cell: Cell) -> Text:
    if cell is None:
        return Text("–", style="dim")
    if isinstance(cell, float):
        is_plain = abs(cell) >= 0.01 or cell == 0
        return Text(f"{cell:,.2f}".rstrip("0").rstrip(".") if is_plain else f"{cell:.3g}")
    return Text(shortened(one_line(str(cell)), _LONGEST_CELL))

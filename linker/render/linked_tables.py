"""Tables of the answer for people: enters a linked table, leaves its heading and a row for each of its columns."""

from collections.abc import Iterator
from dataclasses import dataclass

from rich import box
from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from linker.link.answer import LinkedColumn, LinkedSchema, LinkedTable, Status
from linker.link.phrases import MARKS, evidence_lines, size_of, standing, why
from linker.text.safe import one_line

# Below this width a type stands under its column, and a credibility under its status.
_NARROW = 100
_STYLES: dict[Status, str] = {"required": "green", "kept": "cyan", "pending": "yellow"}
_LONGEST_STATUS = 10


@dataclass(frozen=True, slots=True)
class Layout:
    """Widths that all tables of an answer share, so that their columns stand under each other."""

    is_narrow: bool
    path: int
    type: int
    has_status: bool
    explains: bool

    @classmethod
    def of(cls, schema: LinkedSchema, width: int, *, explains: bool) -> "Layout":
        """The widths that the columns of a schema need."""
        columns = [column for table in schema.tables for column in table.columns]
        is_narrow = width < _NARROW
        paths = [len(one_line(column.column.path)) for column in columns]
        types = [len(column.column.short_type) for column in columns]
        path = max([6, *paths, *(types if is_narrow else ())])
        return cls(
            is_narrow=is_narrow,
            path=min(width // 3, path),
            type=min(16, max([4, *types])),
            has_status=any(column.status for column in columns),
            explains=explains,
        )


def linked_table(linked: LinkedTable, layout: Layout) -> Iterator[RenderableType]:
    """What stands on the page for a table of the answer."""
    heading = Text(one_line(str(linked.table.ref)), style="bold cyan")
    yield heading.append(f"   {size_of(linked.table)}", style="not bold dim")
    for note in _notes(linked, layout):
        yield Padding(note, (0, 0, 0, 2))
    yield Padding(_columns(linked, layout), (0, 0, 0, 2))


def _notes(linked: LinkedTable, layout: Layout) -> Iterator[Text]:
    if linked.table.description:
        yield Text(one_line(linked.table.description), style="italic")
    if linked.stands_for:
        yield Text(standing(linked), style="dim")
    if linked.status:
        note = _status(linked.status, linked.credibility, " ")
        yield note.append(f"  {_why(linked, layout)}" if _why(linked, layout) else "", style="dim")


def _columns(linked: LinkedTable, layout: Layout) -> Grid:
    grid = Grid(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, expand=True, padding=(0, 2, 0, 0))
    grid.add_column("column", overflow="fold", width=layout.path)
    if not layout.is_narrow:
        grid.add_column("type", overflow="fold", width=layout.type)
    if layout.has_status:
        grid.add_column("status", width=_LONGEST_STATUS + (0 if layout.is_narrow else 5))
    grid.add_column("what it is, and why it is here", overflow="fold", ratio=1)
    for column in linked.columns:
        grid.add_row(*_row(column, layout))
    return grid


def _row(linked: LinkedColumn, layout: Layout) -> Iterator[Text]:
    name = Text(one_line(linked.column.path), style="green")
    data_type = Text(one_line(linked.column.short_type), style="dim")
    if layout.is_narrow:
        yield Text("\n").join([name, data_type])
    else:
        yield from (name, data_type)
    if layout.has_status:
        yield _status(linked.status, linked.credibility, "\n" if layout.is_narrow else " ")
    said = [Text(one_line(linked.column.description))] if linked.column.description else []
    told = _why(linked, layout)
    yield Text("\n").join([*said, Text(told, style="dim")] if told else said)


def _why(linked: LinkedColumn | LinkedTable, layout: Layout) -> str:
    if not layout.explains:
        return why(linked)
    # A reason that is some evidence is told once.
    reason = linked.reason if linked.reason not in [one.text for one in linked.evidence] else ""
    return "\n".join([*([one_line(reason)] if reason else []), *evidence_lines(linked.evidence)])


def _status(status: Status | None, credibility: float | None, between: str) -> Text:
    if status is None:
        return Text("")
    said = Text(f"{MARKS[status]} {status}", style=_STYLES[status])
    # No votes leave no credibility: what was brought in later has none.
    if credibility:
        room = " " * (_LONGEST_STATUS - len(said)) if between == " " else ""
        said.append(f"{room}{between}{credibility:.2f}", style="not bold dim")
    return said

"""SQL answers: a page for people, the versioned document for programs."""

from collections.abc import Iterator

from rich import box
from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from linker.linking.result import no_answer
from linker.output.json import SqlRecord
from linker.output.layout import page, spent
from linker.sql import Cell, Result, SqlAnswer
from linker.text.escaping import escape_invisible, escaped, lines_of, one_line, shortened
from linker.text.numbers import counted

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
    return page(_parts(answer), width=width, color=color)


def _parts(answer: SqlAnswer) -> Iterator[RenderableType]:
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
    yield from _notes(answer)
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
            f"the first {min(ROWS_SHOWN, len(result.rows))} of more than {counted(len(result.rows), 'row')}",
            "dim",
        )
    elif len(result.rows) > ROWS_SHOWN:
        yield Text(f"the first {ROWS_SHOWN} of {counted(len(result.rows), 'row')}", style="dim")


def _notes(answer: SqlAnswer) -> Iterator[RenderableType]:
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


def sql_json(answer: SqlAnswer) -> str:
    """Indented JSON."""
    return escaped(SqlRecord.model_validate(answer).model_dump_json(indent=2))

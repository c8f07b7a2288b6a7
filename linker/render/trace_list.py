"""
The traces that are kept, for people and programs: enter traces, leave two lines or a record for
each.
"""

from datetime import datetime

from rich.table import Column
from rich.text import Text

from linker.budget import Cost
from linker.render import as_json
from linker.render.page import grid_of, page, spent
from linker.text.numbers import counted
from linker.text.safe import one_line
from linker.types import Record, as_dict


class TraceLine(Record, frozen=True):
    """
    One run in the list; `columns` is None where it did not come to an end, `is_answered` says if it
    could.
    """

    id: str
    started: datetime
    question: str
    strategy: str
    columns: int | None
    is_answered: bool
    cost: Cost


def render_list(kept: list[TraceLine], *, width: int, color: bool) -> str:
    """Each with its question, and below it when and how it was asked."""
    grid = grid_of(Column(style="cyan", no_wrap=True), Column(overflow="fold"))
    for line in kept:
        question = Text(one_line(line.question), style="bold")
        grid.add_row(line.id, question.append(f"\n{_outcome(line)}", style="not bold dim"))
    return page([grid], width=width, color=color)


def render_json(kept: list[TraceLine]) -> str:
    """A list of records."""
    return as_json([as_dict(line) for line in kept])


def _outcome(line: TraceLine) -> str:
    when = line.started.strftime("%Y-%m-%d %H:%M UTC")
    if line.columns is None:
        return f"{when} · did not come to an end"
    answer = counted(line.columns, "column") if line.is_answered else "no answer"
    return f"{when} · {line.strategy} · {answer} · {spent(line.cost)}"

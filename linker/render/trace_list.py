"""The traces that are kept, for people and programs: enter traces, leave two lines or a record for each."""

import json
from dataclasses import asdict, dataclass
from datetime import datetime

from rich.table import Table as Grid
from rich.text import Text

from linker.budget import Cost
from linker.render.page import Page, spent
from linker.text.numbers import counted
from linker.text.safe import escaped, one_line


@dataclass(frozen=True, slots=True)
class TraceLine:
    """One run in the list; `columns` is None where it did not come to an end, `is_answered` says if it could."""

    id: str
    started: datetime
    question: str
    strategy: str
    columns: int | None
    is_answered: bool
    cost: Cost


def render_list(kept: list[TraceLine], *, width: int, color: bool) -> str:
    """Each with its question, and below it when and how it was asked."""
    page = Page(width=width, color=color)
    grid = Grid.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="cyan", no_wrap=True)
    grid.add_column(overflow="fold")
    for one in kept:
        question = Text(one_line(one.question), style="bold")
        grid.add_row(one.id, question.append(f"\n{_outcome(one)}", style="not bold dim"))
    page.console.print(grid)
    return str(page)


def render_json(kept: list[TraceLine]) -> str:
    """A list of records."""
    records = [{**asdict(one), "started": one.started.isoformat()} for one in kept]
    return escaped(json.dumps(records, ensure_ascii=False, indent=2))


def _outcome(one: TraceLine) -> str:
    when = one.started.strftime("%Y-%m-%d %H:%M UTC")
    if one.columns is None:
        return f"{when} · did not come to an end"
    answer = counted(one.columns, "column") if one.is_answered else "no answer"
    return f"{when} · {one.strategy} · {answer} · {spent(one.cost)}"

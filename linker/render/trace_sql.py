"""The steps of an answer in SQL, for people: enters the events of a trace, leave candidates, votes and the end."""

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import TypeAdapter
from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from linker.sql.records import Candidate, SqlAnswer
from linker.text.numbers import counted
from linker.text.safe import lines_of, one_line

_Event = Mapping[str, Any]


def candidates(event: _Event) -> Iterator[RenderableType]:
    """What each candidate wrote, and what came of it."""
    for one in TypeAdapter(tuple[Candidate, ...]).validate_python(event["candidates"]):
        if one.error:
            yield Text(f"{one.number}. {one_line(one.error)}", style="yellow")
        for turn, attempt in enumerate(one.attempts):
            name = f"{one.number}." if not turn else f"{one.number}. corrected"
            yield Text(f"{name} {one_line(attempt.sql)}")
            if attempt.error:
                yield _indented(Text(one_line(attempt.error), style="yellow"))


def groups(event: _Event) -> Iterator[RenderableType]:
    """How many candidates gave the same rows."""
    sizes = ", ".join(str(size) for size in event["sizes"])
    yield Text(f"groups of the same rows: {sizes}; chosen: that of candidate {event['chosen']}")


def sql(event: _Event) -> Iterator[RenderableType]:
    """The statement, and what came of it."""
    answer = TypeAdapter(SqlAnswer).validate_python(event["answer"])
    rows = f", {counted(len(answer.result.rows), 'row')}" if answer.result else ""
    yield Text(f"{answer.outcome}{rows}")
    if answer.missing:
        yield Text(one_line(answer.missing), style="yellow")
    if answer.sql:
        yield _indented(Text(lines_of(answer.sql)))


def _indented(part: RenderableType) -> RenderableType:
    return Padding(part, (0, 0, 0, 2))

"""
What a language model is at while it is waited for: enters how much of a reply is there, leaves a
line on stderr.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from linker.cli.log import is_json
from linker.cli.progress import Stage, at_work

if TYPE_CHECKING:
    from linker.config import Settings
    from linker.models import ReplyLength


@contextmanager
def shown_thinking(settings: "Settings") -> Iterator[None]:
    """Show which step asks which model, for how long, and how much came back."""
    if not settings.model:
        yield
        return
    from linker.link.trace import heard

    with at_work("model", "links the question") as running, _displayed(running):

        def show(step: str, model: str, reply: "ReplyLength") -> None:
            running.does = line_of(step, model, reply)
            if running.display:
                running.display()

        with heard(show):
            yield


@contextmanager
def _displayed(running: Stage) -> Iterator[None]:
    """Show on a terminal what it is at, at once."""
    if not sys.stderr.isatty() or is_json():
        yield
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(running.does, total=None)
        running.display = lambda: progress.update(task, description=running.does)
        yield


def line_of(step: str, model: str, reply: "ReplyLength") -> str:
    """What the model of a step is at."""
    if reply.written:
        return f"{step}: {model} writes, {reply.written:,} characters"
    return (
        f"{step}: {model} reasons, {reply.thought:,} characters"
        if reply.thought
        else f"{step}: waits for {model}"
    )

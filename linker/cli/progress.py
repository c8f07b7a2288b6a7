"""
What is said on stderr while a command works, and of each stage when it is done.

A stage on a terminal has a display of its own. Everywhere else, and before the first stage, a plain
line says what is at work: once nothing was said for most of a second, and then every ten seconds.
What is faster says nothing.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Lock, Thread
from time import perf_counter

import click
from click.globals import push_context

from linker.cli.log import is_json, say
from linker.text.safe import one_line

# With the start of Python, which takes 0.15 s, not yet a second.
_FIRST = 0.7
_AGAIN = 10.0
# A table that is read for so long is named.
_NAMES_AFTER = 5.0
_LOOK = 0.1
# What is at work, the innermost last.
_AT_WORK: "list[Stage]" = []
_SAYING = Lock()


class Stage:
    """
    One stage of a command: what it does, how far it is, and what it says of itself when it is done.
    """

    def __init__(self, name: str, does: str, names_after: float = _NAMES_AFTER) -> None:
        self.name, self.does, self._names_after = name, does, names_after
        self.summary = ""
        # For `--log-format json`, by the names of `stage_done`.
        self.numbers: dict[str, int] = {}
        self.done, self.total = 0, 0
        self._table, self._table_since, self._named = "", 0.0, ""
        self._is_at_rest = False
        # Whatever shows it on a terminal; no lines are needed then.
        self.display: Callable[[], None] | None = None
        self._started = perf_counter()
        self.next_line = self._started + _FIRST

    @property
    def seconds(self) -> float:
        """How long it works."""
        return round(perf_counter() - self._started, 3)

    def on_progress(self, done: int, total: int) -> None:
        """Note how much is done, of how much."""
        self.done, self.total = done, total
        self._show()

    def on_phase(self, does: str) -> None:
        """Note what it does from now on; where that takes long, a line says so."""
        self.does, self.done, self.total, self._table = does, 0, 0, ""
        self.next_line = min(self.next_line, perf_counter() + _FIRST)
        self._show()

    def on_table(self, table: str) -> None:
        """Note which table it reads from now on; where that takes long, it is named."""
        self._table, self._table_since = table, perf_counter()

    @property
    def long_table(self) -> str:
        """The table that it reads for long already."""
        return self._table if perf_counter() - self._table_since >= self._names_after else ""

    def on_wait(self, message: str) -> None:
        """Say at once what it waits for."""
        say("file_held", message)

    def rest(self) -> None:
        """Say no more."""
        self._is_at_rest = True

    def takes_line(self, again: float) -> bool:
        """Tell if it is time for a line: the first, the next one, or one that names a table."""
        now = perf_counter()
        is_to_name = self.long_table not in ("", self._named)
        if self._is_at_rest or (now < self.next_line and not is_to_name):
            return False
        self.next_line, self._named = now + again, self.long_table
        return True

    def _show(self) -> None:
        if self.display:
            self.display()


@contextmanager
def at_work(
    name: str, does: str, again: float = _AGAIN, names_after: float = _NAMES_AFTER
) -> Iterator[Stage]:
    """Let plain lines say what is at work, with so many seconds between them."""
    running = Stage(name, does, names_after)
    outer = _AT_WORK[-1] if _AT_WORK else None
    if outer:
        # Where nothing was said yet, nobody waits for longer.
        running.next_line = min(running.next_line, outer.next_line)
    ended = Event()
    context = click.get_current_context(silent=True)
    speaker = Thread(
        target=_speak, args=(running, ended, again, context), name="progress", daemon=True
    )
    _AT_WORK.append(running)
    speaker.start()
    try:
        yield running
    finally:
        ended.set()
        speaker.join()
        _AT_WORK.pop()
        if outer:
            outer.next_line = max(outer.next_line, perf_counter() + _FIRST)


@contextmanager
def stage(name: str, does: str = "works", names_after: float = _NAMES_AFTER) -> Iterator[Stage]:
    """Show a stage while it works, and say in a line how long it took when it is done."""
    with at_work(name, does, names_after=names_after) as running, _displayed(running):
        yield running
    if is_json():
        say("stage_done", running.summary, stage=name, seconds=running.seconds, **running.numbers)
    else:
        click.echo(
            f"{click.style('✓', fg='green')} {name:<10} {running.seconds:6.1f} s   {running.summary}",
            err=True,
        )


def at_rest() -> None:
    """
    Say nothing more of the command that runs: it is done, serves others, or waits for an answer.
    """
    # A line that is under way is said before.
    with _SAYING:
        for running in _AT_WORK:
            running.rest()


def _speak(running: Stage, ended: Event, again: float, context: click.Context | None) -> None:
    if context:
        # A thread knows nothing of the command otherwise, nor of the format of its log.
        push_context(context)
    while not ended.wait(min(_LOOK, again)):
        if running.display:
            running.display()
            continue
        with _SAYING:
            if _AT_WORK[-1] is running and running.takes_line(again):
                _say(running)


def _doing(running: Stage) -> str:
    return f"{running.does}: {one_line(running.long_table)}" if running.long_table else running.does


def _say(running: Stage) -> None:
    """Say in a line what it does, how far it is, and since when."""
    parts = [_doing(running)]
    if running.done < running.total:
        parts.append(f"{running.done:,} of {running.total:,}")
    if running.seconds >= 2:
        parts.append(f"{running.seconds:.0f} s")
    line = ", ".join(parts)
    counts = {"done": running.done, "total": running.total} if running.total else {}
    if is_json():
        table = running.long_table or None
        say("at_work", line, stage=running.name, seconds=running.seconds, table=table, **counts)
    else:
        click.echo(f"… {running.name:<10} {one_line(line)}", err=True)


@contextmanager
def _displayed(running: Stage) -> Iterator[None]:
    """
    Show a spinner on a terminal, and a bar with rate and remaining time once there is something to
    count.
    """
    if not sys.stderr.isatty() or is_json():
        yield
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    words = TextColumn("{task.description}", markup=False)
    counted = (
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Progress(
        SpinnerColumn(), words, *counted, console=Console(stderr=True), transient=True
    ) as progress:
        task = progress.add_task(f"{running.name:<10} {running.does}", total=None, rate="")

        def show() -> None:
            total = running.total or None
            progress.update(
                task,
                description=f"{running.name:<10} {_doing(running)}",
                completed=running.done,
                total=total,
            )
            speed = progress.tasks[task].speed
            progress.update(task, rate=f"{speed:,.0f}/s" if speed else "")

        running.display = show
        yield

"""
Progress on stderr: messages, the running step and finished stages, as text or JSON lines
(`--log-format json`).

Every message is one of a fixed list of events with a level and fields. Events hold names, numbers
and error messages as `linker runs` records them, never values of the warehouse or settings.

On a terminal a stage shows a live display, and so does a pending model call. Elsewhere a plain line
names the running step after most of a second, then every ten seconds. Faster steps print nothing.
"""

import json
import logging
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock, Thread
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import click
from click.globals import push_context

from linker.linking.trace import listen_to_replies
from linker.text.escaping import escaped, one_line
from linker.types import ProgressStage, Record, Run, Work, as_dict

if TYPE_CHECKING:
    from linker.config.settings import Settings
    from linker.models import ReplyLength

CommandT = TypeVar("CommandT", bound=Callable[..., Any])
FORMATS = ("human", "json")
_KEY = "linker.log_format"
# Fields of `run_done`, named as in the record.
RUN_FIELDS = Work.__struct_fields__

# Almost a second, including Python's start (0.15 s).
_FIRST = 0.7
_AGAIN = 10.0
# Seconds after which a table is named.
_NAMES_AFTER = 5.0
_LOOK = 0.1
# Running stages, innermost last.
_RUNNING_STAGES: "list[Stage]" = []
_SAYING = Lock()


class Event(Record, frozen=True):
    """An event; `fields` are optional and listed here."""

    level: Literal["info", "warning", "error"]
    what: str
    fields: tuple[str, ...] = ()


EVENTS = {
    "at_work": Event(
        "info", "a long step is still running", ("stage", "seconds", "done", "total", "table")
    ),
    "stage_done": Event("info", "a stage of a command finished", ("stage", "seconds", *RUN_FIELDS)),
    "run_done": Event(
        "info", "a refresh finished", ("run", "target", "outcome", "seconds", *RUN_FIELDS)
    ),
    "table_failed": Event("warning", "a table could not be read; the run continues", ("table",)),
    "table_left_out": Event("warning", "a table was left out, with the reason", ("table",)),
    "view_not_understood": Event("warning", "the lineage of a view is unknown", ("table",)),
    "source_failed": Event(
        "warning", "a source of `usage_sources` could not be read; the run continues"
    ),
    "verified_failed": Event(
        "warning", "a verified question fails or returns no rows; the run continues"
    ),
    "asked_elsewhere": Event(
        "info", "a configured server receives questions and values of the warehouse", ("host",)
    ),
    "file_held": Event("info", "waiting for another process that has the DuckDB file open"),
    "warning": Event("warning", "a warning; the command continues"),
    "error": Event("error", "the command ends, with exit code 2 or 4", ("hint",)),
}


def silence_warnings() -> None:
    """Hide warnings of libraries."""
    _handle(logging.NullHandler())
    logging.captureWarnings(capture=True)
    click.get_current_context().call_on_close(lambda: logging.captureWarnings(capture=False))


def keep_warnings(state_dir: Path) -> None:
    """Write warnings of libraries to `linker.log` in the state folder, if it exists."""
    from logging.handlers import RotatingFileHandler

    if state_dir.is_dir():
        _handle(
            RotatingFileHandler(
                state_dir / "linker.log", maxBytes=1_000_000, backupCount=1, delay=True
            )
        )


def _handle(handler: logging.Handler) -> None:
    """Until the command ends."""
    handler.setLevel(logging.WARNING)
    handler.setFormatter(logging.Formatter("%(asctime)s %(name)s: %(message)s"))
    # Logging failures are not worth a message.
    handler.handleError = lambda record: None  # type: ignore[method-assign]  # noqa: ARG005 - its name
    root = logging.getLogger()
    root.addHandler(handler)
    context = click.get_current_context(silent=True)
    if context:
        context.call_on_close(lambda: root.removeHandler(handler))


def log_format_option(command: CommandT) -> CommandT:
    """Add `--log-format`, which the option's callback handles."""
    return click.option(
        "--log-format",
        type=click.Choice(FORMATS),
        default="human",
        show_default=True,
        expose_value=False,
        is_eager=True,
        callback=_keep,
        help="Format of stderr: text, or one JSON object per event.",
    )(command)


def _keep(context: click.Context, _parameter: click.Parameter, value: str) -> None:
    context.meta[_KEY] = value


def is_json() -> bool:
    """Whether the running command logs as JSON."""
    context = click.get_current_context(silent=True)
    return context is not None and context.meta.get(_KEY) == "json"


def emit(event: str, message: str, **fields: object) -> None:
    """Log an event to stderr; control characters in warehouse names are escaped."""
    click.echo(_line(event, message, **fields), err=True)


def _line(event: str, message: str, **fields: object) -> str:
    if is_json():
        return json_line(event, message, **fields)
    level = EVENTS[event].level
    if level == "info":
        return one_line(message)
    return click.style(
        f"{level}: {one_line(message)}", fg="yellow" if level == "warning" else "red"
    )


def json_line(event: str, message: str, **fields: object) -> str:
    """An event as JSON; unknown fields are omitted."""
    now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    record: dict[str, object] = {"ts": now, "level": EVENTS[event].level, "event": event}
    record |= {name: fields[name] for name in EVENTS[event].fields if fields.get(name) is not None}
    unknown = set(fields) - set(EVENTS[event].fields)
    assert not unknown, f"{event} has no field {', '.join(sorted(unknown))}"  # noqa: S101 - a bug of ours
    return escaped(
        json.dumps({**record, "message": one_line(message)}, ensure_ascii=False, default=_text)
    )


def run_fields(run: Run) -> dict[str, object]:
    """Fields of `run_done`."""
    seconds = (run.ended_at - run.started_at).total_seconds() if run.ended_at else None
    fields = {"run": run.number, "outcome": run.outcome, "seconds": seconds}
    return fields | as_dict(run.work)


def _text(value: object) -> str:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    return str(value)


class Stage(ProgressStage):
    """A stage of a command: its activity, progress and summary."""

    def __init__(self, name: str, activity: str, names_after: float = _NAMES_AFTER) -> None:
        super().__init__()
        self.name, self.activity, self._names_after = name, activity, names_after
        self.done, self.total = 0, 0
        self._table, self._table_since, self._named = "", 0.0, ""
        self._is_at_rest = False
        # Live display on a terminal, which replaces lines.
        self.display: Callable[[], None] | None = None
        self._started = perf_counter()
        self.next_line = self._started + _FIRST

    @property
    def seconds(self) -> float:
        return round(perf_counter() - self._started, 3)

    def on_progress(self, done: int, total: int) -> None:
        self.done, self.total = done, total
        self._show()

    def on_phase(self, activity: str) -> None:
        """Set the current activity; a slow one is logged."""
        self.activity, self.done, self.total, self._table = activity, 0, 0, ""
        self.next_line = min(self.next_line, perf_counter() + _FIRST)
        self._show()

    def on_table(self, table: str) -> None:
        """Set the table that is read; a slow one is named."""
        self._table, self._table_since = table, perf_counter()

    @property
    def long_table(self) -> str:
        """The table that has been read for a long time, or empty."""
        return self._table if perf_counter() - self._table_since >= self._names_after else ""

    def on_wait(self, message: str) -> None:
        """Log at once what the stage waits for."""
        emit("file_held", message)

    def rest(self) -> None:
        """Stop logging."""
        self._is_at_rest = True

    def is_line_due(self, again: float) -> bool:
        """Whether a line is due: the first, a periodic one, or one that names a table."""
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
def show_lines(
    name: str, activity: str, again: float = _AGAIN, names_after: float = _NAMES_AFTER
) -> Iterator[Stage]:
    """Log the running step with plain lines, `again` seconds apart."""
    running = Stage(name, activity, names_after)
    outer = _RUNNING_STAGES[-1] if _RUNNING_STAGES else None
    if outer:
        # Schedule the first line.
        running.next_line = min(running.next_line, outer.next_line)
    ended = threading.Event()
    context = click.get_current_context(silent=True)
    speaker = Thread(
        target=_speak, args=(running, ended, again, context), name="progress", daemon=True
    )
    _RUNNING_STAGES.append(running)
    speaker.start()
    try:
        yield running
    finally:
        ended.set()
        speaker.join()
        _RUNNING_STAGES.pop()
        if outer:
            outer.next_line = max(outer.next_line, perf_counter() + _FIRST)


@contextmanager
def stage(name: str, activity: str = "works", names_after: float = _NAMES_AFTER) -> Iterator[Stage]:
    """Show a stage while it runs, and its duration at the end."""
    with show_lines(name, activity, names_after=names_after) as running, _displayed(running):
        yield running
    if is_json():
        emit("stage_done", running.summary, stage=name, seconds=running.seconds, **running.numbers)
    else:
        click.echo(
            f"{click.style('✓', fg='green')} {name:<10} {running.seconds:6.1f} s   "
            f"{running.summary}",
            err=True,
        )


def stop_progress() -> None:
    """Stop progress output: the command is done, serves, or waits for input."""
    # Let a pending line finish.
    with _SAYING:
        for running in _RUNNING_STAGES:
            running.rest()


def _speak(
    running: Stage, ended: threading.Event, again: float, context: click.Context | None
) -> None:
    if context:
        # Threads need the command's context for the log format.
        push_context(context)
    while not ended.wait(min(_LOOK, again)):
        if running.display:
            running.display()
            continue
        with _SAYING:
            if _RUNNING_STAGES[-1] is running and running.is_line_due(again):
                _say(running)


def _doing(running: Stage) -> str:
    return (
        f"{running.activity}: {one_line(running.long_table)}"
        if running.long_table
        else running.activity
    )


def _say(running: Stage) -> None:
    """Log activity, progress and elapsed time."""
    parts = [_doing(running)]
    if running.done < running.total:
        parts.append(f"{running.done:,} of {running.total:,}")
    if running.seconds >= 2:
        parts.append(f"{running.seconds:.0f} s")
    line = ", ".join(parts)
    counts = {"done": running.done, "total": running.total} if running.total else {}
    if is_json():
        table = running.long_table or None
        emit("at_work", line, stage=running.name, seconds=running.seconds, table=table, **counts)
    else:
        click.echo(f"… {running.name:<10} {one_line(line)}", err=True)


@contextmanager
def _displayed(running: Stage, *, is_counted: bool = True) -> Iterator[None]:
    """On a terminal a spinner, and a bar with rate and remaining time once there is a count."""
    if not sys.stderr.isatty() or is_json():
        yield
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    words = TextColumn("{task.description}", markup=False)
    heading, columns = "", list[ProgressColumn]([TimeElapsedColumn()])
    if is_counted:
        heading = f"{running.name:<10} "
        rate = TextColumn("{task.fields[rate]}")
        columns = [BarColumn(), MofNCompleteColumn(), rate, TimeRemainingColumn()]
    with Progress(
        SpinnerColumn(), words, *columns, console=Console(stderr=True), transient=True
    ) as progress:
        task = progress.add_task(f"{heading}{running.activity}", total=None, rate="")

        def show() -> None:
            progress.update(
                task,
                description=f"{heading}{_doing(running)}",
                completed=running.done,
                total=running.total or None,
            )
            speed = progress.tasks[task].speed
            progress.update(task, rate=f"{speed:,.0f}/s" if speed else "")

        running.display = show
        yield


@contextmanager
def show_model_calls(settings: "Settings") -> Iterator[None]:
    """Show pending model calls with step, model, time and tokens received."""
    if not settings.model:
        yield
        return
    with (
        show_lines("model", "links the question") as running,
        _displayed(running, is_counted=False),
    ):

        def show(step: str, model: str, reply: "ReplyLength") -> None:
            running.activity = line_of(step, model, reply)
            if running.display:
                running.display()

        with listen_to_replies(show):
            yield


def line_of(step: str, model: str, reply: "ReplyLength") -> str:
    """Status line of a pending model call."""
    if reply.written:
        return f"{step}: {model} writes, {reply.written:,} characters"
    return (
        f"{step}: {model} reasons, {reply.thought:,} characters"
        if reply.thought
        else f"{step}: waits for {model}"
    )

"""
Messages of a command on stderr: words for people, lines of JSON for machines (`--log-format json`).

Each thing that may be said is an event of one list, with a level and its fields. An event holds
names, numbers and messages of ours or of the warehouse as `linker runs` has them; it never holds
values of the warehouse or settings.
"""

import json
import logging
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, TypeVar

import click

from linker.runs import Run
from linker.text.safe import escaped, one_line
from linker.types import Record

CommandT = TypeVar("CommandT", bound=Callable[..., Any])
FORMATS = ("human", "json")
_KEY = "linker.log_format"
# What a run did, as `run_done` says it; the names are those of the record.
RUN_FIELDS = (
    "planned",
    "scanned",
    "unchanged",
    "left_out",
    "failed",
    "statements",
    "rows_read",
    "bytes_read",
    "embedded",
    "removed",
    "learned",
    "not_learned",
)


class Event(Record, frozen=True):
    """One thing that may be said; `fields` may stand beside `message`, and need not."""

    level: Literal["info", "warning", "error"]
    what: str
    fields: tuple[str, ...] = ()


EVENTS = {
    "at_work": Event(
        "info", "what takes longer is at work still", ("stage", "seconds", "done", "total", "table")
    ),
    "stage_done": Event(
        "info", "a stage of a command came to its end", ("stage", "seconds", *RUN_FIELDS)
    ),
    "run_done": Event(
        "info", "a refresh came to its end", ("run", "target", "outcome", "seconds", *RUN_FIELDS)
    ),
    "table_failed": Event("warning", "a table could not be read; the rest goes on", ("table",)),
    "table_left_out": Event("warning", "a table was not read, and why", ("table",)),
    "view_not_understood": Event(
        "warning", "nobody knows what the columns of a view are made of", ("table",)
    ),
    "source_failed": Event(
        "warning", "a source of `learn_from` could not be learned from; the rest goes on"
    ),
    "file_held": Event("info", "another process has the DuckDB file open, and is waited for"),
    "warning": Event("warning", "something is not as it should be, and the command goes on"),
    "error": Event("error", "the command ends, with exit code 2 or 4", ("hint",)),
}


def hush() -> None:
    """
    Keep warnings of libraries off stderr, which would show them wherever nobody asks for them.
    """
    _handle(logging.NullHandler())
    logging.captureWarnings(capture=True)
    click.get_current_context().call_on_close(lambda: logging.captureWarnings(capture=False))


def keep_warnings(state_dir: Path) -> None:
    """Write warnings of libraries to `linker.log` in the state folder, where there is one."""
    from logging.handlers import RotatingFileHandler

    if state_dir.is_dir():
        _handle(
            RotatingFileHandler(
                state_dir / "linker.log", maxBytes=1_000_000, backupCount=1, delay=True
            )
        )


def _handle(handler: logging.Handler) -> None:
    """For the time of the command."""
    handler.setLevel(logging.WARNING)
    handler.setFormatter(logging.Formatter("%(asctime)s %(name)s: %(message)s"))
    # A log that cannot be written is no reason to say anything.
    handler.handleError = lambda record: None  # type: ignore[method-assign]  # noqa: ARG005 - its name
    root = logging.getLogger()
    root.addHandler(handler)
    context = click.get_current_context(silent=True)
    if context:
        context.call_on_close(lambda: root.removeHandler(handler))


def log_format_option(command: CommandT) -> CommandT:
    """Add `--log-format` to a command; nothing has to be done with it there."""
    return click.option(
        "--log-format",
        type=click.Choice(FORMATS),
        default="human",
        show_default=True,
        expose_value=False,
        is_eager=True,
        callback=_keep,
        help="What stderr holds: words, or one line of JSON for each event.",
    )(command)


def _keep(context: click.Context, _parameter: click.Parameter, value: str) -> None:
    context.meta[_KEY] = value


def is_json() -> bool:
    """True where the command that runs logs as JSON."""
    context = click.get_current_context(silent=True)
    return context is not None and context.meta.get(_KEY) == "json"


def say(event: str, message: str, **fields: object) -> None:
    """Say it on stderr; it may quote names from the warehouse."""
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
    """The line of JSON that says it; fields that are not known are left out."""
    now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    record: dict[str, object] = {"ts": now, "level": EVENTS[event].level, "event": event}
    record |= {name: fields[name] for name in EVENTS[event].fields if fields.get(name) is not None}
    unknown = set(fields) - set(EVENTS[event].fields)
    assert not unknown, f"{event} has no field {', '.join(sorted(unknown))}"  # noqa: S101 - a bug of ours
    return escaped(
        json.dumps({**record, "message": one_line(message)}, ensure_ascii=False, default=_text)
    )


def run_fields(run: Run) -> dict[str, object]:
    """The fields of `run_done` for a run."""
    seconds = (run.ended_at - run.started_at).total_seconds() if run.ended_at else None
    work = {name: getattr(run.work, name) for name in RUN_FIELDS}
    return {"run": run.number, "outcome": run.outcome, "seconds": seconds, **work}


def _text(value: object) -> str:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    return str(value)

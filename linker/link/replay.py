"""
Traces as they are read: enter the state folder, leave what is kept of runs, and their answers
again.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from msgspec.structs import replace
from pydantic import TypeAdapter, ValidationError

from linker.errors import ConfigError
from linker.link.answer import LinkedSchema
from linker.link.conclusion import LinkRun, conclude
from linker.link.trace import FORMAT, SeenColumns, names, read_events
from linker.types import Record


class TraceSummary(Record, frozen=True):
    """One line of the list of traces."""

    id: str
    started: datetime
    question: str
    strategy: str
    is_whole: bool


class TraceRecord(Record, frozen=True):
    """
    A trace as it was written; `run` is None where the run did not come to an end.

    Of `evilink` it is what was found out, of `retrieval`, which decides nothing, the answer itself.
    """

    id: str
    events: tuple[dict[str, Any], ...]
    run: LinkRun | LinkedSchema | None


def list_traces(state_dir: Path) -> tuple[TraceSummary, ...]:
    """The traces that are kept, newest first; what cannot be read is left out."""
    return tuple(_summaries(state_dir))


def read_trace(state_dir: Path, name: str) -> TraceRecord:
    """One trace, by its id or the beginning of it; `last` is the newest."""
    kept = names(state_dir)
    found = kept[-1:] if name == "last" else [path for path in kept if path.startswith(name)]
    if len(found) != 1:
        what = "several traces begin" if found else "no trace begins"
        raise ConfigError(f"{what} with `{name}`", hint="linker trace list lists what is kept")
    try:
        events = tuple(read_events(state_dir, found[0]))
        _check_format(events[0])
        return TraceRecord(found[0], events, _run(_end(events)))
    except (ValueError, KeyError, IndexError, TypeError, ValidationError):
        raise ConfigError(
            f"trace {found[0]} cannot be read: it is damaged, or of another version",
            hint="ask the question anew",
        ) from None


def replay(record: TraceRecord) -> LinkedSchema:
    """The answer of a trace, worked out again from what was found out; nothing is asked."""
    if record.run is None:
        raise ConfigError(
            f"the run of trace {record.id} did not come to an end", hint="ask the question anew"
        )
    return conclude(record.run) if isinstance(record.run, LinkRun) else record.run


def _end(events: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """
    The end of linking, which steps that write SQL may follow; the last event where there is none.
    """
    return next((event for event in reversed(events) if event["event"] == "end"), events[-1])


def _run(last: dict[str, Any]) -> LinkRun | LinkedSchema | None:
    if last["event"] != "end":
        return None
    if "run" in last:
        return TypeAdapter(LinkRun).validate_python(last["run"])
    schema = TypeAdapter(LinkedSchema).validate_python(last["answer"])
    seen = TypeAdapter(tuple[SeenColumns, ...]).validate_python(last["seen"])
    return replace(schema, seen=tuple((shown.step, shown.refs) for shown in seen))


def _summaries(state_dir: Path) -> Iterator[TraceSummary]:
    for name in reversed(names(state_dir)):
        try:
            events = list(read_events(state_dir, name))
            begin, end = events[0], _end(events)
            _check_format(begin)
            yield TraceSummary(
                name,
                datetime.fromisoformat(begin["started"]),
                begin["question"],
                (end.get("run") or end["answer"])["strategy"] if end["event"] == "end" else "",
                end["event"] == "end",
            )
        except (ValueError, KeyError, IndexError, TypeError):
            continue


def _check_format(begin: dict[str, Any]) -> None:
    if begin["format"] != FORMAT:
        raise ValueError

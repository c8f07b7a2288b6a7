"""
The trace of a run: enter the steps as they happen, leaves one file a run, from which the answer can be had again.

A line is one event as JSON. The file is written whole and then moved to its place, also when a run fails; the oldest
are removed. It holds what prompts hold, values of the warehouse as privacy allows, so only its owner can read it.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any
from uuid import uuid4

from pydantic import TypeAdapter, ValidationError
from pydantic_core import to_jsonable_python

from linker import __version__
from linker.budget import UNLIMITED, Allowance
from linker.conclusion import Run, conclude
from linker.errors import ConfigError, LinkerError
from linker.linked import LinkedSchema
from linker.models import AnswerT, Completion, LanguageModel, ModelSession, Prompt
from linker.state import state_folder

FOLDER = "traces"
_FORMAT = 1


class Trace:
    """Notes what happens; several threads may note at once."""

    def __init__(self, question: str) -> None:
        started = datetime.now(UTC)
        # Names sort by time; the end tells runs apart that began at once.
        self.id = f"{started:%Y%m%d-%H%M%S-%f}-{uuid4().hex[:4]}"
        self._lock = Lock()
        self._events: list[dict[str, Any]] = []
        self.note("begin", format=_FORMAT, linker=__version__, started=started, question=question)

    def note(self, event: str, **told: object) -> None:
        """One event, with records of any kind."""
        written = {"event": event, **{name: to_jsonable_python(value) for name, value in told.items()}}
        with self._lock:
            self._events.append(written)

    def save(self, state_dir: Path, kept: int) -> None:
        """Write the file, and remove the oldest beyond those that are kept."""
        if not kept:
            return
        folder = state_folder(state_dir, FOLDER)
        with self._lock:
            text = "".join(json.dumps(event, ensure_ascii=False) + "\n" for event in self._events)
        unfinished = folder / f".{self.id}.new"
        unfinished.touch(mode=0o600)
        unfinished.write_text(text, "utf-8")
        unfinished.replace(folder / f"{self.id}.jsonl")
        for old in sorted(folder.glob("*.jsonl"))[:-kept]:
            old.unlink(missing_ok=True)


class TracedSession:
    """A model whose prompts and answers are noted, with what they cost."""

    def __init__(self, session: ModelSession, trace: Trace) -> None:
        self._session, self._trace = session, trace

    def at(self, step: str) -> LanguageModel:
        """The model at a step."""
        return _TracedModel(self._session.at(step), step, self._trace)


class _TracedModel:
    def __init__(self, model: LanguageModel, step: str, trace: Trace) -> None:
        self._model, self._step, self._trace = model, step, trace

    @property
    def name(self) -> str:
        return self._model.name

    def complete(self, prompt: Prompt, answer: type[AnswerT], allowance: Allowance = UNLIMITED) -> Completion[AnswerT]:
        try:
            completion = self._model.complete(prompt, answer, allowance)
        except LinkerError as error:
            self._trace.note("call", step=self._step, model=self.name, prompt=prompt, error=error.what)
            raise
        self._trace.note(
            "call", step=self._step, model=self.name, prompt=prompt, answer=completion.answer, usage=completion.usage
        )
        return completion


@dataclass(frozen=True, slots=True)
class TraceSummary:
    """One line of the list of traces."""

    id: str
    started: datetime
    question: str
    strategy: str
    is_whole: bool


@dataclass(frozen=True)
class TraceRecord:
    """A trace as it was written; `run` is None where the run did not come to an end."""

    id: str
    events: tuple[dict[str, Any], ...]
    run: Run | None


def list_traces(state_dir: Path) -> tuple[TraceSummary, ...]:
    """The traces that are kept, newest first; what cannot be read is left out."""
    return tuple(_summaries(state_dir / FOLDER))


def read_trace(state_dir: Path, name: str) -> TraceRecord:
    """One trace, by its id or the beginning of it; `last` is the newest."""
    folder = state_dir / FOLDER
    names = sorted(file.stem for file in folder.glob("*.jsonl"))
    found = names[-1:] if name == "last" else [one for one in names if one.startswith(name)]
    if len(found) != 1:
        what = "several traces begin" if found else "no trace begins"
        raise ConfigError(f"{what} with `{name}`", hint="linker trace lists what is kept")
    try:
        events = tuple(_events(folder / f"{found[0]}.jsonl"))
        told = next((event["run"] for event in events if event["event"] == "end"), None)
        run = None if told is None else TypeAdapter(Run).validate_python(told)
    except (OSError, ValueError, KeyError, ValidationError):
        raise ConfigError(
            f"trace {found[0]} cannot be read: it is damaged, or of another version", hint="ask the question anew"
        ) from None
    return TraceRecord(found[0], events, run)


def replay(record: TraceRecord) -> LinkedSchema:
    """The answer of a trace, worked out again from what was found out; nothing is asked."""
    if record.run is None:
        raise ConfigError(f"the run of trace {record.id} did not come to an end", hint="ask the question anew")
    return conclude(record.run)


def _summaries(folder: Path) -> Iterator[TraceSummary]:
    for file in sorted(folder.glob("*.jsonl"), reverse=True):
        try:
            events = list(_events(file))
            begin, end = events[0], events[-1]
            yield TraceSummary(
                file.stem,
                datetime.fromisoformat(begin["started"]),
                begin["question"],
                end["run"]["strategy"] if end["event"] == "end" else "",
                end["event"] == "end",
            )
        except (OSError, ValueError, KeyError, IndexError):
            continue


def _events(file: Path) -> Iterator[dict[str, Any]]:
    for line in file.read_text("utf-8").splitlines():
        yield json.loads(line)

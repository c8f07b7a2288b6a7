"""
Trace files: the steps of a run as gzipped JSON lines, from which it can be replayed.

Written atomically, also for failed runs; the oldest are deleted. A trace holds what prompts hold,
including values that privacy allows, so only its owner can read it. This module must not import
pydantic, which the shortlist does not need.
"""

import json
import os
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, date, datetime
from pathlib import Path
from threading import Lock
from typing import Any

from msgspec.json import encode
from msgspec.structs import replace

from linker import __version__
from linker.errors import ConfigError
from linker.files import state_folder, write_atomically
from linker.linking.result import LinkedSchema
from linker.models import ReplyLength
from linker.types import ColumnRef, Record, TableRef

FOLDER = "traces"
FORMAT = 2
_SUFFIX = ".jsonl.gz"
# Names of traces in all versions, for deletion.
_ANY = "[!.]*.jsonl*"
# zlib with gzip header, readable by zcat.
_GZIP = 31


_EVENT_LISTENER: ContextVar[Callable[[dict[str, Any]], None] | None] = ContextVar(
    "event_listener", default=None
)
_PROGRESS_LISTENER: ContextVar[Callable[[str, str, ReplyLength], None] | None] = ContextVar(
    "progress_listener", default=None
)


@contextmanager
def listen_to_replies(hear: Callable[[str, str, ReplyLength], None]) -> Iterator[None]:
    """Receive the progress of replies in the block: step, model, length."""
    token = _PROGRESS_LISTENER.set(hear)
    try:
        yield
    finally:
        _PROGRESS_LISTENER.reset(token)


@contextmanager
def watched(see: Callable[[dict[str, Any]], None]) -> Iterator[None]:
    """Receive events of runs in the block as they happen."""
    token = _EVENT_LISTENER.set(see)
    try:
        yield
    finally:
        _EVENT_LISTENER.reset(token)


class SeenColumns(Record, frozen=True):
    """Columns in view of a step, grouped by table to keep traces small."""

    step: str
    tables: tuple[TableRef, ...]
    columns: tuple[tuple[int, str], ...]

    @classmethod
    def create(cls, step: str, columns: Sequence[ColumnRef]) -> "SeenColumns":
        numbers: dict[TableRef, int] = {}
        named = tuple((numbers.setdefault(ref.table, len(numbers)), ref.path) for ref in columns)
        return cls(step, tuple(numbers), named)

    @property
    def refs(self) -> tuple[ColumnRef, ...]:
        return tuple(ColumnRef(self.tables[index], path) for index, path in self.columns)


class Trace:
    """Records events; thread-safe."""

    def __init__(self, question: str) -> None:
        started = datetime.now(UTC)
        # Sortable by time; the suffix separates simultaneous runs.
        self.id = f"{started:%Y%m%d-%H%M%S-%f}-{os.urandom(2).hex()}"
        self._lock = Lock()
        self._lines: list[str] = []
        self._see = _EVENT_LISTENER.get()
        # Stored, since context variables do not reach worker threads.
        self._hear = _PROGRESS_LISTENER.get()
        self.note(
            "begin",
            format=FORMAT,
            linker=__version__,
            started=started.isoformat(),
            question=question,
        )

    def note(self, event: str, **facts: object) -> None:
        """Record an event; records of any kind are serialised."""
        try:
            line = encode({"event": event, **facts}, enc_hook=_plain).decode()
        except (UnicodeEncodeError, TypeError):
            # The json module accepts lone surrogates and subclasses of str and int.
            line = json.dumps({"event": event, **facts}, ensure_ascii=False, default=_plain)
        with self._lock:
            self._lines.append(line)
        if self._see:
            self._see(json.loads(line))

    def hear(self, step: str, model: str, length: ReplyLength) -> None:
        """Report the progress of a reply to listeners; not recorded."""
        if self._hear:
            self._hear(step, model, length)

    def after(self, name: str, events: Sequence[Mapping[str, Any]]) -> "Trace":
        """Continue a recorded trace."""
        self.id, self._lines = name, [json.dumps(event, ensure_ascii=False) for event in events]
        return self

    def save(self, state_dir: Path, kept: int) -> str:
        """Write the file and delete the oldest beyond `kept`; returns the error, if any."""
        if not kept:
            return ""
        with self._lock:
            lines = list(self._lines)
        try:
            write_lines(state_folder(state_dir, FOLDER), self.id, lines)
        except (OSError, ConfigError) as error:
            problem = (
                error.what
                if isinstance(error, ConfigError)
                else f"cannot write to {state_dir}: {error.strerror}"
            )
            return f"no trace was written: {problem}"
        for old in _files(state_dir)[:-kept]:
            old.unlink(missing_ok=True)
        return ""


def continued(name: str, question: str, state_dir: Path) -> Trace:
    """Continue a run's trace, or start a new one if it is unreadable."""
    trace = Trace(question)
    try:
        events = list(read_events(state_dir, name)) if name else []
    except ValueError:
        events = []
    return trace.after(name, events) if events else trace


def saved(schema: LinkedSchema, problem: str) -> LinkedSchema:
    """The answer after saving its trace; on failure without a name and with a warning."""
    return replace(schema, trace="", warnings=(*schema.warnings, problem)) if problem else schema


def write_lines(folder: Path, name: str, lines: Sequence[str]) -> None:
    """Write a trace atomically."""
    packed = zlib.compress(
        "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass"), 3, _GZIP
    )
    write_atomically(folder / f"{name}{_SUFFIX}", packed, is_private=True)


def read_events(state_dir: Path, name: str) -> Iterator[dict[str, Any]]:
    """Events of a trace; ValueError if unreadable."""
    file = state_dir / FOLDER / f"{name}{_SUFFIX}"
    try:
        text = zlib.decompress(file.read_bytes(), _GZIP).decode("utf-8", "surrogatepass")
    except (OSError, zlib.error) as error:
        raise ValueError(str(error)) from None
    # Not splitlines: values may contain other line separators.
    for line in text.rstrip("\n").split("\n"):
        yield json.loads(line)


def names(state_dir: Path) -> list[str]:
    """Trace names, oldest first, including unreadable ones."""
    return [file.name.partition(".")[0] for file in _files(state_dir)]


def _files(state_dir: Path) -> list[Path]:
    return sorted((state_dir / FOLDER).glob(_ANY))


def _plain(value: object) -> object:
    """Convert records (also pydantic's), columns and times for JSON."""
    named = getattr(value, "__struct_fields__", None) or getattr(type(value), "model_fields", None)
    if named:
        return {name: getattr(value, name) for name in named}
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, set | frozenset):
        return sorted(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [*value]
    raise TypeError(f"a trace cannot hold a {type(value).__name__}")

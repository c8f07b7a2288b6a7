"""
Learns from the sources of `learn_from` when they are due: enters the settings, leaves what became of each source.

A log of a year takes minutes to parse, and a history is billed. So what a source was made of when it was read is noted
in the state folder, and while that is the same, and the store holds what it told, it is not read again: names, sizes
and times of its files, never what stands in them. A history has no files: it is read once a day. With the index all
sources change, as names lead elsewhere then.
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from linker import __version__
from linker.catalog.prior_use import FORMAT as FORMAT_OF_USE
from linker.environment import Environment
from linker.errors import ConfigError, WarehouseError
from linker.files import state_folder, write_whole
from linker.learn.query_logs import HISTORY, OnProgress, stamps_of
from linker.learn.sources import Learned, home_of, learn, name_of

# Raised with every change of what is noted.
_FORMAT = 1
# Less than a day, so that a daily run reads it every time.
_HISTORY_AGE = timedelta(hours=20)


@dataclass(frozen=True, slots=True)
class DueSource:
    """A source of `learn_from`: whether it is to be read, and why; `made_of` is empty where it cannot be."""

    source: str
    name: str
    is_due: bool
    reason: str
    made_of: str = ""


@dataclass(frozen=True, slots=True)
class Lessons:
    """What became of the sources: those that told something new, how many told nothing new, and what went wrong."""

    new: tuple[Learned, ...] = ()
    as_before: int = 0
    failures: tuple[str, ...] = ()

    @property
    def numbers(self) -> dict[str, int]:
        """How many told something new, and how many could not be read."""
        return {"learned": len(self.new), "not_learned": len(self.failures)}

    def __str__(self) -> str:
        queries = sum(one.counted.queries for one in self.new)
        told = f" with {queries:,} different {'query' if queries == 1 else 'queries'}" if self.new else ""
        parts = [f"{_sources(len(self.new))} learned{told}", f"{self.as_before:,} as before"]
        return ", ".join([*parts, f"{len(self.failures):,} failed"] if self.failures else parts)


@dataclass(frozen=True, slots=True)
class _Note:
    """What is noted of a source once it was read: what it was made of, and what the store got of it."""

    made_of: str
    digest: str
    read_at: str


NO_LESSONS = Lessons()


def plan_learning(environment: Environment) -> tuple[DueSource, ...]:
    """Which sources a run would read, and why; none of them is read."""
    return tuple(_due(environment, _read_notes(environment), is_full=False))


def learn_due(environment: Environment, on_progress: OnProgress, *, is_full: bool = False) -> Lessons:
    """Learn from what is due, or from all; a source that cannot be read keeps nobody else from being learned."""
    environment.index.catch_up()
    notes = _read_notes(environment)
    found = NO_LESSONS
    for one in _due(environment, notes, is_full=is_full):
        if not one.is_due:
            found = replace(found, as_before=found.as_before + 1)
            continue
        try:
            learned = _learned(environment, one, on_progress)
        except (ConfigError, WarehouseError) as error:
            found = replace(found, failures=(*found.failures, f"nothing new was learned from {one.name}: {error.what}"))
            continue
        if learned.is_unchanged:
            found = replace(found, as_before=found.as_before + 1)
        else:
            found = replace(found, new=(*found.new, learned))
        notes[one.name] = _Note(one.made_of, learned.digest, datetime.now(UTC).isoformat())
        _write_notes(environment, notes)
    environment.release_warehouse()
    return found


def _learned(environment: Environment, one: DueSource, on_progress: OnProgress) -> Learned:
    if not one.made_of:
        raise ConfigError(one.reason, hint="linker learn --list")
    return learn(environment, one.source, on_progress)


def _due(environment: Environment, notes: dict[str, _Note], *, is_full: bool) -> Iterator[DueSource]:
    sources = {name_of(source): source for source in environment.settings.learn_from}
    held = environment.store.learned.digests(environment.target_key) if sources else {}
    for name, source in sources.items():
        try:
            made_of = _made_of(environment, source)
        except ConfigError as error:
            yield DueSource(source, name, is_due=True, reason=error.what)
            continue
        reason = "everything is read again" if is_full else _why(name, made_of, notes.get(name), held.get(name))
        yield DueSource(source, name, bool(reason), reason or "it is as it was when it was read", made_of)


def _why(name: str, made_of: str, note: _Note | None, held: str | None) -> str:
    """Why a source is to be read; nothing where it is not."""
    if held is None:
        return "nothing was learned from it yet"
    if note is None or note.digest != held:
        return "it was not read here before"
    if note.made_of != made_of:
        return "it changed, or the index did"
    is_old = datetime.now(UTC) - datetime.fromisoformat(note.read_at) >= _HISTORY_AGE
    return "it was not read today" if name == HISTORY and is_old else ""


def _made_of(environment: Environment, source: str) -> str:
    """A digest of all that decides what a source tells, as far as one sees without reading it."""
    stamps = [] if source == HISTORY else stamps_of(Path(source))
    target = environment.target
    index = environment.store.snapshot_digest(environment.collection)
    said = [__version__, FORMAT_OF_USE, index, home_of(target), target.schema, stamps]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()


def _place(environment: Environment) -> Path:
    digest = hashlib.sha256(environment.target_key.encode()).hexdigest()
    return state_folder(environment.settings.state_dir, "learned") / f"{digest[:16]}.json"


def _read_notes(environment: Environment) -> dict[str, _Note]:
    """What was noted; nothing where it cannot be read, which costs a second look at the sources."""
    try:
        told: dict[str, Any] = json.loads(_place(environment).read_text("utf-8"))
        return {name: _Note(**note) for name, note in told["sources"].items()} if told["format"] == _FORMAT else {}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def _write_notes(environment: Environment, notes: dict[str, _Note]) -> None:
    content = {"format": _FORMAT, "sources": {name: asdict(note) for name, note in sorted(notes.items())}}
    write_whole(_place(environment), json.dumps(content))


def _sources(count: int) -> str:
    return "1 source" if count == 1 else f"{count:,} sources"

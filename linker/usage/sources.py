"""
Ingests usage source by source; a source's statistics replace its previous ones.

Parsing a year of logs takes minutes and query history is billed, so unchanged sources are skipped.
The state folder records names, sizes and times of files, never their content; warehouse history is
read once a day. A new index makes all sources stale, since names may resolve differently.

Sources are SQL files, dbt's manifest, and the query history of a warehouse; texts stay in memory. A
folder contributes all its SQL and JSON lines files. `manifest.json` is dbt's; `.jsonl`, `.ndjson`
and other `.json` hold a query per line; anything else is SQL. Warehouses that can, group queries
that differ in literals. Queries that linker ran are excluded.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from linker import __version__
from linker.catalog.column_metadata import FORMAT as FORMAT_OF_USE
from linker.catalog.column_metadata import ColumnPair, Facts, PriorUse, pack, unpack
from linker.config.target import Target
from linker.environment import Environment
from linker.errors import ConfigError, WarehouseError
from linker.files import read_text, state_folder, write_atomically
from linker.text.numbers import counted as count_text
from linker.types import ColumnRef, OnProgress, Record, as_dict
from linker.warehouses import Warehouse, database_of, find_dialect
from linker.warehouses.base import SIGNATURE, WHOLE, in_quotes
from linker.warehouses.base.dialect import QueryHistory

if TYPE_CHECKING:
    from linker.usage.counting import Counted, TargetTables


# Raise with every change of the notes.
_FORMAT = 1
# Less than a day, so that daily runs read it every time.
_HISTORY_AGE = timedelta(hours=20)


class Logged(Record, frozen=True):
    """Logged SQL with its number of runs, and the day of the last if known."""

    text: str
    runs: int = 1
    last: date | None = None


class UsageSource(Record, frozen=True):
    """Result for a source: name, digest, counts, and whether it is unchanged."""

    source: str
    counted: "Counted"
    digest: str
    is_unchanged: bool = False


class LearnedBefore(Record, frozen=True):
    """A stored source with its counts."""

    source: str
    learned_at: datetime
    counts: Mapping[str, Any]
    prior_use: PriorUse | None


def learn(
    environment: Environment, source: str, on_progress: OnProgress = lambda _done, _total: None
) -> UsageSource:
    """Ingest a file, a folder or `history`; unchanged results are not written again."""
    from linker.usage.counting import count_use

    name, log = _read(environment, source)
    prior_use, counted = count_use(
        log, target_tables(environment), declared(environment.indexed.facts), on_progress
    )
    if name != HISTORY and not counted.used + counted.other_tables:
        raise ConfigError(
            f"no query in {name} reads a table; {counted.broken:,} of {counted.read:,} statements "
            "cannot be parsed",
            hint=(
                "a source is SQL, JSON lines with a `query`, or dbt's manifest.json after `dbt "
                "compile`"
            ),
        )
    content, summary = pack(prior_use), summary_of(counted)
    learned, target = environment.store.learned, environment.target_key
    before = next((kept for kept in learned.sources(target) if kept.name == name), None)
    is_unchanged = before is not None and before.content == content
    if before is None or (before.content, before.counts) != (content, summary):
        learned.replace(target, name, content, json.dumps(summary))
    return UsageSource(name, counted, hashlib.sha256(content).hexdigest(), is_unchanged)


def forget(environment: Environment, source: str) -> str:
    """Remove a source; returns its name."""
    name = source_label(source)
    if not environment.store.learned.delete(environment.target_key, name):
        sources = ", ".join(learned.source for learned in kept(environment)) or "none"
        raise ConfigError(f"unknown source {name}", hint=f"the sources are: {sources}")
    return name


def kept(environment: Environment) -> tuple[LearnedBefore, ...]:
    """Stored sources, by name."""
    sources = environment.store.learned.sources(environment.target_key)
    return tuple(
        LearnedBefore(kept.name, kept.learned_at, dict(kept.counts), unpack(kept.content))
        for kept in sources
    )


def target_tables(environment: Environment) -> "TargetTables":
    """Tables of the target, for resolving names."""
    # Imports the SQL parser.
    from linker.sql_analysis import MergedTables
    from linker.usage.counting import TargetTables

    catalog = MergedTables.create(environment.dialect, environment.indexed.catalog)
    return TargetTables(
        catalog, home=database_of(environment.target), schema=environment.target.schema
    )


def declared(facts: Facts) -> Iterable[ColumnPair]:
    """Joins known without queries: keys, tests, measurements."""
    for pair in facts.joins:
        for left, right in zip(pair.left_columns, pair.right_columns, strict=True):
            yield ColumnRef(pair.left, left), ColumnRef(pair.right, right)


def summary_of(counted: "Counted") -> dict[str, Any]:
    """Counts of a source as JSON."""
    return {
        "read": counted.read,
        "used": counted.used,
        "partly_used": counted.partly,
        "skipped": {
            "broken": counted.broken,
            "other_tables": counted.other_tables,
            "no_table": counted.no_table,
        },
        "queries": counted.queries,
        "tables": counted.tables,
        "columns": counted.columns,
        "joins": counted.joins,
        "new_joins": [
            {"left": str(left), "right": str(right), "queries": use.queries, "runs": use.runs}
            for (left, right), use in counted.new_joins
        ],
        "terms": [
            {"term": term, "column": str(ref), "queries": count}
            for (term, ref), count in counted.terms
        ],
    }


def _read(environment: Environment, source: str) -> tuple[str, list[Logged]]:
    name = source_label(source)
    if name == HISTORY:
        return name, read_history(environment.target, environment.warehouse.session)
    return name, read_files(Path(source))


def source_label(source: str) -> str:
    """Name of a source; a file called `history` becomes `./history`."""
    return HISTORY if source == HISTORY else source_name(source)


class DueSource(Record, frozen=True):
    """
    A source of `usage_sources`, whether it is due, and why; `made_of` is empty if unavailable.
    """

    source: str
    name: str
    is_due: bool
    reason: str
    made_of: str = ""


class UsageReport(Record, frozen=True):
    """Changed sources, number of unchanged ones, and problems."""

    new: tuple[UsageSource, ...] = ()
    as_before: int = 0
    failures: tuple[str, ...] = ()

    @property
    def numbers(self) -> dict[str, int]:
        """Numbers of changed and failed sources."""
        return {"learned": len(self.new), "not_learned": len(self.failures)}

    def __str__(self) -> str:
        queries = sum(learned.counted.queries for learned in self.new)
        word = "query" if queries == 1 else "queries"
        different = f", {queries:,} distinct {word}" if self.new else ""
        failed = [f"{len(self.failures):,} failed"] if self.failures else []
        sources = count_text(len(self.new), "source")
        return ", ".join([f"{sources} read{different}", f"{self.as_before:,} unchanged", *failed])


class _Note(Record, frozen=True):
    """Digests of a source when it was read, and of what was stored."""

    made_of: str
    digest: str
    read_at: str


class _Notes(Record, frozen=True):
    """Notes on all sources."""

    sources: Mapping[str, _Note]
    format: int = _FORMAT


NO_LESSONS = UsageReport()


def plan_learning(environment: Environment) -> tuple[DueSource, ...]:
    """Sources due for reading, with reasons; reads none."""
    return tuple(_due(environment, _read_notes(environment), is_full=False))


def learn_due(
    environment: Environment, on_progress: OnProgress, *, is_full: bool = False
) -> UsageReport:
    """Ingest sources that are due, or all; failures do not stop others."""
    environment.index.reload_if_changed()
    notes = _read_notes(environment)
    new, as_before, failures = list[UsageSource](), 0, list[str]()
    for source in _due(environment, notes, is_full=is_full):
        if not source.is_due:
            as_before += 1
            continue
        try:
            learned = _learn_if_readable(environment, source, on_progress)
        except (ConfigError, WarehouseError) as error:
            failures.append(f"source {source.name}: {error.what}")
            continue
        if learned.is_unchanged:
            as_before += 1
        else:
            new.append(learned)
        notes[source.name] = _Note(source.made_of, learned.digest, datetime.now(UTC).isoformat())
        _write_notes(environment, notes)
    environment.release_warehouse()
    return UsageReport(tuple(new), as_before, tuple(failures))


def _learn_if_readable(
    environment: Environment, source: DueSource, on_progress: OnProgress
) -> UsageSource:
    if not source.made_of:
        raise ConfigError(source.reason, hint="linker learn --list")
    return learn(environment, source.source, on_progress)


def _due(
    environment: Environment, notes: dict[str, _Note], *, is_full: bool
) -> Iterator[DueSource]:
    sources = {source_label(source): source for source in environment.settings.usage_sources}
    held = environment.store.learned.digests(environment.target_key) if sources else {}
    for name, source in sources.items():
        try:
            made_of = _made_of(environment, source)
        except ConfigError as error:
            yield DueSource(source, name, is_due=True, reason=error.what)
            continue
        reason = "full run" if is_full else _why(name, made_of, notes.get(name), held.get(name))
        yield DueSource(
            source, name, bool(reason), reason or "unchanged since it was read", made_of
        )


def _why(name: str, made_of: str, note: _Note | None, held: str | None) -> str:
    """Why a source is due; empty if it is not."""
    if held is None:
        return "not read yet"
    if note is None or note.digest != held:
        return "not read on this machine yet"
    if note.made_of != made_of:
        return "the source or the index changed"
    is_old = datetime.now(UTC) - datetime.fromisoformat(note.read_at) >= _HISTORY_AGE
    return "not read today" if name == HISTORY and is_old else ""


def _made_of(environment: Environment, source: str) -> str:
    """Digest of everything that affects a source's result, without reading it."""
    stamps = [] if source == HISTORY else stamps_of(Path(source))
    target = environment.target
    index = environment.store.snapshot_digest(environment.collection)
    parts = [__version__, FORMAT_OF_USE, index, database_of(target), target.schema, stamps]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _notes_file(environment: Environment) -> Path:
    digest = hashlib.sha256(environment.target_key.encode()).hexdigest()
    return state_folder(environment.settings.state_dir, "learned") / f"{digest[:16]}.json"


def _read_notes(environment: Environment) -> dict[str, _Note]:
    """Notes of earlier runs; unreadable ones cost a re-read."""
    try:
        notes = msgspec.json.decode(_notes_file(environment).read_bytes(), type=_Notes)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return {}
    return dict(notes.sources) if notes.format == _FORMAT else {}


def _write_notes(environment: Environment, notes: dict[str, _Note]) -> None:
    write_atomically(_notes_file(environment), json.dumps(as_dict(_Notes(notes))))


# Source name of the warehouse's query history.
HISTORY = "history"

_LINES = (".jsonl", ".ndjson", ".json")
_OF_FOLDER = (".sql", ".jsonl", ".ndjson")
_TEXTS = ("query", "query_text")
_RUNS = ("count", "calls", "runs")
_TIMES = ("time", "last", "start_time", "timestamp")
# Larger values are milliseconds: as seconds they would be after the year 5000.
_MAX_SECONDS = 1e11
_KINDS = ("model", "snapshot", "analysis")
# Excludes the package's own models.
_OURS = "linker"

DAYS = 90
MAX_QUERIES = 20_000
_SECONDS = 600
# dbt's query comment names the model:
# https://docs.getdbt.com/reference/project-configs/query-comment
_OWN_MODELS = '%"node_id": "model.linker.%'


def source_name(source: str) -> str:
    """Normalised name of a source; equal paths have equal names."""
    path = Path(source).resolve()
    here = Path.cwd().resolve()
    return (path.relative_to(here) if path.is_relative_to(here) else path).as_posix()


def read_files(path: Path) -> list[Logged]:
    """Logged SQL in a file, or in all files of a folder."""
    return list(chain.from_iterable(map(_read_log, _files_of(path))))


def stamps_of(path: Path) -> list[tuple[str, int, int, int]]:
    """Names, sizes and times of files, to detect changes."""
    return [_stamp(file, path) for file in _files_of(path)]


def _files_of(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    files = sorted(
        file for file in path.rglob("*") if file.suffix.lower() in _OF_FOLDER and file.is_file()
    )
    if not files:
        raise ConfigError(
            f"no SQL files in {path}",
            hint="supported: .sql, .jsonl and .ndjson, also in subfolders",
        )
    return files


def _stamp(file: Path, source: Path) -> tuple[str, int, int, int]:
    try:
        stat = file.stat()
    except OSError as error:
        raise ConfigError(f"cannot read {file}: {error.strerror}", hint="check the path") from None
    return str(file.relative_to(source)), stat.st_size, stat.st_mtime_ns, stat.st_ino


def _read_log(path: Path) -> Iterator[Logged]:
    text = read_text(path, hint="check the path")
    kind = path.suffix.lower()
    if kind not in _LINES:
        yield Logged(text)
        return
    manifest = _object(text) if kind == ".json" else None
    if manifest and isinstance(manifest.get("nodes"), dict) and "metadata" in manifest:
        yield from _read_manifest(manifest, str(path))
        return
    # Not splitlines: JSON strings may contain other line separators.
    for line in text.split("\n"):
        if line.strip():
            yield _of_line(_object(line) or {})


def _object(text: str) -> Mapping[str, Any] | None:
    try:
        entry = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return entry if isinstance(entry, dict) else None


def _of_line(entry: Mapping[str, Any]) -> Logged:
    """A JSON line; one without a query counts as unreadable later."""
    fields = {name.casefold(): value for name, value in entry.items()}
    text = next((fields[name] for name in _TEXTS if isinstance(fields.get(name), str)), "")
    runs = next((fields[name] for name in _RUNS if isinstance(fields.get(name), int)), 1)
    when = next((fields[name] for name in _TIMES if fields.get(name) is not None), None)
    return Logged(text, max(int(runs), 1), _day(when))


def _day(moment: object) -> date | None:
    try:
        if isinstance(moment, int | float):
            seconds = moment / 1000 if moment > _MAX_SECONDS else moment
            return datetime.fromtimestamp(seconds, UTC).date()
        return datetime.fromisoformat(str(moment)).date() if moment else None
    except (ValueError, OverflowError, OSError):
        return None


def _read_manifest(manifest: Mapping[str, Any], name: str) -> Iterator[Logged]:
    """Compiled SQL of models; views resolve to their tables."""
    nodes = [node for node in manifest["nodes"].values() if node.get("resource_type") in _KINDS]
    nodes = [node for node in nodes if node.get("package_name") != _OURS]
    if nodes and not any(node.get("compiled_code") for node in nodes):
        raise ConfigError(f"{name} has no compiled models", hint="dbt compile")
    for node in nodes:
        text, relation = node.get("compiled_code"), node.get("relation_name")
        if text and relation and (node.get("config") or {}).get("materialized") == "view":
            yield Logged(f"create view {relation} as {text}")
        elif text:
            yield Logged(text)


def history_statement(target: Target, *, schema: str | None = None) -> str:
    """SQL for the query history; `schema` if the history may be in any."""
    history = _history_of(target)
    names = dict(history.names(target))
    if history.place:
        names[history.place.name] = in_quotes(schema or history.place.usual)
    return history.statement.format(
        days=DAYS, most=MAX_QUERIES, signature=SIGNATURE, own_models=_OWN_MODELS, **names
    )


def read_history(target: Target, warehouse: Warehouse) -> list[Logged]:
    """Statements of the last months, most recent first, or most frequent if times are unknown."""
    history = _history_of(target)
    schema = None
    if history.place:
        places = warehouse.query(history.place.statement)
        if not places:
            raise WarehouseError(history.place.missing, hint=history.place.hint)
        schema = str(places[0][0])
    rows = warehouse.query(
        history_statement(target, schema=schema), bounds=replace(WHOLE, seconds=_SECONDS)
    )
    return [
        Logged(history.readable(str(text)), max(int(runs), 1), _day_of(last))
        for text, runs, last in rows
        if text
    ]


def _history_of(target: Target) -> QueryHistory:
    dialect = find_dialect(target.kind)
    if dialect is None or dialect.history is None:
        raise ConfigError(
            f"{target.kind} has no query history",
            hint="use a SQL file: linker learn queries.sql",
        )
    return dialect.history


def _day_of(moment: object) -> date | None:
    if isinstance(moment, datetime):
        return moment.date()
    return moment if isinstance(moment, date) else None

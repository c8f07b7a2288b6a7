"""
Query logs: SQL files, dbt's manifest, and the query history of a warehouse.

Texts stay in memory. A folder contributes all its SQL and JSON lines files. `manifest.json` is
dbt's; `.jsonl`, `.ndjson` and other `.json` hold a query per line; anything else is SQL. Warehouses
that can, group queries that differ in literals. Queries that linker ran are excluded.
"""

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from itertools import chain
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from linker.config.target import Target
from linker.errors import ConfigError, WarehouseError
from linker.files import read_text
from linker.types import Record
from linker.warehouses import Warehouse, find_dialect
from linker.warehouses.base import SIGNATURE, WHOLE, in_quotes
from linker.warehouses.base.dialect import QueryHistory

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


class Logged(Record, frozen=True):
    """Logged SQL with its number of runs, and the day of the last if known."""

    text: str
    runs: int = 1
    last: date | None = None


def source_name(source: str) -> str:
    """Normalised name of a source; equal paths have equal names."""
    path = Path(source).resolve()
    here = Path.cwd().resolve()
    return (path.relative_to(here) if path.is_relative_to(here) else path).as_posix()


def read_files(path: Path) -> list[Logged]:
    """Logged SQL in a file, or in all files of a folder."""
    return list(chain.from_iterable(map(_read, _files_of(path))))


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


def _read(path: Path) -> Iterator[Logged]:
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

"""
Query logs in files: enters a path, leaves what is logged there.

A folder brings all its files of SQL and of JSON lines. What a file is, is told by its name:
`manifest.json` is dbt's, `.jsonl`, `.ndjson` and other `.json` hold a query a line, and everything
else is SQL.
"""

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from linker.errors import ConfigError
from linker.files import read_text
from linker.learn.query_logs.base import Logged

_LINES = (".jsonl", ".ndjson", ".json")
_OF_FOLDER = (".sql", ".jsonl", ".ndjson")
_TEXTS = ("query", "query_text")
_RUNS = ("count", "calls", "runs")
_TIMES = ("time", "last", "start_time", "timestamp")
# Larger numbers are milliseconds: as seconds they would lie beyond the year 5000.
_MOST_SECONDS = 1e11
_KINDS = ("model", "snapshot", "analysis")
# Our own models read the catalogue and each other.
_OURS = "linker"


def source_name(source: str) -> str:
    """
    Name that a source is kept by: a path is the same however it is written, from wherever in this
    folder.
    """
    path = Path(source).resolve()
    here = Path.cwd().resolve()
    return (path.relative_to(here) if path.is_relative_to(here) else path).as_posix()


def read_files(path: Path) -> list[Logged]:
    """Read what is logged in a file, or in all files of a folder."""
    return [logged for file in _files_of(path) for logged in _read(file)]


def stamps_of(path: Path) -> list[tuple[str, int, int, int]]:
    """
    Stamps that tell one state of a file, or of a folder's files, from another: names, sizes and
    times.
    """
    return [_stamp(file, path) for file in _files_of(path)]


def _files_of(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    files = sorted(
        file for file in path.rglob("*") if file.suffix.lower() in _OF_FOLDER and file.is_file()
    )
    if not files:
        raise ConfigError(
            f"there is no file of SQL in {path}",
            hint="it takes .sql, .jsonl and .ndjson, in subfolders too",
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
    # Not splitlines: a text in JSON may hold what it takes for the end of a line.
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
    """A line that tells no query is one that cannot be read: it is counted as such later."""
    fields = {name.casefold(): value for name, value in entry.items()}
    text = next((fields[name] for name in _TEXTS if isinstance(fields.get(name), str)), "")
    runs = next((fields[name] for name in _RUNS if isinstance(fields.get(name), int)), 1)
    when = next((fields[name] for name in _TIMES if fields.get(name) is not None), None)
    return Logged(text, max(int(runs), 1), _day(when))


def _day(moment: object) -> date | None:
    try:
        if isinstance(moment, int | float):
            seconds = moment / 1000 if moment > _MOST_SECONDS else moment
            return datetime.fromtimestamp(seconds, UTC).date()
        return datetime.fromisoformat(str(moment)).date() if moment else None
    except (ValueError, OverflowError, OSError):
        return None


def _read_manifest(manifest: Mapping[str, Any], name: str) -> Iterator[Logged]:
    """
    The compiled SQL of each model; a view is told as one, so that queries of it are traced to its
    tables.
    """
    nodes = [node for node in manifest["nodes"].values() if node.get("resource_type") in _KINDS]
    nodes = [node for node in nodes if node.get("package_name") != _OURS]
    if nodes and not any(node.get("compiled_code") for node in nodes):
        raise ConfigError(f"no model in {name} is compiled", hint="dbt compile")
    for node in nodes:
        text, relation = node.get("compiled_code"), node.get("relation_name")
        if text and relation and (node.get("config") or {}).get("materialized") == "view":
            yield Logged(f"create view {relation} as {text}")
        elif text:
            yield Logged(text)

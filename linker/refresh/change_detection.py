"""
Change detection by metadata alone, without starting dbt.

A run stores its metadata queries and their rows; repeating them in a read-only session shows that
nothing changed, or the full run is done. A DuckDB file with an unchanged header is not opened. The
stored SQL is private to its owner, valid for one connection, project and set of vars, and passes
the guard once per version.
"""

import hashlib
import json
from collections.abc import Mapping
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from msgspec.structs import replace

from linker import __version__
from linker.config.installed import dbt_project_files
from linker.config.target import Target
from linker.dbt.profiling import ChangeSnapshot, tokens
from linker.errors import WarehouseError
from linker.files import read_own, state_folder, write_atomically
from linker.types import Record, as_dict
from linker.warehouses import Warehouse, file_of, find_dialect, open_warehouse
from linker.warehouses.base import TIMEOUT_SECONDS, USUAL, Bounds

# Raise with every change of the stored state.
_FORMAT = 2
# Connection options that determine content; no secrets, since a new password is the same warehouse.
_CONNECTION = (
    "type",
    "path",
    "host",
    "port",
    "user",
    "dbname",
    "database",
    "schema",
    "role",
    "account",
    "project",
    "dataset",
    "location",
    "warehouse",
    "search_path",
    "attach",
)
# Tolerated clock skew of machines that share a state folder.
_CLOCK_SECONDS = 3600
_RULES = {
    "over the ceiling": "exceeded max_bytes",
    "failed": "could not be read, and is retried",
    "unfinished twice": "could not be read, and is retried",
}
_UNINFORMATIVE = "is scanned again: the warehouse has no change information for it"


class ChangeCheck(Record, frozen=True):
    """Result of a check; the reason says why a change cannot be excluded."""

    reason: str
    is_unchanged: bool = False
    # `schema.table` of added, removed and changed tables; shards for families.
    changed: tuple[str, ...] = ()
    queries: int = 0
    # If unchanged: tables with a profile, where the previous run had no other evidence of any.
    profiled: int | None = None


class _KeptRun(Record, frozen=True):
    """State of a run, stored for the next check."""

    format: int
    made_for: str
    index: str
    watched: ChangeSnapshot
    kept_at: float


def made_for(target: Target, variables: Mapping[str, object], *more: object) -> str:
    """Digest of everything besides the warehouse that affects dbt."""
    connection = {key: str(target.options[key]) for key in _CONNECTION if key in target.options}
    parts = [
        __version__,
        _FORMAT,
        target.key,
        connection,
        {**variables},
        [str(part) for part in more],
    ]
    digest = hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode())
    for path in dbt_project_files():
        digest.update(path.read_bytes())
    return digest.hexdigest()


def bounds_of(variables: Mapping[str, object]) -> Bounds:
    """Limits for check queries; shorter than those of a run."""
    seconds = variables.get("scan_seconds")
    return Bounds(seconds=min(seconds, TIMEOUT_SECONDS)) if isinstance(seconds, int) else USUAL


def keep(
    state_dir: Path, target: Target, digest: str, watched: ChangeSnapshot, *, index: str = ""
) -> None:
    """Store a completed run's state under the digest of `made_for` and that of the index."""
    kept = _KeptRun(_FORMAT, digest, index, watched, datetime.now(UTC).timestamp())
    write_atomically(state_file(state_dir, target), json.dumps(as_dict(kept)), is_private=True)


def forget(state_dir: Path, target: Target) -> None:
    """Delete the stored state."""
    state_file(state_dir, target).unlink(missing_ok=True)


def check_for_changes(
    state_dir: Path,
    target: Target,
    digest: str,
    *,
    index: str | None = None,
    now: datetime | None = None,
    bounds: Bounds = USUAL,
) -> ChangeCheck:
    """
    Compare the warehouse (and index) with the stored state; raises if the warehouse is unavailable.

    Queries that exceed their limits count as changed.
    """
    kept = _read(state_file(state_dir, target))
    if kept is None:
        return ChangeCheck("no earlier run")
    watched = kept.watched
    if reason := _why_unknown(kept, digest, index, (now or datetime.now(UTC)).timestamp()):
        return ChangeCheck(reason)
    stamp = _stamp(target)
    if stamp and stamp == watched.stamp:
        return _unchanged(watched)
    with closing(open_warehouse(target)) as warehouse:
        comparison = _compare(warehouse, watched, names_all=False, bounds=bounds)
    if comparison.is_unchanged and stamp and stamp == _stamp(target):
        keep(state_dir, target, digest, replace(watched, stamp=stamp), index=kept.index)
    return comparison


def _why_unknown(kept: _KeptRun, digest: str, index: str | None, now: float) -> str:
    """Why stored state is inconclusive regardless of the warehouse."""
    due = kept.watched.due_again
    if kept.made_for != digest:
        return "settings, selection or version changed since the last run"
    if index not in (None, kept.index):
        return "the index was not updated since"
    if kept.kept_at > now + _CLOCK_SECONDS:
        return "the clock was ahead during the last run"
    return (
        f"{due.schema}.{due.table} {_RULES.get(due.rule, _UNINFORMATIVE)}"
        if due and due.at <= now
        else ""
    )


def changed_since(state_dir: Path, target: Target) -> tuple[str, ...] | str:
    """
    `schema.table` of added, removed and changed tables, or why they are unknown.

    Ignores settings; covers what the last run covered.
    """
    kept = _read(state_file(state_dir, target))
    if kept is None:
        return "no `linker refresh` has run here"
    watched = kept.watched
    stamp = _stamp(target)
    if stamp and stamp == watched.stamp:
        return ()
    with closing(open_warehouse(target)) as warehouse:
        comparison = _compare(warehouse, watched, names_all=True)
    return (
        comparison.changed if comparison.is_unchanged or comparison.changed else comparison.reason
    )


def _stamp(target: Target) -> str | None:
    """Stamp of a file warehouse."""
    dialect, path = find_dialect(target.kind), file_of(target)
    return dialect.file.stamp(path) if path and dialect and dialect.file else None


def _compare(
    warehouse: Warehouse, watched: ChangeSnapshot, *, names_all: bool, bounds: Bounds = USUAL
) -> ChangeCheck:
    if not watched.is_whole:
        return ChangeCheck("the last run was incomplete")
    changed: set[str] = set()
    for query_count, query in enumerate(watched.queries, 1):
        try:
            now = tokens(warehouse.query(query.sql, bounds=bounds))
        except WarehouseError as error:
            # A removed table may fail the storage query; the full run finds out.
            return ChangeCheck(
                f"reading metadata failed: {error.what}",
                queries=query_count,
            )
        differing = set(now) ^ set(query.rows)
        if differing and query.name == "journal":
            return ChangeCheck("dbt ran since the last refresh", queries=query_count)
        changed |= {f"{schema}.{table}" for schema, table, _ in differing}
        if changed and not names_all:  # large warehouses need many queries
            break
    if not changed:
        return _unchanged(watched, query_count)
    names = tuple(sorted(changed))
    more = f" and {len(names) - 1:,} more" if len(names) > 1 else ""
    return ChangeCheck(f"{names[0]}{more} changed", changed=names, queries=query_count)


def _unchanged(watched: ChangeSnapshot, queries: int = 0) -> ChangeCheck:
    return ChangeCheck(
        "nothing changed", is_unchanged=True, queries=queries, profiled=watched.profiled
    )


def state_file(state_dir: Path, target: Target) -> Path:
    """Path of the stored state."""
    folder = state_folder(state_dir, "dbt")
    folder.chmod(0o700)
    return folder / f"watched-{hashlib.sha256(target.key.encode()).hexdigest()[:16]}.json"


def _read(path: Path) -> _KeptRun | None:
    try:
        kept = msgspec.json.decode(read_own(path) or b"", type=_KeptRun)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
    return kept if kept.format == _FORMAT else None

"""
Run history, table states, index manifests and usage statistics in PostgreSQL.

A state is stored once for all runs that found it. A run holds an advisory lock on its connection,
so the lock is released when its process or machine dies. In the JSON of runs and states, defaults
are omitted and unknown fields are ignored, so versions can read each other. A manifest is written
in the transaction that publishes its collection.
"""

import hashlib
import json
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import cache
from typing import Any, Protocol, TypeVar

import psycopg
from msgspec import NODEFAULT, Struct, convert
from msgspec.structs import fields
from psycopg import errors

from linker.errors import BusyError
from linker.index.base import (
    CollectionId,
    IndexManifest,
    Snapshot,
    StoredUsage,
    key_of_text,
    statement,
)
from linker.index.connection import StoreConnections, open_connection, store_error
from linker.types import (
    ENDED_WELL,
    ColumnState,
    JoinState,
    Run,
    RunKind,
    TableError,
    TableRef,
    TableState,
    Work,
)

KEPT_RUNS = 400
R = TypeVar("R")


def write_facts(run: Run) -> str:
    """A run's facts as ASCII JSON, which can hold any text from a warehouse."""
    return json.dumps(
        {
            "work": _write(run.work),
            "errors": [
                [error.table.schema, error.table.name, error.message] for error in run.errors
            ],
            "dbt_runs": run.dbt_runs,
            "message": run.message,
            "selection": run.selection,
        }
    )


def read_run(row: tuple[Any, ...]) -> Run:
    """A Run from a row: number, kind, outcome, start, end, facts."""
    number, kind, outcome, started_at, ended_at, facts = row
    return Run(
        number,
        kind,
        outcome,
        started_at.astimezone(UTC),
        ended_at.astimezone(UTC) if ended_at else None,
        convert(facts.get("work", {}), Work),
        tuple(
            TableError(TableRef(schema, name), message)
            for schema, name, message in facts.get("errors", ())
        ),
        tuple(facts.get("dbt_runs", ())),
        facts.get("message", ""),
        facts.get("selection", ""),
    )


def write_state(state: TableState) -> bytes:
    """Serialise; equal states give equal bytes."""
    scanned_at = state.scanned_at.astimezone(UTC).isoformat() if state.scanned_at else None
    columns = [_write(column) for column in state.columns]
    record = {"row_count": state.row_count, "scanned_at": scanned_at, "columns": columns}
    # Omit empty joins, to keep old digests.
    joins = {"joins": [_write(join) for join in state.joins]} if state.joins else {}
    return json.dumps({**record, "change_rule": state.change_rule, **joins}).encode()


def pack(written: bytes) -> bytes:
    """Compress; a wide table shrinks from 60 KB to 10."""
    return zlib.compress(written)


def read_state(packed: bytes) -> TableState:
    record = json.loads(zlib.decompress(packed))
    scanned_at = datetime.fromisoformat(record["scanned_at"]) if record["scanned_at"] else None
    columns = convert(record["columns"], tuple[ColumnState, ...])
    joins = convert(record.get("joins", ()), tuple[JoinState, ...])
    return TableState(record["row_count"], scanned_at, columns, record.get("change_rule"), joins)


def _write(record: Struct) -> dict[str, Any]:
    values = ((name, default, getattr(record, name)) for name, default in _defaults(type(record)))
    return {
        name: value for name, default, value in values if default is NODEFAULT or value != default
    }


@cache
def _defaults(kind: type[Struct]) -> tuple[tuple[str, Any], ...]:
    """Cached, since a warehouse has thousands of columns."""
    return tuple((field.name, field.default) for field in fields(kind))


class OnConnection(Protocol):
    """Runs work on the store's connection, and translates Postgres errors."""

    def __call__(self, work: Callable[[psycopg.Connection], R]) -> R: ...


class StoredHistory:
    """Run history of all targets, in the schema `linker`."""

    def __init__(
        self, connections: StoreConnections, execute: OnConnection, *, kept_runs: int
    ) -> None:
        self._connections, self._execute = connections, execute
        self._kept_runs = kept_runs
        self._held: dict[str, psycopg.Connection] = {}

    @contextmanager
    def lock(self, target: str) -> Iterator[None]:
        """
        Hold the target's run lock, or raise BusyError; released at the latest when the process
        ends.
        """
        connection = open_connection(self._connections.url, self._connections.server)
        try:
            if not self._locks(connection, target):
                raise BusyError(
                    f"another run of `{target}` is in progress",
                    hint="wait until it has ended: `linker runs` shows it",
                )
            self._held[target] = connection
            yield
        finally:
            if self._held.get(target) is connection:
                del self._held[target]
            connection.close()

    def begin(self, target: str, kind: RunKind) -> int:
        """
        Record the start of a run; returns its number. Under the lock, unfinished runs are marked as
        killed.
        """
        holds_lock = self._holds_lock(target)

        def work(connection: psycopg.Connection) -> int:
            with connection.transaction():
                if holds_lock:
                    connection.execute(
                        "update linker.runs set outcome = 'killed' where target = %s and outcome "
                        "= 'running'",
                        (target,),
                    )
                values = {"target": target, "kind": kind}
                [[number]] = connection.execute(statement("begin_run"), values).fetchall()
            return int(number)

        return self._execute(work)

    def end(self, target: str, run: Run, states: Mapping[TableRef, TableState] | None) -> None:
        """Record the end of a run, with table states if they changed, in one transaction."""
        facts = write_facts(run)

        def work(connection: psycopg.Connection) -> None:
            with connection.transaction():
                if _still_runs(connection, target, run):
                    values = (
                        run.kind,
                        run.outcome,
                        run.started_at,
                        run.ended_at,
                        facts,
                        target,
                        run.number,
                    )
                    connection.execute(statement("end_run"), values)
                    if states is not None:
                        _insert_states(connection, target, run.number, states)
                    _prune(connection, target, run.number - self._kept_runs)

        self._execute(work)

    def delete(self, target: str, number: int) -> None:
        """Remove a run that has done nothing."""
        self._execute(
            lambda connection: connection.execute(
                "delete from linker.runs where target = %s and number = %s and outcome = 'running'",
                (target, number),
            )
        )

    def runs(self, target: str, *, limit: int) -> list[Run]:
        """Newest first."""
        return [read_run(row) for row in self._rows("runs", target=target, limit=limit)]

    def changed_runs(self, target: str, *, limit: int) -> list[int]:
        """Numbers of the last runs with changes, newest first."""
        return [number for [number] in self._rows("changed_runs", target=target, limit=limit)]

    def states(self, target: str, number: int) -> dict[TableRef, TableState]:
        """Table states at the end of a run."""
        rows = self._rows("table_states", target=target, number=number)
        return {TableRef(schema, name): read_state(packed) for schema, name, packed in rows}

    def _rows(self, name: str, **values: object) -> list[tuple[Any, ...]]:
        query = statement(name)
        return self._execute(
            lambda connection: connection.execute(query, values, binary=True).fetchall()
        )

    def _locks(self, connection: psycopg.Connection, target: str) -> bool:
        try:
            connection.autocommit = False
            connection.execute(statement("run_lock_settings"))
            connection.execute(
                "select pg_advisory_xact_lock(%s)", (key_of_text(f"linker run {target}"),)
            )
        except errors.LockNotAvailable:
            return False
        except psycopg.Error as error:
            raise store_error(error, self._connections.server) from error
        return True

    def _holds_lock(self, target: str) -> bool:
        """Whether the lock is still held; its connection may have been lost."""
        held = self._held.get(target)
        if held is None:
            return False
        with suppress(psycopg.OperationalError):
            held.execute("select")
            return True
        return False


def _still_runs(connection: psycopg.Connection, target: str, run: Run) -> bool:
    """False if the run already ended in the same way, when the reply was lost."""
    row = connection.execute(
        "select outcome, ended_at from linker.runs where target = %s and number = %s for update",
        (target, run.number),
    ).fetchone()
    if row == (run.outcome, run.ended_at):
        return False
    if row and row[0] == "running":
        return True
    raise BusyError(
        f"another run of `{target}` began before run {run.number} ended, as its connection to the "
        "store was lost",
        hint="run it again; `linker runs` shows what ran",
    )


def _insert_states(
    connection: psycopg.Connection, target: str, number: int, states: Mapping[TableRef, TableState]
) -> None:
    """Insert new and changed states, and close old ones."""
    written = {ref: write_state(state) for ref, state in states.items()}
    digests = {ref: hashlib.sha256(content).hexdigest() for ref, content in written.items()}
    rows = connection.execute(
        "select schema_name, table_name, digest from linker.table_states where target = %s and "
        "until_run is null",
        (target,),
    )
    held = {TableRef(schema, name): digest for schema, name, digest in rows}
    over = [ref for ref, digest in held.items() if digests.get(ref) != digest]
    new = [ref for ref, digest in digests.items() if held.get(ref) != digest]
    with connection.cursor() as cursor:
        if over:
            cursor.executemany(
                statement("close_table_state"),
                [(number, target, ref.schema, ref.name) for ref in over],
            )
        if new:
            rows_of_new = [
                (target, ref.schema, ref.name, number, digests[ref], pack(written[ref]))
                for ref in new
            ]
            cursor.executemany(statement("insert_table_state"), rows_of_new)


def _prune(connection: psycopg.Connection, target: str, last: int) -> None:
    """Delete old runs and states that only they saw."""
    connection.execute("delete from linker.runs where target = %s and number <= %s", (target, last))
    connection.execute(
        "delete from linker.table_states where target = %s and until_run <= %s + 1", (target, last)
    )


def read_snapshot(
    connection: psycopg.Connection, collection_id: CollectionId, held: str
) -> Snapshot | None:
    """Snapshot with usage statistics; without content if its digest is `held`."""
    values = {"held": held, "id": collection_id.number, "ended_well": list(ENDED_WELL)}
    row = connection.execute(statement("index_manifest"), values, binary=True).fetchone()
    if row is None:
        return None
    digest, is_settled, packed, refreshed_at, learned_digest, learned = row
    return Snapshot(
        digest,
        is_settled=is_settled,
        content=None if packed is None else zlib.decompress(packed),
        refreshed_at=refreshed_at,
        learned=tuple(zlib.decompress(content) for content in learned or ()),
        learned_digest=learned_digest or "",
    )


def snapshot_digest(connection: psycopg.Connection, collection_id: CollectionId) -> str | None:
    """None without a snapshot."""
    row = connection.execute(
        "select digest from linker.snapshots where collection_id = %s", (collection_id.number,)
    ).fetchone()
    return row[0] if row else None


def replace_snapshot(
    connection: psycopg.Connection, collection_id: CollectionId, made_from: IndexManifest | None
) -> None:
    """Replace the snapshot in the caller's transaction, under its lock."""
    connection.execute(
        "delete from linker.snapshots where collection_id = %s", (collection_id.number,)
    )
    if made_from is None:
        return
    connection.execute(
        "insert into linker.snapshots (collection_id, digest, packed) values (%s, %s, %s)",
        (collection_id.number, made_from.digest, zlib.compress(made_from.content)),
    )


class UsageStore:
    """Usage sources of all targets, in the schema `linker`."""

    def __init__(self, execute: OnConnection) -> None:
        self._execute = execute

    def replace(self, target: str, source: str, content: bytes, counts: str) -> None:
        """Replace a source's statistics; `counts` is JSON."""
        values = (
            target,
            source,
            counts,
            hashlib.sha256(content).hexdigest(),
            zlib.compress(content),
        )
        self._execute(
            lambda connection: connection.execute(statement("replace_usage_source"), values)
        )

    def delete(self, target: str, source: str) -> bool:
        """Remove a source; whether it existed."""
        statement = "delete from linker.prior_uses where target = %s and source = %s"
        return self._execute(
            lambda connection: connection.execute(statement, (target, source)).rowcount > 0
        )

    def digests(self, target: str) -> dict[str, str]:
        """SHA-256 by source."""
        statement = "select source, digest from linker.prior_uses where target = %s"
        return dict(
            self._execute(lambda connection: connection.execute(statement, (target,)).fetchall())
        )

    def sources(self, target: str) -> list[StoredUsage]:
        """Usage sources by name."""
        query = statement("usage_sources")
        rows = self._execute(
            lambda connection: connection.execute(query, (target,), binary=True).fetchall()
        )
        return [
            StoredUsage(source, learned_at.astimezone(UTC), counts, zlib.decompress(packed))
            for source, learned_at, counts, packed in rows
        ]

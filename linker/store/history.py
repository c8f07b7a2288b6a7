"""
History of runs in Postgres: enter runs and states of tables, leave the runs and the tables as each
left them.

A state is kept once for all the runs that found it. A run is alone while its connection holds an
advisory lock, which Postgres takes back when the connection ends: with its process, or with the
machine of that process.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, Protocol, TypeVar

import psycopg
from psycopg import errors

from linker.errors import BusyError
from linker.runs import Run, RunKind, TableState
from linker.store.connection import open_connection, store_error
from linker.store.embedded import EmbeddedPostgres
from linker.store.places import key_of_text, statement
from linker.store.recorded import pack, read_run, read_state, write_facts, write_state
from linker.types import TableRef

KEPT_RUNS = 400
R = TypeVar("R")


class OnConnection(Protocol):
    """Does work on the store's connection, and tells plainly what Postgres refuses."""

    def __call__(self, work: Callable[[psycopg.Connection], R]) -> R:
        """The result of the work."""


class StoredHistory:
    """The history of every target, in the schema `linker`."""

    def __init__(
        self, url: str, server: EmbeddedPostgres | None, execute: OnConnection, *, kept_runs: int
    ) -> None:
        self._url = url
        self._server = server
        self._execute = execute
        self._kept_runs = kept_runs
        self._held: dict[str, psycopg.Connection] = {}

    @contextmanager
    def hold(self, target: str) -> Iterator[None]:
        """
        Be the only run of the target; BusyError where there is another. It ends with the process at
        the latest.
        """
        connection = open_connection(self._url, self._server)
        try:
            if not self._locks(connection, target):
                raise BusyError(
                    f"another run is at work on `{target}`",
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
        Note that a run begins; leaves its number. Runs that never ended are noted as killed by who
        is alone.
        """
        is_alone = self._is_alone(target)

        def work(connection: psycopg.Connection) -> int:
            with connection.transaction():
                if is_alone:
                    connection.execute(
                        "update linker.runs set outcome = 'killed' where target = %s and outcome = 'running'",
                        (target,),
                    )
                values = {"target": target, "kind": kind}
                [[number]] = connection.execute(statement("begin_run"), values).fetchall()
            return int(number)

        return self._execute(work)

    def end(self, target: str, run: Run, states: Mapping[TableRef, TableState] | None) -> None:
        """
        Note how it ended, and what all tables are like now, unless nothing changed; both or
        neither.
        """
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
                        _keep_states(connection, target, run.number, states)
                    _prune(connection, target, run.number - self._kept_runs)

        self._execute(work)

    def withdraw(self, target: str, number: int) -> None:
        """Forget a run that has not ended: it was never to be, and has done nothing."""
        self._execute(
            lambda connection: connection.execute(
                "delete from linker.runs where target = %s and number = %s and outcome = 'running'",
                (target, number),
            )
        )

    def runs(self, target: str, *, limit: int) -> list[Run]:
        """The last runs, the newest first."""
        return [read_run(row) for row in self._rows("runs", target=target, limit=limit)]

    def changed_runs(self, target: str, *, limit: int) -> list[int]:
        """The numbers of the last runs that found something changed, the newest first."""
        return [number for [number] in self._rows("changed_runs", target=target, limit=limit)]

    def states(self, target: str, number: int) -> dict[TableRef, TableState]:
        """The tables as they were at the end of that run."""
        rows = self._rows("states", target=target, number=number)
        return {TableRef(schema, name): read_state(packed) for schema, name, packed in rows}

    def _rows(self, name: str, **values: object) -> list[tuple[Any, ...]]:
        query = statement(name)
        return self._execute(
            lambda connection: connection.execute(query, values, binary=True).fetchall()
        )

    def _locks(self, connection: psycopg.Connection, target: str) -> bool:
        try:
            connection.autocommit = False
            connection.execute(statement("be_alone"))
            connection.execute(
                "select pg_advisory_xact_lock(%s)", (key_of_text(f"linker run {target}"),)
            )
        except errors.LockNotAvailable:
            return False
        except psycopg.Error as error:
            raise store_error(error, self._server) from error
        return True

    def _is_alone(self, target: str) -> bool:
        """True while the lock is ours: the connection that holds it may have been lost."""
        held = self._held.get(target)
        if held is None:
            return False
        with suppress(psycopg.OperationalError):
            held.execute("select")
            return True
        return False


def _still_runs(connection: psycopg.Connection, target: str, run: Run) -> bool:
    """
    True for a run that has not ended; False for one that ended in the same way, where the answer
    was lost.
    """
    row = connection.execute(
        "select outcome, ended_at from linker.runs where target = %s and number = %s for update",
        (target, run.number),
    ).fetchone()
    if row == (run.outcome, run.ended_at):
        return False
    if row and row[0] == "running":
        return True
    raise BusyError(
        f"another run of `{target}` began before run {run.number} ended, as its connection to the store was lost",
        hint="run it again; `linker runs` shows what ran",
    )


def _keep_states(
    connection: psycopg.Connection, target: str, number: int, states: Mapping[TableRef, TableState]
) -> None:
    """Write what came or changed, and close what changed or went."""
    written = {ref: write_state(state) for ref, state in states.items()}
    digests = {ref: hashlib.sha256(content).hexdigest() for ref, content in written.items()}
    rows = connection.execute(
        "select schema_name, table_name, digest from linker.table_states where target = %s and until_run is null",
        (target,),
    )
    held = {TableRef(schema, name): digest for schema, name, digest in rows}
    over = [ref for ref, digest in held.items() if digests.get(ref) != digest]
    new = [ref for ref, digest in digests.items() if held.get(ref) != digest]
    with connection.cursor() as cursor:
        if over:
            cursor.executemany(
                statement("close_state"), [(number, target, ref.schema, ref.name) for ref in over]
            )
        if new:
            rows_of_new = [
                (target, ref.schema, ref.name, number, digests[ref], pack(written[ref]))
                for ref in new
            ]
            cursor.executemany(statement("keep_state"), rows_of_new)


def _prune(connection: psycopg.Connection, target: str, last: int) -> None:
    """Forget runs up to that number, and the states that no later run saw."""
    connection.execute("delete from linker.runs where target = %s and number <= %s", (target, last))
    connection.execute(
        "delete from linker.table_states where target = %s and until_run <= %s + 1", (target, last)
    )

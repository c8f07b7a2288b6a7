"""A killed index run: readers see one consistent state, and the next run resumes."""

import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

from linker.catalog.documents import BATCH_SIZE, plan_index
from linker.config.values import Secret
from linker.index import Collection, Store
from tests.contract.states import (
    CHANGING,
    STEADY,
    StateEncoder,
    documents_of,
    index,
    made_from,
    seen,
)

pytestmark = pytest.mark.slow

Start = Callable[..., "subprocess.Popen[str]"]
CHECKOUT = Path(__file__).parents[2]
EMBEDDED_IN_A_STATE = CHANGING + 2
STATES = 13


@dataclass(frozen=True)
class Point:
    """Where a run is killed: in its encoder, before publishing, or waiting for a lock."""

    name: str
    # How many documents the next run embeds.
    left: int = 0
    stuck_at: int = -1
    before_publishing: bool = False
    lock: str = ""
    is_committed: bool = False


# Writers wait for a table that somebody holds in this mode, readers do not.
_HOLD = "lock table linker.{} in exclusive mode"
POINTS = {
    "embedded": (
        Point("embedding the first batch", left=EMBEDDED_IN_A_STATE, stuck_at=0),
        Point("embedding the third batch", left=EMBEDDED_IN_A_STATE - 2 * BATCH_SIZE, stuck_at=2),
        Point("removing documents", lock=_HOLD.format("documents_{}")),
        Point("counting words", lock=_HOLD.format("lexemes_{}")),
        Point("removing staged vectors", lock="lock table linker.staged_{} in access share mode"),
        Point(
            "making room",
            lock="lock table linker.vectors_{} in share update exclusive mode",
            is_committed=True,
        ),
    ),
    "separate": (
        Point("staging the first batch", left=EMBEDDED_IN_A_STATE, lock=_HOLD.format("staged_{}")),
        Point("before publishing", before_publishing=True),
        Point("writing vectors", lock=_HOLD.format("vectors_{}")),
        Point("writing values", lock=_HOLD.format("value_places_{}")),
        Point("keeping the snapshot", lock=_HOLD.format("snapshots")),
        Point(
            "the last statement",
            lock="select from linker.collections where collection_id = {} for update",
        ),
    ),
}


@pytest.fixture
def start(url: Secret, state_dir: Path, collection: Collection) -> Iterator[Start]:
    """Starts processes that index or read the collection."""
    started: list[subprocess.Popen[str]] = []

    def start_one(what: str, *numbers: int) -> "subprocess.Popen[str]":
        arguments = [
            what,
            url.get_secret_value(),
            str(state_dir),
            collection.target,
            *map(str, numbers),
        ]
        started.append(
            subprocess.Popen(
                [sys.executable, "-m", "tests.contract.states", *arguments],
                cwd=CHECKOUT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        )
        return started[-1]

    yield start_one
    for process in started:
        process.kill()
        process.communicate()


def look(reader: "subprocess.Popen[str]") -> int:
    """How often it has searched so far; nothing that it saw was wrong."""
    assert reader.stdin
    assert reader.stdout
    reader.stdin.write("?")
    reader.stdin.flush()
    count, _, wrong = reader.stdout.readline().rstrip("\n").partition(" ")
    assert wrong == ""
    return int(count)


def number_of(connection: psycopg.Connection, collection: Collection) -> int:
    [[number]] = connection.execute(
        "select collection_id from linker.collections where target = %s", (collection.target,)
    ).fetchall()
    return int(number)


@contextmanager
def stopped(
    run: "subprocess.Popen[str]", point: Point, connection: psycopg.Connection, number: int
) -> Iterator[None]:
    """The run has come to the point, and is held there."""
    if not point.lock:
        assert run.stdout
        assert run.stdout.readline() in ("embedding\n", "embedded\n")
        yield
        return
    waiting = "select from pg_locks where not granted and %s = any(pg_blocking_pids(pid))"
    while not connection.execute(waiting, (connection.info.backend_pid,)).fetchall():
        assert run.poll() is None
    yield


def test_readers_see_one_state_whole_wherever_a_run_is_killed_and_the_next_one_goes_on(
    variant: str,
    store: Store,
    own_connection: psycopg.Connection,
    collection: Collection,
    start: Start,
) -> None:
    own = Collection(collection.target, StateEncoder.name)
    index(store, own, 0, stuck_before_switch=False)
    number, now = number_of(own_connection, own), 0
    reader = start("read", STATES)
    order = random.Random(variant).sample(POINTS[variant], len(POINTS[variant]))
    for state, point in enumerate(order, start=1):
        with own_connection.transaction():
            if point.lock:
                own_connection.execute(point.lock.format(number).encode())
            run = start("index", state, point.stuck_at, int(point.before_publishing))
            with stopped(run, point, own_connection, number):
                # The second of two looks is at a search that began while the run was held.
                assert look(reader) < look(reader), point.name
                run.kill()
                run.wait()
        now = state if point.is_committed else now
        assert seen(store, own, STATES) == {str(now)}, point.name
        assert plan_index(documents_of(now), store.content_hashes(own)).in_step, point.name
        # Every other run finds a warehouse different from the killed run's.
        now = state + len(order) * (state % 2 == 0)
        embedded = index(store, own, now, stuck_before_switch=False)
        expected = 0 if point.is_committed else point.left
        if now != state:
            expected = EMBEDDED_IN_A_STATE
        assert embedded == expected, point.name
        assert seen(store, own, STATES) == {str(now)}, point.name
        assert store.content_hashes(own) == {one.ref: one.content_hash for one in documents_of(now)}
        kept = store.snapshot(own)
        assert kept is not None
        assert (kept.content, kept.is_settled) == (made_from(now).content, True)
        assert store.staged(own, documents_of(state)) == set()
    assert look(reader) > STEADY // 2

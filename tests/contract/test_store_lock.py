"""Contract of the store for the run lock."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

from linker.config.values import Secret
from linker.errors import BusyError, StoreError
from linker.index import Store, open_store
from tests.contract.runs import end_all_sessions, ended

# Holds the lock of a target until it is signalled or killed; it has started a run.
HOLDS = """
import sys
from pathlib import Path
from linker.errors import BusyError
from linker.config.values import Secret
from linker.index import open_store
url, folder, target = sys.argv[1:]
store = open_store(Secret(url), Path(folder))
try:
    with store.history.lock(target):
        print(store.history.begin(target, "refresh"), flush=True)
        sys.stdin.readline()
except BusyError as error:
    print(error, flush=True)
"""


@contextmanager
def holder(url: Secret, folder: Path, target: str) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """Another process that tries to hold the lock, and what it says."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDS, url.get_secret_value(), str(folder), target],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout
        yield process, process.stdout.readline().strip()
        process.kill()


def test_of_two_who_want_to_run_one_is_told_that_another_is_at_work(
    store: Store, target: str
) -> None:
    with store.history.lock(target):
        with (
            pytest.raises(BusyError, match=r"another run of .* is in progress") as caught,
            store.history.lock(target),
        ):
            pass
        assert "linker runs" in caught.value.hint
    with store.history.lock(target):
        pass


def test_another_process_is_kept_out_and_keeps_out(
    store: Store, url: Secret, state_dir: Path, target: str
) -> None:
    with store.history.lock(target), holder(url, state_dir, target) as (_, said):
        assert said == f"another run of `{target}` is in progress"
    with holder(url, state_dir, target) as (process, said):
        assert said == "1"
        with pytest.raises(BusyError), store.history.lock(target):
            pass
        process.communicate("end\n")
        with store.history.lock(target):
            pass


def test_a_holder_that_is_killed_frees_the_lock_and_its_run_is_told_as_killed(
    store: Store, url: Secret, state_dir: Path, target: str
) -> None:
    with holder(url, state_dir, target) as (process, said):
        assert said == "1"
        process.kill()
    with store.history.lock(target):
        assert [run.outcome for run in store.history.runs(target, limit=9)] == ["running"]
        assert store.history.begin(target, "refresh") == 2
        store.history.end(target, ended(2), None)
    now, before = store.history.runs(target, limit=9)
    assert now == ended(2)
    assert (before.number, before.outcome, before.ended_at) == (1, "killed", None)


def test_who_lost_the_lock_calls_no_run_killed(
    store: Store, target: str, own_connection: psycopg.Connection, url: Secret, state_dir: Path
) -> None:
    with store.history.lock(target):
        end_all_sessions(own_connection)
        with holder(url, state_dir, target) as (_, said):
            assert said == "1"
            assert store.history.begin(target, "refresh") == 2
            assert [run.outcome for run in store.history.runs(target, limit=9)] == [
                "running",
                "running",
            ]


def test_no_lock_is_had_where_the_store_cannot_be_reached(
    fresh_url: Secret, own_connection: psycopg.Connection, state_dir: Path, target: str
) -> None:
    opened = open_store(fresh_url, state_dir)
    name = sql.Identifier(str(conninfo_to_dict(fresh_url.get_secret_value())["dbname"]))
    own_connection.execute(sql.SQL("alter database {} with allow_connections false").format(name))
    with pytest.raises(StoreError) as caught, opened.history.lock(target):
        pass
    assert "\n" not in caught.value.what
    opened.close()


def test_an_error_inside_is_raised_as_it_is_and_frees_the_lock(store: Store, target: str) -> None:
    for _ in range(2):
        with pytest.raises(ZeroDivisionError), store.history.lock(target):
            raise ZeroDivisionError

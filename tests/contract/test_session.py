"""Worker process of a session: statements respect their limits, and it ends with its parent."""

import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import Any

import duckdb
import pytest
from msgspec.structs import replace

from benchmarks.bombs import BOMBS, targets, tried
from linker.cancellation import Cancellation
from linker.config.target import Target
from linker.errors import (
    BudgetExceeded,
    CallerGoneError,
    GuardError,
    LinkerError,
    MissingError,
    ModelError,
    WarehouseError,
)
from linker.types import NOTHING_USED
from linker.warehouses import Warehouse, open_warehouse
from linker.warehouses.base import WHOLE, Bounds

# A process that opens a session and runs a statement without an end; the keyboard may stop it.
ASKS = """
import signal
import sys
from pathlib import Path
from linker.config.target import Target
from linker.warehouses import open_warehouse
from linker.warehouses.base import Bounds
# What a script starts in the background ignores the keyboard, and so do its children.
signal.signal(signal.SIGINT, signal.default_int_handler)
options = {"path": sys.argv[1], "password": "s3cret"}
session = open_warehouse(Target("p", "t", "duckdb", "main", Path(), options))
try:
    print("asks", flush=True)
    session.query("select levenshtein(repeat('a', 1000000), repeat('b', 1000000))", (), Bounds(seconds=600))
except KeyboardInterrupt:
    print(session.query("select 1"))
    session.close()
"""
MAX_GROWTH = 50_000_000


@pytest.fixture(scope="module")
def places() -> Iterator[dict[str, Target]]:
    with targets() as opened:
        yield opened


@pytest.fixture
def opened(places: dict[str, Target]) -> Iterator[Callable[..., Warehouse]]:
    """Opens sessions, which are closed after the test."""
    sessions: list[Warehouse] = []

    def open_one(kind: str, memory_mb: int = 4_000) -> Warehouse:
        sessions.append(open_warehouse(replace(places[kind], session_memory_mb=memory_mb)))
        # The first statement imports the parser.
        assert sessions[-1].query("select 1") == [(1,)]
        return sessions[-1]

    yield open_one
    for session in sessions:
        session.close()


@pytest.fixture
def asking(places: dict[str, Target]) -> Iterator["subprocess.Popen[str]"]:
    """A process that waits for a statement without an end."""
    with subprocess.Popen(
        [sys.executable, "-c", ASKS, str(places["duckdb"].options["path"])],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == "asks\n"
        yield process
        process.kill()


def child_of(process: int) -> Any:
    """The process of its newest session; psutil comes with dbt, its types do not."""
    return max(
        import_module("psutil").Process(process).children(), key=lambda child: child.create_time()
    )


# One for each limit: time, memory, and the size of a result. Each keeps a processor busy for more
# than a second.
QUICK = ("count without an end", "gather rows without an end", "return one row of 500 MB")


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        pytest.param(kind, name, marks=() if name in QUICK else pytest.mark.slow)
        for kind in BOMBS
        for name in BOMBS[kind]
    ],
)
def test_every_bomb_ends_in_time_and_leaves_this_process_as_it_was(
    opened: Callable[..., Warehouse], kind: str, name: str
) -> None:
    warehouse = opened(kind)
    ended = tried(warehouse, BOMBS[kind][name], 1)
    assert any(
        limit in ended.how
        for limit in ("longer than 1 seconds", "at most 4,000 MB of memory", "at most 16 MB")
    )
    # Half a second for Postgres to end it by itself, and some for a machine that does much else.
    assert ended.seconds < 4
    assert ended.grown_bytes < MAX_GROWTH
    assert warehouse.query("select 1") == [(1,)]


@pytest.mark.parametrize("kind", BOMBS)
def test_a_result_that_is_too_large_stays_where_it_is(
    opened: Callable[..., Warehouse], kind: str
) -> None:
    warehouse = opened(kind)
    ended = tried(warehouse, "select repeat('x', 100000000)", 60)
    assert ended.how == "a statement was stopped: its result may have at most 16 MB"
    assert ended.grown_bytes < MAX_GROWTH
    [[text]] = warehouse.query("select repeat('x', 15000000)")
    assert text == "x" * 15_000_000
    [[text]] = warehouse.query("select repeat('x', 20000000)", (), WHOLE)
    assert text == "x" * 20_000_000


@pytest.mark.parametrize(
    ("kind", "sql"),
    [
        ("duckdb", "select list(i) from range(100000000) t(i)"),
        ("duckdb", "select length(repeat('x', 1000000000))"),
        ("duckdb", "select i, hash(i) from range(100000000) t(i) order by 2 offset 99999999"),
        ("postgres", "select repeat('x', 100000000) from generate_series(1, 9)"),
    ],
)
def test_the_memory_is_that_of_the_settings_and_the_disk_is_not_used_instead(
    opened: Callable[..., Warehouse], places: dict[str, Target], kind: str, sql: str
) -> None:
    warehouse = opened(kind, memory_mb=300)
    first = child_of(os.getpid()).pid
    with pytest.raises(WarehouseError, match="at most 300 MB of memory") as caught:
        warehouse.query(sql, (), Bounds(seconds=60))
    assert "session_memory_mb" in caught.value.hint
    # Nothing lies beside the file of DuckDB and the folder of Postgres.
    assert {path.name for path in places["duckdb"].profiles_dir.iterdir()} == {
        "empty.duckdb",
        "postgres",
    }
    assert warehouse.query("select 1") == [(1,)]
    # DuckDB ended by SIGSEGV at the statement after it, once in many runs.
    assert child_of(os.getpid()).pid != first or kind != "duckdb"


def test_a_session_whose_process_is_gone_is_opened_again(opened: Callable[..., Warehouse]) -> None:
    warehouse = opened("duckdb")
    child_of(os.getpid()).kill()
    with pytest.raises(WarehouseError, match="ended by SIGKILL"):
        warehouse.query("select 1")
    assert warehouse.query("select 1") == [(1,)]


def test_the_process_of_a_session_ends_with_the_one_that_was_killed(
    asking: "subprocess.Popen[str]",
) -> None:
    child = child_of(asking.pid)
    asking.send_signal(signal.SIGKILL)
    child.wait(20)
    assert not child.is_running()


def test_the_keyboard_ends_a_statement_and_the_session_answers_on(
    asking: "subprocess.Popen[str]",
) -> None:
    child = child_of(asking.pid)
    began = child.cpu_times().user
    while child.cpu_times().user < began + 0.2:
        time.sleep(0.02)
    # As a terminal does: to both processes.
    os.killpg(asking.pid, signal.SIGINT)
    told, errors = asking.communicate(timeout=60)
    assert (told, errors) == ("[(1,)]\n", "")


def test_no_password_stands_on_a_command_line_or_in_an_environment(
    asking: "subprocess.Popen[str]",
) -> None:
    child = child_of(asking.pid)
    assert "s3cret" not in f"{child.cmdline()} {child.environ()}"


@pytest.mark.parametrize(
    "error",
    [
        WarehouseError("what", hint="hint"),
        MissingError("what", hint="hint"),
        GuardError("what", hint="hint", code="hidden_column"),
        ModelError("what", hint="hint", code="timeout", usage=NOTHING_USED),
        BudgetExceeded("what", hint="hint", limit="timeout", step="probes"),
    ],
)
def test_an_error_passes_whole_from_one_process_to_another(error: LinkerError) -> None:
    passed = pickle.loads(pickle.dumps(error))
    assert type(passed) is type(error)
    assert (passed.args, vars(passed)) == (error.args, vars(error))


WITHOUT_END = {
    "duckdb": "select count(*) from range(3000000000) as a, range(100000) as b",
    "postgres": "select count(*) from generate_series(1, 3000000) as a, generate_series(1, 3000000) as b",
}
RUNNING = """
select count(*) from pg_stat_activity
where query like '%generate_series(1, 3000000)%' and state = 'active'
    and query not like '%stat_activity%'
"""


@pytest.mark.parametrize("kind", WITHOUT_END)
def test_a_statement_that_nobody_waits_for_ends_while_another_is_answered(
    opened: Callable[..., Warehouse], kind: str
) -> None:
    session, cancellation = opened(kind), Cancellation()

    def ask() -> None:
        with cancellation.current():
            session.query(WITHOUT_END[kind], (), Bounds(seconds=600))

    with ThreadPoolExecutor(1) as pool:
        asking = pool.submit(ask)
        for number in range(5):
            assert session.query("select ?", (number,)) == [(number,)]
        assert not asking.done()
        cancellation.cancel()
        with pytest.raises(CallerGoneError):
            asking.result(timeout=60)
    assert session.query("select 1") == [(1,)]
    if kind == "postgres":
        until = time.monotonic() + 60
        while session.query(RUNNING) != [(0,)]:
            assert time.monotonic() < until, "the server goes on with the statement"
    with cancellation.current(), pytest.raises(CallerGoneError):
        session.query("select 1")


def test_a_file_that_is_released_can_be_written_and_is_read_again(
    places: dict[str, Target], tmp_path: Path
) -> None:
    path = tmp_path / "w.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("create table t as select 1 as x")
    session = open_warehouse(replace(places["duckdb"], options={"path": str(path)}))
    assert session.query("select x from t") == [(1,)]
    with pytest.raises(duckdb.IOException):
        duckdb.connect(str(path))
    session.release()
    with duckdb.connect(str(path)) as connection:
        connection.execute("update t set x = 2")
    assert session.query("select x from t") == [(2,)]
    session.close()

"""Killed scans: finished tables are kept, and the next run resumes."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import duckdb
import pytest

from linker.dbt.profiling import ProfileReport
from tests.messages import messages
from tests.profile.runs import Run, Warehouse

pytestmark = pytest.mark.slow

# A shell that starts the tests in the background lets them ignore the keyboard; the command is as
# one types it.
STARTS = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from linker.cli import main; main()"
COMMAND = [sys.executable, "-c", STARTS, "profile", "--profile", "shop"]
# Between two looks at what another process does.
PAUSE_SECONDS = 0.05
PATIENCE_SECONDS = 10
# Reading the second view takes longer than any test: so many rows that they never end.
SLOW = "select range as id from range({rows}) where range % 7 = 0"


@contextmanager
def running(folder: Path) -> Iterator["subprocess.Popen[str]"]:
    """`linker profile`, in a separate process group."""
    where = ["--profiles-dir", str(folder), "--state-dir", str(folder / "state")]
    with subprocess.Popen(
        [*COMMAND, *where], cwd=folder, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def end_in(
    warehouse: Warehouse, view: str, end: Callable[["subprocess.Popen[str]"], None]
) -> tuple[Run, str]:
    """Kill a run at that view; returns the warehouse's content and the output."""
    warehouse.log.unlink(missing_ok=True)
    with running(warehouse.folder) as process:
        while f'from "warehouse"."main"."{view}"' not in _text(warehouse.log):
            assert process.poll() is None
            time.sleep(PAUSE_SECONDS)
        end(process)
        _, said = process.communicate()
        _wait_until_free(warehouse)
    return warehouse.look(ProfileReport((), ())), said


def _text(path: Path) -> str:
    return path.read_text("utf-8") if path.exists() else ""


def _wait_until_free(warehouse: Warehouse) -> None:
    """Wait for the file lock of dbt's process, which is not our child."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while _is_locked(warehouse):
        assert time.monotonic() < deadline, "dbt goes on without the command that started it"
        time.sleep(PAUSE_SECONDS)


def _is_locked(warehouse: Warehouse) -> bool:
    try:
        duckdb.connect(str(warehouse.path)).close()
    except duckdb.IOException:
        return True
    return False


def events(run: Run, table: str) -> list[str]:
    return [event for event, name in run.events("started", "finished", "failed") if name == table]


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    made = Warehouse(tmp_path_factory.mktemp("killed"))
    made.execute(
        # Tables come before views: all are views, and are scanned by their names.
        "create view z_last as select range as a from range(100);"
        " create view a_first as select a from z_last;"
        f" create view m_slow as {SLOW.format(rows=10**14)}; checkpoint"
    )
    return made


@pytest.fixture(scope="module")
def killed_once(warehouse: Warehouse) -> Run:
    """Only the command is killed, so it cannot stop dbt."""
    return end_in(warehouse, "m_slow", lambda process: process.kill())[0]


@pytest.fixture(scope="module")
def interrupted(warehouse: Warehouse, killed_once: Run) -> tuple[Run, str]:
    """The keyboard interrupts the command and dbt."""
    return end_in(warehouse, "m_slow", lambda process: os.killpg(process.pid, signal.SIGINT))


@pytest.fixture(scope="module")
def killed_twice(interrupted: tuple[Run, str]) -> Run:
    return interrupted[0]


@pytest.fixture(scope="module")
def afterwards(warehouse: Warehouse, killed_twice: Run) -> Run:
    """A run that is not killed."""
    return warehouse.profile()


@pytest.fixture(scope="module")
def forced(warehouse: Warehouse, afterwards: Run) -> Run:
    """A full run, after the view became quick; its columns are as they were."""
    warehouse.execute(f"create or replace view m_slow as {SLOW.format(rows=70)}")
    return warehouse.profile(full_refresh=True)


def test_what_was_finished_before_the_kill_stays_and_nothing_half_written_is_seen(
    killed_once: Run,
) -> None:
    assert events(killed_once, "a_first") == ["started", "finished"]
    assert events(killed_once, "m_slow") == ["started"]
    assert events(killed_once, "z_last") == []
    assert {row["table_name"] for row in killed_once.artifacts["linker_scans"]} == {"a_first"}


def test_who_interrupts_a_run_reads_one_word_and_no_traceback(interrupted: tuple[Run, str]) -> None:
    changes, word = filter(None, messages(interrupted[1]))
    assert (changes.split()[:2], word) == (["✓", "changes"], "Aborted!")


def test_the_next_run_takes_up_where_the_killed_one_was(killed_twice: Run) -> None:
    assert killed_twice.state("a_first")[0] == "unchanged"
    assert killed_twice.state("m_slow") == ("retry", "an earlier scan did not finish")
    assert killed_twice.state("z_last")[0] == "new"
    assert events(killed_twice, "a_first") == ["started", "finished"]
    assert events(killed_twice, "m_slow") == ["started", "started"]


def test_a_table_in_which_two_runs_ended_is_left_out_and_the_rest_is_scanned(
    afterwards: Run,
) -> None:
    assert afterwards.state("m_slow") == ("left out", "two earlier scans did not finish")
    assert events(afterwards, "m_slow") == events(afterwards, "a_first") == []
    assert events(afterwards, "z_last") == ["started", "finished"]
    profiles = {row["table_name"] for row in afterwards.artifacts["linker_profile_l3"]}
    assert profiles == {"a_first", "z_last"}
    unfinished = [row["unfinished_tables"] for row in afterwards.artifacts["linker_runs"]]
    assert sorted(unfinished) == [0, 1, 1]


def test_a_full_run_tries_it_again(forced: Run) -> None:
    assert {table for event, table in forced.events("finished")} >= {"m_slow"}
    assert forced.column("linker_profile_l3", "m_slow", "id")["row_count"] == 10
    assert {row["table_name"] for row in forced.artifacts["linker_profile_l3"]} == {
        "a_first",
        "m_slow",
        "z_last",
    }

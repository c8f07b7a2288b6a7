"""A DuckDB file locked by another process: waiting and messages."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from linker.warehouses.base import FileLockedError
from linker.warehouses.duckdb import file_stamp, wait_until_free

HOLD = "import duckdb, sys; c = duckdb.connect(sys.argv[1]); print('held', flush=True); sys.stdin.read()"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "warehouse.duckdb"
    duckdb.connect(str(path)).close()
    return path


@pytest.fixture
def holding(path: Path) -> Iterator["subprocess.Popen[str]"]:
    """Another process that has the file open until its input ends."""
    command = [sys.executable, "-c", HOLD, str(path)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == "held\n"
        yield process


def test_who_waits_goes_on_when_the_file_is_free_and_is_told_once_for_whom(
    path: Path, holding: "subprocess.Popen[str]"
) -> None:
    told: list[str] = []

    def end(who: str) -> None:
        told.append(who)
        holding.communicate()

    wait_until_free(path, 60, end)
    [who] = told
    assert f"(PID {holding.pid})" in who


def test_who_does_not_wait_is_told_at_once_who_has_it(
    path: Path, holding: "subprocess.Popen[str]"
) -> None:
    with pytest.raises(FileLockedError, match=f"PID {holding.pid}"):
        wait_until_free(path, 0, pytest.fail)


def test_a_file_that_is_not_there_is_not_made_and_one_that_is_none_is_left_to_dbt(
    tmp_path: Path,
) -> None:
    wait_until_free(tmp_path / "missing.duckdb", 0, pytest.fail)
    assert not (tmp_path / "missing.duckdb").exists()
    (tmp_path / "text").write_text("no database" * 1000, "utf-8")
    wait_until_free(tmp_path / "text", 0, pytest.fail)


def test_the_stamp_moves_with_what_is_committed_and_stands_still_when_it_is_read(
    path: Path,
) -> None:
    before = file_stamp(path)
    assert before
    with duckdb.connect(str(path), read_only=True) as connection:
        connection.execute("select 1").fetchall()
    assert file_stamp(path) == before
    with duckdb.connect(str(path)) as connection:
        connection.execute("create table t (a integer)")
    assert file_stamp(path) not in (None, before)
    # A part of the file lies beside it until the checkpoint.
    path.with_name(path.name + ".wal").write_bytes(b"")
    assert file_stamp(path) is None

"""
Objects that disappear or change during a refresh, blocked starts, and wrong clocks: one-line
errors, nothing lost.
"""

import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import duckdb
import pytest

from linker.config.settings import load_settings
from linker.environment import Environment
from linker.types import Run
from tests.messages import messages
from tests.refresh.shop import PAUSE_SECONDS, Shop, command
from tests.refresh.test_drop_protection import PostgresShop, postgres_shop, refused

pytestmark = pytest.mark.slow

PATIENCE_SECONDS = 150
SECRET = "not-the-right-secret"
# What a scan of this looks like to the server, and to whom it never ends.
ENDLESS = "create view sales.v_slow as select count(*) as n from generate_series(1, 100000000000)"
IN_DUCKDB = "create view sales.v_slow as select count(*) as n from range(3000000000), range(100000)"


@pytest.fixture(scope="module")
def in_duckdb(shop: Shop) -> Shop:
    """A shop in DuckDB, profiled and indexed."""
    shop.refresh()
    return shop


@pytest.fixture(scope="module")
def in_postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PostgresShop]:
    """A shop in Postgres, profiled and indexed."""
    more = "; alter default privileges in schema sales grant select on tables to etl"
    with postgres_shop(tmp_path_factory, more) as shop:
        shop.refresh()
        yield shop


@contextmanager
def refreshing(shop: Shop, seconds: int) -> Iterator["subprocess.Popen[str]"]:
    """A refresh under way."""
    with subprocess.Popen(
        command("refresh"),
        env={**shop.variables, "LINKER_SCAN_SECONDS": str(seconds)},
        cwd=shop.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def wait_until(holds: Callable[[], bool]) -> None:
    """Return once the condition holds."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(PAUSE_SECONDS)


def is_scanning(shop: Shop, table: str) -> bool:
    """Tell if dbt has come to that table."""
    return f"linker: scans {table}" in (
        shop.folder / "state" / "dbt" / "logs" / "dbt.log"
    ).read_text("utf-8")


def end_of(process: "subprocess.Popen[str]") -> "subprocess.CompletedProcess[str]":
    """How it ended."""
    stdout, stderr = process.communicate(timeout=PATIENCE_SECONDS)
    return subprocess.CompletedProcess(process.args, process.returncode, stdout, stderr)


def last_error(done: "subprocess.CompletedProcess[str]") -> str:
    """The error line, which precedes the hint."""
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    error, hint = messages(done.stderr)[-2:]
    assert (error.startswith("error: "), hint.startswith("   →   ")) == (True, True), done.stderr
    assert "Traceback" not in done.stderr
    return f"{error} {hint}"


def answers(shop: Shop) -> bool:
    """Tell if questions are answered from what was found before."""
    return shop.run("ask", "items", "--format", "json").returncode == 0


def test_a_wrong_password_is_said_and_not_shown(in_postgres: PostgresShop) -> None:
    [(rules,)] = in_postgres.rows("show hba_file")
    before = Path(rules).read_text("utf-8")
    in_postgres.execute("alter role etl password 'right'")
    Path(rules).write_text("local all etl scram-sha-256\n" + before, "utf-8")
    in_postgres.execute("select pg_reload_conf()")
    in_postgres.connect(password=SECRET)
    try:
        for words in (("refresh",), ("profile",)):
            wait_until(lambda: "password" in in_postgres.run("refresh", "--plan").stderr)
            done = in_postgres.run(*words)
            assert "password authentication failed" in refused(done)
            assert SECRET not in done.stderr
        assert answers(in_postgres)
    finally:
        Path(rules).write_text(before, "utf-8")
        in_postgres.execute("select pg_reload_conf()")
        in_postgres.connect()


def test_a_server_that_ends_the_session_in_a_scan_ends_the_run_and_is_no_fault_of_the_table(
    in_postgres: PostgresShop,
) -> None:
    in_postgres.execute(ENDLESS)
    in_postgres.execute("create table sales.later as select 1 as later_id")
    # The server shows no more than the first kilobyte of a statement.
    scans = "from pg_stat_activity where state = 'active' and usename = 'etl' and query like '%statement_timeout%'"
    with refreshing(in_postgres, 600) as process:
        wait_until(lambda: is_scanning(in_postgres, "sales.v_slow"))
        wait_until(lambda: bool(in_postgres.rows(f"select pid {scans}")))
        in_postgres.execute(f"select pg_terminate_backend(pid) {scans}")
        said = last_error(end_of(process))
    assert "the warehouse cannot be reached, or no longer: " in said
    assert "finished profiles are kept: run it again" in said
    assert answers(in_postgres)
    failed = "select count(*) from public_linker.linker_attempts where event = 'failed'"
    assert in_postgres.rows(failed) == [(0,)]
    in_postgres.execute("drop view sales.v_slow")
    record = in_postgres.refresh()
    # What was finished before is not read again.
    assert (record["outcome"], record["scanned"]) == ("done", 0)


def test_a_file_that_is_replaced_while_it_is_profiled_ends_the_run(in_duckdb: Shop) -> None:
    in_duckdb.execute(IN_DUCKDB)
    other = in_duckdb.folder / "other.duckdb"
    with duckdb.connect(str(other)) as connection:
        connection.execute("create schema sales; create table sales.others as select 1 as other_id")
    kept = in_duckdb.path.with_name("kept")
    with refreshing(in_duckdb, 3) as process:
        wait_until(lambda: is_scanning(in_duckdb, "sales.v_slow"))
        os.link(in_duckdb.path, kept)
        other.replace(in_duckdb.path)
        said = last_error(end_of(process))
    assert f"{in_duckdb.path} was replaced while it was profiled; the index is unchanged" in said
    assert answers(in_duckdb)
    kept.replace(in_duckdb.path)
    in_duckdb.execute("drop view sales.v_slow")
    assert in_duckdb.refresh()["outcome"] == "unchanged"


def test_a_state_folder_that_cannot_be_written_is_named(in_duckdb: Shop) -> None:
    file = in_duckdb.folder / "no_folder"
    file.write_text("a file", "utf-8")
    for words in (("refresh",), ("profile",), ("index",)):
        for place in (file / "state", Path("/proc/linker")):
            done = in_duckdb.run(*words, LINKER_STATE_DIR=str(place))
            assert f"cannot write to the state folder {place}: " in refused(done)
            assert "set `state_dir` to another folder" in done.stderr
    # A part of it, where the rest can be read.
    dbt = in_duckdb.folder / "state" / "dbt"
    shutil.rmtree(dbt)
    dbt.write_text("a file", "utf-8")
    assert f"cannot write to the state folder {dbt.parent}: " in refused(
        in_duckdb.run("refresh", "--full")
    )
    assert answers(in_duckdb)
    dbt.unlink()


def test_what_was_written_while_the_clock_was_ahead_is_not_current_for_ever(
    in_duckdb: Shop,
) -> None:
    in_duckdb.execute("create view sales.v_chance as select random() as chance")
    in_duckdb.refresh()
    ahead = "interval 30 years"
    in_duckdb.execute(
        f"update main_linker.linker_attempts set happened_at = happened_at + {ahead};"
        f" update main_linker.linker_scans set scanned_at = scanned_at + {ahead};"
        " insert into sales.orders values (41, 1, 'O41')"
    )
    in_duckdb.refresh()
    newest = "select max(row_count), max(scanned_at) < now() + interval 1 hour from main_linker.linker_profile_l3"
    assert in_duckdb.rows(f"{newest} where table_name = 'orders'") == [(41, True)]
    [(latest,)] = in_duckdb.rows("select max(happened_at) from main_linker.linker_attempts")
    assert latest < datetime.now(UTC).replace(tzinfo=None) + timedelta(hours=1)
    # A view ages from now on, not in thirty years.
    in_duckdb.execute(
        "update main_linker.linker_scans set scanned_at = scanned_at - interval 25 hours where table_name = 'v_chance'"
    )
    plan = json.loads(in_duckdb.run("profile", "--plan", "--format", "json").stdout)
    assert {table["table"]: table["state"] for table in plan["tables"]}["v_chance"] == "aged"


def test_a_run_that_ended_later_than_now_does_not_stand_for_this_one(in_duckdb: Shop) -> None:
    assert in_duckdb.refresh()["outcome"] in ("done", "unchanged")
    in_thirty_years = datetime.now(UTC) + timedelta(days=11_000)
    state = in_duckdb.folder / "state"
    settings = load_settings(
        {"profiles_dir": in_duckdb.folder, "profile": "shop", "state_dir": state}, {}
    )
    with Environment(settings) as environment:
        history, target = environment.store.history, environment.target_key
        with history.lock(target):
            run = Run(
                history.begin(target, "refresh"),
                "refresh",
                "unchanged",
                in_thirty_years,
                in_thirty_years,
            )
            history.end(target, run, None)
    done = in_duckdb.run("refresh", "--max-staleness", "6h")
    assert (done.returncode, "up to date: run" in done.stdout) == (0, False), done.stderr
    for words in (("runs",), ("status",), ("ask", "items")):
        assert in_duckdb.run(*words).returncode == 0

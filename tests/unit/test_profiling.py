"""Location of the dbt project, and messages of dbt failures."""

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

import linker
from linker.dbt.profiling import DbtTarget, profile_warehouse
from linker.errors import WarehouseError
from linker.types import ProgressStage
from tests.messages import messages


def test_in_a_checkout_the_dbt_project_is_its_root(checkout: Path) -> None:
    assert linker.dbt_project_dir() == checkout
    assert (linker.dbt_project_dir() / "models").is_dir()


def test_a_name_that_the_package_does_not_have_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="nothing"):
        _ = linker.nothing


def test_what_dbt_says_of_a_failure_is_one_line_and_its_logs_lie_in_the_state_folder(
    tmp_path: Path,
) -> None:
    """No server listens at that port."""
    server = "type: postgres, host: 127.0.0.1, port: 1, user: u, password: p, dbname: d, schema: s, threads: 1"
    profiles = "p: {target: t, outputs: {t: {" + server + "}}}"
    (tmp_path / "profiles.yml").write_text(profiles, "utf-8")
    state_dir = tmp_path / "state"
    with pytest.raises(WarehouseError) as caught:
        profile_warehouse(DbtTarget(tmp_path, "p", "t", state_dir))
    assert "connection" in caught.value.what
    assert "\n" not in caught.value.what
    assert (state_dir / "dbt" / "logs" / "dbt.log").is_file()


def test_dbt_waits_for_the_file_and_leaves_nothing_in_its_own_project(
    tmp_path: Path, checkout: Path
) -> None:
    """The file is open here until dbt says that it waits for it."""
    connection = duckdb.connect(str(tmp_path / "w.duckdb"))
    connection.execute("create table t (a integer)")
    waits: list[str] = []
    phases: list[str] = []

    class LettingGo(ProgressStage):
        def on_wait(self, message: str) -> None:
            waits.append(message)
            connection.close()

        def on_phase(self, does: str) -> None:
            phases.append(does)

    profiles = (
        f"p: {{target: t, outputs: {{t: {{type: duckdb, path: '{tmp_path / 'w.duckdb'}'}}}}}}"
    )
    (tmp_path / "profiles.yml").write_text(profiles, "utf-8")
    before = {path.name for path in checkout.iterdir()}
    dbt = DbtTarget(tmp_path, "p", "t", tmp_path / "state")
    report = profile_warehouse(dbt, LettingGo())
    assert report.scanned_count == 1
    [told] = waits
    assert told.startswith(f"waiting for {tmp_path / 'w.duckdb'}, which is open in ")
    assert f"(PID {os.getpid()})" in told
    assert {path.name for path in checkout.iterdir()} - before == set()
    assert list((tmp_path / "state" / "dbt").glob("target-*/partial_parse.msgpack"))
    # So that a long wait is announced.
    before_scans, after_scans = (
        ["starts dbt", "reads metadata"],
        ["computes profiles", "measures joins"],
    )
    assert phases == [*before_scans, "scans tables", *after_scans]


def dbt_of(process: int) -> list[int]:
    """The child that runs dbt, as long as there is one; another reads the warehouse before."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text("utf-8").split()
    found = []
    for child in children:
        with contextlib.suppress(OSError):
            found += [int(child)] * (
                "linker.dbt.worker" in Path(f"/proc/{child}/cmdline").read_text("utf-8")
            )
    return found


def test_where_dbt_is_killed_the_command_says_so_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "profiles.yml").write_text(
        "p: {target: t, outputs: {t: {type: duckdb, path: w.duckdb}}}", "utf-8"
    )
    duckdb.connect(str(tmp_path / "w.duckdb")).close()
    words = [
        "profile",
        "--profile",
        "p",
        "--profiles-dir",
        str(tmp_path),
        "--state-dir",
        str(tmp_path / "state"),
    ]
    command = [sys.executable, "-c", "from linker.cli import main; main()", *words]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
        while not (found := dbt_of(process.pid)):
            assert process.poll() is None
        os.kill(found[0], signal.SIGKILL)
        _, stderr = process.communicate()
    assert process.returncode == 2
    assert messages(stderr)[1] == "error: dbt was ended by SIGKILL"
    assert len(messages(stderr)) == 3

"""`--every` as a process: what signals do to it, seen in its health file and in what it says."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

# A run ends when a file is there; the first one begins as soon as the process is up.
PROGRAM = """
import sys, time
from datetime import UTC, datetime, timedelta
from pathlib import Path
import click
from linker.cli.log import log_format_option
from linker.cli.repeating import repeating_options, run_repeatedly
from linker.run import Run

@click.command()
@repeating_options
@log_format_option
def main(every, jitter, health_file, metrics_file):
    def run():
        started_at = datetime.now(UTC)
        while not Path("may_end").exists():
            time.sleep(0.01)
        return Run(7, "refresh", "done", started_at, datetime.now(UTC))
    run_repeatedly(run, every=every, jitter=jitter, health_file=health_file)

main()
"""
PATIENCE_SECONDS = 60


def health(folder: Path) -> dict[str, Any]:
    told: dict[str, Any] = json.loads((folder / "health.json").read_text("utf-8"))
    return told


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@contextmanager
def a_process(folder: Path, *flags: str) -> Iterator[subprocess.Popen[str]]:
    words = ["--every", "6h", "--jitter", "10m", "--health-file", "health.json", *flags]
    command = [sys.executable, "-c", PROGRAM, *words]
    with subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True) as process:
        try:
            until((folder / "health.json").exists)
            yield process
        finally:
            process.kill()


def test_a_hangup_changes_nothing_and_one_signal_ends_the_wait_at_once(tmp_path: Path) -> None:
    (tmp_path / "may_end").touch()
    with a_process(tmp_path) as process:
        until(lambda: health(tmp_path)["state"] == "waiting")
        told = health(tmp_path)
        assert (told["pid"], told["last_run"], told["last_outcome"]) == (process.pid, 7, "done")
        process.send_signal(signal.SIGHUP)
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_SECONDS) == 0
        assert process.stderr
        assert process.stderr.read() == "ended\n"
    assert health(tmp_path)["state"] == "ended"
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


@pytest.mark.parametrize("asking", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_during_a_run_lets_it_end_and_says_so(tmp_path: Path, asking: signal.Signals) -> None:
    with a_process(tmp_path, "--log-format", "json") as process:
        assert process.stderr
        assert health(tmp_path)["state"] == "running"
        process.send_signal(asking)
        said = json.loads(process.stderr.readline())
        assert (said["event"], said["signal"], said["level"]) == ("ending", asking.name, "info")
        assert health(tmp_path)["state"] == "running"
        (tmp_path / "may_end").touch()
        assert process.wait(PATIENCE_SECONDS) == 0
        [ended] = [json.loads(line) for line in process.stderr]
        assert ended["event"] == "ended"
    told = health(tmp_path)
    assert (told["state"], told["last_run"], told["next_run_at"]) == ("ended", 7, None)


def test_a_second_signal_ends_the_run_with_the_exit_code_of_that_signal(tmp_path: Path) -> None:
    with a_process(tmp_path) as process:
        assert process.stderr
        process.send_signal(signal.SIGTERM)
        assert process.stderr.readline() == "SIGTERM: this run is brought to its end; a second one ends it now\n"
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_SECONDS) == 128 + signal.SIGTERM
        assert process.stderr.read() == "ended: ended by a second signal, SIGTERM\n"
    told = health(tmp_path)
    assert (told["state"], told["reason"], told["last_run"]) == ("ended", "ended by a second signal, SIGTERM", None)

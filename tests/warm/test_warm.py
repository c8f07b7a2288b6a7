"""A warm command behaves like its own process."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.warm.sitecustomize import FOLDER

LINKER = str(Path(sys.executable).with_name("linker"))
# It waits for the line that says what it is to do.
WAITS = [sys.executable, "-m", "linker.dbt.worker"]


@pytest.fixture(params=["warm", "cold"])
def environment(request: pytest.FixtureRequest) -> dict[str, str]:
    """The environment variables of a warm process, and of an ordinary one."""
    return {**os.environ, **({FOLDER: ""} if request.param == "cold" else {})}


def waiting(environment: dict[str, str]) -> "subprocess.Popen[str]":
    pipe = subprocess.PIPE
    return subprocess.Popen(WAITS, env=environment, stdin=pipe, stdout=pipe, stderr=pipe, text=True)


def test_a_command_reads_its_folder_and_variables_and_ends_with_its_code(
    environment: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "linker.yml").write_text("no_such_key: 1\n", "utf-8")
    environment["LINKER_TARGET"] = "shop"
    done = subprocess.run(
        [LINKER, "ask", "Which?"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert "no_such_key" in done.stderr
    assert "Traceback" not in done.stderr


def test_input_is_read_and_an_error_that_nobody_catches_is_shown(
    environment: dict[str, str],
) -> None:
    with waiting(environment) as process:
        assert process.stdin
        assert process.stderr
        # Where its input ends, so does it.
        process.stdin.write("no json\n")
        process.stdin.flush()
        stderr = process.stderr.read()
    assert process.returncode == 1
    assert stderr.splitlines()[-1].startswith("json.decoder.JSONDecodeError")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_signal_ends_the_command_and_what_it_holds_is_let_go(
    environment: dict[str, str], number: signal.Signals
) -> None:
    with waiting(environment) as process:
        process.send_signal(number)
        # Ends only once no process has the other end of its streams open.
        process.communicate()
    assert process.returncode in (-number, -signal.SIGINT)

"""A demo that is built once: a small warehouse, profiled by dbt and indexed, as a user would have it."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def linker_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the user: empty at first, later with the state folder of the demo."""
    return tmp_path_factory.mktemp("empty")


@pytest.fixture(scope="session")
def linker_command(linker_folder: Path) -> Run:
    """Run `linker` in that folder, with nothing of the tester's own configuration in sight."""
    folder = linker_folder

    def run(*words: str, cwd: Path = folder, **variables: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "HOME": str(folder), **variables}
        command = [str(Path(sys.executable).with_name("linker")), *words]
        return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)

    return run


@pytest.fixture(scope="session")
def demo(linker_command: Run) -> subprocess.CompletedProcess[str]:
    """The first run of `linker demo`, on a twentieth of its rows."""
    return linker_command("demo", "--scale", "0.05")


@pytest.fixture(scope="session")
def served(demo: "subprocess.CompletedProcess[str]", linker_folder: Path) -> Iterator[str]:
    """The address at which `linker serve` shows the demo."""
    assert demo.returncode == 0, demo.stderr
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    command = [str(Path(sys.executable).with_name("linker")), "serve", "--target", "demo", "--port", str(port)]
    variables = {**os.environ, "HOME": str(linker_folder)}
    with subprocess.Popen(command, cwd=linker_folder, env=variables, stderr=subprocess.PIPE, text=True) as server:
        until = time.monotonic() + 60
        while time.monotonic() < until:
            with closing(socket.socket()) as client:
                if client.connect_ex(("127.0.0.1", port)) == 0:
                    break
            assert server.poll() is None, server.stderr and server.stderr.read()
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
        server.terminate()

"""A small demo, profiled by dbt and indexed, built once."""

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from tests.e2e.serving import COMMAND, serving

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
        command = [COMMAND, *words]
        return subprocess.run(
            command, cwd=cwd, env=environment, capture_output=True, text=True, check=False
        )

    return run


@pytest.fixture(scope="session")
def demo(linker_command: Run) -> subprocess.CompletedProcess[str]:
    """The first run of `linker demo`, on a twentieth of its rows."""
    return linker_command("demo", "--scale", "0.05")


@pytest.fixture(scope="session")
def served(demo: "subprocess.CompletedProcess[str]", linker_folder: Path) -> Iterator[str]:
    """The address at which `linker serve` shows the demo."""
    assert demo.returncode == 0, demo.stderr
    with serving(linker_folder, "serve", "--target", "demo") as address:
        yield address


@pytest.fixture(scope="session")
def mcp_address(demo: "subprocess.CompletedProcess[str]", linker_folder: Path) -> Iterator[str]:
    """The address at which `linker mcp` serves the demo over HTTP."""
    assert demo.returncode == 0, demo.stderr
    with serving(linker_folder, "mcp", "--target", "demo", "--http") as address:
        yield f"{address}/mcp"


@pytest.fixture(params=["stdio", "http"])
def client(
    request: pytest.FixtureRequest, demo: "subprocess.CompletedProcess[str]", linker_folder: Path
) -> Callable[[], Client]:
    """Makes a client of each transport."""
    assert demo.returncode == 0, demo.stderr
    if request.param == "http":
        address: str = request.getfixturevalue("mcp_address")
        return lambda: Client(address)
    variables = {**os.environ, "HOME": str(linker_folder)}
    words = ["mcp", "--target", "demo"]
    parameters = StdioServerParameters(
        command=COMMAND, args=words, cwd=linker_folder, env=variables
    )
    return lambda: Client(stdio_client(parameters))

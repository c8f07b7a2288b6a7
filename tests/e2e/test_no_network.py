"""No network access at run time."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.conftest import Run

# Python runs it when it starts, also in the dbt that a command starts: who is outside this machine
# cannot be reached.
CUT = """
import os, sys

def cut(event, arguments):
    if event in ("socket.connect", "socket.sendto", "socket.getaddrinfo", "socket.gethostbyname"):
        place = arguments[0] if event.startswith("socket.get") else arguments[1]
        host = place[0] if isinstance(place, tuple) else place
        is_here = not isinstance(place, tuple) and not event.startswith("socket.get")
        if not is_here and str(host) not in ("None", "", "localhost", "127.0.0.1", "::1"):
            with open(os.environ["TRIED"], "a") as file:
                print(event, host, file=file)
            raise OSError("the network is cut")

sys.addaudithook(cut)
"""
COMMANDS = (
    ("profile", "--full", "--select", "logistics.*"),
    ("index",),
    ("ask", "Which carrier delivers late most often?"),
    ("show", "logistics.carriers"),
    ("doctor",),
)


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_a_command_works_without_a_network_and_tries_to_reach_nobody(
    demo: subprocess.CompletedProcess[str],
    linker_command: Run,
    tmp_path: Path,
    words: tuple[str, ...],
) -> None:
    assert demo.returncode == 0
    (tmp_path / "sitecustomize.py").write_text(CUT)
    tried = tmp_path / "tried"
    variables = {"PYTHONPATH": str(tmp_path), "TRIED": str(tried)}
    done = linker_command(words[0], "--target", "demo", *words[1:], **variables)
    assert done.returncode == 0, done.stderr
    assert not tried.exists(), tried.read_text()


def test_the_cut_keeps_from_everybody_outside_this_machine_and_notes_it(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(CUT)
    code = "import socket; socket.create_connection(('192.0.2.1', 80), timeout=5)"
    variables = {**os.environ, "PYTHONPATH": str(tmp_path), "TRIED": str(tmp_path / "tried")}
    done = subprocess.run(
        [sys.executable, "-c", code], env=variables, capture_output=True, text=True, check=False
    )
    assert "the network is cut" in done.stderr
    assert (tmp_path / "tried").read_text() == "socket.getaddrinfo 192.0.2.1\n"

"""What a stage shows while it works, seen through a real terminal."""

import os
import subprocess
import sys

WORKS = """
import time
from linker.cli.output import stage
with stage("index") as running:
    for done in range(1, 31):
        time.sleep(0.05)
        running.on_progress(done, 40)
    running.summary = "30 columns embedded"
"""


def on_a_terminal(code: str) -> str:
    """What a program writes to standard error when that is a terminal."""
    ours, theirs = os.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "120"}
    with subprocess.Popen([sys.executable, "-c", code], stderr=theirs, env=environment) as process:
        os.close(theirs)
        shown = b""
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:  # Linux tells the end of a terminal so.
                break
            if not part:
                break
            shown += part
        assert process.wait() == 0
    os.close(ours)
    return shown.decode()


def test_long_work_shows_how_far_it_is_how_fast_and_how_long_it_will_take() -> None:
    shown = on_a_terminal(WORKS)
    assert "30/40" in shown
    # Thirty steps of at least 50 milliseconds are at most 20 a second.
    rates = [int(part.split()[-1]) for part in shown.split("/s")[:-1]]
    assert rates
    assert 0 < min(rates) <= max(rates) <= 25
    assert "0:00:0" in shown
    assert "30 columns embedded" in shown

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


def test_off_a_terminal_a_stage_says_in_a_plain_line_that_it_began() -> None:
    code = (
        "import sys\n"
        "from linker.cli.output import stage\n"
        "with stage('plan', begins='reads metadata') as running:\n"
        "    print(sys.stdin.readline(), file=sys.stderr)\n"
        "    running.summary = 'done'\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr
        assert process.stdin
        # It works on until it is told: the line was there before.
        assert process.stderr.readline() == "… plan       reads metadata\n"
        process.stdin.write("go on\n")
        process.stdin.close()
        assert "done" in process.stderr.read()

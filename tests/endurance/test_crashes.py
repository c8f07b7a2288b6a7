"""
The store server is killed during refreshes and answers: nothing is lost.

`make test-crashes` kills it ten times in each, and fills disks (test_full_disks.py).
"""

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from linker.config.settings import load_settings
from linker.environment import Environment
from tests.figures import keep_figures
from tests.messages import messages
from tests.refresh.agreement import disagreements
from tests.refresh.shop import Shop, command
from tests.refresh.test_killed import QUESTION, Disturbed, Run, answered

SEED = os.environ.get("SEED", "1")
CRASHES = int(os.environ.get("CRASHES", "1"))
ASK = ("ask", "--strategy", "shortlist", "--column-budget", "1000", QUESTION)


@pytest.fixture(scope="module")
def disturbed() -> Iterator[Disturbed]:
    """A shop that was profiled and indexed, and how long a run takes there."""
    with TemporaryDirectory(prefix="linker-crashed-") as folder:
        disturbed = Disturbed(Shop.open(Path(folder)))
        disturbed.shop.refresh()
        disturbed.drift()
        disturbed.refresh()
        yield disturbed


def kill_server(shop: Shop) -> bool:
    """Kill the embedded server as a machine without memory does; whether there was one."""
    try:
        number = int(
            (shop.folder / "state" / "postgres" / "postmaster.pid").read_text("utf-8").split()[0]
        )
        os.kill(number, signal.SIGKILL)
    except (OSError, ValueError, IndexError):
        return False
    return True


def keep(what: str, during: str, codes: Counter[int]) -> None:
    told = ", ".join(f"{code} ({times}×)" for code, times in sorted(codes.items()))
    keep_figures(
        "crashes",
        "Killed store servers and full disks",
        command="make test-crashes",
        note="Profiles, index and answers were compared with the state before; the next run succeeded, and warehouse, "
        "profiles and index agreed. Errors were one line with a hint.",
        columns=["event", "during", "tried", "exit codes", "earlier state"],
        rows=[[what, during, codes.total(), told, "intact"]],
        keys=2,
    )


def is_told(code: int, said: str) -> bool:
    """It ended well, or with one line of what happened and one of what to do."""
    lines = [line for line in said.splitlines() if not line.startswith("✓")]
    return code == 0 or (code in (2, 4) and len(lines) == 2 and lines[0].startswith("error: "))


def test_a_server_that_is_killed_in_the_middle_of_a_refresh_loses_nothing(
    disturbed: Disturbed,
) -> None:
    shop, moments, codes = disturbed.shop, random.Random(f"{SEED} refresh"), Counter[int]()
    while codes.total() < CRASHES:
        before = answered(shop)
        disturbed.drift()
        run = Run(shop)
        time.sleep(moments.random() * (disturbed.profiling + disturbed.indexing))
        was_killed = kill_server(shop)
        code = run.process.wait()
        assert is_told(code, run.said), run.said
        meanwhile = answered(shop)
        shop.refresh()
        assert meanwhile in (before, answered(shop))
        assert disagreements(shop) == []
        codes.update([code] if was_killed else [])
    keep("the server killed", "a refresh", codes)


def test_a_server_that_is_killed_in_the_middle_of_an_answer_answers_all_the_same(
    disturbed: Disturbed,
) -> None:
    shop, moments, codes = disturbed.shop, random.Random(f"{SEED} answer"), Counter[int]()
    started = time.monotonic()
    before = answered(shop)
    seconds = time.monotonic() - started
    while codes.total() < CRASHES:
        asking = subprocess.Popen(
            command(*ASK),
            env=shop.variables,
            cwd=shop.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        time.sleep(moments.random() * seconds)
        while not (was_killed := kill_server(shop)) and asking.poll() is None:
            time.sleep(0.001)
        _, said = asking.communicate()
        assert is_told(asking.returncode, said), said
        assert answered(shop) == before
        codes.update([asking.returncode] if was_killed else [])
    keep("the server killed", "an answer", codes)


# Starts a command whose files can be no longer than that: to it a full disk and a full quota look
# like this.
LIMITED = (
    "import os, resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2); "
)
LIMITED += "os.execv(sys.argv[2], sys.argv[2:])"


def test_an_answer_whose_trace_finds_no_room_is_given_and_says_so(disturbed: Disturbed) -> None:
    shop = disturbed.shop
    traces = sorted((shop.folder / "state" / "traces").iterdir())
    settings = load_settings(
        {"profiles_dir": shop.folder, "profile": "shop", "state_dir": shop.folder / "state"}, {}
    )
    # Its server has no limit: it runs already.
    with Environment(settings) as environment:
        assert environment.store.describe()
        done = subprocess.run(
            [sys.executable, "-c", LIMITED, "600", *command(*ASK)],
            env=shop.variables,
            cwd=shop.folder,
            capture_output=True,
            text=True,
            check=False,
        )
    assert (done.returncode, done.stdout == "") == (0, False)
    [warning] = messages(done.stderr)
    assert warning.startswith("warning: no trace was written: cannot write to ")
    assert "File too large" in warning
    assert sorted((shop.folder / "state" / "traces").iterdir()) == traces

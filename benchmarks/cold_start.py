"""
Times a question from a cold start beside lower bounds: `make bench-cold`.

Commands alternate, so that other load affects all alike. The minimum is the undisturbed time;
processor time includes child processes.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from linker.embedders.offline import OfflineEmbedder
from linker.index import open_store

QUESTION = "Which carrier broke its promised delivery day most often in week {} of 2025?"
BARE = "python -c 'import numpy, psycopg'"
FORWARD = "the encoder's forward pass, warm"
# How often a cold question may take what the bare imports take, beside the forward pass.
AIM = 2.5


@dataclass
class Times:
    """Seconds of every round."""

    walls: list[float] = field(default_factory=list)
    processors: list[float] = field(default_factory=list)

    def add(self, wall: float, processor: float) -> None:
        self.walls.append(wall)
        self.processors.append(processor)

    def row(self, name: str) -> str:
        """The line of a table: minimum and median."""
        cells = list[str]()
        for seconds in (self.walls, self.processors):
            cells += [
                f"{1000 * figure:,.0f}" for figure in (min(seconds), statistics.median(seconds))
            ]
        return f"| {name} | {' | '.join(cells)} |"


def main() -> None:
    """Print a line a command, and how far a cold question is from the aim."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument(
        "--state-dir", type=Path, default=Path(".linker"), help="where `linker demo` left its store"
    )
    arguments = parser.parse_args()
    state_dir = arguments.state_dir.resolve()
    if not (state_dir / "postgres" / "PG_VERSION").is_file():
        raise SystemExit(f"there is no demo in {state_dir}; run: make demo")
    times = measure(state_dir, arguments.rounds)
    head = [
        "| ms | wall, least | wall, median | processor, least | processor, median |",
        "|---|---|---|---|---|",
    ]
    rows = [timing.row(name) for name, timing in times.items()]
    sys.stdout.write("\n".join([*head, *rows, *verdicts(times), ""]))


def measure(state_dir: Path, rounds: int) -> dict[str, Times]:
    """
    Every command, round by round; the question is another each time, so that the encoder has to
    run.
    """
    embedder = OfflineEmbedder()
    embedder.embed([QUESTION])
    linker = str(Path(sys.executable).with_name("linker"))
    ask = [linker, "ask", "--target", "demo", "--state-dir", str(state_dir)]
    names = (
        BARE,
        FORWARD,
        "linker --help",
        "linker ask",
        "linker ask, its server running",
        "… and asked before",
    )
    times = {name: Times() for name in names}
    first = time.time_ns()
    with tempfile.TemporaryDirectory() as folder:
        run([*ask, QUESTION.format(first)], folder)
        for number in range(rounds):
            fresh, second = (QUESTION.format(first + 2 * number + offset) for offset in (1, 2))
            with ExitStack() as opened:
                times[BARE].add(*run([sys.executable, "-c", "import numpy, psycopg"], folder))
                times[FORWARD].add(*timed(partial(embedder.embed, [fresh])))
                times["linker --help"].add(*run([linker, "--help"], folder))
                times["linker ask"].add(*run([*ask, fresh], folder))
                opened.callback(open_store(None, state_dir).close)
                times["linker ask, its server running"].add(*run([*ask, second], folder))
                times["… and asked before"].add(*run([*ask, second], folder))
    return times


def run(command: list[str], folder: str) -> tuple[float, float]:
    """Wall and CPU seconds of a process and its children."""
    # As where it is installed: modules are compiled by the first question, which is not measured,
    # and stay so.
    environment = {
        name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
    }
    wall = time.perf_counter()
    process = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL)  # noqa: S603 - our own command
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    return time.perf_counter() - wall, used.ru_utime + used.ru_stime


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """The same of something that this process does."""
    wall, processor = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - processor


def verdicts(times: dict[str, Times]) -> list[str]:
    """Distance to the aim in CPU time, since wall time depends on load."""
    asked, bare, forward = (times[name].processors for name in ("linker ask", BARE, FORWARD))
    rounds = statistics.median(
        (own - ran) / alone for own, ran, alone in zip(asked, forward, bare, strict=True)
    )
    least = (min(asked) - min(forward)) / min(bare)
    return [
        f"without the forward pass, linker ask takes (aim: below {AIM} times the bare imports)",
        f"  {least:.2f} times by the least processor, {rounds:.2f} times in the median round",
    ]


if __name__ == "__main__":
    main()

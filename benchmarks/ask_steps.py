"""
Times `linker ask` on the demo step by step: `make bench-ask`, after `make demo`.

First a cold process per strategy, then all questions in one process, strategies alternating so that
other load affects both alike. No language model is called.
"""

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from benchmarks.cold_start import Times as ColdTimes
from benchmarks.cold_start import run
from linker.config.installed import dbt_project_dir
from linker.config.settings import Settings, load_settings
from linker.config.target import DEMO, SHIPPED_PROFILE
from linker.demo.questions import demo_questions
from linker.environment import Environment
from linker.pipeline import link
from linker.strategies.shortlist import ShortlistStrategy

STRATEGIES = {"shortlist": ShortlistStrategy}
WHOLE = "all of it"


class Times:
    """Seconds by strategy and step, and probes."""

    def __init__(self) -> None:
        self.seconds: dict[tuple[str, str], list[float]] = {}
        self.probes: list[int] = []

    def add(self, strategy: str, step: str, seconds: float) -> None:
        """One measurement."""
        self.seconds.setdefault((strategy, step), []).append(seconds)

    def rows(self) -> list[str]:
        """Minimum, median, 95th percentile and maximum per step."""
        lines: list[str] = []
        for (strategy, step), taken in self.seconds.items():
            times = [f"{1_000 * seconds:,.1f}" for seconds in spread(taken)]
            lines.append(f"| {strategy} | {step} | {' | '.join(times)} |")
        return lines


def spread(values: Sequence[float]) -> tuple[float, ...]:
    """Minimum, median, 95th percentile, maximum."""
    return (
        min(values),
        statistics.median(values),
        statistics.quantiles(values, n=20)[18],
        max(values),
    )


def warm(settings: Settings, rounds: int) -> Times:
    """All questions in one process, after a warm-up, with cached embeddings."""
    times, strategies = Times(), {name: made() for name, made in STRATEGIES.items()}
    asked = [question.question for question in demo_questions()]
    with Environment(settings) as environment:
        for question in asked:
            environment.retriever.search(question, limit=1)
        for strategy in strategies.values():
            link(asked[0], environment, strategy)
        for question in asked * rounds:
            for name, strategy in strategies.items():
                started = time.perf_counter()
                schema = link(question, environment, strategy)
                taken = time.perf_counter() - started
                for step in schema.cost:
                    times.add(name, step.step, step.cost.seconds)
                if schema.cost:
                    times.add(
                        name,
                        "between the steps",
                        taken - sum(step.cost.seconds for step in schema.cost),
                    )
                    times.probes.append(sum(step.cost.probes for step in schema.cost))
                times.add(name, WHOLE, taken)
    return times


def cold(settings: Settings, rounds: int) -> dict[str, ColdTimes]:
    """Seconds of one process per strategy, each with a new question, so that the encoder runs."""
    linker = str(Path(sys.executable).with_name("linker"))
    times = {name: ColdTimes() for name in STRATEGIES}
    first = time.time_ns()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(rounds):
            for name, taken in times.items():
                question = (
                    "Which carrier broke its promised delivery day most often in week "
                    f"{first + number}, {name}?"
                )
                words = [
                    linker,
                    "ask",
                    "--target",
                    DEMO,
                    "--state-dir",
                    str(settings.state_dir),
                    "--strategy",
                    name,
                ]
                taken.add(*run([*words, question], folder))
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--state-dir", type=Path, default=Path(".linker"), help="where `linker demo` left its store"
    )
    parser.add_argument(
        "--rounds", type=int, default=1, help="how often each question is asked in one process"
    )
    parser.add_argument("--cold", type=int, default=3, help="processes a strategy")
    asked = parser.parse_args()
    state_dir = asked.state_dir.resolve()
    if not (state_dir / "postgres" / "PG_VERSION").is_file():
        raise SystemExit(f"there is no demo in {state_dir}; run: make demo")
    connection = {
        "target": DEMO,
        "profile": SHIPPED_PROFILE,
        "profiles_dir": dbt_project_dir() / "profiles",
    }
    settings = replace(load_settings({**connection, "state_dir": state_dir}), model=None)
    head = (
        "| a process, ms | wall, least | wall, median | processor, least | processor, median |\n"
        "|---|---|---|---|---|"
    )
    sys.stdout.write(
        "\n".join(
            [head, *(taken.row(name) for name, taken in cold(settings, asked.cold).items()), ""]
        )
    )
    times = warm(settings, asked.rounds)
    sys.stdout.write(
        "\n| strategy | step | least, ms | median | 95th | most |\n|---|---|---|---|---|---|\n"
    )
    sys.stdout.write("\n".join([*times.rows(), ""]))
    probes = times.probes
    sys.stdout.write(
        f"\nprobes a question: {statistics.mean(probes):.1f} on average, {max(probes)} at most\n"
    )


if __name__ == "__main__":
    main()

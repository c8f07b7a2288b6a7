"""
Evaluates every strategy on every available suite and writes benchmarks/linking.md.

Each suite runs in a `linker eval` process; time and peak memory are reported. Answers are kept in
the state folder, so a second run asks only open questions.
"""

import argparse
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from benchmarks.figures.__main__ import as_markdown, scored

HERE = Path(__file__).resolve().parent
PAGE = HERE / "linking.md"
# The most columns of an answer.
BUDGETS = {
    "spider2-lite": (40, 80, 120, 160),
    "bird": (20, 30, 40),
    "beaver": (40, 80, 160),
    "spider1": (5, 10),
    "demo": (15, 30),
}
# Those that are measured with no language model; `make bench-strategies` compares them all.
WITHOUT_MODEL = ("shortlist", "bm25", "rank-fusion", "whole-tables")
INTRODUCTION = """# Linking on public benchmarks

Strict recall (every needed column is returned), precision and size of answers without a \
language model.

```console
$ make eval ROOT=PATH     # PATH: a folder with the suites in their official layouts
```

- `shortlist` is fitted on questions of these suites; [ranking](results/ranking.md) has held-out \
figures.
- `bm25`, `rank-fusion` and `whole-tables` are simple baselines, not part of the product.
- The suites are halves of the public sets. Published figures follow their papers' gold and are \
not comparable.
- Intervals are 95 % bootstrap intervals over questions. Tables with the same columns count as \
one, for every method.
"""


@dataclass(frozen=True, slots=True)
class Evaluated:
    """A suite, its part of the page, and what it took."""

    suite: str
    text: str
    seconds: float
    peak_megabytes: float


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").strip().splitlines()[0])
    parser.add_argument("--root", type=Path, required=True, help="folder of the suites")
    parser.add_argument("--state-dir", type=Path, default=Path(".linker"))
    parser.add_argument("--suites", nargs="+", default=list(BUDGETS), choices=BUDGETS)
    parser.add_argument("--strategies", nargs="+", default=WITHOUT_MODEL)
    options = parser.parse_args()
    done = [evaluate(suite, options) for suite in options.suites]
    PAGE.write_text("\n".join(page(done)), "utf-8")


def evaluate(suite: str, options: argparse.Namespace) -> Evaluated:
    """One suite in a separate process."""
    started = time.perf_counter()
    words = [
        str(Path(sys.executable).with_name("linker")),
        "eval",
        suite,
        "--state-dir",
        str(options.state_dir),
    ]
    words += [] if suite == "demo" else ["--root", str(options.root)]
    for strategy in options.strategies:
        words += ["--strategy", strategy]
    for budget in BUDGETS[suite]:
        words += ["--budget", str(budget)]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)  # noqa: S603
    seconds = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return Evaluated(suite, figures(suite, options), seconds, peak)


def figures(suite: str, options: argparse.Namespace) -> str:
    """Figures of the answers in the state folder."""
    answers = options.state_dir / "evals" / "answers" / suite
    paths = [answers / f"{strategy}.jsonl" for strategy in options.strategies]
    return as_markdown(scored(paths, options.root, options.state_dir))


def page(done: Sequence[Evaluated]) -> Iterator[str]:
    """The whole page."""
    yield INTRODUCTION
    yield f"{date.today():%Y-%m-%d}, two cores, existing indexes reused:\n"
    yield "| suite | seconds | peak, MB |\n|---|---|---|"
    for evaluated in done:
        yield f"| {evaluated.suite} | {evaluated.seconds:,.0f} | {evaluated.peak_megabytes:,.0f} |"
    for evaluated in done:
        yield f"\n{evaluated.text.strip()}"
    yield ""


if __name__ == "__main__":
    main()

"""
Renders answer files of `linker eval` as HTML and Markdown.

    python -m benchmarks.figures .linker/evals/answers/beaver/*.jsonl --root PATH --html report.html
"""

import argparse
import sys
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

from benchmarks.figures.curves import curve
from benchmarks.figures.html import render_html
from benchmarks.figures.markdown import render_markdown
from linker.config.settings import load_settings
from linker.evaluation import EvaluationRun
from linker.evaluation.preparing import prepare
from linker.evaluation.results import read_results
from linker.evaluation.scoring import all_golds, score_file
from linker.evaluation.summary import summarise


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.figures", description=(__doc__ or "").splitlines()[1]
    )
    parser.add_argument("answers", type=Path, nargs="+", help="files that `linker eval` wrote")
    parser.add_argument("--root", type=Path, help="where the suites lie")
    parser.add_argument("--state-dir", type=Path, default=Path(".linker"))
    parser.add_argument("--html", type=Path, metavar="FILE", help="write the page there")
    parser.add_argument(
        "--markdown", type=Path, metavar="FILE", help="write the tables there [default: show them]"
    )
    options = parser.parse_args(words)
    runs = scored(options.answers, options.root, options.state_dir)
    if options.html:
        options.html.write_text(render_html(runs), "utf-8")
    if options.markdown:
        options.markdown.write_text(as_markdown(runs) + "\n", "utf-8")
    elif not options.html:
        sys.stdout.write(as_markdown(runs) + "\n")


def scored(answers: Sequence[Path], root: Path | None, state_dir: Path) -> list[EvaluationRun]:
    """The answers of each file with their scores; a suite is prepared once for all its files."""
    by_suite: dict[str, list[Path]] = {}
    for path in answers:
        by_suite.setdefault(read_results(path).header.suite, []).append(path)
    runs = []
    for suite, paths in by_suite.items():
        prepared = prepare(suite, root, load_settings({"state_dir": state_dir}))
        golds = all_golds(prepared)
        runs += [score_file(prepared, path, golds) for path in paths]
    return runs


def as_markdown(runs: Sequence[EvaluationRun]) -> str:
    """The figures of runs, with curves for several budgets."""
    summaries = list(chain.from_iterable(map(summarise, runs)))
    return render_markdown(summaries, [curve(run) for run in runs if len(run.budgets) > 1])


if __name__ == "__main__":
    main()

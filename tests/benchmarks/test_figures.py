"""Figures as Markdown, and published figures."""

from collections.abc import Callable

from benchmarks.figures.curves import curve
from benchmarks.figures.markdown import render_markdown
from benchmarks.figures.published import MARK, PUBLISHED, published
from linker.evaluation import EvaluationRun
from linker.evaluation.summary import summarise
from tests.two_runs import FEW, two_runs


def test_the_figures_are_as_the_golden_file_shows_them(golden: Callable[[str, str], None]) -> None:
    runs = two_runs()
    summaries = [summary for run in runs for summary in summarise(run, FEW)]
    golden("figures/figures.md", render_markdown(summaries, [curve(run, FEW) for run in runs]))


def test_no_name_of_others_breaks_a_table() -> None:
    [first, _] = two_runs()
    text = render_markdown(summarise(EvaluationRun("spider2-lite", "a|b", first.outcomes), FEW), [])
    assert text.startswith("## spider2-lite\n")
    assert "| a\\|b @10 | 3 |" in text
    assert "(other gold rules, so not comparable)" in text
    assert (
        len({line.count(" | ") for line in text.splitlines() if line.startswith("| AutoLink")}) == 1
    )


def test_what_the_papers_report_is_marked_so() -> None:
    assert {one.suite for one in PUBLISHED} == {"spider2-lite", "spider2-snow", "bird"}
    assert all(one.mark.startswith(MARK) for one in PUBLISHED)
    assert all(0 < one.strict_recall <= 1 for one in PUBLISHED)
    [autolink] = [
        one
        for one in published("spider2-lite")
        if (one.strategy, one.where) == ("AutoLink", "table 1")
    ]
    assert (autolink.strict_recall, autolink.columns) == (0.912, 159.4)
    assert published("beaver") == ()

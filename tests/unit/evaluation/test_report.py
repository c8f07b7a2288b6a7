"""Figures in the terminal and as JSON."""

import json
import re
from typing import Any

import pytest
from msgspec.structs import replace

from linker.evaluation.report import (
    render_comparison,
    render_comparison_json,
    render_figures,
    render_json,
)
from linker.evaluation.statistics import compare
from linker.evaluation.summary import size_of, summarise
from tests.evaluations import answer, gold, measured, outcome, run_of


@pytest.mark.parametrize(
    ("columns", "group"),
    [
        (1, "<100"),
        (99, "<100"),
        (100, "100–299"),
        (300, "300–599"),
        (1999, "600–1,999"),
        (2000, "≥2,000"),
    ],
)
def test_a_question_belongs_to_the_group_of_its_merged_schema(columns: int, group: str) -> None:
    assert size_of(outcome(answer("t.a"), gold("t.a"), size=columns).score) == group


def test_a_summary_averages_over_questions_and_over_each_group() -> None:
    small, large = summarise(measured())
    assert (small.budget, large.budget) == (10, 40)
    # At 10 every third question is right (4 of 12), at 40 two of three (8 of 12).
    assert small.overall.columns.strict_recall.value == pytest.approx(4 / 12)
    assert large.overall.columns.strict_recall.value == pytest.approx(8 / 12)
    # Right answers have 40 columns, wrong ones two.
    assert large.overall.columns.count.value == pytest.approx((8 * 40 + 4 * 2) / 12)
    assert large.overall.columns.precision.value == pytest.approx(8 / 12 / 40)
    assert large.overall.seconds == 0.5
    groups = {}
    for one in large.groupings:
        groups[one.by] = [(row.group, row.questions) for row in one.rows]
    assert groups["size"] == [
        ("<100", 2),
        ("100–299", 2),
        ("300–599", 2),
        ("600–1,999", 2),
        ("≥2,000", 4),
    ]
    assert groups["dialect"] == [("bigquery", 4), ("snowflake", 4), ("sqlite", 4)]
    assert groups["difficulty"] == [
        ("simple", 3),
        ("moderate", 3),
        ("challenging", 3),
        ("not stated", 3),
    ]


def test_a_suite_without_difficulties_is_not_grouped_by_them() -> None:
    [summary] = summarise(run_of([outcome(answer("t.a"), gold("t.a"))]))
    assert [one.by for one in summary.groupings] == ["size", "dialect"]


def test_json_is_a_document_with_its_version() -> None:
    document: dict[str, Any] = json.loads(render_json(summarise(measured())))
    assert document["version"] == 2
    assert document["summaries"][1]["overall"]["columns"]["strict_recall"][
        "value"
    ] == pytest.approx(8 / 12)


def test_json_of_a_comparison_tells_the_verdict_and_the_questions() -> None:
    document = json.loads(
        render_comparison_json(compare(measured("dense", better=True), measured()))
    )
    assert document["strict_recall"]["is_more_than_noise"] is False
    assert document["won"] == document["lost"] == []


def test_the_terminal_shows_figures_and_a_comparison() -> None:
    shown = render_figures(summarise(measured()), width=120, color=False)
    assert re.search(r"retrieval @40\s+12\s+66\.7 41\.7–91\.7", shown)
    first = run_of([outcome(answer("t.a"), gold("t.a"), text="Which\x1b[2Jcity?")])
    second = run_of([outcome(answer("t.x"), gold("t.a"))], strategy="dense")
    compared = render_comparison(compare(first, second), width=120, color=False)
    assert "1 lost" in compared
    assert "main.t.a: the strategy records no steps" in compared
    assert "\x1b" not in compared


def test_the_share_of_tokens_that_came_from_a_cache_is_shown_where_any_did() -> None:
    spent = [
        replace(answer("t.a"), question_id=name, tokens=tokens, cached_tokens=cached)
        for name, tokens, cached in (("a", 1000, 0), ("b", 3000, 1000))
    ]
    [summary] = summarise(run_of([outcome(item, gold("t.a")) for item in spent]))
    shown = render_figures([summary], width=120, color=False)
    assert re.search(r"tokens +cached %", shown)
    # 1,000 of 4,000.
    assert re.search(r" 2000\.0 +25\.0", shown)
    assert "cached" not in render_figures(summarise(measured()), width=120, color=False)


def test_the_terminal_and_json_tell_how_far_credibilities_are_off() -> None:
    # At 0.9 three of four columns are right, at 0.4 none of one: off by (4 x 0.15 + 0.4) / 5.
    returned = answer("t.a=0.9", "t.b=0.9", "t.c=0.9", "t.x=0.9", "t.y=0.4")
    [summary] = summarise(run_of([outcome(returned, gold("t.a", "t.b", "t.c"))]))
    shown = render_figures([summary], width=120, color=False)
    assert re.search(r"ECE +0\.4–0\.5 +0\.9–1\.0", shown)
    assert re.search(r"20\.0 +0\.0 \(1\) +75\.0 \(4\)", shown)
    calibration = json.loads(render_json([summary]))["summaries"][0]["calibration"]
    assert calibration["expected_error"] == pytest.approx(0.2)
    assert [found["columns"] for found in calibration["bins"]] == [1, 4]


def test_a_report_without_credibilities_has_no_calibration() -> None:
    [summary] = summarise(run_of([outcome(answer("t.a"), gold("t.a"))]))
    assert "credibility" not in render_figures([summary], width=120, color=False)
    assert json.loads(render_json([summary]))["summaries"][0]["calibration"] is None


def test_the_terminal_tells_refusals_and_how_true_chances_are() -> None:
    # 0.8 said and complete in two of four: off by 0.3. Of the columns, scored 1, every second is
    # right: off by 0.5.
    outcomes = [
        outcome(
            answer(
                "t.a" if number % 2 else "t.b",
                question=f"q{number}",
                budget=8,
                refused=False,
                complete=0.8,
            ),
            gold("t.a"),
        )
        for number in range(4)
    ]
    strange = (
        answer("t.a", question="u", budget=8, refused=False, warnings=("unmatched terms: “snow”",)),
    )
    [summary] = summarise(replace(run_of(outcomes, strategy="shortlist"), unanswerable=strange))
    shown = render_figures([summary], width=80, color=False)
    assert re.search(r"shortlist @8 +0 of 4 +0 of 4 +0 of 1 +1 of 1", shown)
    # Four true claims of 0.8 would be off by the root of 4 x 0.16 x 2 / pi, over 4: 0.16.
    assert re.search(r"shortlist @8 +4 +80\.0 +50\.0 +30\.0 +16\.0 +50\.0", shown)
    [document] = json.loads(render_json([summary]))["summaries"]
    assert document["refusals_of_unanswerable"] == {"questions": 1, "refused": 0, "warned": 1}
    assert document["completeness"]["expected_error"] == pytest.approx(0.3)


def test_a_report_of_what_was_answered_rightly_tells_nothing_of_refusals() -> None:
    [summary] = summarise(run_of([outcome(answer("t.a", refused=False), gold("t.a"))]))
    assert "refused" not in render_figures([summary], width=80, color=False)

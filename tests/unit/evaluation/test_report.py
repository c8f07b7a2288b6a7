"""What was measured, shown: figures in every kind of report, and a page that runs nothing of what it shows."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest

from linker.evaluation.compare import compare
from linker.evaluation.curves import curve
from linker.evaluation.report.as_json import render_comparison_json, render_json
from linker.evaluation.report.html import render_html
from linker.evaluation.report.terminal import render_comparison, render_figures
from linker.evaluation.summary import size_of, summarise
from linker.evaluation.types import EvaluationRun, QuestionOutcome
from tests.evaluations import answer, column, gold, outcome, run_of

HOSTILE = "</title></script><script>alert('run')</script><img src=x onerror=alert(1)>\" onload=\"x"


def hostile_outcome() -> QuestionOutcome:
    return outcome(
        answer(
            f"t.{HOSTILE}=0.9",
            question=HOSTILE,
            strategy=HOSTILE,
            seen=((HOSTILE, (column(f"u.{HOSTILE}"),)),),
            sql=f"select '{HOSTILE}'",
            warnings=(HOSTILE,),
            error=HOSTILE,
        ),
        gold(f"t.{HOSTILE}", f"u.{HOSTILE}"),
        text=HOSTILE,
        database=HOSTILE,
        dialect=HOSTILE,
        evidence=HOSTILE,
        difficulty=HOSTILE,
        gold_sql=(HOSTILE,),
    )


def measured(strategy: str = "retrieval", *, better: bool = False) -> EvaluationRun:
    """Twelve questions at two budgets, over sizes, dialects and difficulties."""
    outcomes = []
    for number in range(12):
        for budget in (10, 40):
            right = number % 3 > (0 if budget == 40 or better else 1)
            columns = ["t.a=0.9", *(f"t.c{n}=0.4" for n in range(budget - 1))] if right else ["t.b=0.6", "u.c"]
            outcomes.append(
                outcome(
                    answer(*columns, question=f"q{number:02}", strategy=strategy, budget=budget, seconds=0.5),
                    gold("t.a"),
                    size=(50, 200, 500, 1000, 2000, 3000)[number % 6],
                    dialect=("bigquery", "snowflake", "sqlite")[number % 3],
                    difficulty=("challenging", "simple", "moderate", None)[number % 4],
                    text=f"How many {number}?",
                )
            )
    return run_of(outcomes, strategy=strategy)


class Page(HTMLParser):
    """The elements of a page with their attributes, and the text of each script."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.scripts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in {"meta", "input", "img", "br", "link"}:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "script":
            self.scripts.append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


def test_no_text_of_others_becomes_an_element_or_an_attribute() -> None:
    run = EvaluationRun(HOSTILE, HOSTILE, (hostile_outcome(),), unscored=(HOSTILE,))
    other = EvaluationRun(
        HOSTILE, "full", (outcome(answer(f"t.{HOSTILE}", f"u.{HOSTILE}", question=HOSTILE), *run.outcomes[0].golds),)
    )
    html = render_html([run, other], comparisons=[compare(other, run)], title=HOSTILE, facts=[(HOSTILE, HOSTILE)])
    page = Page(html)
    assert page.open == []
    assert page.all("img") == []
    [script] = page.scripts
    assert "alert" not in script
    assert not any(name.startswith("on") for _, attributes in page.elements for name in attributes)
    assert html.count("<script>") == 1


def test_the_page_lets_a_browser_run_its_own_script_only_and_fetch_nothing() -> None:
    html = render_html([measured()])
    page = Page(html)
    [policy] = [one["content"] for one in page.all("meta") if one.get("http-equiv") == "Content-Security-Policy"]
    digest = base64.b64encode(hashlib.sha256(page.scripts[0].encode()).digest()).decode()
    assert policy is not None
    assert "default-src 'none'" in policy
    assert f"script-src 'sha256-{digest}'" in policy
    assert not page.all("link")
    assert not any("src" in attributes for _, attributes in page.elements)
    assert all((one["href"] or "").startswith("#") for one in page.all("a"))
    assert "http" not in re.sub(r'http-equiv="', "", html)
    assert "url(" not in html


def test_the_page_can_be_read_by_machines_that_read_aloud() -> None:
    page = Page(render_html([measured(), measured("dense", better=True)]))
    assert all("scope" in one for one in page.all("th"))
    assert all(one.get("role") in {"group", "img"} or "aria-hidden" in one for one in page.all("svg"))
    assert all(
        one.get("aria-label") and one.get("tabindex") == "0" for one in page.all("div") if one.get("role") == "region"
    )
    identities = [str(one["id"]) for _, one in page.elements if "id" in one]
    assert len(identities) == len(set(identities))
    named = {name for _, one in page.elements for name in str(one.get("aria-labelledby", "")).split()} - {""}
    assert named <= set(identities)
    assert {(one["href"] or "")[1:] for one in page.all("a")} <= set(identities)


def test_the_page_of_no_results_says_so() -> None:
    assert "There are no results yet." in render_html([])
    assert "There are no results yet." in render_html([EvaluationRun("demo", "retrieval", ())])


def test_the_page_lists_what_is_not_scored() -> None:
    run = EvaluationRun("demo", "retrieval", measured().outcomes, unscored=("q99: the statement cannot be parsed",))
    assert "<li>q99: the statement cannot be parsed</li>" in render_html([run])


def test_a_page_is_the_same_twice() -> None:
    assert render_html([measured()]) == render_html([measured()])


@pytest.mark.parametrize(
    ("columns", "group"),
    [(1, "<100"), (99, "<100"), (100, "100–299"), (300, "300–599"), (1999, "600–1,999"), (2000, "≥2,000")],
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
    groups = {one.by: [(row.group, row.questions) for row in one.rows] for one in large.groupings}
    assert groups["size"] == [("<100", 2), ("100–299", 2), ("300–599", 2), ("600–1,999", 2), ("≥2,000", 4)]
    assert groups["dialect"] == [("bigquery", 4), ("snowflake", 4), ("sqlite", 4)]
    assert groups["difficulty"] == [("simple", 3), ("moderate", 3), ("challenging", 3), ("not stated", 3)]


def test_a_suite_without_difficulties_is_not_grouped_by_them() -> None:
    [summary] = summarise(run_of([outcome(answer("t.a"), gold("t.a"))]))
    assert [one.by for one in summary.groupings] == ["size", "dialect"]


def test_json_is_a_document_with_its_version() -> None:
    run = measured()
    document: dict[str, Any] = json.loads(render_json(summarise(run), [curve(run)]))
    assert document["version"] == 1
    assert document["summaries"][1]["overall"]["columns"]["strict_recall"]["value"] == pytest.approx(8 / 12)
    assert document["curves"][0]["points"][0]["budget"] == 10


def test_json_of_a_comparison_tells_the_verdict_and_the_questions() -> None:
    document = json.loads(render_comparison_json(compare(measured("dense", better=True), measured())))
    assert document["strict_recall"]["is_more_than_noise"] is False
    assert document["won"] == document["lost"] == []


def test_the_terminal_shows_figures_and_a_comparison() -> None:
    shown = render_figures(summarise(measured()), width=120, color=False)
    assert re.search(r"retrieval @40\s+12\s+66\.7 41\.7–91\.7", shown)
    first = run_of([outcome(answer("t.a"), gold("t.a"), text="Which\x1b[2Jcity?")])
    second = run_of([outcome(answer("t.x"), gold("t.a"))], strategy="dense")
    compared = render_comparison(compare(first, second), width=120, color=False)
    assert "1 lost" in compared
    assert "main.t.a: the strategy does not tell its steps" in compared
    assert "\x1b" not in compared

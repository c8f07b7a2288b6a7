"""The HTML report: untrusted text is never executed, and figures are right."""

import base64
import hashlib
import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

from click.testing import CliRunner

from benchmarks.figures.__main__ import main as write_figures
from benchmarks.figures.html import render_html
from benchmarks.figures.questions import losses
from linker.cli import main as linker
from linker.evaluation import EvaluationRun, QuestionOutcome
from linker.evaluation.statistics import compare
from tests.evaluations import SEEN, answer, column, gold, measured, outcome
from tests.two_runs import FEW, two_runs

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
        HOSTILE,
        "full",
        (
            outcome(
                answer(f"t.{HOSTILE}", f"u.{HOSTILE}", question=HOSTILE), *run.outcomes[0].golds
            ),
        ),
    )
    html = render_html(
        [run, other], comparisons=[compare(other, run)], title=HOSTILE, facts=[(HOSTILE, HOSTILE)]
    )
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
    [policy] = [
        one["content"]
        for one in page.all("meta")
        if one.get("http-equiv") == "Content-Security-Policy"
    ]
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
    assert all(
        one.get("role") in {"group", "img"} or "aria-hidden" in one for one in page.all("svg")
    )
    assert all(
        one.get("aria-label") and one.get("tabindex") == "0"
        for one in page.all("div")
        if one.get("role") == "region"
    )
    identities = [str(one["id"]) for _, one in page.elements if "id" in one]
    assert len(identities) == len(set(identities))
    named = {
        name for _, one in page.elements for name in str(one.get("aria-labelledby", "")).split()
    } - {""}
    assert named <= set(identities)
    assert {(one["href"] or "")[1:] for one in page.all("a")} <= set(identities)


def test_the_page_of_no_results_says_so() -> None:
    assert "There are no results yet." in render_html([])
    assert "There are no results yet." in render_html([EvaluationRun("demo", "retrieval", ())])


def test_the_page_lists_what_is_not_scored() -> None:
    run = EvaluationRun(
        "demo", "retrieval", measured().outcomes, unscored=("q99: the statement cannot be parsed",)
    )
    assert "<li>q99: the statement cannot be parsed</li>" in render_html([run])


def test_a_page_is_the_same_twice() -> None:
    assert render_html([measured()]) == render_html([measured()])


def test_losses_are_counted_by_reason_over_fields_and_questions() -> None:
    outcomes = [
        outcome(answer("t.a", seen=SEEN, question="q1"), gold("t.a", "t.e", "t.f")),
        outcome(answer("t.a", seen=SEEN, question="q2"), gold("t.b", "t.e")),
    ]
    assert losses(outcomes) == (("not retrieved", 3, 2), ("discarded", 1, 1))


def test_the_page_is_as_the_golden_file_shows_it(golden: Callable[[str, str], None]) -> None:
    runs = two_runs()
    facts = [("linker", "1 & only")]
    page = render_html(
        runs,
        comparisons=[compare(*runs, FEW)],
        resampling=FEW,
        title="Linking, measured",
        facts=facts,
    )
    golden("figures/report.html", page)


def test_the_command_writes_the_page_and_the_tables_from_files_of_answers(tmp_path: Path) -> None:
    table = {
        "database": "shop",
        "table": "orders",
        "columns": [{"path": "shipping_fee", "type": "DOUBLE"}],
    }
    question = {
        "id": "fee",
        "database": "shop",
        "question": "total shipping fee",
        "gold_columns": ["orders.shipping_fee"],
    }
    for name, record in (("tables", table), ("questions", question)):
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(record) + "\n", "utf-8")
    where = ["--root", str(tmp_path), "--state-dir", str(tmp_path / "state")]
    asking = [
        "eval",
        "catalogue",
        *where,
        "--strategy",
        "bm25",
        "--budget",
        "1",
        "--out",
        str(tmp_path),
    ]
    assert CliRunner().invoke(linker, asking).exit_code == 0
    page, tables = tmp_path / "report.html", tmp_path / "figures.md"
    write_figures(
        [str(tmp_path / "bm25.jsonl"), *where, "--html", str(page), "--markdown", str(tables)]
    )
    assert "total shipping fee" in page.read_text("utf-8")
    assert "| bm25 @1 | 1 | 100.0" in tables.read_text("utf-8")

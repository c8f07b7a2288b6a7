"""
People at the demo: a real browser goes the ways that a person goes, by mouse, by keyboard alone, on
a phone.
"""

import json
import os
import re
import shutil
from collections.abc import Callable, Iterator
from os.path import normpath
from pathlib import Path
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.messages import messages

QUESTION = "Which carrier delivers late most often?"
PAGES = {
    "home": "index.html",
    "schema": "schemas/logistics.html",
    "table": "tables/logistics/shipments.html",
    "family": "tables/finance/gl_entries_~2a~.html",
    "daily family": "tables/web/sessions_~2a~.html",
    "column": "tables/logistics/shipments/carrier_code.html",
    "joins": "joins/logistics/shipments.html",
    "ask": "ask.html?question=Which+carrier+delivers+late+most+often",
    "changes": "changes.html",
    "runs": "runs.html",
    "search": "search.html?text=black+friday",
    "nowhere": "tables/logistics/nothing.html",
}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, as the distribution has it."""
    found = [
        path
        for name in ("chromium", "chromium-browser", "google-chrome")
        if (path := shutil.which(name))
    ]
    assert found, "the tests of the explorer need Chromium: apt-get install chromium"
    with sync_playwright() as playwright:
        # Chromium has no sandbox of its own for root, as whom machines of CI work.
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        opened = playwright.chromium.launch(executable_path=found[0], args=arguments)
        yield opened
        opened.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A window of its own; whatever the console says is wrong."""
    opened = browser.new_page()
    said: list[str] = []
    opened.on("console", lambda message: said.append(message.text))
    opened.on("pageerror", lambda error: said.append(str(error)))
    yield opened
    opened.close()
    assert [text for text in said if "404" not in text] == []


def expect_heading(page: Page, text: str) -> None:
    """Waits for a page with that heading: what a click leads to is there some time after it."""
    expect(page.locator("h1")).to_have_text(text)


def test_a_person_goes_from_the_warehouse_to_a_column_and_along_its_joins(
    page: Page, served: str
) -> None:
    page.goto(served)
    expect_heading(page, "linker.demo")
    page.get_by_role("link", name="logistics").click()
    page.get_by_role("link", name="shipments", exact=True).click()
    expect_heading(page, "shipments")
    page.get_by_role("region", name="Columns").get_by_role("link", name="carrier_code").click()
    values = page.get_by_role("region", name="Values")
    expect(values.get_by_role("rowheader", name="DHL", exact=True)).to_be_visible()
    expect(values.get_by_role("rowheader", name="DPD", exact=True)).to_be_visible()
    page.get_by_role("link", name="shipments", exact=True).click()
    page.get_by_role("link", name="Drawn as a graph").or_(
        page.get_by_role("link", name="All ")
    ).click()
    page.locator("svg a:visible", has_text="carriers").click()
    expect_heading(page, "Joins of carriers")
    expect(page.get_by_role("region", name="Joins", exact=True)).to_contain_text(
        "carrier_code = carrier_code"
    )


@pytest.mark.parametrize("has_javascript", [True, False])
def test_a_question_shows_its_steps_and_its_answer_also_without_javascript(
    browser: Browser, served: str, has_javascript: bool
) -> None:
    page = browser.new_page(java_script_enabled=has_javascript)
    page.goto(served)
    page.get_by_label("Ask a question").fill(QUESTION)
    page.get_by_role("button", name="Ask").click()
    expect(page.locator(".steps summary")).to_have_text(
        ["what it names", "what lies near", "what is likely"]
    )
    assert page.get_by_label("Ask a question").input_value() == QUESTION
    answer = page.get_by_role("region", name="Answer", exact=True)
    expect(answer.get_by_role("link", name="logistics.carriers")).to_be_visible()
    answer.get_by_role("link", name="carrier_name").first.click()
    expect_heading(page, "carrier_name")
    page.close()


def test_the_keyboard_alone_leads_past_the_menu_to_a_search_and_to_what_it_finds(
    page: Page, served: str
) -> None:
    page.goto(f"{served}/index.html")
    page.keyboard.press("Tab")
    assert page.locator(":focus").inner_text() == "Skip to the content"
    page.keyboard.press("Enter")
    assert page.locator(":focus").get_attribute("id") == "content"
    page.goto(f"{served}/index.html")
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.locator(":focus").get_attribute("type") == "search":
            break
    page.keyboard.type("black friday")
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name="Columns")).to_contain_text("black-friday")
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.locator(":focus").inner_text() == "support.tags.tag_name":
            break
    page.keyboard.press("Enter")
    page.wait_for_url("**/tags/tag_name.html")
    expect_heading(page, "tag_name")


def test_a_table_says_what_its_columns_are_and_where_its_keys_lead(page: Page, served: str) -> None:
    page.goto(f"{served}/tables/logistics/shipments.html")
    row = page.get_by_role("region", name="Columns").get_by_role("row").filter(has_text="order_id")
    expect(row).to_contain_text("Order in the parcel; about one percent were typed wrong.")
    row.get_by_role("link", name="sales.orders").click()
    expect_heading(page, "orders")


def test_a_family_is_drawn_over_time_and_its_many_tables_are_folded(
    page: Page, served: str
) -> None:
    page.goto(f"{served}/tables/web/sessions_~2a~.html")
    expect(
        page.get_by_role(
            "img", name="Rows of each table from sessions_20250101 to sessions_20251231"
        )
    ).to_be_visible()
    members = page.get_by_role("rowheader", name="sessions_20250701")
    expect(members).to_be_hidden()
    page.get_by_text("365 tables with their rows").click()
    expect(members).to_be_visible()


def test_on_a_phone_the_graph_of_joins_stands_upright_and_leads_to_the_same_tables(
    browser: Browser, served: str
) -> None:
    phone, desk = browser.new_page(viewport={"width": 390, "height": 800}), browser.new_page()
    boxes = list[list[str]]()
    for page in (desk, phone):
        page.goto(f"{served}/joins/sales/orders.html")
        boxes.append(page.locator("svg a:visible").all_inner_texts())
    # Twenty-four of its neighbours are drawn, the surest.
    assert [len(drawn) for drawn in boxes] == [24, 24]
    assert boxes[0] == boxes[1]
    assert (
        phone.locator("main > p")
        .first.inner_text()
        .startswith("Above what points to it, below what it points to.")
    )
    phone.locator("svg a:visible", has_text="customers").click()
    expect_heading(phone, "Joins of customers")
    phone.close()
    desk.close()


def test_a_search_that_nothing_answers_says_so(page: Page, served: str) -> None:
    note = page.get_by_text("these are nearest in meaning")
    page.goto(f"{served}/search.html?text=qqqxyz")
    expect(note).to_be_visible()
    for known in ("black+friday", "carrier", "parcel"):
        page.goto(f"{served}/search.html?text={known}")
        assert note.count() == 0


def test_a_page_that_waits_for_a_question_says_what_comes_of_it(page: Page, served: str) -> None:
    page.goto(f"{served}/ask.html")
    expect(page.locator("main")).to_contain_text(
        "the answer is the tables and columns that a query would need"
    )


def test_a_measured_column_is_told_in_words_without_the_bars_of_a_terminal(
    page: Page, served: str
) -> None:
    page.goto(f"{served}/tables/logistics/shipments/shipped_at.html")
    found = page.locator("main").inner_text()
    assert [mark for mark in "░█" if mark in found] == []
    assert re.search(r"nulls\n0 %, 0 of [\d,]+ rows", found)


def test_a_schema_is_filtered_by_words(page: Page, served: str) -> None:
    page.goto(f"{served}/schemas/sales.html")
    page.get_by_label("Only tables like").fill("customer")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    shown = page.get_by_role("region", name="Tables").get_by_role("rowheader").all_inner_texts()
    assert shown
    assert all("customer" in name for name in shown if "_" in name) or "customers" in shown
    page.get_by_role("link", name="all 37 tables").click()
    expect(page.get_by_role("region", name="Tables").get_by_role("rowheader")).to_have_count(37)


def test_two_runs_are_chosen_to_be_compared_or_it_is_said_why_not(page: Page, served: str) -> None:
    page.goto(f"{served}/changes.html")
    # Other tests may have refreshed the same demo.
    expect(page.locator("main")).to_contain_text(
        re.compile("fewer than two runs of `linker.demo` found|Between run")
    )
    page.get_by_role("link", name="Runs").click()
    expect(page.get_by_role("region", name="Runs").get_by_role("row").nth(1)).to_be_visible()


def test_masked_values_are_on_no_page(page: Page, served: str) -> None:
    page.goto(f"{served}/tables/sales/customers/email.html")
    assert "masked" in page.locator("main").inner_text()
    for place in (
        "tables/sales/customers/email.html",
        "tables/sales/customers.html",
        "search.html?text=email",
    ):
        page.goto(f"{served}/{place}")
        addresses = re.findall(r"\S+@\S+", page.locator("main").inner_text())
        # Their shapes: a letter is an a, a digit a 9.
        assert [address for address in addresses if re.sub(r"[aA9@.,+_-]", "", address)] == []


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_every_page_is_accessible_fits_phone_and_tablet_and_asks_nothing_of_others(
    browser: Browser, served: str, scheme: Literal["light", "dark"]
) -> None:
    page = browser.new_page(color_scheme="dark" if scheme == "dark" else "light")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    problems = dict[str, object]()
    for name, place in PAGES.items():
        page.set_viewport_size({"width": 390, "height": 800})
        page.goto(f"{served}/{place}")
        # In the dark nothing but colours is another.
        found = (
            Axe()
            .run(page, options={"runOnly": ["color-contrast"]} if scheme == "dark" else {})
            .response
        )
        problems |= {
            f"{name}: {violation['id']}": violation["nodes"][0]["html"]
            for violation in found["violations"]
        }
        for width in (320, 360, 390, 768, 1000):
            page.set_viewport_size({"width": width, "height": 800})
            if page.evaluate("document.documentElement.scrollWidth") > width:
                problems[f"{name}: {width}"] = "wider than the screen"
            cut_off = (
                "[...document.querySelectorAll('.scroll')].some(e => e.scrollWidth > e.clientWidth)"
            )
            if page.evaluate(cut_off):
                problems[f"{name}: {width}"] = "a table or a picture with something beyond the edge"
    page.close()
    assert problems == {}
    assert [url for url in asked if not url.startswith(served)] == []


def test_the_site_as_files_has_the_same_pages_all_its_links_lead_somewhere_and_it_is_switched_whole(
    browser: Browser, served: str, linker_command: Callable[..., Any], tmp_path: Path
) -> None:
    site = tmp_path / "public"
    # One that was written before, and has a page that is no more.
    (site / "tables").mkdir(parents=True)
    for name in (".linker-site", "tables/gone.html"):
        (site / name).touch()
    done = linker_command("export", "site", str(site), "--target", "demo", "--format", "json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report.pop("seconds") > 0
    pages = len([*site.rglob("*.html")])
    assert report == {"version": 1, "target": "linker.demo", "folder": str(site), "pages": pages}
    assert not (site / "tables" / "gone.html").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["public"]
    files = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}
    assert {
        place for name, place in PAGES.items() if name not in ("ask", "search", "nowhere")
    } <= files
    broken = set()
    for file in (name for name in files if name.endswith(".html")):
        text = (site / file).read_text("utf-8")
        for link in re.findall(r'(?:href|src|action)="([^"#]+)"', text):
            if normpath(Path(file).parent / link) not in files:
                broken.add((file, link))
    assert broken == set()
    page = browser.new_page()
    page.goto(f"file://{site}/index.html")
    page.get_by_role("link", name="logistics").click()
    page.get_by_role("link", name="shipments", exact=True).click()
    expect_heading(page, "shipments")
    assert page.get_by_role("search").count() == 0
    page.close()


def test_a_folder_that_holds_something_else_is_not_replaced(
    linker_command: Callable[..., Any], tmp_path: Path
) -> None:
    (tmp_path / "thesis.txt").write_text("years of work", "utf-8")
    done = linker_command("export", "site", str(tmp_path), "--target", "demo")
    assert (done.returncode, messages(done.stderr)[0]) == (
        2,
        f"error: {tmp_path} is there, and no site of linker",
    )
    assert (tmp_path / "thesis.txt").read_text("utf-8") == "years of work"


def test_pictures_of_the_docs(
    browser: Browser, served: str, request: pytest.FixtureRequest
) -> None:
    """Made by `make pictures`; else they only have to be there."""
    folder = Path(__file__).parents[2] / "docs" / "pictures"
    for name, place in {
        "explorer": PAGES["table"],
        "joins": PAGES["joins"],
        "ask": PAGES["ask"],
    }.items():
        if request.config.getoption("--rewrite-pictures"):
            page = browser.new_page(viewport={"width": 1000, "height": 640})
            page.goto(f"{served}/{place}")
            page.screenshot(path=folder / f"{name}.png")
            page.close()
        assert (folder / f"{name}.png").stat().st_size < 150_000

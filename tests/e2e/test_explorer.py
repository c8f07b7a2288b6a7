"""The catalog UI in a real browser: mouse, keyboard, phone."""

import json
import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from os.path import normpath
from pathlib import Path
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Error, Page, Route, expect, sync_playwright

from tests.messages import messages

QUESTION = "Which carrier delivers late most often?"
PAGES = {
    "home": "index.html",
    "schema": "schemas/logistics.html",
    "table": "tables/logistics/shipments.html",
    "family": "tables/finance/gl_entries_~2a~.html",
    "daily family": "tables/web/sessions_~2a~.html",
    "column": "tables/logistics/shipments/carrier_code.html",
    "codes": "tables/sales/orders/status_code.html",
    "coded table": "tables/sales/orders.html",
    "schema of families": "schemas/sales.html",
    "joins": "joins/logistics/shipments.html",
    "ask": "ask.html?question=Which+carrier+delivers+late+most+often",
    "changes": "changes.html",
    "runs": "runs.html",
    "search": "search.html?text=black+friday",
    "misspelt": "search.html?text=ordr",
    "nowhere": "tables/logistics/nothing.html",
}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, as the distribution has it."""
    names = ("chromium", "chromium-browser", "google-chrome")
    found = list(filter(None, map(shutil.which, names)))
    assert found, "the tests of the explorer need Chromium: apt-get install chromium"
    with sync_playwright() as playwright:
        # Chromium has no sandbox of its own for root, as whom machines of CI work.
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        opened = playwright.chromium.launch(executable_path=found[0], args=arguments)
        yield opened
        opened.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A separate window; any console message is an error."""
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
        ["recognized terms", "retrieved candidates", "ranking"]
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


def test_a_search_reads_after_a_pause_and_shows_what_was_found(page: Page, served: str) -> None:
    page.goto(f"{served}/tables/logistics/carriers.html")
    read: list[str] = []
    page.on("request", lambda request: read.append(request.url) if "?" in request.url else None)
    page.get_by_role("searchbox").press_sequentially("refund", delay=20)
    panel = page.get_by_role("region", name="Found so far")
    panel.get_by_role("link", name="sales.refunds", exact=True).wait_for()
    assert read == [f"{served}/search.html?text=refund"]
    expect(page.get_by_role("status")).to_have_text(re.compile(r"\d+ tables found"))
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    assert page.locator(":focus").get_attribute("type") == "search"
    page.get_by_role("searchbox").fill("refunds")
    panel.get_by_role("link", name="sales.refunds", exact=True).click()
    expect_heading(page, "refunds")


def test_a_late_reply_to_a_search_is_dropped(browser: Browser, served: str) -> None:
    # A reply that is given up is a line in the console.
    page = browser.new_page()
    held: list[Route] = []

    def answer(route: Route) -> None:
        if route.request.url.endswith("=carrier"):
            held.append(route)
        else:
            route.continue_()

    page.route("**/search.html*", answer)
    page.goto(f"{served}/search.html")
    box = page.get_by_role("searchbox")
    with page.expect_request("**/search.html?text=carrier"):
        box.fill("carrier")
    box.fill("refund")
    expect_heading(page, "Near “refund”")
    [late] = held
    with suppress(Error):
        late.continue_()
    page.wait_for_load_state("networkidle")
    expect_heading(page, "Near “refund”")
    expect(
        page.locator("main").get_by_role("link", name="sales.refunds", exact=True)
    ).to_be_visible()
    page.close()


def test_a_misspelt_search_says_what_was_meant_and_why_a_table_is_there(
    page: Page, served: str
) -> None:
    page.goto(f"{served}/search.html?text=shipmnts")
    meant = page.get_by_text("Did you mean")
    expect(meant.get_by_role("link", name="logistics.shipments", exact=True)).to_be_visible()
    meant.get_by_role("link").first.click()
    expect_heading(page, "Near “shipments”")
    table = page.locator(".hits li", has_text="logistics.shipments").first
    expect(table).to_contain_text("name match")
    page.goto(f"{served}/search.html?text=black+friday")
    expect(page.locator(".hits li", has_text="support.tags")).to_contain_text(
        "value match: 'black-friday' in tag_name"
    )


@pytest.mark.parametrize("question", [QUESTION, "Revenue by country and month"])
def test_an_answer_shows_at_most_fifteen_columns_by_how_likely_they_are_and_folds_the_rest(
    page: Page, served: str, question: str
) -> None:
    page.goto(f"{served}/ask.html?question={question}")
    heading = page.locator(".answer h2").inner_text()
    rows = page.get_by_role("region", name="Columns of the answer", exact=True).locator("tbody tr")
    count = int(heading.split()[0])
    expect(rows).to_have_count(min(count, 15))
    if count > 15:
        page.get_by_text("with lower relevance").click()
    further = page.get_by_role("region", name="Further columns of the answer").locator("tbody tr")
    assert count == rows.count() + further.count()
    named = int(heading.rpartition(" of ")[2].split()[0])
    expect(page.locator(".answer .hits li")).to_have_count(named)
    shares = [*rows.locator("td:nth-child(2)").all_inner_texts()]
    shares += further.locator("td:nth-child(2)").all_inner_texts()
    likely = [0.5 if "<" in share else float(share.strip(" %")) for share in shares]
    assert likely == sorted(likely, reverse=True)
    comments = rows.locator("td:nth-child(3) b").all_inner_texts()
    assert comments
    assert all(comments)


def test_statements_and_schemas_are_copied(browser: Browser, served: str) -> None:
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    for place in (PAGES["ask"], PAGES["table"]):
        page.goto(f"{served}/{place}")
        for name, start in (("SQL", "select"), ("DDL", "-- "), ("M-Schema", "【DB_ID】")):
            page.locator("summary", has_text=re.compile(f"^{name}$")).click()
            button = page.get_by_role("button", name=f"Copy {name}")
            button.click()
            expect(page.get_by_role("button", name="Copied").first).to_be_visible()
            copied = page.evaluate("navigator.clipboard.readText()")
            assert copied.startswith(start)
            assert copied == page.locator(f"#copied-{name.lower()}").text_content()
    context.close()
    plain = browser.new_page(java_script_enabled=False)
    plain.goto(f"{served}/{PAGES['table']}")
    plain.locator("summary", has_text=re.compile("^DDL$")).click()
    expect(plain.locator("#copied-ddl")).to_contain_text("create table logistics.shipments")
    expect(plain.get_by_role("button", name="Copy DDL")).to_be_hidden()
    plain.close()


def test_codes_have_labels_from_the_table_that_they_lead_to_or_from_their_comment(
    page: Page, served: str
) -> None:
    page.goto(f"{served}/tables/sales/orders/status_code.html")
    row = page.get_by_role("region", name="Values").get_by_role("row").filter(has_text="X7")
    expect(row).to_contain_text("Fraud hold")
    page.goto(f"{served}/tables/sales/orders.html")
    columns = page.get_by_role("region", name="Columns")
    status = columns.get_by_role("row").filter(has=page.get_by_role("link", name="status_code"))
    expect(status).to_contain_text("D = Delivered")
    page.goto(f"{served}/tables/sales/payments/status.html")
    row = page.get_by_role("region", name="Values").get_by_role("row").filter(has_text="CHB")
    expect(row).to_contain_text("charged back")


def test_quantities_have_histograms_categories_have_bars_and_keys_have_neither(
    page: Page, served: str
) -> None:
    page.goto(f"{served}/tables/sales/orders.html")
    columns = page.get_by_role("region", name="Columns")
    drawn = {}
    for name in (
        "net_amount_cents",
        "ordered_at",
        "status_code",
        "shipping_country",
        "customer_id",
        "order_id",
        "order_date_key",
        "is_gift",
    ):
        link = page.get_by_role("link", name=name, exact=True)
        charts = columns.get_by_role("row").filter(has=link).locator("svg.spark")
        label = charts.first.get_attribute("aria-label") if charts.count() else ""
        drawn[name] = (label or "").partition(" ")[0]
    assert drawn == {
        "net_amount_cents": "Histogram",
        "ordered_at": "Histogram",
        "status_code": "Most",
        "shipping_country": "Most",
        "customer_id": "",
        "order_id": "",
        "order_date_key": "",
        "is_gift": "Most",
    }
    for name in ("customer_id", "is_gift"):
        page.goto(f"{served}/tables/sales/orders/{name}.html")
        assert page.locator("svg.histogram").count() == 0
        assert "quantiles" not in page.locator("main").inner_text()
    page.goto(f"{served}/tables/sales/orders/net_amount_cents.html")
    expect(page.locator("svg.histogram")).to_be_visible()
    page.goto(f"{served}/tables/people/employees.html")
    masked = (
        page.get_by_role("region", name="Columns")
        .get_by_role("row")
        .filter(has=page.get_by_role("link", name="given_name", exact=True))
    )
    expect(masked).to_contain_text("masked")
    assert masked.locator("svg.spark").count() == 0


def test_a_schema_and_an_answer_are_drawn_and_scroll_inside_their_frame_on_a_phone(
    browser: Browser, served: str
) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 800})
    for place, name, own in (
        ("schemas/logistics.html", "Diagram of logistics", "shipments in logistics"),
        (PAGES["ask"], "Diagram of the answer", "carriers in logistics"),
    ):
        page.goto(f"{served}/{place}")
        frame = page.get_by_role("region", name=name)
        expect(frame.get_by_role("link", name=own, exact=True)).to_have_count(1)
        assert frame.evaluate("e => e.scrollWidth > e.clientWidth")
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        height = frame.locator("text.row").first.bounding_box()
        assert height
        assert height["height"] > 10
    page.get_by_role("link", name="carriers in logistics", exact=True).click()
    expect_heading(page, "carriers")
    page.close()


def test_what_a_family_is_stands_apart_from_its_comment(page: Page, served: str) -> None:
    page.goto(f"{served}/schemas/sales.html")
    text = page.get_by_role("row").filter(has_text="orders_archive_").inner_text()
    assert "kept for the auditors\n12 tables by month" in text


def test_a_search_that_nothing_answers_says_so(page: Page, served: str) -> None:
    note = page.get_by_text("these are the nearest semantic matches")
    page.goto(f"{served}/search.html?text=qqqxyz")
    expect(note).to_be_visible()
    for known in ("black+friday", "carrier", "parcel"):
        page.goto(f"{served}/search.html?text={known}")
        assert note.count() == 0


def test_a_page_that_waits_for_a_question_says_what_comes_of_it(page: Page, served: str) -> None:
    page.goto(f"{served}/ask.html")
    expect(page.locator("main")).to_contain_text(
        "The answer lists the tables and columns that a query needs"
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
        place
        for name, place in PAGES.items()
        if name not in ("ask", "search", "misspelt", "nowhere")
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
        f"error: {tmp_path} exists and is not a site of linker",
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
            height = 1100 if name == "ask" else 640
            page = browser.new_page(viewport={"width": 1000, "height": height})
            page.goto(f"{served}/{place}")
            page.screenshot(path=folder / f"{name}.png")
            page.close()
        assert (folder / f"{name}.png").stat().st_size < 150_000

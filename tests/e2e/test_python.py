"""The examples of docs/python.md, and results in notebooks."""

import doctest
import json
import re
import subprocess
import traceback
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from linker import Linker, LinkerError, api


@pytest.fixture(scope="module")
def folder(demo: "subprocess.CompletedProcess[str]", linker_folder: Path) -> Path:
    """The folder in which the demo was built."""
    assert demo.returncode == 0, demo.stderr
    return linker_folder


@pytest.fixture(scope="module")
def linker(folder: Path) -> Iterator[Linker]:
    with Linker.open(target="demo", state_dir=folder / ".linker", strategy="shortlist") as opened:
        yield opened


class Elements(HTMLParser):
    """The names and attributes of all elements, and the text between them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_examples_of_the_page_do_what_it_says(
    folder: Path, checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    page = (checkout / "docs" / "python.md").read_text("utf-8")
    examples = "\n".join(re.findall(r"```python\n(.*?)```", page, re.DOTALL))
    assert examples.count(">>>") > 15
    flags = doctest.ELLIPSIS | doctest.REPORT_NDIFF
    test = doctest.DocTestParser().get_doctest(examples, {}, "docs/python.md", "docs/python.md", 0)
    told: list[str] = []
    doctest.DocTestRunner(optionflags=flags).run(test, out=told.append)
    assert "".join(told) == ""


def test_the_examples_of_the_methods_do_what_they_say(
    linker: Linker, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    found = doctest.DocTestFinder(exclude_empty=True).find(api.Linker, "Linker", module=api)
    told: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.REPORT_NDIFF)
    with_examples = set()
    for test in found:
        if test.examples:
            with_examples.add(test.name.removeprefix("Linker."))
            test.globs = {"Linker": Linker, "linker": linker}
            runner.run(test, out=told.append)
    assert "".join(told) == ""
    methods = {name for name in vars(Linker) if not name.startswith("_")}
    assert methods - with_examples == {"close"}


@pytest.mark.parametrize(
    ("ask", "count", "some"),
    [
        (lambda it: it.ask("Which carrier delivers late most often?", column_budget=6), 6, "score"),
        (lambda it: it.show("logistics.carriers"), 7, "description"),
        (lambda it: it.show("sales.orders.status_code"), 7, "share"),
        (lambda it: it.search("DHL Parcel", limit=1), 1, "value"),
        (lambda it: it.joins("logistics.carriers", "sales.orders"), 2, "left_columns"),
        (lambda it: it.status(), 7, "last_refresh"),
        (lambda it: it.runs(limit=1), 1, "started_at"),
        (lambda it: it.diff(1, 1), 0, "what"),
    ],
)
def test_a_result_is_a_data_frame_and_a_document(
    linker: Linker, ask: Callable[[Linker], Any], count: int, some: str
) -> None:
    result = ask(linker)
    pandas, polars = result.to_pandas(), result.to_polars()
    assert (len(pandas), polars.height) == (count, count)
    assert [*pandas.columns] == polars.columns
    assert some in polars.columns
    document = result.to_dict()
    assert document == json.loads(json.dumps(document))
    assert "version" in document


def test_the_document_is_that_of_the_command(
    linker: Linker, linker_command: Callable[..., Any]
) -> None:
    for words, result in (
        (("runs",), linker.runs()),
        (("show", "logistics.carriers", "--explain"), linker.show("logistics.carriers")),
    ):
        printed = linker_command(*words, "--target", "demo", "--format", "json")
        assert result.to_dict() == json.loads(printed.stdout)


def test_rows_that_were_not_fetched_are_said_to_be_missing(linker: Linker) -> None:
    with pytest.raises(LinkerError, match=r"no rows \(needs_model\)"):
        linker.sql("How many carriers are there?").to_pandas()


def test_messages_speak_of_settings_and_methods(linker: Linker) -> None:
    said = [
        str(linker.ask("Which carrier delivers late most often?")),
        str(linker.sql("How many carriers are there?")),
    ]
    for fails in (
        lambda: linker.show("sales.ordres"),
        lambda: linker.ask("carriers", recall=7),
        lambda: linker.diff(99),
        lambda: Linker.open(config="nowhere.yml"),
    ):
        with pytest.raises(LinkerError) as raised:
            fails()
        said.append("".join(traceback.format_exception(raised.value, limit=0)))
        assert said[-1].count(raised.value.hint) == 1
    assert [text for text in said if re.search(r"--\w|flag", text)] == []
    assert "`linker.runs()`" in said[4]


def test_it_says_what_it_is(linker: Linker) -> None:
    assert repr(linker).startswith("Linker(target='demo', strategy='shortlist', state_dir=")


def test_a_setting_of_one_question_is_gone_with_it(linker: Linker) -> None:
    assert linker.ask("Which carrier delivers late most often?", column_budget=4).column_count == 4
    assert linker.ask("Which carrier delivers late most often?").column_count > 4


def test_a_notebook_shows_the_same_columns_as_the_answer_has(linker: Linker) -> None:
    schema = linker.ask("Which carrier delivers late most often?", column_budget=6)
    html = Elements(schema._repr_html_())
    assert [tag for tag, _ in html.found].count("tr") == schema.column_count
    for linked in schema.tables:
        assert str(linked.table.ref) in html.text


def test_a_notebook_draws_the_histogram_and_the_frequent_values_of_a_column(linker: Linker) -> None:
    days = Elements(linker.show("logistics.shipments.promised_on")._repr_html_())
    heights = [float(attributes["height"] or 0) for tag, attributes in days.found if tag == "rect"]
    assert len(heights) == 60
    assert max(heights) == 1
    states = linker.show("sales.orders.status_code")
    assert states.column
    assert states.column.l2.representative_values
    most = states.column.l2.representative_values[0]
    share = most.count / 800
    widths = [
        attributes["style"]
        for tag, attributes in Elements(states._repr_html_()).found
        if tag == "i"
    ]
    assert widths[0] == f"width:{share * 100:.1f}%"


def test_the_card_of_a_table_has_its_comments(linker: Linker) -> None:
    card = linker.show("logistics.carriers")._repr_html_()
    assert "Companies that carry our parcels." in card
    assert "Saturday delivery without surcharge" in Elements(card).text


def test_a_notebook_needs_nothing_from_outside(linker: Linker) -> None:
    for shown in (
        linker.ask("carriers"),
        linker.show("sales.orders"),
        linker.status(),
        linker.search("Anna"),
    ):
        html = Elements(shown._repr_html_())
        assert not {"script", "link", "img", "iframe"} & {tag for tag, _ in html.found}
        assert not any({"src", "href"} & {*attributes} for _, attributes in html.found)
        assert "url(" not in shown._repr_html_()

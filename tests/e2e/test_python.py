"""
Python at the demo: the examples of docs/python.md, run as they stand there, and what notebooks show
of the same.
"""

import doctest
import re
import subprocess
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from linker import Linker


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

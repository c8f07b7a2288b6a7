"""The pages of docs/strategies are complete and agree with their table."""

import re
from pathlib import Path

import pytest

from linker.strategies import STRATEGIES, open_strategy

PAGES = Path(__file__).resolve().parents[2] / "docs" / "strategies"
# `| [`name`, `other`](page.md) | in a line | model | calls |`
ROW = re.compile(
    r"^\| \[(?P<names>[^\]]+)\]\((?P<page>[\w/]+\.md)\) \| (?P<line>[^|]+) \| (?P<model>\w+) \|",
    re.MULTILINE,
)
ROWS = {
    name: row
    for row in ROW.finditer((PAGES / "README.md").read_text("utf-8"))
    for name in re.findall(r"`(\w+)`", row["names"])
}


def test_the_table_has_every_strategy_and_no_other() -> None:
    assert sorted(ROWS) == sorted(STRATEGIES)
    assert {row["page"] for row in ROWS.values()} == {page.name for page in PAGES.glob("*.md")} - {
        "README.md"
    }


@pytest.mark.parametrize("name", STRATEGIES)
def test_its_page_says_idea_use_cost_and_paper_and_the_table_whether_it_needs_a_model(
    name: str,
) -> None:
    assert name in ROWS, f"docs/strategies/README.md has no row for `{name}`"
    text = (PAGES / ROWS[name]["page"]).read_text("utf-8")
    assert f"`{name}`" in text
    parts = [text.find(f"**{part}.**") for part in ("Idea", "When to use it", "Cost", "Paper")]
    assert parts == sorted(parts)
    assert parts[0] > 0
    needs = "needed" if getattr(open_strategy(name), "needs_model", False) else "no"
    assert ROWS[name]["model"] == ("optional" if name == "auto" else needs)

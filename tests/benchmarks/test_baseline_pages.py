"""The page on baselines has a section per baseline, and its table agrees."""

import re
from importlib.metadata import distribution
from pathlib import Path

import pytest

from linker.strategies import GROUP, open_strategy

PAGE = (Path(__file__).resolve().parents[2] / "benchmarks" / "baselines" / "README.md").read_text(
    "utf-8"
)
BASELINES = [
    entry.name
    for entry in distribution("dbt-linker-benchmarks").entry_points
    if entry.group == GROUP
]
# `| [`name`, `other`](#section) | in a line | model | calls |`
ROW = re.compile(
    r"^\| \[(?P<names>[^\]]+)\]\(#(?P<section>[\w-]+)\) \| (?P<line>[^|]+) \| (?P<model>\w+) \|",
    re.MULTILINE,
)
ROWS = {name: row for row in ROW.finditer(PAGE) for name in re.findall(r"`([\w-]+)`", row["names"])}
# By the anchor that a heading has on GitHub.
SECTIONS = {
    re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-"): (heading, text)
    for heading, text in re.findall(
        r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL
    )
}


def test_the_table_has_every_registered_baseline_and_no_other() -> None:
    assert sorted(ROWS) == sorted(BASELINES)
    assert {row["section"] for row in ROWS.values()} == set(SECTIONS)


@pytest.mark.parametrize("name", BASELINES)
def test_its_section_says_idea_use_cost_and_paper_and_the_table_whether_it_needs_a_model(
    name: str,
) -> None:
    heading, text = SECTIONS[ROWS[name]["section"]]
    assert f"`{name}`" in heading
    parts = [text.find(f"**{part}.**") for part in ("Idea", "When to use it", "Cost", "Paper")]
    assert parts == sorted(parts)
    assert parts[0] > 0
    needs = "needed" if getattr(open_strategy(name), "needs_model", False) else "no"
    assert ROWS[name]["model"] == needs

"""Vars and tables on the dbt package page exist."""

import re
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = (ROOT / "docs" / "dbt-package.md").read_text("utf-8")


def test_each_var_of_the_page_is_one_of_the_package() -> None:
    known = yaml.safe_load((ROOT / "dbt_project.yml").read_text("utf-8"))["vars"]["linker"]
    section = PAGE.partition("## Vars")[2].partition("\n## ")[0]
    named = {
        name
        for row in re.findall(r"^\| (`.*?`) \|", section, re.MULTILINE)
        for name in re.findall(r"`(\w+)`", row)
    }
    # It decides whether the package is there at all, and has no default to state.
    assert named - {"linker_enabled"} <= known.keys()
    assert "linker_enabled" in named


def test_each_table_of_the_page_is_a_model() -> None:
    models = {path.stem for path in (ROOT / "models").rglob("linker_*.sql")}
    assert {
        name
        for name in re.findall(r"\blinker_[a-z]\w*", PAGE)
        if not name.startswith("linker_enabled")
    } - {
        "linker_schema",
        "linker_database",
    } <= models


def test_the_page_lists_every_meaning_of_the_words() -> None:
    for var, folder in (("family_words", "families"), ("join_words", "joins")):
        lists = (ROOT / "macros" / folder / "words.sql").read_text("utf-8")
        meanings = re.findall(r"^        '(\w+)': [\[{a-z]", lists, re.MULTILINE)
        [row] = re.findall(rf"^\| `{var}` \| (`.*) \|$", PAGE, re.MULTILINE)
        assert set(re.findall(r"`(\w+)`", row)) == set(meanings), var


def test_no_comma_cuts_off_the_description_of_a_column() -> None:
    """In `{…}` text after a comma is another key, unless it is quoted."""
    for path in sorted((ROOT / "models").glob("*/*.yml")):
        [model] = yaml.safe_load(path.read_text("utf-8"))["models"]
        for column in model["columns"]:
            assert column.keys() == {"name", "data_type", "description"}, path

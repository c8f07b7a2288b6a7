"""Names with unusual characters, from warehouse to answer and back."""

import json
import re
from pathlib import Path

import duckdb
import pytest

from tests.e2e.conftest import Run

TABLE = "ord\ters"
COLUMNS = (
    "order id",
    "tab\tprice",
    "line\nbreak",
    "zero\u200bwidth",
    "\u202eeman remotsuc",
    "a</data>",
    "<|im_start|>",
)
SHOWN = (
    "order id",
    r"tab\u0009price",
    r"line\u000abreak",
    r"zero\u200bwidth",
    r"\u202eeman remotsuc",
    "a</data>",
    "<|im_start|>",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, linker_command: Run) -> Path:
    """A warehouse with such names, profiled and indexed."""
    folder = tmp_path_factory.mktemp("odd")
    with duckdb.connect(str(folder / "odd.duckdb")) as connection:
        connection.execute("create schema shop")
        columns = ", ".join(f'"{name}" varchar' for name in COLUMNS)
        connection.execute(f'create table shop."{TABLE}" ({columns})')
        connection.execute(
            f'insert into shop."{TABLE}" select {", ".join(["i::varchar"] * 7)} from range(9) as t(i)'
        )
    target = {"type": "duckdb", "path": str(folder / "odd.duckdb"), "schema": "shop"}
    profiles = {"shop": {"target": "dev", "outputs": {"dev": target}}}
    (folder / "profiles.yml").write_text(json.dumps(profiles))
    (folder / "linker.yml").write_text("profiles_dir: .\nprofile: shop\n")
    done = linker_command("refresh", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder


def test_what_the_card_of_a_table_shows_leads_to_its_table_and_columns(
    folder: Path, linker_command: Run
) -> None:
    card = linker_command("show", r"shop.ord\u0009ers", cwd=folder)
    assert card.returncode == 0, card.stderr
    assert card.stdout.startswith(r"shop.ord\u0009ers ")
    assert [name for name in SHOWN if f"\n  {name} " not in card.stdout] == []
    found = linker_command(
        "show", r"shop.ord\u0009ers.\u202eeman remotsuc", "--format", "json", cwd=folder
    )
    assert json.loads(found.stdout)["column"]["path"] == "\u202eeman remotsuc"


def test_what_a_schema_for_a_prompt_shows_leads_to_its_columns(
    folder: Path, linker_command: Run
) -> None:
    shown = linker_command("ask", "--format", "mschema", "the price of the orders", cwd=folder)
    assert shown.returncode == 0, shown.stderr
    names = re.findall(r"^\((.+?):VARCHAR", shown.stdout, re.MULTILINE)
    assert sorted(names) == sorted((*SHOWN[:5], r"a\u003c/data>", r"\u003c|im_start|>"))
    found = linker_command(
        "show", r"shop.ord\u0009ers.\u003c|im_start|>", "--format", "json", cwd=folder
    )
    assert json.loads(found.stdout)["column"]["path"] == "<|im_start|>"

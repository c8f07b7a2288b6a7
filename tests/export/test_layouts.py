"""`linker export dbt` with other property file layouts."""

import re
from collections.abc import Mapping
from pathlib import Path

import duckdb
import pytest
import yaml

from linker.dbt.yaml_text import read_nodes
from tests.export.conftest import build_project, export, run
from tests.warehouse.project import run_dbt

MODELS = {
    "places": "select range as place_id, 'place ' || range as place_name from range(60)",
    "sales": "select range as sale_id, range % 60 as place_id, 'C' || range % 6 as currency_code from range(600)",
    "currencies": "select 'C' || range as currency_code from range(6)",
    "rates": "select range as rate_id, range / 10 as rate from range(6)",
}
SOURCES = """version: 2
sources:
  - name: raw
    schema: main
    tables:
      - name: visits
"""
# By what it is called: the files, and those that the patch may touch.
LAYOUTS: dict[str, tuple[Mapping[str, str], set[str]]] = {
    "no properties": ({}, {"models/schema.yml"}),
    "one file a folder": (
        {"models/_models.yml": "models:\n  - name: sales  # the facts\n"},
        {"models/_models.yml"},
    ),
    "one file a model": (
        {
            "models/sales.yml": "models:\n  - name: sales\n    description: Facts\n",
            "models/places.yml": "models:\n  - name: places\n    columns: []\n",
        },
        {"models/sales.yml", "models/places.yml", "models/rates.yml", "models/currencies.yml"},
    ),
    "two files, one of them for sources": (
        {
            "models/sources.yml": SOURCES,
            "models/a.yml": "models: []\n",
            "models/b.yml": "models:\n  - name: rates\n",
        },
        {"models/sources.yml", "models/b.yml"},
    ),
    "one line": (
        {"models/m.yml": "{version: 2, models: [{name: sales, columns: [{name: sale_id}]}]}\n"},
        {"models/m.yml"},
    ),
    "anchors, comments and the line breaks of Windows": (
        {
            "models/m.yml": "# ours\r\nversion: 2\r\nmodels:\r\n  - name: sales\r\n    columns:\r\n"
            "      - &id\r\n        name: sale_id  # the key\r\n        description: Number\r\n"
            "      - <<: *id\r\n        name: place_id\r\n",
        },
        {"models/m.yml"},
    ),
    "a marked document": (
        {"models/m.yaml": "---\nmodels:\n  - name: sales\n# the end\n...\n"},
        {"models/m.yaml"},
    ),
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with the project, built and profiled, without any property file."""
    folder = tmp_path_factory.mktemp("layouts")
    with duckdb.connect(str(folder / "shop.duckdb")) as warehouse:
        warehouse.execute(
            "create table visits as select range as visit_id, range % 60 as place_id from range(300)"
        )
    build_project(folder, {f"{name}.sql": query for name, query in MODELS.items()})
    (folder / ".gitignore").write_text(
        "target\nlogs\n.linker\n*.duckdb\n*.patch\n.user.yml\n", "utf-8"
    )
    run(folder, "git", "init", "-q")
    run(folder, "git", "add", ".")
    run(folder, "git", "commit", "-qm", "The shop")
    return folder


def listed_tests(folder: Path) -> list[str]:
    listed = run_dbt(folder, "--quiet", "ls", "--resource-type", "test")
    return [line for line in listed.splitlines() if line.startswith("shop.")]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_git_applies_the_patch_and_dbt_lists_exactly_the_tests_that_were_promised(
    shop: Path, layout: str
) -> None:
    files, touched = LAYOUTS[layout]
    run(shop, "git", "checkout", "-q", ".")
    run(shop, "git", "clean", "-qfd")
    for name, text in files.items():
        (shop / name).write_bytes(text.encode())
    run_dbt(shop, "parse")
    before = listed_tests(shop)
    exported = export(shop, "dbt")
    assert exported.exit_code == 0, exported.output
    (shop / "proposals.patch").write_bytes(exported.stdout_bytes)
    run(shop, "git", "apply", "proposals.patch")
    said = run_dbt(shop, "parse", "--no-partial-parse", "--show-all-deprecations")
    assert "WARN" not in said.upper(), said
    [promised] = re.findall(r"^([\d,]+) tests and", exported.stderr, re.MULTILINE)
    assert len(listed_tests(shop)) - len(before) == int(promised) > 0
    changed = set(
        run(shop, "git", "ls-files", "--others", "--modified", "--exclude-standard").split()
    )
    assert (
        changed - files.keys()
        | {name for name in files if (shop / name).read_text("utf-8") != files[name]}
        <= touched
    )
    for name in touched:
        text = (shop / name).read_bytes().decode()
        read_nodes(text)
        # Nothing is lost of what was there.
        letters = iter(text)
        assert all(letter in letters for letter in files.get(name, ""))
    assert export(shop, "dbt").stdout == ""


def test_what_six_rows_tell_is_a_warning_with_its_evidence(shop: Path) -> None:
    run(shop, "git", "checkout", "-q", ".")
    run(shop, "git", "clean", "-qfd")
    run_dbt(shop, "parse")
    (shop / "proposals.patch").write_bytes(export(shop, "dbt").stdout_bytes)
    run(shop, "git", "apply", "proposals.patch")
    made = yaml.safe_load((shop / "models" / "schema.yml").read_text("utf-8"))
    [rates] = [model for model in made["models"] if model["name"] == "rates"]
    for test in rates["columns"][0]["data_tests"]:
        [(_, described)] = test.items()
        assert described == {"config": {"severity": "warn"}}
    assert "no duplicate values in 6 rows" in (shop / "models" / "schema.yml").read_text("utf-8")
    # Where a column points says all that its few values would.
    [sales] = [model for model in made["models"] if model["name"] == "sales"]
    [currency] = [column for column in sales["columns"] if column["name"] == "currency_code"]
    assert "relationships" in str(currency["data_tests"])
    assert "accepted_values" not in str(currency["data_tests"])
    [places] = [model for model in made["models"] if model["name"] == "places"]
    assert "unique" in places["columns"][0]["data_tests"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("models:\n  - name: sales\nmodels:\n  - name: rates\n", "duplicate key `models`"),
        (
            "models:\n  - name: sales\n---\nmodels:\n  - name: rates\n",
            "it cannot be read as one YAML document",
        ),
    ],
)
def test_a_file_that_dbt_reads_in_part_is_left_alone_and_named(
    shop: Path, text: str, reason: str
) -> None:
    run(shop, "git", "checkout", "-q", ".")
    run(shop, "git", "clean", "-qfd")
    run_dbt(shop, "parse")
    (shop / "models" / "schema.yml").write_text(text, "utf-8")
    exported = export(shop, "dbt")
    assert "schema.yml" not in exported.stdout
    assert f"warning: unchanged: models/schema.yml: {reason}" in exported.stderr

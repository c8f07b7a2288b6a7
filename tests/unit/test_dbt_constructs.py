"""dbt constructs that v2 rejects occur only where docs/dbt-versions.md explains them."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = (ROOT / "docs" / "dbt-versions.md").read_text("utf-8")
SQL = sorted([*(ROOT / "macros").rglob("*.sql"), *(ROOT / "models").rglob("*.sql")])
# By the name in the table, the pattern that finds it.
NAMED = {
    "custom materialization": r"{%-?\s*materialization\s",
    "`modules.re`": r"modules\.re\b",
    "`modules.datetime`": r"modules\.(datetime|pytz)\b",
    "`selected_resources`": r"\bselected_resources\b",
    "a query while a model is rendered": r"\brun_query\(|\bload_relation\(",
}
# https://docs.getdbt.com/guides/fusion-package-compat
REFUSED = {
    "code of another model": r"raw_code|raw_sql|(?<!_)\brender\(",
    "a model built by a hook": r"post[-_]hook\s*[=:]",
    "an adapter's private method": r"adapter\._|list_relations_without_caching",
    "context of other templates": r"\bcontext\[|\bbuiltins\.",
    "standard library of Python": r"modules\.itertools|\bimport\(",
}


def code(path: Path) -> str:
    """The text without comments."""
    return re.sub(r"{#.*?#}", "", path.read_text("utf-8"), flags=re.DOTALL)


def row(construct: str) -> list[str]:
    """The files and folders that the page names for a construct."""
    [cells] = re.findall(rf"^\| {re.escape(construct)} \| (.*?) \| .+ \|$", PAGE, re.MULTILINE)
    return re.findall(r"`([^`]+)`", cells)


@pytest.mark.parametrize("construct", NAMED)
def test_a_construct_that_v2_may_render_otherwise_stands_where_the_page_says(
    construct: str,
) -> None:
    places = row(construct)
    found = {str(path.relative_to(ROOT)) for path in SQL if re.search(NAMED[construct], code(path))}
    assert {name for name in found if not name.startswith(tuple(places))} == set()
    for place in places:
        assert any(name.startswith(place) for name in found), place


@pytest.mark.parametrize("construct", REFUSED)
def test_a_construct_that_v2_refuses_stands_nowhere(construct: str) -> None:
    assert [path.name for path in SQL if re.search(REFUSED[construct], code(path))] == []


def test_every_macro_that_is_called_is_there() -> None:
    """dbt reports a missing macro only when a call is rendered."""
    defined = {name for path in SQL for name in re.findall(r"{%-?\s*macro (\w+)", code(path))}
    for path in SQL:
        called = set(re.findall(r"\blinker\.(\w+)\(", code(path)))
        assert called - defined == set(), path


def test_python_imports_no_private_module_of_dbt() -> None:
    imported = set[str]()
    for path in (ROOT / "linker").rglob("*.py"):
        imported.update(
            re.findall(r"^\s*(?:from|import) (dbt[\w.]*)", path.read_text("utf-8"), re.MULTILINE)
        )
    # https://docs.getdbt.com/reference/programmatic-invocations
    assert imported == {"dbt.cli.main"}


def test_an_error_is_raised_only_while_dbt_executes() -> None:
    raising = [path for path in SQL if "raise_compiler_error" in code(path)]
    # `dbt parse` with an unknown adapter is in tests/warehouse/test_dbt_versions.py; this lists new
    # constructs.
    assert {path.name for path in raising} == {
        "catalogue.sql",
        "bigquery.sql",
        "scan_columns.sql",
        "types.sql",
        "rows.sql",
        "privacy.sql",
        "selection.sql",
        "words.sql",
    }

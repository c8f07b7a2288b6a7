"""Prompt size limits of all strategies on large warehouses."""

from pathlib import Path

import pytest

from linker.models import estimate_tokens
from linker.pipeline import link
from linker.strategies import open_strategy
from tests.linking.rules import shown
from tests.linking.scripted_linkers import Asked
from tests.linking.test_size import QUESTION, GeneratedEnvironment

COLUMNS = 6_000
SCHEMA_TOKENS = 1_500


SHOWING = [
    "autolink",
    "bidirectional",
    "mcs",
    "rsl",
    "single_column",
    "linkalign",
    "reforce",
    "apex_sql",
]


@pytest.mark.parametrize("name", SHOWING)
def test_what_a_prompt_shows_of_a_large_schema_is_limited_and_the_rest_is_counted(
    tmp_path: Path, name: str
) -> None:
    asked = Asked()
    with GeneratedEnvironment(tmp_path, asked, COLUMNS) as environment:
        changed = environment.with_settings(schema_tokens=SCHEMA_TOKENS)
        schema = link(QUESTION, changed, open_strategy(name))
    assert schema.tables
    # The agent has its own limits: 4,000 tokens of linked columns, and table names.
    most = {
        "columns": SCHEMA_TOKENS,
        "tables": SCHEMA_TOKENS,
        "linked": 4_000,
        "column": 100,
        "history": 100,
    }
    for _, prompt in asked.prompts:
        for view, text in shown(prompt).items():
            # Each line is rounded for itself.
            assert estimate_tokens(text) <= 1.05 * most.get(view, 500), view
    whole = [
        prompt.content for kind, prompt in asked.prompts if kind in ("ColumnsReply", "SqlReply")
    ]
    assert all("more columns are not shown" in content for content in whole)

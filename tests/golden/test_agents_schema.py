"""
The views and statements of the schema AGENTS, for every warehouse, as golden files: rendered by dbt,
read by sqlglot.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.golden.test_scan import Golden, read
from tests.rendering import Rendering

MODELS = Path(__file__).resolve().parents[2] / "models" / "agents"
ROOT = """
{%- set root = api.Relation.create(database='shop', schema='agents', identifier='root', type='table') -%}
{{- linker.root_statements(root, 'select provider, key, content from rows_of_linker') | join(';\n\n') -}};
"""


@pytest.mark.parametrize("dialect", ["duckdb", "postgres", "snowflake", "bigquery"])
def test_what_is_published_for_agents_is_as_the_golden_file_shows_it(
    dialect: str, rendering: Callable[[str], Rendering], golden: Golden
) -> None:
    files = sorted(MODELS.glob("*.sql"))
    *models, root = rendering(dialect).expressions(
        *(file.read_text("utf-8") for file in files), ROOT
    )
    named = [f"-- {file.stem}\n{sql.strip()};" for file, sql in zip(files, models, strict=True)]
    text = "\n\n".join([*named, root.strip()])
    golden(f"sql/{dialect}/agents_schema.sql", text)
    read(text, dialect)

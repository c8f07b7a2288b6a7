"""Join measurement SQL for every warehouse as golden files, parsed by sqlglot."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.golden.test_scan import TYPES, Golden, read, settled
from tests.rendering import Rendering

TEMPLATE = """
{%- if execute -%}
{%- set journal = api.Relation.create(
    database=none if target.type == 'spark' else 'shop', schema='linker', identifier='linker_join_measures') -%}
{%- for batch in linker.join_pairs(var('due'), var('declared'), 1000) -%}
{{ linker.join_tries(journal, batch) }};

{{ linker.measure_joins_statement(journal, batch) }};

{% endfor -%}
{%- endif -%}
"""


def pair(columns: str, kinds: str, values: int, key_table: str, key: str) -> dict[str, Any]:
    return {
        **{f"{side}_database": "shop" for side in ("from", "to")},
        **{f"{side}_schema": "sales" for side in ("from", "to")},
        "from_table": "orders",
        "from_members": '["orders"]',
        "from_fingerprint": "f1",
        "from_columns": columns,
        "to_table": key_table,
        "to_members": f'["{key_table}"]',
        "to_fingerprint": "f2",
        "to_columns": key,
        "from_kinds": kinds,
        "to_kinds": kinds,
        "from_discovered": False,
        "from_value_count": values,
        "to_value_count": 90,
    }


@pytest.mark.parametrize("dialect", TYPES)
def test_the_statements_that_measure_joins_are_as_the_golden_file_shows_them(
    dialect: str, rendering: Callable[[str], Rendering], golden: Golden
) -> None:
    text = TYPES[dialect][2]
    tables = {
        "orders": ("customer", "refund's customer", "day"),
        "customers": ("name",),
        "days": ("customer", "day"),
    }
    declared = {}
    for table, names in tables.items():
        declared[f"shop\nsales\n{table}"] = [
            {
                "column_name": name,
                "column_path": name,
                "depth": 0,
                "data_type": text,
                "is_readable": True,
            }
            for name in names
        ]
    due = [
        pair('["customer"]', '["text"]', 800, "customers", '["name"]'),
        # Of more values than are looked up those with the lowest digests are.
        pair('["refund\'s customer"]', '["text"]', 5000, "customers", '["name"]'),
        # Two columns are no one key: such pairs are measured one by one.
        pair('["customer", "day"]', '["text", "text"]', 800, "days", '["customer", "day"]'),
    ]
    sql = settled(rendering(dialect).expression(TEMPLATE, due=due, declared=declared))
    golden(f"sql/{dialect}/measure_joins.sql", sql)
    read(sql, dialect)

"""Scans that exceed a warehouse's statement size are split by column."""

import re
from collections.abc import Callable

import pytest

from tests.profile.statements import SEPARATOR, STATEMENTS, ScannedTable
from tests.rendering import Rendering

# https://docs.snowflake.com/en/user-guide/query-size-limits,
# https://cloud.google.com/bigquery/quotas#query_jobs
LONGEST = {"snowflake": 1_000_000, "bigquery": 1_024_000}
# https://www.postgresql.org/docs/current/limits.html,
# https://cloud.google.com/bigquery/quotas#query_jobs
WIDEST = {"postgres": 1_664, "bigquery": 10_000}
Column = tuple[str, str, int, str]


def structs(
    prefix: str, count: int, fields: int, struct_type: str, text_type: str, name_length: int = 0
) -> list[Column]:
    """Columns with fields inside; long names make a long statement of few of them."""
    columns: list[Column] = []
    for number in range(count):
        name = f"{prefix}_{number}"
        columns.append((name, name, 0, struct_type))
        columns += [
            (name, f"{name}.field_{field}{'_' * name_length}", 1, text_type)
            for field in range(fields)
        ]
    return columns


TABLES: dict[str, list[Column]] = {
    "bigquery": [
        *structs("small", 3, 10, "STRUCT<field_0 STRING>", "STRING", name_length=1_500),
        *structs("large", 1, 90, "STRUCT<field_0 STRING>", "STRING", name_length=1_500),
    ],
    "postgres": structs("address", 15, 20, "address", "text"),
    "snowflake": [("\\" * 2_500 + str(n), "\\" * 2_500 + str(n), 0, "VARIANT") for n in range(50)],
}


@pytest.mark.parametrize(("dialect", "columns"), TABLES.items(), ids=TABLES)
def test_the_statements_of_a_wide_table_are_no_longer_than_its_warehouse_reads(
    dialect: str, columns: list[Column], rendering: Callable[[str], Rendering]
) -> None:
    entry = ScannedTable("wide", columns=columns).entry(1, "shop", columns)
    text = rendering(dialect).expression(
        STATEMENTS, entries=[entry], journal="journal", is_guarded=True
    )
    statements = [statement for statement in text.split(SEPARATOR) if statement.strip()]
    assert len(statements) > 1
    for statement in statements:
        assert len(statement.encode()) <= LONGEST.get(dialect, len(text.encode()))
        assert len(re.findall(r" as [a-z_]+_[0-9]+,", statement)) <= WIDEST.get(dialect, len(text))
    for _, path, _, _ in columns:
        spelt = path.replace("\\", "\\" * 4)
        assert (
            len(
                [
                    statement
                    for statement in statements
                    if re.search(rf"{re.escape(spelt)}\\?'", statement)
                ]
            )
            == 1
        )

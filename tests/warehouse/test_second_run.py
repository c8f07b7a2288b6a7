"""
Incremental runs: only changed tables are scanned again.

It changes the warehouse, so its name sorts after the tests of the first run, and before those of
fingerprints and of changes, which write to more tables.
"""

from typing import NamedTuple

import pytest

from tests.warehouse.project import Consumer

# DuckDB and fakesnow have no block that catches an error; there `linker profile` records it, see
# tests/profile.
CATCHES_ERRORS = ("postgres", "bigquery")


class Later(NamedTuple):
    """A consumer after its second run."""

    consumer: Consumer
    events: dict[str, set[str]]

    def logical_tables(self, artifact: str) -> set[str]:
        """The tables of `shop` and `web` in the artifact."""
        return {
            table
            for schema, table in self.consumer.rows(artifact, ["schema_name", "table_name"])
            if schema in ("shop", "web")
        }


@pytest.fixture(scope="module")
def later(consumer: Consumer) -> Later:
    """The warehouse after a changed, a new, a dropped table and a broken view, and a second run."""
    quote = "`" if consumer.target == "bigquery" else '"'
    types = (
        {"number": "int64", "text": "string"}
        if consumer.target == "bigquery"
        else {"number": "integer", "text": "varchar"}
    )

    def escape_invisible(name: str) -> str:
        return ".".join(f"{quote}{part}{quote}" for part in name.split("."))

    known = {attempt for [attempt] in consumer.rows("linker_attempts", ["attempt_id"])}
    statements = [
        f"insert into {escape_invisible('shop.returns')} values (1, 3, 'too big')",
        f"create table {escape_invisible('shop.vouchers')} ({escape_invisible('voucher_code')} {types['text']})",
        f"drop table {escape_invisible('web.report_7')}",
    ]
    if consumer.target in CATCHES_ERRORS:
        # In Postgres so wide that its first statement has been run when the second one fails.
        before = (
            "".join(f"order_id as c{n}, " for n in range(100))
            if consumer.target == "postgres"
            else ""
        )
        statements.append(
            f"create view {escape_invisible('shop.broken')} as"
            f" select {before}cast(status as {types['number']}) as broken from {escape_invisible('shop.orders')}"
        )
    consumer.server.execute(";\n".join(statements) + ";\n")
    consumer.dbt("run", "--select", "package:linker")
    events: dict[str, set[str]] = {}
    for attempt, event, table in consumer.rows(
        "linker_attempts", ["attempt_id", "event", "table_name"]
    ):
        if attempt and attempt not in known:
            events.setdefault(event, set()).add(table)
    return Later(consumer, events)


def test_the_changed_and_the_new_table_are_scanned_and_no_other(later: Later) -> None:
    broken = {"broken"} if later.consumer.target in CATCHES_ERRORS else set()
    assert later.events["started"] == {"returns", "vouchers"} | broken
    assert later.events["finished"] == {"returns", "vouchers"}


def test_what_changed_is_measured_anew_and_only_the_newest_counts(later: Later) -> None:
    rows = later.consumer.rows(
        "linker_profile_l3", ["table_name", "column_path", "row_count", "max_value"]
    )
    assert [row for row in rows if row[0] in ("returns", "vouchers")] == [
        ["returns", "order_id", "1", "3"],
        ["returns", "reason", "1", "too big"],
        ["returns", "return_id", "1", "1"],
        ["vouchers", "voucher_code", "0", ""],
    ]


@pytest.mark.parametrize(
    "artifact", ["linker_plan", "linker_profile_l1", "linker_profile_l2", "linker_profile_l3"]
)
def test_a_dropped_table_is_gone(later: Later, artifact: str) -> None:
    tables = later.logical_tables(artifact)
    assert "report_7" not in tables
    assert {"returns", "vouchers", "visits_*"} <= tables


def test_both_runs_are_counted(later: Later) -> None:
    counted = [
        "started_at",
        "planned_tables",
        "unchanged_tables",
        "scanned_tables",
        "failed_tables",
        "unfinished_tables",
        "statement_count",
        "rows_read",
    ]
    tables = {"duckdb": 15, "postgres": 18, "snowflake": 16, "bigquery": 16}[later.consumer.target]
    # The rows of setup/, but for those of the view, which no catalogue knows.
    rows = {"duckdb": 53, "postgres": 60, "snowflake": 52, "bigquery": 53}[later.consumer.target]
    broken = int(later.consumer.target in CATCHES_ERRORS)
    first, second = (row[1:] for row in later.consumer.rows("linker_runs", counted))
    # One statement a table: none of these is wide, and of none a key has to be confirmed.
    assert [int(cell) for cell in first] == [tables, 0, tables, 0, 0, tables, rows]
    # The one row of `returns`; what failed has read nothing that anybody counted.
    assert [int(cell) for cell in second] == [2 + broken, tables - 2, 2, broken, 0, 2, 1]


@pytest.mark.parametrize("consumer", CATCHES_ERRORS, indirect=True)
def test_a_view_that_fails_is_recorded_with_its_error_and_the_run_goes_on(later: Later) -> None:
    assert later.events["failed"] == {"broken"}
    failed = later.consumer.rows("linker_attempts", ["event", "table_name", "message"])
    [message] = [
        message for event, table, message in failed if (event, table) == ("failed", "broken")
    ]
    assert ["broken"] not in later.consumer.rows("linker_scans", ["table_name"])
    # The warehouse quotes the status that is no number.
    assert message.endswith(": ...")
    assert not any(status in message for status in ("paid", "open", "returned"))
    levels = later.consumer.rows("linker_profile_l2", ["table_name", "column_path", "scanned_at"])
    assert ["broken", "broken", ""] in levels

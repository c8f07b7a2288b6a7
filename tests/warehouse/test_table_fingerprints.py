"""
Table fingerprints change with the data and only then.

Resetting counters changes every fingerprint of a Postgres database, so this runs after run tests.
"""

from collections.abc import Callable

import pytest

from tests.warehouse.project import Consumer

on_postgres = pytest.mark.parametrize("consumer", ["postgres"], indirect=True)
on_snowflake = pytest.mark.parametrize("consumer", ["snowflake"], indirect=True)

Told = tuple[str, str, str]


@pytest.fixture
def told(consumer: Consumer) -> Callable[[str], Told]:
    """Row count, byte count and token of a table, asked anew at each call."""

    def ask(table: str) -> Told:
        columns = ["schema_name", "table_name", "row_count", "byte_count", "change_token"]
        rows = {
            f"{schema}.{name}": values
            for schema, name, *values in consumer.rows("table_changes", columns)
        }
        row_count, byte_count, token = rows[table]
        return row_count, byte_count, token

    return ask


@on_postgres
@pytest.mark.parametrize(
    "statement",
    [
        "insert into scratch.tokens values (4)",
        "update scratch.tokens set id = 5 where id = 1",
        "delete from scratch.tokens where id = 1",
        "truncate scratch.tokens",
        "drop table scratch.tokens;\ncreate table scratch.tokens as select generate_series(4, 6) as id",
    ],
    ids=lambda statement: statement.split()[0],
)
def test_what_changes_rows_moves_the_token(
    consumer: Consumer, told: Callable[[str], Told], statement: str
) -> None:
    consumer.server.execute(
        "drop table if exists scratch.tokens;\ncreate table scratch.tokens (id integer)"
    )
    consumer.server.execute("insert into scratch.tokens values (1), (2), (3)")
    before = told("scratch.tokens")
    consumer.server.execute(statement)
    assert told("scratch.tokens")[2] != before[2]


@on_postgres
def test_what_only_tidies_up_leaves_the_token(
    consumer: Consumer, told: Callable[[str], Told]
) -> None:
    consumer.server.execute("create table scratch.tidied as select generate_series(1, 1000) as id")
    consumer.server.execute("delete from scratch.tidied where id > 10")
    before = told("scratch.tidied")[2]
    for statement in (
        "analyze scratch.tidied",
        "vacuum scratch.tidied",
        "create index on scratch.tidied (id)",
        "comment on table scratch.tidied is 'tidy'",
        "select count(*) from scratch.tidied",
    ):
        consumer.server.execute(statement)
        assert told("scratch.tidied")[2] == before, statement
    assert told("scratch.tidied")[0] == "10"


@on_postgres
def test_a_file_written_anew_moves_the_token_though_its_rows_are_the_same(
    consumer: Consumer, told: Callable[[str], Told]
) -> None:
    """
    A type that is changed writes a file anew too, and no counter tells the one from the other.
    """
    consumer.server.execute(
        "create table scratch.rewritten as select generate_series(1, 1000) as id"
    )
    before = told("scratch.rewritten")
    consumer.server.execute("vacuum full scratch.rewritten")
    assert told("scratch.rewritten")[2] != before[2]


@on_postgres
def test_rows_are_known_before_the_first_analyze_and_an_empty_table_has_none(
    told: Callable[[str], Told],
) -> None:
    assert [told(table)[0] for table in ("shop.orders", "scratch.unwanted", "ledger.nothing")] == [
        "8",
        "0",
        "1",
    ]


@on_postgres
def test_rows_are_estimated_where_the_counters_were_lost(
    consumer: Consumer, told: Callable[[str], Told]
) -> None:
    consumer.server.execute("create table scratch.large as select generate_series(1, 20000) as id")
    consumer.server.execute("analyze scratch.large")
    before = told("scratch.large")
    consumer.server.execute("select pg_stat_reset_single_table_counters('scratch.large'::regclass)")
    after = told("scratch.large")
    assert after[0] == "20000"
    assert after[2] != before[2]


@on_postgres
def test_a_partitioned_table_sums_up_its_partitions_down_to_the_last(
    consumer: Consumer, told: Callable[[str], Told]
) -> None:
    row_count, byte_count, token = told("ledger.bookings")
    [[stored]] = consumer.server.fetch(
        "select cast(sum(pg_table_size(oid)) as text) from pg_class"
        " where relname in ('bookings_2024', 'bookings_2025_rest')"
    )
    assert (row_count, byte_count) == ("3", stored)
    consumer.server.execute(
        "begin;\ninsert into ledger.bookings values ('2025-03-01', 1);\nrollback"
    )
    assert told("ledger.bookings")[0] == "3"
    consumer.server.execute("update ledger.bookings_2025_rest set amount = 4 where amount = 3")
    assert told("ledger.bookings")[2] != token


@on_postgres
def test_a_materialized_view_moves_when_it_is_refreshed(
    consumer: Consumer, told: Callable[[str], Told]
) -> None:
    before = told("ledger.yearly")
    assert before[0] == "2"
    consumer.server.execute("refresh materialized view ledger.yearly")
    assert told("ledger.yearly")[2] != before[2]


@on_postgres
def test_what_lies_on_another_server_has_no_token(
    consumer: Consumer, told: Callable[[str], Told]
) -> None:
    consumer.server.execute(
        "create foreign data wrapper far;\ncreate server far foreign data wrapper far;\n"
        "create foreign table scratch.far (id integer) server far;"
    )
    assert told("scratch.far") == ("", "0", "")


@on_snowflake
def test_snowflake_tells_rows_and_a_token_that_moves_with_them(
    consumer: Consumer, told: Callable[[str], Told]
) -> None:
    before = told("scratch.unwanted")
    assert before[0] == "0"
    consumer.server.execute('insert into "scratch"."unwanted" values (1);')
    after = told("scratch.unwanted")
    assert after[0] == "1"
    assert after[2] != before[2]


@pytest.mark.parametrize("consumer", ["postgres", "snowflake"], indirect=True)
def test_a_view_has_no_rows_and_no_token(told: Callable[[str], Told]) -> None:
    assert told("shop.recent_orders") == ("", "", "")

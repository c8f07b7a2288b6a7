"""
Change detection without dbt on Postgres, after every kind of change.

Each test starts from the metadata of dbt's first run.
"""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from linker.config.target import Target
from linker.dbt.profiling import ChangeSnapshot, WatchedQuery, tokens
from linker.refresh.change_detection import ChangeCheck, check_for_changes, keep
from linker.warehouses import open_warehouse
from tests.warehouse.project import Consumer

on_postgres = pytest.mark.parametrize("consumer", ["postgres"], indirect=True)
SAID = re.compile(r"linker: watched (\{.*\})$", re.MULTILINE)
DIGEST = "the same run"
# Statements of one script are one transaction, whose counters are then reported at once.
AT_ONCE = ";\nselect pg_stat_force_next_flush()"
CHANGES = {
    "insert into watch.things values (4)": "watch.things",
    "update watch.things set id = 5 where id = 1": "watch.things",
    "delete from watch.things where id = 1": "watch.things",
    "truncate watch.things": "watch.things",
    "create table watch.fresh (id integer)": "watch.fresh",
    "create table watch.things_2 (id integer)": "watch.things_2",
    "drop table watch.other": "watch.other",
    "alter table watch.other rename id to other_id": "watch.other",
    "alter table watch.other alter id type bigint": "watch.other",
    "alter table watch.other alter id set not null": "watch.other",
    "alter table watch.other add column more text": "watch.other",
    "comment on table watch.other is 'other words'": "watch.other",
    "comment on column watch.other.id is 'other words'": "watch.other",
    "create or replace view watch.seen as select id from watch.things where id > 1": "watch.seen",
    "alter table watch.other add foreign key (id) references watch.keyed (id)": "watch.other",
    "alter table watch.things add primary key (id)": "watch.things",
    "create table watch.parts_3 partition of watch.parts for values in (3)": "watch.parts",
    "insert into watch.parts values (2)": "watch.parts",
    "alter type watch.pair add attribute third integer": "watch.paired",
}
NO_CHANGES = (
    "analyze watch.things",
    "select count(*) from watch.things",
    "create index on watch.things (id)",
    "create table analytics_linker.another (id integer)",
)


@pytest.fixture
def told(consumer: Consumer) -> dict[str, list[WatchedQuery]]:
    """
    What dbt looked at, by name; it tells it of the journal at the end of `linker profile` alone.
    """
    log = (consumer.folder / "logs" / consumer.target / "dbt.log").read_text("utf-8")
    found = {said["name"]: said["looks"] for said in map(json.loads, SAID.findall(log))}
    journal = f"select '', 'linker_attempts', cast(count(*) as text) from {consumer.server.artifacts}.linker_attempts"
    found["journal"] = [{"sql": journal, "rows": []}]
    result: dict[str, list[WatchedQuery]] = {}
    for name, looks in found.items():
        result[name] = [WatchedQuery(name, look["sql"], tokens(look["rows"])) for look in looks]
    return result


@pytest.fixture
def target(consumer: Consumer) -> Target:
    options = {"type": "postgres", "port": 5432, "user": "postgres", "dbname": "warehouse"}
    host = consumer.server.environment["CONSUMER_POSTGRES_HOST"]
    return Target(
        "consumer", "postgres", "postgres", "analytics", consumer.folder, {**options, "host": host}
    )


@pytest.fixture
def look_again(
    consumer: Consumer, target: Target, told: dict[str, list[WatchedQuery]], tmp_path: Path
) -> Iterator[Callable[[], ChangeCheck]]:
    """A look, of which is kept what there was at the start."""
    consumer.server.execute(
        "create schema watch;\n"
        "create type watch.pair as (first integer, second integer);\n"
        "create table watch.things as select generate_series(1, 3) as id;\n"
        "create table watch.other as select 1 as id;\n"
        "create table watch.keyed (id integer primary key);\n"
        "insert into watch.keyed values (1);\n"
        "create table watch.paired (pair watch.pair);\n"
        "create view watch.seen as select id from watch.things;\n"
        "create table watch.parts (id integer) partition by list (id);\n"
        "create table watch.parts_2 partition of watch.parts for values in (2)" + AT_ONCE
    )
    with closing(open_warehouse(target)) as warehouse:
        now = tuple(
            replace(query, rows=tokens(warehouse.query(query.sql)))
            for queries in told.values()
            for query in queries
        )
    keep(tmp_path, target, DIGEST, ChangeSnapshot(now))
    yield lambda: check_for_changes(tmp_path, target, DIGEST)
    consumer.server.execute(
        "drop schema watch cascade; drop table if exists analytics_linker.another"
    )


@on_postgres
def test_dbt_saw_what_the_session_that_only_reads_sees(
    target: Target, told: dict[str, list[WatchedQuery]]
) -> None:
    """Of one table that no test changes."""
    with closing(open_warehouse(target)) as warehouse:
        for name in ("catalogue", "keys"):
            [query] = told[name]
            rows = [row for row in query.rows if row[:2] == ("shop", "customers")]
            assert rows == [
                row
                for row in tokens(warehouse.query(query.sql))
                if row[:2] == ("shop", "customers")
            ]
            assert name != "catalogue" or rows


@pytest.mark.parametrize("consumer", ["postgres", "duckdb"], indirect=True)
def test_no_model_tells_anything_while_it_is_compiled(consumer: Consumer) -> None:
    log = consumer.folder / "logs" / consumer.target / "dbt.log"
    before = len(log.read_text("utf-8"))
    consumer.dbt("compile", "--select", "package:linker", "--vars", "{watch: true}")
    compiled = log.read_text("utf-8")[before:]
    assert "linker_changes" in compiled
    assert (
        re.findall(r"linker: (?:watched|views|due|scans|scanned|report|repeatable)\b", compiled)
        == []
    )


@on_postgres
def test_where_nothing_changed_the_look_says_so(look_again: Callable[[], ChangeCheck]) -> None:
    found = look_again()
    assert (found.is_unchanged, found.queries) == (True, 4)


@on_postgres
@pytest.mark.parametrize("statement", CHANGES)
def test_every_kind_of_change_is_seen_and_named(
    consumer: Consumer, look_again: Callable[[], ChangeCheck], statement: str
) -> None:
    consumer.server.execute(statement + AT_ONCE)
    found = look_again()
    assert not found.is_unchanged
    assert CHANGES[statement] in found.changed


@on_postgres
@pytest.mark.parametrize("statement", NO_CHANGES)
def test_what_changes_no_table_of_the_inventory_is_no_change(
    consumer: Consumer, look_again: Callable[[], ChangeCheck], statement: str
) -> None:
    consumer.server.execute(statement)
    assert look_again().is_unchanged


@on_postgres
def test_another_run_of_dbt_is_seen(
    consumer: Consumer, look_again: Callable[[], ChangeCheck]
) -> None:
    artifacts = f"{consumer.server.artifacts}.linker_attempts"
    consumer.server.execute(
        f"insert into {artifacts} (run_id, event) values ('another', 'planned')"
    )
    found = look_again()
    consumer.server.execute(f"delete from {artifacts} where run_id = 'another'")
    assert (found.is_unchanged, found.reason) == (False, "dbt ran since the last refresh")

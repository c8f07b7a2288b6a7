"""Change detection on Postgres misses no change."""

import os
import random
import signal
from collections.abc import Callable, Iterator
from contextlib import closing, suppress

import psycopg
import pytest

from tests.rendering import Rendering
from tests.warehouse.servers.postgres import start

CHANGES = 150
SET_UP = """
create schema shop;
create type shop.mood as enum ('calm', 'glad');
create type shop.pair as (first integer, second text);
create table shop.things as select g as id, g % 10 as v from generate_series(1, 50) as g;
create table shop.felt as
    select g as id, g as v, array['glad']::shop.mood[] as moods, row(g, 'x')::shop.pair as pair
    from generate_series(1, 20) as g;
create table shop.worked (id integer, v integer, twice integer generated always as (v * 2) virtual);
insert into shop.worked select g, g from generate_series(1, 20) as g;
create unlogged table shop.drafts as select g as id, g as v from generate_series(1, 30) as g;
create table shop.kin (id integer, v integer);
create table shop.kin_child () inherits (shop.kin);
insert into shop.kin_child select g, g from generate_series(1, 10) as g;
create table shop.parts (id integer, v integer) partition by range (id);
create table shop.parts_1 partition of shop.parts for values from (0) to (20);
create table shop.parts_2 partition of shop.parts for values from (20) to (40);
insert into shop.parts select g, g % 3 from generate_series(1, 39) as g;
create table shop.source as select g as id, g % 5 as v from generate_series(1, 20) as g;
create materialized view shop.totals as select v, count(*) as n from shop.source group by v;
create unique index on shop.totals (v);
"""
TABLES = ("things", "felt", "worked", "drafts", "kin", "kin_child", "parts", "source", "totals")
# Tables of which nothing else is made, so that a statement may do what it likes with them.
FREE = ("things", "drafts")
CHANGED = ("things", "felt", "worked", "drafts", "kin", "kin_child", "parts", "source")
MOVES = "update shop.parts set id = 39 where id = 1"
AS_ANEW = (
    "create table shop.kept as select * from shop.things",
    "drop table shop.things",
    "create table shop.things as select id, v + 1 as v from shop.kept",
    "drop table shop.kept",
)
# As a dump does that begins with `drop`.
RESTORED = (
    "drop table shop.things",
    "create table shop.things (id integer, v integer)",
    "insert into shop.things select g, g % 10 + 1 from generate_series(1, 50) as g",
)


class Changing:
    """A database with the change queries of runs and of `linker refresh`."""

    def __init__(self, url: str, queries: list[str]) -> None:
        self.url = url
        self.queries = queries
        self.reader = psycopg.connect(url, autocommit=True, prepare_threshold=None)

    def execute(self, *statements: str) -> None:
        """Run each in its own transaction and flush the change counters."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement.encode())
            connection.execute("select pg_stat_force_next_flush()")

    def tokens(self) -> dict[str, tuple[str, ...]]:
        """By table the compared state: columns and change token, '' if unknown."""
        found: dict[str, tuple[str, ...]] = {}
        for query in self.queries:
            for _, table, token in self.reader.execute(query.encode()).fetchall():
                found[table] = (*found.get(table, ()), token)
        return found

    def rows(self) -> dict[str, list[str]]:
        """The truth: each row as text."""
        found: dict[str, list[str]] = {}
        for table in TABLES:
            rows = self.reader.execute(f"select * from shop.{table}".encode())
            named = repr([column.name for column in rows.description or ()])
            found[table] = sorted([named, *map(repr, rows.fetchall())])
        return found

    def crash(self) -> None:
        """Kill a session: the server ends all others and recovers, and what was counted is gone."""
        with psycopg.connect(self.url) as killed:
            os.kill(killed.info.backend_pid, signal.SIGKILL)
            with pytest.raises(psycopg.OperationalError):
                self.reader.execute("select pg_sleep(600)")
        while self.reader.closed:
            # As long as it recovers the server refuses each try.
            with suppress(psycopg.OperationalError):
                self.reader = psycopg.connect(self.url, autocommit=True, prepare_threshold=None)

    def change(self, draw: random.Random, number: int) -> str:
        """Do something to one of the tables."""
        name = draw.choice(CHANGED)
        free = draw.choice(FREE)
        some = f"where id % 7 = {draw.randrange(7)}"
        changes = [
            (f"update shop.{name} set v = v + 1 {some}",),
            (f"update shop.{name} set v = v - 1 {some}", f"update shop.{name} set v = v + 1 {some}"),
            (f"update shop.{name} set v = id % 1000 * {number}",),
            (f"insert into shop.{name} (id, v) select g, g % {number + 2} from generate_series(1, 39, 3) as g",),
            (f"delete from shop.{name} {some}",),
            (f"delete from shop.{name} where id = 3", f"insert into shop.{name} (id, v) values (3, 3)"),
            (f"truncate shop.{name}",),
            (f"begin; delete from shop.{name}; insert into shop.{name} (id, v) values (1, 1); rollback",),
            (f"create temp table kept as select id, v from shop.{name}; truncate shop.{name};"
             f" insert into shop.{name} (id, v) select id, v + 1 from kept",),
            (f"alter table shop.{free} alter v type integer using v % 1000 * 3 + 1",),
            (f"alter table shop.{free} drop column v; alter table shop.{free} add column v integer default {number}",),
            (f"alter table shop.{free} rename v to x; alter table shop.{free} rename id to v;"
             f" alter table shop.{free} rename x to id",),
            (f"create table shop.again as select id, v + 1 as v from shop.{free}; drop table shop.{free};"
             f" alter table shop.again rename to {free}",),
            ("alter table shop.drafts set logged",),
            ("alter table shop.drafts set unlogged",),
            (f"vacuum shop.{name}",),
            (f"vacuum full shop.{name}",),
            (f"analyze shop.{name}",),
            ("alter table shop.parts detach partition shop.parts_2",
             f"update shop.parts_2 set v = {number} where id = 30",
             "alter table shop.parts attach partition shop.parts_2 for values from (20) to (40)"),
            (MOVES,),
            (f"alter table shop.worked alter twice set expression as (v % 1000 * {number})",),
            ("alter type shop.mood rename value 'calm' to 'x'; alter type shop.mood rename value 'glad' to 'calm';"
             " alter type shop.mood rename value 'x' to 'glad'",),
            ("alter type shop.pair drop attribute second; alter type shop.pair add attribute second text",),
            ("refresh materialized view shop.totals",),
            ("refresh materialized view concurrently shop.totals",),
            (f"select pg_stat_reset_single_table_counters('shop.{name}'::regclass)",),
            ("select pg_stat_reset()",),
        ]  # fmt: skip
        if draw.random() < 0.01:
            self.crash()
            return "crash"
        statements = draw.choice(changes)
        self.execute(*statements)
        return "; ".join(statements)


@pytest.fixture(scope="module")
def queries(rendering: Callable[[str], Rendering]) -> list[str]:
    return rendering("postgres").expressions(
        "{{ linker.watched_catalogue() }}",
        "{{ linker.watched_changes(linker.discover_changes([])) }}",
    )


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a separate server, which may crash."""
    with start(tmp_path_factory.mktemp("changing")) as running:
        # A crash then takes back no statement that ended.
        running.execute("alter database warehouse set synchronous_commit = on")
        yield running.url


@pytest.fixture
def changing(server: str, queries: list[str]) -> Iterator[Changing]:
    made = Changing(server, queries)
    made.execute("drop schema if exists shop cascade", SET_UP)
    yield made
    made.reader.close()


def test_of_many_changes_none_is_missed(changing: Changing) -> None:
    draw = random.Random(39)
    changed = 0
    tokens, rows = changing.tokens(), changing.rows()
    # What each table was like whenever it had a token: one that comes back has to mean the same
    # rows.
    known = {(name, tokens[name]): rows[name] for name in TABLES}
    for number in range(CHANGES):
        statement = changing.change(draw, number)
        tokens, rows_after = changing.tokens(), changing.rows()
        for name in TABLES:
            assert known.setdefault((name, tokens[name]), rows_after[name]) == rows_after[name], (
                number,
                name,
                statement,
            )
        changed += rows != rows_after
        rows = rows_after
    assert changed > CHANGES / 3


@pytest.mark.parametrize(
    ("table", "statements"),
    [
        ("things", ["alter table shop.things alter v type integer using v * 100 + 7"]),
        ("things", ["alter table shop.things drop column v", "alter table shop.things add column v integer"]),
        ("things", ["begin; alter table shop.things drop v; alter table shop.things add v integer default 1; commit"]),
        ("things", ["truncate shop.things"]),
        ("things", ["truncate shop.things", "insert into shop.things select g, 3 from generate_series(1, 50) as g"]),
        ("things", ["update shop.things set v = v + 1", "update shop.things set v = v - 1 where id > 1"]),
        ("things", ["insert into shop.things values (51, 1)", "delete from shop.things where id = 1"]),
        ("things", AS_ANEW),
        ("things", RESTORED),
        ("things", ["alter table shop.things rename v to x; alter table shop.things rename id to v;"
                    " alter table shop.things rename x to id"]),
        ("drafts", ["update shop.drafts set v = 3 where id = 3"]),
        ("drafts", ["truncate shop.drafts"]),
        ("parts", ["alter table shop.parts detach partition shop.parts_2"]),
        ("parts", ["create table shop.parts_3 as select 40 as id, 1 as v",
                   "alter table shop.parts attach partition shop.parts_3 for values from (40) to (60)"]),
        ("parts", [MOVES]),
        ("parts", ["truncate shop.parts_1"]),
        ("parts", ["alter table shop.parts detach partition shop.parts_2",
                   "update shop.parts_2 set v = 9",
                   "alter table shop.parts attach partition shop.parts_2 for values from (20) to (40)"]),
        ("kin", ["alter table shop.kin_child no inherit shop.kin"]),
        ("kin", ["alter table shop.kin_child alter v set default 3", "update shop.kin_child set v = 1"]),
        ("totals", ["update shop.source set v = 1", "refresh materialized view shop.totals"]),
        ("totals", ["update shop.source set v = 1", "refresh materialized view concurrently shop.totals"]),
        ("worked", ["alter table shop.worked alter twice set expression as (v * 3)"]),
        ("felt", ["alter type shop.mood rename value 'glad' to 'merry'"]),
        ("felt", ["alter type shop.pair drop attribute second", "alter type shop.pair add attribute second text"]),
    ],
    ids=lambda value: value if isinstance(value, str) else value[0][:60],
)  # fmt: skip
def test_a_change_is_seen_in_its_table_and_in_no_other(
    changing: Changing, table: str, statements: list[str]
) -> None:
    before, rows_before = changing.tokens(), changing.rows()
    assert changing.tokens() == before
    changing.execute(*statements)
    after, rows_after = changing.tokens(), changing.rows()
    assert after[table] != before[table]
    for name in TABLES:
        if rows_before[name] == rows_after[name] and name != "source":
            assert name == table or after[name] == before[name], name


@pytest.mark.parametrize(
    "lose",
    [
        lambda changing: changing.execute("select pg_stat_reset()"),
        lambda changing: changing.execute(
            "select pg_stat_reset_single_table_counters('shop.things'::regclass)"
        ),
        lambda changing: changing.crash(),
    ],
    ids=["pg_stat_reset", "pg_stat_reset_single_table_counters", "crash"],
)
def test_counters_that_were_lost_and_come_to_the_same_number_are_no_sign_that_nothing_changed(
    changing: Changing, lose: Callable[[Changing], None]
) -> None:
    """Each time one row changes after the loss, so that the counters are the same."""
    seen = set()
    for number in range(3):
        lose(changing)
        changing.execute(f"update shop.things set v = {number} where id = 3")
        seen.add(changing.tokens()["things"])
    assert len(seen) == 3


def test_an_unlogged_table_that_a_crash_emptied_is_seen(changing: Changing) -> None:
    changing.crash()
    changing.execute("insert into shop.drafts values (1, 1)")
    before = changing.tokens()["drafts"]
    changing.crash()
    assert changing.rows()["drafts"] == ["['id', 'v']"]
    assert changing.tokens()["drafts"] != before


def test_a_partition_whose_detachment_is_pending_is_not_read_and_does_not_count(
    changing: Changing,
) -> None:
    before = changing.tokens()["parts"]
    with psycopg.connect(changing.url) as reader:
        # Detaching is recorded first and then waits for readers of the table.
        reader.execute("select count(*) from shop.parts")
        with pytest.raises(psycopg.errors.QueryCanceled):
            changing.execute(
                "set statement_timeout = '200ms'",
                "alter table shop.parts detach partition shop.parts_2 concurrently",
            )
    assert len(changing.rows()["parts"]) == 20
    assert changing.tokens()["parts"] != before


def test_a_copy_of_a_database_is_another_one(changing: Changing, queries: list[str]) -> None:
    """A copy has the same tables and files as what it was made of, and no counters."""
    changing.reader.close()
    seen = set()
    for number in range(2):
        with psycopg.connect(
            changing.url.replace("/warehouse?", "/postgres?"), autocommit=True
        ) as connection:
            connection.execute("create database restored template warehouse")
        restored = Changing(changing.url.replace("/warehouse?", "/restored?"), queries)
        seen.add(restored.tokens()["things"])
        restored.reader.close()
        changing.execute("drop database restored", f"update shop.things set v = {number}")
    assert len(seen) == 2


@pytest.mark.parametrize(
    "statements",
    [
        [
            "create foreign table shop.parts_far partition of shop.parts for values from (60) to (80) server far"
        ],
        [
            "alter table shop.parts enable row level security",
            "alter table shop.parts force row level security",
        ],
        ["alter role uncounted set track_counts = off"],
    ],
    ids=["foreign partition", "row level security", "track_counts"],
)
def test_what_nobody_counts_has_no_token(
    changing: Changing, server: str, queries: list[str], statements: list[str]
) -> None:
    changing.execute(
        "drop foreign data wrapper if exists far cascade",
        "create foreign data wrapper far",
        "create server far foreign data wrapper far",
        "drop role if exists uncounted",
        "create role uncounted login",
        "grant usage on schema shop to uncounted",
    )
    as_role = Changing(server.replace("postgres:@", "uncounted:@"), queries)
    with closing(as_role.reader):
        assert as_role.tokens()["parts"][1]
        changing.execute(*statements)
        assert not as_role.tokens()["parts"][1]
    changing.execute("drop owned by uncounted", "drop role uncounted")

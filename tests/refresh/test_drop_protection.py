"""Drop protection of `linker refresh`: an unavailable warehouse ends the run before dbt."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import psycopg
import pytest

from linker.config.settings import load_settings
from linker.environment import Environment
from tests.figures import keep_loss
from tests.messages import messages
from tests.refresh.shop import Shop
from tests.warehouse.servers import postgres

pytestmark = pytest.mark.slow

ACCEPTING = ("refresh", "--full", "--allow-empty-schemas")
ARTIFACTS = (
    "linker_tables",
    "linker_columns",
    "linker_profile_l1",
    "linker_profile_l2",
    "linker_profile_l3",
)
# In Postgres: missing objects, and the statements that remove and restore them.
TAKEN = {
    "a schema": ("alter schema stock rename to away", "alter schema away rename to stock"),
    "all tables of a schema": (
        "create schema b; alter table stock.items set schema b; alter materialized view stock.names set schema b",
        "alter table b.items set schema stock; alter materialized view b.names set schema stock; drop schema b",
    ),
    "the grants on the tables of a schema": (
        "revoke select on all tables in schema stock from etl",
        "grant select on all tables in schema stock to etl",
    ),
    "the grant on a schema": (
        "revoke usage on schema stock from etl",
        "grant usage on schema stock to etl",
    ),
}


@dataclass(frozen=True)
class PostgresShop(Shop):
    """A shop in Postgres, that linker reads as a role which has no more than it needs."""

    url: str = ""

    def connect(self, **options: object) -> None:
        """Write the target, with these options in place of the right ones."""
        host = psycopg.conninfo.conninfo_to_dict(self.url)["host"]
        usual = {"type": "postgres", "host": host, "port": 5432, "user": "etl", "password": "none"}
        output = {**usual, "dbname": "warehouse", "schema": "public", "threads": 2, **options}
        profiles = {"shop": {"target": "dev", "outputs": {"dev": output}}}
        (self.folder / "profiles.yml").write_text(json.dumps(profiles), "utf-8")

    def execute(self, statements: str) -> None:
        """Change the warehouse, as its owner."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            for statement in statements.split(";"):
                connection.execute(statement.encode())

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """Look into it, as its owner."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            return connection.execute(query.encode()).fetchall()


IN_POSTGRES = """
    create role etl login; grant create on database warehouse to etl; create database empty owner etl;
    create schema sales; create table sales.orders as select 1 as order_id, 2 as customer_id;
    create schema stock; create table stock.items as select 1 as item_id, 'one' as item_name;
    create materialized view stock.names as select item_name from stock.items;
    grant usage on schema sales, stock to etl;
    grant select on all tables in schema sales, stock to etl;
    create table sales.people as select 1 as person_id, 99000 as salary;
    grant select (person_id) on sales.people to etl
"""


@contextmanager
def postgres_shop(
    tmp_path_factory: pytest.TempPathFactory, more: str = ""
) -> Iterator[PostgresShop]:
    """An unprofiled shop on a server of its own."""
    with (
        postgres.start(tmp_path_factory.mktemp("server")) as server,
        TemporaryDirectory(prefix="linker-") as folder,
    ):
        shop = PostgresShop(Path(folder), server.url)
        shop.connect()
        shop.execute(IN_POSTGRES + more)
        yield shop


@pytest.fixture(scope="module")
def in_postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PostgresShop]:
    """A shop in Postgres, profiled and indexed."""
    with postgres_shop(tmp_path_factory) as shop:
        shop.refresh()
        yield shop


@pytest.fixture(scope="module")
def in_duckdb(shop: Shop) -> Shop:
    """A shop in DuckDB, profiled and indexed."""
    shop.refresh()
    return shop


def known(shop: Shop, artifacts: str) -> tuple[object, ...]:
    """All that profiles and index hold."""
    settings = load_settings(
        {"profiles_dir": shop.folder, "profile": "shop", "state_dir": shop.folder / "state"}, {}
    )
    with Environment(settings) as environment:
        snapshot = environment.store.snapshot(environment.collection)
        indexed = environment.store.content_hashes(environment.collection)
    profiles = [
        sorted(map(str, shop.rows(f"select * from {artifacts}.{name}"))) for name in ARTIFACTS
    ]
    assert snapshot
    assert all(profiles)
    return snapshot.digest, indexed, profiles


def refused(done: "subprocess.CompletedProcess[str]") -> str:
    """The output of a run that ends before dbt: one error line and a hint."""
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    *before, error, hint = messages(done.stderr)
    assert [line for line in before if not line.startswith("✓ changes")] == []
    assert error.startswith("error: ")
    assert hint.startswith("   →   ")
    return error


@contextmanager
def moved(path: Path) -> Iterator[None]:
    """A file or a folder is away, and nothing is made in its place."""
    away = path.rename(path.with_name("away"))
    try:
        yield
        assert not path.exists()
    finally:
        away.rename(path)


@contextmanager
def replaced(shop: Shop, statements: str) -> Iterator[None]:
    """A new DuckDB file with these statements, equal otherwise."""
    kept = shop.path.read_bytes()
    try:
        if not statements:
            shop.path.unlink()
            duckdb.connect(str(shop.path)).close()
        else:
            shop.execute(statements)
        yield
    finally:
        shop.path.write_bytes(kept)


def test_a_duckdb_file_that_is_away_is_never_made(in_duckdb: Shop) -> None:
    before = known(in_duckdb, "main_linker")
    for away, path in (("the file", in_duckdb.path), ("its folder", in_duckdb.path.parent)):
        with moved(path):
            for words in (("refresh",), ("refresh", "--plan"), ("profile",), ("index",), ACCEPTING):
                assert "there is no DuckDB file at" in refused(in_duckdb.run(*words))
        assert known(in_duckdb, "main_linker") == before
        keep_loss("duckdb", away, "exit code 2")


def test_a_duckdb_file_that_is_empty_or_lacks_a_schema_changes_nothing(in_duckdb: Shop) -> None:
    before = known(in_duckdb, "main_linker")
    everything = "drop schema sales cascade; drop schema stock cascade"
    losses = {
        "all contents": ("", "sales, stock"),
        "all tables": (everything, "sales, stock"),
        "a schema": ("drop schema stock cascade", "stock"),
        "all tables of a schema": ("drop table stock.items; drop table stock.counts", "stock"),
    }
    for away, (statements, named) in losses.items():
        with replaced(in_duckdb, statements):
            file = in_duckdb.path.read_bytes()
            assert f" {named} had tables and now show none; " in refused(in_duckdb.run("refresh"))
            assert in_duckdb.path.read_bytes() == file
        assert known(in_duckdb, "main_linker") == before
        keep_loss("duckdb", away, "exit code 2")
    with replaced(in_duckdb, "drop schema stock cascade"):
        for words in (
            ("profile",),
            ("refresh", "--plan"),
            ("refresh", "--full"),
            ("profile", "--full"),
        ):
            assert "schema stock had tables" in refused(in_duckdb.run(*words))
    # What was never profiled has nothing to lose; the index of what was before has.
    with replaced(in_duckdb, ""):
        assert in_duckdb.run("profile").returncode == 0
        assert "schemas sales, stock had tables" in refused(in_duckdb.run("index"))
    assert known(in_duckdb, "main_linker") == before


def test_a_postgres_that_shows_less_than_before_changes_nothing(in_postgres: PostgresShop) -> None:
    before = known(in_postgres, "public_linker")
    for away, (taken, brought_back) in TAKEN.items():
        in_postgres.execute(taken)
        assert "schema stock had tables and now show none" in refused(in_postgres.run("refresh"))
        in_postgres.execute(brought_back)
        assert known(in_postgres, "public_linker") == before
        keep_loss("postgres", away, "exit code 2")


def test_a_role_that_may_not_leave_artifacts_is_told_the_right_that_it_lacks(
    in_postgres: PostgresShop,
) -> None:
    in_postgres.execute(
        "alter schema public_linker rename to kept; revoke create on database warehouse from etl"
    )
    done = in_postgres.run("refresh")
    assert "it lacks create on database warehouse" in refused(done)
    assert "create schema public_linker authorization etl" in done.stderr
    in_postgres.execute("create schema public_linker")
    done = in_postgres.run("profile", "--plan")
    assert "it lacks usage, create on schema public_linker" in refused(done)
    assert "grant usage, create on schema public_linker to etl" in done.stderr
    in_postgres.execute("drop schema public_linker; alter schema kept rename to public_linker")
    in_postgres.execute("grant create on database warehouse to etl")


def test_a_column_that_may_not_be_read_costs_nothing_but_itself(in_postgres: PostgresShop) -> None:
    scanned = in_postgres.rows(
        "select column_path, privacy, value_count from public_linker.linker_scans"
        " where table_name = 'people' order by column_path"
    )
    assert scanned == [("person_id", "show", 1), ("salary", "refuse", None)]
    status = in_postgres.run("status")
    assert "1 column without permission" in status.stdout
    # A right that is granted later makes the table due.
    in_postgres.execute("grant select (salary) on sales.people to etl")
    plan = json.loads(in_postgres.run("profile", "--plan", "--format", "json").stdout)
    assert [table["table"] for table in plan["tables"] if table["state"] == "changed"] == ["people"]
    in_postgres.execute("revoke select (salary) on sales.people from etl")


def test_a_postgres_that_cannot_be_opened_or_is_empty_changes_nothing(
    in_postgres: PostgresShop,
) -> None:
    before = known(in_postgres, "public_linker")
    losses: dict[str, tuple[dict[str, object], str]] = {
        "the server": ({"port": 1}, "Postgres of target `dev` cannot be opened"),
        "the database": ({"dbname": "gone"}, "Postgres of target `dev` cannot be opened"),
        "the role": ({"user": "gone"}, "Postgres of target `dev` cannot be opened"),
        "all contents": ({"dbname": "empty"}, "schemas sales, stock had tables"),
    }
    for away, (options, said) in losses.items():
        in_postgres.connect(**options)
        assert said in refused(in_postgres.run("refresh"))
        in_postgres.connect()
        assert known(in_postgres, "public_linker") == before
        keep_loss("postgres", away, "exit code 2")


def test_what_a_person_says_was_dropped_is_forgotten_and_the_next_run_needs_no_word(
    in_postgres: PostgresShop,
) -> None:
    in_postgres.execute("drop schema stock cascade")
    assert "schema stock had tables" in refused(in_postgres.run("refresh"))
    alone = in_postgres.run("refresh", "--allow-empty-schemas")
    assert (alone.returncode, "--allow-empty-schemas requires --full" in alone.stderr) == (2, True)
    done = in_postgres.run(*ACCEPTING, "--select", "sales")
    assert done.returncode == 0, done.stderr
    assert in_postgres.rows("select distinct schema_name from public_linker.linker_tables") == [
        ("sales",)
    ]
    assert in_postgres.refresh()["outcome"] == "unchanged"

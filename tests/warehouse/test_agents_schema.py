"""
The schema AGENTS: views for agents of anybody, and rows of a provider beside those of others, in real
warehouses; and that nothing of it is left.

By https://github.com/dbt-labs/agents_schema/blob/main/SPEC.md, at 0.0.10 (July 2026).
"""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.warehouse.project import run_dbt
from tests.warehouse.servers import WarehouseServer, start

VIEWS = ["linker_columns", "linker_families", "linker_joins", "linker_tables"]
SHOP = """
create schema shop;
create table shop.buyers (buyer_id integer, email varchar, city varchar);
insert into shop.buyers
select n, 'somebody' || n || '@example.org', case when n % 2 = 0 then 'Rome' else 'Oslo' end
from generate_series(1, 20) as numbers (n);
create table shop.orders_2024 (order_id integer, buyer_id integer);
insert into shop.orders_2024 select n, n % 20 + 1 from generate_series(1, 60) as numbers (n);
create table shop.orders_2025 (order_id integer, buyer_id integer);
insert into shop.orders_2025 select n, n % 20 + 1 from generate_series(61, 90) as numbers (n);
create schema agents;
create table agents.root (
    provider varchar not null, key varchar not null, content varchar not null, primary key (provider, key)
);
insert into agents.root values ('acme', 'costs', 'theirs'), ('linker', 'old', 'of before');
"""


class Shop:
    """A project that lists the package, over a warehouse in which somebody else has an agents schema."""

    def __init__(self, folder: Path, kind: str, server: WarehouseServer, checkout: Path) -> None:
        self.folder, self.server = folder, server
        options: dict[str, dict[str, object]] = {
            "duckdb": {"type": "duckdb", "path": "{{ env_var('CONSUMER_DUCKDB_PATH', '-') }}"},
            "postgres": {
                "type": "postgres",
                "host": "{{ env_var('CONSUMER_POSTGRES_HOST', '-') }}",
                "port": 5432,
                "user": "postgres",
                "password": "-",
                "dbname": "warehouse",
            },
        }
        output = {**options[kind], "schema": "analytics", "threads": 1}
        files = {
            "profiles.yml": {"shop": {"target": "prod", "outputs": {"prod": output}}},
            "packages.yml": {"packages": [{"local": str(checkout)}]},
            "dbt_project.yml": {
                "name": "shop",
                "version": "1.0",
                "config-version": 2,
                "profile": "shop",
                "vars": {"linker": {"agents_target": "prod"}},
            },
        }
        folder.mkdir()
        for name, content in files.items():
            (folder / name).write_text(yaml.safe_dump(content), "utf-8")
        (folder / "models").mkdir()
        (folder / "models" / "own.sql").write_text("select 1 as a", "utf-8")
        server.execute(SHOP)
        self.dbt("deps")

    def dbt(self, *words: str) -> str:
        return run_dbt(self.folder, *words, **self.server.environment)

    def views(self) -> list[str]:
        query = "select table_name from information_schema.views where table_schema = 'agents'"
        return sorted(name for [name] in self.server.fetch(query))


@pytest.fixture(scope="module", params=["duckdb", "postgres"])
def shop(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, checkout: Path
) -> Iterator[Shop]:
    """After a run of a model beside the package, and then of the package alone."""
    folder = tmp_path_factory.mktemp(request.param)
    with start(request.param, folder) as server:
        made = Shop(folder / "project", request.param, server, checkout)
        made.dbt("run")
        assert made.views() == []
        made.dbt("run", "--select", "package:linker")
        yield made


def test_agents_read_tables_columns_joins_and_families(shop: Shop) -> None:
    assert shop.views() == VIEWS
    tables = "select table_name, cast(member_count as varchar) from agents.linker_tables where schema_name = 'shop'"
    assert sorted(shop.server.fetch(tables)) == [["buyers", "1"], ["orders_*", "2"]]
    joins = "select from_table, from_columns, to_table, to_columns from agents.linker_joins"
    assert shop.server.fetch(joins) == [["orders_*", '["buyer_id"]', "buyers", '["buyer_id"]']]
    families = (
        "select group_name, kind, members from agents.linker_families where kind <> 'siblings'"
    )
    [[name, kind, members]] = shop.server.fetch(families)
    assert (name, kind, json.loads(members)) == (
        "orders_*",
        "partitions",
        ["orders_2024", "orders_2025"],
    )


def test_values_are_there_where_they_are_shown_and_nowhere_else(shop: Shop) -> None:
    query = (
        "select column_path, privacy, coalesce(representative_values, ''), coalesce(max_value, '')"
        " from agents.linker_columns where table_name = 'buyers'"
    )
    columns = {path: rest for path, *rest in shop.server.fetch(query)}
    assert columns["email"] == ["mask", "", ""]
    assert columns["city"][0] == "show"
    found = {item["value"]: item["count"] for item in json.loads(columns["city"][1])}
    assert found == {"Rome": 10, "Oslo": 10}
    assert columns["city"][2] == "Rome"


def test_the_registry_has_our_rows_beside_those_of_others(shop: Shop) -> None:
    shop.dbt("run", "--select", "package:linker")
    rows = shop.server.fetch("select provider, key, content from agents.root")
    content = {(provider, key): text for provider, key, text in rows}
    assert len(rows) == len(content)
    keys = [key for provider, key in sorted(content) if provider == "linker"]
    # Each table by its name without the prefix; what an earlier version wrote is gone.
    assert keys == ["columns", "families", "joins", "overview", "skill/linker", "tables"]
    assert content["acme", "costs"] == "theirs"
    skill = content["linker", "skill/linker"]
    head, _, body = skill.removeprefix("---\n").partition("\n---\n")
    assert yaml.safe_load(head) == {
        "uses": {
            "tables": [
                f"AGENTS.{name.upper()}"
                for name in ("linker_tables", *VIEWS[:1], "linker_joins", "linker_families")
            ]
        }
    }
    assert "of the last scan" in body


def test_what_is_published_is_no_table_of_the_warehouse(shop: Shop) -> None:
    query = "select table_name from agents.linker_tables where schema_name = 'agents'"
    assert shop.server.fetch(query) == []


def test_nothing_is_left_but_what_others_have(shop: Shop) -> None:
    shop.dbt("run-operation", "linker.drop_artifacts")
    assert shop.views() == []
    assert shop.server.fetch("select provider, key from agents.root") == [["acme", "costs"]]
    shop.server.execute("delete from agents.root")
    shop.dbt("run-operation", "linker.drop_agents_schema")
    query = "select schema_name from information_schema.schemata where schema_name = 'agents'"
    assert shop.server.fetch(query) == []

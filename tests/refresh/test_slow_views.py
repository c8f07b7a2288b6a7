"""A view that never ends costs its time limit only."""

import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.refresh.shop import Shop
from tests.refresh.test_drop_protection import PostgresShop
from tests.warehouse.project import try_dbt
from tests.warehouse.servers import postgres

SECONDS = "2"
MESSAGE = "took longer than scan_seconds (2)"
TABLES = ["customers", "offices", "orders", "parts", "prices", "regions", "returns", "shelves"]
# As many rows as no machine counts.
NEVER_ENDS = {
    "duckdb": "create view trade.v_slow as select count(*) as n from range(3000000000), range(100000)",
    "postgres": "create view trade.v_slow as select count(*) as n from generate_series(1, 100000000000)",
}
IN_POSTGRES = (
    "create role etl login; grant create on database warehouse to etl; create schema trade;"
    " grant usage on schema trade to etl; alter default privileges in schema trade grant select on tables to etl"
)


@dataclass(frozen=True)
class SlowShop:
    """A shop with such a view, and the first refresh of it."""

    shop: Shop
    first: "subprocess.CompletedProcess[str]"

    def refresh(self, *words: str, seconds: str = SECONDS) -> dict[str, object]:
        """Another refresh."""
        done = self.shop.run("refresh", *words, "--format", "json", LINKER_SCAN_SECONDS=seconds)
        assert done.returncode == 1, done.stderr
        record: dict[str, object] = json.loads(done.stdout)
        return record

    def failures(self) -> list[str]:
        """The journal's rows of the view, in order."""
        schema = "public_linker" if isinstance(self.shop, PostgresShop) else "main_linker"
        query = f"select message from {schema}.linker_attempts where event = 'failed' order by happened_at"
        return [str(message) for (message,) in self.shop.rows(query)]


@pytest.fixture(scope="module", params=NEVER_ENDS)
def slow(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[SlowShop]:
    """The shop in a warehouse, refreshed once."""
    tables = [
        f"create table trade.{name} as select 1 as {name}_id, '{name} 1' as name" for name in TABLES
    ]
    with TemporaryDirectory(prefix="linker-slow-") as folder:
        if request.param == "postgres":
            with postgres.start(tmp_path_factory.mktemp("server")) as server:
                opened = PostgresShop(Path(folder), server.url)
                opened.connect()
                yield _refreshed(opened, [IN_POSTGRES, *tables, NEVER_ENDS["postgres"]])
            return
        yield _refreshed(
            Shop.open(Path(folder)), ["create schema trade", *tables, NEVER_ENDS["duckdb"]]
        )


def _refreshed(shop: Shop, statements: list[str]) -> SlowShop:
    shop.execute("; ".join(statements))
    return SlowShop(shop, shop.run("refresh", "--format", "json", LINKER_SCAN_SECONDS=SECONDS))


def test_the_view_is_named_with_its_time_and_all_else_is_scanned(slow: SlowShop) -> None:
    record = json.loads(slow.first.stdout)
    assert slow.first.returncode == 1, slow.first.stderr
    assert f"warning: trade.v_slow could not be scanned: {MESSAGE}" in slow.first.stderr
    others = 0 if isinstance(slow.shop, PostgresShop) else 5
    assert (record["scanned"], record["failed"]) == (len(TABLES) + others, 1)
    asked = slow.shop.run("ask", "names of customers", "--format", "json")
    assert asked.returncode == 0, asked.stderr
    assert "customers" in {table["name"] for table in json.loads(asked.stdout)["tables"]}


# It waits for four limits.
@pytest.mark.slow
def test_it_is_left_out_until_the_limit_is_raised_or_all_is_read_again(slow: SlowShop) -> None:
    assert slow.failures() == [MESSAGE]
    slow.shop.execute("create table trade.later as select 1 as later_id")
    record = slow.refresh()
    assert (record["outcome"], slow.failures()) == ("partly failed", [MESSAGE])
    slow.refresh(seconds="3")
    assert slow.failures() == [MESSAGE, "took longer than scan_seconds (3)"]
    slow.refresh(seconds="1")
    assert len(slow.failures()) == 2
    slow.refresh("--full", "--select", "trade.v_slow", seconds="1")
    assert slow.failures()[2:] == ["took longer than scan_seconds (1)"]


# It waits for the limit once more.
@pytest.mark.slow
def test_dbt_alone_names_it_and_leaves_it_out_of_the_next_run(
    slow: SlowShop, checkout: Path
) -> None:
    state = str(slow.shop.folder / "dbt")
    own = "alone_linker"
    words = (
        "run",
        "--select",
        "package:linker",
        "--project-dir",
        str(checkout),
        "--target-path",
        state,
        "--profiles-dir",
        str(slow.shop.folder),
        "--profile",
        "shop",
        "--log-path",
        state,
        "--vars",
        json.dumps({"scan_seconds": 2, "linker_schema": own, "include_schemas": ["trade"]}),
    )
    runs = [try_dbt(slow.shop.folder, *words) for _ in range(2)]
    is_postgres = isinstance(slow.shop, PostgresShop)
    # In DuckDB an error ends the run.
    assert [code for _, code in runs] == [0 if is_postgres else 1, 0], runs
    if not is_postgres:
        assert (
            f"linker: trade.v_slow could not be scanned: {MESSAGE}; finished profiles are kept"
            in runs[0][0]
        )
    profiled = slow.shop.rows(f"select distinct table_name from {own}.linker_profile_l3")
    assert {name for (name,) in profiled} >= set(TABLES)
    [(reason,)] = slow.shop.rows(
        f"select reason from {own}.linker_plan where table_name = 'v_slow'"
    )
    assert reason == f"it failed before: {MESSAGE}"


# It waits for eight seconds, in which the view keeps a processor busy.
@pytest.mark.slow
def test_a_lower_limit_of_the_user_stays_in_force(slow: SlowShop) -> None:
    if not isinstance(slow.shop, PostgresShop):
        config = json.loads((slow.shop.folder / "profiles.yml").read_text("utf-8"))
        config["shop"]["outputs"]["dev"]["settings"] = {"max_execution_time": 8000}
        (slow.shop.folder / "profiles.yml").write_text(json.dumps(config), "utf-8")
        said = "INTERRUPT Error: Query exceeded maximum execution time"
    else:
        slow.shop.execute("alter role etl set statement_timeout = '8s'")
        said = "canceling statement due to statement timeout"
    slow.refresh(seconds="200")
    assert slow.failures()[-1] == said

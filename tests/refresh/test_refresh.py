"""`linker refresh` over a real DuckDB: what it does, what it says, and how it ends. The tests build on each other."""

import json
import signal
import subprocess
import time

import pytest
from prometheus_client.parser import text_string_to_metric_families

from linker.config import load_settings
from linker.environment import Environment
from tests.refresh.agreement import disagreements
from tests.refresh.shop import PAUSE_SECONDS, Shop, command


@pytest.fixture(scope="module")
def first(shop: Shop) -> "subprocess.CompletedProcess[str]":
    """The first run of all."""
    return shop.run("refresh")


@pytest.fixture(scope="module")
def second(shop: Shop, first: "subprocess.CompletedProcess[str]") -> "subprocess.CompletedProcess[str]":
    """A run after nothing changed."""
    assert first.returncode == 0
    return shop.run("refresh")


@pytest.fixture(scope="module")
def drifted(shop: Shop, second: "subprocess.CompletedProcess[str]") -> "subprocess.CompletedProcess[str]":
    """A run after every kind of change, one of which cannot be read."""
    assert second.returncode == 0
    shop.execute("""
        create table sales.visits_20260103 as select range as visit_id, range % 7 as customer_id from range(13);
        alter table sales.orders rename column order_no to order_number;
        alter table sales.customers add column city varchar;
        alter table stock.counts alter column pieces type varchar;
        drop table stock.items;
        create table stock.shelves as select range as shelf_id from range(5);
        create view stock.broken as select 1 / 0 as ratio, error('it cannot be read') as reason from stock.shelves;
    """)
    return shop.run("refresh", "--format", "json")


def test_the_first_run_profiles_and_indexes_all(first: "subprocess.CompletedProcess[str]") -> None:
    assert first.returncode == 0, first.stderr
    # Two tables of the four are in `sales`, two in `stock`, and the two visits are one family: five logical tables.
    # 3 + 2 + 2 + 2 + 3 columns and a document for each table.
    assert first.stdout.startswith("run 1 done in ")
    assert first.stdout.endswith(": 5 tables scanned, 0 unchanged, 17 documents embedded, 0 removed\n")


def test_after_the_first_run_warehouse_artifacts_and_index_agree(
    shop: Shop, first: "subprocess.CompletedProcess[str]"
) -> None:
    assert first.returncode == 0
    assert disagreements(shop) == []


def test_a_second_run_says_that_there_is_nothing_to_do(second: "subprocess.CompletedProcess[str]") -> None:
    assert second.returncode == 0, second.stderr
    assert second.stdout.startswith("run 2: nothing to do in ")
    assert second.stdout.endswith("; 5 tables unchanged\n")


def test_a_young_run_makes_another_needless(shop: Shop, second: "subprocess.CompletedProcess[str]") -> None:
    assert second.returncode == 0
    done = shop.run("refresh", "--if-older-than", "6h")
    assert (done.returncode, done.stdout) == (0, "nothing to do: run 2 ended less than 6h ago\n")


def test_a_run_beside_another_ends_at_once_with_its_own_exit_code(
    shop: Shop, second: "subprocess.CompletedProcess[str]"
) -> None:
    assert second.returncode == 0
    settings = load_settings({"profiles_dir": shop.folder, "profile": "shop", "state_dir": shop.folder / "state"}, {})
    with Environment(settings) as environment, environment.store.history.hold(environment.target_key):
        done = shop.run("refresh")
        by_index = shop.run("index")
    assert (done.returncode, done.stdout) == (4, "")
    assert done.stderr.splitlines() == [
        "error: another run is at work on `shop.dev`",
        "   →   wait until it has ended: `linker runs` shows it",
    ]
    assert by_index.returncode == 4


def test_a_run_after_drift_leaves_nothing_stale(shop: Shop, drifted: "subprocess.CompletedProcess[str]") -> None:
    record = json.loads(drifted.stdout)
    assert record["number"] == 3
    assert disagreements(shop) == []


def test_a_table_that_cannot_be_read_is_named_and_the_rest_is_kept(drifted: "subprocess.CompletedProcess[str]") -> None:
    record = json.loads(drifted.stdout)
    assert drifted.returncode == 1
    assert record["outcome"] == "partly failed"
    [error] = record["errors"]
    assert (error["schema"], error["table"]) == ("stock", "broken")
    assert "warning: stock.broken could not be scanned: " in drifted.stderr
    # The family has a new member, `orders`, `customers` and `counts` changed, `shelves` is new.
    assert (record["scanned"], record["failed"]) == (5, 1)


def test_what_failed_is_not_tried_again_at_once(shop: Shop, drifted: "subprocess.CompletedProcess[str]") -> None:
    assert drifted.returncode == 1
    done = shop.run("refresh")
    assert done.returncode == 0
    assert "nothing to do" in done.stdout


def test_a_warehouse_that_is_away_leaves_all_as_it_was(shop: Shop, drifted: "subprocess.CompletedProcess[str]") -> None:
    assert drifted.returncode == 1
    hidden = shop.path.rename(shop.folder / "hidden.duckdb")
    shop.path.write_text("this is no database", "utf-8")
    try:
        done = shop.run("refresh")
        asked = shop.run("ask", "--strategy", "retrieval", "--format", "json", "Which customers made orders?")
    finally:
        shop.path.unlink()
        hidden.rename(shop.path)
    assert (done.returncode, done.stdout) == (2, "")
    assert [line for line in done.stderr.splitlines() if line.startswith("error: ")] != []
    assert "Traceback" not in done.stderr
    assert asked.returncode == 0
    assert disagreements(shop) == []


def test_it_repeats_itself_until_a_signal_and_monitors_can_follow(
    shop: Shop, drifted: "subprocess.CompletedProcess[str]"
) -> None:
    assert drifted.returncode == 1
    health, metrics = shop.folder / "health.json", shop.folder / "linker.prom"
    words = ["refresh", "--every", "6h", "--log-format", "json", "--health-file", str(health)]
    started = command(*words, "--metrics-file", str(metrics))
    with subprocess.Popen(
        started, env=shop.variables, cwd=shop.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        while process.poll() is None and not (health.exists() and json.loads(health.read_text())["state"] == "waiting"):
            time.sleep(PAUSE_SECONDS)
        process.send_signal(signal.SIGTERM)
        _, logged = process.communicate()
    assert process.returncode == 0, logged
    events = [json.loads(line) for line in logged.splitlines()]
    assert [event["event"] for event in events][-3:] == ["run_done", "waiting", "ended"]
    told = json.loads(health.read_text())
    assert (told["state"], told["last_outcome"], told["last_run"]) == ("ended", "unchanged", events[-3]["run"])
    samples = [one for family in text_string_to_metric_families(metrics.read_text()) for one in family.samples]
    [outcome] = [one.labels["outcome"] for one in samples if "outcome" in one.labels and one.value]
    assert (outcome, {one.labels["target"] for one in samples}) == ("unchanged", {"shop.dev"})

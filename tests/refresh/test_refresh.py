"""`linker refresh` on real DuckDB: effect, output, exit codes. Tests depend on each other."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from linker.api import Linker
from linker.config.settings import load_settings
from linker.environment import Environment
from linker.linking.result import Evidence
from linker.usage.sources import forget, plan_learning
from tests.messages import messages
from tests.refresh.agreement import disagreements
from tests.refresh.shop import Shop


@pytest.fixture(scope="module")
def planned(shop: Shop) -> "subprocess.CompletedProcess[str]":
    """The plan of the first run."""
    return shop.run("refresh", "--plan")


@pytest.fixture(scope="module")
def first(
    shop: Shop, planned: "subprocess.CompletedProcess[str]"
) -> "subprocess.CompletedProcess[str]":
    """The first run of all."""
    assert planned.returncode == 0
    return shop.run("refresh")


@pytest.fixture(scope="module")
def second(
    shop: Shop, first: "subprocess.CompletedProcess[str]"
) -> "subprocess.CompletedProcess[str]":
    """A run after nothing changed."""
    assert first.returncode == 0
    return shop.run("refresh")


@pytest.fixture(scope="module")
def drifted(
    shop: Shop, second: "subprocess.CompletedProcess[str]"
) -> "subprocess.CompletedProcess[str]":
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


def test_the_plan_of_a_first_run_says_that_it_is_the_first(
    planned: "subprocess.CompletedProcess[str]",
) -> None:
    assert planned.returncode == 0, planned.stderr
    assert "\n5 tables to scan, about " in planned.stdout
    assert planned.stdout.endswith("\nfirst run: no profiles and no index yet\n")


def test_the_first_run_profiles_and_indexes_all(first: "subprocess.CompletedProcess[str]") -> None:
    assert first.returncode == 0, first.stderr
    # Two tables of the four are in `sales`, two in `stock`, and the two visits are one family: five
    # logical tables. 3 + 2 + 2 + 2 + 3 columns and a document for each table.
    assert first.stdout.startswith("run 1 done in ")
    assert "the run before" not in first.stderr
    assert first.stdout.endswith(
        ": 5 tables scanned, 0 unchanged, 17 documents embedded, 0 removed\n"
    )


def test_after_the_first_run_warehouse_artifacts_and_index_agree(
    shop: Shop, first: "subprocess.CompletedProcess[str]"
) -> None:
    assert first.returncode == 0
    assert disagreements(shop) == []


def test_a_second_run_says_that_there_is_nothing_to_do(
    second: "subprocess.CompletedProcess[str]",
) -> None:
    assert second.returncode == 0, second.stderr
    assert second.stdout.startswith("run 2: up to date (")
    assert second.stdout.endswith("; 5 tables unchanged\n")


def test_a_young_run_makes_another_needless(
    shop: Shop, second: "subprocess.CompletedProcess[str]"
) -> None:
    assert second.returncode == 0
    done = shop.run("refresh", "--max-staleness", "6h")
    assert (done.returncode, done.stdout) == (0, "up to date: run 2 ended less than 6h ago\n")


def test_a_run_beside_another_ends_at_once_with_its_own_exit_code(
    shop: Shop, second: "subprocess.CompletedProcess[str]"
) -> None:
    assert second.returncode == 0
    settings = load_settings(
        {"profiles_dir": shop.folder, "profile": "shop", "state_dir": shop.folder / "state"}, {}
    )
    with (
        Environment(settings) as environment,
        environment.store.history.lock(environment.target_key),
    ):
        done = shop.run("refresh")
        by_index = shop.run("index")
    assert (done.returncode, done.stdout) == (4, "")
    assert messages(done.stderr) == [
        "error: another run of `shop.dev` is in progress",
        "   →   wait until it has ended: `linker runs` shows it",
    ]
    assert by_index.returncode == 4


def test_a_run_after_drift_leaves_nothing_stale(
    shop: Shop, drifted: "subprocess.CompletedProcess[str]"
) -> None:
    record = json.loads(drifted.stdout)
    assert record["number"] == 3
    assert disagreements(shop) == []


def test_a_table_that_cannot_be_read_is_named_and_the_rest_is_kept(
    drifted: "subprocess.CompletedProcess[str]",
) -> None:
    record = json.loads(drifted.stdout)
    assert drifted.returncode == 1
    assert record["outcome"] == "partly failed"
    [error] = record["errors"]
    assert (error["schema"], error["table"]) == ("stock", "broken")
    assert "warning: stock.broken could not be scanned: " in drifted.stderr
    # The family has a new member, `orders`, `customers` and `counts` changed, `shelves` is new.
    assert (record["scanned"], record["failed"]) == (5, 1)


def test_what_failed_is_not_tried_again_at_once_but_the_run_says_that_it_is_not_read(
    shop: Shop, drifted: "subprocess.CompletedProcess[str]"
) -> None:
    assert drifted.returncode == 1
    done = shop.run("refresh", "--format", "json")
    record = json.loads(done.stdout)
    assert done.returncode == 1
    # As linker looks at metadata alone, dbt did not run.
    assert (record["outcome"], record["dbt_runs"], record["failed"]) == ("partly failed", [], 1)
    assert record["errors"] == json.loads(drifted.stdout)["errors"]


@pytest.fixture(scope="module")
def mended(
    shop: Shop, drifted: "subprocess.CompletedProcess[str]"
) -> "subprocess.CompletedProcess[str]":
    """A run after what could not be read was made whole."""
    assert drifted.returncode == 1
    shop.execute(
        "create or replace view stock.broken as select 1 / 2 as ratio, 'fine' as reason from stock.shelves"
    )
    return shop.run("refresh")


def test_what_can_be_read_again_is_profiled_and_no_more_said_of(
    mended: "subprocess.CompletedProcess[str]",
) -> None:
    assert (mended.returncode, "warning" in mended.stderr) == (0, False)
    assert ": 1 table scanned, 5 unchanged, " in mended.stdout


def test_a_warehouse_that_is_away_leaves_all_as_it_was(
    shop: Shop, mended: "subprocess.CompletedProcess[str]"
) -> None:
    assert mended.returncode == 0
    hidden = shop.path.rename(shop.folder / "hidden.duckdb")
    shop.path.write_text("this is no database", "utf-8")
    try:
        done = shop.run("refresh")
        asked = shop.run(
            "ask", "--strategy", "shortlist", "--format", "json", "Which customers made orders?"
        )
    finally:
        shop.path.unlink()
        hidden.rename(shop.path)
    assert (done.returncode, done.stdout) == (2, "")
    assert [line for line in done.stderr.splitlines() if line.startswith("error: ")] != []
    assert "Traceback" not in done.stderr
    assert asked.returncode == 0
    assert disagreements(shop) == []


def test_monitors_can_follow_a_run_by_its_log_and_its_metrics(
    shop: Shop, mended: "subprocess.CompletedProcess[str]"
) -> None:
    assert mended.returncode == 0
    metrics = shop.folder / "linker.prom"
    done = shop.run("refresh", "--log-format", "json", "--metrics-file", str(metrics))
    assert done.returncode == 0, done.stderr
    # However long the machine takes to end after it.
    event = [
        event for event in map(json.loads, done.stderr.splitlines()) if event["event"] != "at_work"
    ][-1]
    assert (event["event"], event["outcome"], event["target"]) == (
        "run_done",
        "unchanged",
        "shop.dev",
    )
    samples = [
        sample
        for family in text_string_to_metric_families(metrics.read_text())
        for sample in family.samples
    ]
    [outcome] = [
        sample.labels["outcome"]
        for sample in samples
        if "outcome" in sample.labels and sample.value
    ]
    assert (outcome, {sample.labels["target"] for sample in samples}) == ("unchanged", {"shop.dev"})


LOG = """
    select o.order_number from sales.orders as o join sales.customers as c on c.customer_id = o.customer_id
    where c.city = 'zanzibar';
    select nonsense from (
"""
QUESTION = "Which customers made orders?"


@pytest.fixture(scope="module")
def log(shop: Shop, mended: "subprocess.CompletedProcess[str]") -> Path:
    """Queries that people ran, once the shop does not change any more."""
    assert mended.returncode == 0
    file = shop.folder / "queries.sql"
    file.write_text(LOG, "utf-8")
    return file


@pytest.fixture
def linked(shop: Shop, log: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Linker]:
    """A long session in the shop's folder that ingests usage and caches its index."""
    monkeypatch.chdir(shop.folder)
    with Linker.open(
        profiles_dir=shop.folder,
        profile="shop",
        state_dir=shop.folder / "state",
        strategy="shortlist",
        usage_sources=[log.name],
    ) as opened:
        opened.ask(QUESTION)
        yield opened


def used(linker: Linker) -> set[str]:
    """What an answer says of how often its parts are used."""
    tables = linker.ask(QUESTION).tables
    evidence: list[Evidence] = []
    for table in tables:
        evidence += table.evidence
        for column in table.columns:
            evidence += column.evidence
    return {item.text for item in evidence if item.kind == "usage"}


def standing(linker: Linker) -> tuple[object, ...]:
    """The full state of the index and of the ingested usage, for comparison."""
    environment = linker.environment
    snapshot = environment.store.snapshot(environment.collection)
    assert snapshot is not None
    return (
        snapshot.digest,
        snapshot.learned_digest,
        environment.store.learned.sources(environment.target_key),
    )


def test_it_learns_though_nothing_else_changed_and_sessions_see_it(
    shop: Shop, log: Path, linked: Linker
) -> None:
    assert used(linked) == set()
    done = shop.run("refresh", "--format", "json", LINKER_USAGE_SOURCES=log.name)
    record = json.loads(done.stdout)
    assert (done.returncode, record["outcome"]) == (0, "done")
    assert (record["scanned"], record["learned"], record["not_learned"]) == (0, 1, 0)
    assert "1 source read, 1 distinct query, 0 unchanged" in done.stderr
    assert used(linked) == {"used in 1 query", "used in 1 query, mostly with sales.orders"} | {
        "used in 1 query, mostly with sales.customers"
    }
    kept = [file.read_text("utf-8", "replace") for file in (shop.folder / "state").rglob("*.json*")]
    assert [text for text in (done.stdout, done.stderr, *kept) if "zanzibar" in text] == []


def test_a_source_that_tells_what_it_told_before_changes_nothing(linked: Linker, log: Path) -> None:
    before, first = standing(linked), linked.refresh()
    assert (first.outcome, first.work.learned) == ("unchanged", 0)
    # Other spaces are another file and the same queries.
    log.write_text(LOG.replace("\n", "\n\n"), "utf-8")
    [planned] = plan_learning(linked.environment)
    assert (planned.is_due, planned.reason) == (True, "the source or the index changed")
    assert (linked.refresh().outcome, standing(linked)) == ("unchanged", before)
    [planned] = plan_learning(linked.environment)
    assert (planned.is_due, planned.reason) == (False, "unchanged since it was read")


def test_a_source_that_was_forgotten_is_learned_again(linked: Linker, log: Path) -> None:
    forget(linked.environment, log.name)
    assert used(linked) == set()
    assert linked.refresh().work.learned == 1
    assert used(linked) != set()


def test_a_source_that_fails_leaves_the_others_learned_and_the_run_partly_failed(
    shop: Shop, log: Path, linked: Linker
) -> None:
    log.write_text(f"{LOG}; select pieces from stock.counts", "utf-8")
    done = shop.run("refresh", LINKER_USAGE_SOURCES=f"nowhere.sql,history,{log.name}")
    assert done.returncode == 1
    assert done.stdout.endswith("0 removed, 1 source learned, 2 sources failed\n")
    failures = [
        "source nowhere.sql: cannot read nowhere.sql: No such file or directory",
        "source history: duckdb has no query history",
    ]
    assert [line for line in done.stderr.splitlines() if line.startswith("warning: source ")] == [
        f"warning: {f}" for f in failures
    ]
    history, target = linked.environment.store.history, linked.environment.target_key
    assert [(run.outcome, run.message) for run in history.runs(target, limit=1)] == [
        ("partly failed", "; ".join(failures))
    ]
    # Such a run has looked at everything else: the next one needs no dbt.
    assert linked.refresh().outcome == "unchanged"


def test_a_selection_that_matches_nothing_leaves_no_run(shop: Shop, linked: Linker) -> None:
    history, target = linked.environment.store.history, linked.environment.target_key
    before = history.runs(target, limit=99)
    done = shop.run("refresh", "--select", "nowhere")
    assert (done.returncode, done.stdout) == (2, "")
    assert "error: no table matches `nowhere`" in done.stderr
    assert history.runs(target, limit=99) == before


def test_an_excluded_table_is_in_no_answer_once_the_index_was_renewed_and_until_then_a_warning_says_so(
    shop: Shop, linked: Linker
) -> None:
    changed = {"LINKER_EXCLUDE": "sales.visits_20260101", "LINKER_STRATEGY": "shortlist"}
    warning = (
        "warning: the setting `exclude` changed since the index was built; run: linker index\n"
    )
    asked = ("ask", "How many visits did each customer make?", "--format", "json")
    assert warning in shop.run(*asked, **changed).stderr
    done = shop.run("index", **changed)
    assert done.returncode == 0, done.stderr
    answer = shop.run(*asked, **changed)
    # A warning that nothing matches visits any more is allowed.
    assert warning not in answer.stderr
    assert "visits" not in answer.stdout.replace(asked[1], "")
    # It is profiled all the same, and comes back.
    assert "visits" in shop.run("show", "sales.visits_20260101", **changed).stdout
    assert warning in shop.run(*asked).stderr
    refreshed = shop.run("refresh")
    assert refreshed.returncode == 0, refreshed.stderr
    assert "visits" in shop.run(*asked).stdout.replace(asked[1], "")


def test_a_pattern_that_means_no_table_is_named_by_doctor_and_by_a_refresh(
    shop: Shop, linked: Linker
) -> None:
    problem = "prefer: no table matches `salse`"
    assert problem in shop.run("doctor", LINKER_PREFER="salse").stdout
    assert problem in shop.run("refresh", "--full", LINKER_PREFER="salse").stderr
    wrong = shop.run("ask", "How many orders?", LINKER_PREFER="older:24h")
    assert wrong.returncode == 2
    assert (
        "setting `prefer` in the environment is not valid: `older:` is not a way to select tables"
        in wrong.stderr
    )

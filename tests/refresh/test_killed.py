"""
Refreshes that are killed at any moment: readers keep a state that agrees with itself, and the next run goes on.

A seed says at which share of an undisturbed run's time the process is killed. `make test-kills` tries twenty, and
prints what each kill met; here are two, so that every change is tried.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.refresh.agreement import disagreements
from tests.refresh.shop import Shop, command

SEEDS = range(int(os.environ.get("KILLS", "2")))
QUESTION = "Which customers made orders?"


@dataclass
class Disturbed:
    """A shop in which a run without disturbance takes so many seconds."""

    shop: Shop
    seconds: float
    day: int = 3

    def drift(self) -> None:
        """A day goes by: a new shard, more rows, a new column, and a table that goes and comes."""
        self.day += 1
        self.shop.execute(f"""
            create table sales.visits_202601{self.day:02} as
                select range as visit_id, range % 7 as customer_id from range({self.day});
            insert into sales.orders values ({1000 + self.day}, 1, 'O{self.day}');
            alter table sales.customers add column note_{self.day} varchar;
            {
            "drop table stock.items"
            if self.day % 2
            else "create or replace table stock.items as select range as item_id, 'i' as item_name from range(9)"
        };
        """)


@pytest.fixture(scope="module")
def disturbed() -> Iterator[Disturbed]:
    """Profiled, indexed, and changed and profiled again, so that the time is that of a usual run."""
    with TemporaryDirectory(prefix="linker-killed-") as folder:
        disturbed = Disturbed(Shop.open(Path(folder)), 0.0)
        disturbed.shop.refresh()
        disturbed.drift()
        started = time.monotonic()
        disturbed.shop.refresh()
        disturbed.seconds = time.monotonic() - started
        yield disturbed


@pytest.mark.parametrize("seed", SEEDS)
def test_a_killed_run_leaves_readers_an_agreeing_state_and_the_next_one_goes_on(
    seed: int, disturbed: Disturbed
) -> None:
    shop = disturbed.shop
    before = answered(shop)
    disturbed.drift()
    # One kill in each stretch of the run, wherever the seed puts it there. Its end is left out: on a machine that has
    # less to do than before, a run would be over by then.
    share = 0.8 * (seed + random.Random(seed).random()) / len(SEEDS)
    with killed_after(shop, share * disturbed.seconds):
        pass
    met = last_run(shop)
    # What readers get is the state of before or that of after, never a mix of both.
    meanwhile = answered(shop)
    record = shop.refresh()
    after = answered(shop)
    assert meanwhile in (before, after)
    assert disagreements(shop) == []
    assert record["outcome"] in ("done", "unchanged")
    report = f"seed {seed}: killed after {share:.0%} of {disturbed.seconds:.1f} s, {met}; then: {record['outcome']}"
    sys.stdout.write(f"{report}, {record['scanned']} scanned, {record['embedded']} embedded\n")


class killed_after:  # noqa: N801 - reads as a verb
    """A refresh that is killed after so many seconds, and nobody else with it."""

    def __init__(self, shop: Shop, seconds: float) -> None:
        self._shop, self._seconds = shop, seconds

    def __enter__(self) -> None:
        quiet = subprocess.DEVNULL
        process = subprocess.Popen(
            command("refresh"), env=self._shop.variables, cwd=self._shop.folder, stdout=quiet, stderr=quiet
        )
        try:
            process.wait(self._seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()

    def __exit__(self, *_: object) -> None:
        # dbt ends with its parent, and lets go of the file; whoever opens it waits for that.
        self._shop.rows("select 1")


def answered(shop: Shop) -> list[str]:
    """The tables and columns of an answer that holds all there is."""
    done = shop.run("ask", "--strategy", "shortlist", "--column-budget", "1000", "--format", "json", QUESTION)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    return sorted(f"{table['name']}.{column['path']}" for table in answer["tables"] for column in table["columns"])


def last_run(shop: Shop) -> str:
    """What the store knows of the run that was killed."""
    done = shop.run("runs", "--limit", "1", "--format", "json")
    [run] = json.loads(done.stdout)["runs"]
    return f"run {run['number']} {run['outcome']}"

"""
Refreshes killed at random moments: readers keep a consistent state, and the next run resumes.

A seed chooses the moment. `make test-kills` runs a hundred, or a part by `PIECE=1/5`; here are two.
"""

import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.figures import keep_figures
from tests.refresh.agreement import disagreements
from tests.refresh.shop import PAUSE_SECONDS, Shop, command

pytestmark = pytest.mark.slow

SEED = os.environ.get("SEED", "1")
PIECE, PIECES = map(int, os.environ.get("PIECE", "1/1").split("/"))
KILLS = range(PIECE - 1, int(os.environ.get("KILLS", "2")), PIECES)
QUESTION = "Which customers made orders?"
# What a run says when dbt is done.
PROFILED = "✓ profile"
SHARE_WHILE_INDEXING = 0.4
# By what it had said when it was killed.
MET = {"✓ index": "its record", PROFILED: "the index", "✓ changes": "dbt", "": "its start"}
OVER = "ended before"


@dataclass
class Disturbed:
    """A shop, the undisturbed times of dbt and the other steps, and the state after kills."""

    shop: Shop
    profiling: float = 0.0
    indexing: float = 0.0
    day: int = 3
    met: Counter[str] = field(default_factory=Counter)
    answered: list[str] = field(default_factory=list)

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

    def refresh(self) -> None:
        """A run that nothing disturbs, to learn how long its parts take."""
        run = Run(self.shop)
        started = time.monotonic()
        run.wait_for(PROFILED)
        self.profiling = time.monotonic() - started
        assert run.process.wait() == 0
        self.indexing = time.monotonic() - started - self.profiling


class Run:
    """A refresh that is under way."""

    def __init__(self, shop: Shop) -> None:
        self._log = shop.folder / "refresh.log"
        with self._log.open("w") as log:
            self.process = subprocess.Popen(
                command("refresh"),
                env=shop.variables,
                cwd=shop.folder,
                stdout=subprocess.DEVNULL,
                stderr=log,
            )

    @property
    def said(self) -> str:
        """Its lines so far."""
        return self._log.read_text("utf-8")

    def wait_for(self, words: str) -> None:
        """Until it says so, or ends."""
        while self.process.poll() is None and words not in self.said:
            time.sleep(PAUSE_SECONDS)

    def kill_after(self, seconds: float) -> str:
        """Kill only this process; returns its last step."""
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(seconds)
        if self.process.poll() is not None:
            return OVER
        self.process.kill()
        self.process.wait()
        return next(at for words, at in MET.items() if words in self.said)


@pytest.fixture(scope="module")
def disturbed() -> Iterator[Disturbed]:
    """
    Profiled, indexed, and changed and profiled again, so that the time is that of a usual run.
    """
    with TemporaryDirectory(prefix="linker-killed-") as folder:
        disturbed = Disturbed(Shop.open(Path(folder)))
        disturbed.shop.refresh()
        disturbed.drift()
        disturbed.refresh()
        disturbed.answered = answered(disturbed.shop)
        yield disturbed
    met = disturbed.met
    keep_figures(
        "kills",
        "Refreshes killed by SIGKILL at random moments",
        command="make test-kills",
        note="After each kill no profile is missing, answers are those of the state before or after, the next run "
        "succeeds, and warehouse, profiles and index agree.",
        columns=[
            "piece",
            "seed",
            "runs",
            *(f"killed at {at}" for at in reversed(MET.values())),
            OVER,
            "survived",
        ],
        rows=[
            [
                f"{PIECE}/{PIECES}",
                SEED,
                len(KILLS),
                *(met[at] for at in (*reversed(MET.values()), OVER)),
                met["survived"],
            ]
        ],
    )


@pytest.mark.parametrize("number", KILLS)
def test_a_killed_run_leaves_readers_an_agreeing_state_and_the_next_one_goes_on(
    number: int, disturbed: Disturbed
) -> None:
    shop, before = disturbed.shop, disturbed.answered
    profiled = profiles(shop)
    disturbed.drift()
    moment, run = random.Random(f"{SEED} {number}"), Run(shop)
    if moment.random() < SHARE_WHILE_INDEXING:
        run.wait_for(PROFILED)
        at = run.kill_after(moment.random() * disturbed.indexing)
    else:
        at = run.kill_after(moment.random() * disturbed.profiling)
    # dbt ends with its parent and closes the file; other processes wait for that.
    missing = profiled - profiles(shop) - {"stock.items"}
    met = last_run(shop)
    meanwhile = answered(shop)
    record = shop.refresh()
    disturbed.answered = answered(shop)
    report = f"seed {SEED}, kill {number}: at {at}, {met}; then: {record['outcome']}"
    sys.stdout.write(f"{report}, {record['scanned']} scanned, {record['embedded']} embedded\n")
    assert missing == set()
    # What readers get is the state of before or that of after, never a mix of both.
    assert meanwhile in (before, disturbed.answered)
    assert disagreements(shop) == []
    assert record["outcome"] in ("done", "unchanged")
    disturbed.met.update([at, "survived"])


def profiles(shop: Shop) -> set[str]:
    """The tables that have profiles of all levels."""
    levels = (
        f"select schema_name || '.' || table_name from main_linker.linker_profile_l{level}"
        for level in (1, 2, 3)
    )
    return {name for [name] in shop.rows(" intersect ".join(levels))}


def answered(shop: Shop) -> list[str]:
    """The tables and columns of an answer that holds all there is."""
    done = shop.run(
        "ask", "--strategy", "shortlist", "--column-budget", "1000", "--format", "json", QUESTION
    )
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    return sorted(
        f"{table['name']}.{column['path']}"
        for table in answer["tables"]
        for column in table["columns"]
    )


def last_run(shop: Shop) -> str:
    """What the store knows of the run that was killed."""
    done = shop.run("runs", "--limit", "1", "--format", "json")
    [run] = json.loads(done.stdout)["runs"]
    return f"run {run['number']} {run['outcome']}"

"""
Ten readers during continuous refreshes: each answer is of one index version.

`make test-readers` runs ten minutes, or `MINUTES=…`; otherwise one refresh.
"""

import json
import os
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from linker.api import Linker
from linker.output import render
from tests.figures import keep_figures
from tests.refresh.shop import Shop

MINUTES = float(os.environ.get("MINUTES", "0"))
READERS = 10
# Of the ten, those that open linker anew for each question; the others keep it open, as a service
# does.
OPENING = 2
QUESTION = "Which customers made orders?"
# Each takes the place of the one before: no two states of the shop have the same columns.
CHANGE = """
    alter table sales.customers add column note_{day} varchar;
    create or replace table sales.orders as
        select range as order_id, range % 7 as customer_id, 'O' || range as order_no_{day} from range(40 + {day});
    create or replace table stock.items_{even} as select range as item_id, 'i' as item_name_{day} from range(9);
    drop table if exists stock.items_{odd};
"""


@dataclass
class Seen:
    """What the readers were answered, and what they met."""

    answers: list[tuple[float, float, str]] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    is_over: threading.Event = field(default_factory=threading.Event)


@pytest.fixture
def profiled() -> Iterator[Shop]:
    """A shop that was profiled and indexed."""
    with TemporaryDirectory(prefix="linker-readers-") as folder:
        shop = Shop.open(Path(folder))
        shop.refresh()
        yield shop


def opened(shop: Shop) -> Linker:
    return Linker.open(
        profiles_dir=shop.folder,
        profile="shop",
        state_dir=shop.folder / "state",
        strategy="shortlist",
        column_budget=1000,
    )


def answer(linker: Linker) -> str:
    """The whole answer, without parts that differ between runs."""
    told = json.loads(render(linker.ask(QUESTION), "json"))
    return json.dumps(
        {key: value for key, value in told.items() if key not in ("cost", "seconds", "trace")}
    )


def read(shop: Shop, seen: Seen, *, is_opening: bool) -> None:
    """Ask until it is over."""
    linker = opened(shop)
    try:
        while not seen.is_over.is_set():
            started = time.monotonic()
            if is_opening:
                linker.close()
                linker = opened(shop)
            found = answer(linker)
            seen.answers.append((started, time.monotonic(), found))
    except Exception as error:  # noqa: BLE001 - whatever it is, a reader met it
        seen.failures.append(f"{type(error).__name__}: {error}")
    finally:
        linker.close()


def test_ten_readers_are_answered_by_the_index_before_or_after_while_refreshes_run(
    profiled: Shop,
) -> None:
    seen, states, runs = Seen(), [], []
    with opened(profiled) as linker:
        states.append(answer(linker))
    readers = [
        threading.Thread(
            target=read, args=(profiled, seen), kwargs={"is_opening": number < OPENING}
        )
        for number in range(READERS)
    ]
    for reader in readers:
        reader.start()
    try:
        deadline = time.monotonic() + 60 * MINUTES
        for day in count(1):
            profiled.execute(CHANGE.format(day=day, even=day % 2, odd=(day + 1) % 2))
            started = time.monotonic()
            assert profiled.refresh()["outcome"] == "done"
            runs.append((started, time.monotonic()))
            with opened(profiled) as linker:
                states.append(answer(linker))
            if time.monotonic() > deadline:
                break
    finally:
        seen.is_over.set()
        for reader in readers:
            reader.join()
    assert len(set(states)) == len(states)
    # A run in progress may or may not have published its index.
    wrong, during = [], 0
    for began, ended, found in seen.answers:
        first = sum(end <= began for _, end in runs)
        last = sum(start < ended for start, _ in runs)
        if found not in states[first : last + 1]:
            wrong.append(found)
        during += any(start < ended and began < end for start, end in runs)
    assert seen.failures == []
    assert wrong == []
    assert during >= READERS
    keep_figures(
        "readers",
        "Concurrent readers during refreshes",
        command="make test-readers",
        note="Each answer equals one of the index before or after the overlapping runs.",
        columns=[
            "readers",
            "minutes",
            "refreshes",
            "answers",
            "while a refresh ran",
            "failed",
            "wrong",
        ],
        rows=[
            [READERS, MINUTES, len(runs), len(seen.answers), during, len(seen.failures), len(wrong)]
        ],
    )

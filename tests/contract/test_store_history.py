"""Contract of the store for run history and locks."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import psycopg
import pytest

from linker.config.values import Secret
from linker.errors import BusyError, StoreError
from linker.index import Store, open_store
from linker.types import ColumnState, TableError, TableRef, TableState, Work
from tests.contract.runs import (
    NOON,
    ORDERS,
    PEOPLE,
    RETURNS,
    end_all_sessions,
    ended,
    run_with,
    state,
)


@pytest.fixture
def keeps_two(url: Secret, state_dir: Path) -> Iterator[Store]:
    """A store whose history keeps two runs."""
    opened = open_store(url, state_dir, kept_runs=2)
    yield opened
    opened.close()


def test_runs_are_numbered_from_one_for_each_target_and_come_newest_first(
    store: Store, target: str
) -> None:
    history = store.history
    assert history.runs(target, limit=9) == []
    assert [run_with(store, target, None) for _ in range(3)] == [1, 2, 3]
    assert history.begin(f"{target}, another", "index") == 1
    assert history.runs(target, limit=9) == [ended(3), ended(2), ended(1)]
    assert history.runs(target, limit=2) == [ended(3), ended(2)]
    [other] = history.runs(f"{target}, another", limit=9)
    assert (other.kind, other.outcome, other.ended_at, other.work) == (
        "index",
        "running",
        None,
        Work(),
    )
    assert abs(datetime.now(UTC) - other.started_at) < timedelta(minutes=5)


def test_a_run_that_is_withdrawn_leaves_nothing_and_one_that_ended_stays(
    store: Store, target: str
) -> None:
    ended_before = run_with(store, target, None)
    begun = store.history.begin(target, "refresh")
    for number in (begun, ended_before):
        store.history.delete(target, number)
    assert [run.number for run in store.history.runs(target, limit=9)] == [ended_before]
    assert store.history.begin(target, "refresh") == begun


def test_everything_that_a_run_tells_comes_back(store: Store, target: str) -> None:
    odd = 'a "quote" in \u65e5\u672c, a NUL \0 and half a pair \ud83d'
    told = ended(
        store.history.begin(target, "refresh"),
        outcome="partly failed",
        started_at=NOON.astimezone(timezone(timedelta(hours=-5))),
        work=Work(*range(1, 11)),
        errors=(TableError(ORDERS, odd), TableError(RETURNS, "permission denied")),
        dbt_runs=("a", "b"),
        message=odd,
    )
    store.history.end(target, told, None)
    [run] = store.history.runs(target, limit=1)
    assert run == told
    assert run.started_at.utcoffset() == timedelta(0)


def test_everything_of_a_state_comes_back(store: Store, target: str) -> None:
    full = ColumnState(
        'größe."日本"',
        "DECIMAL(9, 2)",
        False,
        "money",
        0.1,
        3,
        "-1e3",
        "\0",
        (("kept", 7), ("\0", 1)),
        is_sampled=True,
    )
    kept = {
        ORDERS: TableState(10**12, NOON, (full, ColumnState("x", "", None))),
        RETURNS: TableState(None, None, ()),
    }
    assert store.history.states(target, run_with(store, target, kept)) == kept


def test_states_are_as_they_were_at_the_end_of_each_run(store: Store, target: str) -> None:
    """A table that stays, one that changes and reverts, one that returns, and a new one."""
    stays, changed = state(1, "id"), state(2, "id", "new")
    found = [
        {ORDERS: stays, RETURNS: stays, PEOPLE: stays},
        {ORDERS: stays, RETURNS: changed},
        None,
        {ORDERS: stays, RETURNS: stays, PEOPLE: stays, TableRef("other", "orders"): changed},
        {},
    ]
    for states in found:
        run_with(store, target, states)
    assert [store.history.states(target, number) for number in range(1, 6)] == [
        *found[:2],
        found[1],
        *found[3:],
    ]
    assert store.history.states(target, 0) == {}
    assert store.history.states(target, 99) == {}


def test_a_run_that_found_the_same_writes_no_state(
    store: Store, target: str, own_connection: psycopg.Connection
) -> None:
    def written() -> list[tuple[object, ...]]:
        return own_connection.execute(
            "select table_name, from_run, until_run, xmin::text, ctid::text from linker.table_states "
            "where target = %s order by table_name, from_run",
            (target,),
        ).fetchall()

    run_with(store, target, {ORDERS: state(1, "id"), RETURNS: state(1, "id")})
    before = written()
    assert [row[:3] for row in before] == [("orders", 1, None), ("returns", 1, None)]
    run_with(store, target, None)
    run_with(store, target, {RETURNS: state(1, "id"), ORDERS: state(1, "id")})
    assert written() == before
    run_with(store, target, {RETURNS: state(1, "id"), ORDERS: state(2, "id")})
    assert [row[:3] for row in written()] == [
        ("orders", 1, 4),
        ("orders", 4, None),
        ("returns", 1, None),
    ]
    assert written()[2] == before[1]


def test_the_runs_that_found_something_changed_are_told_from_the_others(
    store: Store, target: str
) -> None:
    found: list[dict[TableRef, TableState] | None] = [
        {},
        {ORDERS: state(1, "id"), RETURNS: state(1, "id")},
        None,
        {ORDERS: state(1, "id"), RETURNS: state(1, "id")},
        {ORDERS: state(1, "id")},
        None,
        {ORDERS: state(2, "id")},
    ]
    for states in found:
        run_with(store, target, states)
    run_with(store, f"{target}, another", {ORDERS: state(1, "id")})
    assert store.history.changed_runs(target, limit=9) == [7, 5, 2]
    assert store.history.changed_runs(target, limit=2) == [7, 5]


def test_targets_do_not_see_each_other(store: Store, target: str) -> None:
    other = f"{target}, another"
    run_with(store, target, {ORDERS: state(1, "id")})
    run_with(store, other, {PEOPLE: state(2, "id")})
    run_with(store, other, {})
    assert store.history.states(target, 2) == {ORDERS: state(1, "id")}
    assert store.history.states(other, 1) == {PEOPLE: state(2, "id")}
    with store.history.lock(target), store.history.lock(other):
        store.history.begin(other, "refresh")
    with store.history.lock(target):
        store.history.begin(target, "refresh")
    assert store.history.runs(other, limit=1)[0].outcome == "running"


def test_a_run_that_another_took_for_killed_cannot_end(
    store: Store, embedded_state_dir: Path, variant: str, url: Secret, target: str
) -> None:
    """Its lock was lost with a connection, and the other one has looked at the warehouse since."""
    other = open_store(None if variant == "embedded" else url, embedded_state_dir)
    late = other.history.begin(target, "refresh")
    with store.history.lock(target):
        now = store.history.begin(target, "refresh")
        store.history.end(target, ended(now), {ORDERS: state(2, "id")})
    with pytest.raises(BusyError, match="began before run 1 ended"):
        other.history.end(target, ended(late), {ORDERS: state(1, "id")})
    other.close()
    assert [run.outcome for run in store.history.runs(target, limit=9)] == ["done", "killed"]
    assert store.history.states(target, 2) == {ORDERS: state(2, "id")}


def test_ending_a_run_again_in_the_same_way_changes_nothing(store: Store, target: str) -> None:
    number = run_with(store, target, {ORDERS: state(1, "id")})
    store.history.end(target, ended(number), {ORDERS: state(1, "id")})
    assert store.history.runs(target, limit=9) == [ended(number)]
    assert store.history.states(target, number) == {ORDERS: state(1, "id")}


def test_a_connection_that_is_lost_is_opened_again(
    store: Store, target: str, own_connection: psycopg.Connection
) -> None:
    end_all_sessions(own_connection)
    number = store.history.begin(target, "refresh")
    end_all_sessions(own_connection)
    store.history.end(target, ended(number), {ORDERS: state(1, "id")})
    end_all_sessions(own_connection)
    assert store.history.runs(target, limit=9) == [ended(1)]
    end_all_sessions(own_connection)
    assert store.history.states(target, 1) == {ORDERS: state(1, "id")}


def test_a_disk_that_is_full_is_told_in_one_line_and_neither_run_nor_states_are_written(
    store: Store, target: str, own_connection: psycopg.Connection
) -> None:
    """Postgres ends the connection between the states, as it may at any time."""
    run_with(store, target, {ORDERS: state(1, "id")})
    own_connection.execute(
        "create function linker.full() returns trigger language plpgsql as "
        "$$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$"
    )
    own_connection.execute(
        "create trigger is_full before insert on linker.table_states for each row "
        "when (new.table_name = 'returns') execute function linker.full()"
    )
    number = store.history.begin(target, "refresh")
    states = {ORDERS: state(2, "id"), RETURNS: state(2, "id")}
    try:
        with pytest.raises(StoreError, match="disk of the store is full") as caught:
            store.history.end(target, ended(number), states)
    finally:
        own_connection.execute("drop function linker.full() cascade")
    assert "\n" not in caught.value.what
    assert store.history.runs(target, limit=1)[0].outcome == "running"
    assert store.history.states(target, number) == {ORDERS: state(1, "id")}
    store.history.end(target, ended(number), states)
    assert store.history.states(target, number) == states


def test_runs_beyond_those_kept_go_and_with_them_the_states_that_only_they_saw(
    keeps_two: Store, target: str, own_connection: psycopg.Connection
) -> None:
    history = keeps_two.history
    stays = state(0, "id")
    found: list[dict[TableRef, TableState] | None] = [
        {ORDERS: stays, RETURNS: state(1, "id")},
        {ORDERS: stays, RETURNS: state(2, "id")},
        None,
        {ORDERS: stays},
    ]
    for states in found:
        run_with(keeps_two, target, states)
    assert [run.number for run in history.runs(target, limit=9)] == [4, 3]
    assert history.states(target, 3) == found[1]
    assert history.states(target, 4) == found[3]
    left = "select table_name, from_run, until_run from linker.table_states where target = %s order by table_name"
    assert own_connection.execute(left, (target,)).fetchall() == [
        ("orders", 1, None),
        ("returns", 2, 4),
    ]
    assert run_with(keeps_two, target, None) == 5
    assert own_connection.execute(left, (target,)).fetchall() == [("orders", 1, None)]


def test_who_is_not_alone_calls_no_run_killed(store: Store, target: str) -> None:
    assert [store.history.begin(target, "refresh") for _ in range(2)] == [1, 2]
    assert [run.outcome for run in store.history.runs(target, limit=9)] == ["running", "running"]

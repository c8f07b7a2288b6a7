"""`linker runs` and `linker diff` over a real store while the warehouse is unavailable."""

import json
import re
import shlex
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from linker.cli import main
from linker.index import Store
from linker.types import ColumnState, Run, TableError, TableRef, TableState, Work
from tests.messages import messages

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
ORDERS = TableRef("shop", "orders")
RETURNS = TableRef("shop", "returns")
Command = Callable[..., Result]


@pytest.fixture
def command(tmp_path: Path, embedded_state_dir: Path, embedded_store: Store) -> Command:
    """The command, with a profile whose warehouse lies in no folder."""
    target = f"type: duckdb, path: '{tmp_path / 'nowhere' / 'away.duckdb'}'"
    (tmp_path / "profiles.yml").write_text(
        f"{tmp_path.name}: {{target: dev, outputs: {{dev: {{{target}}}}}}}", "utf-8"
    )

    def run(*words: str) -> Result:
        where = [
            "--profiles-dir",
            str(tmp_path),
            "--state-dir",
            str(embedded_state_dir),
            "--profile",
            tmp_path.name,
        ]
        return CliRunner().invoke(main, [*words, *where])

    return run


@pytest.fixture
def target(tmp_path: Path) -> str:
    return f"{tmp_path.name}.dev"


def state(row_count: int, *paths: str) -> TableState:
    return TableState(
        row_count, NOON, tuple(ColumnState(path, "integer", is_nullable=True) for path in paths)
    )


def ran(
    store: Store, target: str, states: dict[TableRef, TableState] | None, **other: object
) -> None:
    number = store.history.begin(target, "refresh")
    run = Run(
        number, "refresh", "done", NOON, NOON + timedelta(seconds=90), Work(scanned=2, embedded=3)
    )
    store.history.end(target, replace(run, **other), states)


@pytest.fixture
def _four_runs(embedded_store: Store, target: str) -> None:
    """Two tables; nothing new; a new column and a dropped table; a failure."""
    ran(embedded_store, target, {ORDERS: state(5, "id"), RETURNS: state(5, "id")})
    ran(embedded_store, target, None, outcome="unchanged", work=Work(unchanged=2))
    ran(embedded_store, target, {ORDERS: state(5, "id", "total")})
    errors = (TableError(ORDERS, "permission denied"), TableError(RETURNS, "it is gone"))
    ran(embedded_store, target, None, outcome="partly failed", errors=errors)


def changes(result: Result) -> list[tuple[str, str, list[str]]]:
    found: list[tuple[str, str, list[str]]] = []
    for one in json.loads(result.stdout)["tables"]:
        found.append((one["table"], one["change"], [column["column"] for column in one["columns"]]))
    return found


@pytest.mark.usefixtures("_four_runs")
def test_runs_are_listed_newest_first_with_what_they_did(command: Command, target: str) -> None:
    told = json.loads(command("runs", "--format", "json").stdout)
    assert (told["version"], told["target"]) == (1, target)
    assert [run["number"] for run in told["runs"]] == [4, 3, 2, 1]
    assert told["runs"][3] == {
        "number": 1,
        "kind": "refresh",
        "outcome": "done",
        "selection": "",
        "started_at": "2026-11-21T12:00:00+00:00",
        "ended_at": "2026-11-21T12:01:30+00:00",
        "seconds": 90.0,
        "planned": 0,
        "scanned": 2,
        "unchanged": 0,
        "left_out": 0,
        "failed": 0,
        "statements": 0,
        "rows_read": 0,
        "bytes_read": 0,
        "embedded": 3,
        "removed": 0,
        "learned": 0,
        "not_learned": 0,
        "errors": [],
        "dbt_runs": [],
        "message": "",
    }
    shown = command("runs")
    assert shown.exit_code == 0
    # The command has the flags that were given, so that it can be pasted.
    [told] = re.findall(
        r"shop\.orders: permission denied \(and 1 table more: linker runs (.*)\)", shown.stdout
    )
    assert shlex.split(told)[-1] == "4"
    assert "--state-dir" in shlex.split(told)


@pytest.mark.usefixtures("_four_runs")
def test_one_run_is_shown_whole_with_a_line_for_each_error(command: Command) -> None:
    for name in ("4", "last"):
        shown = command("runs", name).stdout
        assert "shop.orders: permission denied\n" in shown
        assert "shop.returns: it is gone\n" in shown
    assert [
        run["number"] for run in json.loads(command("runs", "2", "--format", "json").stdout)["runs"]
    ] == [2]


@pytest.mark.usefixtures("_four_runs")
def test_that_older_runs_are_not_listed_is_said(command: Command) -> None:
    shown = command("runs", "--limit", "3")
    assert "older runs are not listed" in shown.stderr
    assert messages(command("runs", "--limit", "4").stderr) == []


@pytest.mark.usefixtures("_four_runs")
def test_without_a_run_the_last_two_that_found_something_are_compared(command: Command) -> None:
    told = command("diff", "--format", "json")
    record = json.loads(told.stdout)
    assert (record["before"]["number"], record["after"]["number"]) == (1, 3)
    assert changes(told) == [("orders", "changed", ["total"]), ("returns", "gone", [])]


@pytest.mark.usefixtures("_four_runs")
def test_one_run_is_compared_with_the_one_before_it_and_two_with_each_other(
    command: Command,
) -> None:
    assert changes(command("diff", "2", "--format", "json")) == []
    assert changes(command("diff", "3", "--format", "json")) == [
        ("orders", "changed", ["total"]),
        ("returns", "gone", []),
    ]
    assert changes(command("diff", "last", "--format", "json")) == []
    assert changes(command("diff", "3", "1", "--format", "json")) == [
        ("orders", "changed", ["total"]),
        ("returns", "came", []),
    ]
    assert "nothing changed beyond the thresholds in 1 table" in command("diff", "4").stdout


@pytest.mark.usefixtures("_four_runs")
def test_the_exit_code_tells_of_changes_where_it_is_asked_to(command: Command) -> None:
    assert [command("diff", "3").exit_code, command("diff", "3", "--exit-code").exit_code] == [0, 1]
    assert command("diff", "2", "--exit-code").exit_code == 0


def test_thresholds_are_flags_and_stand_in_the_record(
    command: Command, embedded_store: Store, target: str
) -> None:
    ran(embedded_store, target, {ORDERS: state(100, "id")})
    ran(embedded_store, target, {ORDERS: state(105, "id")})
    assert changes(command("diff", "--format", "json")) == []
    told = command("diff", "--rows", "0.04", "--values", "0.3", "--format", "json")
    assert changes(told) == [("orders", "changed", [])]
    thresholds = {"rows": 0.04, "nulls": 0.05, "distinct": 0.2, "range": 0.1, "values": 0.3}
    assert json.loads(told.stdout)["thresholds"] == thresholds


@pytest.mark.parametrize(
    "words", [("runs", "last"), ("runs", "1"), ("diff", "1"), ("diff", "1", "2")]
)
def test_that_no_run_is_recorded_is_said_with_the_command_that_makes_one(
    command: Command, words: list[str]
) -> None:
    done = command(*words)
    assert done.exit_code == 2
    assert "no runs of" in done.stderr
    assert "linker refresh" in done.stderr


def test_a_store_that_was_never_made_is_not_made_to_look(command: Command, tmp_path: Path) -> None:
    for name in ("runs", "diff"):
        done = CliRunner().invoke(
            main,
            [
                name,
                "--target",
                "demo",
                "--profile",
                "linker",
                "--state-dir",
                str(tmp_path / "none"),
            ],
        )
        assert done.exit_code == 2
        assert "no runs of `linker.demo` yet" in done.stderr
    assert not (tmp_path / "none").exists()


@pytest.mark.usefixtures("_four_runs")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("runs", "9"), "run 9 of"),
        (("diff", "1", "7"), "only 1 to 4"),
        (("diff", "1"), "run 1 is the first"),
        (("diff", "1", "2", "3"), "name at most two runs"),
        (("runs", "1", "2"), "name at most one run"),
        (("diff", "one"), "`one` is not a run"),
        (("runs", "0"), "`0` is not a run"),
    ],
)
def test_a_run_that_is_not_kept_is_said_in_a_line(
    command: Command, words: list[str], said: str
) -> None:
    done = command(*words)
    assert done.exit_code == 2
    assert said in done.stderr


def test_with_one_run_that_found_something_there_is_nothing_to_compare_yet(
    command: Command, embedded_store: Store, target: str
) -> None:
    ran(embedded_store, target, {ORDERS: state(5, "id")})
    ran(embedded_store, target, None)
    done = command("diff")
    assert done.exit_code == 2
    assert "fewer than two runs" in done.stderr

"""Runs and schema diffs for people and programs, as golden files."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import replace
from rich.cells import cell_len

from linker.history.column_changes import Thresholds
from linker.history.runs import WarehouseDiff, diff, find_broken_joins
from linker.output.runs import (
    render_changes,
    render_changes_json,
    render_changes_markdown,
    render_run,
    render_runs,
    render_runs_json,
    run_line,
)
from linker.types import ColumnState, JoinState, Run, TableError, TableRef, TableState, Work

Golden = Callable[[str, str], None]
STARTED = datetime(2026, 11, 21, 2, 0, 4, tzinfo=UTC)
HOSTILE = "permission denied for \x1b[2Jtable\n“returns”"
RUNS = [
    Run(13, "refresh", "running", STARTED + timedelta(days=2), None),
    Run(
        12,
        "refresh",
        "partly failed",
        STARTED + timedelta(days=1),
        STARTED + timedelta(days=1, seconds=72.4),
        Work(7, 4, 1160, 2, 3, 9, 1_204_331, 1_234_567_890, 34, 2),
        (
            TableError(TableRef("shop", "returns"), HOSTILE),
            TableError(TableRef("shop", "stock"), "the view names a column that is gone"),
            TableError(TableRef("web", "sessions_*"), "out of memory"),
        ),
        ("0e1f", "0e20"),
        selection="--select 'shop.*' --select 'web.*'",
    ),
    Run(
        11,
        "index",
        "done",
        STARTED + timedelta(hours=5),
        STARTED + timedelta(hours=5.1),
        Work(embedded=1204),
    ),
    Run(
        10,
        "refresh",
        "failed",
        STARTED,
        STARTED + timedelta(seconds=3),
        message="cannot connect to the store: the server is away",
    ),
    Run(9, "refresh", "killed", STARTED - timedelta(days=1), None),
    Run(
        8,
        "refresh",
        "unchanged",
        STARTED - timedelta(days=2),
        STARTED - timedelta(days=2),
        Work(unchanged=1167),
    ),
    Run(
        7,
        "refresh",
        "partly failed",
        STARTED - timedelta(days=3),
        STARTED - timedelta(days=3),
        Work(unchanged=1167, learned=2, not_learned=1),
        message="source queries.sql: cannot read queries.sql: it is gone",
    ),
]


def column(path: str, data_type: str = "VARCHAR", **other: object) -> ColumnState:
    plain = ColumnState(
        path, data_type, is_nullable=True, null_ratio=0.0, privacy="show", distinct_is_exact=True
    )
    return replace(plain, **other)


def number(path: str, **other: object) -> ColumnState:
    measured = {"value_kind": "integer", "category": "measure", "distinct_count": 400, **other}
    return column(path, "INTEGER", **measured)


ID = column("id", "BIGINT", value_kind="integer", category="identifier", distinct_count=9)
STATUS = column(
    "status",
    distinct_count=6,
    category="code",
    values=(("D", 600), ("S", 250), ("A", 100), ("P", 40), ("C", 10)),
)
BEFORE = {
    TableRef("shop", "orders"): TableState(
        16_000,
        STARTED,
        (
            ID,
            STATUS,
            number("amount", min="0", max="1000", is_nullable=False),
            column("shipped_at", "TIMESTAMP", category="timestamp", null_ratio=0.02),
            column("legacy_flag", "BOOLEAN", category="boolean"),
            number("Preis (€)", min="5", max="70"),
        ),
    ),
    TableRef("shop", "returns"): TableState(120, STARTED, (ID, column("note", null_ratio=0.5))),
    TableRef("shop", "tmp \x1b[2Jimport"): TableState(1, STARTED, (ID,)),
    TableRef("shop", "stock"): TableState(None, None, (ID,)),
}
AFTER = {
    TableRef("shop", "orders"): TableState(
        21_004,
        STARTED + timedelta(days=1),
        (
            ID,
            replace(
                STATUS,
                values=(
                    ("D", 400),
                    ("S", 450),
                    ("A", 100),
                    ("X\x1b[2J9", 31),
                    ("C", 10),
                    ("a" * 60, 9),
                ),
                distinct_count=7,
            ),
            number("total", min="0", max="1010"),
            column("shipped_at", "DATE", category="date", null_ratio=0.314),
            column("discount_reason", null_ratio=0.84),
            number("Preis (€)", min="5", max="90000", distinct_count=4000),
        ),
    ),
    TableRef("shop", "returns"): TableState(
        118, STARTED + timedelta(days=1), (ID, column("note", null_ratio=0.52, privacy="mask"))
    ),
    TableRef("shop", "refunds"): TableState(
        1_200, STARTED + timedelta(days=1), (ID, column("why"))
    ),
    TableRef("shop", "stock"): TableState(None, None, (ID,)),
}
DEFAULTS = Thresholds()
COMPARISON = WarehouseDiff("shop.dev", RUNS[3], RUNS[1], DEFAULTS, diff(BEFORE, AFTER, DEFAULTS), 1)


def test_the_runs_are_as_the_golden_file_shows_them(golden: Golden) -> None:
    golden("render/history/runs.txt", render_runs(RUNS, width=120, color=False))
    golden("render/history/runs.json", render_runs_json("shop.dev", RUNS))


@pytest.mark.parametrize("run", RUNS, ids=lambda run: str(run.number))
def test_one_run_is_as_the_golden_file_shows_it(run: Run, golden: Golden) -> None:
    golden(f"render/history/run_{run.number}.txt", render_run(run, width=80, color=False))


def test_a_run_of_the_index_alone_counts_no_table_that_it_did_not_look_at() -> None:
    ended = STARTED + timedelta(seconds=2)
    assert run_line(Run(2, "index", "unchanged", STARTED, ended)) == "run 2: up to date (2.0 s)"
    refreshed = Run(2, "refresh", "unchanged", STARTED, ended, Work(unchanged=306))
    assert run_line(refreshed) == "run 2: up to date (2.0 s); 306 tables unchanged"


def test_what_changed_is_as_the_golden_file_shows_it(golden: Golden) -> None:
    golden("render/history/changes.txt", render_changes(COMPARISON, width=100, color=False))
    golden("render/history/changes.json", render_changes_json(COMPARISON))


def test_what_changed_is_a_comment_as_the_golden_file_shows_it(golden: Golden) -> None:
    """With a join of which a column went, one whose type changed, and columns that are personal."""
    before, after = dict(BEFORE), dict(AFTER)
    joins = (
        JoinState(("legacy_flag",), "shop", "stock", ("id",)),
        JoinState(("id",), "shop", "returns", ("id",)),
        JoinState(("amount",), "shop", "stock", ("id",)),
    )
    orders = TableRef("shop", "orders")
    before[orders] = replace(before[orders], joins=joins)
    after[TableRef("shop", "<b>people</b> @all")] = TableState(
        3, STARTED, (column("mail|`x`", privacy="mask"), column("pin", privacy="hide"))
    )
    broken = find_broken_joins(before, after)
    assert [str(item.column) for item in broken] == [
        "shop.orders.legacy_flag",
        "shop.orders.amount",
    ]
    compared = replace(
        COMPARISON, tables=diff(before, after, Thresholds()), unchanged=0, broken_joins=broken
    )
    golden("render/history/changes.md", render_changes_markdown(compared))
    golden("render/history/no_changes.md", render_changes_markdown(replace(COMPARISON, tables=())))


def test_that_nothing_changed_is_as_the_golden_file_shows_it(golden: Golden) -> None:
    nothing = replace(COMPARISON, tables=(), unchanged=1167)
    golden("render/history/no_changes.txt", render_changes(nothing, width=100, color=False))
    golden("render/history/no_changes.json", render_changes_json(nothing))


def test_narrow_runs_leave_columns_out_and_cut_nothing() -> None:
    lines = render_runs(RUNS, width=60, color=False).splitlines()[: 1 + len(RUNS)]
    assert {"run", "what", "started", "outcome", "failed"} <= set(lines[0].split())
    assert "…" not in "".join(lines)
    for run, line in zip(RUNS, lines[1:], strict=True):
        assert line.split()[0] == str(run.number)
        assert f"{run.started_at:%Y-%m-%d %H:%M}" in line
        assert run.outcome in line


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("color", [False, True])
def test_a_page_fits_its_width_and_steers_no_terminal(width: int, color: bool) -> None:
    shown = [
        render_changes(COMPARISON, width=width, color=color),
        render_runs(RUNS, width=width, color=color),
        *(render_run(run, width=width, color=color) for run in RUNS),
    ]
    for page in shown:
        assert "\x1b[2J" not in page
        if not color:
            assert max(cell_len(line) for line in page.splitlines()) <= width

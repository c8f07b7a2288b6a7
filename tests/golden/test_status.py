"""Status pages and documents as golden files."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import replace
from rich.cells import cell_len

from linker.output.status import render_status, status_json
from linker.refresh.status import IndexStatus, SchemaStatus, Status
from linker.sql.verified import CheckOutcome, VerifiedCheck
from linker.types import Run, TableError, TableRef, Work

Golden = Callable[[str, str], None]
AT = datetime(2025, 11, 21, 10, 15, tzinfo=UTC)
RETURNS = TableError(TableRef("sales", "ret\x1b[2Jurns"), "division by zero")
SALES = SchemaStatus(
    "sales",
    AT - timedelta(hours=31, minutes=10),
    AT - timedelta(days=3),
    tables=37,
    covered=36,
    changed=("sales.orders", "sales.orders_new"),
    failed=(RETURNS,),
    hidden_columns=2,
    masked_columns=5,
    excluded_columns=3,
    refused_columns=1,
    sampled_tables=4,
    in_step=False,
    current_by={
        "digest of rows": ("sales.orders", "sales.returns"),
        "tables behind a view": ("sales.paid",),
        "age": ("sales.today", "sales.week", "sales.month", "sales.year"),
    },
)
WEB = replace(
    SALES,
    schema="web",
    tables=15,
    covered=15,
    changed=(),
    failed=(),
    hidden_columns=0,
    in_step=True,
)
NEW = replace(WEB, schema="new", last_refresh=None, last_scan=None, covered=0, sampled_tables=0)
QUESTIONS: tuple[tuple[str, CheckOutcome, str], ...] = (
    ("How many orders?", "valid", ""),
    ("Which are\x1b[2J late?", "broken", "there is no column due_on"),
)
RUN = Run(
    12,
    "refresh",
    "partly failed",
    AT - timedelta(hours=32),
    AT - timedelta(hours=31),
    Work(3, 2, 49, failed=1),
)
STATUS = Status(
    "shop.dev",
    "main_linker",
    "Postgres 18.4 with pgvector 0.8.5",
    "all-MiniLM-L6-v2-int8",
    AT,
    RUN,
    (NEW, SALES, WEB),
    replace(SALES, schema="", tables=67, covered=51),
    IndexStatus(580, 67, 7, 1672, 1836, 2, 1, in_step=False),
    (),
    tuple(
        VerifiedCheck(question, "", outcome, reason, "", (), "2025-11-21T09:00:00+00:00")
        for question, outcome, reason in QUESTIONS
    ),
)
AWAY = replace(
    STATUS,
    schemas=tuple(replace(one, changed=None, in_step=None) for one in STATUS.schemas),
    total=replace(STATUS.total, changed=None, in_step=None),
    index=IndexStatus(580, 67, 7, 1672, 1838, None, None, None),
    unseen=("index comparison unavailable: the warehouse is away",),
    last_run=None,
)


@pytest.mark.parametrize(("name", "status"), [("whole", STATUS), ("away", AWAY)])
def test_the_status_is_as_the_golden_file_shows_it(
    name: str, status: Status, golden: Golden
) -> None:
    golden(f"render/status/{name}.txt", render_status(status, width=100, color=False))
    golden(
        f"render/status/{name}.json",
        status_json(status, timedelta(hours=24) if name == "whole" else None),
    )


@pytest.mark.parametrize("color", [False, True])
def test_the_status_fits_its_width_and_steers_no_terminal(color: bool) -> None:
    shown = render_status(STATUS, width=80, color=color)
    assert "\x1b[2J" not in shown
    if not color:
        assert max(cell_len(line) for line in shown.splitlines()) <= 80


def test_a_narrow_status_leaves_columns_out_and_cuts_no_name_and_no_figure() -> None:
    narrow = render_status(STATUS, width=60, color=False).splitlines()
    assert narrow[0].split() == ["schema", "refreshed", "tables", "changed", "failed", "index"]
    assert [line.split()[0] for line in narrow[1:5]] == ["new", "sales", "web", "all"]
    assert "36 of 37" in narrow[2]
    assert "…" not in "".join(narrow[:5])


def test_reasons_name_schemas_of_one_age_together_and_the_run_that_failed() -> None:
    assert STATUS.stale(timedelta(hours=24)) == (
        "new was never refreshed",
        "sales and 1 more schema were last refreshed 1d7h ago",
        "run 12 partly failed",
    )
    assert STATUS.stale(timedelta(days=2)) == ("new was never refreshed", "run 12 partly failed")

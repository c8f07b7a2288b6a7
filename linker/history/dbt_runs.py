"""
Reads what dbt's runs of the project did: enter the artifacts, leave its runs, the oldest first.

A run of `linker profile` repeats dbt where a table fails, and anyone may run dbt alone: one run of ours may have done
several of these, or none.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from linker.catalog.artifacts import Artifacts
from linker.runs import Work


@dataclass(frozen=True, slots=True)
class DbtRun:
    """One invocation of dbt; a table of it that began and neither finished nor failed is unfinished."""

    run_id: str
    started_at: datetime
    ended_at: datetime
    planned: int
    unchanged: int
    left_out: int
    scanned: int
    failed: int
    unfinished: int
    statements: int
    rows_read: int
    bytes_read: int


_RUNS = """
    select
        run_id, started_at, ended_at, planned_tables, unchanged_tables, left_out_tables, scanned_tables,
        failed_tables, unfinished_tables, statement_count, rows_read, bytes_read
    from {linker_runs}
    order by started_at, run_id
"""


def read_dbt_runs(artifacts: Artifacts) -> list[DbtRun]:
    """All runs of which the warehouse keeps the record; none where dbt has not run."""
    if not artifacts.holds("linker_runs"):
        return []
    return [
        DbtRun(run_id, _utc(started), _utc(ended), *(int(count) for count in counts))
        for run_id, started, ended, *counts in artifacts.query(_RUNS)
    ]


def work_of(runs: Iterable[DbtRun]) -> Work:
    """
    What the runs did together: what was read adds up, what was not is told by the first.

    The runs after it find unchanged what it scanned, and plan once more what it failed at.
    """
    done = list(runs)
    if not done:
        return Work()
    scanned, failed = sum(run.scanned for run in done), sum(run.failed for run in done)
    return Work(
        planned=max(done[0].planned, scanned + failed),
        scanned=scanned,
        unchanged=done[0].unchanged,
        left_out=done[0].left_out,
        failed=failed,
        statements=sum(run.statements for run in done),
        rows_read=sum(run.rows_read for run in done),
        bytes_read=sum(run.bytes_read for run in done),
    )


def _utc(moment: datetime) -> datetime:
    """The artifacts hold UTC; only some drivers say so."""
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)

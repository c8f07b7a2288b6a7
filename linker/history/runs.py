"""
Runs of a target, as the store keeps them, and runs of dbt, as the artifacts do.

A run of `linker profile` repeats dbt where a table fails, and anyone may run dbt alone: one run of
ours may have done several of dbt's, or none.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from operator import attrgetter
from typing import TYPE_CHECKING

from msgspec.structs import replace

from linker.catalog.inventory import Artifacts, as_utc, statement
from linker.environment import Environment
from linker.errors import ConfigError
from linker.runs import Run, Work
from linker.store import has_store
from linker.types import Record

if TYPE_CHECKING:
    from linker.store.history import StoredHistory

# More than the history of a target keeps.
_ALL = 1_000_000


class DbtRun(Record, frozen=True):
    """One invocation of dbt, and what it did."""

    run_id: str
    started_at: datetime
    ended_at: datetime
    work: Work


def read_runs(environment: Environment, limit: int | None = None) -> list[Run]:
    """The runs of the target that are kept, the newest first."""
    return history_of(environment).runs(environment.target_key, limit=limit or _ALL)


def find_run(environment: Environment, number: int | None) -> Run:
    """The run of that number, or the newest."""
    return find_among(read_runs(environment), number, environment.target_key)


def history_of(environment: Environment) -> "StoredHistory":
    """The history of the target; where nothing ran it is not made."""
    if not has_store(environment.settings.store_url, environment.settings.state_dir):
        raise _nothing_ran(environment.target_key)
    return environment.store.history


def find_among(runs: Sequence[Run], number: int | None, target: str) -> Run:
    """The run of that number, or the newest, among those that are kept."""
    if not runs:
        raise _nothing_ran(target)
    if number is None:
        return runs[0]
    for run in runs:
        if run.number == number:
            return run
    raise ConfigError(
        f"no run {number} of `{target}` is kept, only {runs[-1].number} to {runs[0].number}",
        hint="linker runs",
    )


def read_dbt_runs(artifacts: Artifacts) -> list[DbtRun]:
    """All runs of which the warehouse keeps the record; none where dbt has not run."""
    if not artifacts.holds("linker_runs"):
        return []
    return [
        DbtRun(run_id, as_utc(started), as_utc(ended), Work(*map(int, counts)))
        for run_id, started, ended, *counts in artifacts.query(statement("runs"))
    ]


def work_of(runs: Iterable[DbtRun]) -> Work:
    """
    Work of several runs together: what was read adds up, what was not is told by the first.

    The runs after it find unchanged what it scanned, and plan once more what it failed at.
    """
    done = [run.work for run in runs]
    if not done:
        return Work()
    total: dict[str, int] = {}
    for name in ("scanned", "failed", "statements", "rows_read", "bytes_read"):
        total[name] = sum(map(attrgetter(name), done))
    return replace(
        done[0], planned=max(done[0].planned, total["scanned"] + total["failed"]), **total
    )


def _nothing_ran(target: str) -> ConfigError:
    return ConfigError(f"no run of `{target}` is recorded", hint="linker refresh")

"""
Looks back at the runs of a target: enter the parts, leave its runs, or what changed in the warehouse between two.

Only the store is asked: the warehouse may be away, or in the hands of a writer.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from linker.environment import Environment
from linker.errors import ConfigError
from linker.history.diff import TableChange, diff
from linker.history.drift import Thresholds
from linker.runs import Run
from linker.store import has_store

if TYPE_CHECKING:
    from linker.store.history import StoredHistory

# More than the history of a target keeps.
_ALL = 1_000_000


@dataclass(frozen=True, slots=True)
class WarehouseDiff:
    """What changed between the ends of two runs; `unchanged` counts the tables of which nothing did."""

    target: str
    before: Run
    after: Run
    thresholds: Thresholds
    tables: tuple[TableChange, ...]
    unchanged: int


def read_runs(environment: Environment, limit: int | None = None) -> list[Run]:
    """The runs of the target that are kept, the newest first."""
    return _history(environment).runs(environment.target_key, limit=limit or _ALL)


def find_run(environment: Environment, number: int | None) -> Run:
    """The run of that number, or the newest."""
    return _find(read_runs(environment), number, environment.target_key)


def compare_runs(environment: Environment, numbers: Sequence[int | None], thresholds: Thresholds) -> WarehouseDiff:
    """
    What changed from one run to another; a number that is `None` is the newest run's.

    One run is compared with the one before it. Where none is named, the last that found something changed is compared
    with the last such one before it.
    """
    target, history = environment.target_key, _history(environment)
    runs = history.runs(target, limit=_ALL)
    if not numbers:
        numbers = _last_two(history, target)
    chosen = [_find(runs, number, target) for number in numbers]
    if len(chosen) == 1:
        chosen.insert(0, _one_before(runs, chosen[0], target))
    before, after = chosen
    was, now = (history.states(target, run.number) for run in (before, after))
    found = diff(was, now, thresholds)
    return WarehouseDiff(target, before, after, thresholds, found, len({*was, *now}) - len(found))


def _history(environment: Environment) -> "StoredHistory":
    if not has_store(environment.settings.store_url, environment.settings.state_dir):
        raise _nothing_ran(environment.target_key)
    return environment.store.history


def _find(runs: Sequence[Run], number: int | None, target: str) -> Run:
    if not runs:
        raise _nothing_ran(target)
    if number is None:
        return runs[0]
    for run in runs:
        if run.number == number:
            return run
    raise ConfigError(
        f"no run {number} of `{target}` is kept, only {runs[-1].number} to {runs[0].number}", hint="linker runs"
    )


def _one_before(runs: Sequence[Run], run: Run, target: str) -> Run:
    earlier = [one for one in runs if one.number < run.number]
    if not earlier:
        raise ConfigError(
            f"run {run.number} is the first of `{target}` that is kept: there is none before it to compare it with",
            hint="linker runs",
        )
    return earlier[0]


def _last_two(history: "StoredHistory", target: str) -> list[int | None]:
    changed: list[int | None] = [*history.changed_runs(target, limit=2)]
    if len(changed) < 2:
        raise ConfigError(
            f"fewer than two runs of `{target}` found something changed, so there is nothing to compare yet",
            hint="linker refresh, when something has changed; or name two runs: linker diff RUN1 RUN2",
        )
    return changed[::-1]


def _nothing_ran(target: str) -> ConfigError:
    return ConfigError(f"no run of `{target}` is recorded", hint="linker refresh")

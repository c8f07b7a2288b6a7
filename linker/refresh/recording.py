"""Records a run in the history: holds the lock, takes the steps, and notes how the run ended."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime

from msgspec.structs import replace

from linker.dbt.profiling import ProfileReport
from linker.environment import Environment
from linker.errors import ConfigError, LinkerError, StoreError
from linker.learn.sources import Lessons
from linker.refresh.steps import RunProgress, Step, index_digest, keep_seen, recent_runs
from linker.runs import ENDED_WELL, Run, RunKind
from linker.types import Record


class Refreshed(Record, frozen=True):
    """
    The run as it is recorded, what dbt said of every table, if it was asked, and what was learned.
    """

    run: Run
    scans: ProfileReport | None
    lessons: Lessons


def record_run(
    kind: RunKind, steps: Sequence[Step], progress: RunProgress, *, selection: str = ""
) -> Refreshed:
    """Take the steps, unless another run is doing so, and record the run however it ends."""
    environment = progress.environment
    history, target = environment.store.history, environment.target_key
    with history.hold(target):
        begun = Run(
            history.begin(target, kind),
            kind,
            "running",
            datetime.now(UTC),
            None,
            selection=selection,
        )
        try:
            for step in steps:
                progress = step(progress)
        except BaseException as error:
            # A run whose end cannot be noted is found by the next one, as one that was killed.
            with suppress(StoreError):
                if isinstance(error, ConfigError):
                    # What was asked for wrongly says nothing of the target, and has touched
                    # nothing.
                    history.withdraw(target, begun.number)
                else:
                    history.end(
                        target,
                        replace(
                            begun, outcome="failed", ended_at=_end_of(begun), message=_why(error)
                        ),
                        None,
                    )
            raise
        run = replace(
            begun,
            outcome=progress.outcome,
            ended_at=_end_of(begun),
            work=progress.work,
            errors=progress.errors,
            dbt_runs=progress.dbt_runs,
            message="; ".join(progress.lessons.failures),
        )
        history.end(target, run, progress.states)
        if progress.scans:
            # Not before: what is kept says that all of this was done.
            keep_seen(environment, progress.dbt, progress.scans, index=index_digest(environment))
        return Refreshed(run, progress.scans, progress.lessons)


def last_good_refresh(environment: Environment, selection: str = "") -> Run | None:
    """The newest refresh of that selection, or of everything, that ended well."""
    good = (
        run
        for run in recent_runs(environment)
        if run.kind == "refresh" and run.outcome in ENDED_WELL
    )
    return next((run for run in good if run.selection in ("", selection)), None)


def _end_of(begun: Run) -> datetime:
    # The clock may have been set back meanwhile.
    return max(datetime.now(UTC), begun.started_at)


def _why(error: BaseException) -> str:
    if isinstance(error, LinkerError):
        return error.what
    return "it was interrupted" if isinstance(error, KeyboardInterrupt) else type(error).__name__

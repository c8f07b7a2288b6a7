"""
Keeps a target current: enters what is wanted of a run, leaves what the run did; nobody needs to watch it.

lock -> a look whether anything changed -> dbt profiles what is new or changed -> the index is brought in step
     -> what `learn_from` names is learned, also where nothing else changed -> the run is recorded

Each step leaves whole what the one before left. A run that is killed is found by the next one, which goes on from
what is there: no scan that ended is done again, and no column is embedded twice.
"""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Protocol

from linker.catalog.indexing import IndexPlan, OnProgress
from linker.dbt.profiling import DbtTarget, ProfileReport, plan_scans, profile_warehouse
from linker.environment import Environment
from linker.errors import ConfigError, LinkerError, StoreError, WarehouseError
from linker.history.dbt_runs import DbtRun, read_dbt_runs, work_of
from linker.history.states import read_states
from linker.learn.due import NO_LESSONS, DueSource, Lessons, learn_due, plan_learning
from linker.pipeline import compare_index, index
from linker.refresh.watch import Look, keep, look, made_for
from linker.runs import ENDED_WELL, Outcome, Run, RunKind, TableError, TableState, Work
from linker.types import TableRef

# So far back a run that ended well is looked for.
_LAST_RUNS = 50


class ProgressStage(Protocol):
    """A step at work: how far it is, and what it says of itself when it is done."""

    summary: str
    numbers: dict[str, int]

    @property
    def on_progress(self) -> OnProgress:
        """Where to tell how much is done, of how much."""

    def on_wait(self, said: str) -> None:
        """Say at once what it waits for."""


Stages = Callable[[str], AbstractContextManager[ProgressStage]]


@dataclass
class _Quiet:
    """A step that nobody watches."""

    summary: str = ""
    numbers: dict[str, int] = field(default_factory=dict)

    def on_progress(self, done: int, total: int) -> None:
        """Nobody is told."""

    def on_wait(self, said: str) -> None:
        """Nobody waits with it."""


def quietly(_step: str) -> AbstractContextManager[ProgressStage]:
    """Steps that nobody watches."""
    return nullcontext(_Quiet())


@dataclass(frozen=True, slots=True)
class Refreshed:
    """The run as it is recorded, what dbt said of every table, if it was asked, and what was learned."""

    run: Run
    scans: ProfileReport | None = None
    lessons: Lessons = NO_LESSONS


@dataclass(frozen=True, slots=True)
class _Done:
    """What a run did, before it is recorded; no states where nothing changed."""

    outcome: Outcome
    work: Work
    errors: tuple[TableError, ...] = ()
    dbt_runs: tuple[str, ...] = ()
    states: Mapping[TableRef, TableState] | None = None
    scans: ProfileReport | None = None
    lessons: Lessons = NO_LESSONS


def last_good_refresh(environment: Environment, selection: str = "") -> Run | None:
    """The newest refresh of that selection, or of everything, that ended well."""
    good = (run for run in _last_runs(environment) if run.kind == "refresh" and run.outcome in ENDED_WELL)
    return next((run for run in good if run.selection in ("", selection)), None)


def is_younger(run: Run, age: timedelta) -> bool:
    """Whether the run ended less than that long ago."""
    return run.ended_at is not None and datetime.now(UTC) - run.ended_at < age


def plan_refresh(environment: Environment, dbt: DbtTarget) -> tuple[ProfileReport, IndexPlan, tuple[DueSource, ...]]:
    """What a run would scan and why, how the index differs from the artifacts now, and what it would learn from."""
    with environment.store.history.hold(environment.target_key):
        scans = plan_scans(dbt)
        return scans, compare_index(environment), plan_learning(environment)


def refresh(environment: Environment, dbt: DbtTarget, stages: Stages, *, selection: str = "") -> Refreshed:
    """Bring profiles and index in step with the warehouse, unless another run is doing so."""
    return _recorded(environment, "refresh", lambda: _refreshed(environment, dbt, stages), dbt=dbt, selection=selection)


def update_index(environment: Environment, stages: Stages) -> Refreshed:
    """Bring the index in step with what dbt left, unless another run is doing so."""
    return _recorded(environment, "index", lambda: _indexed(environment, stages))


def _recorded(
    environment: Environment,
    kind: RunKind,
    do: Callable[[], _Done],
    *,
    dbt: DbtTarget | None = None,
    selection: str = "",
) -> Refreshed:
    history, target = environment.store.history, environment.target_key
    with history.hold(target):
        begun = Run(history.begin(target, kind), kind, "running", _now(), None, selection=selection)
        try:
            done = do()
        except BaseException as error:
            # A run whose end cannot be noted is found by the next one, as one that was killed.
            with suppress(StoreError):
                if isinstance(error, ConfigError):
                    # What was asked for wrongly says nothing of the target, and has touched nothing.
                    history.withdraw(target, begun.number)
                else:
                    history.end(target, replace(begun, outcome="failed", ended_at=_now(), message=_why(error)), None)
            raise
        run = replace(
            begun,
            outcome=done.outcome,
            ended_at=_now(),
            work=done.work,
            errors=done.errors,
            dbt_runs=done.dbt_runs,
            message="; ".join(done.lessons.failures),
        )
        history.end(target, run, done.states)
        if dbt and done.scans and done.scans.watched:
            # Not before: what is kept says that all of this was done.
            keep(dbt.state_dir, environment.target, _made_for(environment, dbt), done.scans.watched)
        return Refreshed(run, done.scans, done.lessons)


def _refreshed(environment: Environment, dbt: DbtTarget, stages: Stages) -> _Done:
    # A wrong setting is told before anything is read.
    environment.collection  # noqa: B018 - opens the encoder
    done = _profiled(environment, dbt, stages)
    if not environment.settings.learn_from:
        return done
    with stages("learn") as stage:
        lessons = learn_due(environment, stage.on_progress, is_full=dbt.full_refresh)
        stage.summary, stage.numbers = str(lessons), lessons.numbers
    outcome = "done" if lessons.new and done.outcome == "unchanged" else done.outcome
    if lessons.failures:
        outcome = "partly failed"
    return replace(done, outcome=outcome, work=replace(done.work, **lessons.numbers), lessons=lessons)


def _profiled(environment: Environment, dbt: DbtTarget, stages: Stages) -> _Done:
    if not dbt.full_refresh:
        with stages("look") as stage:
            seen = _look(environment, dbt)
            stage.summary = seen.reason
        if seen.is_unchanged:
            return _as_before(environment)
    with stages("profile") as stage:
        report = profile_warehouse(dbt, stage.on_progress, stage.on_wait)
        stage.summary, stage.numbers = str(report), report.numbers
    environment.forget_artifacts()
    plan = _brought_in_step(environment, stages)
    errors = tuple(TableError(TableRef(one.schema, one.table), one.message) for one in report.failures)
    work = Work(
        planned=report.scanned_count + len(errors),
        scanned=report.scanned_count,
        unchanged=report.count("unchanged"),
        left_out=report.count("left out"),
        failed=len(errors),
        statements=report.statements,
        rows_read=report.rows_read,
        bytes_read=report.bytes_read,
    )
    done = _done(environment, plan, work, report.dbt_runs)
    return replace(done, outcome="partly failed" if errors else done.outcome, errors=errors, scans=report)


def _indexed(environment: Environment, stages: Stages) -> _Done:
    plan = _brought_in_step(environment, stages)
    runs = _unrecorded(environment)
    return _done(environment, plan, work_of(runs), tuple(run.run_id for run in runs))


def _brought_in_step(environment: Environment, stages: Stages) -> IndexPlan:
    with stages("index") as stage:
        plan = index(environment, stage.on_progress)
        stage.summary = str(plan)
        stage.numbers = {"embedded": len(plan.to_embed), "removed": len(plan.gone)}
    return plan


def _done(environment: Environment, plan: IndexPlan, work: Work, dbt_runs: tuple[str, ...]) -> _Done:
    """What was done in all, and what the tables are like now, where the history may not have it already."""
    is_unchanged = plan.in_step and not work.scanned
    has_states = is_unchanged and _ended_well_before(environment)
    states = None if has_states else read_states(environment.warehouse.artifacts, environment.warehouse.catalog)
    # Whoever reads a DuckDB file keeps others from writing it.
    environment.release_warehouse()
    work = replace(work, embedded=len(plan.to_embed), removed=len(plan.gone))
    return _Done("unchanged" if is_unchanged else "done", work, dbt_runs=dbt_runs, states=states)


def _look(environment: Environment, dbt: DbtTarget) -> Look:
    """Whether anything changed since the last run, without dbt; where that cannot be told, dbt will say why."""
    if not _ended_well_before(environment):
        return Look(is_unchanged=False, reason="the run before did not end well, or there was none")
    try:
        return look(dbt.state_dir, environment.target, _made_for(environment, dbt))
    except WarehouseError as error:
        return Look(is_unchanged=False, reason=f"it failed: {error.what}")


def _made_for(environment: Environment, dbt: DbtTarget) -> str:
    """What a look is valid for: the same order to dbt, and the index as it is now."""
    index = environment.store.snapshot_digest(environment.collection)
    return made_for(environment.target, dbt.variables, environment.embedder.name, index)


def _as_before(environment: Environment) -> _Done:
    """Nothing was done, so all is as the run before left it."""
    before = _last_runs(environment)[1].work
    return _Done("unchanged", Work(unchanged=before.scanned + before.unchanged, left_out=before.left_out))


def _ended_well_before(environment: Environment) -> bool:
    """Whether the run before this one came to its end: one that was killed recorded nothing of what it did."""
    return [run.outcome in ENDED_WELL for run in _last_runs(environment)[1:2]] == [True]


def _unrecorded(environment: Environment) -> list[DbtRun]:
    """What dbt did by itself since the last run of ours; before the first, only the last of it is of interest."""
    runs = read_dbt_runs(environment.warehouse.artifacts)
    last = next((run for run in _last_runs(environment) if run.ended_at), None)
    if last is None:
        return runs[-1:]
    return [run for run in runs if run.started_at > last.started_at and run.run_id not in last.dbt_runs]


def _last_runs(environment: Environment) -> list[Run]:
    return environment.store.history.runs(environment.target_key, limit=_LAST_RUNS)


def _now() -> datetime:
    return datetime.now(UTC)


def _why(error: BaseException) -> str:
    if isinstance(error, LinkerError):
        return error.what
    return "it was interrupted" if isinstance(error, KeyboardInterrupt) else type(error).__name__

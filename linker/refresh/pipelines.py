"""
Pipelines that refresh profiles and index: ordered steps, run under a lock and recorded in the run
history.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime

from msgspec.structs import replace

from linker.catalog.documents import IndexPlan
from linker.catalog.warehouse import patterns_of, unmatched
from linker.config.values import unmatched as unmatched_tables
from linker.dbt.manifest import relations_elsewhere
from linker.dbt.ossie_import import read_documents
from linker.dbt.profiling import DbtTarget, ProfileReport, plan_scans
from linker.environment import Environment
from linker.errors import ConfigError, LinkerError, StoreError
from linker.refresh import steps
from linker.refresh.change_detection import ChangeCheck
from linker.refresh.drop_protection import guard_against_drops
from linker.refresh.steps import ProgressReporter, Step, index_digest, keep_seen, recent_runs
from linker.sql.verified import VerifiedCheck
from linker.text.numbers import counted
from linker.types import ENDED_WELL, ProgressStage, Record, Run, RunKind
from linker.usage.sources import DueSource, UsageReport, plan_learning

# Update the index from the profile tables.
INDEX: tuple[steps.Step, ...] = (
    # profile tables -> documents -> vectors of changed ones -> published index
    steps.index_documents,
    steps.count_dbt_runs,  # runs of dbt alone
    steps.read_table_states,  # for the schema diff
)
# Update profiles and index. If nothing changed, the steps between find and learn do nothing.
REFRESH: tuple[steps.Step, ...] = (
    steps.check_settings,  # fail before anything is read
    # changes since the last run, by metadata, without dbt
    steps.find_changes,
    steps.profile_tables,  # scan new and changed tables with dbt
    steps.index_documents,
    steps.read_table_states,
    steps.ingest_usage,  # query logs of `usage_sources`
    steps.check_verified,  # statements of verified questions
)


class Refreshed(Record, frozen=True):
    """The recorded run, dbt's report, usage statistics, and failed verified questions."""

    run: Run
    scans: ProfileReport | None
    lessons: UsageReport
    failed_questions: tuple[VerifiedCheck, ...] = ()


def record_run(
    kind: RunKind, steps: Sequence[Step], progress: ProgressReporter, *, selection: str = ""
) -> Refreshed:
    """Run the steps under the target's lock, and record the run however it ends."""
    environment = progress.environment
    history, target = environment.store.history, environment.target_key
    with history.lock(target):
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
            # A run whose end is not recorded is marked as killed by the next.
            with suppress(StoreError):
                if isinstance(error, ConfigError):
                    # Configuration errors are not about the target, and changed nothing.
                    history.delete(target, begun.number)
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
            # Last, since it declares all steps done.
            keep_seen(environment, progress.dbt, progress.scans, index=index_digest(environment))
        return Refreshed(run, progress.scans, progress.lessons, progress.failed_questions)


def last_good_refresh(environment: Environment, selection: str = "") -> Run | None:
    """The newest successful refresh of this selection or of everything."""
    good = (
        run
        for run in recent_runs(environment)
        if run.kind == "refresh" and run.outcome in ENDED_WELL
    )
    return next((run for run in good if run.selection in ("", selection)), None)


def _end_of(begun: Run) -> datetime:
    # The clock may have been set back.
    return max(datetime.now(UTC), begun.started_at)


def _why(error: BaseException) -> str:
    if isinstance(error, LinkerError):
        return error.what
    return "it was interrupted" if isinstance(error, KeyboardInterrupt) else type(error).__name__


def index(
    environment: Environment,
    stages: steps.Stages = steps.without_progress,
    *,
    allow_empty_schemas: bool = False,
) -> Refreshed:
    """Update the index from the profile tables, as a recorded run."""
    return record_run(
        "index",
        INDEX,
        steps.ProgressReporter(environment, environment.dbt_target(), stages, allow_empty_schemas),
    )


def refresh(
    environment: Environment,
    dbt: DbtTarget,
    stages: steps.Stages = steps.without_progress,
    *,
    selection: str = "",
    allow_empty_schemas: bool = False,
) -> Refreshed:
    """Update profiles and index, as a recorded run."""
    progress = steps.ProgressReporter(environment, dbt, stages, allow_empty_schemas)
    return record_run("refresh", REFRESH, progress, selection=selection)


def profile(
    environment: Environment,
    dbt: DbtTarget,
    stages: steps.Stages = steps.without_progress,
    *,
    allow_empty_schemas: bool = False,
) -> ProfileReport | int:
    """Update profiles without recording a run; returns the number of tables if none changed."""
    if not dbt.full_refresh:
        with stages("changes") as stage:
            stage.on_phase("checks for changes")
            check = steps.compare_metadata(environment, dbt, stage.on_wait)
            stage.summary = _summary(check)
        if check.profiled is not None:
            return check.profiled
    report = steps.scan(environment, dbt, stages, allow_empty_schemas=allow_empty_schemas)
    steps.keep_seen(environment, dbt, report)
    return report


def _summary(check: ChangeCheck) -> str:
    if not check.is_unchanged:
        return check.reason
    if check.profiled is None:
        return f"{check.reason}, and failed tables are retried"
    return f"{check.reason} in {counted(check.profiled, 'table')}"


def plan_refresh(
    environment: Environment, dbt: DbtTarget, stage: ProgressStage
) -> tuple[ProfileReport, IndexPlan | None, tuple[DueSource, ...]]:
    """Planned scans and usage sources with reasons, and how index and profile tables differ."""
    with environment.store.history.lock(environment.target_key):
        guard_against_drops(
            environment.settings,
            environment.target,
            environment.store.content_hashes(environment.collection),
        )
        scans = plan_scans(dbt, stage)
        stage.on_phase("compares the index with the profiles")
        index = steps.compare_index(environment) if environment.warehouse.is_profiled else None
        return scans, index, plan_learning(environment)


def problems_of_settings(environment: Environment) -> Iterator[str]:
    """
    Unusable semantic models, dbt tables in other databases, and patterns that match nothing.
    """
    settings = environment.settings
    yield from read_documents(settings, environment.target.key).problems
    if elsewhere := relations_elsewhere(settings, environment.target):
        yield elsewhere
    if any(patterns_of(settings).values()):
        yield from unmatched(settings, environment.warehouse.catalog)
    for setting in ("prefer", "exclude"):
        if patterns := getattr(settings, setting):
            yield from unmatched_tables(setting, patterns, environment.warehouse.catalog.tables)

"""
The steps of a refresh; each takes the run state, does its part, and records what it did.

Each step leaves a consistent state. After a kill, the next run resumes: no finished scan is
repeated and no column is embedded twice.
"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress

from msgspec import field
from msgspec.structs import replace

from linker.catalog.documents import IndexPlan, apply_plan, read_plan, write_documents
from linker.catalog.snapshot import pack
from linker.dbt.manifest import project_metadata
from linker.dbt.profiling import DbtTarget, OnWait, ProfileReport, profile_warehouse
from linker.environment import Environment
from linker.errors import WarehouseError
from linker.history.runs import read_dbt_runs, read_states, work_of
from linker.index import IndexManifest
from linker.refresh.change_detection import (
    ChangeCheck,
    bounds_of,
    check_for_changes,
    keep,
    made_for,
)
from linker.refresh.drop_protection import (
    guard_against_drops,
    guard_against_index_drops,
    not_replaced,
    with_file_lock,
)
from linker.sql.verified import VerifiedCheck, read_checks
from linker.types import (
    ENDED_WELL,
    OnProgress,
    Outcome,
    ProgressStage,
    Record,
    Ref,
    Run,
    TableError,
    TableRef,
    TableState,
    Work,
    as_dict,
)
from linker.usage.sources import NO_LESSONS, UsageReport, learn_due
from linker.warehouses import find_dialect

# Runs searched for the last successful one.
_LAST_RUNS = 50


Stages = Callable[[str], AbstractContextManager[ProgressStage]]


def without_progress(_step: str) -> AbstractContextManager[ProgressStage]:
    """Reports nothing."""
    return nullcontext(ProgressStage())


class ProgressReporter(Record, frozen=True):
    """State of a run in progress; `states` is None if nothing changed."""

    environment: Environment
    dbt: DbtTarget
    stages: Stages
    # Treat empty schemas as dropped.
    allow_empty_schemas: bool = False
    # The warehouse is unchanged, so profiling and indexing are skipped.
    is_current: bool = False
    outcome: Outcome = "done"
    work: Work = field(default_factory=Work)
    errors: tuple[TableError, ...] = ()
    dbt_runs: tuple[str, ...] = ()
    states: Mapping[TableRef, TableState] | None = None
    index: IndexPlan | None = None
    scans: ProfileReport | None = None
    lessons: UsageReport = NO_LESSONS
    failed_questions: tuple[VerifiedCheck, ...] = ()


Step = Callable[[ProgressReporter], ProgressReporter]


def check_settings(run: ProgressReporter) -> ProgressReporter:
    """Open the embedder, so that a wrong setting fails early."""
    run.environment.collection  # noqa: B018 - opens the encoder
    return run


def find_changes(run: ProgressReporter) -> ProgressReporter:
    """Compare warehouse metadata with the previous run, without dbt."""
    if run.dbt.full_refresh:
        return run
    with run.stages("changes") as stage:
        stage.on_phase("checks for changes")
        check = _since_last_run(run.environment, run.dbt, stage.on_wait)
        stage.summary = check.reason
    if not check.is_unchanged:
        return run
    before = recent_runs(run.environment)[1]
    # Tables that failed then still fail.
    errors = tuple(error for error in before.errors if not error.was_scanned)
    unchanged = before.work.scanned + before.work.unchanged
    work = Work(unchanged=unchanged, left_out=before.work.left_out, failed=len(errors))
    return replace(
        run,
        is_current=True,
        outcome="partly failed" if errors else "unchanged",
        work=work,
        errors=errors,
    )


def profile_tables(run: ProgressReporter) -> ProgressReporter:
    """Profile new and changed tables with dbt."""
    if run.is_current:
        return run
    environment = run.environment
    indexed = environment.store.content_hashes(environment.collection)
    report = scan(
        environment, run.dbt, run.stages, indexed, allow_empty_schemas=run.allow_empty_schemas
    )
    environment.invalidate()
    work = Work(
        planned=report.scanned_count + len(report.failures),
        scanned=report.scanned_count,
        unchanged=report.count("unchanged"),
        left_out=report.count("left out"),
        failed=len(report.failures),
        statements=report.statements,
        rows_read=report.rows_read,
        bytes_read=report.bytes_read,
    )
    return replace(run, work=work, errors=report.failures, dbt_runs=report.dbt_runs, scans=report)


def index_documents(run: ProgressReporter) -> ProgressReporter:
    """Update the index from the profile tables."""
    if run.is_current:
        return run
    with run.stages("index") as stage:
        before = _other_encoders(run.environment)
        stage.on_phase("embeds all documents" if before else "embeds changed documents")
        plan = update_index(
            run.environment, stage.on_progress, allow_empty_schemas=run.allow_empty_schemas
        )
        stage.summary = f"{plan}{before}"
        stage.numbers = {"embedded": len(plan.to_embed), "removed": len(plan.gone)}
    return replace(
        run, index=plan, work=replace(run.work, embedded=len(plan.to_embed), removed=len(plan.gone))
    )


def _other_encoders(environment: Environment) -> str:
    """A warning if another embedder was used before."""
    collection = environment.collection
    models = environment.store.models(collection.target)
    if not models or collection.model in models:
        return ""
    return (
        f"; all embedded again: the embedding model was {' and '.join(models)} and is "
        f"{collection.model}"
    )


def count_dbt_runs(run: ProgressReporter) -> ProgressReporter:
    """Add dbt runs since our last run; before our first, only the last one."""
    dbt_runs = read_dbt_runs(run.environment.warehouse.artifacts)
    last = next((earlier for earlier in recent_runs(run.environment) if earlier.ended_at), None)
    new = dbt_runs[-1:]
    if last:
        new = [
            done
            for done in dbt_runs
            if done.started_at > last.started_at and done.run_id not in last.dbt_runs
        ]
    work = replace(work_of(new), embedded=run.work.embedded, removed=run.work.removed)
    return replace(run, work=work, dbt_runs=tuple(dbt_run.run_id for dbt_run in new))


def read_table_states(run: ProgressReporter) -> ProgressReporter:
    """Read table states, unless the history has them, and release the warehouse."""
    if run.is_current:
        return run
    environment = run.environment
    is_unchanged = run.index is not None and run.index.in_step and not run.work.scanned
    has_states = is_unchanged and _ended_well_before(environment)
    states = (
        None
        if has_states
        else read_states(
            environment.warehouse.artifacts,
            environment.warehouse.catalog,
            environment.warehouse.profiled.facts.joins,
        )
    )
    # A reader locks a DuckDB file.
    environment.release_warehouse()
    outcome: Outcome = "unchanged" if is_unchanged else "done"
    if run.errors:
        outcome = "partly failed"
    return replace(run, outcome=outcome, states=states)


def ingest_usage(run: ProgressReporter) -> ProgressReporter:
    """Ingest `usage_sources`, also if nothing else changed."""
    if not run.environment.settings.usage_sources:
        return run
    with run.stages("learn") as stage:
        stage.on_phase("reads query logs")
        lessons = learn_due(run.environment, stage.on_progress, is_full=run.dbt.full_refresh)
        stage.summary, stage.numbers = str(lessons), lessons.numbers
    outcome = "done" if lessons.new and run.outcome == "unchanged" else run.outcome
    if lessons.failures:
        outcome = "partly failed"
    return replace(run, outcome=outcome, work=replace(run.work, **lessons.numbers), lessons=lessons)


def check_verified(run: ProgressReporter) -> ProgressReporter:
    """Run verified statements; failures are reported but do not fail the refresh."""
    environment = run.environment
    if not (environment.settings.verified_questions.exists() or read_checks(environment)):
        return run
    # Imports the SQL parser.
    from linker.sql.verification import check_after_refresh

    with run.stages("verified") as stage:
        stage.on_phase("runs verified questions")
        report = check_after_refresh(environment, stage.on_progress, is_current=run.is_current)
        stage.summary = str(report)
    return replace(run, failed_questions=report.failed)


def compare_index(environment: Environment) -> IndexPlan:
    """Differences of index and profile tables."""
    return _plan_index(environment)[0]


def update_index(
    environment: Environment,
    on_progress: OnProgress = lambda _done, _total: None,
    *,
    allow_empty_schemas: bool = False,
) -> IndexPlan:
    """Update the index without recording a run; returns the differences."""
    plan, made_from = _plan_index(environment)
    if not allow_empty_schemas:
        guard_against_index_drops(plan, environment.warehouse.catalog)
    apply_plan(
        plan,
        environment.embedder,
        environment.store,
        environment.collection,
        on_progress,
        made_from,
    )
    return plan


def _plan_index(environment: Environment) -> tuple[IndexPlan, IndexManifest]:
    profiled = environment.warehouse.profiled
    documents = write_documents(profiled.catalog, profiled.facts)
    made_from = IndexManifest(pack(profiled))
    kept = environment.store.snapshot(environment.collection, held=made_from.digest)
    plan = read_plan(documents, environment.store, environment.collection)
    return replace(
        plan, has_snapshot=bool(kept and kept.digest == made_from.digest and kept.is_settled)
    ), made_from


def recent_runs(environment: Environment) -> list[Run]:
    """Newest runs first, including the current one."""
    return environment.store.history.runs(environment.target_key, limit=_LAST_RUNS)


def index_digest(environment: Environment) -> str:
    """Digest of the current index."""
    return (
        f"{environment.embedder.name} {environment.store.snapshot_digest(environment.collection)}"
    )


def scan(
    environment: Environment,
    dbt: DbtTarget,
    stages: Stages,
    indexed: Iterable[Ref] = (),
    *,
    allow_empty_schemas: bool,
) -> ProfileReport:
    """Profile new and changed tables, with drop protection."""
    with stages("profile") as stage:
        stage.on_phase("checks for missing schemas")
        guard_against_drops(
            environment.settings,
            environment.target,
            indexed,
            on_wait=stage.on_wait,
            allow_empty_schemas=allow_empty_schemas,
        )
        with not_replaced(environment.target):
            report = profile_warehouse(dbt, stage)
        stage.summary, stage.numbers = str(report), report.numbers
    return report


def keep_seen(
    environment: Environment, dbt: DbtTarget, report: ProfileReport, *, index: str = ""
) -> None:
    """Store the state that dbt saw, for the next check without dbt."""
    if not report.watched:
        return
    digest = _digest(environment, dbt)
    keep(dbt.state_dir, environment.target, digest, report.watched, index=index)
    dialect = find_dialect(environment.target.kind)
    if dialect and dialect.file:
        # Another process may have written since dbt closed the file; take the stamp under the lock.
        with suppress(WarehouseError):
            check_for_changes(dbt.state_dir, environment.target, digest, index=index)


def compare_metadata(
    environment: Environment, dbt: DbtTarget, on_wait: OnWait, *, index: str | None = None
) -> ChangeCheck:
    """Check for changes without dbt; waits for a locked file."""
    where = (dbt.state_dir, environment.target, _digest(environment, dbt))
    bounds = bounds_of(dbt.variables)
    return with_file_lock(
        environment.target, lambda: check_for_changes(*where, index=index, bounds=bounds), on_wait
    )


def _digest(environment: Environment, dbt: DbtTarget) -> str:
    # Inputs of the index other than the warehouse.
    metadata = as_dict(project_metadata(environment.settings, environment.target))
    return made_for(
        environment.target,
        dbt.variables,
        tuple(dbt.artifact_relations.values()),
        metadata,
        environment.settings.exclude,
    )


def _since_last_run(environment: Environment, dbt: DbtTarget, on_wait: OnWait) -> ChangeCheck:
    """Check for changes since the last run, without dbt."""
    if not _ended_well_before(environment):
        is_first = len(recent_runs(environment)) == 1
        return ChangeCheck("first run" if is_first else "the last run failed")
    return compare_metadata(environment, dbt, on_wait, index=index_digest(environment))


def _ended_well_before(environment: Environment) -> bool:
    """Whether the previous run ended; a killed one recorded nothing."""
    return [run.outcome in ENDED_WELL for run in recent_runs(environment)[1:2]] == [True]

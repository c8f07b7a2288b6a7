"""
The flows that keep profiles and index in step: each a tuple of steps, the run of which is recorded.
"""

from linker.catalog.documents import IndexPlan
from linker.dbt.invocation import DbtTarget
from linker.dbt.profiling import OnPhase, ProfileReport, plan_scans
from linker.environment import Environment
from linker.learn.sources import DueSource, plan_learning
from linker.refresh import steps
from linker.refresh.changed import ChangeCheck
from linker.refresh.losses import refuse_losses
from linker.refresh.recording import Refreshed, record_run

# Bring the index in step with what dbt left.
INDEX: tuple[steps.Step, ...] = (
    # artifacts -> documents -> vectors of those that changed -> the index, switched at once
    steps.index_documents,
    steps.count_dbt_runs,  # what dbt did by itself
    steps.read_table_states,  # what the tables are like now, for the history
)
# Bring profiles and index in step with the warehouse. Where nothing changed, the steps between find
# and learn pass on.
REFRESH: tuple[steps.Step, ...] = (
    steps.check_settings,  # a wrong one ends the run before anything is read
    # has anything changed since the run before? answered by metadata, without dbt
    steps.find_changes,
    steps.profile_tables,  # dbt scans what is new or changed, and leaves the artifacts
    steps.index_documents,
    steps.read_table_states,
    steps.learn_from_sources,  # queries of others, as `learn_from` names them
)


def index(
    environment: Environment, stages: steps.Stages = steps.quietly, *, accept_empty: bool = False
) -> Refreshed:
    """
    Bring the index in step with what dbt left, unless another run is at work, and record the run.
    """
    return record_run(
        "index",
        INDEX,
        steps.RunProgress(environment, environment.dbt_target(), stages, accept_empty),
    )


def refresh(
    environment: Environment,
    dbt: DbtTarget,
    stages: steps.Stages = steps.quietly,
    *,
    selection: str = "",
    accept_empty: bool = False,
) -> Refreshed:
    """
    Bring profiles and index in step with the warehouse, unless another run is at work, and record
    the run.
    """
    progress = steps.RunProgress(environment, dbt, stages, accept_empty)
    return record_run("refresh", REFRESH, progress, selection=selection)


def profile(
    environment: Environment,
    dbt: DbtTarget,
    stages: steps.Stages = steps.quietly,
    *,
    accept_empty: bool = False,
) -> ProfileReport | int:
    """
    Let dbt bring the artifacts in step, without a record of the run; the count of tables if none of
    them changed.
    """
    if not dbt.full_refresh:
        with stages("look") as stage:
            stage.on_phase("looks for changes")
            found = steps.compare_metadata(environment, dbt, stage.on_wait)
            stage.summary = _summary(found)
        if found.profiled is not None:
            return found.profiled
    report = steps.scan(environment, dbt, stages, accept_empty=accept_empty)
    steps.keep_seen(environment, dbt, report)
    return report


def _summary(found: ChangeCheck) -> str:
    if not found.is_unchanged:
        return found.reason
    if found.profiled is None:
        return f"{found.reason}, and what could not be read is tried again"
    return f"{found.reason} in {found.profiled:,} table{'' if found.profiled == 1 else 's'}"


def plan_refresh(
    environment: Environment, dbt: DbtTarget, on_phase: OnPhase = lambda _does: None
) -> tuple[ProfileReport, IndexPlan | None, tuple[DueSource, ...]]:
    """
    Plan what a run would scan and learn from, and why; with how the index differs from the
    artifacts, if any.
    """
    with environment.store.history.hold(environment.target_key):
        refuse_losses(
            environment.settings,
            environment.target,
            environment.store.content_hashes(environment.collection),
        )
        scans = plan_scans(dbt, on_phase)
        on_phase("compares the index with the profiles")
        index = steps.compare_index(environment) if environment.warehouse.is_profiled else None
        return scans, index, plan_learning(environment)
